// A day of many receipts is closed in time, also in a new database, of which PostgreSQL has gathered no statistics.
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answeredWithin, openPool } from '../../src/adapters/pg-pool.ts'
import { closeDays } from '../../src/modules/statements/close.ts'
import { beginSeries } from '../kit/series.ts'
import { freshDatabase } from '../kit/service.ts'

let pool: pg.Pool
beforeAll(async () => {
  pool = openPool(await freshDatabase(), 4, console, { deadline: answeredWithin })
})
afterAll(() => pool.end())

const midnight = (day: number) => new Date(Date.UTC(2031, 2, day))
const receipts = 10_000

it('closes a day of 10,000 payments of one wallet to another within the deadline of a statement', async () => {
  await pool.query('alter table receipts set (autovacuum_enabled = false)')
  const id = randomUUID()
  await pool.query(`insert into projects (id, name) values ($1, 'p')`, [id])
  await beginSeries(pool, id, midnight(1))
  await pool.query(
    `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
       status, booked_at)
     select gen_random_uuid(), $1, '0x' || md5('a' || i) || md5('b' || i), 'base', 1, 'USDC', 'customer', 'shop', 'order-' || i, 'anchored', $2::timestamptz + i * interval '1 second'
     from generate_series(1, $3::int) as i`,
    [id, midnight(1), receipts],
  )
  await closeDays({ pool }, id, midnight(2))
  const { rows } = await pool.query('select count, closing::text from statements where project_id = $1', [id])
  expect(rows).toEqual([{ count: receipts, closing: `${receipts}.000000000000000000` }])
})
