// The gate before everything that is paid for. A field with a price is reached through it and in no other way, so that it is
// paid on every door and under every path. Charged once, delivered at least once: the same authorization sent again, for the
// same request, gets its answer without a second charge.
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
import { again, type Call, collect } from './collect.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { claimPayment, findPayment } from './ledger.ts'
import { againNamed, sameNamed } from './named.ts'
import { priceOf } from './prices.ts'

export type Paid<Input extends z.ZodType, Output extends z.ZodType> = {
  endpoint: Endpoint
  input: Input
  /** Reads an answer that was kept as JSON. */
  output: Output
  /** Where it stands, when not under the endpoint's own path. */
  path?(input: z.output<Input>): string
  /** Refuses what cannot be done, before anything is charged. Its principal is the payer. `at` is when the payment came. */
  admit?(context: Context, input: z.output<Input>, at: Date): Promise<void>
  /**
   * Its principal is the payer. Done again when it failed, or its process died: twice must be as good as once. `at` is when
   * it was admitted, however much later it is done.
   */
  run(context: Context, input: z.output<Input>, at: Date): Promise<z.input<Output>>
}

export const maxTimeoutSeconds = 120

// Official clients send back the challenge in a header, of which 16 KiB are read.
const longestResource = 2_048
// A look at the prices, and a challenge written twice.
const challengeCost = 5

/** For a door where a request can be told to be unpaid before it is read: then throws as `pay` does, and reads nothing of it. */
export async function demandPayment(context: Context, endpoint: Endpoint): Promise<void> {
  const { facilitator, paying, allowance } = context
  if (paying.header !== null) return
  if (facilitator === null) throw new AppError('payments_disabled')
  allowance.spend(challengeCost)
  throw unpaid(await offerOf(context, facilitator, endpoint, () => endpoints[endpoint].path), paying)
}

type Offer = { price: string; requirement: PaymentRequirement; refuse: Call['refuse']; isOffered(): void }

/** What is asked for at present. `standing`: its path, for a request that has none of its own. */
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
  // Not asked once a payment was sent: what was paid for is delivered.
  const isOffered = () => {
    if (!enabled) throw new AppError('disabled_by_configuration')
  }
  return { price, requirement, refuse, isOffered }
}

function unpaid({ isOffered, refuse }: Pick<Offer, 'isOffered' | 'refuse'>, { place }: Paying): AppError {
  isOffered()
  return refuse(`${place} is required`)
}

/** Errors: those that every paid field lists, and those of `admit`. */
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
 * A client that does not echo the secret of its challenge is told apart from those who read blocks by its address, in a form
 * that cannot be echoed: whoever knows the address could compute it.
 */
const withSecret = (payload: PaymentPayload, address: string): PaymentPayload => ({
  ...payload,
  secret: payload.secret ?? `address:${sha256(`${payload.authorization.nonce} ${address}`).slice(2)}`,
})

/** The project is part of it: with its key, what is asked for can be another thing. What is null is as good as left out. */
const fingerprintOf = (asked: { endpoint: Endpoint; projectId: string | null; input: unknown }) =>
  sha256(canonicalJson(JSON.parse(JSON.stringify(asked, (_, value) => value ?? undefined)))).slice(2)

async function answerFor(call: Call, payload: PaymentPayload, amount: string) {
  const { context, facilitator, requirement, refuse, fingerprint, projectId, at } = call
  const { network, asset } = facilitator
  const key = { network, asset, payload }
  const known = await findPayment(context, key)
  if (known !== null) return again(call, known, payload)
  const { reasons, untimely, signedBy } = facilitator.checkLocally(payload, requirement, at)
  const [reason] = [...reasons, ...untimely]
  if (reason !== undefined) throw refuse(reason)
  const named = await againNamed(call, payload, signedBy)
  if (named !== null) return named.answer
  const sinceBlock = await facilitator.head()
  const verified = await facilitator.verify(payload, requirement)
  if (verified === 'unavailable') throw new AppError('chain_unavailable')
  if (!verified.ok) {
    // A copy may have spent it meanwhile, or what it needs; that was claimed before, so it is known by now.
    const spent = await findPayment(context, key)
    if (spent !== null) return again(call, spent, payload)
    const same = await againNamed(call, payload, signedBy)
    if (same !== null) return same.answer
    throw refuse(verified.reason)
  }
  // Only now: what a wallet may have is told to who signs for it.
  await call.admit({ payer: payload.authorization.from, verifiedAt: at })
  const { symbol: currency } = await facilitator.token()
  const { from: payer, nonce } = payload.authorization
  const { payTo } = requirement
  const subject = paymentSubject({ nonce, network, amount, currency, payer, payTo })
  let checks: Check[]
  try {
    checks = await screenPayment(context, subject, { projectId, endpoint: call.path })
  } catch (error) {
    // A copy may have been taken meanwhile: nobody is told then that nothing was charged.
    const taken = await findPayment(context, key)
    if (taken !== null) return again(call, taken, payload)
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
  if (winner !== null) return again(call, winner, payload)
  const same = payload.identifier === undefined ? null : await sameNamed(call, payload)
  if (same !== null) return same.answer
  throw new AppError('payment_in_progress', undefined, { retryAfterSeconds: 1 })
}
