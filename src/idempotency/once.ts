// Carries out a request with an Idempotency-Key at most once, and stores its response for retries.
import type { Request, Response } from 'express'
import { AppError } from '../core/errors.ts'
import type { App } from '../kit/context.ts'
import { perApp } from '../kit/per-app.ts'
import { sqlOf } from '../kit/transaction.ts'
import type { Gate } from '../limits/gate.ts'
import { keptAnswer, replay } from './answer.ts'
import { capture } from './capture.ts'
import { type Asked, mismatch } from './request.ts'
import { finish, type Reservation, release, renew, reserve } from './reservations.ts'

// Any caller can have responses stored, so those to callers without credentials are stored only when they are short.
const longestKept = { credentials: 1024 * 1024, none: 64 * 1024 }

const renewEveryMs = 20_000
// No request takes this long: its handler has ended without a response.
const heldAtMostMs = 600_000

/** Renews the reservations of this process while their requests are carried out. */
const holding = perApp(app => {
  const held = new Map<Reservation, number>()
  let due = false
  const tick = () => {
    due = false
    for (const [reservation, since] of held) if (since < Date.now() - heldAtMostMs) held.delete(reservation)
    if (held.size === 0) return
    renew(sqlOf(app.pool), [...held.keys()]).catch((error: unknown) =>
      app.log.error({ err: error }, 'idempotency reservations could not be renewed'),
    )
    start()
  }
  const start = () => {
    if (!due) setTimeout(tick, renewEveryMs).unref()
    due = true
  }
  return {
    hold(reservation: Reservation) {
      held.set(reservation, Date.now())
      start()
    },
    drop: (reservation: Reservation) => void held.delete(reservation),
  }
})

/**
 * True: a stored response was replayed. False: the request is to be carried out, and the response written to `res` is
 * stored. Throws `validation_failed` for another request under the same key, `idempotency_in_progress` while the
 * request is being carried out, and `too_many_requests` when this caller's quota of stored responses is used up.
 */
export async function replayOrCapture(
  app: App,
  gate: Gate,
  req: Request,
  res: Response,
  asked: Asked,
): Promise<boolean> {
  const sql = sqlOf(app.pool)
  const found = await reserve(sql, asked)
  if (found.kind === 'mismatch') throw mismatch()
  if (found.kind === 'running') throw new AppError('idempotency_in_progress')
  if (found.kind === 'answered') {
    replay(res, found.answer)
    return true
  }
  const { reservation } = found
  try {
    gate.mayKeep(req, res, asked.by)
  } catch (error) {
    await release(sql, reservation)
    throw error
  }
  const { hold, drop } = holding(app)
  const longest = asked.principal.startsWith('address:') ? longestKept.none : longestKept.credentials
  hold(reservation)
  capture(res, async body => {
    drop(reservation)
    try {
      const answer = body === null || body.length > longest ? null : keptAnswer(res, body, asked.several)
      await (answer === null ? release(sql, reservation) : finish(sql, reservation, answer))
      if (answer !== null) gate.kept(req, asked.by, answer.body.length)
    } catch (error) {
      // The request was carried out, so its response is sent nevertheless. A retry within a minute gets
      // `idempotency_in_progress`.
      app.log.error({ err: error }, 'a response could not be stored for its Idempotency-Key')
    }
  })
  return false
}
