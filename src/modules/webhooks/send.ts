// One attempt of a delivery: signed, sent, and what follows from the answer.
import type { App } from '../../kit/context.ts'
import { inTransaction, sqlOf, type Transaction } from '../../kit/transaction.ts'
import type { PostAnswer } from '../../ports/public-post.ts'
import { webhookBody } from '../events/data.ts'
import type { LoggedEvent } from '../events/log.ts'
import { envelope } from './envelope.ts'
import { mostAttempts, waitAfter } from './plan.ts'
import { type Attempt, cancelWaiting, giveBack, move, noteAttempt, noteFailing, type Taken } from './queue.ts'
import { liveSecrets, secretOf } from './secrets.ts'

const timeoutMs = 15_000
const shownBytes = 1_024

/** Sends it once, and writes how that ended. Aborted, it is due again at once. */
export async function attempt(app: App, delivery: Taken, event: LoggedEvent | undefined, signal: AbortSignal) {
  const sql = sqlOf(app.pool)
  const body = event && webhookBody(event, app.publicBaseUrl)
  if (!body) return void (await move(sql, delivery, { state: 'cancelled' }))
  const text = JSON.stringify(body)
  const headers = await signed(app, delivery, text)
  const began = performance.now()
  const answer = headers
    ? await app.postPublic(delivery.url, { headers, body: text, timeoutMs, maxAnswerBytes: shownBytes, signal })
    : { failure: 'no_secret' }
  const durationMs = Math.round(performance.now() - began)
  if ('failure' in answer) {
    const said = { durationMs, statusCode: null, error: answer.failure, answerStart: null }
    if (answer.failure === 'cancelled') {
      await noteAttempt(sql, delivery, { ...said, error: 'interrupted' })
      return void (await giveBack(sql, delivery))
    }
    return failed(app, delivery, said, null)
  }
  const said = { durationMs, statusCode: answer.statusCode, error: null, answerStart: shown(answer) }
  if (answer.statusCode >= 200 && answer.statusCode < 300) return succeeded(app, delivery, said)
  if (answer.statusCode === 410) return gone(app, delivery, said)
  return failed(app, delivery, said, answer.retryAfter)
}

// PostgreSQL has no text with NUL in it, and nobody can see the others.
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu
const shown = ({ answerStart }: PostAnswer) => answerStart.replaceAll(unseen, '\ufffd')

async function signed(app: App, { projectId, endpointId, eventId }: Taken, body: string) {
  const rows = await liveSecrets(sqlOf(app.pool), app, { projectId, endpointId })
  const secrets = rows.flatMap(row => secretOf(app, row) ?? [])
  // Receivers trust the present secret alone once an earlier one has ended.
  if (secrets.length < rows.length)
    app.log.error({ madeBy: rows.map(row => row.madeBy) }, 'ALARM: a key of WEBHOOK_SECRET is missing')
  return secrets.length === 0 ? null : envelope(eventId, secrets, body)
}

const succeeded = (app: App, delivery: Taken, said: Attempt) =>
  inTransaction(app, async ({ sql }) => {
    await noteAttempt(sql, delivery, said)
    await move(sql, delivery, { state: 'delivered' })
    await sql(
      'update webhook_endpoints set failing_since = null where id = $1::uuid and failing_since is not null and disabled_at is null',
      [delivery.endpointId],
    )
  })

/** The receiver says that it will never take anything again. */
const gone = (app: App, delivery: Taken, said: Attempt) =>
  inTransaction(app, async tx => {
    await noteAttempt(tx.sql, delivery, said)
    const { endpointId, id } = delivery
    if (!(await move(tx.sql, delivery, { state: 'gone' }))) return
    if (endpointId === null) {
      const [row] = await tx.sql<{ receiptId: string }>(
        'select receipt_id as "receiptId" from webhook_deliveries where id = $1::bigint',
        [id],
      )
      if (row) await cancelWaiting(tx.sql, row)
      return
    }
    const [disabled] = await tx.sql<{ id: string; projectId: string }>(
      `update webhook_endpoints set disabled_at = now(), disabled_reason = 'gone'
       where id = $1::uuid and disabled_at is null returning id, project_id as "projectId"`,
      [endpointId],
    )
    if (disabled) await ended(tx, disabled, 'gone')
  })

const failed = (app: App, delivery: Taken, said: Attempt, retryAfter: string | null) =>
  inTransaction(app, async tx => {
    await noteAttempt(tx.sql, delivery, said)
    const afterMs = waitAfter(delivery.attempts, retryAfter)
    const isOurs = await move(tx.sql, delivery, afterMs === null ? { state: 'failed' } : { state: 'waiting', afterMs })
    if (!isOurs || delivery.endpointId === null) return
    const disabled = await noteFailing(tx, delivery.endpointId)
    if (disabled) await ended(tx, disabled, 'failing')
    if (afterMs === null)
      app.log.warn({ delivery: delivery.id, attempts: mostAttempts }, 'a webhook delivery was given up')
  })

/** The service has disabled an endpoint: its owner sees it, and nothing more waits for it. */
async function ended(tx: Transaction, { id, projectId }: { id: string; projectId: string }, reason: string) {
  await cancelWaiting(tx.sql, { endpointId: id })
  const details = { reason }
  tx.audit({
    action: 'webhook_endpoint.disable',
    objectType: 'webhook_endpoint',
    objectId: id,
    projectId,
    actor: 'worker',
    details,
  })
  tx.event({ type: 'webhook_endpoint.disabled', projectId, endpointId: id })
}
