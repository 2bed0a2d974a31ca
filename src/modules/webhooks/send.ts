// Makes one attempt of a delivery: signs and sends the request, and interprets the response.
import { Counter, Histogram } from 'prom-client'
import { longTimes, processMetrics } from '../../core/process-metrics.ts'
import type { App } from '../../kit/context.ts'
import { tell } from '../../kit/origins.ts'
import type { PostAnswer } from '../../ports/public-post.ts'
import { webhookBody } from '../events/data.ts'
import type { LoggedEvent } from '../events/log.ts'
import { envelope } from './envelope.ts'
import { waitAfter } from './plan.ts'
import type { ClaimedDelivery } from './queue.ts'
import { type Attempt, note, type Outcome, releaseLease } from './record-outcome.ts'
import { type SecretRow, secretOf } from './secrets.ts'

const timeoutMs = 15_000
const shownBytes = 1_024
const nothing = { durationMs: null, statusCode: null, error: null, answerStart: null }

const attempts = new Counter({
  name: 'quittance_webhook_attempts_total',
  help: 'Attempts of deliveries by what became of the delivery: delivered, waiting (it is tried again), failed (no more), gone (410), cancelled.',
  labelNames: ['state'],
  registers: [processMetrics],
})
for (const state of ['delivered', 'waiting', 'failed', 'gone', 'cancelled']) attempts.inc({ state }, 0)
const durations = new Histogram({
  name: 'quittance_webhook_attempt_duration_seconds',
  help: 'Time until a receiver of webhooks has answered, or is known not to.',
  buckets: longTimes,
  registers: [processMetrics],
})

type Content = { event: LoggedEvent | undefined; secrets: readonly SecretRow[] }

/** Sends a delivery once and stores the outcome. If `signal` aborts, the delivery is due again immediately. */
export async function attempt(app: App, delivery: ClaimedDelivery, { event, secrets }: Content, signal: AbortSignal) {
  const ended = (said: Attempt, outcome: Outcome) => {
    attempts.inc({ state: outcome.state })
    if (said.durationMs !== null) durations.observe(said.durationMs / 1_000)
    return note(app, delivery, said, outcome)
  }
  const body = event && webhookBody(event, app.publicBaseUrl)
  if (!body || delivery.isOff) return ended(nothing, { state: 'cancelled' })
  const text = JSON.stringify(body)
  const headers = signed(app, delivery, secrets, text)
  if (headers === null) return ended({ ...nothing, error: 'no_secret' }, failure(delivery, null))
  const began = performance.now()
  const answer = await app.postPublic(delivery.url, {
    headers,
    body: text,
    timeoutMs,
    maxAnswerBytes: shownBytes,
    signal,
  })
  const durationMs = Math.round(performance.now() - began)
  if ('failure' in answer && answer.failure === 'cancelled') return void (await releaseLease(app, delivery))
  const { id, eventId, endpointId, number } = delivery
  const outcome = 'failure' in answer ? { failure: answer.failure } : { status: answer.statusCode }
  // Without the URL, which may hold a token.
  const about = { delivery: id, event: eventId, type: event?.type, endpoint: endpointId, attempt: number }
  tell(app, { ...about, ...outcome, durationMs }, 'delivery')
  if ('failure' in answer) {
    return ended({ ...nothing, durationMs, error: answer.failure }, failure(delivery, null))
  }
  const said = { durationMs, statusCode: answer.statusCode, error: null, answerStart: shown(answer) }
  return ended(said, outcomeOf(delivery, answer))
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
