// Obstacles for the settling account's transactions: a nonce that something else used, a transaction that no node
// accepts, a process that hangs. The nonce queue continues, and a lease lasts as long as the work.
import { Wallet } from 'ethers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { underLease } from '../../src/modules/x402/lease.ts'
import { leasePayment } from '../../src/modules/x402/ledger.ts'
import { settleOpen } from '../../src/modules/x402/tasks.ts'
import { type Child, startChild } from '../kit/child.ts'
import { type PaidChain, startPaidChain } from '../kit/paid-chain.ts'
import { createPaidWorld, fxPath, fxQuestion, type PaidWorld } from '../kit/paid-world.ts'
import { createPayer, dollars, mint } from '../kit/payer.ts'
import { apiOf, type Service, startService } from '../kit/service.ts'

let chain: PaidChain
let world: PaidWorld
let service: Service
beforeAll(async () => {
  chain = await startPaidChain()
  world = await createPaidWorld(chain)
  service = await startService({ ...world.settings, LOG_LEVEL: 'silent' })
})
afterAll(async () => {
  await service?.stop()
  await world?.end()
  await chain?.stop()
})

/**
 * Stores this payment's settlement without sending it; then something else uses its nonce, which the service notices.
 */
async function overtaken(header: string): Promise<void> {
  world.node.fault = async ({ method }) => ({ kind: method === 'eth_sendRawTransaction' ? 'reset' : 'honest' })
  expect((await world.buy(header)).status).toBe(503)
  world.node.fault = null
  const wallet = new Wallet(world.settings.X402_FACILITATOR_PRIVATE_KEY ?? '', chain.node)
  await (await wallet.sendTransaction({ to: wallet.address })).wait()
  const told = await world.buy(header)
  expect([told.status, told.json.detail]).toEqual([503, 'settlement_pending'])
}

it('a settlement whose nonce something else used is signed again and charged once', async () => {
  const header = await world.header()
  const money = await world.balance()
  await overtaken(header)
  expect((await world.buy(header)).status).toBe(200)
  expect(money - (await world.balance())).toBe(1_000n)
  expect(await world.audit()).toEqual([])
})

it('a payment that was sent once is not refused because lagging nodes report it unpayable, because it may be paid', async () => {
  const poor = await createPayer(chain.node, chain.asset, 1_000n)
  const header = await world.header(poor)
  await overtaken(header)
  const token = dollars(chain.asset, poor.wallet)
  await (await token.getFunction('transfer')(world.payer.address, 1_000n)).wait()
  const told = await world.buy(header)
  expect([told.status, told.json.detail]).toEqual([503, 'settlement_pending'])
  await (await poor.wallet.sendTransaction({ to: chain.asset, data: mint(1_000n) })).wait()
  expect((await world.buy(header)).status).toBe(200)
  expect(await world.balance(poor)).toBe(0n)
  expect(await world.audit()).toEqual([])
})

it('a settlement that no node accepts for an unknown reason is replaced when it is due', async () => {
  const [first, second] = [await world.header(), await world.header(await createPayer(chain.node, chain.asset, 1_000n))]
  const refused: unknown[] = []
  world.node.fault = async ({ method, params: [raw] }) => {
    if (method !== 'eth_sendRawTransaction') return { kind: 'honest' }
    if (refused.length === 0) refused.push(raw)
    return refused.includes(raw)
      ? { kind: 'body', body: { jsonrpc: '2.0', error: { code: -32000, message: 'computer says no' } } }
      : { kind: 'honest' }
  }
  expect((await world.buy(first)).status).toBe(503)
  await world.database.query(
    `update payments set verified_at = verified_at - interval '1 hour' where status = 'settling'`,
  )
  await settleOpen(service.app)
  expect((await world.buy(second)).status).toBe(200)
  expect((await world.buy(first)).status).toBe(200)
  world.node.fault = null
  expect(await world.audit()).toEqual([])
})

it('a nonce that is stored, but known to no node, is not given to another settlement', async () => {
  const [first, second] = [await world.header(), await world.header(await createPayer(chain.node, chain.asset, 1_000n))]
  world.node.fault = async ({ method }) => ({ kind: method === 'eth_sendRawTransaction' ? 'reset' : 'honest' })
  expect((await world.buy(first)).status).toBe(503)
  world.node.fault = null
  const later = world.buy(second)
  const settling = `select signer_nonce from payments where status = 'settling'`
  await expect.poll(async () => (await world.database.query(settling)).rows.length, { timeout: 10_000 }).toBe(2)
  expect((await world.buy(first)).status).toBe(200)
  expect((await later).status).toBe(200)
  expect(await world.audit()).toEqual([])
})

it('releasing a lost lease does not release the next holder’s lease', async () => {
  const { app } = service
  const { rows } = await world.database.query<{ id: string }>('select id from payments limit 1')
  const id = rows[0]?.id ?? ''
  const untilOf = async () =>
    (await world.database.query('select lease_until from payments where id = $1', [id])).rows[0].lease_until
  const lend = async () => {
    await world.database.query(
      `update payments set status = 'settled', answered_at = null, lease_until = null where id = $1`,
      [id],
    )
    const leased = await leasePayment(app, id, true)
    if (leased === null) throw new Error('it is leased')
    const work = Promise.withResolvers<void>()
    return { end: work.resolve, ended: underLease(app, leased, () => work.promise) }
  }
  const first = await lend()
  const second = await lend()
  first.end()
  await first.ended
  const since = await untilOf()
  await expect.poll(async () => (await untilOf()) > since).toBe(true)
  second.end()
  await second.ended
  expect(await untilOf()).toBeNull()
  await world.database.query(`update payments set status = 'delivered', answered_at = now() where id = $1`, [id])
})

it('a process that hung while another took over returns the other’s answer', async () => {
  const still: Child = await startChild({ ...world.settings, PORT: '0' })
  try {
    const base = /"url":"(http[^"]+)"/.exec(still.said())?.[1] ?? ''
    const header = await world.header()
    const stopped = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    world.between.set({
      statement: 'answered_at = now()',
      at: 'before',
      async spring() {
        still.process.kill('SIGSTOP')
        stopped.resolve()
        await goOn.promise
        return 'pass'
      },
    })
    const first = world.send(fxPath, fxQuestion, header, apiOf(base))
    await stopped.promise
    const taken = await world.buy(header)
    expect(taken.status).toBe(200)
    goOn.resolve()
    still.process.kill('SIGCONT')
    const late = await first
    expect([late.status, late.text]).toEqual([200, taken.text])
    expect(await world.audit()).toEqual([])
  } finally {
    await still.end('SIGKILL')
  }
})
