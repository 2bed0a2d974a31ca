// A router of several installations: each request with a credential goes where its project works, any other to the
// first installation that knows what it asks for.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { buffer } from 'node:stream/consumers'

export type CellRouter = Awaited<ReturnType<typeof startCellRouter>>

const hashOf = (credential: string) => createHash('sha256').update(credential).digest('hex')

export async function startCellRouter() {
  /** The base URLs by the SHA-256 of an API key, as the databases have it. */
  const byKey = new Map<string, string>()
  const cells: string[] = []
  /** The answers under way, by the hash of their key: a stream goes on until it is cut. */
  const open = new Map<string, Set<http.ServerResponse>>()

  function ask(cell: string, req: http.IncomingMessage, body: Buffer): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { ...req.headers, host: new URL(cell).host }
      const asked = http.request(new URL(req.url ?? '/', cell), { method: req.method, headers, agent: false })
      asked.on('response', resolve).on('error', reject).end(body)
    })
  }

  async function route(req: http.IncomingMessage, body: Buffer): Promise<http.IncomingMessage> {
    const key = req.headers['x-api-key']
    const own = typeof key === 'string' ? byKey.get(hashOf(key)) : undefined
    if (own !== undefined) return ask(own, req, body)
    let answer: http.IncomingMessage | undefined
    for (const cell of cells) {
      answer?.resume()
      answer = await ask(cell, req, body)
      if (answer.statusCode !== 404) break
    }
    if (answer === undefined) throw new Error('the router knows no installation')
    return answer
  }

  const server = http.createServer(async (req, res) => {
    const body = await buffer(req)
    const key = hashOf(String(req.headers['x-api-key']))
    const own = open.get(key) ?? new Set()
    open.set(key, own.add(res))
    res.once('close', () => own.delete(res))
    try {
      const answer = await route(req, body)
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, res, () => undefined)
    } catch {
      res.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Requests without a known key ask the installations in this order. */
    setCells: (...urls: string[]) => void cells.splice(0, cells.length, ...urls),
    /** Cuts the streams of the key, whose clients then come to the new installation. */
    setCell(key: string, cell: string) {
      byKey.set(hashOf(key), cell)
      for (const res of open.get(hashOf(key)) ?? []) res.destroy()
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
