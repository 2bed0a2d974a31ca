// Who may pass: each request is charged to whom it comes from, and its answer tells how much is left.
import type { Request, Response } from 'express'
import { AppError } from '../core/errors.ts'
import type { Principal } from '../core/principal.ts'
import { addressOf } from './address.ts'
import type { Limiter } from './limiter.ts'
import { type Policy, windowMs } from './policy.ts'

const anyone: Principal = { kind: 'public' }

export type Gate = {
  /** Who calls. Throws `unauthenticated` and `too_many_requests`. */
  enter(req: Request, res: Response): Promise<Principal>
  /** Charges signatures that are about to be checked for this caller. Throws `too_many_requests`. */
  signatures(req: Request, res: Response, by: Principal, count: number): void
}

/** `identify` throws `unauthenticated` for a key that is not valid; it must not look up what cannot be a key. */
export function createGate(limiter: Limiter, identify: (rawKey: string) => Promise<Principal>): Gate {
  function charge(res: Response, policy: Policy, subject: string, cost = 1): void {
    const taken = limiter.take(policy, subject, cost)
    if (taken === null) return
    const { admitted, quota, remaining, resetSeconds } = taken
    res.appendHeader('RateLimit-Policy', `"${policy}";q=${quota};w=${windowMs / 1000}`)
    res.appendHeader('RateLimit', `"${policy}";r=${remaining};t=${resetSeconds}`)
    if (admitted) return
    const message = `The limit "${policy}" is ${quota} a minute.`
    throw new AppError('too_many_requests', message, { retryAfterSeconds: resetSeconds })
  }

  // Counted after the look-up and against wrong keys alone, so that nobody's failures lock out a valid key.
  async function identified(rawKey: string, req: Request, res: Response): Promise<Principal> {
    try {
      return await identify(rawKey)
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') charge(res, 'failed-keys', addressOf(req))
      throw error
    }
  }

  return {
    async enter(req, res) {
      const rawKey = req.headers['x-api-key']
      const principal = typeof rawKey === 'string' ? await identified(rawKey, req, res) : anyone
      if (principal.kind === 'key') charge(res, 'key', principal.keyId)
      else if (principal.kind === 'public') charge(res, 'address', addressOf(req))
      return principal
    },
    signatures(req, res, by, count) {
      if (count > 0 && by.kind !== 'admin') charge(res, 'sign-in', addressOf(req), count)
    },
  }
}
