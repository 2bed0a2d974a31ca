// Tests which deliveries a worker claims: if more receivers have something due than there are places, each gets its
// turn.
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { knownChains } from '../../src/core/identity.ts'
import { sqlOf } from '../../src/kit/transaction.ts'
import { recordAll } from '../../src/modules/receipts/record.ts'
import { claimDue } from '../../src/modules/webhooks/queue.ts'
import { recording } from '../kit/recording.ts'
import { freshDatabase } from '../kit/service.ts'

let pool: pg.Pool
beforeEach(async () => {
  pool = openPool(await freshDatabase(), 1, { error: () => undefined, warn: () => undefined } as never)
})
afterEach(() => pool.end())

it('receivers with as many due deliveries take turns, from the asked one on', async () => {
  const projectId = randomUUID()
  await pool.query(`insert into projects (id, name) values ($1, 'p')`, [projectId])
  const lanes = Array.from({ length: 30 }, () => randomUUID()).sort()
  const each = 8
  const recordings = Array.from({ length: each * lanes.length }, () => recording(projectId))
  await recordAll(sqlOf(pool), recordings, knownChains)
  await pool.query(
    `insert into webhook_deliveries (project_id, event_id, url, receipt_id, lane, next_attempt_at)
     select $1, id, 'https://receiver.example', receipt_id, ($2::uuid[])[1 + row_number() over () % cardinality($2::uuid[])],
       now() - interval '1 minute' from events`,
    [projectId, lanes],
  )
  const served = new Map<string, number>()
  for (let round = 0; round < 8; round++) {
    const after = lanes.at((round * 16 + 29) % 30) ?? ''
    const claimed = await claimDue(sqlOf(pool), { projectId, after, places: 16 })
    const { rows } = await pool.query<{ lane: string }>(
      `update webhook_deliveries set state = 'delivered', lease_id = null, finished_at = now() where lease_id is not null returning lane`,
    )
    expect(rows).toHaveLength(claimed.length)
    for (const { lane } of rows) served.set(lane, (served.get(lane) ?? 0) + 1)
  }
  // 128 places for 30 receivers.
  expect(lanes.map(lane => served.get(lane))).toEqual(lanes.map((_, place) => (place < 8 ? 5 : 4)))
})
