// The OpenAPI schemas of errors, as a body and as a problem.
import { type ErrorCode, errorCodes } from '../../core/errors.ts'
import type { JsonSchema } from '../scalars.ts'

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const string = { type: 'string' }

export const errorMembers = {
  detail: { ...string, description: 'A stable error code.' },
  message: { ...string, description: 'A message for people.' },
  request_id: string,
}

const left = {
  ...string,
  description: 'Of `refund_too_large`: how much can still be refunded, an exact decimal.',
}

const loc = {
  type: 'array',
  items: { anyOf: [string, { type: 'integer' }] },
  description: 'The location of the value: `body`, `query`, `path` or `header`, then names and indexes.',
}
const issue = { loc, msg: string, type: { ...string, description: 'A stable code such as `missing`.' } }

export const errorSchemas: Record<string, JsonSchema> = {
  ErrorResponse: {
    type: 'object',
    properties: { ...errorMembers, left },
    required: Object.keys(errorMembers),
  },
  Problem: {
    type: 'object',
    description: 'The same error in the form of RFC 9457, for callers that accept `application/problem+json`.',
    properties: {
      type: string,
      title: string,
      status: { type: 'integer' },
      detail: { ...string, description: 'A message for people.' },
      code: { ...string, description: 'A stable error code.' },
      request_id: string,
      left,
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

export const errorContent = {
  'application/json': { schema: ref('ErrorResponse') },
  'application/problem+json': { schema: ref('Problem') },
}

export const meaningOf = (code: ErrorCode) => `\`${code}\`: ${errorCodes[code].meaning}`
