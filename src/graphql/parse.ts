// Parses a document within the limits on its size.
import { type DocumentNode, GraphQLError, parse } from 'graphql'
import { documentLimits } from '../core/request-limits.ts'
import { demandBounded } from './bounds.ts'
import { requestError } from './errors.ts'

/** Throws a `GraphQLError` with a code. */
export function parsed(source: string): DocumentNode {
  try {
    const document = parse(source, { maxTokens: documentLimits.tokens })
    demandBounded(document)
    return document
  } catch (error) {
    throw error instanceof GraphQLError ? requestError(asTooLarge(error)) : error
  }
}

function asTooLarge(error: GraphQLError): GraphQLError {
  if (!/ tokens\. Parsing aborted/.test(error.message)) return error
  const maximum = documentLimits.tokens
  const message = `The document has more than ${maximum} tokens. Send values as variables, and ask in several requests.`
  return new GraphQLError(message, { ...error, extensions: { code: 'document_too_large', limit: 'tokens', maximum } })
}
