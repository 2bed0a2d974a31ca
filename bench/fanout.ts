// Measures event streams on one process: memory of a stream, and the time from sending the INSERT of an event until a
// client has received it. Half of the streams follow one receipt over REST, half the receipts of a project over GraphQL.
// First the streams are spread over projects, so that each event reaches `--each` of them; then all follow one receipt.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type Answered, type Asked, microseconds } from './fanout/clients.ts'
import { inBench, projectKey, record } from './kit.ts'

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '10000' },
    each: { type: 'string', default: '50' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '15' },
    changes: { type: 'string', default: '5' },
  },
})
const [streams, each, perSecond, seconds, changes] = [
  Number(values.streams),
  Number(values.each),
  Number(values.rate),
  Number(values.seconds),
  Number(values.changes),
]

const document = 'subscription { receiptChanged { cursor type occurredAt matches receipt { id status reference } } }'

const followingReceipt = (id: string) =>
  `GET /v1/iso/events/${id} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n`
function followingProject(key: string): string {
  const body = JSON.stringify({ query: document })
  return `POST /graphql/stream HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nX-API-Key: ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

const percentile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

function startClients() {
  const child = fork('bench/fanout/clients.ts', [], { serialization: 'advanced' })
  return {
    async ask(asked: Asked): Promise<Answered> {
      child.send(asked)
      const [answered] = await once(child, 'message')
      return answered
    },
    stop: () => child.kill(),
  }
}

async function kilobytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1])
}

type Project = { id: string; key: string; receipt: string }

await inBench(async ({ serve, databaseUrl }) => {
  // Without workers a receipt stays pending, so that its stream does not end.
  let { url, pid, stop } = await serve('src/main.ts', { ROLES: 'api', LOG_LEVEL: 'fatal' })
  let port = Number(new URL(url).port)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  const clients = startClients()

  async function project(): Promise<Project> {
    const key = await projectKey(url)
    const receipt = await record(url, key)
    const { rows } = await pool.query('select project_id as id from receipts where id = $1', [receipt])
    return { id: rows[0].id, key, receipt }
  }

  const publish = async ({ id, receipt }: Project): Promise<[string, number]> => {
    const sent = microseconds()
    const { rows } = await pool.query({
      name: 'publish',
      text: `insert into events (type, project_id, receipt_id, status) values ('receipt.pending', $1, $2, 'pending') returning id`,
      values: [id, receipt],
    })
    return [rows[0].id, sent]
  }

  /** Publishes, and returns the sorted milliseconds until each stream had each event. */
  async function received(of: string, expected: number, publishing: () => Promise<[string, number][]>): Promise<number[]> {
    await clients.ask({ take: 'begin' })
    const sent = new Map(await publishing())
    await sleep(3_000)
    const answered = await clients.ask({ take: 'end' })
    if (!('ids' in answered)) throw new Error('no times')
    const { ids, at, closed } = answered
    const took = ids.flatMap((id, index) => {
      const since = sent.get(id)
      return since === undefined ? [] : ((at[index] ?? 0) - since) / 1_000
    })
    if (took.length !== expected * sent.size || closed > 0)
      throw new Error(`${of}: ${took.length} of ${expected * sent.size} deliveries, ${closed} streams closed`)
    return took.sort((a, b) => a - b)
  }

  function report(of: string, took: number[]): void {
    const [p50, p99, last] = [percentile(took, 0.5), percentile(took, 0.99), took.at(-1) ?? Number.NaN]
    const verdict = p50 < 100 && p99 < 500 ? 'ok' : 'ABOVE'
    console.log(
      `${verdict.padEnd(6)} ${of}: ${took.length} deliveries, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, last ${last.toFixed(0)} ms`,
    )
  }

  async function opened(of: string, requests: string[], before: number): Promise<void> {
    const began = performance.now()
    await clients.ask({ open: { port, requests } })
    const took = (performance.now() - began) / 1_000
    await sleep(5_000)
    const each = ((await kilobytesOf(pid)) - before) / requests.length
    const verdict = each < 40 ? 'ok' : 'ABOVE'
    console.log(`${verdict.padEnd(6)} ${of}: ${each.toFixed(1)} KB a stream, opened in ${took.toFixed(1)} s`)
  }

  const requestsOf = ({ receipt, key }: Project, count: number) =>
    Array.from({ length: count }, (_, index) => (index % 2 === 0 ? followingReceipt(receipt) : followingProject(key)))

  try {
    const projects: Project[] = []
    while (projects.length < streams / each) projects.push(await project())
    // What the process loads and compiles at first use is not part of a stream.
    await clients.ask({ open: { port, requests: projects.slice(0, 4).flatMap(one => requestsOf(one, 50)) } })
    for (const one of projects) await publish(one)
    await clients.ask({ close: true })
    await sleep(2_000)
    const before = await kilobytesOf(pid)
    await opened(`${streams} streams of ${projects.length} projects`, projects.flatMap(one => requestsOf(one, each)), before)
    const paced = async () => {
      const sent: Promise<[string, number]>[] = []
      const began = performance.now()
      for (let number = 0; number < perSecond * seconds; number++) {
        await sleep(Math.max(0, began + (number * 1_000) / perSecond - performance.now()))
        sent.push(publish(projects[number % projects.length] as Project))
      }
      return Promise.all(sent)
    }
    report(`${perSecond} events a second, each to ${each} streams`, await received('spread', each, paced))
    await clients.ask({ close: true })
    if (process.env.CYCLES) {
      for (let i = 0; i < Number(process.env.CYCLES); i++) { await opened(`cycle ${i}`, projects.flatMap(one => requestsOf(one, each)), before); await clients.ask({ close: true }); await sleep(3000) }
      return
    }
    await stop()
    ;({url, pid, stop} = await serve('src/main.ts', { ROLES: 'api', LOG_LEVEL: 'fatal' }))
    port = Number(new URL(url).port)
    const one = projects[0] as Project
    await clients.ask({ open: { port, requests: Array(200).fill(followingReceipt(one.receipt)) } })
    await publish(one)
    await clients.ask({ close: true })
    await sleep(2_000)
    const before2 = await kilobytesOf(pid)
    await opened(`${streams} streams of one receipt`, Array(streams).fill(followingReceipt(one.receipt)), before2)
    const single = async () => {
      const sent: [string, number][] = []
      for (let number = 0; number < changes; number++) {
        sent.push(await publish(one))
        await sleep(2_000)
      }
      return sent
    }
    report(`one change to ${streams} streams`, await received('one receipt', streams, single))
  } finally {
    clients.stop()
    await pool.end()
  }
})
