// A load balancer that forwards connections to the backends whose last answer to /readyz was 200.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Balancer = {
  url: string
  /** Resolves when the backend is ready, and so gets its first connections. */
  add(backend: string): Promise<void>
  remove(backend: string): void
  stop(): Promise<void>
}

const probeEveryMs = 100

export async function startBalancer(): Promise<Balancer> {
  const backends = new Map<string, { ready: boolean }>()
  const sockets = new Set<Socket>()
  let turn = 0
  const server = createServer({ allowHalfOpen: true }, client => {
    const ready = [...backends].filter(([, { ready }]) => ready).map(([url]) => new URL(url))
    const target = ready[turn++ % ready.length]
    if (target === undefined) return void client.destroy()
    const behind = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true })
    for (const [from, to] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('error', () => to.destroy()).once('close', () => sockets.delete(from))
      from.pipe(to)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const probe = async (url: string) => {
    const status = await fetch(`${url}/readyz`, { headers: { Connection: 'close' } }).then(
      answer => answer.status,
      () => 0,
    )
    const backend = backends.get(url)
    if (backend !== undefined) backend.ready = status === 200
  }
  const timer = setInterval(() => {
    for (const url of backends.keys()) void probe(url)
  }, probeEveryMs)

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async add(backend) {
      const state = { ready: false }
      backends.set(backend, state)
      while (!state.ready) await probe(backend)
    },
    remove: backend => void backends.delete(backend),
    async stop() {
      clearInterval(timer)
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
