// Converts a receipt that the `pg` pool reads to Prisma's shape, so that both can resolve the same GraphQL type.
import { Prisma, type Receipt } from '../../generated/prisma/client.ts'

export const receiptColumns = `
  id, project_id as "projectId", tip_tx_hash as "tipTxHash", chain, chain_key as "chainKey", amount, currency,
  sender_wallet as "senderWallet", receiver_wallet as "receiverWallet", reference, resource_hash as "resourceHash",
  callback_url as "callbackUrl", settled_at as "settledAt", refund_of_id as "refundOfId", refund_tx_hash as "refundTxHash",
  refunded_amount as "refundedAmount", refund_claimed as "refundClaimed", status, failure_reason as "failureReason",
  bundle_hash as "bundleHash", bundle_cid as "bundleCid", ledger_txid as "ledgerTxid", created_at as "createdAt",
  anchored_at as "anchoredAt", booked_at as "bookedAt"`

/** The row that pg returns for `receiptColumns`: numeric as text. */
export type RawReceipt = Omit<Receipt, 'amount' | 'refundedAmount'> & { amount: string; refundedAmount: string }

export const receiptOf = (raw: RawReceipt): Receipt => ({
  ...raw,
  amount: new Prisma.Decimal(raw.amount),
  refundedAmount: new Prisma.Decimal(raw.refundedAmount),
})
