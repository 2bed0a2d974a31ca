// The event of a receipt as read from the database.
import type { ReceiptStatus } from '../../core/states.ts'

export type ReceiptEvent = {
  id: string
  type: string
  receiptId: string
  status: ReceiptStatus
  bundleHash: string | null
  ledgerTxid: string | null
  occurredAt: Date
  anchoredAt: Date | null
  refundOfId: string | null
}

/** Columns of a ReceiptEvent from `events e join receipts r`. */
export const receiptEventColumns = `e.id, e.type, e.receipt_id as "receiptId", e.status, e.bundle_hash as "bundleHash",
  e.ledger_txid as "ledgerTxid", e.created_at as "occurredAt", e.anchored_at as "anchoredAt", r.refund_of_id as "refundOfId"`
