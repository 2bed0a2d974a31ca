// GraphQL over HTTP in Express: reads the body, charges the caller, replays stored responses, and answers an ordinary
// request itself. Yoga answers all others.
import type { Request, RequestHandler, Response } from 'express'
import { GraphQLError, getOperationAST, OperationTypeNode } from 'graphql'
import { AppError } from '../core/errors.ts'
import { bodyLimits, keyedBodyLimits } from '../core/request-limits.ts'
import { currentScope, noteCode } from '../core/scope.ts'
import { demandPublicField } from '../graphql/access.ts'
import { dryRun, valuesOf } from '../graphql/begin.ts'
import { errorFields } from '../graphql/error-fields.ts'
import { isLive, liveAnswers } from '../graphql/live.ts'
import { asksForPaidField } from '../graphql/one-paid-field.ts'
import { schema } from '../graphql/schema.ts'
import { graphqlServer } from '../graphql/server.ts'
import type { TrustedDocuments } from '../graphql/trusted.ts'
import { replayOrCapture } from '../idempotency/once.ts'
import { hasIdempotencyKey, idempotentRequest, keyOf, noStreams } from '../idempotency/request.ts'
import { appErrorIn, isFault } from '../kit/app-error-in.ts'
import type { App, Context } from '../kit/context.ts'
import { credentialOf } from '../limits/credential.ts'
import type { Gate } from '../limits/gate.ts'
import { keeperOf, reservedStreams } from '../limits/reserved-streams.ts'
import { watchAnswer } from '../modules/keys/open-answers.ts'
import type { Tunnels } from '../ports/tunnels.ts'
import { isRead } from '../rest/answer.ts'
import { pathOf } from './base-path.ts'
import { answerDirectly, type Rest } from './graphql-direct.ts'
import { type GraphqlRequest, readGraphqlRequest } from './graphql-request.ts'
import { asksForPage, graphiqlPage, hasApiPages } from './pages.ts'
import { relay } from './relay.ts'

export type GraphqlOptions = {
  app: App
  documents: TrustedDocuments
  /** Whether browsers get GraphiQL. */
  hasGraphiql: boolean
  gate: Gate
  tunnels: Tunnels
  /** Identifies the caller and charges the request. */
  enter(req: Request, res: Response): Context | Promise<Context>
  /** Returns the context that `enter` made for this request. */
  contextOf(res: Response): Context
}

// HEAD is for the page alone.
const methods = new Set(['GET', 'POST', 'OPTIONS'])
const answers = /application\/(graphql-response\+json|json|\*)|text\/(event-stream|\*)|multipart\/mixed|\*\/\*/i

/** Handles /graphql and /graphql/stream. */
export function graphqlHandler({
  app,
  documents,
  hasGraphiql,
  gate,
  tunnels,
  enter,
  contextOf,
}: GraphqlOptions): RequestHandler {
  const graphql = graphqlServer(contextOf, documents, app.log)
  const streamOf = reservedStreams((url, init) => graphql.fetch(url, init), app.log, tunnels.processId)
  const answerLive = liveAnswers(documents, app.log)
  const sendGraphiql = graphiqlPage(pathOf(app.publicBaseUrl))

  /** Reads the new document of a caller without credentials. Throws `unauthenticated` where nothing in it is public. */
  function readStrange(query: string): void {
    try {
      documents.read(query, document => demandPublicField(schema, document))
    } catch (error) {
      if (error instanceof GraphQLError && error.originalError instanceof AppError) throw error
    }
  }

  /** Returns the operation to run, with its document; null for a document that yoga will refuse. */
  function operationIn({ body }: Request) {
    try {
      const known = documents.read(body.query)
      const name: string | undefined = typeof body.operationName === 'string' ? body.operationName : undefined
      const operation = getOperationAST(known.document, name)
      if (!operation) return null
      const prepared = known.errors.length > 0 ? null : documents.operation(known, name, valuesOf(body.variables))
      return { known, name, operation, prepared }
    } catch {
      return null
    }
  }
  type Found = NonNullable<ReturnType<typeof operationIn>>

  // A query may be repeated any number of times, so its response is stored only if it is paid.
  const isKept = ({ known, operation }: Found): boolean =>
    operation.operation === OperationTypeNode.MUTATION || asksForPaidField(schema, known.document, operation)

  /**
   * Counts an event stream, and registers it to be cut when the caller's key or session ends. Throws
   * `too_many_requests`, `not_found`, and `validation_failed` for a request with an Idempotency-Key.
   */
  function beginStream(req: Request, res: Response, { allowance, principal }: Context): void {
    if (hasIdempotencyKey(req)) throw noStreams()
    const follower = streamOf(req, res, allowance)
    if (principal.kind === 'key' && follower) watchAnswer(app, String(credentialOf(req.headers)), follower)
  }

  /** Answers a request with an Idempotency-Key by a stored or a new response. Returns false where yoga is to answer. */
  async function isReplayed(
    req: Request,
    res: Response,
    context: Context,
    { sent, body }: GraphqlRequest,
    found: Found | null,
  ): Promise<boolean> {
    if (!hasIdempotencyKey(req) || req.method !== 'POST') return false
    keyOf(req)
    if (found?.operation.operation === OperationTypeNode.SUBSCRIPTION) throw noStreams()
    if (!found || !isKept(found)) return false
    const { selections } = found.operation.selectionSet
    const several = selections.length > 1 || selections[0]?.kind !== 'Field'
    if (await replayOrCapture(context, gate, req, res, idempotentRequest(req, context.principal, sent, several)))
      return true
    await answerOnce(graphql, req, res, body())
    return true
  }

  /** Answers a request that is read and charged. Throws what is to be told before an answer begins. */
  async function proceed(req: Request, res: Response, context: Context, request: GraphqlRequest): Promise<void> {
    const found = req.method === 'POST' ? operationIn(req) : null
    const notes = currentScope()?.request
    if (notes && found?.operation.name) notes.operation = named(found.operation.name.value)
    res.setHeader('Cache-Control', 'no-store')
    if (request.isDryRun && found?.prepared) return void res.json(dryRun(found.prepared.cost, context))
    if (found?.operation.operation === OperationTypeNode.QUERY) isRead(res)
    // Charged here and not with the cost of the operation, because the response of a stream has begun by then.
    if (found?.prepared) context.allowance.spendSignatures(found.prepared.cost.signatures)
    // For the same reason: clients take a refusal inside a stream for its last word, and a status 429 for a pause.
    if (found?.prepared && req.path === '/graphql/stream') {
      const { total, isWrite } = found.prepared.cost
      context.allowance.asksFor(isWrite ? 'write' : 'read')
      context.allowance.demand(total - 1)
    }
    if (req.path === '/graphql/stream') beginStream(req, res, context)
    else if (await isReplayed(req, res, context, request, found)) return
    if (found && isLive(req, found)) return await answerLive(req, res, context, found)
    const rest: Rest | null = found?.prepared ? await answerDirectly(req, res, found.prepared, context) : {}
    if (rest === null) return
    if (!URL.canParse(`http://${req.headers.host}`)) req.headers.host = 'localhost'
    await graphql(req, res, rest)
  }

  /** The new documents of callers without credentials that are being read and prepared, each for its first caller. */
  const begun = new Map<string, Promise<void>>()

  /** Those who send the same document wait until `work` calls its argument, or has failed. */
  async function asFirst(query: string, work: (end: () => void) => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = () => {
      begun.delete(query)
      resolve()
    }
    begun.set(query, promise)
    try {
      await work(end)
    } finally {
      if (begun.get(query) === promise) end()
    }
  }

  return async (req, res, next) => {
    try {
      const context = await enter(req, res)
      if (asksForPage(req)) {
        if (!hasGraphiql || !hasApiPages)
          throw new AppError('route_not_found', 'This service has no GraphiQL: send a GraphQL request.')
        context.allowance.spend(1)
        return void (await sendGraphiql(req, res, next))
      }
      if (req.path === '/graphql' && !methods.has(req.method)) {
        res.setHeader('Allow', [...methods].join(', '))
        throw new AppError('method_not_allowed')
      }
      if (req.path === '/graphql' && !answers.test(req.headers.accept ?? '*/*')) throw new AppError('not_acceptable')
      const keeper = req.path === '/graphql/stream' ? keeperOf(req) : null
      // A stream of a process that is gone is unknown here too.
      if (keeper !== null && keeper !== tunnels.processId && (await relay(tunnels, keeper, req, res))) return
      const limits = context.principal.kind === 'public' ? bodyLimits : keyedBodyLimits
      const request = await readGraphqlRequest(req, res, documents, limits)
      const { query } = request
      note(req, request)
      const { allowance } = context
      if (query !== null) allowance.spend(documents.costOfReading(query))
      const isStranger = query !== null && context.principal.kind === 'public'
      while (isStranger && begun.has(query)) await begun.get(query)
      if (!isStranger || !documents.isDear(query)) return await proceed(req, res, context, request)
      await asFirst(query, async end => {
        // Two turns, because each is without a pause: what follows reads the document from the cache.
        await allowance.inTurn(() => readStrange(query))
        await allowance.inTurn(() => {
          const answered = proceed(req, res, context, request)
          end()
          return answered
        })
      })
    } catch (error) {
      refuse(res, error, app)
    }
  }
}

// Runs without node's request, because yoga abandons the response of a disconnected client, and that client retries.
async function answerOnce(graphql: ReturnType<typeof graphqlServer>, req: Request, res: Response, body: string) {
  // Requests JSON, because a stream or a multipart response could not be stored and replayed.
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body }
  const answer = await graphql.fetch(`http://localhost${req.originalUrl}`, init, { req, res })
  answer.headers.forEach((value, name) => void res.setHeader(name, value))
  const bytes = Buffer.from(await answer.text())
  res.setHeader('Content-Length', bytes.length)
  res.status(answer.status).end(bytes)
}

// A client chooses it.
const mostOfName = 64
const named = (name: unknown): string | null =>
  typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name) ? name.slice(0, mostOfName) : null

/** Notes what the request names. */
function note({ body, query }: Request, { document }: GraphqlRequest): void {
  const notes = currentScope()?.request
  if (notes) Object.assign(notes, { document, operation: named(body?.operationName ?? query.operationName) })
}

function refuse(res: Response, error: unknown, { log }: App): void {
  const known = appErrorIn(error) ?? new AppError('internal_error')
  noteCode(known.code)
  if (isFault(known)) log.error({ err: error }, 'a GraphQL request failed')
  if (res.headersSent) return void res.destroy()
  if (known.retryAfterSeconds !== null) res.setHeader('Retry-After', String(known.retryAfterSeconds))
  for (const [name, value] of Object.entries(known.headers)) res.setHeader(name, value)
  const { message, extensions } = errorFields(known)
  const path = error instanceof GraphQLError ? error.path : undefined
  res.status(known.status).json({ errors: [{ message, ...(path && { path }), extensions }] })
}
