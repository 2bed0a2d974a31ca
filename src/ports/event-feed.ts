// Wakes those who wait for the changes of a receipt, whichever process made them.

export type EventFeed = {
  /** `wake` is called after each committed change of the receipt, and whenever one may have been missed. */
  watch(receiptId: string, wake: () => void): { stop(): void }
}
