// Two workers seal the same receipts at the same time, as happens when one of them was taken for dead.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seal } from '../../src/modules/evidence/tasks.ts'
import { type Service, startService } from '../kit/service.ts'

let service: Service
beforeAll(async () => {
  // Without a worker; the test runs each step.
  service = await startService({ ROLES: 'api' })
})
afterAll(() => service.stop())

it('seals each receipt once: one bundle, one anchor, one event', async () => {
  const { api, app } = service
  const { key } = await api.project()
  const recorded = await Promise.all(Array.from({ length: 20 }, () => api.record(key)))
  const receipts = recorded.map(({ json }): string => json.receipt_id)
  await Promise.all(Array.from({ length: 4 }, () => seal.run(app, { receipts })))
  const { rows } = await app.pool.query(
    `select r.status, (select array_agg(status::text order by id) from events where receipt_id = r.id) as events,
       (select count(*)::int from anchors where receipt_id = r.id and bundle_hash = r.bundle_hash) as anchors,
       (select count(*)::int from artifacts where receipt_id = r.id and name = 'evidence.zip' and sha256 = r.bundle_hash) as bundles
     from receipts r where id = any($1::uuid[])`,
    [receipts],
  )
  const once = { status: 'awaiting_anchor', events: ['pending', 'awaiting_anchor'], anchors: 1, bundles: 1 }
  expect(rows).toEqual(receipts.map(() => once))
})
