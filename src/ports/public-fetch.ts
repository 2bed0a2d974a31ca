// Fetches URLs that untrusted clients name. Refuses private addresses, follows no redirect, and stops at a size limit,
// at a timeout, and when the body arrives too slowly.

/** POSTs `json` if given, else sends a GET. */
export type FetchOptions<Absent> = {
  maxBytes: number
  timeoutMs: number
  json?: unknown
  accept?: string
  /** Sent as `Authorization`. Only for a host from the service's own configuration. */
  authorization?: string | null
  /** Gives up when it is aborted. */
  signal?: AbortSignal | null
  /** Result for 404 and 410. Only for a host from the service's own configuration: it shows that a host answered. */
  absent?: Absent
}

/** Resolves to the bytes, or null for every refusal and failure alike, so that a private network stays invisible. */
export type PublicFetch = <Absent extends string = never>(
  url: string,
  options: FetchOptions<Absent>,
) => Promise<Buffer | Absent | null>

/** Fetches what the operator configured, at any address. Rejects with the reason, which does not contain the URL. */
export type OwnFetch = <Absent extends string = never>(
  url: string,
  options: FetchOptions<Absent>,
) => Promise<Buffer | Absent>
