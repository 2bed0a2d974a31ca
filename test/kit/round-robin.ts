// A proxy that sends each request, not each connection, to the next backend, as nginx does without further settings.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

export type RoundRobin = {
  url: string
  /** The backends to which requests went: the method of each, and the index of the backend. */
  readonly sent: { method: string; backend: number }[]
  stop(): Promise<void>
}

/** `first`: the index of the backend that gets the first request. */
export async function startRoundRobin(backends: readonly string[], first = 0): Promise<RoundRobin> {
  const sent: RoundRobin['sent'] = []
  const server = http.createServer((req, res) => {
    const backend = (first + sent.length) % backends.length
    sent.push({ method: req.method ?? '', backend })
    const asked = http.request(new URL(req.url ?? '/', backends[backend]), {
      method: req.method,
      headers: req.headers,
      agent: false,
    })
    asked.on('error', () => res.destroy())
    asked.on('response', answer => {
      res.writeHead(answer.statusCode ?? 500, answer.headers)
      res.flushHeaders()
      pipeline(answer, res, () => undefined)
    })
    res.once('close', () => asked.destroy())
    req.pipe(asked)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
