// Broadcasting stored transactions: which bytes are sent again, which are replaced, and which nonce is next. The chain
// is scripted, for nodes that lag and forget.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { App } from '../../src/kit/context.ts'
import { rebroadcastAnchors } from '../../src/modules/anchoring/rebroadcast.ts'
import type { AnchorAccount, BroadcastOutcome, Chain, SignedTransaction } from '../../src/ports/chain.ts'
import { type Service, startService } from '../kit/service.ts'

const hash = () => `0x${randomBytes(32).toString('hex')}`
const replaceAfterMs = 60_000

let service: Service
let app: App
let chain: Chain
/** The answers of the chain. */
let script: { mined: number; pending: number; outcome: BroadcastOutcome; isAtCap: boolean }
/** The transactions that the chain received, in order. */
let received: string[]
let account: AnchorAccount
beforeAll(async () => {
  service = await startService({ ROLES: 'api', LOG_LEVEL: 'silent' })
  app = service.app
})
afterAll(() => service.stop())
beforeEach(() => {
  script = { mined: 5, pending: 5, outcome: 'accepted', isAtCap: false }
  received = []
  // Each test has its own chain, so that no test sees the transactions of another.
  chain = { ...app.chains[0], name: hash() }
  const signed = (raw: string, nonce: number): SignedTransaction => ({ txid: hash(), raw, nonce, maxFeePerGas: 2n })
  const never = () => Promise.reject(new Error('rebroadcasting does not need this'))
  account = {
    address: `0x${'5e'.repeat(20)}`,
    replaceAfterMs,
    minedNonce: async () => script.mined,
    pendingNonce: async () => script.pending,
    signAnchor: never,
    signFiller: async nonce => signed(`filler ${nonce}`, nonce),
    signReplacement: async raw => (script.isAtCap ? null : signed(`${raw} dearer`, 0)),
    broadcast: async raw => {
      received.push(raw)
      return script.outcome
    },
    funds: never,
  }
})

const sql = async (text: string, values: unknown[] = []) => (await service.app.pool.query(text, values)).rows

/** Stores a transaction with this nonce and age; its bytes are `anchor` and the nonce. */
async function stored(nonce: number, { state = 'signed', ageMs = 0, signer = account.address } = {}): Promise<string> {
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
const next = () => rebroadcastAnchors(app, chain, account)

it('transactions that the nodes do not know are broadcast again as signed, and no others', async () => {
  script.pending = 6
  for (const nonce of [4, 5, 6, 7]) await stored(nonce)
  expect(await next()).toBe(8)
  expect(received).toEqual(['anchor 6', 'anchor 7'])
})

it('a stored nonce is not used again, even while the nodes do not count it yet', async () => {
  await stored(4, { state: 'confirmed' })
  expect(await next()).toBe(5)
  script = { ...script, mined: 4, pending: 4 }
  expect(await next()).toBe(5)
})

it.each(['reverted', 'overtaken'])(
  'the nonce of a given-up transaction (%s) is filled, because its bytes could anchor the hashes a second time',
  async state => {
    await stored(5, { state })
    expect(await next()).toBe(6)
    expect(received).toEqual(['filler 5'])
  },
)

it('a final transaction that the nodes no longer know is broadcast again, and its block is checked', async () => {
  const id = await stored(5, { state: 'confirmed' })
  await next()
  expect(received).toEqual(['anchor 5'])
  const jobs = `select payload->>'transaction' as id from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'reprove'`
  expect(await sql(jobs)).toContainEqual({ id })
})

it('a nonce gap is filled with empty transactions, so that those above it are mined', async () => {
  await stored(5)
  await stored(8)
  expect(await next()).toBe(9)
  expect(received).toEqual(['anchor 5', 'filler 6', 'filler 7', 'anchor 8'])
})

it('only the lowest-nonce transaction that waits too long is replaced, because those above wait for it, not for a higher fee', async () => {
  script.pending = 7
  for (const nonce of [5, 6]) await stored(nonce, { ageMs: replaceAfterMs + 1_000 })
  await next()
  expect(received).toEqual(['anchor 5 dearer'])
})

it('a young transaction is not replaced', async () => {
  script.pending = 6
  await stored(5, { ageMs: replaceAfterMs - 20_000 })
  await next()
  expect(received).toEqual([])
})

it('a transaction whose fee no node accepts is replaced until one does, but not indefinitely', async () => {
  await stored(5)
  script.outcome = 'underpriced'
  await next()
  expect(received.slice(0, 3)).toEqual(['anchor 5', 'anchor 5 dearer', 'anchor 5 dearer dearer'])
  expect(received.length).toBeLessThan(20)
})

it('each replacement is stored, so that whichever is mined is known', async () => {
  const id = await stored(5)
  script.outcome = 'underpriced'
  await next()
  const rows = await sql('select raw_transaction as raw from anchor_attempts where transaction_id = $1', [id])
  expect(rows.map(({ raw }) => raw).sort()).toEqual(received.toSorted())
})

it('at the highest fee, the last replacement is broadcast, because the process that stored it may have died', async () => {
  script = { ...script, pending: 6, isAtCap: true }
  await stored(5, { ageMs: replaceAfterMs + 1_000 })
  await next()
  expect(received).toEqual(['anchor 5'])
})

it('while the account cannot pay, nothing is replaced and no nonce is assigned', async () => {
  for (const nonce of [5, 6]) await stored(nonce, { ageMs: replaceAfterMs + 1_000 })
  script.outcome = 'unfunded'
  await expect(next()).rejects.toMatchObject({
    code: 'chain_unavailable',
    message: expect.stringContaining('cannot pay'),
  })
  expect(received).toEqual(['anchor 5'])
})

it('while sixteen transactions are unmined, no further nonce is assigned', async () => {
  script.pending = 21
  for (let nonce = 5; nonce < 20; nonce++) await stored(nonce)
  expect(await next()).toBe(21)
  await stored(20)
  expect(await next()).toBeNull()
})

it('transactions of a former key are broadcast again too, and use no nonce of the current key', async () => {
  await stored(9, { signer: `0x${'fe'.repeat(20)}` })
  expect(await next()).toBe(5)
  expect(received).toEqual(['anchor 9'])
})
