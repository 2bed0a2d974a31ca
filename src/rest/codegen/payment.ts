// Parts of OpenAPI for a route that is paid for by x402, version 2: the three headers and the challenge.
import { errorCodes } from '../../core/errors.ts'
import type { JsonSchema } from '../scalars.ts'
import { errorContent, errorMembers, meaningOf } from './error-shapes.ts'
import { retryAfter } from './shared-components.ts'

const ref = (kind: 'headers' | 'parameters' | 'schemas', name: string) => ({ $ref: `#/components/${kind}/${name}` })
const string = { type: 'string' }
const base64 = { ...string, contentEncoding: 'base64', contentMediaType: 'application/json' }

export const paymentParameters: Record<string, JsonSchema> = {
  PaymentSignature: {
    name: 'PAYMENT-SIGNATURE',
    in: 'header',
    required: false,
    description:
      'Base64 of JSON: the payment in the form of x402 version 2, with one entry of `accepts` as `accepted` and the ' +
      'challenge’s `extensions`. Without a payment the answer is 402. A payment sent again for the same request ' +
      'receives the same response for 24 hours and is charged once. The same applies to another payment of the same ' +
      'payer with the same `payment-identifier`, an `id` of 16 to 128 letters, digits, hyphens and underscores. Path ' +
      'and headers together must be smaller than 16 KiB; otherwise the answer is 431.',
    schema: { ...base64, pattern: '^[A-Za-z0-9+/_-]+={0,2}$' },
  },
}

export const paymentHeaders: Record<string, JsonSchema> = {
  PaymentRequired: {
    description: 'Base64 of JSON: the challenge, as in the body.',
    required: true,
    schema: base64,
  },
  PaymentResponse: {
    description:
      'Base64 of JSON: `success`, `transaction` (its hash), `network` and `payer` of the settlement; `errorReason` if it failed.',
    schema: base64,
  },
}

const requirement = {
  type: 'object',
  description: 'The required payment: an EIP-3009 authorization of this token.',
  properties: {
    scheme: { ...string, const: 'exact' },
    network: { ...string, description: 'CAIP-2 id of the token’s network.' },
    amount: { ...string, pattern: '^[0-9]+$', description: 'In the token’s smallest units.' },
    asset: { ...string, description: 'The token’s contract, lower-case.' },
    payTo: { ...string, description: 'The address that is paid, lower-case.' },
    maxTimeoutSeconds: {
      type: 'integer',
      description: 'How long an authorization must be valid. It is accepted when it ends up to 3,700 s from now.',
    },
    extra: {
      type: 'object',
      description: 'Name and version of the token’s EIP-712 domain; payment precedes the operation (`upfront`).',
      properties: { name: string, version: string, paymentFlow: { ...string, const: 'upfront' } },
      required: ['name', 'version', 'paymentFlow'],
    },
  },
  required: ['scheme', 'network', 'amount', 'asset', 'payTo', 'maxTimeoutSeconds', 'extra'],
}

const challenge = {
  x402Version: { type: 'integer', const: 2 },
  error: { ...string, description: 'The reason: the request had no payment, or why its payment was refused.' },
  resource: {
    type: 'object',
    description: 'The paid resource.',
    properties: { url: { ...string, format: 'uri' }, description: string, mimeType: string },
    required: ['url', 'description', 'mimeType'],
  },
  accepts: { type: 'array', items: ref('schemas', 'PaymentRequirement'), minItems: 1 },
  extensions: { type: 'object', description: 'The client sends them back unchanged.' },
}

export const paymentSchemas: Record<string, JsonSchema> = {
  PaymentRequired: {
    type: 'object',
    description: 'The x402 challenge, with the members of every error.',
    properties: { ...errorMembers, ...challenge },
    required: [...Object.keys(errorMembers), ...Object.keys(challenge)],
  },
  PaymentRequirement: requirement,
}

export const paymentSignature = ref('parameters', 'PaymentSignature')
export const paymentResponse = { 'PAYMENT-RESPONSE': ref('headers', 'PaymentResponse') }

/** By status. */
export const paymentAnswers: Record<string, JsonSchema> = {
  '402': {
    description: meaningOf('payment_required'),
    headers: { 'PAYMENT-REQUIRED': ref('headers', 'PaymentRequired'), ...paymentResponse },
    content: { ...errorContent, 'application/json': { schema: ref('schemas', 'PaymentRequired') } },
  },
  [errorCodes.headers_too_large.status]: { description: meaningOf('headers_too_large'), content: errorContent },
  [errorCodes.delivery_failed.status]: {
    description: `${meaningOf('delivery_failed')} The response then has \`Retry-After\` and \`PAYMENT-RESPONSE\`.`,
    headers: { ...retryAfter, ...paymentResponse },
    content: errorContent,
  },
}
