// One purchase: a call of a paid field with the payment that came with it. Every step reads it, and none changes it.
import type { z } from 'zod'
import { canonicalJson } from '../../core/canonical.ts'
import { AppError } from '../../core/errors.ts'
import { sha256 } from '../../core/hash.ts'
import { unlimited } from '../../kit/allowance.ts'
import type { Context } from '../../kit/context.ts'
import { parse } from '../../kit/parse.ts'
import type { PaymentPayload } from '../../ports/payment-facilitator.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import type { Quote } from './quote.ts'

export type Paid<Input extends z.ZodType, Output extends z.ZodType> = {
  endpoint: Endpoint
  input: Input
  /** The argument that is the input; all arguments together unless given. */
  argument?: string
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

export type PaidField = Paid<z.ZodType, z.ZodType>

export type Purchase = Quote & {
  paid: PaidField
  input: unknown
  payload: PaymentPayload
  /** Project of the request's API key, if any. */
  projectId: string | null
  /** SHA-256 in hex of endpoint, project and input. */
  fingerprint: string
  /** When the request arrived. */
  at: Date
}

/** Returns the path of what is bought, as far as the field's input shows it. */
export const resourcePath = (paid: PaidField, raw: unknown): string => {
  const { endpoint, path } = paid
  const parsed = inputOf(paid, raw)
  return path?.(parsed) ?? endpoints[endpoint].path
}

/** Throws `validation_failed`. */
const inputOf = ({ input, argument }: PaidField, raw: unknown) => parse(input, raw, argument ? [argument] : [])

/** Reads the request and its payment. Errors: `validation_failed`, `payment_malformed`. */
export function readPurchase(quoted: Quote, paid: PaidField, raw: unknown, header: string, at: Date): Purchase {
  const { context, facilitator, endpoint } = quoted
  const input = inputOf(paid, raw)
  const decoded = facilitator.decode(header)
  if ('fault' in decoded) throw new AppError('payment_malformed', `${context.paying.place}${decoded.fault}`)
  const payload = withSecret(decoded.payload, context.paying.address)
  const projectId = context.principal.kind === 'key' ? context.principal.projectId : null
  const fingerprint = fingerprintOf({ endpoint, projectId, input })
  return { ...quoted, paid, input, payload, projectId, fingerprint, at }
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
const fingerprintOf = (request: { endpoint: Endpoint; projectId: string | null; input: unknown }) =>
  sha256(canonicalJson(JSON.parse(JSON.stringify(request, (_, value) => value ?? undefined)))).slice(2)

/** Returns the context in which the field's own code runs. */
export const asPayer = ({ context, projectId }: Purchase, wallet: string): Context => ({
  ...context,
  principal: { kind: 'payer', wallet, projectId },
  allowance: unlimited(`payer:${wallet}`),
})
