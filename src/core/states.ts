// The states of a receipt and the moves between them. Every move in SQL names the old state in its `where`.

export const receiptStatuses = ['pending', 'awaiting_anchor', 'anchored', 'failed'] as const
export type ReceiptStatus = (typeof receiptStatuses)[number]

/** The states from which each state may be entered. `anchored` goes back only when its anchor's block was orphaned. */
export const mayBecome = {
  pending: ['failed'],
  awaiting_anchor: ['pending', 'anchored'],
  anchored: ['awaiting_anchor'],
  failed: ['pending', 'awaiting_anchor'],
} as const satisfies Record<ReceiptStatus, readonly ReceiptStatus[]>
