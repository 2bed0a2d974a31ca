// Loaded into a process under test (`--import`): tells over HTTP how long its event loop was held, and how much memory it has.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'

export type Watched = {
  /** Since it was last asked: the longest time in which nothing else could run, and the thread's processor time. */
  heldMs: number
  cpuMs: number
  rss: number
  heapUsed: number
  heapTotal: number
  external: number
  arrayBuffers: number
}

const resolution = 5
const delay = monitorEventLoopDelay({ resolution })
delay.enable()
let before = process.threadCpuUsage()

const server = createServer((req, res) => {
  // V8 keeps the pages of garbage for what comes next, several times what is alive, unless memory is said to run out.
  if (req.url === '/gc') globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const { user, system } = process.threadCpuUsage(before)
  before = process.threadCpuUsage()
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
  const watched: Watched = {
    heldMs: delay.max / 1e6 - resolution,
    cpuMs: (user + system) / 1_000,
    rss,
    heapUsed,
    heapTotal,
    external,
    arrayBuffers,
  }
  delay.reset()
  res.end(JSON.stringify(watched))
})

server.listen(0, '127.0.0.1', () => {
  console.log(`watched at ${(server.address() as AddressInfo).port}`)
})
server.unref()
