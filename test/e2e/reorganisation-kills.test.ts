// Reorganisations that take settlements of payments, anchors and the anchor of a refund back, and kill -9 of the worker
// while it repairs them: everything ends as the chain shows it, and nothing is charged or anchored twice.
import { Signature, Wallet } from 'ethers'
import { afterAll, beforeAll, expect } from 'vitest'
import { account } from '../kit/anvil.ts'
import { type Child, startChild, until } from '../kit/child.ts'
import { type PaidChain, startPaidChain } from '../kit/paid-chain.ts'
import { createPaidWorld, fxPath, fxQuestion, type PaidWorld } from '../kit/paid-world.ts'
import { answerTo, dollars, inside, signCancel, split } from '../kit/payer.ts'
import type { Trap } from '../kit/pg-proxy.ts'
import { reorganiser } from '../kit/reorganisations.ts'
import { type Service, startService } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

// The number of kills, spread over the points below; KILLS overrides it.
const kills = Number(process.env.KILLS ?? 25)
const confirmations = 2

let chain: PaidChain
let world: PaidWorld
let service: Service
let tools: ReturnType<typeof reorganiser>
let shop: { id: string; key: string }
let running: Child | null = null
let workerSettings: Record<string, string>
beforeAll(async () => {
  chain = await startPaidChain()
  tools = reorganiser(chain)
  world = await createPaidWorld(chain)
  const depths = { X402_CONFIRMATIONS: `${confirmations}`, ANCHOR_CONFIRMATIONS: `${confirmations}` }
  const anchoring = { ...depths, ANCHOR_PRIVATE_KEY: account(1).privateKey }
  workerSettings = { ...world.settings, ...anchoring, ROLES: 'worker' }
  service = await startService({ ...world.workerSettings, ...anchoring, ROLES: 'api', LOG_LEVEL: 'silent' })
  shop = await service.api.project('Shop')
})
afterAll(async () => {
  await running?.end('SIGKILL')
  await service?.stop()
  await world?.end()
  await chain?.stop()
})

const sql = async (text: string, values: unknown[] = []) => (await world.database.query(text, values)).rows
const said = () => running?.said() ?? ''

/** Has the tasks of the minute run now, and what is postponed with them, until something is so. */
const working = (what: string, isSo: () => Promise<boolean>) =>
  until(
    what,
    async () => {
      if (await isSo()) return true
      await sql('update payments set look_at = now() where look_at > now()')
      for (const task of ['settle_open', 'recheck_payments'])
        await sql('select graphile_worker.add_job($1, job_key => $1)', [task])
      await tools.mine(1)
      return false
    },
    said,
  )

type Life = { payment: string; header: string; receipts: string[] }

const statusOf = async (id: string) => (await service.api.call('GET', `/v1/iso/receipts/${id}`)).json.status
const anchored = (id: string) => working(`${id} is anchored`, async () => (await statusOf(id)) === 'anchored')

/** Buys something, and anchors a receipt and its refund: all of it in blocks that will be lost. */
async function live(): Promise<Life> {
  const challenge = await service.api.call('POST', fxPath, { body: fxQuestion })
  const header = await answerTo(world.payer, challenge.headers.get('payment-required'))
  const headers = { 'PAYMENT-SIGNATURE': header }
  const bought = await service.api.call('POST', fxPath, { key: shop.key, body: fxQuestion, headers })
  expect(bought.status, bought.text).toBe(200)
  const [{ id: payment }] = await sql('select id from payments order by verified_at desc limit 1')
  const receipt: string = (await service.api.record(shop.key)).json.receipt_id
  await anchored(receipt)
  const body = {
    original_receipt_id: receipt,
    refund_tx_hash: `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`,
  }
  const refund = await service.api.call('POST', '/v1/iso/refund', { key: shop.key, body })
  expect(refund.status, refund.text).toBe(200)
  await anchored(refund.json.refund_receipt_id)
  // The other fork is made before a worker can send anything again.
  await running?.end('SIGKILL')
  return { payment, header, receipts: [receipt, refund.json.refund_receipt_id] }
}

async function cancel(header: string): Promise<void> {
  const { wallet, address } = world.payer
  const { nonce } = inside(header).authorization
  const signature = Signature.from(await signCancel(wallet, chain.asset, address, nonce))
  const send = dollars(chain.asset, wallet).getFunction('cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)')
  await (await send(address, nonce, ...split(signature))).wait()
}

const useNonce = async () => {
  const signer = new Wallet(world.settings.X402_FACILITATOR_PRIVATE_KEY ?? '', chain.node)
  await (await signer.sendTransaction({ to: signer.address, value: 0n })).wait()
}

/** The blocks that come in the place of the lost ones, and what becomes of the payment. */
const forks = {
  repeated: { mine: async () => undefined, status: 'delivered' },
  'settled by a stranger': { mine: ({ header }: Life) => tools.settledByStranger([header]), status: 'delivered' },
  'without its nonce': { mine: useNonce, status: 'delivered' },
  cancelled: { mine: ({ header }: Life) => cancel(header), status: 'reversed' },
}

type Point = { fork: keyof typeof forks } & (Pick<Trap, 'statement' | 'at'> | { sends: 'before' | 'after' })

const seen = 'update payments set txid = $2, settled_block'
const signsAgain = 'update payments set signer = $2, signer_nonce = $3, raw_transaction = $4\n  where'
const reverses = `update payments set status = 'reversed'`
const points: Point[] = [
  { fork: 'settled by a stranger', statement: seen, at: 'before' },
  { fork: 'cancelled', statement: reverses, at: 'committed' },
  { fork: 'without its nonce', statement: signsAgain, at: 'committed' },
  { fork: 'repeated', sends: 'before' },
  { fork: 'settled by a stranger', statement: seen, at: 'committed' },
  { fork: 'cancelled', statement: reverses, at: 'before' },
  { fork: 'without its nonce', statement: signsAgain, at: 'before' },
  { fork: 'repeated', sends: 'after' },
  { fork: 'repeated', statement: seen, at: 'committed' },
  { fork: 'repeated', statement: `update anchor_transactions set state = 'signed'`, at: 'before' },
  { fork: 'settled by a stranger', statement: `update anchor_transactions set state = 'signed'`, at: 'committed' },
  { fork: 'cancelled', statement: `update anchor_transactions set state = 'confirmed'`, at: 'before' },
  { fork: 'repeated', statement: `update anchor_transactions set state = 'confirmed'`, at: 'committed' },
]

/** Kills the worker at the point. */
function killAt(point: Point, victim: Child): { happened(): boolean } {
  let happened = false
  const kill = async () => {
    if (happened) return 'cut' as const
    await victim.end('SIGKILL')
    happened = victim.process.signalCode === 'SIGKILL'
    return 'cut' as const
  }
  if ('statement' in point) world.between.set({ ...point, spring: kill })
  else
    world.node.fault = async ({ method }, forward) => {
      if (method !== 'eth_sendRawTransaction') return { kind: 'honest' }
      if (point.sends === 'after') await forward()
      await kill()
      return { kind: 'reset' }
    }
  return { happened: () => happened }
}

it(
  `${kills} kills while lost blocks are repaired: payments, receipts and refunds end as the chain shows them`,
  async () => {
    const lives: Life[] = []
    for (let number = 0; number < kills; number++) {
      const point = points[number % points.length]
      if (point === undefined) throw new Error('no such point')
      const { mine, status } = forks[point.fork]
      running ??= await startChild(workerSettings)
      const life = await tools.takenBack(live)
      lives.push(life)
      await mine(life)
      running = await startChild(workerSettings)
      const trap = killAt(point, running)
      // The next anchor notices that those before it are lost.
      const next: string = (await service.api.record(shop.key)).json.receipt_id
      await working(`kill ${number} at ${JSON.stringify(point)}`, async () => trap.happened())
      world.node.fault = null
      running = await startChild(workerSettings)
      await working(`the payment is ${status}`, async () => {
        const [row] = await sql('select status::text, final_at, txid from payments where id = $1', [life.payment])
        const mined = await chain.node.getTransactionReceipt(row.txid)
        return row.status === status && (status === 'reversed' || (row.final_at !== null && mined?.status === 1))
      })
      for (const id of [...life.receipts, next]) await anchored(id)
      expect(await world.audit()).toEqual([])
      for (const id of [...life.receipts, next]) {
        const { json } = await service.api.call('GET', `/v1/iso/receipts/${id}`)
        const body = { bundle_hash: json.bundle_hash }
        const verified = await service.api.call('POST', '/v1/iso/verify', { body })
        expect(verified.json).toMatchObject({ matches_onchain: true, ledger_txid: json.ledger_txid, errors: [] })
      }
    }
    const charged = lives.length - (await sql(`select from payments where status = 'reversed'`)).length
    const paid: bigint = await dollars(chain.asset, chain.node).getFunction('balanceOf')(world.books.payTo)
    expect(paid).toBe(BigInt(charged) * 1_000n)
  },
  120_000 + kills * 90_000,
)
