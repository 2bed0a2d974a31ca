// What messages and bundles are made of: the values of a receipt as they were accepted, its anchor, the organisation's
// configuration, and the occasion of this one message.
import type { Organisation } from '../settings/organisation.ts'

export type FiatEquivalent = {
  /** The receipt's amount times the rate, rounded half to even to 18 fraction digits: a plain decimal. */
  amount: string
  /** ISO 4217. */
  currency: string
  /** Units of `currency` for one of `rateOf`: a plain decimal above zero. */
  rate: string
  /** The asset label, or the ISO 4217 code that it is configured to mean. */
  rateOf: string
  /** Who gave the rate, for people. */
  source: string
  asOf: Date
}

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
  /** What it was worth in the currency of its configuration, computed once; null where nothing is known of that. */
  fiatEquivalent: FiatEquivalent | null
  /** The project that recorded it, and so stated all of this. */
  project: {
    id: string
    /** Lower-case; null when a service administrator created the project. */
    ownerWallet: string | null
  }
  /** The receipt this one refunds: same amount, wallets swapped. */
  refundOf: { id: string; reference: string; tipTxHash: string; createdAt: Date } | null
  /** Of a refund: the transaction that gave the money back; null while it is only announced. */
  refundTxHash: string | null
}

/** Whether money has moved: a refund without a return transaction is only announced. */
export const isSettled = ({ refundOf, refundTxHash }: Pick<ReceiptFacts, 'refundOf' | 'refundTxHash'>): boolean =>
  refundOf === null || refundTxHash !== null

/** As it was recorded, whatever was told of it since: what is sealed must come out the same whenever it is made. */
export const asRecorded = (receipt: ReceiptFacts): ReceiptFacts => {
  const { refundOf, tipTxHash } = receipt
  return { ...receipt, refundTxHash: refundOf === null || tipTxHash === refundOf.tipTxHash ? null : tipTxHash }
}

/** A refund that was announced, and whose transaction was stated only then. */
export const isSettledLater = (receipt: ReceiptFacts): boolean =>
  receipt.refundTxHash !== asRecorded(receipt).refundTxHash

/** The transaction that moved the money; null when none has. */
export const settlementOf = ({ refundOf, refundTxHash, tipTxHash }: ReceiptFacts): string | null =>
  refundOf === null ? tipTxHash : refundTxHash

export type AnchorFacts = {
  chain: string
  txid: string
  blockNumber: number
  /** The block's own clock. */
  anchoredAt: Date
  /** When the service knew that it was anchored and settled, which books its entries; null while it is only announced. */
  bookedAt: Date | null
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
