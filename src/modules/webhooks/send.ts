// Makes one attempt of a delivery: signs and sends the request, and interprets the response.
import type { App } from '../../kit/context.ts'
import type { PostAnswer } from '../../ports/public-post.ts'
import { webhookBody } from '../events/data.ts'
import type { LoggedEvent } from '../events/log.ts'
import { envelope } from './envelope.ts'
import { waitAfter } from './plan.ts'
import type { ClaimedDelivery } from './queue.ts'
import { note, type Outcome, releaseLease } from './record-outcome.ts'
import { type SecretRow, secretOf } from './secrets.ts'

const timeoutMs = 15_000
const shownBytes = 1_024
const nothing = { durationMs: null, statusCode: null, error: null, answerStart: null }

type Content = { event: LoggedEvent | undefined; secrets: readonly SecretRow[] }

/** Sends a delivery once and stores the outcome. If `signal` aborts, the delivery is due again immediately. */
export async function attempt(app: App, delivery: ClaimedDelivery, { event, secrets }: Content, signal: AbortSignal) {
  const body = event && webhookBody(event, app.publicBaseUrl)
  if (!body || delivery.isOff) return note(app, delivery, nothing, { state: 'cancelled' })
  const text = JSON.stringify(body)
  const headers = signed(app, delivery, secrets, text)
  if (headers === null) return note(app, delivery, { ...nothing, error: 'no_secret' }, failure(delivery, null))
  const began = performance.now()
  const answer = await app.postPublic(delivery.url, {
    headers,
    body: text,
    timeoutMs,
    maxAnswerBytes: shownBytes,
    signal,
  })
  const durationMs = Math.round(performance.now() - began)
  if ('failure' in answer) {
    if (answer.failure === 'cancelled') return void (await releaseLease(app, delivery))
    return note(app, delivery, { ...nothing, durationMs, error: answer.failure }, failure(delivery, null))
  }
  const said = { durationMs, statusCode: answer.statusCode, error: null, answerStart: shown(answer) }
  return note(app, delivery, said, outcomeOf(delivery, answer))
}

function outcomeOf(delivery: ClaimedDelivery, { statusCode, retryAfter }: PostAnswer): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { state: 'delivered' }
  return statusCode === 410 ? { state: 'gone' } : failure(delivery, retryAfter)
}

function failure({ attempts }: ClaimedDelivery, retryAfter: string | null): Outcome {
  const afterMs = waitAfter(attempts, retryAfter)
  return afterMs === null ? { state: 'failed' } : { state: 'waiting', afterMs }
}

// Replaced in stored responses: PostgreSQL text cannot contain NUL, and the other characters are invisible.
const unseen = /[[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]--[\t\n\r]]/gv
const shown = ({ answerStart }: PostAnswer) => answerStart.replaceAll(unseen, '\ufffd')

function signed(app: App, { eventId }: ClaimedDelivery, rows: readonly SecretRow[], body: string) {
  const secrets = rows.flatMap(row => secretOf(app, row) ?? [])
  // An alarm even if another secret signs: receivers trust only the present secret once an earlier one has expired.
  if (secrets.length < rows.length)
    app.log.error({ madeBy: rows.map(row => row.madeBy) }, 'ALARM: a key of WEBHOOK_SECRET is missing')
  return secrets.length === 0 ? null : envelope(eventId, secrets, body)
}
