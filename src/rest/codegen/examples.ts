// Adds the requests and responses of a real run, which `npm run examples` writes to rest/examples.json, to the OpenAPI
// document.
import { z } from 'zod'
import type { JsonSchema } from '../scalars.ts'

const members = z.record(z.string(), z.unknown())
const answer = z.strictObject({
  type: z.string().optional(),
  body: z.unknown().optional(),
  headers: members.optional(),
})
const example = z.strictObject({
  /** Absent when the run had no successful response. `payment` is the PAYMENT-SIGNATURE of a paid operation. */
  request: z
    .strictObject({
      path: members.optional(),
      query: members.optional(),
      body: z.unknown().optional(),
      payment: z.string().optional(),
    })
    .optional(),
  /** By status. */
  answers: z.record(z.string(), answer),
})

/** By operationId, in the order of the run. */
export const examplesForm = z.record(z.string(), example)
export type Example = z.infer<typeof example>
export type Examples = z.infer<typeof examplesForm>

const parameter = z.looseObject({ name: z.string().optional(), in: z.string().optional() })
const media = z.record(z.string(), members)
const response = z.looseObject({ headers: z.record(z.string(), members).optional(), content: media.optional() })
const operation = z.looseObject({
  parameters: z.array(parameter).optional(),
  requestBody: z.looseObject({ content: media }).optional(),
  responses: z.record(z.string(), response),
})

/** A `$ref` is left as it is, because its target has the example. */
const withExample = (described: JsonSchema, value: unknown): JsonSchema =>
  value === undefined || '$ref' in described ? described : { ...described, example: value }

export type Origins = ReadonlyMap<string, string>

/** Maps each id in the examples to a description of the response member that first contains it. */
export function originsOf(examples: Examples, routes: readonly { operationId: string; route: string }[]): Origins {
  const found = new Map<string, string>()
  const note = (value: unknown, member: string, route: string): void => {
    if (typeof value === 'string' && isId.test(value) && !found.has(value)) {
      found.set(value, `\`${member}\` in an answer to \`${route}\``)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        const name = Array.isArray(value) ? member : member === '' ? key : `${member}.${key}`
        note(inner, name, route)
      }
    }
  }
  for (const [id, { answers }] of Object.entries(examples)) {
    const { route } = routes.find(({ operationId }) => operationId === id) ?? {}
    if (route !== undefined) note(answers['200']?.body, '', route)
  }
  return found
}

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const described = z.looseObject({ description: z.string().optional() })

/** Describes from which earlier response the id in a path parameter comes. */
function withOrigin(parameter: JsonSchema, value: unknown, origins: Origins): JsonSchema {
  const origin = typeof value === 'string' ? origins.get(value) : undefined
  const { description = '', ...others } = described.parse(parameter)
  return origin === undefined ? parameter : { ...others, description: `${description} It is ${origin}.`.trim() }
}

const choice = z.looseObject({ enum: z.array(z.unknown()).min(1) })

/**
 * A parameter that was not sent has no example. Scalar would nevertheless send the first value of an enum, which
 * `x-disabled` prevents.
 */
function withParameter(
  node: z.infer<typeof parameter>,
  { path, query }: NonNullable<Example['request']>,
  origins: Origins,
): JsonSchema {
  const sent = node.in === 'path' ? path : node.in === 'query' ? query : undefined
  const value = node.name === undefined ? undefined : sent?.[node.name]
  const { success, data } = choice.safeParse(node.schema)
  if (node.in === 'path') return withOrigin(withExample(node, value), value, origins)
  if (value !== undefined || !success) return withExample(node, value)
  return { ...node, examples: { unsent: { value: data.enum[0], 'x-disabled': true } } }
}

function withAnswer(described: z.infer<typeof response>, { type, body, headers = {} }: z.infer<typeof answer>) {
  const { headers: named = {}, content = {} } = described
  const headerExamples = Object.entries(named).map(([name, header]) => [name, withExample(header, headers[name])])
  const kinds = Object.entries(content).map(([kind, schema]) => [
    kind,
    withExample(schema, kind === type ? body : undefined),
  ])
  return {
    ...described,
    ...(headerExamples.length > 0 && { headers: Object.fromEntries(headerExamples) }),
    ...(kinds.length > 0 && { content: Object.fromEntries(kinds) }),
  }
}

export function withExamples(node: JsonSchema, { request = {}, answers }: Example, origins: Origins): JsonSchema {
  const { parameters, requestBody, responses, ...others } = operation.parse(node)
  const json = requestBody?.content['application/json']
  return {
    ...others,
    ...(parameters && { parameters: parameters.map(one => withParameter(one, request, origins)) }),
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        ...(json && { content: { 'application/json': withExample(json, request.body) } }),
      },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, one]) => [status, withAnswer(one, answers[status] ?? {})]),
    ),
  }
}

/**
 * Adds one example of the payment headers for all operations. `x-disabled` keeps Scalar from sending it with each trial
 * request, because a payment is valid for one request.
 */
export function withPaymentExamples(
  described: Record<string, JsonSchema>,
  examples: Examples,
): { PaymentSignature: JsonSchema; PaymentRequired: JsonSchema; PaymentResponse: JsonSchema } {
  const paid = Object.values(examples).find(({ request }) => request?.payment !== undefined)
  const { PaymentSignature = {}, PaymentRequired = {}, PaymentResponse = {} } = described
  const value = paid?.request?.payment
  return {
    PaymentSignature:
      value === undefined
        ? PaymentSignature
        : { ...PaymentSignature, examples: { paid: { value, 'x-disabled': true } } },
    PaymentRequired: withExample(PaymentRequired, paid?.answers['402']?.headers?.['PAYMENT-REQUIRED']),
    PaymentResponse: withExample(PaymentResponse, paid?.answers['200']?.headers?.['PAYMENT-RESPONSE']),
  }
}
