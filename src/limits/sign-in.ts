// Requests that make us check a wallet's signature, which is work a stranger can ask for.

const fields = /\b(?:verifyWallet|mintApiKey|registerProject)\b/g

/** At most how many signatures a document has checked: an alias can ask for the same field many times. */
export const signaturesIn = (document: unknown): number =>
  typeof document === 'string' ? (document.match(fields)?.length ?? 0) : 0
