// Seeing to it that the chain has what was stored: which bytes are handed over, which are replaced, and which nonce is next.
// The chain is scripted, for nodes that lag and forget.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { App } from '../../src/kit/context.ts'
import { handOver } from '../../src/modules/anchoring/hand-over.ts'
import type { Chain, Handover, Sender, SignedTransaction } from '../../src/ports/chain.ts'
import { type Service, startService } from '../kit/service.ts'

const hash = () => `0x${randomBytes(32).toString('hex')}`
const replaceAfterMs = 60_000

let service: Service
let app: App
let chain: Chain
/** What the chain says. */
let script: { mined: number; pending: number; outcome: Handover }
/** What it was handed, in order. */
let handed: string[]
let sender: Sender
beforeAll(async () => {
  service = await startService({ ROLES: 'api', LOG_LEVEL: 'silent' })
  app = service.app
})
afterAll(() => service.stop())
beforeEach(() => {
  script = { mined: 5, pending: 5, outcome: 'accepted' }
  handed = []
  // A chain of its own, so that no test sees the transactions of another.
  chain = { ...app.chains[0], name: hash() }
  const signed = (raw: string, nonce: number): SignedTransaction => ({ txid: hash(), raw, nonce, maxFeePerGas: 2n })
  const never = () => Promise.reject(new Error('handing over does not need this'))
  sender = {
    address: `0x${'5e'.repeat(20)}`,
    replaceAfterMs,
    minedNonce: async () => script.mined,
    pendingNonce: async () => script.pending,
    signAnchor: never,
    signFiller: async nonce => signed(`filler ${nonce}`, nonce),
    signReplacement: async raw => signed(`${raw} dearer`, 0),
    broadcast: async raw => {
      handed.push(raw)
      return script.outcome
    },
    funds: never,
  }
})

const sql = async (text: string, values: unknown[] = []) => (await service.app.pool.query(text, values)).rows

/** A transaction under this nonce, stored that long ago; its bytes are `anchor` and the nonce. */
async function stored(nonce: number, { state = 'signed', ageMs = 0, signer = sender.address } = {}): Promise<string> {
  const [id, txid] = [randomUUID(), hash()]
  await sql(
    `insert into anchor_transactions (id, chain, contract, signer, nonce, txid, state)
     values ($1, $2, $3, $4, $5, $6, $7::anchor_transaction_state)`,
    [id, chain.name, chain.contract, signer, nonce, txid, state],
  )
  await sql(
    `insert into anchor_attempts (txid, transaction_id, raw_transaction, max_fee_per_gas, created_at)
     values ($1, $2, $3, 1, now() - $4 * interval '1 millisecond')`,
    [txid, id, `anchor ${nonce}`, ageMs],
  )
  return id
}
const next = () => handOver(app, chain, sender)

it('what the nodes do not know is handed over again, as it was signed; what they know is not', async () => {
  script.pending = 6
  for (const nonce of [4, 5, 6, 7]) await stored(nonce)
  expect(await next()).toBe(8)
  expect(handed).toEqual(['anchor 6', 'anchor 7'])
})

it('a nonce that is stored is not given out again while the nodes do not count it yet', async () => {
  await stored(4, { state: 'confirmed' })
  expect(await next()).toBe(5)
  script = { ...script, mined: 4, pending: 4 }
  expect(await next()).toBe(5)
})

it.each(['reverted', 'overtaken'])(
  'of one that was given up (%s) only the nonce is used: its bytes could anchor a second time what went out in another',
  async state => {
    await stored(5, { state })
    expect(await next()).toBe(6)
    expect(handed).toEqual(['filler 5'])
  },
)

it('one that was final and that the nodes no longer know is handed over, and what became of its block is looked at', async () => {
  const id = await stored(5, { state: 'confirmed' })
  await next()
  expect(handed).toEqual(['anchor 5'])
  const jobs = `select payload->>'transaction' as id from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'reprove'`
  expect(await sql(jobs)).toContainEqual({ id })
})

it('a gap is filled with transactions of nothing, so that those above are mined', async () => {
  await stored(5)
  await stored(8)
  expect(await next()).toBe(9)
  expect(handed).toEqual(['anchor 5', 'anchor 8', 'filler 6', 'filler 7'])
})

it('only the first that waits too long is replaced at its nonce: those behind wait for it, not for a higher fee', async () => {
  script.pending = 7
  for (const nonce of [5, 6]) await stored(nonce, { ageMs: replaceAfterMs + 1_000 })
  await next()
  expect(handed).toEqual(['anchor 5 dearer'])
})

it('one that is young is not replaced', async () => {
  script.pending = 6
  await stored(5, { ageMs: replaceAfterMs - 20_000 })
  await next()
  expect(handed).toEqual([])
})

it('one that no node takes at its fee is replaced until one does, and not for ever', async () => {
  await stored(5)
  script.outcome = 'underpriced'
  await next()
  expect(handed.slice(0, 3)).toEqual(['anchor 5', 'anchor 5 dearer', 'anchor 5 dearer dearer'])
  expect(handed.length).toBeLessThan(20)
})

it('while sixteen are not mined there is no nonce for another', async () => {
  script.pending = 21
  for (let nonce = 5; nonce < 20; nonce++) await stored(nonce)
  expect(await next()).toBe(21)
  await stored(20)
  expect(await next()).toBeNull()
})

it('what a former key signed is handed over too, and takes no nonce of the present one', async () => {
  await stored(9, { signer: `0x${'fe'.repeat(20)}` })
  expect(await next()).toBe(5)
  expect(handed).toEqual(['anchor 9'])
})
