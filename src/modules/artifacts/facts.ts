// What messages and bundles are made of: the values of a receipt as they were accepted, its anchor, the organisation's
// configuration, and the occasion of this one message.
import type { Organisation } from '../settings/organisation.ts'

export type ReceiptFacts = {
  /** Lower-case UUIDv4. */
  id: string
  reference: string
  chain: string
  tipTxHash: string
  /** Plain decimal, at most 20 integer and 18 fraction digits. */
  amount: string
  /** The caller's label of the asset; not an ISO 4217 code. */
  currency: string
  senderWallet: string
  receiverWallet: string
  /** 0x and 64 hex digits. */
  resourceHash: string | null
  createdAt: Date
  /** The receipt this one refunds: same payment transaction and amount, wallets swapped. */
  refundOf: { id: string; reference: string; createdAt: Date } | null
}

export type AnchorFacts = {
  chain: string
  txid: string
  blockNumber: number
  /** The block's own clock. */
  anchoredAt: Date
  /** When the service knew that it was anchored: the booking date of its entries. */
  bookedAt: Date
  bundleHash: string
}

/** Why and when this one message is made. */
export type Occasion = {
  /** The UUID its id is made of: the receipt's for the messages of its life, a new one for each that is asked for. */
  id: string
  at: Date
  /** ISO external code, known to the set of its message. */
  reasonCode: string | null
  resolutionCode: string | null
}

export type Facts = {
  receipt: ReceiptFacts
  anchor: AnchorFacts | null
  organisation: Organisation
  occasion: Occasion
}

/** A message of the receipt's own life, of which there is one. */
export const inLife = (receipt: ReceiptFacts, at: Date, reasonCode: string | null = null): Occasion => ({
  id: receipt.id,
  at,
  reasonCode,
  resolutionCode: null,
})
