// kill -9 of the process that is being paid, at every step of a payment: whoever sends the same payment again gets what he
// paid for at once, charged once, and the book equals the chain. Each step twice, or as many times as KILLS says.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../src/embedded/process.ts'
import { settleOpen } from '../../src/modules/payments/tasks.ts'
import { type Child, startChild, until } from '../kit/child.ts'
import { type PaidChain, startPaidChain } from '../kit/paid-chain.ts'
import { answerTo, createPayer, dollars, type Payer } from '../kit/payer.ts'
import { auditPayments, type PaymentBooks } from '../kit/payment-books.ts'
import { type PgProxy, startPgProxy, type Trap } from '../kit/pg-proxy.ts'
import { type RpcProxy, startRpcProxy } from '../kit/rpc-proxy.ts'
import { adminKey, apiOf, freshDatabase, startService } from '../kit/service.ts'

const kills = Number(process.env.KILLS ?? 2)

let chain: PaidChain
beforeAll(async () => {
  chain = await startPaidChain()
})
afterAll(() => chain?.stop())

/** Everything around the process, which outlives it. */
type World = {
  books: PaymentBooks
  database: pg.Client
  between: PgProxy
  node: RpcProxy
  payer: Payer
  /** Of a process that answers requests. */
  settings: Record<string, string>
  /** Of a worker beside it, past the proxies. */
  workerSettings: Record<string, string>
  api: ReturnType<typeof apiOf>
  end(): Promise<void>
}

async function createWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-paid-'))
  const databaseUrl = await freshDatabase()
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const between = await startPgProxy(databaseUrl)
  const node = await startRpcProxy(chain.url)
  const { signer, payTo, settings } = await chain.till()
  const port = await freePort()
  const common = { ...settings, DATA_DIR: folder, ADMIN_API_KEYS: adminKey, LOG_LEVEL: 'error' }
  return {
    books: { databaseUrl, rpcUrl: chain.url, asset: chain.asset, payTo, signer },
    database,
    between,
    node,
    payer: await createPayer(chain.node, chain.asset, 1_000_000n),
    settings: {
      ...common,
      DATABASE_URL: between.url,
      ANCHOR_RPC_URL: node.url,
      X402_RPC_URL: node.url,
      PORT: `${port}`,
      ROLES: 'api',
    },
    workerSettings: { ...common, DATABASE_URL: databaseUrl, ROLES: 'worker' },
    api: apiOf(`http://127.0.0.1:${port}`),
    async end() {
      await database.end()
      await between.stop()
      await node.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Point = {
  name: string
  sql?: Pick<Trap, 'statement' | 'at'>
  rpc?: { method: string; at: 'before' | 'after' }
  /** What the book says the moment after; null: nothing. */
  status: string | null
  /** Whether the node has its transaction. */
  isSent: boolean
}

const claims = 'insert into payments'
const moves = (status: string) => `update payments set status = '${status}'`

const points: Point[] = [
  { name: 'before the claim is written', sql: { statement: claims, at: 'before' }, status: null, isSent: false },
  { name: 'claimed', sql: { statement: claims, at: 'committed' }, status: 'verified', isSent: false },
  {
    name: 'before its settlement is simulated and signed',
    rpc: { method: 'eth_estimateGas', at: 'before' },
    status: 'verified',
    isSent: false,
  },
  {
    name: 'signed, before it is stored',
    sql: { statement: moves('settling'), at: 'before' },
    status: 'verified',
    isSent: false,
  },
  { name: 'stored', sql: { statement: moves('settling'), at: 'committed' }, status: 'settling', isSent: false },
  {
    name: 'before it is broadcast',
    rpc: { method: 'eth_sendRawTransaction', at: 'before' },
    status: 'settling',
    isSent: false,
  },
  {
    name: 'broadcast, before the node’s answer',
    rpc: { method: 'eth_sendRawTransaction', at: 'after' },
    status: 'settling',
    isSent: true,
  },
  {
    name: 'mined, before it is noted',
    sql: { statement: moves('settled'), at: 'before' },
    status: 'settling',
    isSent: true,
  },
  { name: 'noted as paid', sql: { statement: moves('settled'), at: 'committed' }, status: 'settled', isSent: true },
  {
    name: 'carried out, before it is noted',
    sql: { statement: moves('delivered'), at: 'before' },
    status: 'settled',
    isSent: true,
  },
  {
    name: 'noted as delivered, before the caller has it',
    sql: { statement: moves('delivered'), at: 'committed' },
    status: 'delivered',
    isSent: true,
  },
]

// Worth what it says without any provider, with the time at which it was carried out.
const question = { base_ccy: 'USD', quote_ccy: 'USD' }
const ask = ({ api }: World, header?: string) =>
  api.call('POST', '/v1/x402/premium/fx-lookup', {
    body: question,
    headers: header === undefined ? {} : { 'PAYMENT-SIGNATURE': header },
  })

const balance = ({ address }: Payer): Promise<bigint> =>
  dollars(chain.asset, chain.node).getFunction('balanceOf')(address)

/** Answers when the process was killed at the point; nothing that was held back there ever gets through. */
function killAt({ between, node }: World, { sql, rpc }: Point, victim: Child): { happened(): boolean } {
  let happened = false
  const kill = async () => {
    // Were it dead already, then it did not die here.
    if (victim.process.exitCode !== null || victim.process.signalCode !== null) throw new Error('it was dead already')
    await victim.end('SIGKILL')
    happened = victim.process.signalCode === 'SIGKILL'
    return 'cut' as const
  }
  if (sql !== undefined) between.set({ ...sql, spring: kill })
  if (rpc !== undefined) {
    node.fault = async ({ method }, forward) => {
      if (method !== rpc.method) return { kind: 'honest' }
      if (rpc.at === 'after') await forward()
      await kill()
      return { kind: 'reset' }
    }
  }
  return { happened: () => happened }
}

const newestSql = `select status::text, txid from payments order by verified_at desc limit 1`

/** The process is killed while this payment is made. */
async function killedWhilePaying(world: World, point: Point, victim: Child, header: string) {
  const { rows: before } = await world.database.query('select count(*)::int as count from payments')
  const trap = killAt(world, point, victim)
  const lost = ask(world, header).then(
    ({ status }) => status,
    () => null,
  )
  await until('the kill was waited for', async () => trap.happened(), victim.said)
  expect(await lost, 'the caller had an answer').toBeNull()
  world.node.fault = null
  const { rows: after } = await world.database.query('select count(*)::int as count from payments')
  expect(after[0].count - before[0].count, 'it was not killed there').toBe(point.status === null ? 0 : 1)
  if (point.status === null) return
  const { rows } = await world.database.query<{ status: string; txid: string | null }>(newestSql)
  expect(rows[0]?.status, 'it was not killed there').toBe(point.status)
  const txid = rows[0]?.txid ?? null
  expect(txid !== null && (await chain.node.getTransaction(txid)) !== null).toBe(point.isSent)
}

it.concurrent.each(points)(
  'killed: $name',
  async point => {
    const world = await createWorld()
    let running: Child | null = null
    try {
      const { payer, books } = world
      running = await startChild(world.settings)
      for (let number = 0; number < kills; number++) {
        const header = await answerTo(payer, (await ask(world)).headers.get('payment-required'))
        const before = await balance(payer)
        await killedWhilePaying(world, point, running, header)
        running = await startChild(world.settings)
        const first = await ask(world, header)
        expect([first.status, first.json.rate], `${first.text}\n${running.said()}`).toEqual([200, '1'])
        const second = await ask(world, header)
        expect([second.status, second.text]).toEqual([200, first.text])
        expect(second.headers.get('payment-response')).toBe(first.headers.get('payment-response'))
        expect(before - (await balance(payer))).toBe(1_000n)
        expect(await auditPayments(books)).toEqual([])
      }
    } finally {
      await running?.end('SIGKILL')
      await world.end()
    }
  },
  60_000 + kills * 20_000,
)

it('a payer who never comes back keeps nobody waiting: his nonce is sent without him, and no other', async () => {
  const world = await createWorld()
  const worker = await startService(world.workerSettings)
  let running: Child | null = null
  try {
    const stored = points.find(({ name }) => name === 'before it is broadcast')
    if (stored === undefined) throw new Error('no such point')
    running = await startChild(world.settings)
    const lost = await answerTo(world.payer, (await ask(world)).headers.get('payment-required'))
    await killedWhilePaying(world, stored, running, lost)
    running = await startChild(world.settings)
    const other = await createPayer(chain.node, chain.asset, 10_000n)
    const header = await answerTo(other, (await ask(world)).headers.get('payment-required'))
    expect((await ask(world, header)).status).toBe(200)
    await until(
      'the lost one was waited for',
      async () => (await world.database.query(`select from payments where status = 'settled'`)).rowCount === 1,
      running.said,
    )
    expect(await auditPayments(world.books)).toEqual([])
    // It is paid: whenever he comes back, he gets it.
    expect((await ask(world, lost)).status).toBe(200)
    await settleOpen(worker.app)
    expect(await auditPayments(world.books)).toEqual([])
  } finally {
    await running?.end('SIGKILL')
    await worker.stop()
    await world.end()
  }
}, 120_000)
