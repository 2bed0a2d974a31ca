// What messages and bundles are made of: the values of a receipt as they were accepted, and of its anchor.

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
}

export type AnchorFacts = {
  chain: string
  txid: string
  blockNumber: number
  /** The block's own clock. */
  anchoredAt: Date
  bundleHash: string
}

export type Facts = { receipt: ReceiptFacts; anchor: AnchorFacts | null }
