// SIGTERM as a client sees it: pending answers arrive, streams end so that the client reconnects, and an idle process
// ends at once.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EventSource } from 'eventsource'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type Anvil, startAnvil } from '../kit/anvil.ts'
import { apiSettings, type Child, startChild } from '../kit/child.ts'
import { keptPort } from '../kit/kept-port.ts'
import { type PgProxy, startPgProxy } from '../kit/pg-proxy.ts'
import { apiOf, freshDatabase, tipOf } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

const patience = { timeout: 20_000 }

let folder: string
let chain: Anvil
let databaseUrl: string
let database: pg.Client
let between: PgProxy
let key: string
const children: Child[] = []

async function begin(settings: Record<string, string> = {}): Promise<Child> {
  const child = await startChild({ ...apiSettings(databaseUrl, folder, chain), ...settings })
  children.push(child)
  return child
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-shutdown-'))
  databaseUrl = await freshDatabase()
  database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  between = await startPgProxy(databaseUrl)
  chain = await startAnvil(31_341)
  const child = await begin()
  key = (await apiOf(child.url()).project()).key
})
afterEach(async () => {
  for (const child of children.splice(0)) await child.end('SIGKILL')
})
afterAll(async () => {
  await between?.stop()
  await database?.end()
  await chain?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Lets the write commit and holds its answer back until it is released. */
function holdCommit(statement: string) {
  const committed = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  between.set({
    statement,
    at: 'committed',
    spring: async () => {
      committed.resolve()
      await release.promise
      return 'pass'
    },
  })
  return { committed: committed.promise, release: release.resolve }
}

const kept = async (references: readonly string[]): Promise<string[]> =>
  (await database.query('select reference from receipts where reference = any($1)', [references])).rows.map(
    row => row.reference,
  )

const graphqlHeaders = { 'Content-Type': 'application/json', Accept: 'text/event-stream' }
const subscriptionTo = (id: string) => `subscription { receiptEvents(receiptId: "${id}") { cursor status } }`

it('every write that twelve busy clients had committed was answered', async () => {
  const child = await begin()
  const asked: string[] = []
  const answered: string[] = []
  const agent = new Agent({ keepAlive: true })
  const write = (reference: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
      const sent = request(`${child.url()}/v1/iso/record-tip`, { method: 'POST', agent, headers }, answer => {
        answer
          .on('error', reject)
          .on('end', () => resolve(void (answer.statusCode === 200 && answered.push(reference))))
        answer.resume()
      })
      sent.on('error', reject).end(JSON.stringify(tipOf({ reference })))
    })
  async function client(number: number): Promise<void> {
    for (let count = 0; ; count++) {
      const reference = `busy-${number}-${count}`
      asked.push(reference)
      // A client ends at its first refused request.
      if (await write(reference).catch(() => true)) return
    }
  }
  const clients = Array.from({ length: 12 }, (_, number) => client(number))
  await expect.poll(() => answered.length, patience).toBeGreaterThan(100)
  await child.end('SIGTERM')
  await Promise.all(clients)
  agent.destroy()
  expect(child.process.exitCode).toBe(0)
  expect((await kept(asked)).sort()).toEqual(answered.sort())
})

it('a slow write is answered, with a notice that its connection ends', async () => {
  const child = await begin({ DATABASE_URL: between.url })
  const { committed, release } = holdCommit('insert into receipts')
  const reference = 'takes-long'
  const answer = apiOf(child.url()).record(key, { reference })
  await committed
  const ended = child.end('SIGTERM')
  // Longer than one second, after which connections were cut formerly.
  await sleep(1_500)
  release()
  const { status, headers } = await answer
  expect([status, headers.get('connection')]).toEqual([200, 'close'])
  await ended
  expect(child.process.exitCode).toBe(0)
})

it('all pipelined writes of a connection are answered, and the last answer has Connection: close', async () => {
  const child = await begin({ DATABASE_URL: between.url })
  const { committed, release } = holdCommit('insert into receipts')
  const references = ['queued-1', 'queued-2', 'queued-3']
  const requests = references.map(reference => {
    const body = JSON.stringify(tipOf({ reference }))
    const fields = `Host: a\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
    return `POST /v1/iso/record-tip HTTP/1.1\r\n${fields}\r\n\r\n${body}`
  })
  const socket = connect(Number(new URL(child.url()).port), '127.0.0.1')
  let text = ''
  socket.on('data', chunk => (text += chunk))
  socket.write(requests.join(''))
  await committed
  const ended = child.end('SIGTERM')
  await sleep(500)
  release()
  await ended
  expect(text.match(/HTTP\/1\.1 \d+|Connection: \S+/g)).toEqual([
    'HTTP/1.1 200',
    'Connection: keep-alive',
    'HTTP/1.1 200',
    'Connection: keep-alive',
    'HTTP/1.1 200',
    'Connection: close',
  ])
  expect((await kept(references)).sort()).toEqual(references)
})

it('a load balancer that probes /readyz gets 503, and new connections are answered until it has noticed', async () => {
  const child = await begin({ SHUTDOWN_SECONDS: '15' })
  const ready = () => fetch(`${child.url()}/readyz`)
  expect((await ready()).status).toBe(200)
  const ended = child.end('SIGTERM')
  await expect.poll(async () => (await ready()).status, { interval: 20, ...patience }).toBe(503)
  const { status, headers } = await fetch(`${child.url()}/livez`)
  expect([status, headers.get('connection')]).toEqual([200, 'close'])
  await ended
  await expect(ready()).rejects.toThrow()
})

it('in production it waits for a load balancer, even if /readyz was not probed lately', async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const file = join(folder, 'production.pem')
  await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  const child = await begin({
    NODE_ENV: 'production',
    PUBLIC_BASE_URL: 'https://example.com',
    SIGNING_KEY_FILE: file,
    WEBHOOK_SECRET: `test:${randomBytes(32).toString('base64')}`,
    SHUTDOWN_SECONDS: '9',
  })
  const ended = child.end('SIGTERM')
  await sleep(500)
  expect((await fetch(`${child.url()}/livez`)).status).toBe(200)
  await ended
  expect(child.process.exitCode).toBe(0)
})

it('an idle process ends at once, even with open connections and streams', async () => {
  // Longer than this test may take.
  const child = await begin({ SHUTDOWN_SECONDS: '300' })
  const { json } = await apiOf(child.url()).record(key)
  const stream = await fetch(`${child.url()}/v1/iso/events/${json.receipt_id}`)
  await child.end('SIGTERM')
  await stream.body?.cancel()
})

it('an EventSource reconnects to the next process without missing or repeating an event', async () => {
  const settings = { PORT: String(await keptPort()) }
  const first = await begin(settings)
  const { json } = await apiOf(first.url()).record(key)
  const source = new EventSource(`${first.url()}/v1/iso/events/${json.receipt_id}`)
  const seen: string[] = []
  source.addEventListener('update', ({ data }) => seen.push(JSON.parse(data).status))
  await expect.poll(() => seen, patience).toEqual(['pending'])
  await first.end('SIGTERM')
  await begin(settings)
  await database.query(
    `insert into events (type, receipt_id, status) values ('receipt.awaiting_anchor', $1, 'awaiting_anchor')`,
    [json.receipt_id],
  )
  await expect.poll(() => seen, patience).toEqual(['pending', 'awaiting_anchor'])
  source.close()
})

const streams: [string, (base: string, id: string) => Promise<Response>][] = [
  ['REST', (base, id) => fetch(`${base}/v1/iso/events/${id}`)],
  [
    'graphql-sse, one an operation',
    (base, id) =>
      fetch(`${base}/graphql/stream`, {
        method: 'POST',
        headers: graphqlHeaders,
        body: JSON.stringify({ query: subscriptionTo(id) }),
      }),
  ],
  [
    'graphql-sse, reserved for many operations',
    async (base, id) => {
      const token = await (await fetch(`${base}/graphql/stream`, { method: 'PUT' })).text()
      const headers = { 'X-GraphQL-Event-Stream-Token': token }
      const stream = await fetch(`${base}/graphql/stream`, { headers: { ...headers, Accept: 'text/event-stream' } })
      const body = JSON.stringify({ query: subscriptionTo(id), extensions: { operationId: 'one' } })
      const json = { 'Content-Type': 'application/json' }
      const taken = await fetch(`${base}/graphql/stream`, { method: 'POST', headers: { ...headers, ...json }, body })
      expect(taken.status).toBe(202)
      return stream
    },
  ],
  [
    '/graphql',
    (base, id) =>
      fetch(`${base}/graphql`, {
        method: 'POST',
        headers: graphqlHeaders,
        body: JSON.stringify({ query: subscriptionTo(id) }),
      }),
  ],
]

/** Collects what a stream sends; `whole` rejects when the connection is cut. */
function follow(stream: Response) {
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  const chunks: string[] = []
  const whole = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of stream.body ?? []) chunks.push(decoder.decode(chunk))
  })()
  return { whole, text: () => chunks.join('') }
}

it('every kind of stream ends properly with a retry delay, and does not report completion', async () => {
  const child = await begin()
  const { json } = await apiOf(child.url()).record(key)
  const open = await Promise.all(
    streams.map(async ([kind, start]) => ({ kind, ...follow(await start(child.url(), json.receipt_id)) })),
  )
  for (const { kind, text } of open) await expect.poll(text, { ...patience, message: kind }).toMatch(/pending/i)
  await child.end('SIGTERM')
  for (const { kind, whole, text } of open) {
    await whole
    expect(text(), kind).toMatch(/retry: \d+\n\n$/)
    expect(text(), kind).not.toContain('event: complete')
  }
  expect(child.process.exitCode).toBe(0)
})

it('the result of a mutation is written to its stream before the stream ends', async () => {
  const child = await begin({ DATABASE_URL: between.url })
  const base = child.url()
  const token = await (await fetch(`${base}/graphql/stream`, { method: 'PUT' })).text()
  const headers = { 'X-GraphQL-Event-Stream-Token': token }
  const stream = await fetch(`${base}/graphql/stream`, { headers: { ...headers, Accept: 'text/event-stream' } })
  const text = stream.text()
  const { committed, release } = holdCommit('insert into receipts')
  const query = `mutation ($input: RecordReceiptInput!) { recordReceipt(input: $input) { receipt { id } } }`
  const { tip_tx_hash, sender_wallet, receiver_wallet, ...tip } = tipOf()
  const input = { ...tip, settlementTx: tip_tx_hash, senderWallet: sender_wallet, receiverWallet: receiver_wallet }
  const taken = fetch(`${base}/graphql/stream`, {
    method: 'POST',
    headers: { ...headers, 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables: { input }, extensions: { operationId: 'one' } }),
  })
  await committed
  const ended = child.end('SIGTERM')
  await sleep(500)
  release()
  expect((await taken).status).toBe(202)
  await ended
  expect(await text).toMatch(/event: next\ndata: .*"recordReceipt":\{"receipt":\{"id":"/)
})

it('a second signal does not wait for running requests', async () => {
  const child = await begin({ DATABASE_URL: between.url })
  const { committed, release } = holdCommit('insert into receipts')
  const answer = apiOf(child.url())
    .record(key)
    .then(
      () => 'answered',
      () => 'cut',
    )
  await committed
  const exit = once(child.process, 'exit')
  child.process.kill('SIGTERM')
  // One Ctrl-C sends the signal twice within a second.
  await sleep(1_200)
  child.process.kill('SIGTERM')
  expect((await exit)[0]).toBe(1)
  release()
  expect(await answer).toBe('cut')
})

it('a request that takes longer than SHUTDOWN_SECONDS is cut, and logged', async () => {
  const child = await begin({ DATABASE_URL: between.url, SHUTDOWN_SECONDS: '2' })
  const { committed, release } = holdCommit('insert into receipts')
  const answer = apiOf(child.url())
    .record(key)
    .catch(() => null)
  await committed
  await child.end('SIGTERM')
  release()
  expect(await answer).toBeNull()
  expect(child.said()).toContain('requests were cut off, because SHUTDOWN_SECONDS had passed')
})
