// Loaded into a process under test (`--import`): tells over HTTP how long its event loop was held, and how much memory it has.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Watched = {
  /**
   * Since it was last asked: the most processor time of the thread in which nothing else could run. Time in which a busy
   * machine ran others is none of it.
   */
  heldMs: number
  rss: number
  heapUsed: number
  heapTotal: number
  external: number
  arrayBuffers: number
}

let heldMs = 0
let before = process.threadCpuUsage()

function turn() {
  const { user, system } = process.threadCpuUsage(before)
  before = process.threadCpuUsage()
  heldMs = Math.max(heldMs, (user + system) / 1_000)
}
setInterval(turn, 5).unref()

const server = createServer((req, res) => {
  // V8 keeps the pages of garbage for what comes next, several times what is alive, unless memory is said to run out.
  if (req.url === '/gc') globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  turn()
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
  const watched: Watched = { heldMs, rss, heapUsed, heapTotal, external, arrayBuffers }
  heldMs = 0
  res.end(JSON.stringify(watched))
})

server.listen(0, '127.0.0.1', () => {
  console.log(`watched at ${(server.address() as AddressInfo).port}`)
})
server.unref()
