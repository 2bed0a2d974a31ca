// Listens for HTTP, and stops without losing an answer: probes hear of it first, what is under way is answered, streams
// are ended so that their clients come back.
import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartError } from './embedded/start-error.ts'
import type { Env } from './env.ts'
import { refusal, refuseUnreadable } from './http-refusal.ts'

export type HttpServer = {
  port: number
  /** From now on requests are handled by this; before, they hear that the service starts. */
  serve(listener: http.RequestListener): void
  /** True from the beginning of `stop`. */
  isStopping(): boolean
  /** Resolves when every connection is closed, and leaves a sixth of the time to what else must stop. */
  stop(withinMs: number): Promise<void>
}

const lookEveryMs = 20
const watchedMs = 2_000
const reconnectMs = 1_000

export async function openServer(
  { host, port, production }: Pick<Env, 'host' | 'port' | 'production'>,
  log: Pick<Logger, 'warn'>,
): Promise<HttpServer> {
  let handle: http.RequestListener = ({ headers: { accept }, socket }, res) => {
    // An EventSource comes back when its connection breaks, but never after an error.
    if (accept?.includes('text/event-stream')) return void socket.destroy()
    const { status, headers, body } = refusal('starting')
    res.writeHead(status, headers).end(body)
  }
  let stopping = false
  let probedAt = 0
  const open = new Set<http.ServerResponse>()
  // Node itself would refuse a request without Host or with an unknown Expect, in words of its own.
  const server = http.createServer({ requireHostHeader: false }, (req, res) => {
    if (req.url?.startsWith('/readyz')) probedAt = Date.now()
    if (stopping && isEnding(req)) return
    open.add(res)
    res.once('close', () => open.delete(res))
    if (stopping) closeAfter(res)
    handle(req, res)
  })
  // A client that keeps its connection would send the next request to a process that is gone. Not after an answer that others
  // of the same connection are queued behind.
  const closeAfter = (last: http.ServerResponse) => {
    for (const res of open) if (res.req.socket === last.req.socket) res.shouldKeepAlive = res !== last
  }
  // Its client has been told that nothing more is answered on this connection, so nothing may be carried out either.
  const isEnding = ({ socket }: http.IncomingMessage) =>
    [...open].some(res => res.req.socket === socket && res.headersSent && !res.shouldKeepAlive)
  // Longer than load balancers keep a connection that is idle: they would send a request into one that is just being closed.
  server.keepAliveTimeout = 65_000
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
  refuseUnreadable(server, open)
  server.listen(port, host)
  await once(server, 'listening').catch((error: unknown) => {
    throw startErrorOf(error, host, port)
  })

  /**
   * New connections are still accepted meanwhile: a load balancer needs some probes of /readyz to notice. Outside production
   * this lasts only while somebody probes, because a developer's Ctrl-C should not wait for a load balancer that is not there.
   */
  async function grace(end: number): Promise<void> {
    while (Date.now() < end && (production || Date.now() - probedAt < watchedMs)) await sleep(lookEveryMs)
  }

  async function stop(withinMs: number): Promise<void> {
    const begun = Date.now()
    const deadline = begun + (withinMs * 5) / 6
    stopping = true
    for (const res of open) closeAfter(res)
    await grace(begun + withinMs / 3)
    const closed = new Promise(resolve => server.close(resolve))
    for (; open.size > 0 && Date.now() < deadline; await sleep(lookEveryMs)) {
      // Last, because other requests may have their results written into them.
      if ([...open].every(isStream)) for (const res of open) endStream(res)
    }
    if (open.size > 0) log.warn({ requests: open.size }, 'requests were cut, because SHUTDOWN_SECONDS were over')
    server.closeAllConnections()
    await closed
  }

  const address = server.address()
  return {
    port: address === null || typeof address === 'string' ? port : address.port,
    serve: listener => {
      handle = listener
    },
    isStopping: () => stopping,
    stop,
  }
}

const typeOf = (res: http.ServerResponse): string => String(res.getHeader('content-type') ?? '')

/** Answers without an end of their own: subscriptions in the forms that REST, graphql-sse and yoga write. */
const isStream = (res: http.ServerResponse): boolean =>
  res.headersSent && /^(text\/event-stream|multipart\/mixed)/.test(typeOf(res))

/** Ends it as an answer that is whole. graphql-sse's clients come back because no `complete` was sent. */
function endStream(res: http.ServerResponse): void {
  if (res.writableEnded) return
  // Its source may write once more before it hears of the end.
  res.on('error', () => undefined)
  res.end(typeOf(res).startsWith('text/event-stream') ? `retry: ${reconnectMs}\n\n` : undefined)
}

function startErrorOf(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} on ${host} is in use: stop what uses it, or set PORT to another.`)
  if (code === 'EACCES') return new StartError(`Port ${port} may not be used by this user: set PORT to one above 1023.`)
  return error
}
