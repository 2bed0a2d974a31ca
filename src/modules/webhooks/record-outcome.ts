// Stores the outcomes of attempts, and applies their consequences for the receiver in the same transaction. Outcomes
// without consequences that arrive together are stored in one statement.

import { batchWhileBusy } from '../../kit/batch-while-busy.ts'
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { inTransaction, type Sql, sqlOf, type Transaction } from '../../kit/transaction.ts'
import { failingDays } from './plan.ts'
import { type ClaimedDelivery, cancelWaiting, lockWaiting } from './queue.ts'

/** `durationMs` is null where no request was made. */
export type Attempt = {
  durationMs: number | null
  statusCode: number | null
  error: string | null
  answerStart: string | null
}

export type Outcome =
  | { state: 'delivered' | 'failed' | 'gone' | 'cancelled' }
  /** The delivery is tried again after this time. */
  | { state: 'waiting'; afterMs: number }

type Ended = { delivery: ClaimedDelivery; attempt: Attempt; outcome: Outcome }
type Row = { id: string; isOurs: boolean; isOver: boolean }

// An attempt's result is stored even if its delivery was claimed by another worker, cancelled or replayed by now.
// Endpoints that change are locked before deliveries, and both in the order of their ids: see `lockWaiting`.
const statement = `
  with said as (
    select *, exists (
      select from webhook_deliveries d join receipts r on r.id = d.receipt_id where d.id = said.id and r.erased_at is not null
    ) as is_erased
    from json_to_recordset($1::json) as said(id bigint, number int, lease uuid, endpoint uuid, state text, after_ms float8,
      duration int, status int, error text, answer text)
  ), noted as (
    update webhook_attempts a set duration_ms = said.duration, status_code = said.status,
      error = case when not said.is_erased then said.error end, answer_start = case when not said.is_erased then said.answer end
    from said where a.delivery_id = said.id and a.number = said.number
  ), endpoints as materialized (
    select id from webhook_endpoints
    where id in (select endpoint from said) and disabled_at is null
      and (failing_since is not null or id in (select endpoint from said where state <> 'delivered'))
    order by id for no key update
  ), ours as materialized (
    select d.id from webhook_deliveries d join said on d.id = said.id and d.lease_id = said.lease
    cross join (select count(*) from endpoints) as locked
    where d.state = 'waiting' order by d.id for no key update of d
  ), moved as (
    update webhook_deliveries d set state = said.state::webhook_delivery_state, lease_id = null,
      next_attempt_at = now() + said.after_ms * interval '1 millisecond',
      lane = case when d.endpoint_id is null and said.state = 'waiting' then callback_lane(d.project_id, d.url, true) else d.lane end,
      finished_at = case when said.state <> 'waiting' then now() end
    from said join ours using (id) where d.id = said.id
    returning d.id, d.endpoint_id, d.state
  ), healed as (
    update webhook_endpoints set failing_since = null
    where failing_since is not null and disabled_at is null
      and id in (select endpoint_id from moved where state = 'delivered')
  ), failing as (
    update webhook_endpoints set failing_since = now()
    where failing_since is null and disabled_at is null
      and id in (select endpoint_id from moved where state in ('waiting', 'failed'))
      and id not in (select endpoint_id from moved where state = 'delivered' and endpoint_id is not null)
  )
  select said.id, moved.id is not null as "isOurs",
    coalesce(moved.state in ('waiting', 'failed') and e.failing_since < now() - interval '${failingDays} days', false) as "isOver"
  from said left join moved using (id) left join webhook_endpoints e on e.id = moved.endpoint_id and e.disabled_at is null`

const write = (sql: Sql, ended: readonly Ended[]) =>
  sql<Row>(statement, [JSON.stringify(ended.map(rowOf))], 'webhook-outcomes')

const writeTogether = perApp(app =>
  batchWhileBusy<Ended, undefined>(async ended => {
    await write(sqlOf(app.pool), ended)
    return ended.map(() => undefined)
  }),
)

const rowOf = ({ delivery, attempt, outcome }: Ended) => ({
  id: delivery.id,
  number: delivery.number,
  lease: delivery.leaseId,
  endpoint: delivery.endpointId,
  state: outcome.state,
  after_ms: outcome.state === 'waiting' ? outcome.afterMs : null,
  duration: attempt.durationMs,
  status: attempt.statusCode,
  error: attempt.error,
  answer: attempt.answerStart,
})

export async function note(app: App, delivery: ClaimedDelivery, attempt: Attempt, outcome: Outcome): Promise<void> {
  const ended = { delivery, attempt, outcome }
  // Nothing else follows from it.
  if (outcome.state === 'delivered' || outcome.state === 'cancelled') return writeTogether(app)(ended)
  const { id, endpointId } = delivery
  const isGone = outcome.state === 'gone'
  await inTransaction(app, async tx => {
    const callbacks = { receiptOf: id }
    if (isGone && endpointId === null) await lockWaiting(tx.sql, callbacks)
    const [row] = await write(tx.sql, [ended])
    if (!row?.isOurs) return
    if (endpointId === null) {
      if (isGone) await cancelWaiting(tx.sql, callbacks)
    } else if (isGone || row.isOver) await disable(tx, endpointId, isGone ? 'gone' : 'failing')
  })
}

/** Releases a delivery that was not sent because the worker stops; it is due again immediately. */
export const releaseLease = ({ pool }: App, { id, number, leaseId }: ClaimedDelivery) =>
  pool.query(
    `with noted as (
       update webhook_attempts set error = 'interrupted', duration_ms = 0 where delivery_id = $1 and number = $2
     )
     update webhook_deliveries set lease_id = null, attempts = attempts - 1, next_attempt_at = now()
     where id = $1 and lease_id = $3 and state = 'waiting'`,
    [id, number, leaseId],
  )

/** Disables an endpoint, cancels its waiting deliveries, and writes an audit row and an event for its project. */
async function disable(tx: Transaction, id: string, reason: 'gone' | 'failing'): Promise<void> {
  const [disabled] = await tx.sql<{ projectId: string }>(
    `update webhook_endpoints set disabled_at = now(), disabled_reason = $2
     where id = $1::uuid and disabled_at is null
       and ($2 <> 'failing' or failing_since < now() - interval '${failingDays} days')
     returning project_id as "projectId"`,
    [id, reason],
  )
  if (disabled === undefined) return
  const { projectId } = disabled
  await cancelWaiting(tx.sql, { endpointId: id })
  const object = { objectType: 'webhook_endpoint', objectId: id, projectId, actor: 'worker' }
  tx.audit({ action: 'webhook_endpoint.disable', ...object, details: { reason } })
  tx.event({ type: 'webhook_endpoint.disabled', projectId, endpointId: id })
}
