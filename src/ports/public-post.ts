// Posting to an address that a stranger named: public addresses only, checked when connecting; redirects are not followed.

/** `answerStart` is what came of the body within the limits, however it ended. */
export type PostAnswer = { statusCode: number; retryAfter: string | null; answerStart: string }

/**
 * Why there was no answer. `no_public_address`: the name is unknown, or leads to an address that is not public; which of the two
 * is not told.
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
    /** Until the head of the answer is there. */
    timeoutMs: number
    /** The rest of the answer is not read. */
    maxAnswerBytes: number
    signal: AbortSignal
  },
) => Promise<PostAnswer | { failure: PostFailure }>
