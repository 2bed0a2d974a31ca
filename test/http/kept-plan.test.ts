// PostgreSQL plans the statement that records payments a few times per connection, not for every payment: planning
// takes a third as long as everything else.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../kit/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
})
afterAll(() => service?.stop())

it('payments that are recorded one after the other share a plan, also in configured projects', async () => {
  const { id, key } = await service.api.project()
  const body = { anchoring: { execution_mode: 'platform', chains: [] } }
  await service.api.call('PUT', `/v1/projects/${id}/config`, { key, body })
  for (let count = 0; count < 40; count++) expect((await service.api.record(key)).status).toBe(200)

  const { pool } = service.app
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  const plans = await Promise.all(
    clients.map(async client => {
      const { rows } = await client.query(
        `select generic_plans::int as kept, custom_plans::int as anew from pg_prepared_statements where name = 'record-receipts'`,
      )
      return rows
    }),
  )
  for (const client of clients) client.release()
  const used = plans.flat()
  expect(used.length).toBeGreaterThan(0)
  // PostgreSQL makes five custom plans before it compares them with a generic plan.
  for (const { anew } of used) expect(anew).toBeLessThanOrEqual(5)
  expect(Math.max(...used.map(({ kept }) => kept))).toBeGreaterThan(0)
})
