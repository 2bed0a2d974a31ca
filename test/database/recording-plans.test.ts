// Recording takes as long in a growing database as in an empty one, also before PostgreSQL has gathered statistics, and
// on a connection that made its plans when the tables had a few rows: it finds rows by the right index.
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

const tables = ['receipts', 'events', 'audit_events', 'webhook_deliveries']

// All receipts have the same wallets, so an index of these leads to all of them.
const wallets = { senderWallet: `0x${'a1'.repeat(20)}`, receiverWallet: `0x${'b2'.repeat(20)}` }

async function project(): Promise<string> {
  const id = randomUUID()
  await pool.query(`insert into projects (id, name) values ($1, 'p')`, [id])
  return id
}

async function record(projectId: string, batches: number): Promise<void> {
  for (let batch = 0; batch < batches; batch++) {
    const recordings = Array.from({ length: 10 }, (_, place) =>
      recording(projectId, { ...wallets, callbackUrl: place % 2 === 0 ? 'https://receiver.example/hook' : null }),
    )
    await recordAll(sqlOf(pool), recordings, knownChains)
  }
}

/** The rows of each table that scans of the whole table have read, and those that were read by index. */
async function readRows(): Promise<{ name: string; whole: number; byIndex: number }[]> {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query(
    `select relname as name, seq_tup_read::int as whole, sum(i.idx_tup_read)::int as "byIndex"
     from pg_stat_user_tables t join pg_stat_user_indexes i using (relname) where relname = any($1)
     group by 1, 2 order by 1`,
    [tables],
  )
  return rows
}

it('no statement and no trigger of recording reads all rows of a table', async () => {
  for (const table of tables) await pool.query(`alter table ${table} set (autovacuum_enabled = false)`)
  await record(await project(), 40)
  expect((await readRows()).filter(({ whole }) => whole > 0)).toEqual([])
  const { rows: deliveries } = await pool.query('select count(*)::int as made from webhook_deliveries')
  expect(deliveries).toEqual([{ made: 200 }])
})

it('nor does a plan that was made for a few rows', async () => {
  const projectId = await project()
  await record(projectId, 1)
  for (const table of tables) {
    await pool.query(`alter table ${table} set (autovacuum_enabled = false)`)
    await pool.query(`vacuum analyze ${table}`)
  }
  // After five plans for known values, PostgreSQL keeps one for any.
  await record(projectId, 10)
  const before = await readRows()
  await record(projectId, 40)
  const after = await readRows()
  const read = after.map((row, index) => ({
    name: row.name,
    whole: row.whole - (before[index]?.whole ?? 0),
    byIndex: row.byIndex - (before[index]?.byIndex ?? 0),
  }))
  // PostgreSQL itself scans `receipts` once for each event, to check that its receipt is there, until it gathers
  // statistics again: 400 times the 110 to 510 rows that there are.
  const checks = 400 * ((110 + 510) / 2 + 10)
  expect(read.filter(({ name, whole }) => whole > (name === 'receipts' ? checks : 0))).toEqual([])
  expect(read.filter(({ byIndex }) => byIndex > 400 * 10)).toEqual([])
})

it('nor does the search for payments that are recorded again', async () => {
  for (const table of tables) await pool.query(`alter table ${table} set (autovacuum_enabled = false)`)
  const projectId = await project()
  // Among few rows, PostgreSQL takes any index of the project for as good.
  const payments = Array.from({ length: 6_000 }, () => recording(projectId, wallets))
  for (let at = 0; at < payments.length; at += 500)
    await recordAll(sqlOf(pool), payments.slice(at, at + 500), knownChains)
  const again = payments.slice(0, 100)
  const rowsByIndex = async () => (await readRows()).find(({ name }) => name === 'receipts')?.byIndex ?? 0
  const before = await rowsByIndex()
  const found = await recordAll(sqlOf(pool), again, knownChains)
  expect(found.map(({ matchedBy }) => matchedBy)).toEqual(again.map(() => 'settlement'))
  expect((await rowsByIndex()) - before).toBeLessThan(100 * 10)
})
