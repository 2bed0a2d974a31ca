// The OpenAPI form of every error a route can answer with.
import { type ErrorCode, errorCodes } from '../../core/errors.ts'
import { hasBody } from '../request.ts'
import type { JsonSchema } from '../scalars.ts'
import { limitHeaders, retryAfter } from './door-headers.ts'
import type { Plan } from './plan.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const string = { type: 'string' }

const loc = {
  type: 'array',
  items: { anyOf: [string, { type: 'integer' }] },
  description: 'Where it stands: `body`, `query`, `path` or `header`, then names and indexes.',
}
const issue = { loc, msg: string, type: { ...string, description: 'A stable word such as `missing`.' } }

export const errorSchemas: Record<string, JsonSchema> = {
  ErrorResponse: {
    type: 'object',
    properties: {
      detail: { ...string, description: 'A stable code.' },
      message: { ...string, description: 'For people.' },
      request_id: string,
    },
    required: ['detail', 'message', 'request_id'],
  },
  Problem: {
    type: 'object',
    description: 'The same error as RFC 9457 has it, for callers who accept `application/problem+json`.',
    properties: {
      type: string,
      title: string,
      status: { type: 'integer' },
      detail: { ...string, description: 'For people.' },
      code: { ...string, description: 'A stable code.' },
      request_id: string,
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  },
  HTTPValidationError: {
    type: 'object',
    properties: { detail: { type: 'array', items: ref('ValidationError') } },
    required: ['detail'],
  },
  ValidationError: { type: 'object', properties: issue, required: ['loc', 'msg', 'type'] },
}

const failed = (description: string, headers?: JsonSchema): JsonSchema => ({
  description,
  ...(headers && { headers }),
  content: {
    'application/json': { schema: ref('ErrorResponse') },
    'application/problem+json': { schema: ref('Problem') },
  },
})

const invalid = {
  description: 'A value of the path, query, headers or body is not acceptable.',
  content: { 'application/json': { schema: ref('HTTPValidationError') } },
}

const isCode = (word: string): word is ErrorCode => Object.hasOwn(errorCodes, word)

/** The errors that the field's description lists ("Errors: not_found, conflict."), by status. */
function toldErrors({ field, route }: Plan): Record<string, JsonSchema> {
  const [, list = ''] = field.description?.split('Errors: ') ?? []
  // What stands in brackets says when.
  const told = list.replace(/\([^)]*\)/g, '').match(/[a-z_]+/g) ?? []
  const listed = hasBody(route) ? [...told, 'idempotency_in_progress'] : told
  const byStatus = Map.groupBy(listed.filter(isCode), code => String(errorCodes[code].status))
  // A 422 has a body of its own.
  byStatus.delete('422')
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const meanings = codes.map(code => `\`${code}\`: ${errorCodes[code].meaning}`).join(' ')
      return [status, failed(meanings, ['409', '429', '503'].includes(status) ? retryAfter : undefined)]
    }),
  )
}

/** A route with neither path variables nor a nullable answer always has something to answer with. */
export function errorAnswers(plan: Plan): Record<string, JsonSchema> {
  const { route, params, template, shape } = plan
  const writes = hasBody(route)
  const body = writes && params.some(param => param.in === 'body')
  const guarded = route.access !== 'public'
  return {
    ...(body ? { '400': failed('The body is not readable JSON.') } : {}),
    ...(guarded ? { '401': failed('No credentials, or unknown ones.') } : {}),
    ...(guarded ? { '403': failed('The credentials do not allow this.') } : {}),
    ...(template.names.length > 0 || shape.nullable ? { '404': failed('There is no such thing.') } : {}),
    ...(body ? { '413': failed('The body is larger than 256 KiB.') } : {}),
    ...(body ? { '415': failed('The body is not `application/json`.') } : {}),
    ...(params.length > 0 || writes ? { '422': invalid } : {}),
    ...toldErrors(plan),
    '429': failed('Too many requests.', { ...retryAfter, ...limitHeaders }),
    default: failed('Any other error; `detail` is its code.'),
  }
}
