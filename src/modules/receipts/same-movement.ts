// When two statements are of the same movement of money, in SQL and in TypeScript. What is told of one transaction is
// one movement, also if one amount is a part of the other. The whole transaction and one transfer in it, its leg, are
// the same movement if their amounts are equal; two transfers never are.
import { settlementOf, transactionKey } from '../../core/identity.ts'
import type { Receipt } from '../../generated/prisma/client.ts'

const wholeOf = (key: string) => settlementOf(key)?.transaction ?? key

/**
 * Returns the first and the last key of what can be told of a transaction more or less exactly: the key of the whole
 * transaction, of a leg, or the keys of the legs, of a whole transaction.
 */
export function otherKeys(key: string): [first: string, last: string] {
  const whole = wholeOf(key)
  return key === whole ? [`${whole}#0`, `${whole}#:`] : [whole, whole]
}

/** SQL: the same, of a column. */
export const otherKeysOf = (key: string) => `
  case strpos(${key}, '#') when 0 then ${key} || '#0' else split_part(${key}, '#', 1) end as first_key,
  case strpos(${key}, '#') when 0 then ${key} || '#:' else split_part(${key}, '#', 1) end as last_key`

// No index serves `is not distinct from`: while a table has no statistics, the planner would take an index of a wallet
// or an amount, which most receipts can have, for that of the transaction.
const equal = (requested: string, r: string, column: string) =>
  `${r}.${column} is not distinct from ${requested}.${column}`

/** SQL: whether both are of one project, chain and currency, from one wallet to another. */
export const sameSides = (requested: string, r: string) =>
  [
    `${r}.project_id = ${requested}.project_id`,
    ...['chain_key', 'currency', 'sender_key', 'receiver_key'].map(column => equal(requested, r, column)),
  ].join(' and ')

// The function part_or_whole of the database has the same rule for payments that are being recorded.
const partOrWhole = (requested: string, r: string) =>
  `${equal(requested, r, 'amount')} and ${r}.tx_key ~>=~ ${requested}.first_key and ${r}.tx_key ~<=~ ${requested}.last_key`

/** SQL: whether both are of the same movement. `requested` has the keys of `otherKeys`. */
export const sameMovement = (requested: string, r: string) =>
  `${sameSides(requested, r)} and (${r}.tx_key = ${requested}.tx_key or ${partOrWhole(requested, r)})`

/** Returns whether two transactions of a chain are equal. */
export const isSame = (one: string, other: string): boolean => transactionKey(one) === transactionKey(other)

/** Returns whether two transactions of a chain are equal, or one is a transfer in the other. */
export function overlap(one: string, other: string): boolean {
  const [key, otherKey] = [transactionKey(one), transactionKey(other)]
  const whole = wholeOf(key)
  return key === otherKey || (whole === wholeOf(otherKey) && [key, otherKey].includes(whole))
}

/** Returns whether this amount by this transaction is the movement of a settled refund of the same payment. */
export const isMovedBy = (
  { refundTxHash, amount }: Pick<Receipt, 'refundTxHash' | 'amount'>,
  txHash: string,
  requested: string | Receipt['amount'],
): boolean =>
  refundTxHash !== null && (isSame(refundTxHash, txHash) || (overlap(refundTxHash, txHash) && amount.equals(requested)))
