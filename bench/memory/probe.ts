// Loaded before the service (`--import`): writes what the process keeps after a collection of garbage, one line of JSON
// every few seconds, to MEMORY_LOG.
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const everyMs = 2_000

// Threads and child processes of the service inherit the option.
if (isMainThread && process.argv[1]?.endsWith('src/main.ts')) {
  const log = process.env.MEMORY_LOG ?? ''
  setInterval(() => {
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    appendFileSync(log, `${JSON.stringify({ at: Date.now(), rss, heapUsed, external })}\n`)
  }, everyMs).unref()
}
