// Loaded into a process under test (`--import`): reports over HTTP how long its event loop was blocked and its memory
// use.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Watched = {
  /**
   * The longest processor time since the last request in which the event loop was blocked. Time in which a busy machine
   * ran other processes does not count.
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
  // V8 keeps pages of garbage for reuse, several times the live memory, unless memory is said to run out.
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
