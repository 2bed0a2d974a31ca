// Fetching what a stranger named. Refuses private addresses, follows no redirect, and stops at a size and a time.

/** Resolves to the bytes, or null for every refusal and failure alike, so that nothing about a private network shows. */
export type PublicFetch = (
  url: string,
  /** With `json` it is POSTed, else it is a GET. */
  options: { maxBytes: number; timeoutMs: number; json?: unknown },
) => Promise<Buffer | null>
