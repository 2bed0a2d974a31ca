// A proxy in front of the service that breaks paid requests as networks and servers do, and forwards all others.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = { status: number; headers: [string, string][]; body: Buffer }

/** The treatment of one paid request by the proxy. `forward` sends it to the service, which carries it out. */
export type Fate = (response: ServerResponse, forward: () => Promise<Answer>) => Promise<unknown>

/** The connection breaks before the request reaches the service. */
export const neverArrives: Fate = async response => response.destroy()

/** The service carries the request out, and the connection breaks before the answer. */
export const answerLost: Fate = async (response, forward) => {
  await forward()
  response.destroy()
}

/** The connection breaks while the service carries the request out. */
export const stillAtWork: Fate = async (response, forward) => {
  const carriedOut = forward()
  setTimeout(() => response.destroy(), 500)
  await carriedOut
}

/** The service carries the request out, and a gateway that did not wait for it answers 504. */
export const gatewayGaveUp: Fate = async (response, forward) => {
  await forward()
  response.writeHead(504).end()
}

/** The service carries the request out, and an error before its answer is written returns 500. */
export const answerSpoilt: Fate = async (response, forward) => {
  await forward()
  response.writeHead(500).end()
}

/** Half of the answer arrives. */
export const answerCut: Fate = async (response, forward) => {
  const { status, headers, body } = await forward()
  response.writeHead(status, [...headers, ['Content-Length', `${body.length}`]].flat())
  response.write(body.subarray(0, body.length / 2), () => response.destroy())
}

/** No answer arrives for as long as the client waits. */
export const silence: Fate = response => once(response, 'close')

/** The proxy answers in place of the service. */
export const answers =
  (status: number, headers: Record<string, string> = {}): Fate =>
  async response =>
    response.writeHead(status, headers).end()

const passed: Fate = async (response, forward) => {
  const { status, headers, body } = await forward()
  response.writeHead(status, headers.flat()).end(body)
}

export type LossyProxy = {
  url: string
  /** The fates of the next paid requests, in order; after the last, paid requests are forwarded. */
  fates: Fate[]
  /** PAYMENT-SIGNATURE of each paid request, in order. */
  paid: string[]
  /** The number of requests without a payment. */
  unpaid: number
  /** Statuses with which the service answered paid requests. */
  statuses: number[]
  stop(): Promise<void>
}

/** Hop-by-hop headers, which belong to one connection, not to the request or its answer. */
const hops = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding'])
const endToEnd = (headers: Iterable<[string, string]>) => [...headers].filter(([name]) => !hops.has(name))

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return request.method === 'GET' ? null : new Uint8Array(Buffer.concat(chunks))
}

export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const proxy: Omit<LossyProxy, 'url' | 'stop'> = { fates: [], paid: [], unpaid: 0, statuses: [] }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const header = request.headers['payment-signature']?.toString()
    const body = await bodyOf(request)
    const forward = async (): Promise<Answer> => {
      const headers = endToEnd(Object.entries(request.headers).map(([name, value]) => [name, `${value}`]))
      const answer = await fetch(target + request.url, { method: request.method ?? 'GET', headers, body })
      if (header !== undefined) proxy.statuses.push(answer.status)
      return {
        status: answer.status,
        headers: endToEnd(answer.headers),
        body: Buffer.from(await answer.arrayBuffer()),
      }
    }
    if (header === undefined) proxy.unpaid += 1
    else proxy.paid.push(header)
    await ((header === undefined ? undefined : proxy.fates.shift()) ?? passed)(response, forward)
  }

  const server = createServer((request, response) => {
    // The client or the service has closed the connection.
    handle(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  })
}
