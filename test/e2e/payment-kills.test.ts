// kill -9 of the selling process at every step of a payment: the same payment sent again gets its answer at once, is
// charged once, and the payments table equals the chain.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settleOpen } from '../../src/modules/x402/tasks.ts'
import { type Child, startChild, until } from '../kit/child.ts'
import { type PaidChain, startPaidChain } from '../kit/paid-chain.ts'
import { createPaidWorld, type PaidWorld } from '../kit/paid-world.ts'
import { createPayer } from '../kit/payer.ts'
import type { Trap } from '../kit/pg-proxy.ts'
import { type Service, startService } from '../kit/service.ts'
import { isFull, sized } from '../kit/size.ts'

// The number of kills at each step; KILLS overrides it.
const kills = Number(process.env.KILLS ?? sized(1, 2))

let chain: PaidChain
beforeAll(async () => {
  chain = await startPaidChain()
})
afterAll(() => chain?.stop())

type Point = {
  name: string
  sql?: Pick<Trap, 'statement' | 'at'>
  /** `isClaimed`: kills only once the claim is written, because the service does both at once. */
  rpc?: { method: string; at: 'before' | 'after'; isClaimed?: boolean }
  /** The payment's status right after the kill; null: no row. */
  status: string | null
  /** Whether the node has the settlement. */
  isSent: boolean
  /** Whether the caller has the answer. */
  isAnswered?: true
}

const claims = 'insert into payments'
const answers = 'answered_at = now()'
const moves = (status: string) => `update payments set status = '${status}'`

const points: Point[] = [
  { name: 'before the claim is written', sql: { statement: claims, at: 'before' }, status: null, isSent: false },
  { name: 'claimed', sql: { statement: claims, at: 'committed' }, status: 'verified', isSent: false },
  {
    name: 'before its settlement is simulated',
    rpc: { method: 'eth_estimateGas', at: 'before' },
    status: null,
    isSent: false,
  },
  {
    name: 'before the fees are read and its settlement is signed',
    rpc: { method: 'eth_gasPrice', at: 'before', isClaimed: true },
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
    name: 'mined and carried out, before it is noted',
    sql: { statement: answers, at: 'before' },
    status: 'settling',
    isSent: true,
  },
  {
    name: 'noted as paid and answered, before the caller has it',
    sql: { statement: answers, at: 'committed' },
    status: 'settled',
    isSent: true,
  },
  {
    name: 'answered, before that is noted',
    sql: { statement: moves('delivered'), at: 'before' },
    status: 'settled',
    isSent: true,
    isAnswered: true,
  },
]

/** Kills the process at the point and reports whether it did; nothing that was held back there is ever sent. */
function killAt({ between, node, database }: PaidWorld, { sql, rpc }: Point, victim: Child): { happened(): boolean } {
  let happened = false
  const kill = async () => {
    // A process that was already dead was not killed at this point.
    if (victim.process.exitCode !== null || victim.process.signalCode !== null) throw new Error('it was dead already')
    await victim.end('SIGKILL')
    happened = victim.process.signalCode === 'SIGKILL'
    return 'cut' as const
  }
  const claimed = async () => (await database.query(`select from payments where status = 'verified'`)).rowCount === 1
  if (sql !== undefined) between.set({ ...sql, spring: kill })
  if (rpc !== undefined) {
    node.fault = async ({ method }, forward) => {
      if (method !== rpc.method) return { kind: 'honest' }
      if (rpc.at === 'after') await forward()
      if (rpc.isClaimed) await until('the claim was waited for', claimed, victim.said)
      await kill()
      return { kind: 'reset' }
    }
  }
  return { happened: () => happened }
}

const newestSql = `select status::text, txid from payments order by verified_at desc limit 1`

/** Sends this payment and kills the process at the point. */
async function killedWhilePaying(world: PaidWorld, point: Point, victim: Child, header: string) {
  const { rows: before } = await world.database.query('select count(*)::int as count from payments')
  const trap = killAt(world, point, victim)
  const lost = world.buy(header).then(
    ({ status }) => status,
    () => null,
  )
  await until('the kill was waited for', async () => trap.happened(), victim.said)
  expect(await lost, 'what the caller had').toBe(point.isAnswered ? 200 : null)
  world.node.fault = null
  const { rows: after } = await world.database.query('select count(*)::int as count from payments')
  expect(after[0].count - before[0].count, 'it was not killed there').toBe(point.status === null ? 0 : 1)
  if (point.status === null) return
  const { rows } = await world.database.query<{ status: string; txid: string | null }>(newestSql)
  expect(rows[0]?.status, 'it was not killed there').toBe(point.status)
  const txid = rows[0]?.txid ?? null
  expect(txid !== null && (await chain.node.getTransaction(txid)) !== null).toBe(point.isSent)
}

describe.runIf(isFull)('a killed process', () => {
  it.concurrent.each(points)(
    'killed: $name',
    async point => {
      const world = await createPaidWorld(chain)
      let running: Child | null = null
      try {
        for (let number = 0; number < kills; number++) {
          // A process of its own, because one that has just settled a payment shares the fees it read then.
          running = await startChild(world.settings)
          const header = await world.header()
          const before = await world.balance()
          await killedWhilePaying(world, point, running, header)
          running = await startChild(world.settings)
          const first = await world.buy(header)
          expect([first.status, first.json.rate], `${first.text}\n${running.said()}`).toEqual([200, '1'])
          const second = await world.buy(header)
          expect([second.status, second.text]).toEqual([200, first.text])
          expect(second.headers.get('payment-response')).toBe(first.headers.get('payment-response'))
          expect(before - (await world.balance())).toBe(1_000n)
          expect(await world.audit()).toEqual([])
          expect(await world.leaks(running.said())).toEqual([])
          await running.end('SIGKILL')
        }
      } finally {
        await running?.end('SIGKILL')
        await world.end()
      }
    },
    120_000 + kills * 60_000,
  )

  it.concurrent('a payer who never returns delays no other: a worker sends the one stored settlement', async () => {
    const world = await createPaidWorld(chain)
    let worker: Service | null = null
    let running: Child | null = null
    try {
      const stored = points.find(({ name }) => name === 'before it is broadcast')
      if (stored === undefined) throw new Error('no such point')
      running = await startChild(world.settings)
      const lost = await world.header()
      await killedWhilePaying(world, stored, running, lost)
      // Only now: it may send the stored settlement at any moment.
      worker = await startService(world.workerSettings)
      running = await startChild(world.settings)
      const other = await createPayer(chain.node, chain.asset, 10_000n)
      const header = await world.header(other)
      expect((await world.buy(header)).status).toBe(200)
      await until(
        'the lost one was waited for',
        async () =>
          (await world.database.query(`select from payments where status not in ('settled', 'delivered')`)).rowCount ===
          0,
        running.said,
      )
      expect(await world.audit()).toEqual([])
      // It is paid, so the payer still gets its answer later.
      expect((await world.buy(lost)).status).toBe(200)
      await settleOpen(worker.app)
      expect(await world.audit()).toEqual([])
    } finally {
      await running?.end('SIGKILL')
      await worker?.stop()
      await world.end()
    }
  })
})
