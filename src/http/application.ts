// The Express app: GraphQL, REST and MCP, with request ids, probes, metrics, documentation and pages around them.
import express, { type Request, type RequestHandler, type Response } from 'express'
import { routes } from '../../rest/generated/routes.ts'
import openapi from '../../rest/openapi.json' with { type: 'json' }
import { AppError } from '../core/errors.ts'
import { demand } from '../core/principal.ts'
import { inScope, type Span } from '../core/scope.ts'
import { routeInBazaar } from '../discovery/bazaar.ts'
import { restSchema } from '../graphql/schema.ts'
import { replayOrCapture } from '../idempotency/once.ts'
import { hasIdempotencyKey, headerFeeds, idempotentRequest, keyOf } from '../idempotency/request.ts'
import { unlimited } from '../kit/allowance.ts'
import { charge } from '../kit/charge.ts'
import type { App, Context, Paying } from '../kit/context.ts'
import { declaredCost } from '../kit/field-cost.ts'
import { addressOf } from '../limits/client-address.ts'
import { credentialOf, takeKeyFrom } from '../limits/credential.ts'
import { type Admitted, createGate } from '../limits/gate.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { Quotas } from '../limits/policy.ts'
import { readHealth } from '../modules/health/read.ts'
import { watchAnswer } from '../modules/keys/open-answers.ts'
import { principalOf } from '../modules/keys/principal.ts'
import { challengeOf } from '../modules/x402/field.ts'
import type { Tunnels } from '../ports/tunnels.ts'
import { answerErrors, sendFailure } from '../rest/failure.ts'
import { requestIdOf, traceparentOf } from '../rest/request-id.ts'
import { restRouter } from '../rest/router.ts'
import { pathOf } from './base-path.ts'
import { compressed } from './compression.ts'
import { crossOrigin } from './cross-origin.ts'
import { discoveryRoutes } from './discovery.ts'
import { exportRoutes } from './exports.ts'
import { type Finished, whenFinished } from './finished.ts'
import { type GraphqlOptions, graphqlHandler } from './graphql.ts'
import { mcpHandler, mcpPath } from './mcp.ts'
import { bearsToken } from './metrics-access.ts'
import { pageRoutes } from './pages.ts'
import { securityHeaders } from './security-headers.ts'

/** `trustedProxies`: the number of proxies in front of the service that write X-Forwarded-For. */
export type HttpOptions = {
  limiter: Limiter
  /** Throws `database_unavailable` while the database says nothing. */
  demandDatabase(): void
  quotas: Quotas
  trustedProxies: number
  isStopping(): boolean
  tunnels: Tunnels
  metrics: { read(): Promise<string>; token: string | null }
  graphql: Pick<GraphqlOptions, 'documents' | 'hasGraphiql'>
  /** Learns what became of each request. */
  tell(finished: Finished): void
}

// Stored on the response itself: a WeakMap would cost some percent of the throughput in garbage collection.
const entered = Symbol('context')
type Entered = Response & { [entered]?: Context }

export function httpApp(
  app: App,
  { limiter, demandDatabase, quotas, trustedProxies, isStopping, tunnels, metrics, graphql, tell }: HttpOptions,
): express.Express {
  const gate = createGate(limiter, quotas, credential => principalOf(app, credential))
  const enter = (req: Request, res: Entered): Context | Promise<Context> => {
    const keep = ({ principal, allowance }: Admitted): Context => {
      if (principal.kind === 'key') watchAnswer(app, String(credentialOf(req.headers)), res)
      const requestId = requestIdOf(req, res)
      const paying = payingOf(req, res)
      const context: Context = { ...app, principal, requestId, paying, allowance, costs: noCosts }
      res[entered] = context
      return context
    }
    demandDatabase()
    const admitted = gate.enter(req, res)
    // Most requests have no credentials to look up, so they continue synchronously.
    return admitted instanceof Promise ? admitted.then(keep) : keep(admitted)
  }
  const contextOf = (res: Entered): Context =>
    res[entered] ?? {
      ...app,
      principal: { kind: 'public' },
      requestId: '',
      paying: noPayment,
      allowance: unlimited('nobody'),
      costs: noCosts,
    }
  const document = JSON.stringify({ ...openapi, servers: [{ url: app.publicBaseUrl }] })
  const server = express()
  server.disable('x-powered-by')
  server.set('etag', false)
  if (trustedProxies > 0) server.set('trust proxy', trustedProxies)
  const allowOrigin = crossOrigin(app.allowedOrigins)
  const always = securityHeaders(app.publicBaseUrl.startsWith('https:'))
  // One handler and not three, and GraphQL before the probes, because Express takes some microseconds for each.
  server.use((req, res, next) => {
    const requestId = requestIdOf(req, res)
    for (const [name, value] of always) res.setHeader(name, value)
    const notes = { project: 'anonymous', operation: null, document: null, cost: 0, codes: [] }
    const sent = traceparentOf(req)
    const span =
      app.tracing?.begin(req.method, 'server', { causes: sent === null ? [] : [sent], attributes: {} }) ?? null
    whenFinished(req, res, { requestId, notes }, finished => {
      if (span) endSpan(span, finished)
      tell(finished)
    })
    const traceparent = span?.traceparent ?? sent
    inScope({ origins: [{ requestId, traceparent }], request: notes, span }, () =>
      allowOrigin(req, res, () => {
        demandFraming(req, res)
        compressed(req, res, next)
      }),
    )
  })
  // Exactly these two: a path that only a URL parser normalises to one of them would bypass the checks of this handler.
  server.all(['/graphql', '/graphql/stream'], graphqlHandler({ app, ...graphql, gate, tunnels, enter, contextOf }))
  server.get('/livez', (_, res) => void res.json({ status: 'ok' }))
  server.get('/readyz', (_, res) =>
    isStopping() ? void res.status(503).json({ status: 'stopping' }) : void readiness(app, res),
  )
  server.all(mcpPath, mcpHandler({ app, gate, enter }))
  server.get('/metrics', async (req, res) => {
    try {
      if (metrics.token === null || !bearsToken(req, metrics.token)) {
        // Prometheus sends no other headers than these without a proxy.
        takeKeyFrom(['Bearer', 'Basic'], req.headers)
        demand((await enter(req, res)).principal, 'admin')
      }
      res.type('text/plain; version=0.0.4').send(await metrics.read())
    } catch (error) {
      if (error instanceof AppError && error.status === 401)
        error.headers['WWW-Authenticate'] = `Bearer realm="metrics", ${error.headers['WWW-Authenticate']}`
      sendFailure(req, res, error, app.log, headerFeeds)
    }
  })
  const charged =
    (cost: number): RequestHandler =>
    async (req, res, next) => {
      try {
        const { allowance } = await enter(req, res)
        allowance.spend(cost)
      } catch (error) {
        return sendFailure(req, res, error, app.log, headerFeeds)
      }
      next()
    }
  server.use(
    pageRoutes(charged, document, pathOf(app.publicBaseUrl), graphql.documents.isIntrospectable),
    discoveryRoutes(app, charged, graphql.documents.isIntrospectable),
    exportRoutes(app, enter),
  )
  const rest = restRouter({
    schema: restSchema,
    routes,
    context: (_, res) => contextOf(res),
    admit: ({ principal, allowance }, access, root) => {
      demand(principal, access)
      if (root) allowance.spendSignatures(declaredCost(root).signatures)
    },
    charge,
    challenge: challengeOf,
    isReplayed: async (req, res, context, isKept) => {
      if (!hasIdempotencyKey(req)) return false
      if (isKept)
        return replayOrCapture(context, gate, req, res, idempotentRequest(req, context.principal, bytesRead(req)))
      keyOf(req)
      return false
    },
    log: app.log,
  })
  server.use(async (req, res, next) => {
    try {
      const context = enter(req, res)
      if (context instanceof Promise) await context
    } catch (error) {
      return sendFailure(req, res, error, app.log, headerFeeds)
    }
    rest(req, res, next)
  })
  server.use(answerErrors(app.log))
  return server
}

function endSpan(span: Span, { requestId, method, route, status, operation, codes, project }: Finished): void {
  if (route !== null) span.name(`${method} ${route}`)
  span.set({
    'http.request.method': method,
    'http.route': route ?? undefined,
    'http.response.status_code': status ?? undefined,
    'graphql.operation.name': operation ?? undefined,
    'error.type': codes[0],
    'quittance.request_id': requestId,
    'quittance.project': project,
  })
  if ((status ?? 0) >= 500) span.fail(codes[0] ?? `${status}`)
  span.end()
}

const noCosts: Context['costs'] = new Map()
const noPayment: Paying = {
  header: null,
  place: '',
  described: () => ({}),
  address: '',
  resource: null,
  isTaken: false,
  respond: () => undefined,
  hasLeft: () => false,
  whenEnded: () => undefined,
}

const payingOf = (req: Request, res: Response): Paying => ({
  // A payment sent with HEAD is ignored, because the response has no body to pay for.
  header: req.method === 'HEAD' ? null : (req.headers['payment-signature']?.toString() ?? null),
  place: 'PAYMENT-SIGNATURE header',
  described: routeInBazaar,
  address: addressOf(req),
  resource: req.path.startsWith('/graphql') ? null : req.path + (/\?[^#]*/.exec(req.originalUrl)?.[0] ?? ''),
  isTaken: false,
  respond: headers => {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  },
  hasLeft: () => res.closed && !res.writableFinished,
  whenEnded: listener => {
    const end = () => listener(res.writableFinished && res.statusCode < 400)
    if (res.closed) end()
    else res.once('close', end)
  },
})

/** Refuses what another server in front may have read differently (RFC 9112, sections 3.2 and 6.1). */
function demandFraming(req: Request, res: Response): void {
  const { headers, httpVersion, rawHeaders } = req
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  const coding = headers['transfer-encoding']
  const isClear = httpVersion === '1.1' ? hosts === 1 : hosts < 2 && coding === undefined
  // Node reads only `chunked`, and would take a body in a further coding for plain.
  const isPlain = coding === undefined || /^chunked$/i.test(coding)
  if (isClear && isPlain) return
  res.setHeader('Connection', 'close')
  throw new AppError(isClear ? 'transfer_coding_unknown' : 'malformed_request')
}

/** Answers 200 only when the database, its migrations and the chain are ready: a load balancer then sends requests. */
async function readiness(app: App, res: Response): Promise<void> {
  const { isReady: ready, deps } = await readHealth(app)
  const { db, chain } = deps
  if (!ready) res.setHeader('Retry-After', '5')
  res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready', db, chain })
}

/** The raw body that `readBody` left in `req.body`; empty without a body. */
const bytesRead = ({ body }: Request): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))
