// The one way to a paid field: whatever is behind the gate tells so of itself, to readers, to the doors and to OpenAPI.
import type { GraphQLField } from 'graphql'
import type { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { appErrorIn } from '../../kit/app-error-in.ts'
import type { Context } from '../../kit/context.ts'
import { argumentsOf } from '../../kit/input.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { demandPayment, type Paid, pay } from './pay.ts'

const paidErrors =
  'payment_required, payment_malformed, payment_conflict, payment_in_progress, settlement_pending, delivery_failed, payments_disabled, disabled_by_configuration, compliance_denied, compliance_unavailable, chain_unavailable'

type Told = {
  /** In sentences, without its errors. */
  description: string
  /** Codes beyond those that every paid field has, as its description lists them. */
  errors: string
  args: z.ZodObject
}

/**
 * The options of a root field but for its type. `args` are the arguments it shows, of which `input` may ask
 * more. Root fields of this kind begin with `premium`.
 */
export const paidField = <Input extends z.ZodType, Output extends z.ZodType>({
  description,
  errors,
  args,
  ...paid
}: Paid<Input, Output> & Told) => ({
  description: `${description} Paid for by x402. Errors: ${paidErrors}, ${errors}.`,
  args: argumentsOf(args),
  extensions: { access: 'public', input: args, paid: true, endpoint: paid.endpoint },
  resolve: (_: unknown, asked: unknown, context: Context) => whole(context, pay(context, paid, asked)),
})

const isEndpoint = (name: unknown): name is Endpoint => typeof name === 'string' && Object.hasOwn(endpoints, name)

/** Throws the challenge when this is a paid field and nothing is offered for it. */
export async function challengeOf(
  context: Context,
  { extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>,
) {
  if (isEndpoint(extensions.endpoint)) await demandPayment(context, extensions.endpoint)
}

/**
 * Work for a paid field, also when it goes on after the payment. Who pays goes by the status: of what is not 200, nothing was
 * delivered, and `Retry-After` says that it may be yet.
 */
export const whole = <T>(context: Context, work: Promise<T>): Promise<T> => work.catch(error => refused(error, context))

function refused(error: unknown, { log, requestId }: Context): never {
  const known = appErrorIn(error)
  if (known === null) log.error({ err: error, requestId }, 'a paid field failed')
  const told = known ?? new AppError('internal_error', undefined, { retryAfterSeconds: 2 })
  told.isWhole = true
  throw told
}
