// A webhook receiver: a real HTTP server that keeps the requests and answers as the test defines.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export type Received = { path: string; id: string; headers: http.IncomingHttpHeaders; text: string; body: WebhookBody }
type WebhookBody = { type: string; timestamp: string; data: Record<string, unknown> }

/** Writes the answer; without one the receiver answers 200. `nth` counts the requests to this path, from 1. */
export type Behaviour = (res: http.ServerResponse, received: Received, nth: number) => void | Promise<void>

export async function startReceiver(behaviour: Behaviour = () => undefined) {
  const received: Received[] = []
  let open = 0
  let mostOpen = 0
  const server = http.createServer((req, res) => {
    let text = ''
    req.setEncoding('utf8')
    req.on('data', chunk => (text += chunk))
    req.on('end', async () => {
      const { headers, url: path = '/' } = req
      const one = { path, id: String(headers['webhook-id']), headers, text, body: JSON.parse(text) }
      received.push(one)
      mostOpen = Math.max(mostOpen, ++open)
      res.on('close', () => open--)
      await behaviour(res, one, received.filter(other => other.path === path).length)
      if (!res.headersSent && !res.destroyed) res.end('taken')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    mostOpen: () => mostOpen,
    /** The event types sent to a path, in the order of their events. */
    types: (path: string) =>
      received
        .filter(one => one.path === path)
        .toSorted((a, b) => Number(a.id.slice(4)) - Number(b.id.slice(4)))
        .map(({ body }) => body.type),
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Throws unless the official library accepts the signature. */
export const verified = (secret: string, { text, headers }: Received) =>
  new Webhook(secret).verify(text, headers as Record<string, string>)
