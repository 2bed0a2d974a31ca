// The port of probes and metrics, which every role has: plain HTTP with three paths. It is open before the database is
// there and until all else is closed, so that an orchestrator sees both. Strangers may reach it, so an answer is shared
// by all who ask at almost the same time.
import http from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { recently } from '../core/recently.ts'
import { listenAt, type Place } from './listen.ts'
import type { MetricsAccess } from './metrics-access.ts'

export type Checks = {
  /** Why only a restart helps this process, in a word; null: nothing. */
  stuck(): string | null
  /** Why this process is not ready, in a word; null: it is. */
  unready(): Promise<string | null>
  /** The metrics in Prometheus' format. */
  metrics(): Promise<string>
}

export type Probes = {
  port: number
  /** Until then only /livez answers 200. */
  serve(checks: Checks): void
  /** From then on /readyz answers 503. */
  stopping(): void
  close(): Promise<void>
}

type Answer = { status: number; headers?: Record<string, string>; body: string }

const sharedMs = 1_000
const patienceMs = 2_500
const requestMs = 5_000
// A flood of connections replaces its own oldest ones, and never keeps a probe out.
const mostConnections = 200

const json = (status: number, value: object, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
})
const notReady = (reason: string) => json(503, { status: 'not ready', reason }, { 'Retry-After': '5' })

export async function openProbes(place: Place, mayRead: MetricsAccess): Promise<Probes> {
  let checks: Checks | null = null
  let isStopping = false

  const readiness = recently(async (): Promise<Answer> => {
    if (checks === null) return notReady('starting')
    const late = sleep(patienceMs, 'slow', { ref: false })
    const reason = await Promise.race([checks.unready(), late]).catch(() => 'unknown')
    return reason === null ? json(200, { status: 'ready' }) : notReady(reason)
  }, sharedMs)

  const metrics = recently(async (): Promise<Answer> => {
    if (checks === null) return notReady('starting')
    return { status: 200, headers: { 'Content-Type': 'text/plain; version=0.0.4' }, body: await checks.metrics() }
  }, sharedMs)

  function liveness(): Answer {
    const reason = checks?.stuck() ?? null
    return reason === null ? json(200, { status: 'ok' }) : json(503, { status: 'stuck', reason })
  }

  async function answerTo(req: http.IncomingMessage): Promise<Answer> {
    const path = req.url?.replace(/\?.*/s, '')
    const isKnown = path === '/livez' || path === '/readyz' || path === '/metrics'
    if (!isKnown) return json(404, { detail: 'route_not_found' })
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return json(405, { detail: 'method_not_allowed' }, { Allow: 'GET, HEAD' })
    if (path === '/livez') return liveness()
    if (path === '/readyz') return isStopping ? notReady('stopping') : readiness()
    const refusal = mayRead(req)
    if (refusal !== null) return json(401, { detail: 'unauthenticated', message: refusal.message }, refusal.headers)
    return metrics()
  }

  const server = http.createServer(
    { headersTimeout: requestMs, requestTimeout: requestMs, connectionsCheckingInterval: 1_000, maxHeaderSize: 8_192 },
    async (req, res) => {
      const { status, headers, body } = await answerTo(req).catch(() => json(500, { detail: 'internal_error' }))
      // No path takes a body: the connection of a request with one ends with the answer.
      if (req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined)
        res.shouldKeepAlive = false
      res.writeHead(status, { ...headers, 'Cache-Control': 'no-store', 'Content-Length': Buffer.byteLength(body) })
      res.end(req.method === 'HEAD' ? undefined : body)
    },
  )
  server.keepAliveTimeout = requestMs
  const open = new Set<Socket>()
  server.on('connection', socket => {
    open.add(socket.once('close', () => open.delete(socket)))
    const [oldest] = open
    if (open.size > mostConnections) oldest?.destroy()
  })
  const port = await listenAt(server, place)
  return {
    port,
    serve(given) {
      checks = given
    },
    stopping() {
      isStopping = true
    },
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
