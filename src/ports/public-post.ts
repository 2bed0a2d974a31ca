// Posts to a URL that an untrusted client names: public addresses only, checked when connecting; follows no redirect.

/** `answerStart` is the part of the body that arrived within the limits, however the response ended. */
export type PostAnswer = { statusCode: number; retryAfter: string | null; answerStart: string }

/**
 * Why there was no response. `no_public_address`: the host name is unknown, or resolves to an address that is not
 * public; the failure does not say which.
 */
export type PostFailure =
  | 'no_public_address'
  | 'timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'certificate'
  | 'cancelled'
  | 'no_answer'

export type PublicPost = (
  url: string,
  request: {
    headers: Record<string, string>
    body: string
    /** Time limit until the response headers arrive. */
    timeoutMs: number
    /** The rest of the response body is not read. */
    maxAnswerBytes: number
    signal: AbortSignal
  },
) => Promise<PostAnswer | { failure: PostFailure }>
