// A stream whose database goes away while an event is resolved: the event is not left out.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { followField, followReceipt } from '../kit/follower.ts'
import { type Service, startService } from '../kit/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
})
afterAll(() => service?.stop())

it('a client gets each event, also one that the database could not complete at first', async () => {
  const { key } = await service.api.project()
  const stream = followField(service.base, key, 'receiptChanged', '', 'type receipt { id reference }')
  const first = (await service.api.record(key)).json.receipt_id
  await expect.poll(() => stream.seen.length).toBe(1)
  const { pool } = service.app
  const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>
  let failures = 0
  const failing = (...given: unknown[]) => {
    const isOfEvent = (given[0] as { name?: string }).name === 'receipts-by-id'
    if (failures === 2 || !isOfEvent) return query(...given)
    failures += 1
    return Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  }
  Object.assign(pool, { query: failing })
  const second = (await service.api.record(key)).json.receipt_id
  await expect.poll(() => failures).toBe(2)
  const third = (await service.api.record(key)).json.receipt_id
  await expect
    .poll(() => stream.seen.map(({ data }) => (data.receipt as { id: string }).id))
    .toEqual([first, second, third])
  await stream.stop()
  Object.assign(pool, { query })
  const alone = followReceipt(service.base, second)
  await expect.poll(() => alone.seen.length).toBe(1)
  await alone.stop()
})
