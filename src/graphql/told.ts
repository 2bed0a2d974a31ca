// Errors as a GraphQL caller sees them: with one of our codes, and without anything that is no business of his.
import { AsyncLocalStorage } from 'node:async_hooks'
import { GraphQLError } from 'graphql'
import type { Logger } from 'pino'
import { AppError, errorCodes } from '../core/errors.ts'
import { appErrorIn } from '../kit/app-error-in.ts'

/** The request in whose course something is logged: yoga masks errors without saying whose they are. */
export const requestIds = new AsyncLocalStorage<string>()

/** What a caller may see of an error: our own codes, and mistakes in his document. Everything else is logged and masked. */
export function told(error: unknown, log: Logger): GraphQLError {
  const known = appErrorIn(error)
  const at = error instanceof GraphQLError ? error : null
  if (known !== null) {
    if (known.status >= 500) log.error({ err: error, requestId: requestIds.getStore() }, known.code)
    return asGraphql(known, at)
  }
  // A scalar that refuses a variable throws before anything has a path.
  if (at !== null && (at.originalError === undefined || (at.originalError instanceof GraphQLError && !at.path))) {
    return mistake(at)
  }
  const requestId = requestIds.getStore()
  log.error({ err: at?.originalError ?? error, path: at?.path, requestId }, 'a resolver failed')
  return asGraphql(new AppError('internal_error'), at)
}

// A mistake is worded with what the caller wrote, at any length.
const longestMessage = 500

/** A mistake in the document, the variables or the request; an error that has one of our codes keeps it. */
export function mistake(error: GraphQLError): GraphQLError {
  const { message, nodes, source, positions, path, extensions } = error
  // graphql-jit makes errors without them.
  const code: unknown = extensions?.code
  return new GraphQLError(message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message, {
    nodes,
    source,
    positions,
    path,
    extensions: { ...extensions, code: typeof code === 'string' && code in errorCodes ? code : 'invalid_graphql' },
  })
}

function asGraphql(error: AppError, at: GraphQLError | null): GraphQLError {
  const { code, status, issues, retryAfterSeconds, body, isWhole } = error
  const retry = retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) }
  const http = isWhole ? { status, headers: { ...retry, ...error.headers } } : undefined
  return new GraphQLError(error.message, {
    nodes: at?.nodes,
    path: at?.path,
    extensions: { code, ...body, ...(issues.length > 0 && { issues }), ...(http && { http }) },
  })
}
