// Admits requests: charges each to the project of its API key and to its client address, and reports in the response
// how much is left.
import { setMaxListeners } from 'node:events'
import type { Request, Response } from 'express'
import { AppError } from '../core/errors.ts'
import type { Principal } from '../core/principal.ts'
import { currentScope } from '../core/scope.ts'
import { type Allowance, unlimited } from '../kit/allowance.ts'
import { countRefusal } from '../kit/refusals.ts'
import { isRelayed } from '../ports/tunnels.ts'
import { type Budgets, budgetOf } from './budget.ts'
import { addressOf, networkOf } from './client-address.ts'
import { credentialOf } from './credential.ts'
import type { Charge, Limiter, QuotaState } from './limiter.ts'
import { type Policy, type Quotas, windowMs } from './policy.ts'
import { createStrangers } from './strangers.ts'
import { createStreamSlots } from './stream-slots.ts'

const anyone: Principal = { kind: 'public' }
const nameOf = { admin: 'admin', public: 'anonymous', payer: 'anonymous' }

export type Admitted = { principal: Principal; allowance: Allowance }

export type Gate = {
  /**
   * Identifies the caller, and charges 1 plus the cost of reading the body; synchronous when there is nothing to look
   * up. Throws `unauthenticated`, `malformed_request` and `too_many_requests`.
   */
  enter(req: Request, res: Response): Admitted | Promise<Admitted>
  /** Throws `too_many_requests` when this caller's quota of stored responses is used up. */
  mayKeep(req: Request, res: Response, by: Principal): void
  /** Counts the bytes of a response that is stored for this caller. */
  kept(req: Request, by: Principal, bytes: number): void
}

// Stored on the response itself: a WeakMap would cost some percent of the throughput in garbage collection.
const limits = Symbol('limits')
type Limited = Response & { [limits]?: QuotaState[] }

/** Writes both RateLimit headers, with one entry for each policy, however often the policy is charged. */
function setHeaders(res: Limited, states: readonly QuotaState[]): void {
  if (res.headersSent) return
  const reported = res[limits] ?? []
  res[limits] = reported
  for (const one of states) {
    const index = reported.findIndex(({ policy }) => policy === one.policy)
    if (index === -1) reported.push(one)
    else reported[index] = one
  }
  res.setHeader(
    'RateLimit-Policy',
    reported.map(({ policy, quota }) => `"${policy}";q=${quota};w=${windowMs / 1000}`).join(', '),
  )
  res.setHeader(
    'RateLimit',
    reported.map(({ policy, remaining, resetSeconds }) => `"${policy}";r=${remaining};t=${resetSeconds}`).join(', '),
  )
}

const unit: Record<Policy, string> = {
  project: 'cost',
  credential: 'cost',
  reads: 'percent',
  address: 'cost',
  network: 'cost',
  'keys-of-address': 'cost',
  'sign-in': 'signatures',
  'failed-keys': 'keys that are not valid',
  strangers: 'ms of all callers without credentials',
  'answers-of-project': 'KiB of stored responses',
  'answers-of-address': 'KiB of stored responses',
  'streams-of-project': 'streams',
  'streams-of-address': 'streams',
}

/** `identify` throws `unauthenticated` for invalid credentials, and must not query the database for malformed ones. */
export function createGate(
  limiter: Limiter,
  quotas: Quotas,
  identify: (credential: string) => Promise<Principal>,
): Gate {
  const streams = createStreamSlots(quotas)
  const strangers = createStrangers(quotas.strangers)
  const readable = quotas.reads > 0 ? Math.min(1, quotas.reads / 100) : 1
  const charge = (res: Response, charges: readonly Charge[], cost: number): void =>
    demandAll(res, limiter.consume(charges, cost), cost)

  /**
   * Throws `too_many_requests` when one of these limits has no room for the cost. The response reports `shown`, and
   * another limit only when that one refuses.
   */
  function demandAll(res: Response, states: QuotaState[], cost: number, shown = states[0] ?? null): void {
    const refusal = states.find(({ admitted }) => !admitted)
    const reported = refusal ?? shown
    if (reported) setHeaders(res, [reported])
    if (refusal === undefined) return
    const { policy, quota, remaining, resetSeconds } = refusal
    countRefusal(policy)
    const message = `This needs ${cost} of the limit "${policy}", which is ${quota} a minute (${unit[policy]}); ${remaining} are left.`
    const exceeded = { limit: policy, maximum: quota, actual: cost, remaining }
    throw new AppError('too_many_requests', message, { retryAfterSeconds: resetSeconds, exceeded })
  }

  function admitted(req: Request, res: Response, principal: Principal): Admitted {
    const notes = currentScope()?.request
    if (notes) notes.project = principal.kind === 'key' ? principal.projectId : nameOf[principal.kind]
    if (principal.kind === 'admin') return { principal, allowance: { ...unlimited('admin'), isPaid: false } }
    const address = addressOf(req)
    const budget = budgetOf(limiter, (states, cost, shown) => demandAll(res, states, cost, shown), {
      ...(principal.kind === 'key' ? budgetsOfKey(principal, address) : budgetsOfStranger(address)),
      readable,
      mayWrite: mayWrite(req, principal),
      spent(units) {
        if (notes) notes.cost += units
      },
    })
    budget.spend(isRelayed(req) ? 0 : 1 + bodyCost(req))
    const signal = signalOf(res)
    return {
      principal,
      allowance: {
        subject: principal.kind === 'key' ? `project:${principal.projectId}` : `address:${address}`,
        isAnonymous: principal.kind !== 'key',
        isPaid: false,
        ...budget,
        spendSignatures(count) {
          if (count > 0) charge(res, [{ policy: 'sign-in', subject: address }], count)
        },
        openStream: () =>
          principal.kind === 'key'
            ? streams.take('streams-of-project', principal.projectId)
            : streams.take('streams-of-address', address),
        inTurn(work) {
          return principal.kind === 'public' ? strangers.run(this, work) : work()
        },
        get signal() {
          return signal()
        },
      },
    }
  }

  // Charged after the look-up and for invalid keys only, so that failures from an address never lock out a valid key.
  async function identified(req: Request, res: Response): Promise<Admitted> {
    let principal = anyone
    try {
      const credential = credentialOf(req.headers)
      if (credential !== null) principal = await identify(credential)
    } catch (error) {
      if (error instanceof AppError && error.status < 500)
        charge(res, [{ policy: 'failed-keys', subject: addressOf(req) }], 1)
      throw error
    }
    return admitted(req, res, principal)
  }

  return {
    enter(req, res) {
      const isAnonymous = req.headers['x-api-key'] === undefined && req.headers.authorization === undefined
      return isAnonymous ? admitted(req, res, anyone) : identified(req, res)
    },
    mayKeep: (req, res, by) => void charge(res, answersOf(req, by), 1),
    kept: (req, by, bytes) => limiter.note(answersOf(req, by), Math.floor(bytes / 1024)),
  }
}

function budgetsOfKey(principal: Principal & { kind: 'key' }, address: string) {
  const id = 'keyId' in principal ? principal.keyId : principal.sessionId
  return {
    own: { policy: 'credential', subject: id },
    project: { policy: 'project', subject: principal.projectId },
    walls: [{ policy: 'keys-of-address', subject: address }],
  } satisfies Partial<Budgets>
}

function budgetsOfStranger(address: string) {
  const network = networkOf(address)
  return {
    own: { policy: 'address', subject: address },
    project: null,
    walls: network === null ? [] : [{ policy: 'network', subject: network }],
  } satisfies Partial<Budgets>
}

/**
 * Whether the request may be a write or a payment. Only its operation says so for certain. A viewer has no part of what
 * is kept for them: anybody can send a header that is no payment.
 */
const mayWrite = ({ method, headers }: Request, principal: Principal): boolean =>
  !(principal.kind === 'key' && principal.role === 'viewer') &&
  (headers['payment-signature'] !== undefined || (method !== 'GET' && method !== 'HEAD'))

/** Costs 1 per 4 KiB, because a body is parsed before its operation is known. Unknown length counts as 32 KiB. */
const bodyCost = ({ headers }: Request): number =>
  headers['transfer-encoding'] === undefined ? Math.floor(Number(headers['content-length'] ?? 0) / 4_096) || 0 : 8

/** Responses to a service administrator are stored without limit. */
function answersOf(req: Request, by: Principal): Charge[] {
  if (by.kind === 'key') return [{ policy: 'answers-of-project', subject: by.projectId }]
  return by.kind === 'public' ? [{ policy: 'answers-of-address', subject: addressOf(req) }] : []
}

/** Aborted when the connection closes before the response is sent. Created on first use: most requests need none. */
function signalOf(res: Response): () => AbortSignal {
  let made: AbortController | null = null
  return () => {
    if (made) return made.signal
    const controller = new AbortController()
    // No limit: each field of a document that waits in a queue adds a listener.
    setMaxListeners(0, controller.signal)
    made = controller
    const abort = () => {
      if (!res.writableFinished) controller.abort()
    }
    if (res.closed) abort()
    else res.once('close', abort)
    return controller.signal
  }
}
