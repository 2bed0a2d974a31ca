// Measures whether memory levels off: one API process and one worker under ten minutes of mixed load, as many requests
// as a small service gets in a day. --minutes=4 shortens the run.
//
// A process levels off when its heap after a collection of garbage grows by at most a tenth from the third quarter of
// the run to the last, and its RSS too. The first half is left out: caches fill and code is compiled in it.
import { readFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { startChain } from '../src/embedded/chain.ts'
import { anchoringOn, inBench, median, projectKey, record } from './kit.ts'
import { loadFor } from './memory/load.ts'

const { values: flags } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const ms = Number(flags.minutes) * 60_000
const mostGrowth = 1.1
const projects = 5

type Sample = { at: number; rss: number; heapUsed: number; external: number }

const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(0)

async function samplesOf(log: string, since: number): Promise<Sample[]> {
  const lines = (await readFile(log, 'utf8')).trim().split('\n')
  return lines.map(line => JSON.parse(line) as Sample).filter(({ at }) => at >= since)
}

/** Prints the medians of each tenth of the run and the verdict. Returns whether the process levels off. */
function judge(name: string, samples: Sample[]): boolean {
  const part = (of: number, count: number) =>
    samples.slice(Math.floor((samples.length * of) / count), Math.floor((samples.length * (of + 1)) / count))
  const middle = (some: Sample[], what: 'rss' | 'heapUsed' | 'external') => median(some.map(sample => sample[what]))
  console.log(`${name}: MB in each tenth of the run`)
  for (const what of ['rss', 'heapUsed', 'external'] as const) {
    const tenths = Array.from({ length: 10 }, (_, tenth) => mb(middle(part(tenth, 10), what)).padStart(5))
    console.log(`  ${what.padEnd(9)}${tenths.join('')}`)
  }
  const growth = (what: 'rss' | 'heapUsed') => middle(part(3, 4), what) / middle(part(2, 4), what)
  const [rss, heap] = [growth('rss'), growth('heapUsed')]
  const isLevel = rss <= mostGrowth && heap <= mostGrowth
  const figures = `last quarter against the third: RSS ${rss.toFixed(2)}, heap ${heap.toFixed(2)} (goal ${mostGrowth})`
  console.log(`${isLevel ? 'ok   ' : 'GROWS'}  ${name}: ${figures}`)
  return isLevel
}

await inBench(async ({ serve, folder }) => {
  const chain = await startChain(join(folder, 'chain'), pino({ level: 'silent' }))
  const receiver = http.createServer((req, res) => void req.resume().on('end', () => res.end()))
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  try {
    const logOf = (role: string) => join(folder, `${role}.jsonl`)
    const start = (role: string) =>
      serve('src/main.ts', {
        ...anchoringOn(chain),
        ALLOW_PRIVATE_TARGETS: 'true',
        TRUST_PROXY: '1',
        ROLES: role,
        MEMORY_LOG: logOf(role),
        NODE_OPTIONS: '--expose-gc --import=./bench/memory/probe.ts',
      })
    const { url } = await start('api')
    await start('worker')
    const keys: string[] = []
    for (let project = 0; project < projects; project++) keys.push(await projectKey(url))
    await hear(url, keys[0] ?? '', `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`)
    const receipts = await Promise.all(Array.from({ length: 50 }, () => record(url, keys[0] ?? '')))
    const since = Date.now()
    const tally = await loadFor(ms, { url, keys, receipts })
    let sent = 0
    for (const [name, count] of Object.entries(tally)) {
      sent += count.sent
      if (count.failed > 0)
        console.log(`${name}: ${count.failed} of ${count.sent} failed, the last with ${count.fault}`)
    }
    console.log(`${sent} requests and streams in ${flags.minutes} minutes`)
    for (const role of ['api', 'worker']) {
      if (!judge(role, await samplesOf(logOf(role), since))) process.exitCode = 1
    }
  } finally {
    receiver.closeAllConnections()
    receiver.close()
    await chain.stop()
  }
})

/** Registers a webhook endpoint that takes every event of the project. */
async function hear(url: string, key: string, receiver: string): Promise<void> {
  const query = `mutation { createWebhookEndpoint(input: { url: "${receiver}" }) { webhookEndpoint { id } } }`
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': key }
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  const { errors } = await response.json()
  if (errors) throw new Error(JSON.stringify(errors))
}
