// The clients of the service: urql for what is asked once, graphql-sse for what is followed.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { type DocumentNode, print } from 'graphql'
import { createClient } from 'graphql-sse'
import { Client, cacheExchange, fetchExchange } from 'urql'
import { authorized } from './session.ts'

// Resolved against the service once there is a session; urql wants an absolute address.
const graphqlUrl = 'graphql'

export const client = new Client({
  url: graphqlUrl,
  fetch: authorized,
  preferGetMethod: false,
  // A page that was open for long shows what is true now.
  requestPolicy: 'cache-and-network',
  exchanges: [cacheExchange, fetchExchange],
})

type Generated<Data, Variables> = TypedDocumentNode<Data, Variables> & { __meta__?: { hash?: string } }

const hashOf = <Data, Variables>(document: Generated<Data, Variables>): string | undefined => document.__meta__?.hash

/** Makes a document that the built page sends as its hash: the operator of the service may allow no others. */
export function trusted<Data, Variables>(document: Generated<Data, Variables>): TypedDocumentNode<Data, Variables> {
  const documentId = hashOf(document)
  if (!import.meta.env.PROD || documentId === undefined) return document
  return { kind: 'Document', definitions: [], documentId } as unknown as TypedDocumentNode<Data, Variables>
}

const streams = createClient({
  url: `${graphqlUrl}/stream`,
  fetchFn: authorized,
  retryAttempts: Number.POSITIVE_INFINITY,
})

type Failure = { code: string; message: string }

/**
 * Follows a subscription until the returned function is called. A stream that breaks goes on after the last cursor.
 * `failed` gets the code of a refusal, and nothing follows it.
 */
export function follow<Data, Variables extends { after?: string | null | undefined }>(
  document: Generated<Data, Variables>,
  given: Variables,
  next: (data: Data) => void,
  failed: (failure: Failure) => void,
): () => void {
  const variables = { ...given }
  const documentId = import.meta.env.PROD ? hashOf(document) : undefined
  const operation = documentId === undefined ? { query: print(document as DocumentNode) } : { documentId }
  return streams.subscribe<Data>({ ...operation, variables } as never, {
    next({ data, errors }) {
      if (errors?.[0] || !data) {
        const code = String(errors?.[0]?.extensions?.code ?? 'unknown')
        return failed({ code, message: errors?.[0]?.message ?? '' })
      }
      const [change] = Object.values(data as Record<string, { cursor?: string }>)
      if (change?.cursor) variables.after = change.cursor
      next(data as Data)
    },
    error: error => failed({ code: 'stream', message: error instanceof Error ? error.message : String(error) }),
    complete: () => undefined,
  })
}
