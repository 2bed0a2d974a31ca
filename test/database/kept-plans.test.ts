// Triggers find rows by index, also on a connection that made its plans when the tables had a few rows.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '../kit/service.ts'

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client({ connectionString: await freshDatabase() })
  await client.connect()
})
afterAll(() => client.end())

const project = randomUUID()
const tables = ['receipts', 'events', 'audit_events', 'webhook_deliveries']

/** Records payments as the service does. A callback makes each event a delivery. */
const add = (count: number, from: number, callback: string | null = null) =>
  client.query(
    `with paid as (
       insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
         callback_url)
       select gen_random_uuid(), $1, 'tx' || i, 'base', 1, 'USDC', 'customer', 'shop', 'order-' || i, $4
       from generate_series($2::int, $3::int) as i returning id
     ), told as (
       insert into events (type, project_id, receipt_id, status) select 'receipt.pending', $1, id, 'pending' from paid
     )
     insert into audit_events (action, object_type, object_id, project_id, actor)
     select 'receipt.record', 'receipt', id, $1, 'key:1' from paid`,
    [project, from, from + count - 1, callback],
  )

/** The rows that scans of whole tables have read. */
async function scanned(): Promise<Record<string, number>> {
  await client.query('select pg_stat_force_next_flush()')
  const { rows } = await client.query<{ name: string; read: number }>(
    `select relname as name, seq_tup_read::int as read from pg_stat_user_tables where relname = any($1)`,
    [tables],
  )
  return Object.fromEntries(rows.map(({ name, read }) => [name, read]))
}

/** Returns those of these tables that are scanned for each row that `work` adds. */
async function scannedBy(names: string[], work: () => Promise<unknown>): Promise<string[]> {
  const before = await scanned()
  await work()
  const after = await scanned()
  // PostgreSQL may scan a table a few times. For each of 2,000 rows that would be two million.
  return names.filter(name => (after[name] ?? 0) - (before[name] ?? 0) > 50_000)
}

it('adding 2,000 receipts scans no table for each', async () => {
  const callback = 'https://shop.example'
  await client.query(`insert into projects (id, name) values ($1, 'p')`, [project])
  await add(3, 0, callback)
  for (const table of tables) {
    await client.query(`alter table ${table} set (autovacuum_enabled = false)`)
    await client.query(`vacuum analyze ${table}`)
  }
  // After five plans for known values PostgreSQL keeps one for any.
  for (let count = 1; count <= 10; count++) await add(1, count * 10, callback)
  // PostgreSQL itself scans `receipts`, and with deliveries `events`, to check that what is referred to is there.
  expect(await scannedBy(['events', 'audit_events'], () => add(2_000, 1_000))).toEqual([])
  expect(await scannedBy(['webhook_deliveries'], () => add(2_000, 5_000, callback))).toEqual([])
})
