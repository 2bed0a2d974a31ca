// The payment gate of all paid fields. A paid field runs only through this gate, so that it is charged over every
// transport (REST, GraphQL, MCP) and under every path. A request is charged once and delivered at least once: the same
// authorization, sent again for the same request, gets its answer without a second charge.
import type { z } from 'zod'
import { canonicalJson } from '../../core/canonical.ts'
import { AppError } from '../../core/errors.ts'
import { sha256 } from '../../core/hash.ts'
import { unlimited } from '../../kit/allowance.ts'
import type { Context, Paying } from '../../kit/context.ts'
import { parse } from '../../kit/parse.ts'
import type { PaymentFacilitator, PaymentPayload, PaymentRequirement } from '../../ports/payment-facilitator.ts'
import type { Check } from '../compliance/policy.ts'
import { screenPayment } from '../compliance/screen-payment.ts'
import { paymentSubject } from '../compliance/subject.ts'
import { type Call, collect, resumePayment } from './collect.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { claimPayment, findPayment } from './ledger.ts'
import { againNamed, sameNamed } from './named.ts'
import { priceOf } from './prices.ts'

export type Paid<Input extends z.ZodType, Output extends z.ZodType> = {
  endpoint: Endpoint
  input: Input
  /** Parses an answer that was stored as JSON. */
  output: Output
  /** Path of the request, where it differs from the endpoint's path. */
  path?(input: z.output<Input>): string
  /**
   * Throws if the request cannot be carried out, before anything is charged. The principal is the payer; `at` is when
   * the payment arrived.
   */
  admit?(context: Context, input: z.output<Input>, at: Date): Promise<void>
  /**
   * Produces the answer, with the payer as principal. Runs again after it failed or its process died, so it must be
   * idempotent. `at` is when the payment was admitted, even if `run` is called much later.
   */
  run(context: Context, input: z.output<Input>, at: Date): Promise<z.input<Output>>
}

export const maxTimeoutSeconds = 120

// Official clients echo the challenge in a header, and the service reads headers up to 16 KiB.
const longestResource = 2_048
// One read of the prices, and one challenge that is encoded twice: for the header and for the body.
const challengeCost = 5

/**
 * Throws the challenge, as `pay` does, if the request carries no payment. For transports that can detect that before
 * they read the request.
 */
export async function demandPayment(context: Context, endpoint: Endpoint): Promise<void> {
  const { facilitator, paying, allowance } = context
  if (paying.header !== null) return
  if (facilitator === null) throw new AppError('payments_disabled')
  allowance.spend(challengeCost)
  throw unpaid(await offerOf(context, facilitator, endpoint, () => endpoints[endpoint].path), paying)
}

type Offer = { price: string; requirement: PaymentRequirement; refuse: Call['refuse']; isOffered(): void }

/** Builds the current offer of an endpoint. `standing` returns a path for a request that does not state its own. */
async function offerOf(
  context: Context,
  facilitator: PaymentFacilitator,
  endpoint: Endpoint,
  standing: () => string,
): Promise<Offer> {
  const { publicBaseUrl, paying, paymentsTo } = context
  const { price, recipient, enabled } = await priceOf(context, endpoint, paymentsTo)
  const requirement = await facilitator.requirement({ amount: price, payTo: recipient, maxTimeoutSeconds })
  const { path, description } = endpoints[endpoint]
  const asked = paying.resource ?? standing()
  const shown = asked.length > longestResource ? path : asked
  const url = `${publicBaseUrl}${shown}`
  const refuse = (error: string, payer?: string) => {
    const { header, body } = facilitator.encodeRequired({
      error,
      resource: { url, description, mimeType: 'application/json' },
      accepts: [requirement],
      extensions: paying.described(path, shown),
    })
    const failed = payer && { 'PAYMENT-RESPONSE': facilitator.encodeResponse({ payer, errorReason: error }) }
    return new AppError('payment_required', undefined, { headers: { 'PAYMENT-REQUIRED': header, ...failed }, body })
  }
  // Not checked once a payment was sent, because a settled payment is always delivered.
  const isOffered = () => {
    if (!enabled) throw new AppError('disabled_by_configuration')
  }
  return { price, requirement, refuse, isOffered }
}

function unpaid({ isOffered, refuse }: Pick<Offer, 'isOffered' | 'refuse'>, { place }: Paying): AppError {
  isOffered()
  return refuse(`${place} is required`)
}

/** Charges one call of a paid field and returns its answer. Errors: those of every paid field, and those of `admit`. */
export async function pay<Input extends z.ZodType, Output extends z.ZodType>(
  context: Context,
  paid: Paid<Input, Output>,
  raw: unknown,
): Promise<z.output<Output>> {
  const { facilitator, paying } = context
  if (facilitator === null) throw new AppError('payments_disabled')
  if (paying.isTaken) throw new AppError('conflict', 'One paid field an operation: each needs a payment of its own.')
  paying.isTaken = true
  const at = new Date()
  const standing = () => {
    const input = parse(paid.input, raw)
    return paid.path?.(input) ?? endpoints[paid.endpoint].path
  }
  const { price, requirement, refuse, isOffered } = await offerOf(context, facilitator, paid.endpoint, standing)
  if (paying.header === null) throw unpaid({ isOffered, refuse }, paying)
  const input = parse(paid.input, raw)
  const decoded = facilitator.decode(paying.header)
  if ('fault' in decoded) throw new AppError('payment_malformed', decoded.fault)
  const { principal } = context
  const payload = withSecret(decoded.payload, paying.address)
  const projectId = principal.kind === 'key' ? principal.projectId : null
  const paidBy = (wallet: string): Context => ({
    ...context,
    principal: { kind: 'payer', wallet, projectId },
    allowance: unlimited(`payer:${wallet}`),
  })
  const call: Call = {
    context,
    facilitator,
    path: endpoints[paid.endpoint].path,
    requirement,
    projectId,
    fingerprint: fingerprintOf({ endpoint: paid.endpoint, projectId, input }),
    refuse,
    at,
    admit: async ({ payer, verifiedAt }) => {
      isOffered()
      await paid.admit?.(paidBy(payer), input, verifiedAt)
    },
    run: ({ payer, verifiedAt }) => paid.run(paidBy(payer), input, verifiedAt),
  }
  const answer = await answerFor(call, payload, price)
  return paid.output.parse(JSON.parse(JSON.stringify(answer)))
}

/**
 * If the client echoes no challenge secret, a hash of its address distinguishes it from callers who copied the payment
 * from a block. Callers cannot echo the hash (a secret contains no colon), because others who know the address could
 * compute the hash.
 */
const withSecret = (payload: PaymentPayload, address: string): PaymentPayload => ({
  ...payload,
  secret: payload.secret ?? `address:${sha256(`${payload.authorization.nonce} ${address}`).slice(2)}`,
})

/**
 * Hashes endpoint, project and input; null counts as absent. The project is included, because its key can change the
 * answer.
 */
const fingerprintOf = (asked: { endpoint: Endpoint; projectId: string | null; input: unknown }) =>
  sha256(canonicalJson(JSON.parse(JSON.stringify(asked, (_, value) => value ?? undefined)))).slice(2)

async function answerFor(call: Call, payload: PaymentPayload, amount: string) {
  const { context, facilitator, requirement, refuse, fingerprint, projectId, at } = call
  const { network, asset } = facilitator
  const key = { network, asset, payload }
  const known = await findPayment(context, key)
  if (known !== null) return resumePayment(call, known, payload)
  const { reasons, untimely, signedBy } = facilitator.checkLocally(payload, requirement, at)
  const [reason] = [...reasons, ...untimely]
  if (reason !== undefined) throw refuse(reason)
  const named = await againNamed(call, payload, signedBy)
  if (named !== null) return named.answer
  const sinceBlock = await facilitator.head()
  const verified = await facilitator.verify(payload, requirement)
  if (verified === 'unavailable') throw new AppError('chain_unavailable')
  if (!verified.ok) {
    // A copy of the request may have spent the authorization or the balance meanwhile. The copy's payment was claimed
    // before, so it is stored by now.
    const spent = await findPayment(context, key)
    if (spent !== null) return resumePayment(call, spent, payload)
    const same = await againNamed(call, payload, signedBy)
    if (same !== null) return same.answer
    throw refuse(verified.reason)
  }
  // Called after verification, because `admit` may reveal what only the wallet's owner may know.
  await call.admit({ payer: payload.authorization.from, verifiedAt: at })
  const { symbol: currency } = await facilitator.token()
  const { from: payer, nonce } = payload.authorization
  const { payTo } = requirement
  const subject = paymentSubject({ nonce, network, amount, currency, payer, payTo })
  let checks: Check[]
  try {
    checks = await screenPayment(context, subject, { projectId, endpoint: call.path })
  } catch (error) {
    // A copy may have been claimed meanwhile; the caught error would wrongly state that nothing was charged.
    const taken = await findPayment(context, key)
    if (taken !== null) return resumePayment(call, taken, payload)
    throw error
  }
  const claimed = await claimPayment(context, {
    ...key,
    amount,
    currency,
    payTo,
    endpoint: call.path,
    fingerprint,
    projectId,
    sinceBlock,
    verifiedAt: at,
    checks,
  })
  if (claimed !== null) return collect(call, claimed)
  const winner = await findPayment(context, key)
  if (winner !== null) return resumePayment(call, winner, payload)
  const same = payload.identifier === undefined ? null : await sameNamed(call, payload)
  if (same !== null) return same.answer
  throw new AppError('payment_in_progress', undefined, { retryAfterSeconds: 1 })
}
