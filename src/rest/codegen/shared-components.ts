// Components of the OpenAPI document that routes share: rate limit headers, the Idempotency-Key of POST and PUT, and
// the option for unnamed events.
import { unnamed } from '../request.ts'
import type { JsonSchema } from '../scalars.ts'

const ref = (kind: 'headers' | 'parameters', name: string) => ({ $ref: `#/components/${kind}/${name}` })
const string = { type: 'string' }

export const sharedParameters: Record<string, JsonSchema> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Chosen by the caller, for instance a UUID: a request sent again with the same key is not carried out again. ' +
      'For 24 hours the same caller receives the first response for the same path and body, and 422 for another path ' +
      'or body; while the first request is being carried out, the answer is 409. Callers without credentials are ' +
      'distinguished only by their address and their payment, so their keys must not be guessable. A response is not ' +
      'stored, and a retry is carried out, when its status is 400, 401, 402, 403, 405, 413, 415, 422, 429 or 5xx, ' +
      'when it has `Retry-After`, when it is larger than 1 MiB (64 KiB without credentials), and when it refuses a ' +
      'request with a payment. An API key is shown once: a replayed response has `null` in its place.',
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

export const sharedHeaders: Record<string, JsonSchema> = {
  RateLimit: {
    description: 'What is left of a limit, and in how many seconds the limit is reset. Absent for administrators.',
    schema: string,
    example: '"key";r=5999;t=42',
  },
  RateLimitPolicy: {
    description: 'The limit: its name, its quota, and its window in seconds. Absent for administrators.',
    schema: string,
    example: '"key";q=6000;w=60',
  },
  RetryAfter: { description: 'Seconds after which to try again.', schema: { type: 'integer' } },
  RequestId: {
    description: 'The `X-Request-ID` of the request, or a new one. Log entries of the request carry it.',
    required: true,
    schema: string,
  },
  Challenge: { description: 'That an API key is required, and in which header.', required: true, schema: string },
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
