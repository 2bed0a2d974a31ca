// Measures event streams on one process: the memory of a stream, and the time from sending the INSERT of an event until
// a client process has received it. First the streams are spread over projects: half of them follow one receipt over
// REST, half all receipts of a project over GraphQL, and each event reaches `--each` streams. Then all of them follow
// one receipt over REST, and it changes `--changes` times.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type Answered, type Command, microseconds } from './fanout/clients.ts'
import { inBench, projectKey, record } from './kit.ts'

const number = (preset: number) => ({ type: 'string', default: String(preset) }) as const
const { values } = parseArgs({
  options: { streams: number(10_000), each: number(50), rate: number(200), seconds: number(15), changes: number(5) },
})
const [streams, each, perSecond] = [Number(values.streams), Number(values.each), Number(values.rate)]
const [seconds, changes] = [Number(values.seconds), Number(values.changes)]
const goals = { kilobytes: 40, p50: 100, p99: 500 }

const body = JSON.stringify({
  query: 'subscription { receiptChanged { cursor type occurredAt matches receipt { id status reference } } }',
})
const followingReceipt = (id: string) =>
  `GET /v1/iso/events/${id} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n`
const followingProject = (key: string) =>
  `POST /graphql/stream HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nX-API-Key: ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`

type Project = { id: string; key: string; receipt: string }

const requestsOf = ({ receipt, key }: Project, count: number) =>
  Array.from({ length: count }, (_, index) => (index % 2 === 0 ? followingReceipt(receipt) : followingProject(key)))

function startClients() {
  const child = fork('bench/fanout/clients.ts', [], { serialization: 'advanced' })
  return {
    async ask(command: Command): Promise<Answered> {
      child.send(command)
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

function report(of: string, took: number[]): void {
  const sorted = took.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  const [p50, p99] = [at(0.5), at(0.99)]
  const verdict = p50 < goals.p50 && p99 < goals.p99 ? 'ok' : 'ABOVE'
  const figures = `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, last ${at(1).toFixed(0)} ms`
  console.log(`${verdict.padEnd(6)} ${of}: ${sorted.length} deliveries, ${figures}`)
}

await inBench(async ({ serve, databaseUrl }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  const clients = startClients()
  // Without a worker a receipt stays pending, so that its stream does not end.
  const start = () => serve('src/main.ts', { ROLES: 'api', LOG_LEVEL: 'fatal' })

  async function project(url: string): Promise<Project> {
    const key = await projectKey(url)
    const receipt = await record(url, key)
    const { rows } = await pool.query('select project_id as id from receipts where id = $1', [receipt])
    return { id: rows[0].id, key, receipt }
  }

  async function publish({ id, receipt }: Project): Promise<[string, number]> {
    const sent = microseconds()
    const { rows } = await pool.query({
      name: 'publish',
      text: `insert into events (type, project_id, receipt_id, status)
             values ('receipt.pending', $1, $2, 'pending') returning id`,
      values: [id, receipt],
    })
    return [rows[0].id, sent]
  }

  /** Opens the streams on a process that has served a few before, and reports the memory of one. */
  async function open(of: string, server: { url: string; pid: number }, requests: string[], warm: Project[]) {
    const port = Number(new URL(server.url).port)
    // The process loads and compiles code at first use, which is not part of a stream.
    await clients.ask({ open: { port, requests: warm.flatMap(one => requestsOf(one, 50)) } })
    for (const one of warm) await publish(one)
    await clients.ask({ close: true })
    await sleep(2_000)
    const before = await kilobytesOf(server.pid)
    const began = performance.now()
    await clients.ask({ open: { port, requests } })
    const took = (performance.now() - began) / 1_000
    await sleep(5_000)
    const kilobytes = ((await kilobytesOf(server.pid)) - before) / requests.length
    const verdict = kilobytes < goals.kilobytes ? 'ok' : 'ABOVE'
    console.log(`${verdict.padEnd(6)} ${of}: ${kilobytes.toFixed(1)} KB a stream, opened in ${took.toFixed(1)} s`)
  }

  /** Returns the milliseconds until each stream received each event. Throws when a stream did not receive one. */
  async function received(expected: number, publishing: () => Promise<[string, number][]>): Promise<number[]> {
    await clients.ask({ take: 'begin' })
    const sent = new Map(await publishing())
    await sleep(3_000)
    const answered = await clients.ask({ take: 'end' })
    if (!('ids' in answered)) throw new Error('the clients sent no times')
    const { ids, at, closed } = answered
    const took = ids.map((id, index) => ((at[index] ?? 0) - (sent.get(id) ?? 0)) / 1_000)
    if (took.length !== expected * sent.size || closed > 0)
      throw new Error(`${took.length} of ${expected * sent.size} deliveries, ${closed} streams closed`)
    return took
  }

  try {
    const first = await start()
    const projects: Project[] = []
    while (projects.length < streams / each) projects.push(await project(first.url))
    const spread = projects.flatMap(one => requestsOf(one, each))
    await open(`${spread.length} streams of ${projects.length} projects`, first, spread, projects.slice(0, 4))
    const paced = async () => {
      const sent: Promise<[string, number]>[] = []
      const began = performance.now()
      for (let index = 0; index < perSecond * seconds; index++) {
        await sleep(Math.max(0, began + (index * 1_000) / perSecond - performance.now()))
        sent.push(publish(projects[index % projects.length] as Project))
      }
      return Promise.all(sent)
    }
    report(`${perSecond} events a second, each to ${each} streams`, await received(each, paced))
    await clients.ask({ close: true })
    await first.stop()

    const one = projects[0] as Project
    const same = Array<string>(streams).fill(followingReceipt(one.receipt))
    await open(`${streams} streams of one receipt`, await start(), same, [one])
    const single = async () => {
      const sent: [string, number][] = []
      for (let change = 0; change < changes; change++) {
        sent.push(await publish(one))
        await sleep(2_000)
      }
      return sent
    }
    report(`one change to ${streams} streams`, await received(streams, single))
  } finally {
    clients.stop()
    await pool.end()
  }
})
