// The counters of receipts are exact at every moment, whatever happens at the same time.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { knownChains } from '../../src/core/identity.ts'
import { inTransaction } from '../../src/kit/transaction.ts'
import { addUpCounters } from '../../src/modules/receipts/counters.ts'
import { recordAll } from '../../src/modules/receipts/record.ts'
import { recording } from '../kit/recording.ts'
import { freshDatabase } from '../kit/service.ts'
import { proof, sized } from '../kit/size.ts'

let url: string
let pool: pg.Pool
beforeEach(async () => {
  url = await freshDatabase()
  // A killed connection is an error of its owner, which the storm expects.
  pool = openPool(url, 12, { error: () => undefined, warn: () => undefined } as never)
})
afterEach(() => pool.end())

const addUp = () => addUpCounters({ pool })

/** Counters that are off, of each table. One statement reads all tables, so they are of one moment. */
const wrong = `
  with facts as (
    select project_id, chain, chain_key, currency, status, amount, period_begin('quarter', created_at) as slot,
      (case when refund_of_id is null then 'payment' when refund_tx_hash is null then 'announced_refund'
        else 'settled_refund' end)::receipt_kind as kind
    from receipts
  ), compared as (
    select 'total' as of, project_id, chain, chain_key, currency, status, kind, null::timestamptz as at, 1 as n, amount from facts
    union all select 'total', project_id, chain, chain_key, currency, status, kind, null, -count, -amount from receipt_counts
    union all select 'quarter', project_id, chain, chain_key, currency, status, kind, slot, 1, amount from facts
    union all select 'hour', project_id, chain, chain_key, currency, status, kind, date_trunc('hour', slot, 'UTC'), 1, amount from facts
    union all select width::text, project_id, chain, chain_key, currency, status, kind,
      case width when 'hour' then date_trunc('hour', created_at, 'UTC') else created_at end, -count, -amount from receipt_periods
  )
  select * from (
    select of, project_id, chain, chain_key, currency, status, kind, at, sum(n) as off, sum(amount) as amount_off from compared
    group by 1, 2, 3, 4, 5, 6, 7, 8
  ) as differences where off <> 0 or amount_off <> 0`

async function projects(number: number): Promise<string[]> {
  const ids = Array.from({ length: number }, () => randomUUID())
  await pool.query(`insert into projects (id, name) select unnest($1::uuid[]), 'p'`, [ids])
  return ids
}

const any = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T

const drawn = (projectId: string) =>
  recording(projectId, {
    chain: any(['base', 'Base', 'flare', 'polygon']),
    amount: any(['1', '0.000000000000000001', '99999999999999.5']),
    currency: any(['USDC', 'EURC']),
    reference: String(Math.floor(Math.random() * 2_000)),
  })

/** Moves some receipts of any projects, locked in one order as the pipeline does. */
const move = (from: string, to: string) => `
  with chosen as (select id from receipts where status = '${from}' order by random() limit 20),
    locked as (select id from receipts where id in (select id from chosen) order by id for no key update)
  update receipts set status = '${to}' from locked where receipts.id = locked.id and status = '${from}'`

const refund = `
  insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference, refund_of_id)
  select gen_random_uuid(), project_id, tip_tx_hash, chain, amount, currency, receiver_wallet, sender_wallet, 'refund:' || id, id
  from receipts where status = 'anchored' and refund_of_id is null order by random() limit 1 on conflict do nothing`

proof('are exact during a storm of recordings, moves, refunds, rollbacks and killed connections', async () => {
  const ids = await projects(3)
  const [least, most] = [Date.now() + sized(4_000, 30_000), Date.now() + 50_000]
  let isOver = false
  const failures: string[] = []
  const storm = async (act: () => Promise<unknown>) => {
    while (!isOver) await act().catch((error: pg.DatabaseError) => void failures.push(error.code ?? ''))
  }
  const inOne = (work: (sql: (text: string) => Promise<unknown>) => Promise<unknown>) =>
    inTransaction({ pool }, tx => work(tx.sql))
  const record = () =>
    inTransaction({ pool }, ({ sql }) =>
      recordAll(
        sql,
        // Few references, so that many of them are there already.
        Array.from({ length: 1 + Math.floor(Math.random() * 20) }, () => drawn(any(ids))),
        knownChains,
      ),
    )
  const moves = [
    ['pending', 'awaiting_anchor'],
    ['awaiting_anchor', 'anchored'],
    ['anchored', 'awaiting_anchor'],
    ['pending', 'failed'],
    ['failed', 'pending'],
  ] as const
  const killer = new pg.Client({ connectionString: url })
  await killer.connect()
  const kill = async () => {
    await sleep(200)
    await killer.query(`select pg_terminate_backend(pid) from (
      select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and state <> 'idle' order by random() limit 1) as victim`)
  }
  const seen: unknown[] = []
  const look = async () => {
    const { rows } = await killer.query(wrong)
    seen.push(...rows)
    await sleep(20)
  }
  const standing = async () => {
    const { rows } = await killer.query(
      `select count(*)::int as receipts, count(*) filter (where has_refund)::int as refunded,
         count(distinct refund_of_id)::int as refunds, (select count(*)::int from receipt_counts) as counters,
         (select count(*)::int from receipt_counts where slot is not null) as fresh,
         (select count(*)::int from (select distinct project_id, chain, currency, status, refund_of_id is null from receipts) as a) as keys
       from receipts`,
    )
    const [{ receipts, refunds }] = rows
    return { ...rows[0], reached: [receipts > 100, refunds > 3, failures.includes('57P01')] }
  }
  // On a busy machine all of it takes longer to happen.
  const judge = async () => {
    await sleep(100)
    isOver = Date.now() > most || (Date.now() > least && (await standing()).reached.every(Boolean))
  }
  await Promise.all([
    ...[record, record, record].map(storm),
    ...moves.map(([from, to]) => storm(() => inOne(sql => sql(move(from, to))))),
    storm(() => inOne(sql => sql(refund))),
    storm(() =>
      inOne(async sql => {
        await sql(move('pending', 'failed'))
        throw Object.assign(new Error('rolled back'), { code: 'on purpose' })
      }),
    ),
    storm(() => addUp().then(() => sleep(50))),
    storm(addUp),
    storm(() => pool.query('select receipt_recount()').then(() => sleep(100))),
    storm(kill),
    storm(look),
    storm(judge),
  ])
  // The pool can hand out the connection that was killed last.
  await addUp().catch(addUp)
  await look()
  expect(seen).toEqual([])
  const { reached, refunded, refunds, counters, fresh, keys } = await standing()
  await killer.end()
  expect(reached).toEqual([true, true, true])
  expect([refunded, counters, fresh]).toEqual([refunds, keys, 0])
})

it('are made by receipt_recount() for receipts that no trigger counted', async () => {
  const [project] = await projects(1)
  await inTransaction({ pool }, ({ sql }) =>
    recordAll(sql, [recording(String(project)), recording(String(project))], knownChains),
  )
  await pool.query('truncate receipt_counts, receipt_time_counts')
  expect((await pool.query(wrong)).rows).toMatchObject([{ off: '2' }, { off: '2' }, { off: '2' }])
  await pool.query('select receipt_recount()')
  expect((await pool.query(wrong)).rows).toEqual([])
})
