// A dashboard that lists receipts and then subscribes misses no change and sees none twice, while several projects
// record receipts and the process that serves it is killed.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { type Child, startChild } from '../kit/child.ts'
import { followField } from '../kit/follower.ts'
import { keptPort } from '../kit/kept-port.ts'
import { connections, liveList } from '../kit/live-list.ts'
import { adminKey, apiBeside, apiOf, roomForAll, type Service, startService, tipOf } from '../kit/service.ts'
import { it, proof, sized } from '../kit/size.ts'

const perWriter = sized(8, 120)
const writers = 2
// Under load hundreds of receipts take minutes.
const patienceMs = sized(180_000, 900_000)
const wallet = `0x${'ab'.repeat(20)}`

let worker: Service
let folder: string
let child: Child
let settings: Record<string, string>
let projects: { id: string; key: string }[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-live-list-'))
  worker = await startService()
  projects = await Promise.all(['One', 'Two', 'Three'].map(name => worker.api.project(name)))
  settings = {
    ...apiBeside(worker),
    DATABASE_URL: worker.databaseUrl,
    DATA_DIR: folder,
    PORT: String(await keptPort()),
    RATE_LIMITS: roomForAll,
    LOG_LEVEL: 'warn',
  }
  child = await startChild(settings)
})
afterAll(async () => {
  await child?.end('SIGKILL')
  await worker?.stop()
  await rm(folder, { recursive: true, force: true })
})

type Row = { id: string; status: string }
const sql = async <Found extends object>(text: string, values: unknown[] = []) =>
  (await worker.app.pool.query<Found>(text, values)).rows

const filters = [
  // Receipts enter this list and leave it.
  { filter: { statuses: ['PENDING', 'AWAITING_ANCHOR'] }, rows: `status <> 'anchored'`, events: 'true' },
  { filter: { senderWallets: [wallet] }, rows: `sender_wallet = '${wallet}'`, events: `sender_wallet = '${wallet}'` },
  {
    filter: { senderWallets: [wallet], statuses: ['ANCHORED'] },
    rows: `sender_wallet = '${wallet}' and status = 'anchored'`,
    events: `sender_wallet = '${wallet}'`,
  },
]

proof(
  `three projects record ${writers * perWriter} receipts each, under live lists`,
  async () => {
    const base = child.url()
    const lists: { project: string; of: (typeof filters)[number]; list: Awaited<ReturnType<typeof liveList>> }[] = []
    const open = () =>
      Promise.all(
        projects.flatMap(({ id, key }) =>
          connections.map(async (connection, index) => {
            const of = filters[(index + lists.length) % filters.length] as (typeof filters)[number]
            lists.push({ project: id, of, list: await liveList({ base, key, connection, filter: of.filter }) })
          }),
        ),
      )
    const write = async (key: string) => {
      for (let number = 0; number < perWriter; number++) {
        const tip = tipOf(number % 2 === 0 ? { sender_wallet: wallet } : {})
        // The process may be dead, so the same payment is sent until it is accepted.
        for (;;)
          if (
            (
              await apiOf(base)
                .record(key, tip)
                .catch(() => null)
            )?.status === 200
          )
            break
      }
    }
    await open()
    const writing = projects.flatMap(({ key }) => Array.from({ length: writers }, () => write(key)))
    await open()
    await child.end('SIGKILL')
    child = await startChild(settings)
    await open()
    await Promise.all(writing)
    await expect
      .poll(async () => (await sql(`select id from receipts where status <> 'anchored'`)).length, {
        timeout: patienceMs / 2,
        interval: 500,
      })
      .toBe(0)

    for (const { project, of, list } of lists) {
      const rows = await sql<Row>(
        `select id, upper(status::text) as status from receipts where project_id = $1 and ${of.rows}`,
        [project],
      )
      const events = await sql<{ id: string }>(
        `select e.id from events e join receipts r on r.id = e.receipt_id
         where e.project_id = $1 and e.id > $2 and ${of.events} order by e.id`,
        [project, list.since],
      )
      const wanted = events.map(({ id }) => id)
      await expect.poll(() => list.seen.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(wanted.length)
      expect(list.seen).toEqual(wanted)
      expect(list.refusals).toEqual([])
      expect(new Map(list.rows)).toEqual(new Map(rows.map(({ id, status }) => [id, status])))
    }
    await Promise.all(lists.map(({ list }) => list.stop()))
  },
  patienceMs,
)

describe('eventCursor', () => {
  /** PostgreSQL answers no compiled read. */
  const unanswered = async () => {
    throw new Error('no connection')
  }

  it.each(['SQL', 'resolvers'])('is no newer than the lists that %s read, though it stands behind them', async by => {
    const { reads } = worker.app
    const broken = by === 'resolvers' ? vi.spyOn(reads, 'connect').mockImplementation(unanswered) : null
    const { id, key } = await worker.api.project('Late')
    const { json } = await worker.api.record(key)
    await worker.api.anchored(json.receipt_id)
    const client = await worker.app.pool.connect()
    try {
      await client.query('begin')
      await client.query('lock table events in access exclusive mode')
      await client.query(`update receipts set currency = 'LATER', amount = 7777777 where id = $1`, [json.receipt_id])
      await client.query(
        `insert into events (type, project_id, receipt_id, status) values ('receipt.anchored', $1, $2, 'anchored')`,
        [id, json.receipt_id],
      )
      const counted = 'counted: receipts(filter: { amount: { min: "7777777" } }) { totalCount }'
      const query = `{ receipts { nodes { currency } } ${counted} me { role } eventCursor }`
      const answer = worker.api.graphql(query, { key })
      // The query now waits for the table.
      await expect
        .poll(
          async () => (await sql(`select 1 from pg_locks where not granted and relation = 'events'::regclass`)).length,
        )
        .toBeGreaterThan(0)
      await client.query('commit')
      const { data } = await answer
      const [newest] = await sql<{ id: string }>('select max(id) as id from events where project_id = $1', [id])
      expect(data).toMatchObject({ eventCursor: newest?.id, receipts: { nodes: [{ currency: 'LATER' }] } })
      expect(data.counted).toEqual({ totalCount: 1 })
      expect(broken?.mock.calls.length).not.toBe(0)
    } finally {
      broken?.mockRestore()
      client.release()
    }
  })

  it('and the list are of one moment', async () => {
    const { id, key } = await worker.api.project('Of one moment')
    let isWriting = true
    async function write() {
      for (let number = 0; number < 80; number++)
        await sql(
          `with receipt as (
             insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference)
             values (gen_random_uuid(), $1, $2, 'base', 1, 'X', 'a', 'b', $2) returning id)
           insert into events (type, project_id, receipt_id, status) select 'receipt.failed', $1, id, 'failed' from receipt`,
          [id, `of one moment ${number}`],
        )
      isWriting = false
    }
    const writing = write()
    const answers: { eventCursor: string; receipts: { nodes: object[] } }[] = []
    while (isWriting)
      answers.push((await worker.api.graphql('{ receipts(first: 100) { nodes { id } } eventCursor }', { key })).data)
    await writing
    const events = await sql<{ id: string }>('select id from events where project_id = $1', [id])
    const before = (cursor: string) => events.filter(({ id }) => BigInt(id) <= BigInt(cursor)).length
    expect(answers.map(({ receipts }) => receipts.nodes.length)).toEqual(
      answers.map(({ eventCursor }) => before(eventCursor)),
    )
    expect(new Set(answers.map(({ eventCursor }) => eventCursor)).size).toBeGreaterThan(2)
  })

  it('that resolvers read after all is no newer than the list', async () => {
    const { reads } = worker.app
    const [project, receipt] = [randomUUID(), randomUUID()]
    const client = await reads.connect()
    const connect = vi.spyOn(reads, 'connect').mockImplementation(async () => ({
      release: () => undefined,
      query: async (config: object) => {
        const answer = await client.query(config as never)
        // The project and its first receipt become known right after the statement that found no project.
        await sql(`insert into projects (id, name) values ($1, 'New')`, [project])
        await sql(
          `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference)
           values ($2, $1, $3, 'base', 1, 'X', 'a', 'b', '')`,
          [project, receipt, receipt],
        )
        await sql(
          `insert into events (type, project_id, receipt_id, status) values ('receipt.failed', $1, $2, 'failed')`,
          [project, receipt],
        )
        return answer
      },
    }))
    try {
      const list = `receipts(filter: { projectId: "${project}" }) { nodes { id } }`
      const query = `{ eventCursor(projectId: "${project}") ${list} }`
      const { data } = await worker.api.graphql(query, { key: adminKey })
      const [event] = await sql<{ id: string }>('select id from events where project_id = $1', [project])
      expect(data).toEqual({ eventCursor: event?.id, receipts: { nodes: [{ id: receipt }] } })
    } finally {
      connect.mockRestore()
      client.release()
    }
  })

  it('that is refused leaves the list', async () => {
    const [{ key }, other] = await Promise.all([worker.api.project('Own'), worker.api.project('Other')])
    const codes = { [other.id]: 'not_found', [randomUUID()]: 'not_found', x: 'validation_failed' }
    for (const [projectId, code] of Object.entries(codes)) {
      const query = `{ eventCursor(projectId: "${projectId}") receipts(first: 1) { nodes { id } } }`
      const { data, errors } = await worker.api.graphql(query, { key })
      expect(errors).toMatchObject([{ path: ['eventCursor'], extensions: { code } }])
      expect(data).toEqual({ eventCursor: null, receipts: { nodes: [] } })
    }
  })

  it('of each project, which an administrator names', async () => {
    const [one, two] = await Promise.all([worker.api.project('A'), worker.api.project('B')])
    await worker.api.record(two.key)
    const query = `{ one: eventCursor(projectId: "${one.id}") two: eventCursor(projectId: "${two.id}") }`
    const named = async () => (await worker.api.graphql(query, { key: adminKey })).data
    const { one: none, two: some } = await named()
    expect(none).toBe('0')
    expect(some).toMatch(/^[1-9]\d*$/)
    // The receipt is sealed and anchored meanwhile, which are events too.
    const isOwn = async () =>
      (await worker.api.graphql('{ eventCursor }', { key: two.key })).data.eventCursor === (await named()).two
    await expect.poll(isOwn).toBe(true)
  })
})

describe('a live list is refused', () => {
  const refusals = {
    'an `after` that the project has not reached': ['after: "999999999999999999"', 'cursor_ahead'],
    'an `after` that is no cursor': ['after: "x"', 'validation_failed'],
    'a range that ends before it begins': [
      'filter: { createdAt: { since: "2026-02-01T00:00:00Z", until: "2026-01-01T00:00:00Z" } }',
      'validation_failed',
    ],
    'too many values': [`filter: { currencies: [${'"A" '.repeat(51)}] }`, 'validation_failed'],
  } as const

  it.each(Object.entries(refusals))('%s', async (_, [args, code]) => {
    const [{ key } = { key: '' }] = projects
    const query = `subscription { receiptChanged(${args}) { cursor } }`
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': key, Accept: 'text/event-stream' }
    for (const singleConnection of [true, false]) {
      const client = createClient({
        url: `${worker.base}/graphql/stream`,
        headers: { 'X-API-Key': key },
        singleConnection,
      })
      const answers = []
      for await (const answer of client.iterate({ query }))
        answers.push(answer.errors?.map(({ extensions }) => extensions))
      expect(answers).toMatchObject([[{ code }]])
      client.dispose()
    }
    const plain = await fetch(`${worker.base}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
    expect(await plain.text()).toContain(`"code":"${code}"`)
  })
})

describe('streams with one filter', () => {
  it('share the search for what matches', async () => {
    const { key } = await worker.api.project('Many')
    const args = 'filter: { statuses: [PENDING], currencies: ["USDC"] }'
    const streams = Array.from({ length: 40 }, () => followField(worker.base, key, 'receiptChanged', args, 'matches'))
    const anchored = async () => worker.api.anchored((await worker.api.record(key)).json.receipt_id)
    const reached = async (events: number) => {
      for (const { seen } of streams) await expect.poll(() => seen.length).toBe(events)
    }
    await anchored()
    await reached(3)
    const searches = vi.spyOn(worker.app.db.receipt, 'findMany')
    await worker.api.record(key, { currency: 'OTHER' })
    await anchored()
    await reached(6)
    for (const { seen } of streams) expect(seen.at(-1)?.data.matches).toBe(false)
    expect(searches.mock.calls.length).toBeGreaterThan(0)
    expect(searches.mock.calls.length).toBeLessThan(streams.length)
    searches.mockRestore()
    await Promise.all(streams.map(stream => stream.stop()))
  })
})
