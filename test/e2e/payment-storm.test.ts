// One payment sent many times: a hundred copies at once, callers that disconnect, work that fails after the payment,
// and a third party that reads the payment in a block. Charged once, run once, and delivered only to the payer.
import http from 'node:http'
import { Interface, Signature } from 'ethers'
import { afterAll, beforeAll, expect } from 'vitest'
import { z } from 'zod'
import testDollar from '../../contracts/TestDollar.json' with { type: 'json' }
import { type Child, startChild } from '../kit/child.ts'
import { type PaidChain, startPaidChain } from '../kit/paid-chain.ts'
import { createPaidWorld, fxPath, fxQuestion, type PaidWorld } from '../kit/paid-world.ts'
import { it, proof, sized } from '../kit/size.ts'

const rounds = Number(process.env.ROUNDS ?? sized(1, 5))
const patienceMs = Math.max(180_000, 30_000 + rounds * 30_000)
const copies = 100

let chain: PaidChain
let world: PaidWorld
let running: Child
beforeAll(async () => {
  chain = await startPaidChain()
  world = await createPaidWorld(chain)
  running = await startChild(world.settings)
})
afterAll(async () => {
  await running?.end('SIGKILL')
  await world?.end()
  await chain?.stop()
})

const many = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)))
const deliveries = async () =>
  (await world.database.query(`select count(*)::int as count from audit_events where action = 'payment.deliver'`))
    .rows[0].count

type Answer = Awaited<ReturnType<PaidWorld['buy']>>

/** Expects that all 200 answers are identical, and all others have Retry-After. */
function expectOneAnswer(answers: Answer[]): void {
  const good = answers.filter(({ status }) => status === 200)
  expect(new Set(good.map(({ text, headers }) => `${headers.get('payment-response')} ${text}`)).size).toBe(1)
  for (const { status, json, headers } of answers.filter(({ status }) => status !== 200)) {
    expect([status, json.detail]).toEqual([409, 'payment_in_progress'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
}

proof(
  `${copies} concurrent copies, ${rounds} times: charged once, run once, the same answer for each`,
  async () => {
    for (let round = 0; round < rounds; round++) {
      const header = await world.header()
      const [money, delivered] = [await world.balance(), await deliveries()]
      expectOneAnswer(await many(copies, () => world.buy(header)))
      const later = await many(copies, () => world.buy(header))
      expectOneAnswer(later)
      expect(later.map(({ status }) => status)).toEqual(later.map(() => 200))
      expect([money - (await world.balance()), (await deliveries()) - delivered]).toEqual([1_000n, 1])
    }
  },
  patienceMs,
)

it('while a block is slow, copies get Retry-After, and no request to pay again', async () => {
  const header = await world.header()
  const money = await world.balance()
  await chain.rpc('evm_setAutomine', false)
  const told: number[] = []
  const bought = many(12, async () => {
    const answer = await world.buy(header)
    told.push(answer.status)
    return answer
  })
  await expect.poll(() => told.length).toBeGreaterThanOrEqual(11)
  // On a machine that stalls, the settling request gives up too, ten seconds after the copies.
  const hasGivenUp = told.includes(503)
  await chain.rpc('evm_setAutomine', true)
  await chain.rpc('evm_mine')
  const answers = await bought
  const later = await world.buy(header)
  expect(later.status).toBe(200)
  expectOneAnswer([...answers.filter(({ status }) => status !== 503), later])
  expect([...new Set(told)].sort()).toEqual(hasGivenUp ? expect.arrayContaining([409, 503]) : [200, 409])
  expect(money - (await world.balance())).toBe(1_000n)
})

/** The statements at which the caller disconnects; null: as soon as the request is sent. */
const moments = [
  null,
  'insert into payments',
  ...['settling', 'settled'].map(status => `update payments set status = '${status}'`),
  'answered_at = now()',
]
const graphql = { query: '{ premiumFxRate(baseCurrency: "USD", quoteCurrency: "USD") { rate asOf } }' }

it.each([
  ['REST', fxPath, fxQuestion],
  ['GraphQL', '/graphql', graphql],
])(
  'a caller over %s that disconnects before its answer is charged once, and gets the answer later',
  async (_, path, body) => {
    for (const statement of moments) {
      const header = await world.header()
      const money = await world.balance()
      const request = http.request(world.api.base + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'PAYMENT-SIGNATURE': header },
      })
      const gone = new Promise(resolve => request.once('close', resolve).once('error', () => {}))
      const leave = async () => {
        request.destroy()
        await gone
        return 'pass' as const
      }
      if (statement !== null) world.between.set({ statement, at: 'committed', spring: leave })
      request.end(JSON.stringify(body), () => statement === null && request.destroy())
      await gone
      const { status: told, text } = await world.send(path, body, header)
      expect(told, text).toBe(200)
      expect(text).not.toContain('errors')
      expect(money - (await world.balance())).toBe(1_000n)
    }
  },
)

it('work that fails after it was paid for returns its settlement receipt, and is free of charge when it is requested again', async () => {
  const path = '/v1/x402/premium/verify-bundle'
  const body = { bundle_hash: `0x${'12'.repeat(32)}` }
  const header = await world.header(undefined, path, body)
  const money = await world.balance()
  for (let time = 0; time < 2; time++) {
    // The connection on which the work reads its data is lost.
    world.between.set({ statement: '"public"."signing_keys"', at: 'before', spring: async () => 'cut' })
    const failed = await world.buy(header, path, body)
    expect([failed.status, failed.json.detail]).toEqual([500, 'delivery_failed'])
    expect(Number(failed.headers.get('retry-after'))).toBeGreaterThan(0)
    const receipt = z.object({ success: z.literal(true), transaction: z.string() })
    const { transaction } = receipt.parse(JSON.parse(atob(failed.headers.get('payment-response') ?? '')))
    expect((await chain.node.getTransactionReceipt(transaction))?.status).toBe(1)
  }
  const { status, json } = await world.buy(header, path, body)
  expect([status, json.bundle_hash]).toEqual([200, body.bundle_hash])
  expect(money - (await world.balance())).toBe(1_000n)
})

it('a third party that reads a payment in a block gets nothing for it', async () => {
  const header = await world.header()
  const bought = await world.buy(header)
  const { transaction } = z
    .object({ transaction: z.string() })
    .parse(JSON.parse(atob(bought.headers.get('payment-response') ?? '')))
  const { data = '' } = (await chain.node.getTransaction(transaction)) ?? {}
  const call = new Interface(testDollar.abi).parseTransaction({ data })
  const [from, to, value, validAfter, validBefore, nonce, v, r, s] = z.array(z.unknown()).parse([...(call?.args ?? [])])
  const authorization = z
    .record(z.string(), z.coerce.string())
    .parse({ from, to, value, validAfter, validBefore, nonce })
  const { serialized: signature } = Signature.from({ v: Number(v), r: String(r), s: String(s) })
  const challenge = z.object({ accepts: z.array(z.unknown()), extensions: z.unknown() })
  const { accepts, extensions } = challenge.parse(
    JSON.parse(atob((await world.send(fxPath, fxQuestion)).headers.get('payment-required') ?? '')),
  )
  const built = (more: object) => {
    const payment = { x402Version: 2, accepted: accepts[0], payload: { signature, authorization }, ...more }
    return Buffer.from(JSON.stringify(payment)).toString('base64')
  }
  for (const stolen of [built({ extensions }), built({})]) {
    expect((await world.buy(stolen)).status).toBe(402)
    expect((await world.send('/graphql', graphql, stolen)).status).toBe(402)
  }
  // Only the extensions are missing, which only the payer received.
  const own = z.object({ extensions: z.unknown() }).parse(JSON.parse(atob(header)))
  expect((await world.buy(built(own))).text).toBe(bought.text)
  const again = await world.buy(header)
  expect([again.status, again.text]).toEqual([200, bought.text])
})

proof('finally the payments table equals the chain, and no secret was returned or logged', async () => {
  await expect.poll(() => world.audit()).toEqual([])
  expect(await world.leaks(running.said())).toEqual([])
  expect(running.process.exitCode).toBeNull()
})
