// The states of a receipt. ARCHITECTURE.md shows the moves between them; every move in SQL names the old state in its
// `where`.

export const receiptStatuses = ['pending', 'awaiting_anchor', 'anchored', 'failed'] as const
export type ReceiptStatus = (typeof receiptStatuses)[number]
