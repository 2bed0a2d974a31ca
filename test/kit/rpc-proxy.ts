// A proxy in front of a JSON-RPC node that fails and lies as nodes do, over real HTTP on the loopback interface. The
// fault can be changed at any time.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const request = z.object({ method: z.string(), params: z.array(z.unknown()).default([]) })
const numbered = request.extend({ id: z.unknown() })
const fields = z.record(z.string(), z.unknown())

export type RpcRequest = z.infer<typeof request>

/**
 * Sends the request to the node and returns the parsed body; with `instead`, sends that request in place of the
 * original.
 */
export type Forward = (instead?: RpcRequest) => Promise<unknown>

/** honest: as without a fault. A body is sent as it is; in a batch, any other kind applies to the whole batch. */
export type Behaviour =
  | { kind: 'honest' }
  | { kind: 'body'; body: unknown }
  | { kind: 'raw'; status: number; text: string }
  | { kind: 'hang' }
  /** An answer that never ends, one byte at a time. */
  | { kind: 'trickle' }
  | { kind: 'reset' }

export type Fault = (request: RpcRequest, forward: Forward) => Promise<Behaviour>

export type RpcProxy = {
  readonly url: string
  /** Null: no fault. */
  fault: Fault | null
  /** The requests in order, those of batches one by one. Cleared by `requests.length = 0`. */
  readonly requests: RpcRequest[]
  /** The Authorization header of each HTTP request that had one. */
  readonly authorizations: string[]
  /** The number of requests that are held without an answer at this moment. */
  readonly hanging: number
  /** Ends the held requests. */
  release(): void
  stop(): Promise<void>
}

const honest: Behaviour = { kind: 'honest' }
/** Listens on any free port unless `listenAt` is given. */
export async function startRpcProxy(targetUrl: string, listenAt = 0): Promise<RpcProxy> {
  const asked: RpcRequest[] = []
  const authorizations: string[] = []
  const held = new Set<ServerResponse>()
  const ending = new AbortController()

  async function ask({ method, params }: RpcRequest, id: unknown): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(targetUrl, { method: 'POST', headers, body, signal: ending.signal })
    return answer.json()
  }

  async function behave(item: unknown): Promise<Behaviour> {
    const { id, ...question } = numbered.parse(item)
    asked.push(question)
    const forward: Forward = (instead = question) => ask(instead, id)
    const behaviour = (await proxy.fault?.(question, forward)) ?? honest
    if (behaviour.kind === 'honest') return { kind: 'body', body: await forward() }
    if (behaviour.kind !== 'body') return behaviour
    const { success, data } = fields.safeParse(behaviour.body)
    return { kind: 'body', body: success ? { id, ...data } : behaviour.body }
  }

  function answer(response: ServerResponse, behaviours: Behaviour[], isBatch: boolean): void {
    const bodies: unknown[] = []
    for (const behaviour of behaviours) {
      if (behaviour.kind === 'body') bodies.push(behaviour.body)
      else if (behaviour.kind === 'raw') return void response.writeHead(behaviour.status).end(behaviour.text)
      else if (behaviour.kind === 'reset') return void response.destroy()
      else {
        held.add(response)
        const drip = behaviour.kind === 'trickle' ? setInterval(() => response.write(' '), 50) : undefined
        return void response.once('close', () => {
          clearInterval(drip)
          held.delete(response)
        })
      }
    }
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(isBatch ? bodies : bodies[0]))
  }

  const server = createServer(async (incoming, response) => {
    const { authorization } = incoming.headers
    if (authorization !== undefined) authorizations.push(authorization)
    try {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      const behaviours = await Promise.all((Array.isArray(body) ? body : [body]).map(behave))
      answer(response, behaviours, Array.isArray(body))
    } catch {
      // The node or the client has closed the connection.
      response.destroy()
    }
  }).listen(listenAt, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const proxy: RpcProxy = {
    url: `http://127.0.0.1:${port}`,
    fault: null,
    requests: asked,
    authorizations,
    get hanging() {
      return held.size
    },
    release() {
      for (const response of held) response.destroy()
      held.clear()
    },
    async stop() {
      if (!server.listening) return
      proxy.release()
      const closed = once(server, 'close')
      server.close()
      ending.abort()
      server.closeAllConnections()
      await closed
    },
  }
  return proxy
}
