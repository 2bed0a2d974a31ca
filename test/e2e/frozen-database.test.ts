// PostgreSQL stops without a word, as by a stuck disk or a silent network: every request is answered within a deadline,
// the service recovers by itself, and nothing is lost or done twice.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { JsonRpcProvider } from 'ethers'
import { pino } from 'pino'
import { afterAll, beforeAll, expect } from 'vitest'
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres.ts'
import { answerTo, createPayer, dollars } from '../kit/payer.ts'
import { adminKey, type Service, startService, tipOf } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

// Parts that started before `beforeAll` failed are closed as well.
const closers: (() => unknown)[] = []

let folder: string
let postgres: EmbeddedPostgres
let service: Service
let node: JsonRpcProvider
let key: string
let receipt: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-frozen-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  postgres = await startPostgres(join(folder, 'postgres'), pino({ level: 'silent' }))
  closers.push(postgres.stop)
  service = await startService({ DATABASE_URL: postgres.url, LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' })
  closers.push(service.stop)
  node = new JsonRpcProvider(service.localChain ?? '', undefined, { cacheTimeout: -1 })
  closers.push(() => node.destroy())
  key = (await service.api.project()).key
  receipt = (await service.api.record(key)).json.receipt_id
  await service.api.anchored(receipt)
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

/** Stops every process of this PostgreSQL. The returned function lets them go on. */
async function freeze(): Promise<() => void> {
  const note = await readFile(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')
  const parent = Number(note.split('\n')[0])
  // First, so that no further process begins.
  process.kill(parent, 'SIGSTOP')
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const children = all.map(line => line.trim().split(/ +/).map(Number)).filter(([, of]) => of === parent)
  const pids = [parent, ...children.map(([pid = 0]) => pid)]
  const tell = (signal: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended meanwhile.
      }
    }
  }
  tell('SIGSTOP')
  const thaw = () => tell('SIGCONT')
  closers.push(thaw)
  return thaw
}

type Answer = Awaited<ReturnType<Service['api']['call']>>

const toolCall = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_receipts', arguments: {} } }

/** One request of each kind. Sent again, it is the same request. */
async function requests() {
  const { call } = service.api
  const payer = await createPayer(node, service.app.facilitator?.asset ?? '', 1_000_000n)
  const fx = { base_ccy: 'USD', quote_ccy: 'USD' }
  const path = '/v1/x402/premium/fx-lookup'
  const asked = await call('POST', path, { body: fx })
  const payment = await answerTo(payer, asked.headers.get('payment-required'))
  const [name, tip] = [`Frozen ${randomUUID()}`, tipOf()]
  const named = { 'Idempotency-Key': randomUUID() }
  const query = 'mutation ($name: String!) { createProject(input: { name: $name }) { project { id } } }'
  const kinds: Record<string, () => Promise<Answer>> = {
    'a REST read': () => call('GET', '/v1/receipts', { key }),
    'a query': () => call('POST', '/graphql', { key, body: { query: '{ receipts(first: 1) { totalCount } }' } }),
    'a mutation': () =>
      call('POST', '/graphql', { key: adminKey, body: { query, variables: { name } }, headers: named }),
    'a record': () => call('POST', '/v1/iso/record-tip', { key, body: tip, headers: named }),
    'a paid call': () => call('POST', path, { body: fx, headers: { 'PAYMENT-SIGNATURE': payment } }),
    'a file': () => call('GET', `/files/${receipt}/evidence.zip`),
    'a stream': () => call('GET', `/v1/iso/events/${receipt}`),
    'a sign-in': () => call('GET', '/v1/auth/nonce'),
    readiness: () => call('GET', '/readyz'),
    'a tool': () =>
      call('POST', '/mcp', { key, body: toolCall, headers: { Accept: 'application/json, text/event-stream' } }),
    'a verification': () =>
      call('POST', '/v1/iso/verify', { body: { bundle_url: `${service.base}/files/${receipt}/evidence.zip` } }),
  }
  const rows = async (sql: string, value: string) => (await service.app.pool.query(sql, [value])).rowCount
  /** How often each write was carried out. */
  const done = async () => ({
    projects: await rows('select from projects where name = $1', name),
    receipts: await rows('select from receipts where reference = $1', tip.reference),
    payments: await rows('select from payments where payer = $1', payer.address),
    spent:
      1_000_000n - (await dollars(service.app.facilitator?.asset ?? '', node).getFunction('balanceOf')(payer.address)),
  })
  return { kinds, done }
}

/** An answer that says that the database is away. GraphQL and MCP can say so inside an answer that has begun. */
const isRefusal = ({ status, headers, text }: Answer): boolean =>
  status === 503
    ? Number(headers.get('retry-after')) > 0
    : status === 200 && /"(code|detail)\\?": ?\\?"database_unavailable/.test(text)

const fault = (answer: Answer) =>
  isRefusal(answer) || answer.status === 200 ? [] : [`${answer.status} ${answer.text}`]

/** Repeats a request as its answers say, until it was carried out. */
async function finished(kind: string, ask: () => Promise<Answer>): Promise<void> {
  for (const deadline = Date.now() + 120_000; ; await sleep(200)) {
    const answer = await ask()
    if (answer.status === 200 && !isRefusal(answer)) return
    if (Date.now() > deadline || Number(answer.headers.get('retry-after')) === 0)
      throw new Error(`${kind}: ${answer.status} ${answer.text}`)
  }
}

it('every request is answered, and after the thaw each is carried out once', { timeout: 300_000 }, async () => {
  const [before, during] = [await requests(), await requests()]
  const recorded: string[] = []
  let stopped = false
  const recorder = (async () => {
    while (!stopped) {
      const { status, json } = await service.api.record(key)
      if (status === 200) recorded.push(json.receipt_id)
      else await sleep(100)
    }
  })()
  // Its fault is reported where it is waited for, which a test that fails earlier does not reach.
  recorder.catch(() => undefined)
  await expect.poll(() => recorded.length).toBeGreaterThan(5)

  const thaw = await freeze()
  const thawed = sleep(40_000)
  const first = Promise.all(Object.entries(before.kinds).map(async ([kind, ask]) => ({ kind, answer: await ask() })))
  // A document that needs no database is served until the silence is noticed.
  await expect.poll(async () => (await service.api.call('GET', '/openapi.json')).status).toBe(503)
  // None of these waits: each is answered before the database goes on.
  for (const [kind, ask] of Object.entries(during.kinds)) {
    const answer = await ask()
    expect([kind, answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([kind, 503, true])
  }
  // Those that were under way end by their deadlines.
  expect((await first).flatMap(({ kind, answer }) => (isRefusal(answer) ? [] : `${kind}: ${answer.text}`))).toEqual([])
  await thawed
  thaw()

  const faults = (await first).flatMap(({ kind, answer }) => fault(answer).map(said => `${kind}: ${said}`))
  expect(faults).toEqual([])
  for (const { kinds, done } of [before, during]) {
    await Promise.all(Object.entries(kinds).map(([kind, ask]) => finished(kind, ask)))
    const { spent, ...counts } = await done()
    expect(counts).toEqual({ projects: 1, receipts: 1, payments: 1 })
    await Promise.all([finished('a paid call', kinds['a paid call'] ?? expect.fail)])
    expect([(await done()).spent, spent > 0n]).toEqual([spent, true])
  }
  stopped = true
  await recorder
  const { rows } = await service.app.pool.query('select id from receipts where id = any($1)', [recorded])
  expect(rows).toHaveLength(recorded.length)
  await expect.poll(async () => (await service.api.call('GET', '/v1/health')).json.status).toBe('ok')
  await service.api.anchored(recorded.at(-1) ?? '')
})
