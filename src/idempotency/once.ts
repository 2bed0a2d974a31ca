// Carries out a request with an Idempotency-Key at most once, and stores its response for retries.

import type { Request, Response } from 'express'
import { AppError } from '../core/errors.ts'
import { outOfScope } from '../core/scope.ts'
import type { Context } from '../kit/context.ts'
import { perApp } from '../kit/per-app.ts'
import { type Sql, sqlOf } from '../kit/transaction.ts'
import type { Gate } from '../limits/gate.ts'
import { keptAnswer, replay } from './answer.ts'
import { capture } from './capture.ts'
import { type IdempotentRequest, mismatch } from './request.ts'
import { finish, newReservation, noteCarriedOut, type Reservation, release, renew, reserve } from './reservations.ts'

// Any caller can have responses stored, so those to callers without credentials are stored only when they are short.
const longestKept = { credentials: 1024 * 1024, none: 64 * 1024 }

const renewEveryMs = 20_000
// No request takes this long: its handler has ended without a response.
const heldAtMostMs = 600_000

const tryAgainMs = 1_000
const triesAtMost = 10

/**
 * Ends reservations that could not be ended, because the database was away. A statement whose answer was not waited for
 * may still be carried out when the database goes on, so a reservation that is not there is looked for again.
 */
const ending = perApp(app => {
  const left = new Map<(sql: Sql) => Promise<boolean>, number>()
  async function tick(): Promise<void> {
    for (const [end, tries] of left) {
      try {
        if ((await end(sqlOf(app.pool))) || tries >= triesAtMost) left.delete(end)
        else left.set(end, tries + 1)
      } catch {
        break
      }
    }
    if (left.size > 0) later()
  }
  const later = () => void setTimeout(tick, tryAgainMs).unref()
  return (end: (sql: Sql) => Promise<boolean>) => {
    if (left.size === 0) later()
    left.set(end, 0)
  }
})

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
    if (!due) outOfScope(() => setTimeout(tick, renewEveryMs).unref())
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
  context: Context,
  gate: Gate,
  req: Request,
  res: Response,
  request: IdempotentRequest,
): Promise<boolean> {
  const sql = sqlOf(context.pool)
  const reservation = newReservation(request)
  const found = await reserve(sql, request, reservation).catch(error => {
    ending(context)(sql => release(sql, reservation))
    throw error
  })
  if (found.kind === 'mismatch') throw mismatch()
  if (found.kind === 'running') throw new AppError('idempotency_in_progress')
  if (found.kind === 'lost')
    throw new AppError('conflict', 'The request was carried out before, and its answer was lost. Read what it wrote.')
  if (found.kind === 'answered') {
    replay(res, found.answer)
    return true
  }
  try {
    gate.mayKeep(req, res, request.by)
  } catch (error) {
    await release(sql, reservation)
    throw error
  }
  context.carriedOut = tx => noteCarriedOut(tx, reservation)
  const { hold, drop } = holding(context)
  const longest = request.principal.startsWith('address:') ? longestKept.none : longestKept.credentials
  hold(reservation)
  capture(res, async body => {
    drop(reservation)
    const answer = body === null || body.length > longest ? null : keptAnswer(res, body, request.several)
    const end = (sql: Sql) => (answer === null ? release(sql, reservation) : finish(sql, reservation, answer))
    try {
      await end(sql)
    } catch (error) {
      // The request was carried out or refused, so its response is sent nevertheless.
      ending(context)(end)
      context.log.error({ err: error }, 'a response could not be stored for its Idempotency-Key yet')
    }
    if (answer !== null) gate.kept(req, request.by, answer.body.length)
  })
  return false
}
