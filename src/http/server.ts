// HTTP server that stops without losing a response: /readyz fails first, requests in progress are answered, and event
// streams are ended so that their clients reconnect.
import http from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Env } from '../env.ts'
import { type Finished, unread } from './finished.ts'
import { listenAt } from './listen.ts'
import { refusal, refuseUnreadable } from './refusal.ts'

export type HttpServer = {
  port: number
  /** Sets the handler of all further requests. Until then requests are answered with the error `starting`. */
  serve(listener: http.RequestListener): void
  /** Reads requests from another connection than those of its port. */
  accept(socket: Duplex): void
  /** True as soon as `stop` has been called. */
  isStopping(): boolean
  /** Resolves when every connection is closed, within five sixths of `withinMs`: the rest is for other resources. */
  stop(withinMs: number): Promise<void>
}

const lookEveryMs = 20
const watchedMs = 2_000
const reconnectMs = 1_000
// A client that takes nothing of a response for so long, or for up to twice as long, keeps it in memory no longer.
const unreadMs = 30_000

export async function openServer(
  { HOST: host, PORT: port, production }: Pick<Env, 'HOST' | 'PORT' | 'production'>,
  log: Pick<Logger, 'warn'>,
  tell: (finished: Finished) => void,
): Promise<HttpServer> {
  let handle: http.RequestListener = ({ headers: { accept }, socket, method }, res) => {
    // An EventSource reconnects after a broken connection, but never after an error status.
    if (accept?.includes('text/event-stream')) return void socket.destroy()
    const refused = refusal('starting')
    res.writeHead(refused.status, refused.headers).end(refused.body)
    tell(unread(refused, socket, method))
  }
  let stopping = false
  let probedAt = 0
  const open = new Set<http.ServerResponse>()
  // Node itself would refuse a request without Host or with an unknown Expect, in its own error format.
  const server = http.createServer({ requireHostHeader: false }, (req, res) => {
    if (req.url?.startsWith('/readyz')) probedAt = Date.now()
    if (stopping && isEnding(req)) return
    open.add(res)
    // A paid call that waits in turn has eleven listeners, one of each layer. Node suspects a leak above ten.
    res.setMaxListeners(20)
    // The time begins when the response is complete; Node.js closes the connection.
    res.once('prefinish', () => res.setTimeout(unreadMs))
    res.once('close', () => open.delete(res))
    if (stopping) closeAfterLast()
    handle(req, res)
  })
  // A keep-alive client would send its next request to a process that is gone. Only the last response of a connection
  // closes it, because later responses of the same connection are queued behind an earlier one.
  const closeAfterLast = () => {
    const last = new Map([...open].map(res => [res.req.socket, res]))
    for (const res of open) res.shouldKeepAlive = last.get(res.req.socket) !== res
  }
  // `Connection: close` has notified the client that this connection gets no further response, so no further request on
  // it may be carried out.
  const isEnding = ({ socket }: http.IncomingMessage) =>
    [...open].some(res => res.req.socket === socket && res.headersSent && !res.shouldKeepAlive)
  // Longer than the idle timeout of load balancers, which could otherwise send a request on a closing connection.
  server.keepAliveTimeout = 65_000
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
  refuseUnreadable(server, open, tell)
  const listensAt = await listenAt(server, { host, port, setting: 'PORT' })

  /**
   * Keeps accepting new connections, because a load balancer needs some probes of /readyz to notice the stop. Outside
   * production this lasts only while /readyz is probed, so that a developer's Ctrl-C does not wait for a load balancer.
   */
  async function grace(end: number): Promise<void> {
    while (Date.now() < end && (production || Date.now() - probedAt < watchedMs)) await sleep(lookEveryMs)
  }

  async function stop(withinMs: number): Promise<void> {
    const begun = Date.now()
    const deadline = begun + (withinMs * 5) / 6
    stopping = true
    closeAfterLast()
    await grace(begun + withinMs / 3)
    const closed = new Promise(resolve => server.close(resolve))
    for (; open.size > 0 && Date.now() < deadline; await sleep(lookEveryMs)) {
      // Streams end last, because the results of other requests may be written into them.
      if ([...open].every(res => isStream(res) || isDownload(res))) for (const res of open) endStream(res)
    }
    if (open.size > 0) log.warn({ requests: open.size }, 'requests were cut off, because SHUTDOWN_SECONDS had passed')
    server.closeAllConnections()
    await closed
  }

  return {
    port: listensAt,
    serve: listener => {
      handle = listener
    },
    accept: socket => void server.emit('connection', socket),
    isStopping: () => stopping,
    stop,
  }
}

const typeOf = (res: http.ServerResponse): string => String(res.getHeader('content-type') ?? '')

/** True for responses that do not end by themselves: subscriptions as REST, graphql-sse and yoga send them. */
const isStream = (res: http.ServerResponse): boolean =>
  res.headersSent && /^(text\/event-stream|multipart\/mixed)/.test(typeOf(res))

/** True for a file that is still being read for its client, who goes on with it elsewhere. */
const isDownload = (res: http.ServerResponse): boolean =>
  res.headersSent && !res.writableEnded && res.getHeader('accept-ranges') !== undefined

/** Ends a stream as a complete response. graphql-sse's clients reconnect because no `complete` event was sent. */
function endStream(res: http.ServerResponse): void {
  if (res.writableEnded) return
  if (isDownload(res)) return void res.destroy()
  // The source of the stream may write once more before it notices the end.
  res.on('error', () => undefined)
  res.end(typeOf(res).startsWith('text/event-stream') ? `retry: ${reconnectMs}\n\n` : undefined)
}
