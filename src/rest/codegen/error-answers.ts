// The OpenAPI form of every error a route can answer with.
import { z } from 'zod'
import { type ErrorCode, errorCodes } from '../../core/errors.ts'
import { hasBody } from '../request.ts'
import type { JsonSchema } from '../scalars.ts'
import { errorContent, meaningOf, ref } from './error-shapes.ts'
import { paymentAnswers } from './payment.ts'
import type { Plan } from './plan.ts'
import { challenge, limitHeaders, retryAfter } from './shared-components.ts'

const failed = (description: string, headers?: JsonSchema): JsonSchema => ({
  description,
  ...(headers && { headers }),
  content: errorContent,
})

const invalid = {
  description: 'A value of the path, query, headers or body is not acceptable.',
  content: { 'application/json': { schema: ref('HTTPValidationError') } },
}

const declared = z.array(z.custom<ErrorCode>(code => typeof code === 'string' && Object.hasOwn(errorCodes, code)))

/** Returns the errors that the field declares, by status. */
function declaredErrors({ field, route, annotation }: Plan): Record<string, JsonSchema> {
  const ofBody: ErrorCode[] = hasBody(route) ? ['invalid_json', 'idempotency_in_progress'] : []
  const ofAccess: ErrorCode[] = annotation.access ? ['unauthenticated'] : []
  const codes = [
    ...ofAccess,
    ...(field.name === '__typename' ? [] : declared.parse(field.extensions.errors)),
    ...ofBody,
  ]
  const byStatus = Map.groupBy(codes, code => String(errorCodes[code].status))
  // A 422 has its own body schema.
  byStatus.delete('422')
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const meanings = codes.map(meaningOf).join(' ')
      return [status, failed(meanings, headersOf(status))]
    }),
  )
}

const headersOf = (status: string) =>
  status === '401' ? challenge : ['409', '429', '503'].includes(status) ? retryAfter : undefined

/** A route with neither path variables nor a nullable result never answers 404. */
export function errorAnswers(plan: Plan): Record<string, JsonSchema> {
  const { route, template, shape } = plan
  // A body is also read on a route that declares none.
  const body = hasBody(route)
  const guarded = route.access !== 'public'
  return {
    '401': failed(guarded ? 'No credentials, or unknown ones.' : 'The request has an unknown API key.', challenge),
    ...(guarded ? { '403': failed('The credentials do not allow this.') } : {}),
    ...(template.names.length > 0 || shape.nullable ? { '404': failed('The resource does not exist.') } : {}),
    ...(body ? { '413': failed('The body is larger than 256 KiB.') } : {}),
    ...(body ? { '415': failed('The body is not `application/json`.') } : {}),
    // Also on a route without parameters, because an unknown parameter is refused.
    '422': invalid,
    ...declaredErrors(plan),
    ...(plan.paid ? paymentAnswers : {}),
    '429': failed('Too many requests.', { ...retryAfter, ...limitHeaders }),
    default: failed('Any other error; `detail` is its code.'),
  }
}
