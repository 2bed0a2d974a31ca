// Fetching what a stranger named. Refuses private addresses, follows no redirect, and stops at a size, at a time, and when
// the body comes too slowly.

/** Resolves to the bytes, or null for every refusal and failure alike, so that nothing about a private network shows. */
export type PublicFetch = <Absent extends string = never>(
  url: string,
  /** With `json` it is POSTed, else it is a GET. */
  options: {
    maxBytes: number
    timeoutMs: number
    json?: unknown
    accept?: string
    /** Sent as `Authorization`. Only to a host that we named ourselves. */
    authorization?: string | null
    /** Gives up when it is aborted. */
    signal?: AbortSignal | null
    /** What to give for 404 and 410. Only for a host that we named ourselves: it tells that something answered there. */
    absent?: Absent
  },
) => Promise<Buffer | Absent | null>
