// Draws the consequences of results: seals a receipt, fails it, or lets it wait; books a payment that is confirmed
// later.
import { isContradicting, type SettlementStatus } from '../../core/settlement.ts'
import { jobs } from '../../kit/jobs.ts'
import type { Transaction } from '../../kit/transaction.ts'
import { eraseBlobs } from '../artifacts/store.ts'
import { storeChecks } from '../compliance/store.ts'
import { isOfLife } from '../iso20022/messages/message.ts'
import { bookOnce, isStated } from '../receipts/book-once.ts'
import { pauseAfter, type Stored } from './store.ts'

type Outcome = 'seal' | 'fail' | 'wait'

const minuteMs = 60_000

/** Decides about a receipt that is not sealed yet. */
function outcomeOf(one: Stored): Outcome {
  const { receipt, finding } = one
  const { policy, graceMinutes } = receipt.rules
  if (policy !== 'require' || finding.status === 'confirmed') return 'seal'
  const isLate = Date.now() - receipt.createdAt.getTime() > graceMinutes * minuteMs
  if (finding.status === 'not_found') return isLate ? 'fail' : 'wait'
  return pauseAfter(one) === null ? 'fail' : 'wait'
}

/** The reason of a failure: the result, and what differs. It names nobody. */
function reasonOf({ finding: { status, differences } }: Stored): string {
  const fields = differences.map(({ field, stated, found }) => `${field} ${stated}, on chain ${found ?? 'none'}`)
  return [`settlement_${status}`, ...fields].join(': ').slice(0, 500)
}

export async function decide(tx: Transaction, stored: readonly Stored[]): Promise<void> {
  const pending = stored.filter(({ isSealed }) => !isSealed)
  const by = Object.groupBy(pending, outcomeOf)
  const ids = (some: readonly Stored[] = []) => some.map(({ receipt }) => receipt.id)
  if (by.seal !== undefined) tx.job(jobs.seal({ receipts: ids(by.seal) }))
  if (by.fail !== undefined) await fail(tx, by.fail)
  const changed = stored.filter(({ isChanged }) => isChanged)
  await storeChecks(tx.sql, 'receipt_id', changed.map(checkOf))
  tx.event(
    ...changed.map(({ receipt: { id }, finding: { status } }) => ({
      type: 'receipt.settlement_checked' as const,
      receiptId: id,
      settlement: status,
    })),
  )
  await book(
    tx,
    changed.filter(({ isSealed }) => isSealed),
  )
}

async function fail(tx: Transaction, failed: readonly Stored[]): Promise<void> {
  await tx.sql(
    `update receipts set status = 'failed', failure_reason = failed.reason
     from unnest($1::uuid[], $2::text[]) as failed(id, reason) where receipts.id = failed.id and status = 'pending'`,
    [failed.map(({ receipt }) => receipt.id), failed.map(reasonOf)],
  )
  // A retry checks again.
  await tx.sql('update settlements set retry_at = null where receipt_id = any($1::uuid[])', [
    failed.map(({ receipt }) => receipt.id),
  ])
  tx.changed(...failed.map(({ receipt }) => receipt.id))
  tx.audit(
    ...failed.map(({ receipt: { id, projectId }, finding: { status } }) => ({
      action: 'receipt.contradict',
      objectType: 'receipt',
      objectId: id,
      projectId,
      actor: 'worker',
      details: { settlement: status },
    })),
  )
}

/**
 * Books receipts whose payment is confirmed after it was contradicted, and takes back the booking of those that are
 * contradicted now, unless a numbered statement states them.
 */
async function book(tx: Transaction, changed: readonly Stored[]): Promise<void> {
  if (changed.length === 0) return
  const ids = changed.map(({ receipt }) => receipt.id)
  await tx.sql(
    `update receipts set settlement_status = changed.status::settlement_status
     from unnest($1::uuid[], $2::text[]) as changed(id, status) where receipts.id = changed.id`,
    [ids, changed.map(({ finding }) => finding.status)],
  )
  const moved = changed.filter(
    ({ receipt: { before }, finding }) =>
      before === null || isContradicting(before.status) !== isContradicting(finding.status),
  )
  if (moved.length === 0) return
  const anchored = await tx.sql<Booking>(
    `with before as (
       select id, booked_at from receipts where id = any($1::uuid[]) and status = 'anchored'
     )
     update receipts set booked_at = case when moved.counts then coalesce(receipts.booked_at, now())
       when ${isStated('receipts')} then receipts.booked_at end
     from unnest($1::uuid[], $2::boolean[]) as moved(id, counts) join before using (id)
     where receipts.id = before.id
     returning receipts.id, before.booked_at is not null as "wasBooked", receipts.booked_at is not null as "isBooked"`,
    [moved.map(({ receipt }) => receipt.id), moved.map(counts)],
  )
  const of = (was: boolean, is: boolean) =>
    anchored.filter(({ wasBooked, isBooked }) => wasBooked === was && isBooked === is).map(({ id }) => id)
  const [booked, unbooked] = [of(false, true), of(true, false)]
  await bookOnce(tx.sql, booked)
  await takeNotifications(tx, unbooked)
  // A second notification of what stays booked would be imported as a second entry.
  const rebooked = [...booked, ...unbooked]
  if (rebooked.length === 0) return
  await tx.sql('update settlements set rebookings = rebookings + 1 where receipt_id = any($1::uuid[])', [rebooked])
  tx.job(jobs.report({ receipts: rebooked }))
}

type Booking = { id: string; wasBooked: boolean; isBooked: boolean }

/** Takes back the notifications of entries that are none any more. */
async function takeNotifications(tx: Transaction, receiptIds: readonly string[]): Promise<void> {
  if (receiptIds.length === 0) return
  const taken = await tx.sql<{ sha256: string }>(
    `delete from artifacts where receipt_id = any($1::uuid[]) and type = 'camt.054' and ${isOfLife('name')}
     returning sha256`,
    [receiptIds],
  )
  await eraseBlobs(
    tx,
    taken.map(({ sha256 }) => sha256),
  )
}

/** Whether the payment may be booked. */
const counts = ({ receipt: { rules }, finding: { status } }: Stored): boolean =>
  rules.policy === 'require' ? status === 'confirmed' : !isContradicting(status)

const decisions: Record<SettlementStatus, 'allow' | 'flag' | 'deny' | 'unavailable'> = {
  confirmed: 'allow',
  mismatch: 'deny',
  reverted: 'deny',
  not_found: 'deny',
  ambiguous: 'flag',
  unknown_asset: 'flag',
  not_final: 'unavailable',
  unsupported_chain: 'unavailable',
  unavailable: 'unavailable',
}

const checkOf = ({ receipt, finding, document }: Stored) => ({
  of: receipt.id,
  type: 'settlement' as const,
  decision: decisions[finding.status],
  reason: finding.status,
  provider: document.chain,
  isEnforced: false,
  isAwaited: false,
})
