// Recording takes as long in a growing database as in an empty one, also before PostgreSQL has gathered statistics:
// nothing that it runs reads a table from end to end.
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { knownChains } from '../../src/core/identity.ts'
import { sqlOf } from '../../src/kit/transaction.ts'
import { recordAll } from '../../src/modules/receipts/record.ts'
import { recording } from '../kit/recording.ts'
import { freshDatabase } from '../kit/service.ts'

let pool: pg.Pool
beforeEach(async () => {
  pool = openPool(await freshDatabase(), 1, { error: () => undefined, warn: () => undefined } as never)
})
afterEach(() => pool.end())

it('no statement and no trigger of recording reads all receipts or all deliveries', async () => {
  // Statistics, once gathered, change plans.
  for (const table of ['receipts', 'events', 'webhook_deliveries'])
    await pool.query(`alter table ${table} set (autovacuum_enabled = false)`)
  const projectId = randomUUID()
  await pool.query(`insert into projects (id, name) values ($1, 'p')`, [projectId])
  const sql = sqlOf(pool)
  for (let batch = 0; batch < 40; batch++) {
    const recordings = Array.from({ length: 10 }, (_, place) =>
      recording(projectId, { callbackUrl: place % 2 === 0 ? 'https://receiver.example/hook' : null }),
    )
    await recordAll(sql, recordings, knownChains)
  }
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query(
    `select relname as table, seq_tup_read::int as read from pg_stat_user_tables
     where relname in ('receipts', 'webhook_deliveries') order by 1`,
  )
  expect(rows).toEqual([
    { table: 'receipts', read: 0 },
    { table: 'webhook_deliveries', read: 0 },
  ])
  const { rows: deliveries } = await pool.query('select count(*)::int as made from webhook_deliveries')
  expect(deliveries).toEqual([{ made: 200 }])
})
