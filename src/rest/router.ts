// The REST API: the generated routes as an Express router over prepared operations.

import { type Request, type Response, Router } from 'express'
import { type GraphQLField, type GraphQLSchema, getOperationAST, OperationTypeNode, parse } from 'graphql'
import { AppError } from '../core/errors.ts'
import type { Access } from '../core/principal.ts'
import { hasIdempotencyKey, headerFeeds } from '../idempotency/request.ts'
import type { Context } from '../kit/context.ts'
import type { OperationCost } from '../kit/operation-cost.ts'
import { isRead, sendFile, sendJson, sendRedirect, sendText } from './answer.ts'
import { type Body, readBody } from './body.ts'
import { EventFailed, encoderOf, type StreamOptions, sendEvents, streamDefaults } from './event-stream.ts'
import {
  answerErrors,
  failing,
  hidesRefusals,
  type Log,
  sendAppError,
  sendFailure,
  sendIssues,
  worst,
} from './failure.ts'
import type { WireIssue } from './faults.ts'
import { pageReader } from './page.ts'
import { prepare } from './prepared.ts'
import { readBack } from './read-back.ts'
import { asSent, hasBody, requestReader, unnamed } from './request.ts'
import { rewritten } from './rewrite.ts'
import type { Route } from './route.ts'
import { rootField, ruleIssues } from './rule-issues.ts'

export type RestOptions = {
  schema: GraphQLSchema
  routes: readonly Route[]
  /** May throw an `AppError`, for example when the credentials are unknown. */
  context: (req: Request, res: Response) => Context | Promise<Context>
  /** Throws when this caller may not use this field with this access level. Called before the body is read. */
  admit?: (context: Context, access: Access, root: GraphQLField<unknown, unknown> | null) => void
  /** Charges the cost of a request, known once the request is read. Throws when it exceeds the caller's limit. */
  charge?: (context: Context, cost: OperationCost) => void
  /** Throws the payment challenge when this field is paid and the request has no payment. Reads nothing of the body. */
  challenge?: (context: Context, root: GraphQLField<unknown, unknown>) => Promise<void>
  /** True if a stored response was sent. `isKept`: the operation is a write or paid. May throw an `AppError`. */
  isReplayed?: (req: Request, res: Response, context: Context, isKept: boolean) => Promise<boolean>
  log: Log
  stream?: Partial<StreamOptions>
}

type Handler = (req: Request, res: Response) => Promise<void>

/** Throws `not_acceptable` for a client that would take the answer for a table. */
function demandJson(req: Request): void {
  if (!req.headers.accept?.includes('csv') || req.accepts('json')) return
  const message =
    'This path answers JSON. Receipts and payments are exported as CSV by the GraphQL mutation `startExport`.'
  throw new AppError('not_acceptable', message)
}

const noBody: Body = { isPresent: false }

function send(req: Request, res: Response, route: Route, value: unknown): void {
  if (route.kind === 'json') sendValue(res, route, value)
  else if (route.kind === 'file') sendFile(req, res, route.status, value)
  else if (route.kind === 'redirect') sendRedirect(res, route.status, String(value))
  else sendText(res, route.status, 'text/plain; charset=utf-8', String(value))
}

function sendValue(res: Response, { headers, status }: Route, value: unknown): void {
  if (headers.length === 0 || typeof value !== 'object' || value === null) {
    sendJson(res, status, value)
    return
  }
  const fields = new Map<string, unknown>(Object.entries(value))
  for (const { key, header } of headers) {
    const field = fields.get(key)
    const text = Array.isArray(field) ? field.join(', ') : String(field ?? '')
    if (text !== '') res.setHeader(header, text)
    fields.delete(key)
  }
  // A value that is sent in a header must not be cached.
  sendJson(res, status, Object.fromEntries(fields), { 'Cache-Control': 'no-store' })
}

function handlerOf(route: Route, options: RestOptions): Handler {
  const { schema, context, admit, charge, challenge, isReplayed, log, stream } = options
  const feeds = { ...route.feeds, ...headerFeeds }
  const document = parse(route.document, { noLocation: true })
  const prepared = prepare(schema, document)
  const root = rootField(schema, document)
  const addRuleIssues = ruleIssues(route, root)
  const isWrite = getOperationAST(document)?.operation === OperationTypeNode.MUTATION
  const isKept = isWrite || root?.extensions.paid === true
  const read = requestReader(route, schema)
  const checkRead = readBack(schema, route, options.routes, log)
  const readPage = route.page && pageReader(route.page)
  const takesBody = hasBody(route)
  const takesKey = route.method === 'POST' || route.method === 'PUT'
  const streamOptions = { ...streamDefaults, ...stream }
  const [encode, encodeUnnamed] = [encoderOf({ ...route, isUnnamed: false }), encoderOf({ ...route, isUnnamed: true })]

  return async (req, res) => {
    let body = noBody
    if (!isWrite) isRead(res)
    try {
      const caller = await context(req, res)
      admit?.(caller, route.access, root)
      if (route.kind === 'json') demandJson(req)
      const demandPayment = async () => {
        if (root !== null) await challenge?.(caller, root)
      }
      const unlessUnpaid = async (error: unknown): Promise<never> => {
        await demandPayment()
        throw error
      }
      // With an Idempotency-Key a paid response may be stored already, which is known once the body is read.
      if (!hasIdempotencyKey(req)) await demandPayment()
      const issues: WireIssue[] = []
      if (takesBody) body = await readBody(req, res).catch(unlessUnpaid)
      const variables = read(req, body, issues)
      readPage?.(variables, issues)
      if (issues.length === 0)
        await checkRead?.(body, variables, { context: caller, charge: cost => charge?.(caller, cost) }, issues)
      if (issues.length > 0) {
        await demandPayment()
        addRuleIssues(variables, issues)
        return sendIssues(
          res,
          issues.map(issue => ({ ...issue, loc: asSent(route, body, issue.loc) })),
        )
      }
      if (takesKey && (await isReplayed?.(req, res, caller, isKept))) return
      charge?.(caller, prepared.cost(variables))
      if (prepared.kind === 'stream') {
        const events = await prepared.open(variables, caller)
        if (!('follow' in events)) throw failing(events, log)
        return await sendEvents(req, res, {
          events,
          encode: req.query[unnamed] === '1' ? encodeUnnamed : encode,
          status: route.status,
          failed: error => log.error({ err: error, route: route.name }, 'an event stream failed'),
          options: streamOptions,
        })
      }
      const result = await prepared.run(variables, caller)
      if (result.errors?.length) throw failing(result, log, hidesRefusals(route, root))
      const value = result.data?.[route.root]
      if (value === null || value === undefined) throw new AppError('not_found')
      send(req, res, route, rewritten(value, route.rewrite, variables))
    } catch (error) {
      const places = Object.entries(feeds).map(([path, loc]) => [path, asSent(route, body, loc)] as const)
      const cause = error instanceof EventFailed ? worst(error.errors) : error
      sendFailure(req, res, cause, log, Object.fromEntries(places))
    }
  }
}

/** Sorts `/a/b` before `/a/:x`, so that a literal segment matches before a variable. */
const byPath = (a: string, b: string): number => (a.replaceAll(':', '\uffff') < b.replaceAll(':', '\uffff') ? -1 : 1)

/** Returns a router that answers every path and method, if only with 404 or 405: the last handler of an application. */
export function restRouter(options: RestOptions): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const paths = Map.groupBy(options.routes, route => route.path)
  for (const path of [...paths.keys()].sort(byPath)) {
    const methods = new Map<string, Handler>(
      (paths.get(path) ?? []).map(route => [route.method, handlerOf(route, options)]),
    )
    const allow = [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ')
    router.all(path, (req, res) => {
      const handler = req.method === 'HEAD' ? methods.get('GET') : methods.get(req.method)
      if (handler) return handler(req, res)
      res.setHeader('Allow', allow)
      if (req.method === 'OPTIONS') return void res.writeHead(204).end()
      sendAppError(req, res, new AppError('method_not_allowed'))
    })
  }
  router.use((req: Request, res: Response) => sendAppError(req, res, new AppError('route_not_found')))
  router.use(answerErrors(options.log))
  return router
}
