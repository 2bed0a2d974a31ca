// kill -9 of the worker at every step of a delivery: the event arrives at least once, nothing is lost, and the attempt
// is shown.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Child, startChild, until } from '../kit/child.ts'
import { type PgProxy, startPgProxy, type Trap } from '../kit/pg-proxy.ts'
import { startReceiver } from '../kit/receiver.ts'
import { type Service, startService } from '../kit/service.ts'
import { isFull, sized } from '../kit/size.ts'

// The number of kills at each step; KILLS overrides it.
const kills = Number(process.env.KILLS ?? sized(1, 2))
const secret = `test:${Buffer.alloc(32, 7).toString('base64')}`

type Point = {
  name: string
  sql?: Pick<Trap, 'statement' | 'at'>
  /** How often the receiver gets the event in total. */
  arrivals: number
  /** The status codes of the shown attempts in order; null: the end of the attempt was never written. */
  outcomes: (number | null)[]
}
const claims = 'update webhook_deliveries d set lease_id'
const notes = 'update webhook_attempts a set duration_ms'
const points: Point[] = [
  { name: 'before it is claimed', sql: { statement: claims, at: 'before' }, arrivals: 1, outcomes: [200] },
  {
    name: 'claimed, before it is sent',
    sql: { statement: claims, at: 'committed' },
    arrivals: 1,
    outcomes: [null, 200],
  },
  { name: 'sent, before the receiver answers', arrivals: 2, outcomes: [null, 200] },
  {
    name: 'answered, before that is written',
    sql: { statement: notes, at: 'before' },
    arrivals: 2,
    outcomes: [null, 200],
  },
  { name: 'written', sql: { statement: notes, at: 'committed' }, arrivals: 1, outcomes: [200] },
]

let api: Service
let between: PgProxy
let project: { id: string; key: string }
let folder: string
const sql = async (text: string, values: unknown[] = []) => (await api.app.pool.query(text, values)).rows

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-kills-'))
  api = await startService({ ROLES: 'api', ALLOW_PRIVATE_TARGETS: 'true', WEBHOOK_SECRET: secret })
  between = await startPgProxy(api.databaseUrl)
  project = await api.api.project()
})
afterAll(async () => {
  await between?.stop()
  await api?.stop()
  await rm(folder, { recursive: true, force: true })
})

const startWorker = () =>
  startChild({
    ROLES: 'worker',
    DATABASE_URL: between.url,
    DATA_DIR: folder,
    ANCHOR_CHAIN: api.app.chains[0].caip2 ?? '',
    ANCHOR_RPC_URL: api.localChain ?? '',
    ANCHOR_CONTRACT: api.app.chains[0].contract,
    ALLOW_PRIVATE_TARGETS: 'true',
    WEBHOOK_SECRET: secret,
    LOG_LEVEL: 'warn',
  })

/** Creates an endpoint and sends it one event. */
async function sendTo(url: string): Promise<string> {
  const made = await api.api.graphql(
    'mutation ($url: URL!) { createWebhookEndpoint(input: { url: $url }) { webhookEndpoint { id } } }',
    {
      key: project.key,
      variables: { url },
    },
  )
  const { id } = made.data.createWebhookEndpoint.webhookEndpoint
  await api.api.graphql('mutation ($id: ID!) { testWebhookEndpoint(input: { id: $id }) { webhookDelivery { id } } }', {
    key: project.key,
    variables: { id },
  })
  return id
}

describe.runIf(isFull)('a killed worker', () => {
  it.each(points)('killed: $name', async point => {
    let worker: Child = await startWorker()
    try {
      for (let number = 0; number < kills; number++) worker = await killedOnce(point, worker)
    } finally {
      await worker.end('SIGTERM')
    }
  })
})

/** Returns the worker that continues. */
async function killedOnce({ sql: trap, arrivals, outcomes }: Point, victim: Child): Promise<Child> {
  let happened = false
  const kill = async () => {
    await victim.end('SIGKILL')
    happened = victim.process.signalCode === 'SIGKILL'
    return 'cut' as const
  }
  // Without a trap the kill comes while the receiver has the request and has not answered it.
  const receiver = await startReceiver(async (_, __, nth) => {
    if (trap === undefined && nth === 1) await kill()
  })
  if (trap !== undefined) between.set({ ...trap, spring: kill })
  const id = await sendTo(receiver.url)
  await until('the kill was waited for', async () => happened, victim.said)
  // Ends the lease of the killed worker.
  await sql('update webhook_deliveries set next_attempt_at = now() where endpoint_id = $1 and lease_id is not null', [
    id,
  ])
  const worker = await startWorker()
  const state = async () => (await sql('select state from webhook_deliveries where endpoint_id = $1', [id]))[0]?.state
  await expect.poll(state).toBe('delivered')
  expect(receiver.received.length, 'arrivals').toBe(arrivals)
  expect(new Set(receiver.received.map(one => one.id)).size).toBe(1)
  const shown = await sql(
    `select status_code from webhook_attempts where delivery_id = (select id from webhook_deliveries where endpoint_id = $1)
     order by number`,
    [id],
  )
  expect(shown.map(row => row.status_code)).toEqual(outcomes)
  await api.api.graphql(
    'mutation ($id: ID!) { deleteWebhookEndpoint(input: { id: $id }) { deletedWebhookEndpointId } }',
    {
      key: project.key,
      variables: { id },
    },
  )
  await receiver.stop()
  return worker
}
