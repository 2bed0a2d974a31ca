// The proof of a payment's transaction against the header of its block.

/**
 * RLP of the block's header, and the nodes of its tries of receipts and of transactions from the root down to one
 * transaction, each as 0x and lower-case hex. No node of receipts: the header alone. Null: its receipt alone.
 */
export type PaymentProof = { header: string; receipt: string[]; transaction: string[] | null }

/** The limit for all its RLP together. A transaction that pays to thousands has a receipt of this size. */
export const maxProofBytes = 256 * 1024
