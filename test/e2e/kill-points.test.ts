// kill -9 at every point of the receipt lifecycle where one side has written something that the other side does not
// know yet.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Wallet } from 'ethers'
import pg from 'pg'
import { pino } from 'pino'
import { expect } from 'vitest'
import { type EmbeddedChain, startChain } from '../../src/embedded/chain.ts'
import { audit } from '../kit/auditor.ts'
import { type Child, startChild, until } from '../kit/child.ts'
import { keptPort } from '../kit/kept-port.ts'
import { type PgProxy, startPgProxy, type Trap } from '../kit/pg-proxy.ts'
import { type RpcProxy, startRpcProxy } from '../kit/rpc-proxy.ts'
import { adminKey, apiOf, freshDatabase, type Tip, tipOf } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

// The number of kills at each point; KILLS overrides it.
const kills = Number(process.env.KILLS ?? 2)
const receiptsEach = 3
// Several receipts can be anchored in two transactions, and then the second request would not be a replacement.
const receiptsOf = ({ replacing }: Point) => (replacing ? 1 : receiptsEach)
// The lease of a dead worker ends after two seconds; other workers check every five seconds.
const pauseMs = 1_200

/** Everything around the process, which survives it. */
type World = {
  database: pg.Client
  databaseUrl: string
  between: PgProxy
  chain: EmbeddedChain
  node: RpcProxy
  /** Queries the node directly. */
  rpc(method: string, params?: unknown[]): Promise<unknown>
  settings: Record<string, string>
  base: string
}

type Point = {
  name: string
  sql?: Pick<Trap, 'statement' | 'parameter' | 'at'>
  /** `nth`: counts the requests of a round; the default is the first. */
  rpc?: { method: string; at: 'before' | 'after'; nth?: number }
  /**
   * The state that the query must find right after the kill: true, or a text that is reported. `$1`: the references of
   * the round.
   */
  proof: string
  /** For the signed transactions: which of their attempts the node knows, oldest first. */
  known?: boolean[]
  replacing?: boolean
}

const own = 'from receipts r where r.reference = any($1)'
const checked = 'exists (select from compliance_checks where receipt_id = r.id)'
const file = (name: string) => `exists (select from artifacts where receipt_id = r.id and name = '${name}')`
const anchor = (state: string) => `exists (select from anchors where receipt_id = r.id and state = '${state}')`
const waits = `select exists (select ${own} and status = 'awaiting_anchor' and ${anchor('waiting')})
  and not exists (select ${own} and ${anchor('sent')}) as so`
const sent = `select exists (select ${own} and status = 'awaiting_anchor' and ${anchor('sent')}) as so`
const attempts = `(select count(*) from anchors join anchor_attempts using (transaction_id) where receipt_id = r.id)`
const replaced = `select exists (select ${own} and status = 'awaiting_anchor' and ${anchor('sent')}
  and ${attempts} = 2) as so`

const insertReceipts = 'insert into receipts'
const insertChecks = 'insert into compliance_checks'
const sealed = `update receipts set status = 'awaiting_anchor', bundle_hash`
const settled = `update anchor_transactions set state = 'confirmed'`
const reports = { statement: 'insert into blobs', parameter: 'pain.002' }

const points: Point[] = [
  {
    name: 'record: before its statement reaches the database',
    sql: { statement: insertReceipts, at: 'before' },
    proof: `select not exists (select ${own}) as so`,
  },
  {
    name: 'record: while the database writes',
    sql: { statement: insertReceipts, at: 'forwarded' },
    proof: `select count(*) <= ${receiptsEach} as so ${own}`,
  },
  {
    name: 'record: committed, before the caller is answered',
    sql: { statement: insertReceipts, at: 'committed' },
    proof: `select exists (select ${own} and status = 'pending') as so`,
  },
  {
    name: 'screen: before it writes',
    sql: { statement: insertChecks, at: 'before' },
    proof: `select exists (select ${own} and status = 'pending' and not ${checked}) as so`,
  },
  {
    name: 'screen: committed',
    sql: { statement: insertChecks, at: 'committed' },
    proof: `select exists (select ${own} and status = 'pending' and ${checked}) as so`,
  },
  {
    name: 'seal: before it writes',
    sql: { statement: sealed, at: 'before' },
    proof: `select exists (select ${own} and status = 'pending' and ${checked} and not ${file('evidence.zip')}) as so`,
  },
  {
    name: 'seal: committed',
    sql: { statement: sealed, at: 'committed' },
    proof: `select exists (select ${own} and status = 'awaiting_anchor' and ${anchor('waiting')} and ${file('evidence.zip')}) as so`,
  },
  { name: 'anchor: before signing', rpc: { method: 'eth_estimateGas', at: 'before' }, proof: waits },
  {
    name: 'anchor: signed, before it is stored',
    sql: { statement: 'insert into anchor_transactions', at: 'before' },
    proof: waits,
  },
  {
    name: 'anchor: stored, before it is broadcast',
    rpc: { method: 'eth_sendRawTransaction', at: 'before' },
    proof: sent,
    known: [false],
  },
  {
    name: 'anchor: broadcast, before the node’s answer',
    rpc: { method: 'eth_sendRawTransaction', at: 'after' },
    proof: sent,
    known: [true],
  },
  {
    name: 'confirm: before it reads the transaction’s receipt',
    rpc: { method: 'eth_getTransactionReceipt', at: 'before' },
    proof: sent,
  },
  {
    name: 'confirm: before it writes the outcome',
    sql: { statement: settled, at: 'before' },
    proof: sent,
    known: [true],
  },
  {
    name: 'confirm: committed, before anybody knows',
    sql: { statement: settled, at: 'committed' },
    proof: `select exists (select ${own} and status = 'anchored') as so`,
  },
  {
    name: 'report: before its messages are stored',
    sql: { ...reports, at: 'before' },
    proof: `select exists (select ${own} and status = 'anchored' and not ${file('pain002.xml')}) as so`,
  },
  {
    name: 'report: its messages stored',
    sql: { ...reports, at: 'committed' },
    proof: `select exists (select ${own} and status = 'anchored' and ${file('pain002.xml')}) as so`,
  },
  {
    name: 'replacement: stored, before it is broadcast',
    rpc: { method: 'eth_sendRawTransaction', at: 'before', nth: 2 },
    proof: replaced,
    known: [true, false],
    replacing: true,
  },
]

async function createWorld(folder: string, replacing: boolean): Promise<World> {
  const databaseUrl = await freshDatabase()
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const between = await startPgProxy(databaseUrl)
  const chain = await startChain(join(folder, 'chain'), pino({ level: 'silent' }))
  const node = await startRpcProxy(chain.rpcUrl)
  const caip2 = `eip155:${chain.chainId}`
  const { contract } = chain
  const chainsFile = join(folder, 'chains.json')
  const entry = { name: caip2, caip2, rpc_urls: [node.url], contract, finality: { confirmations: 1 } }
  await writeFile(chainsFile, JSON.stringify([{ ...entry, replace_after_seconds: 1 }]))
  const port = await keptPort()
  const one = {
    ANCHOR_CHAIN: caip2,
    ANCHOR_RPC_URL: node.url,
    ANCHOR_CONTRACT: contract,
    ANCHOR_CONFIRMATIONS: '1',
  }
  return {
    database,
    databaseUrl,
    between,
    chain,
    node,
    async rpc(method, params = []) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const headers = { 'Content-Type': 'application/json' }
      return (await (await fetch(chain.rpcUrl, { method: 'POST', headers, body })).json()).result
    },
    settings: {
      DATABASE_URL: between.url,
      DATA_DIR: folder,
      PORT: String(port),
      ADMIN_API_KEYS: adminKey,
      LOG_LEVEL: 'error',
      ANCHOR_PRIVATE_KEY: chain.anchorPrivateKey,
      ...(replacing ? { CHAINS_FILE: chainsFile } : one),
    },
    base: `http://127.0.0.1:${port}`,
  }
}

const begin = ({ settings }: World) => startChild(settings)

/** Kills the process at the point and reports whether it did; nothing that was held back there is ever sent. */
function killAt(world: World, { sql, rpc }: Point, victim: Child): { happened(): boolean } {
  let happened = false
  const kill = async () => {
    // A process that was already dead was not killed at this point.
    if (victim.process.exitCode !== null || victim.process.signalCode !== null) throw new Error('it was dead already')
    await victim.end('SIGKILL')
    happened = victim.process.signalCode === 'SIGKILL'
    return 'cut' as const
  }
  if (sql !== undefined) world.between.set({ ...sql, spring: kill })
  let left = rpc?.nth ?? 1
  world.node.fault = async ({ method, params: [first] }, forward) => {
    // A gas estimate with a gas price of 0 belongs to the check of the signer's funds.
    const isOther = typeof first === 'object' && first !== null && 'gasPrice' in first
    if (rpc === undefined || method !== rpc.method || isOther) return { kind: 'honest' }
    left -= 1
    if (left !== 0) return { kind: 'honest' }
    if (rpc.at === 'after') await forward()
    await kill()
    return { kind: 'reset' }
  }
  return { happened: () => happened }
}

const attemptsSql = `select a.txid from anchor_attempts a join anchor_transactions t on t.id = a.transaction_id
  where t.state = 'signed' order by t.nonce, a.max_fee_per_gas`

async function knownToNode({ database, rpc }: World): Promise<boolean[]> {
  const { rows } = await database.query<{ txid: string }>(attemptsSql)
  return Promise.all(rows.map(async ({ txid }) => (await rpc('eth_getTransactionByHash', [txid])) !== null))
}

/** Mines blocks again: at once, so that the first attempt is mined, or after the node has a later attempt. */
async function mineAgain(world: World, { said }: Child, isAtOnce: boolean): Promise<void> {
  const laterIsKnown = async () => (await knownToNode(world)).slice(1).includes(true)
  if (!isAtOnce) await until('a later attempt was waited for', laterIsKnown, said)
  await world.rpc('evm_setAutomine', [true])
  await world.rpc('evm_mine')
}

const wholeSql = `select count(*)::int = cardinality($1::text[]) as so ${own} and status = 'anchored'
  and ${file('pain002.xml')} and ${file('camt054.xml')}`
const idleSql = `select not exists (select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where t.identifier in ('screen', 'seal', 'anchor', 'confirm', 'report')) as so`

async function round(world: World, point: Point, victim: Child, key: string, number: number, accepted: Set<string>) {
  const { database, rpc } = world
  const { record } = apiOf(world.base)
  const isSo = async (sql: string, values: unknown[] = []) => (await database.query(sql, values)).rows[0].so === true
  if (point.replacing) await rpc('evm_setAutomine', [false])
  const trap = killAt(world, point, victim)
  const tips = Array.from({ length: receiptsOf(point) }, () => tipOf())
  const references = tips.map(({ reference }) => reference)
  const unanswered: Tip[] = []
  const answers = tips.map(async tip => {
    const answer = await record(key, tip).catch(() => null)
    if (answer === null) return void unanswered.push(tip)
    expect(answer.status).toBe(200)
    accepted.add(answer.json.receipt_id)
  })
  await until('the kill was waited for', async () => trap.happened(), victim.said)
  await Promise.all(answers)
  world.node.fault = null
  expect(await isSo(point.proof, [references]), `it was not killed there: ${point.proof}`).toBe(true)
  if (point.known !== undefined) expect(await knownToNode(world)).toEqual(point.known)
  if (point.name.startsWith('record')) expect(unanswered).toHaveLength(receiptsEach)

  await sleep(pauseMs)
  const next = await begin(world)
  if (point.replacing) await mineAgain(world, next, number % 2 === 0)
  for (const tip of unanswered) {
    const [once, twice] = [await record(key, tip), await record(key, tip)]
    expect([once.status, twice.status, twice.json.receipt_id]).toEqual([200, 200, once.json.receipt_id])
    accepted.add(once.json.receipt_id)
  }
  await until('anchors and reports were waited for', () => isSo(wholeSql, [references]), next.said)
  // All repeated steps must finish first, so that the next round's first step of this kind is its own.
  await until('the end of all jobs was waited for', () => isSo(idleSql), next.said)
  expect(next.said(), 'a step failed that nothing hindered').not.toContain('Failed task')
  return next
}

it.concurrent.each(points)(
  '$name',
  async point => {
    const folder = await mkdtemp(join(tmpdir(), 'quittance-kill-'))
    const world = await createWorld(folder, point.replacing ?? false)
    let running: Child | null = null
    try {
      running = await begin(world)
      const { key } = await apiOf(world.base).project()
      const accepted = new Set<string>()
      for (let number = 0; number < kills; number++) {
        running = await round(world, point, running, key, number, accepted)
      }
      expect(accepted.size).toBe(kills * receiptsOf(point))
      await running.end('SIGTERM')
      const { databaseUrl, chain } = world
      const signer = new Wallet(chain.anchorPrivateKey).address
      const asked = { databaseUrl, rpcUrl: chain.rpcUrl, contract: chain.contract, signer, accepted, settled: true }
      expect(await audit(asked)).toEqual([])
    } finally {
      await running?.end('SIGKILL')
      await world.database.end()
      await world.between.stop()
      await world.node.stop()
      await world.chain.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
  120_000 + kills * 60_000,
)
