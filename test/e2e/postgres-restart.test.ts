// PostgreSQL goes away under load and comes back: no answer is wrong, and the service recovers by itself.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Wallet } from 'ethers'
import { pino } from 'pino'
import { afterAll, beforeAll, expect } from 'vitest'
import { type EmbeddedChain, startChain } from '../../src/embedded/chain.ts'
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres.ts'
import { postgresTools } from '../../src/embedded/postgres-tools.ts'
import { audit } from '../kit/auditor.ts'
import { type Service, startService, tipOf } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

const patienceMs = 30_000
const loadMs = 2_500

// Parts that started before `beforeAll` failed are closed as well.
const closers: (() => Promise<unknown>)[] = []

let folder: string
let postgres: EmbeddedPostgres
let chain: EmbeddedChain
let service: Service
let key: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-restart-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const log = pino({ level: 'silent' })
  postgres = await startPostgres(join(folder, 'postgres'), log)
  closers.push(postgres.stop)
  chain = await startChain(join(folder, 'chain'), log)
  closers.push(chain.stop)
  service = await startService({
    DATABASE_URL: postgres.url,
    ANCHOR_CHAIN: `eip155:${chain.chainId}`,
    ANCHOR_RPC_URL: chain.rpcUrl,
    ANCHOR_CONTRACT: chain.contract,
    ANCHOR_PRIVATE_KEY: chain.anchorPrivateKey,
    ANCHOR_CONFIRMATIONS: '1',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  })
  closers.push(service.stop)
  key = (await service.api.project()).key
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

async function pgCtl(...args: string[]): Promise<void> {
  const cluster = join(folder, 'postgres', 'cluster')
  const tools = await postgresTools(cluster)
  await tools.run('pg_ctl', [...args, '-s', '-w', '-D', tools.clusterPath(cluster), '-l', 'server.log'], cluster)
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await isSo()); await sleep(100)) {
    if (Date.now() > deadline) throw new Error(`${what}, in vain`)
  }
}

type Answer = Awaited<ReturnType<Service['api']['call']>>

/** The answers under load: how many were right, how many reported that the database is down, and every other answer. */
type Seen = { right: number; refused: number; wrong: string[] }

/** Counts the answer; true when it is right. */
function judge(seen: Seen, { status, headers, text, json }: Answer, isRight: boolean): boolean {
  if (isRight) {
    seen.right += 1
    return true
  }
  const code = json?.detail ?? json?.errors?.[0]?.extensions?.code
  // GraphQL reports a fault inside an answer only by its code.
  const isTold = status === 503 ? Number(headers.get('retry-after')) > 0 : status === 200 && json?.errors
  if (code === 'database_unavailable' && isTold && !json.data?.receipt) seen.refused += 1
  else seen.wrong.push(`${status} ${text}`)
  return false
}

/** Records and reads until it is stopped; a request without an answer is repeated until it has one. */
function load(seen: Seen, accepted: Set<string>) {
  let stopped = false
  const { api } = service
  async function record(): Promise<void> {
    while (!stopped) {
      const tip = tipOf()
      for (;;) {
        const answer = await api.record(key, tip)
        if (judge(seen, answer, answer.status === 200)) {
          accepted.add(answer.json.receipt_id)
          break
        }
        await sleep(50)
      }
      await sleep(20)
    }
  }
  async function read(): Promise<void> {
    while (!stopped) {
      await sleep(20)
      const [id] = [...accepted].slice(-1)
      if (id === undefined) continue
      const rest = await api.call('GET', `/v1/iso/receipts/${id}`)
      judge(seen, rest, rest.status === 200 && rest.json.id === id)
      const body = { query: `{ receipt(id: "${id}") { id status } }` }
      const graphql = await api.call('POST', '/graphql', { key, body })
      judge(seen, graphql, graphql.status === 200 && graphql.json.data?.receipt?.id === id)
      const list = await api.call('GET', '/v1/receipts', { key })
      judge(seen, list, list.status === 200 && list.json.total > 0)
    }
  }
  const work = Promise.all([record(), record(), record(), read()])
  return async () => {
    stopped = true
    await work
  }
}

/**
 * Follows a receipt to its end as a client that resumes with the last id it saw. Returns `id status` of every event.
 */
function follow(id: string, seen: Seen): Promise<string[]> {
  const told = followed(id, seen)
  // Its result is read at the end, which a test that fails earlier does not reach.
  told.catch(() => {})
  return told
}

async function followed(id: string, seen: Seen): Promise<string[]> {
  const told: string[] = []
  let last: string | null = null
  for (const deadline = Date.now() + 2 * patienceMs; Date.now() < deadline; await sleep(100)) {
    const headers: Record<string, string> = last === null ? {} : { 'Last-Event-ID': last }
    const response: Response = await fetch(`${service.base}/v1/iso/events/${id}`, { headers })
    if (response.status === 204) return told
    if (response.status !== 200) {
      const text = await response.text()
      judge(seen, { status: response.status, headers: response.headers, text, json: JSON.parse(text) }, false)
      continue
    }
    try {
      for await (const event of eventsOf(response)) {
        last = event.id
        told.push(`${event.id} ${event.status}`)
      }
    } catch {
      // The stream was cut, and a client reacts by reconnecting.
    }
  }
  throw new Error(`the stream of ${id} did not end: ${told.join(', ')}`)
}

async function* eventsOf(response: Response): AsyncGenerator<{ id: string; status: string }> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [id, data] = [/^id: (.*)$/m.exec(text.slice(0, end)), /^data: (.*)$/m.exec(text.slice(0, end))]
      text = text.slice(end + 2)
      if (id?.[1] && data?.[1]) yield { id: id[1], status: JSON.parse(data[1]).status }
    }
  }
}

const health = async () => (await service.api.call('GET', '/v1/health')).json
const rows = async (sql: string, values: unknown[] = []) => (await service.app.pool.query(sql, values)).rows

/** Connections that stay open while the service runs: one of each kind, however often they were lost. */
const lasting = async () =>
  (
    await rows(
      `select application_name as name from pg_stat_activity where application_name like 'quittance %' order by 1`,
    )
  ).map(row => row.name)

/** Creates a receipt that waits for its project, and a function that anchors it. */
async function waiting(): Promise<{ id: string; anchor(): Promise<void> }> {
  const project = await service.api.project('Tenant')
  const anchoring = { execution_mode: 'tenant', chains: [] }
  await service.api.call('PUT', `/v1/projects/${project.id}/config`, { key: project.key, body: { anchoring } })
  const { json } = await service.api.record(project.key)
  const id: string = json.receipt_id
  const hash = async () => (await rows('select bundle_hash as hash from receipts where id = $1', [id]))[0].hash
  await until('the seal was waited for', async () => (await hash()) !== null)
  return {
    id,
    async anchor() {
      const [from] = await rpc('eth_accounts')
      const data = `0x09561a57${(await hash()).slice(2)}`
      const ledger_txid = await rpc('eth_sendTransaction', [{ from, to: chain.contract, data }])
      await until(
        'the block was waited for',
        async () => (await rpc('eth_getTransactionReceipt', [ledger_txid])) !== null,
      )
      const body = { receipt_id: id, ledger_txid }
      expect((await service.api.call('POST', '/v1/iso/confirm-anchor', { key: project.key, body })).status).toBe(200)
    },
  }
}

async function rpc(method: string, params: unknown[] = []) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'Content-Type': 'application/json' }
  return (await (await fetch(chain.rpcUrl, { method: 'POST', headers, body })).json()).result
}

const outages: [string, () => Promise<void>][] = [
  ['is restarted as after a crash', () => pgCtl('restart', '-m', 'immediate')],
  ['is restarted, ending what is under way', () => pgCtl('restart', '-m', 'fast')],
  [
    'is away for seconds',
    async () => {
      await pgCtl('stop', '-m', 'fast')
      await until('the outage was waited for', async () => !(await health()).deps.db.ok)
      await sleep(6_000)
      // A restart keeps the server's options, a start does not.
      await pgCtl('restart')
    },
  ],
]

it.each(outages)(
  'answers stay correct when the database %s',
  async (_, outage) => {
    const seen: Seen = { right: 0, refused: 0, wrong: [] }
    const accepted = new Set<string>()
    const own = await waiting()
    const ownFollowed = follow(own.id, seen)
    const stop = load(seen, accepted)
    await sleep(loadMs)
    const streams = [...accepted].slice(-20).map(id => ({ id, told: follow(id, seen) }))
    await outage()
    await sleep(loadMs)
    await stop()
    expect(seen.wrong).toEqual([])
    expect(seen.refused).toBeGreaterThan(0)

    await until('health was waited for', async () => (await health()).status === 'ok')
    expect((await service.api.call('GET', '/readyz')).status).toBe(200)
    await expect.poll(lasting).toEqual(['quittance events', 'quittance worker'])
    const open = async () =>
      (await rows(`select from receipts where id = any($1) and status <> 'anchored'`, [[...accepted]])).length
    await until('anchors were waited for', async () => (await open()) === 0)
    await own.anchor()
    for (const { id, told: telling } of [{ id: own.id, told: ownFollowed }, ...streams]) {
      const told = await telling
      const events = await rows('select id, status from events where receipt_id = $1 order by id', [id])
      // A stream starts with the current state.
      expect(told).toEqual(events.map(event => `${event.id} ${event.status}`).slice(-told.length))
      expect(told.length).toBeGreaterThan(0)
    }
    const jobs = `select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier in ('screen', 'seal', 'anchor', 'confirm', 'report')`
    await until('the end of all jobs was waited for', async () => (await rows(jobs)).length === 0)
    const signer = new Wallet(chain.anchorPrivateKey).address
    const { rpcUrl, contract } = chain
    expect(await audit({ databaseUrl: postgres.url, rpcUrl, contract, signer, accepted, settled: true })).toEqual([])
  },
  120_000,
)
