// The `value` task: before a receipt is sealed, stores its fiat equivalent, or the reason why it has none, if its
// configuration requires one. While no provider can be reached, receipts wait: after five minutes the log says so, and
// after an hour they are sealed without a fiat equivalent.
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { receiptTask } from '../../kit/receipt-task.ts'
import { task } from '../../kit/task.ts'
import { inTransaction, sqlOf, type Transaction } from '../../kit/transaction.ts'
import { readFacts } from '../artifacts/read-facts.ts'
import { type Valuation, valuationsOf } from './valuation.ts'

const askAgainMs = 15_000
// Queries are counted, not minutes, because no receipt may lose its value while no worker runs.
const alarmAfter = 20
const mostQueries = 240
const receiptsAtOnce = 128

export const value = receiptTask(jobs.value, async (app, receiptIds) => {
  const facts = await readFacts(app, sqlOf(app.pool), receiptIds)
  const open = facts.filter(({ status, lacksEquivalent }) => status === 'pending' && lacksEquivalent)
  const { valued, later } = await valuationsOf(app, open)
  const stored = await inTransaction(app, async tx => {
    const states = await store(tx, valued)
    const done = states.filter(({ state }) => state !== 'waiting').map(({ id }) => id)
    if (done.length > 0) tx.job(jobs.seal({ receipts: done }))
    if (later.length > 0) tx.job(jobs.value({ receipts: later }))
    // One job for all waiting receipts, because otherwise each group would query the providers by itself.
    if (done.length < states.length) tx.job(jobs.valueWaiting({}, { afterMs: askAgainMs }))
    return states
  })
  logLate(app, stored)
})

type Stored = { id: string; state: Valuation['state']; asked: number }

function logLate(app: App, stored: readonly Stored[]): void {
  const late = stored.filter(({ state, asked }) => state === 'waiting' && asked === alarmAfter)
  if (late.length > 0)
    app.log.error(
      { receipts: late.length },
      'ALARM: receipts have waited for a rate for five minutes, and will for an hour',
    )
  const lost = stored.filter(({ state }) => state === 'unavailable').map(({ id }) => id)
  if (lost.length > 0)
    app.log.error(
      { receipts: lost },
      'ALARM: receipts are sealed without a fiat equivalent, because no rate came for an hour',
    )
}

/** Stores valuations and returns those of receipts that were still open. A final state is never overwritten. */
const store = (tx: Transaction, valued: Valuation[]) =>
  tx.sql<Stored>(
    `insert into fiat_equivalents as known (receipt_id, state, currency, rate_of, amount, rate, source, as_of)
     select * from unnest($1::uuid[], $2::fiat_equivalent_state[], $3::text[], $4::text[], $5::text[], $6::text[],
                          $7::text[], $8::timestamptz[])
     order by 1
     on conflict (receipt_id) do update set
       state = case when excluded.state = 'waiting' and known.asked + 1 >= ${mostQueries}
                    then 'unavailable' else excluded.state end,
       rate_of = excluded.rate_of, amount = excluded.amount, rate = excluded.rate, source = excluded.source,
       as_of = excluded.as_of, asked = known.asked + 1
     where known.state = 'waiting'
     returning receipt_id as id, state, asked`,
    [
      valued.map(v => v.receiptId),
      valued.map(v => v.state),
      valued.map(v => v.currency),
      valued.map(v => v.rateOf),
      valued.map(v => v.amount),
      valued.map(v => v.rate),
      valued.map(v => v.source),
      valued.map(v => v.asOf),
    ],
  )

/** Enqueues `value` jobs for all receipts that wait for a rate. */
export const valueWaiting = task(jobs.valueWaiting, async app => {
  const { rows } = await app.pool.query<{ id: string }>(
    `select f.receipt_id as id from fiat_equivalents f join receipts r on r.id = f.receipt_id
       where f.state = 'waiting' and r.status = 'pending' order by f.created_at`,
  )
  await inTransaction(app, async tx => {
    for (let start = 0; start < rows.length; start += receiptsAtOnce) {
      const receipts = rows.slice(start, start + receiptsAtOnce).map(({ id }) => id)
      tx.job(jobs.value({ receipts }))
    }
  })
})
