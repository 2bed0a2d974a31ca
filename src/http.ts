// One Express app over both doors, with what surrounds them: request ids, probes, documentation, pages.
import type http from 'node:http'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import express, { type NextFunction, type Request, type Response } from 'express'
import { routes } from '../rest/generated/routes.ts'
import openapi from '../rest/openapi.json' with { type: 'json' }
import { AppError } from './core/errors.ts'
import { demand, type Principal } from './core/principal.ts'
import { graphqlDoor, requestIds } from './graphql/door.ts'
import { schema } from './graphql/schema.ts'
import { wasAnswered } from './idempotency/once.ts'
import { asked, headerFeeds, isNamed, noStreams } from './idempotency/request.ts'
import { appErrorIn } from './kit/app-error-in.ts'
import type { App, Context, Paying } from './kit/context.ts'
import { addressOf } from './limits/address.ts'
import { createGate } from './limits/gate.ts'
import type { Limiter } from './limits/limiter.ts'
import { reservedStreams, streamsByToken } from './limits/reserved-streams.ts'
import { signaturesIn } from './limits/sign-in.ts'
import { readHealth } from './modules/health/read.ts'
import { watchAnswer } from './modules/keys/open-answers.ts'
import { principalOf } from './modules/keys/principal.ts'
import { collectMetrics } from './modules/metrics/collect.ts'
import { type Body, readBody } from './rest/body.ts'
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
export type HttpOptions = { limiter: Limiter; trustedProxies: number }

// On the answer itself: a WeakMap would cost the garbage collector some percent of the throughput.
const entered = Symbol('context')
type Entered = Response & { [entered]?: Context }

export function httpApp(app: App, { limiter, trustedProxies }: HttpOptions): express.Express {
  const gate = createGate(limiter, rawKey => principalOf(app, rawKey))
  const enter = (req: Request, res: Entered): Context | Promise<Context> => {
    const keep = (principal: Principal): Context => {
      if (principal.kind === 'key') watchAnswer(app, String(req.headers['x-api-key']), res)
      const context = { ...app, principal, requestId: requestIdOf(req, res), paying: payingOf(req, res) }
      res[entered] = context
      return context
    }
    const principal = gate.enter(req, res)
    // Most requests have no key to look up: they need not wait for anything.
    return principal instanceof Promise ? principal.then(keep) : keep(principal)
  }
  const contextOf = (res: Entered): Context =>
    res[entered] ?? { ...app, principal: { kind: 'public' }, requestId: '', paying: noPayment }
  const document = { ...openapi, servers: [{ url: app.publicBaseUrl }] }
  const server = express()
  server.disable('x-powered-by')
  server.set('etag', false)
  if (trustedProxies > 0) server.set('trust proxy', trustedProxies)
  server.use(requestId, crossOrigin)
  server.get('/livez', (_, res) => void res.json({ status: 'ok' }))
  server.get('/readyz', (_, res) => void readiness(app, res))
  const graphql = graphqlDoor(contextOf, app.log)
  const noteStream = reservedStreams((url, init) => graphql.fetch(url, init), app.log)
  const followers = streamsByToken()
  // Exactly these two: a path that only a URL parser turns into one of them would pass by what is asked here.
  server.all(['/graphql', '/graphql/stream'], async (req, res) => {
    try {
      const { principal } = await enter(req, res)
      const isStream = req.path === '/graphql/stream'
      const body = await readGraphqlBody(req, res)
      gate.signatures(req, res, principal, signaturesIn(req.body?.query))
      res.setHeader('Cache-Control', 'no-store')
      if (!URL.canParse(`http://${req.headers.host}`)) req.headers.host = 'localhost'
      if (isStream) {
        if (isNamed(req)) throw noStreams()
        noteStream(req)
        const follower = followers(req, res)
        if (principal.kind === 'key' && follower) watchAnswer(app, String(req.headers['x-api-key']), follower)
      } else if (isNamed(req) && req.method === 'POST') {
        const request = asked(req, principal, body, req.body.query)
        if (await wasAnswered(app, res, request)) return
        await requestIds.run(requestIdOf(req, res), () => graphqlOnce(graphql, req, res, body))
        return
      }
    } catch (error) {
      return refuseGraphql(res, error, app)
    }
    await requestIds.run(requestIdOf(req, res), () => graphql(req, res))
  })
  server.get('/metrics', async (req, res) => {
    try {
      demand((await enter(req, res)).principal, 'admin')
      res.type('text/plain; version=0.0.4').send(await collectMetrics(app))
    } catch (error) {
      sendFailure(req, res, error, app.log, headerFeeds)
    }
  })
  server.get('/openapi.json', (_, res) => void res.json(document))
  server.get('/docs', (_, res) => void res.type('html').send(docsPage))
  server.get('/docs/scalar.js', (_, res) => res.sendFile(scalar, { maxAge: '1d' }))
  server.use('/ui', express.static(pages, { index: false, setHeaders: onlyOurOwn }))
  server.get('/', (_, res) =>
    res.sendFile('landing.html', { root: pages, headers: { 'Content-Security-Policy': pagePolicy } }),
  )
  const rest = restDoor({
    schema,
    routes,
    context: (_, res) => contextOf(res),
    admit: (context, access) => demand(context.principal, access),
    log: app.log,
  })
  server.use(async (req, res, next) => {
    try {
      const context = enter(req, res)
      const { principal } = context instanceof Promise ? await context : context
      if (signing.has(req.path)) gate.signatures(req, res, principal, 1)
      if (isNamed(req)) {
        await readBody(req, res)
        if (await wasAnswered(app, res, asked(req, principal, bytesRead(req)))) return
      }
    } catch (error) {
      return sendFailure(req, res, error, app.log, headerFeeds)
    }
    rest(req, res, next)
  })
  server.use(answerErrors(app.log))
  return server
}

const noPayment: Paying = { header: null, address: '', isTaken: false, respond: () => undefined }

const payingOf = (req: Request, res: Response): Paying => ({
  // Who asks for headers alone gets nothing to pay for.
  header: req.method === 'HEAD' ? null : (req.headers['payment-signature']?.toString() ?? null),
  address: addressOf(req),
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
  res.setHeader(
    'Access-Control-Allow-Headers',
    'Content-Type, X-API-Key, X-Request-ID, Idempotency-Key, Last-Event-ID, X-GraphQL-Event-Stream-Token, PAYMENT-SIGNATURE',
  )
  res.setHeader('Access-Control-Max-Age', '86400')
  res.status(204).end()
}

/** Ready when the database, its migrations and the chain are: only then is this process given work. */
async function readiness(app: App, res: Response): Promise<void> {
  const { isReady: ready, deps } = await readHealth(app)
  const { db, chain } = deps
  res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready', db, chain })
}

/** What `readBody` left of the request. */
const bytesRead = ({ body }: Request): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

// Read here, because yoga's own limit on the size of a body costs half of the throughput.
async function readGraphqlBody(req: Request, res: Response): Promise<Buffer> {
  if (req.method !== 'POST') return Buffer.alloc(0)
  const body = await readBody(req, res)
  const bytes = bytesRead(req)
  if (!isGraphqlRequest(body)) throw new AppError('invalid_graphql', 'The body must be a JSON object with a query.')
  req.body = body.value
  return bytes
}

const isGraphqlRequest = (body: Body): body is Body & { value: { query: string } } =>
  body.given &&
  typeof body.value === 'object' &&
  body.value !== null &&
  'query' in body.value &&
  typeof body.value.query === 'string'

// Not by way of node's request: yoga gives up the answer of a caller who is gone, and he is the one who asks again.
async function graphqlOnce(graphql: ReturnType<typeof graphqlDoor>, req: Request, res: Response, body: Buffer) {
  // One answer that can be kept: of a stream or of parts nothing could be replayed.
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: body.toString() }
  const answer = await graphql.fetch(`http://localhost${req.originalUrl}`, init, { req, res })
  answer.headers.forEach((value, name) => void res.setHeader(name, value))
  res.status(answer.status)
  res.end(await answer.text())
}

function refuseGraphql(res: Response, error: unknown, { log }: App): void {
  const known = appErrorIn(error) ?? new AppError('internal_error')
  if (known.status >= 500) log.error({ err: error }, 'a GraphQL request failed')
  if (known.retryAfterSeconds !== null) res.setHeader('Retry-After', String(known.retryAfterSeconds))
  const { code, issues } = known
  const extensions = { code, ...(issues.length > 0 && { issues }) }
  res.status(known.status).json({ errors: [{ message: known.message, extensions }] })
}

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
