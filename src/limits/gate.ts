// Who may pass: each request is charged to whom it comes from, and its answer tells how much is left.
import type { Request, Response } from 'express'
import { AppError } from '../core/errors.ts'
import type { Principal } from '../core/principal.ts'
import { addressOf } from './address.ts'
import type { Limiter } from './limiter.ts'
import { type Policy, windowMs } from './policy.ts'

const anyone: Principal = { kind: 'public' }

export type Gate = {
  /** Who calls; at once, when there is no key to look up. Throws `unauthenticated` and `too_many_requests`. */
  enter(req: Request, res: Response): Principal | Promise<Principal>
  /** Charges signatures that are about to be checked for this caller. Throws `too_many_requests`. */
  signatures(req: Request, res: Response, by: Principal, count: number): void
}

function tell(res: Response, name: string, value: string): void {
  const told = res.getHeader(name)
  res.setHeader(name, told === undefined ? value : `${told}, ${value}`)
}

/** `identify` throws `unauthenticated` for a key that is not valid; it must not look up what cannot be a key. */
export function createGate(limiter: Limiter, identify: (rawKey: string) => Promise<Principal>): Gate {
  function charge(res: Response, policy: Policy, subject: string, cost = 1): void {
    const taken = limiter.take(policy, subject, cost)
    if (taken === null) return
    const { admitted, quota, remaining, resetSeconds } = taken
    tell(res, 'RateLimit-Policy', `"${policy}";q=${quota};w=${windowMs / 1000}`)
    tell(res, 'RateLimit', `"${policy}";r=${remaining};t=${resetSeconds}`)
    if (admitted) return
    const message = `The limit "${policy}" is ${quota} a minute.`
    throw new AppError('too_many_requests', message, { retryAfterSeconds: resetSeconds })
  }

  // Counted after the look-up and against wrong keys alone, so that nobody's failures lock out a valid key.
  async function identified(rawKey: string, req: Request, res: Response): Promise<Principal> {
    let principal: Principal
    try {
      principal = await identify(rawKey)
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') charge(res, 'failed-keys', addressOf(req))
      throw error
    }
    if (principal.kind === 'key') charge(res, 'key', principal.keyId)
    return principal
  }

  return {
    enter(req, res) {
      const rawKey = req.headers['x-api-key']
      if (typeof rawKey === 'string') return identified(rawKey, req, res)
      charge(res, 'address', addressOf(req))
      return anyone
    },
    signatures(req, res, by, count) {
      if (count > 0 && by.kind !== 'admin') charge(res, 'sign-in', addressOf(req), count)
    },
  }
}
