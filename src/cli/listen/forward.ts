// Sends events to a URL as webhooks are sent, and describes the response in words.
import { createPublicPost } from '../../adapters/public-post.ts'
import { envelope } from '../../modules/webhooks/envelope.ts'
import type { PostFailure } from '../../ports/public-post.ts'
import type { Followed } from './events.ts'

// The timeout of webhooks.
const timeoutMs = 15_000
const post = createPublicPost({ allowPrivate: true })

const reasons: Record<PostFailure, string> = {
  no_public_address: 'its host name is unknown',
  timeout: `no response within ${timeoutMs / 1_000} seconds`,
  connection_refused: 'nothing listens there',
  connection_reset: 'it broke the connection off',
  certificate: 'its certificate is not trusted',
  cancelled: 'interrupted',
  no_answer: 'the connection failed',
}

type To = { address: string; secret: string; signal: AbortSignal }

/** Sends the event once. Returns null when `signal` interrupted it. */
export async function forward({ cursor, type, occurredAt, data }: Followed, to: To): Promise<string | null> {
  const body = JSON.stringify({ type, timestamp: occurredAt, data })
  const headers = envelope(cursor, [to.secret], body)
  const began = performance.now()
  const answer = await post(to.address, { headers, body, timeoutMs, maxAnswerBytes: 1_024, signal: to.signal })
  const took = `${Math.round(performance.now() - began)} ms`
  if ('failure' in answer) {
    return answer.failure === 'cancelled' ? null : `no answer in ${took}: ${reasons[answer.failure]}; not sent again`
  }
  const { statusCode } = answer
  if (statusCode >= 200 && statusCode < 300) return `${statusCode} in ${took}`
  const why = statusCode >= 300 && statusCode < 400 ? 'redirects are not followed' : 'not sent again'
  return `${statusCode} in ${took}: ${why}`
}
