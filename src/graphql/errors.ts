// Errors as a GraphQL caller sees them: with one of the service's codes, and without internal details.
import { GraphQLError } from 'graphql'
import type { Logger } from 'pino'
import { AppError, errorCodes } from '../core/errors.ts'
import { noteCode } from '../core/scope.ts'
import { appErrorIn, isFault } from '../kit/app-error-in.ts'
import { errorFields } from './error-fields.ts'

/** Returns the error as callers see it: those of the service and of their own request. Logs and masks any other. */
export function maskedError(error: unknown, log: Logger): GraphQLError {
  const known = appErrorIn(error)
  const at = error instanceof GraphQLError ? error : null
  if (known !== null) {
    if (isFault(known)) log.error({ err: error }, known.code)
    return asGraphql(known, at)
  }
  if (at !== null && isOfRequest(at)) return requestError(at)
  log.error({ err: at?.originalError ?? error, path: at?.path }, 'a resolver failed')
  return asGraphql(new AppError('internal_error'), at)
}

/**
 * The document and the variables are read before any field is resolved, so their errors have no path. With a path, only
 * an argument that is null is a mistake of the caller. Its error names a place in the document; that of a value which a
 * scalar cannot write names none.
 */
function isOfRequest({ originalError: original, path, extensions }: GraphQLError): boolean {
  if (original !== undefined)
    return original instanceof GraphQLError && (path === undefined || original.nodes !== undefined)
  return path === undefined || hasCode(extensions)
}

const hasCode = ({ code }: GraphQLError['extensions']): boolean => typeof code === 'string' && code in errorCodes

// The message quotes the caller's input, which may have any length.
const longestMessage = 500

/** Returns the error of a wrong document, variable or request as callers see it; a code of the service is kept. */
export function requestError(error: GraphQLError): GraphQLError {
  const { message, nodes, source, positions, path, extensions } = error
  const code = hasCode(extensions) ? extensions.code : 'invalid_graphql'
  noteCode(String(code))
  return new GraphQLError(message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message, {
    nodes,
    source,
    positions,
    path,
    extensions: { ...extensions, code },
  })
}

export function asGraphql(error: AppError, at: GraphQLError | null = null): GraphQLError {
  const { status, retryAfterSeconds, isWhole } = error
  const retry = retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) }
  // Yoga drops the status of an error with `spec` for clients that accept JSON alone.
  const http = isWhole ? { status, spec: false, headers: { ...retry, ...error.headers } } : undefined
  const { message, extensions } = errorFields(error)
  noteCode(error.code)
  return new GraphQLError(message, {
    nodes: at?.nodes,
    path: at?.path,
    extensions: { ...extensions, ...(http && { http }) },
  })
}
