// One Express app over both doors, with what surrounds them: request ids, probes, documentation, pages.
import type http from 'node:http'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express'
import { routes } from '../rest/generated/routes.ts'
import openapi from '../rest/openapi.json' with { type: 'json' }
import { AppError } from './core/errors.ts'
import { demand } from './core/principal.ts'
import { schema } from './graphql/schema.ts'
import { graphqlHandler } from './http/graphql.ts'
import { wasAnswered } from './idempotency/once.ts'
import { asked, headerFeeds, isNamed, keyOf } from './idempotency/request.ts'
import { unlimited } from './kit/allowance.ts'
import { charge } from './kit/charge.ts'
import type { App, Context, Paying } from './kit/context.ts'
import { addressOf } from './limits/address.ts'
import { type Admitted, createGate } from './limits/gate.ts'
import type { Limiter } from './limits/limiter.ts'
import type { Quotas } from './limits/policy.ts'
import { signaturesIn } from './limits/sign-in.ts'
import { createStreamPlaces } from './limits/stream-places.ts'
import { readHealth } from './modules/health/read.ts'
import { watchAnswer } from './modules/keys/open-answers.ts'
import { principalOf } from './modules/keys/principal.ts'
import { collectMetrics } from './modules/metrics/collect.ts'
import { challengeOf } from './modules/payments/field.ts'
import { restDoor } from './rest/door.ts'
import { answerErrors, sendFailure } from './rest/failure.ts'
import { requestId, requestIdOf } from './rest/request-id.ts'

const pages = fileURLToPath(new URL('./web/', import.meta.url))
const scalar = createRequire(import.meta.url)
  .resolve('@scalar/api-reference')
  .replace(/dist\/.*$/, 'dist/browser/standalone.js')

/** REST paths behind which a signature is checked. */
const signing = new Set(routes.filter(({ document }) => signaturesIn(document) > 0).map(({ path }) => path))

/** `trustedProxies` is how many of them stand in front and write X-Forwarded-For. */
export type HttpOptions = { limiter: Limiter; quotas: Quotas; trustedProxies: number; isStopping(): boolean }

// On the answer itself: a WeakMap would cost the garbage collector some percent of the throughput.
const entered = Symbol('context')
type Entered = Response & { [entered]?: Context }

export function httpApp(app: App, { limiter, quotas, trustedProxies, isStopping }: HttpOptions): express.Express {
  const gate = createGate(limiter, createStreamPlaces(quotas), rawKey => principalOf(app, rawKey))
  const enter = (req: Request, res: Entered): Context | Promise<Context> => {
    const keep = ({ principal, allowance }: Admitted): Context => {
      if (principal.kind === 'key') watchAnswer(app, String(req.headers['x-api-key']), res)
      const requestId = requestIdOf(req, res)
      const paying = payingOf(req, res)
      const context: Context = { ...app, principal, requestId, paying, allowance, costs: noCosts }
      res[entered] = context
      return context
    }
    const admitted = gate.enter(req, res)
    // Most requests have no key to look up: they need not wait for anything.
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
  server.use(requestId, crossOrigin, demandHost)
  server.get('/livez', (_, res) => void res.json({ status: 'ok' }))
  server.get('/readyz', (_, res) =>
    isStopping() ? void res.status(503).json({ status: 'stopping' }) : void readiness(app, res),
  )
  // Exactly these two: a path that only a URL parser turns into one of them would pass by what is asked here.
  server.all(['/graphql', '/graphql/stream'], graphqlHandler({ app, gate, enter, contextOf }))
  server.get('/metrics', async (req, res) => {
    try {
      demand((await enter(req, res)).principal, 'admin')
      res.type('text/plain; version=0.0.4').send(await collectMetrics(app))
    } catch (error) {
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
  server.get('/openapi.json', charged(1), (_, res) => void res.type('json').send(document))
  server.get('/docs', charged(1), (_, res) => void res.type('html').send(docsPage))
  server.get('/docs/scalar.js', charged(20), (_, res) => res.sendFile(scalar, { maxAge: '1d' }))
  server.use('/ui', charged(1), express.static(pages, { index: false, setHeaders: onlyOurOwn }))
  server.get('/', charged(1), (_, res) =>
    res.sendFile('landing.html', { root: pages, headers: { 'Content-Security-Policy': pagePolicy } }),
  )
  const rest = restDoor({
    schema,
    routes,
    context: (_, res) => contextOf(res),
    admit: (context, access) => demand(context.principal, access),
    charge,
    challenge: challengeOf,
    isReplayed: async (req, res, { principal }, isKept) => {
      if (!isNamed(req)) return false
      if (isKept) return wasAnswered(app, gate, req, res, asked(req, principal, bytesRead(req)))
      keyOf(req)
      return false
    },
    log: app.log,
  })
  server.use(async (req, res, next) => {
    try {
      const context = enter(req, res)
      const { principal } = context instanceof Promise ? await context : context
      if (signing.has(req.path)) gate.signatures(req, res, principal, 1)
    } catch (error) {
      return sendFailure(req, res, error, app.log, headerFeeds)
    }
    rest(req, res, next)
  })
  server.use(answerErrors(app.log))
  return server
}

const noCosts: Context['costs'] = new Map()
const noPayment: Paying = { header: null, address: '', resource: null, isTaken: false, respond: () => undefined }

const payingOf = (req: Request, res: Response): Paying => ({
  // Who asks for headers alone gets nothing to pay for.
  header: req.method === 'HEAD' ? null : (req.headers['payment-signature']?.toString() ?? null),
  address: addressOf(req),
  resource: req.path.startsWith('/graphql') ? null : req.path + (/\?[^#]*/.exec(req.originalUrl)?.[0] ?? ''),
  isTaken: false,
  respond: headers => {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  },
})

// A receipt holds text that strangers chose: nothing in a page runs or loads but our own files.
const pagePolicy = "default-src 'self'"
const onlyOurOwn = (res: http.ServerResponse) => void res.setHeader('Content-Security-Policy', pagePolicy)

const exposed =
  'X-Request-ID, Retry-After, Location, ETag, RateLimit, RateLimit-Policy, Idempotency-Replayed, PAYMENT-REQUIRED, PAYMENT-RESPONSE'

// Keys travel in a header that no browser adds by itself, so any origin may ask.
function crossOrigin(req: Request, res: Response, next: NextFunction): void {
  res.setHeader('Access-Control-Allow-Origin', '*')
  res.setHeader('Access-Control-Expose-Headers', exposed)
  res.setHeader('X-Content-Type-Options', 'nosniff')
  if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) {
    next()
    return
  }
  res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, DELETE')
  // The last one is no header of requests, but official clients of x402 send it with a payment.
  res.setHeader(
    'Access-Control-Allow-Headers',
    'Content-Type, X-API-Key, X-Request-ID, Idempotency-Key, Last-Event-ID, X-GraphQL-Event-Stream-Token, PAYMENT-SIGNATURE, Access-Control-Expose-Headers',
  )
  res.setHeader('Access-Control-Max-Age', '86400')
  res.status(204).end()
}

function demandHost(req: Request, res: Response, next: NextFunction): void {
  if (req.httpVersion === '1.1' && req.headers.host === undefined) {
    res.setHeader('Connection', 'close')
    throw new AppError('malformed_request')
  }
  next()
}

/** Ready when the database, its migrations and the chain are: only then is this process given work. */
async function readiness(app: App, res: Response): Promise<void> {
  const { isReady: ready, deps } = await readHealth(app)
  const { db, chain } = deps
  res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready', db, chain })
}

/** What `readBody` left of the request. */
const bytesRead = ({ body }: Request): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

// What would call a cloud of the pages' maker stays off.
const docsSettings = {
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
}

const docsPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Quittance API</title></head>
<body><script id="api-reference" data-url="/openapi.json" data-configuration='${JSON.stringify(docsSettings)}'></script><script src="/docs/scalar.js"></script></body></html>
`
