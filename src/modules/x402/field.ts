// Defines paid GraphQL fields. Each paid field declares itself as paid: in its description, and in extensions that the
// REST and GraphQL transports and the OpenAPI generator read.
import type { GraphQLField } from 'graphql'
import type { z } from 'zod'
import { AppError, type ErrorCode } from '../../core/errors.ts'
import { appErrorIn } from '../../kit/app-error-in.ts'
import type { Context } from '../../kit/context.ts'
import { argumentsOf } from '../../kit/input.ts'
import { demandPayment } from './challenge.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { pay } from './pay.ts'
import type { Paid } from './purchase.ts'

const paidErrors = [
  'payment_required',
  'payment_malformed',
  'payment_conflict',
  'payment_in_progress',
  'settlement_pending',
  'delivery_failed',
  'payments_disabled',
  'disabled_by_configuration',
  'compliance_denied',
  'compliance_unavailable',
  'chain_unavailable',
] as const

type FieldText = {
  description: string
  /** Without those of every paid field. */
  errors: readonly ErrorCode[]
}

const declared = ({ description, errors, endpoint }: FieldText & { endpoint: Endpoint }) => ({
  description: `${description} Paid for by x402.`,
  access: 'public' as const,
  errors: [...paidErrors, ...errors],
  extensions: { paid: true, endpoint, ...priced(endpoint) },
})

/**
 * Returns the options of a paid query field, except its type. `args` are the arguments in the schema; `input` may
 * restrict them further. The names of paid root fields begin with `premium`.
 */
export const paidField = <Input extends z.ZodType, Output extends z.ZodType>({
  args,
  enums,
  ...paid
}: Paid<Input, Output> & FieldText & { args: z.ZodObject; enums?: Parameters<typeof argumentsOf>[1] }) => ({
  ...declared(paid),
  args: argumentsOf(args, enums),
  input: args,
  resolve: (_: unknown, raw: unknown, context: Context) => whole(context, pay(context, paid, raw)),
})

/** Returns the options of a paid mutation, as `paidField` does. `rules` are those of its input in the schema. */
export const paidMutation = <Input extends z.ZodType, Output extends z.ZodType>({
  rules,
  ...paid
}: Paid<Input, Output> & FieldText & { rules: z.ZodObject }) => ({
  ...declared(paid),
  input: rules,
  run: (context: Context, input: object) => whole(context, pay(context, { ...paid, argument: 'input' }, input)),
})

/** `@paid` shows these. */
const priced = (endpoint: Endpoint) => ({ price: endpoints[endpoint].price, path: endpoints[endpoint].path })

const isEndpoint = (name: unknown): name is Endpoint => typeof name === 'string' && Object.hasOwn(endpoints, name)

/** Throws the 402 challenge if this is a paid field and the request carries no payment. */
export async function challengeOf(
  context: Context,
  { extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>,
) {
  if (isEndpoint(extensions.endpoint)) await demandPayment(context, extensions.endpoint)
}

/**
 * Runs work of a paid field, also work that continues after the payment. An error sets the status of the whole
 * response, because paying clients rely on it: a status other than 200 means that nothing was delivered, and
 * `Retry-After` that a retry may deliver it.
 */
export const whole = <T>(context: Context, work: Promise<T>): Promise<T> => work.catch(error => refused(error, context))

function refused(error: unknown, { log }: Context): never {
  const known = appErrorIn(error)
  if (known === null) log.error({ err: error }, 'a paid field failed')
  const shown = known ?? new AppError('internal_error', undefined, { retryAfterSeconds: 2 })
  shown.isWhole = true
  throw shown
}
