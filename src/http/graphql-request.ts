// Reads a GraphQL request. One that names its document by an id is changed into one with the document's text, because
// yoga and graphql-sse know no other form.
import type { Request, Response } from 'express'
import { AppError } from '../core/errors.ts'
import type { BodyLimits } from '../core/request-limits.ts'
import { identified, idIn, type Parameters } from '../graphql/identified.ts'
import type { TrustedDocuments } from '../graphql/trusted.ts'
import { readBody } from '../rest/body.ts'

export type GraphqlRequest = {
  /** The text of the document; null where yoga is to refuse the request. */
  query: string | null
  /** The id by which the request names its document. */
  document: string | null
  /** Whether only the cost is asked for. */
  isDryRun: boolean
  /** The body as it was sent. */
  sent: Buffer
  /** Returns the body with the document's text. */
  body(): string
}

/** Leaves the parameters of a POST in `req.body`. Throws for a body that is no GraphQL request, and as `identified`. */
export async function readGraphqlRequest(
  req: Request,
  res: Response,
  documents: TrustedDocuments,
  limits: BodyLimits,
): Promise<GraphqlRequest> {
  if (req.method === 'POST') return readPost(req, res, documents, limits)
  return {
    ...(req.method === 'GET' ? readGet(req, documents) : { query: null, document: null }),
    isDryRun: false,
    sent: Buffer.alloc(0),
    body: () => '',
  }
}

// The body is read here, because yoga's own size limit costs half of the throughput.
async function readPost(
  req: Request,
  res: Response,
  documents: TrustedDocuments,
  limits: BodyLimits,
): Promise<GraphqlRequest> {
  const read = await readBody(req, res, limits)
  const sent = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
  const parameters = read.isPresent ? read.value : null
  if (!isObject(parameters)) throw noDocument()
  const text = identified(parameters, documents)
  const isDryRun = asksForDryRun(parameters.extensions)
  const query = text ?? parameters.query
  if (typeof query !== 'string') throw noDocument()
  if (text === null) {
    req.body = parameters
    return { query, document: null, isDryRun, sent, body: () => sent.toString() }
  }
  const { documentId: _, ...others } = parameters
  req.body = { ...others, query }
  return { query, document: idIn(parameters), isDryRun, sent, body: () => JSON.stringify(req.body) }
}

function readGet(req: Request, documents: TrustedDocuments): Pick<GraphqlRequest, 'query' | 'document'> {
  const [path = '', search = ''] = req.originalUrl.split(/\?(.*)/s)
  const parameters = new URLSearchParams(search)
  objectIn(parameters, 'variables')
  const extensions = objectIn(parameters, 'extensions')
  if (asksForDryRun(extensions)) throw new AppError('invalid_graphql', 'A dry run is POSTed.')
  const named = { documentId: parameters.get('documentId') || null, extensions, query: parameters.get('query') }
  const text = identified(named, documents)
  if (text === null) {
    const query = parameters.get('query')
    // A reserved stream is opened without a query.
    if (!query && path === '/graphql')
      throw new AppError('invalid_graphql', 'Send `query` or `documentId` in the URL, or POST a body.')
    return { query, document: null }
  }
  parameters.delete('documentId')
  parameters.set('query', text)
  req.url = `${path}?${parameters}`
  req.originalUrl = req.url
  return { query: text, document: idIn(named) }
}

/** Returns a parameter of a URL that must be a JSON object if it is there. */
function objectIn(parameters: URLSearchParams, name: 'variables' | 'extensions'): unknown {
  const text = parameters.get(name)
  if (!text) return null
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || isObject(value)) return value
  } catch {
    // Reported below.
  }
  throw new AppError('invalid_graphql', `\`${name}\` must be a JSON object.`)
}

const isObject = (value: unknown): value is Parameters =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Throws `invalid_graphql` for a value that is no boolean, because a run that was meant to be dry could pay. */
function asksForDryRun(extensions: unknown): boolean {
  const value = isObject(extensions) ? (extensions.dryRun ?? false) : false
  if (typeof value !== 'boolean') throw new AppError('invalid_graphql', '`extensions.dryRun` must be true or false.')
  return value
}

const noDocument = () =>
  new AppError('invalid_graphql', 'The body must be a JSON object with a query, or with the documentId of a document.')
