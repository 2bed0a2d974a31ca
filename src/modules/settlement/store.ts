// Stores the results of checks, and when the next check of each is due.
import type { SettlementStatus } from '../../core/settlement.ts'
import type { Transaction } from '../../kit/transaction.ts'
import type { Checked } from './open.ts'

const firstPauseMs = 2_000
const longestPauseMs = 12 * 3_600_000
// A transaction that no node has seen for a week will not come.
const mostAttempts = 32
const awaited: readonly SettlementStatus[] = ['not_found', 'not_final', 'unavailable']

/** Returns when the check is due again, in milliseconds; null where the result is definitive. */
export function pauseAfter({ finding: { status, transaction }, receipt: { attempts } }: Checked): number | null {
  const mayChange = awaited.includes(status) || (transaction !== null && !transaction.isFinal)
  if (!mayChange || attempts >= mostAttempts) return null
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts, 20))
}

/** `isSealed`: the receipt has its bundle already. */
export type Stored = Checked & { isSealed: boolean; isChanged: boolean }

/** A result from before is not replaced by one that only says that no node answered. */
const isSilent = ({ receipt: { before }, finding: { status } }: Checked) =>
  before !== null && before.status !== 'unavailable' && status === 'unavailable'

/**
 * Writes the results of receipts that are still open, and returns those that were written. The document of a receipt
 * that is sealed stays as its bundle has it. A result is dropped if another check of the receipt was written since this
 * one began: a bundle may be in the making from that.
 */
export async function store(tx: Transaction, all: readonly Checked[]): Promise<Stored[]> {
  const checked = all.filter(one => !isSilent(one))
  const silent = all.filter(isSilent)
  if (silent.length > 0) await askAgain(tx, silent)
  const locked = await tx.sql<{ id: string; isSealed: boolean }>(
    `select id, status <> 'pending' as "isSealed" from receipts
     where id = any($1::uuid[]) and status <> 'failed' and erased_at is null order by id for no key update`,
    [checked.map(({ receipt }) => receipt.id)],
  )
  const states = new Map(locked.map(({ id, isSealed }) => [id, isSealed]))
  const open = checked.flatMap((one): Stored[] => {
    const isSealed = states.get(one.receipt.id)
    if (isSealed === undefined) return []
    const { before } = one.receipt
    const isChanged = before === null || before.status !== one.finding.status || before.grade !== one.finding.grade
    return [{ ...one, isSealed, isChanged }]
  })
  const written = await tx.sql<{ id: string }>(
    `insert into settlements as known (receipt_id, status, grade, checked_at, asset_id, block_number, block_hash, block_time,
       sent_by, fee, leg_index, leg_from, leg_to, leg_amount, legs, differences, reason, document, attempts, retry_at)
     select receipt_id, status, grade, checked_at, asset_id, block_number, block_hash, block_time, sent_by, fee, leg_index,
       leg_from, leg_to, leg_amount, array(select jsonb_array_elements_text(legs)::int), differences, reason, document,
       attempts, now() + pause_ms * interval '1 millisecond'
     from jsonb_to_recordset($1::jsonb) as result(receipt_id uuid, status settlement_status, grade payment_grade,
       checked_at timestamptz, asset_id text, block_number bigint, block_hash text, block_time timestamptz, sent_by text,
       fee text, leg_index int, leg_from text, leg_to text, leg_amount text, legs jsonb, differences jsonb, reason text,
       document jsonb, attempts int, pause_ms float8)
     order by receipt_id
     on conflict (receipt_id) do update set
       (status, grade, checked_at, asset_id, block_number, block_hash, block_time, sent_by, fee, leg_index, leg_from,
        leg_to, leg_amount, legs, differences, reason) =
       (excluded.status, excluded.grade, excluded.checked_at, excluded.asset_id, excluded.block_number,
        excluded.block_hash, excluded.block_time, excluded.sent_by, excluded.fee, excluded.leg_index, excluded.leg_from,
        excluded.leg_to, excluded.leg_amount, excluded.legs, excluded.differences, excluded.reason),
       document = case when known.receipt_id = any($2::uuid[]) then known.document else excluded.document end,
       attempts = excluded.attempts, retry_at = excluded.retry_at
     where known.attempts + 1 = excluded.attempts returning receipt_id as id`,
    [JSON.stringify(open.map(rowOf)), open.filter(({ isSealed }) => isSealed).map(({ receipt }) => receipt.id)],
  )
  const ids = new Set(written.map(({ id }) => id))
  return open.filter(({ receipt }) => ids.has(receipt.id))
}

/** However often no node answers, the result from before is not definitive. */
const askAgain = (tx: Transaction, silent: readonly Checked[]) =>
  tx.sql(
    `update settlements set attempts = settlements.attempts + 1,
       retry_at = now() + silent.pause_ms * interval '1 millisecond'
     from unnest($1::uuid[], $2::float8[], $3::int[]) as silent(id, pause_ms, attempts)
     where receipt_id = silent.id and settlements.attempts = silent.attempts`,
    [
      silent.map(({ receipt }) => receipt.id),
      silent.map(one => pauseAfter(one) ?? longestPauseMs),
      silent.map(({ receipt }) => receipt.attempts),
    ],
  )

const rowOf = (one: Stored) => {
  const { receipt, finding, document } = one
  const { transaction, leg } = document
  return {
    receipt_id: receipt.id,
    status: document.status,
    grade: document.grade,
    checked_at: document.checked_at,
    asset_id: document.asset?.id ?? null,
    block_number: transaction?.block_number ?? null,
    block_hash: transaction?.block_hash ?? null,
    block_time: transaction?.block_time ?? null,
    sent_by: transaction?.from ?? null,
    fee: transaction?.fee ?? null,
    leg_index: finding.leg?.index ?? null,
    leg_from: leg?.from ?? null,
    leg_to: leg?.to ?? null,
    leg_amount: leg?.amount ?? null,
    legs: document.legs,
    differences: document.differences,
    reason: document.reason,
    document,
    attempts: receipt.attempts + 1,
    pause_ms: pauseAfter(one),
  }
}
