// Books each movement once. A return can be recorded as a payment and as refunds, which are parts of it. Then either
// the payment is an entry of its accounts, or the refunds are; what is no entry names the receipt that is.
import { remainder } from '../../core/decimal.ts'
import { contradicting } from '../../core/settlement.ts'
import type { Sql } from '../../kit/transaction.ts'
import { otherKeysOf, sameMovement } from './same-movement.ts'

/** SQL: a numbered statement states the receipt, or the opening balance of the first one does. */
export const isStated = (receipt: string) => `(
  exists (select from statement_entries e where e.receipt_id = ${receipt}.id)
  or ${receipt}.booked_at < (select series_from from projects p where p.id = ${receipt}.project_id))`

/** SQL: no check of the payment on its own chain says that it did not take place. */
export const isUncontradicted = (receipt: string) =>
  `(${receipt}.settlement_status is null or ${receipt}.settlement_status not in ('${contradicting.join("', '")}'))`

// Announced refunds have moved nothing.
const paymentAndRefund = (one: string, other: string) => `
  (${other}.refund_of_id is null) <> (${one}.refund_of_id is null)
  and (${one}.refund_of_id is null or ${one}.refund_tx_hash is not null)
  and (${other}.refund_of_id is null or ${other}.refund_tx_hash is not null)`

/** A receipt that is booked now, and one of the other kind that is booked for the same movement. */
type Pair = {
  id: string
  isPayment: boolean
  amount: string
  other: string
  otherAmount: string
  /**
   * Both are of the same transaction or leg; else the one is the whole transaction, and the other a leg of the same
   * amount.
   */
  isExact: boolean
  /** Booked in this transaction too. */
  isNew: boolean
  isStated: boolean
  /** A third receipt is counted as the other one. */
  isTaken: boolean
}

/**
 * Called in the transaction that has booked these receipts, and so holds their locks. Returns the refunds that were
 * booked before, and are no entries any more, because a payment is.
 */
export async function bookOnce(sql: Sql, receiptIds: readonly string[]): Promise<string[]> {
  const found = await sql<{ id: string; other: string }>(
    `select one.id, other.id as other from unnest($1::uuid[]) as requested(id)
     cross join lateral (
       select *, ${otherKeysOf('tx_key')} from receipts where receipts.id = requested.id offset 0
     ) as one
     cross join lateral (
       select id from receipts where ${sameMovement('one', 'receipts')} and ${paymentAndRefund('one', 'receipts')} offset 0
     ) as other`,
    [receiptIds],
  )
  if (found.length === 0) return []
  const [ids, others] = [found.map(({ id }) => id), found.map(({ other }) => other)]
  // Another transaction may be booking them: what it writes is seen after it. If it waits for these receipts, one of
  // the two is aborted and tried again. No day is closed meanwhile, so that what is not stated now stays so.
  await sql('select id from receipts where id = any($1::uuid[]) order by id for no key update', [others])
  await sql(
    `select id from projects where id in (select project_id from receipts where id = any($1::uuid[]))
     order by id for no key update`,
    [ids],
  )
  // Only what this transaction booked: a receipt that is anchored again may be in a statement.
  const pairs = await sql<Pair>(
    `select one.id, one.refund_of_id is null as "isPayment", one.amount::text, other.id as other,
       other.amount::text as "otherAmount", other.tx_key = one.tx_key as "isExact",
       other.booked_at = moment.at and other.id = any($3::uuid[]) as "isNew", ${isStated('other')} as "isStated",
       exists (
         select from (select other.*, ${otherKeysOf('other.tx_key')}) as entry
         join receipts as third on ${sameMovement('entry', 'third')} where third.counted_as_id = entry.id and third.id <> one.id
       ) as "isTaken"
     from (select now()::timestamptz(3) as at) as moment, unnest($1::uuid[], $2::uuid[]) as pair(id, other)
     join receipts as one on one.id = pair.id join receipts as other on other.id = pair.other
     where one.booked_at = moment.at and other.booked_at is not null
     order by one.created_at, one.id, "isExact" desc, other.booked_at, other.id`,
    [ids, others, receiptIds],
  )
  const counted = countedAs(pairs)
  await sql(
    `update receipts set booked_at = case when counted.as_id is null then booked_at end, counted_as_id = counted.as_id
     from unnest($1::uuid[]) as requested(id)
     left join unnest($2::uuid[], $3::uuid[]) as counted(id, as_id) using (id)
     where receipts.id = requested.id and receipts.counted_as_id is distinct from counted.as_id`,
    [[...new Set([...ids, ...counted.keys()])], [...counted.keys()], [...counted.values()]],
  )
  return [...counted.keys()].filter(id => !ids.includes(id))
}

/**
 * Returns the receipts that are no entries, with those that are. A payment is an entry unless refunds were booked that
 * make up its amount, or that a statement states already.
 */
function countedAs(pairs: readonly Pair[]): Map<string, string> {
  const counted = new Map<string, string>()
  const taken = new Set(pairs.filter(({ isTaken }) => isTaken).map(({ other }) => other))
  const of = (isPayment: boolean) =>
    Map.groupBy(
      pairs.filter(pair => pair.isPayment === isPayment),
      ({ id }) => id,
    )
  for (const [id, booked] of of(true)) {
    const refunds = booked.filter(({ other, isNew }) => !(isNew || taken.has(other) || counted.has(other)))
    const parts = refunds.filter(({ isExact }) => isExact)
    const isWhole = parts.reduce((rest, part) => remainder(rest, part.otherAmount), parts[0]?.amount ?? '') === '0'
    const entry =
      refunds.find(({ amount, otherAmount }) => amount === otherAmount) ??
      (isWhole || parts.some(({ isStated }) => isStated) ? parts[0] : undefined)
    if (entry === undefined) for (const { other } of parts) counted.set(other, id)
    else {
      counted.set(id, entry.other)
      taken.add(entry.other)
    }
  }
  for (const [id, booked] of of(false)) {
    const payments = booked.filter(({ other }) => !counted.has(other))
    // All that its transaction is known to have moved; of a leg, only one refund of the whole transaction.
    const entry = payments.find(({ isExact }) => isExact) ?? payments.find(({ other }) => !taken.has(other))
    if (entry === undefined) continue
    counted.set(id, entry.other)
    taken.add(entry.other)
  }
  return counted
}
