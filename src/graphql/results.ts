// The form of results and errors in an event stream, whose response has begun by then.
import type { ExecutionResult, GraphQLError } from 'graphql'
import { requestError } from './errors.ts'

// Removes the HTTP status.
function shown(error: GraphQLError): GraphQLError {
  const inStream = requestError(error)
  delete inStream.extensions.http
  return inStream
}

export const withShownErrors = ({ errors, ...result }: ExecutionResult): ExecutionResult => ({
  ...result,
  ...(errors && { errors: errors.map(shown) }),
})

/** Returns a result as graphql-sse requires it: always with `data`. */
export const asResult = (result: ExecutionResult): ExecutionResult =>
  withShownErrors({ ...result, data: result.data ?? null })
