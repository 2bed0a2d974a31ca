// What routes have from the doors: limits on how often they are asked, the Idempotency-Key of those that write, and the form of
// events.
import { unnamed } from '../request.ts'
import type { JsonSchema } from '../scalars.ts'

const ref = (kind: 'headers' | 'parameters', name: string) => ({ $ref: `#/components/${kind}/${name}` })
const string = { type: 'string' }

export const doorParameters: Record<string, JsonSchema> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Chosen by the caller, for instance a UUID: a request that comes again with the same key is not carried out again. ' +
      'For 24 hours the same caller gets the first answer for the same path and body, and 422 for others; while the first ' +
      'is under way it is 409. Callers without credentials are told apart by their address and their payment alone, ' +
      'so theirs must not be guessable. Not kept are answers of 401, 402, 403, 429, 5xx, those with `Retry-After`, and more than 4 MiB (64 KiB without ' +
      'credentials), nor what was refused with a payment: then a retry is carried out. An API key is shown once: in an ' +
      'answer sent again `null` stands for it.',
    schema: { ...string, minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  Unnamed: {
    name: unnamed,
    in: 'query',
    required: false,
    description:
      'With `1` the events have no name: for clients that read only unnamed messages, such as `onmessage` of an EventSource.',
    schema: { ...string, enum: ['1'] },
  },
}

export const doorHeaders: Record<string, JsonSchema> = {
  RateLimit: {
    description: 'What is left of a limit, and in how many seconds it is renewed. Absent for administrators.',
    schema: string,
    example: '"key";r=5999;t=42',
  },
  RateLimitPolicy: {
    description: 'The limit: its name, how many requests, in how many seconds. Absent for administrators.',
    schema: string,
    example: '"key";q=6000;w=60',
  },
  RetryAfter: { description: 'Seconds after which to try again.', schema: { type: 'integer' } },
  RequestId: {
    description: 'The `X-Request-ID` of the request, or a new one. The log knows the request by it.',
    required: true,
    schema: string,
  },
  Challenge: { description: 'That an API key is wanted, and where it goes.', required: true, schema: string },
  IdempotencyReplayed: {
    description: 'Present when this is the answer to an earlier request with this Idempotency-Key.',
    schema: { ...string, const: 'true' },
  },
}

export const unnamedEvents = ref('parameters', 'Unnamed')
export const idempotencyKey = ref('parameters', 'IdempotencyKey')
export const retryAfter = { 'Retry-After': ref('headers', 'RetryAfter') }
export const limitHeaders = {
  RateLimit: ref('headers', 'RateLimit'),
  'RateLimit-Policy': ref('headers', 'RateLimitPolicy'),
}
export const requestId = { 'X-Request-ID': ref('headers', 'RequestId') }
export const challenge = { 'WWW-Authenticate': ref('headers', 'Challenge') }
export const replayHeaders = { 'Idempotency-Replayed': ref('headers', 'IdempotencyReplayed') }
