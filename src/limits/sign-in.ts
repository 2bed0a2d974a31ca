// Counts the wallet signatures that a request makes the service check, which any caller can request.

const fields = /\b(?:verifyWallet|mintApiKey|registerProject)\b/g

/** Returns how many signatures a document has checked at most: with aliases it can select the same field many times. */
export const signaturesIn = (document: unknown): number =>
  typeof document === 'string' ? (document.match(fields)?.length ?? 0) : 0
