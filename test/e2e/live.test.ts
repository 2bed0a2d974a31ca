// Every change reaches every subscriber once and in order, even while the process that serves them is killed and
// restarted.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Child, startChild } from '../kit/child.ts'
import { followField, followReceipt } from '../kit/follower.ts'
import { keptPort } from '../kit/kept-port.ts'
import { apiOf, roomForAll, type Service, startService, tipOf } from '../kit/service.ts'
import { it, proof, sized } from '../kit/size.ts'

const receipts = sized(24, 500)
const each = sized(4, 50)
// Under load five hundred receipts take minutes.
const patienceMs = sized(180_000, 900_000)
const killedAt = sized([2], [1, 2, 3])

let worker: Service
let folder: string
let child: Child
let settings: Record<string, string>
let project: { id: string; key: string }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-live-'))
  worker = await startService()
  project = await worker.api.project()
  settings = {
    ROLES: 'api',
    DATABASE_URL: worker.databaseUrl,
    DATA_DIR: folder,
    PORT: String(await keptPort()),
    ANCHOR_CHAIN: worker.app.chains[0].caip2 ?? '',
    ANCHOR_RPC_URL: worker.localChain ?? '',
    ANCHOR_CONTRACT: worker.app.chains[0].contract,
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

const idsOf = async (where: string, values: unknown[] = []) =>
  (await worker.app.pool.query<{ id: string }>(`select id from events where ${where} order by id`, values)).rows.map(
    row => row.id,
  )

proof(
  `${receipts} receipts reach ${each} subscribers of each kind while the process is killed`,
  async () => {
    const base = child.url()
    const made: string[] = []
    const followers = Array.from({ length: each }, () => ({
      receiptChanged: followField(base, project.key, 'receiptChanged', '', 'type receipt { id status }'),
      webhookEvents: followField(base, project.key, 'webhookEvents', '', 'type data'),
      paymentChanged: followField(base, project.key, 'paymentChanged', '', 'type payment { id status }'),
    }))
    const single: { id: string; named: ReturnType<typeof followReceipt>; unnamed: ReturnType<typeof followReceipt> }[] =
      []
    const record = async () => {
      // The process may be dead, so the same payment is sent until it is accepted.
      const tip = tipOf()
      for (;;) {
        const answer = await apiOf(base)
          .record(project.key, tip)
          .catch(() => null)
        if (answer?.status !== 200) continue
        made.push(answer.json.receipt_id)
        return answer.json.receipt_id
      }
    }
    for (let number = 0; number < receipts; number++) {
      const id = await record()
      if (single.length < each)
        single.push({ id, named: followReceipt(base, id), unnamed: followReceipt(base, id, true) })
      if (killedAt.some(part => number === Math.floor((receipts * part) / 4))) {
        await child.end('SIGKILL')
        child = await startChild(settings)
      }
    }
    const open = async () =>
      (await worker.app.pool.query(`select count(*)::int as count from receipts where status <> 'anchored'`)).rows[0]
        .count
    await expect.poll(open).toBe(0)
    const all = await idsOf(`project_id = $1 and type like 'receipt.%'`, [project.id])
    expect(all).toHaveLength(receipts * 3)
    for (const { receiptChanged, webhookEvents, paymentChanged } of followers) {
      await expect.poll(() => receiptChanged.seen.length).toBeGreaterThanOrEqual(all.length)
      await expect.poll(() => webhookEvents.seen.length).toBeGreaterThanOrEqual(all.length)
      expect(receiptChanged.seen.map(({ id }) => id)).toEqual(all)
      expect(webhookEvents.seen.map(({ id }) => id)).toEqual(all)
      expect(paymentChanged.seen).toEqual([])
    }
    for (const { id, named, unnamed } of single) {
      await expect.poll(() => [named.isOver(), unnamed.isOver()]).toEqual([true, true])
      const own = await idsOf('receipt_id = $1', [id])
      // The first message is the current state; earlier states are not sent.
      for (const { seen } of [named, unnamed])
        expect(seen.map(event => event.id)).toEqual(own.slice(own.length - seen.length))
      for (const { seen } of [named, unnamed]) expect(seen.at(-1)?.data.status).toBe('anchored')
    }
    for (const kinds of followers) for (const one of Object.values(kinds)) await one.stop()
    for (const { named, unnamed } of single) await Promise.all([named.stop(), unnamed.stop()])
  },
  patienceMs,
)

describe('an event number', () => {
  it('is never seen after a larger one, however the transactions overlap', async () => {
    const { pool } = worker.app
    const other = await worker.api.project('Numbers')
    const { json } = await worker.api.record(other.key)
    const seen: bigint[] = []
    let isDone = false
    const reading = (async () => {
      while (!isDone) {
        const { rows } = await pool.query<{ id: string }>(
          'select id from events where project_id = $1 and id > $2 order by id',
          [other.id, String(seen.at(-1) ?? 0n)],
        )
        seen.push(...rows.map(row => BigInt(row.id)))
      }
    })()
    const write = async () => {
      const client = await pool.connect()
      try {
        await client.query('begin')
        await client.query(
          `insert into events (type, project_id, receipt_id, status) values ('receipt.pending', $1, $2, 'pending')`,
          [other.id, json.receipt_id],
        )
        // Some transactions commit late.
        await client.query('select pg_sleep(random() * 0.01)')
        await client.query('commit')
      } finally {
        client.release()
      }
    }
    try {
      for (let round = 0; round < 40; round++) await Promise.all(Array.from({ length: 5 }, write))
      await worker.api.anchored(json.receipt_id)
      const all = await idsOf('project_id = $1', [other.id])
      await expect.poll(() => seen.length).toBeGreaterThanOrEqual(all.length)
    } finally {
      isDone = true
      await reading
    }
    expect(seen.map(String)).toEqual(await idsOf('project_id = $1', [other.id]))
  })
})

describe('a project’s subscription', () => {
  it('ends within seconds of its key’s end, and one of another project receives nothing', async () => {
    const key = await worker.api.key(project.key, 'viewer')
    const stranger = await worker.api.project('Stranger')
    const theirs = followField(worker.base, stranger.key, 'receiptChanged', '', 'matches')
    const response = await fetch(`${worker.base}/graphql/stream`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', 'X-API-Key': key },
      body: JSON.stringify({ query: 'subscription { receiptChanged { cursor matches } }' }),
    })
    const text = response.text().catch(() => 'cut')
    await worker.api.record(project.key)
    const { data } = await worker.api.graphql('{ apiKeys { nodes { id role } } }', { key: project.key })
    const { id } = data.apiKeys.nodes.find(({ role }: { role: string }) => role === 'VIEWER')
    await worker.api.graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }', {
      key: project.key,
      variables: { id },
    })
    expect(await text).toBeDefined()
    expect(theirs.seen).toEqual([])
    await theirs.stop()
  })

  it('says whether the receipt matches the filter, and sends refunds', async () => {
    const anchored = followField(
      worker.base,
      project.key,
      'receiptChanged',
      'filter: { statuses: [ANCHORED] }',
      'type matches receipt { id }',
    )
    const { json } = await worker.api.record(project.key)
    await worker.api.anchored(json.receipt_id)
    const refund = await worker.api.call('POST', '/v1/iso/refund', {
      key: project.key,
      body: { original_receipt_id: json.receipt_id },
    })
    expect(refund.status).toBe(200)
    const own = () =>
      anchored.seen.filter(({ data }) => (data.receipt as { id: string }).id === json.receipt_id).slice(-2)
    await expect
      .poll(() => own().map(({ data }) => [data.type, data.matches]))
      .toEqual([
        ['RECEIPT_ANCHORED', true],
        ['RECEIPT_REFUNDED', true],
      ])
    // The receipt's own stream is about its status, and has ended.
    const last = own()[0]?.id ?? ''
    const again = await fetch(`${worker.base}/v1/iso/events/${json.receipt_id}`, { headers: { 'Last-Event-ID': last } })
    expect(again.status).toBe(204)
    await anchored.stop()
  })
})
