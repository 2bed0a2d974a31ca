// Finds the document of a request that names it by its id: `documentId` of GraphQL over HTTP, or the form of Apollo's
// persisted queries. Documents that clients send are never stored under an id.
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import { isSha256Of, type TrustedDocuments } from './trusted.ts'

/** The parameters of a request, not checked yet. */
export type Parameters = Readonly<Record<string, unknown>>

const persistedQuery = z.object({ version: z.literal(1), sha256Hash: z.string() })

/**
 * Returns the text of the document that a request with an id asks for; null for a request without an id. Throws
 * `document_not_found`, `PERSISTED_QUERY_NOT_FOUND`, `document_mismatch` or `invalid_graphql`.
 */
export function identified(parameters: Parameters, { textOf }: Pick<TrustedDocuments, 'textOf'>): string | null {
  const ids = [documentIdIn(parameters), persistedIdIn(parameters)].filter(id => id !== null)
  if (ids.length === 0) return null
  // Clients send null or an empty text in place of none.
  let text = parameters.query || undefined
  if (text !== undefined && typeof text !== 'string') throw invalid('query must be a string.')
  for (const { id, notFound } of ids) {
    const known = textOf(id)
    if (text === undefined && known === undefined) throw notFound()
    text ??= known
    if (text !== known && !isSha256Of(id, String(text))) throw new AppError('document_mismatch')
  }
  return String(text)
}

/** Returns the id in the parameters of a request whose document it named. */
export const idIn = (parameters: Parameters): string | null =>
  (documentIdIn(parameters) ?? persistedIdIn(parameters))?.id ?? null

type Id = { id: string; notFound(): AppError }

function documentIdIn({ documentId }: Parameters): Id | null {
  if (documentId === undefined || documentId === null) return null
  if (typeof documentId !== 'string') throw invalid('documentId must be a string.')
  return { id: documentId, notFound: () => new AppError('document_not_found') }
}

function persistedIdIn({ extensions }: Parameters): Id | null {
  const sent: unknown = Reflect.get(Object(extensions), 'persistedQuery')
  if (sent === undefined || sent === null) return null
  const { success, data } = persistedQuery.safeParse(sent)
  if (!success) throw invalid('extensions.persistedQuery must be { version: 1, sha256Hash: "…" }.')
  // The message by which older clients recognise the error.
  return { id: data.sha256Hash, notFound: () => new AppError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound') }
}

const invalid = (message: string) => new AppError('invalid_graphql', message)
