// Attacks on the settling account's gas: payers that make it send settlements which do not pay, and third parties that
// reuse payment data from a block.
import { setTimeout as sleep } from 'node:timers/promises'
import { decodePaymentSignatureHeader } from '@x402/core/http'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type Child, startChild } from '../kit/child.ts'
import { type PaidChain, startPaidChain } from '../kit/paid-chain.ts'
import { createPaidWorld, fxPath, fxQuestion, type PaidWorld } from '../kit/paid-world.ts'
import { createPayer, dollars, mint, random32, signCancel } from '../kit/payer.ts'
import { adminKey } from '../kit/service.ts'

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

/** Returns the number of transactions that the settling account has sent. */
const sent = () => chain.node.getTransactionCount(world.books.signer)

it('forty payments at once from a wallet with the money for one cost one settlement', async () => {
  const poor = await createPayer(chain.node, chain.asset, 1_000n)
  const headers: string[] = []
  for (let n = 0; n < 40; n++) headers.push(await world.header(poor))
  const before = await sent()
  await chain.rpc('evm_setAutomine', false)
  const told: number[] = []
  const bought = headers.map(async header => void told.push((await world.buy(header)).status))
  try {
    await expect.poll(() => told.length).toBe(39)
  } finally {
    await chain.rpc('evm_setAutomine', true)
    await chain.rpc('evm_mine')
  }
  await Promise.all(bought)
  expect([told.filter(status => status === 200), told.at(-1)]).toEqual([[200], 200])
  const again = await Promise.all(headers.map(header => world.buy(header)))
  // 409: the request first ended an earlier payment for the same, of which nothing was sent.
  const refused = again.filter(
    ({ status, headers }) => status === 402 || (status === 409 && headers.has('retry-after')),
  )
  expect(refused).toHaveLength(39)
  expect((await sent()) - before).toBe(1)
})

it('a contract that pays in every simulation and in no block soon gets no more settlements', async () => {
  // isValidSignature returns the magic value where gas is free, as in eth_call and eth_estimateGas, and reverts
  // otherwise.
  const liar = `0x${'1a'.repeat(20)}`
  await chain.rpc('anvil_setCode', liar, '0x3a15600a5760006000fd5b631626ba7e60e01b60005260206000f3')
  const friend = await createPayer(chain.node, chain.asset, 1_000n)
  await (await dollars(chain.asset, friend.wallet).getFunction('transfer')(liar, 1_000n)).wait()
  const before = await sent()
  for (let n = 0; n < 20; n++) {
    const { headers } = await world.send(fxPath, fxQuestion)
    const { accepts, extensions } = JSON.parse(atob(headers.get('payment-required') ?? ''))
    const { payTo: to, amount: value } = accepts[0]
    const until = `${Math.floor(Date.now() / 1000) + 100}`
    const authorization = { from: liar, to, value, validAfter: '0', validBefore: until, nonce: random32() }
    const payment = { x402Version: 2, accepted: accepts[0], payload: { signature: '0x01', authorization }, extensions }
    expect((await world.buy(Buffer.from(JSON.stringify(payment)).toString('base64'))).status).toBe(402)
  }
  expect((await sent()) - before).toBe(3)
})

it('a payer that cancels each authorization just before its settlement soon gets no more settlements', async () => {
  const payer = await createPayer(chain.node, chain.asset, 1_000_000n)
  const cancel = dollars(chain.asset, payer.wallet).getFunction('cancelAuthorization(address,bytes32,bytes)')
  const fees = { gasLimit: 100_000, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 12n }
  const before = await sent()
  for (let n = 0; n < 3; n++) {
    const header = await world.header(payer)
    const { payload } = decodePaymentSignatureHeader(header)
    const { nonce } = z.object({ authorization: z.object({ nonce: z.string() }) }).parse(payload).authorization
    await chain.rpc('evm_setAutomine', false)
    const bought = world.buy(header)
    await expect.poll(() => chain.node.getTransactionCount(world.books.signer, 'pending')).toBe(before + n + 1)
    await cancel(payer.address, nonce, await signCancel(payer.wallet, chain.asset, payer.address, nonce), fees)
    await chain.rpc('evm_mine')
    await chain.rpc('evm_setAutomine', true)
    expect((await bought).status).toBe(402)
  }
  expect((await world.buy(await world.header(payer))).status).toBe(402)
  expect((await sent()) - before).toBe(3)
  // None of them is retried, because a cancelled authorization can never pay.
  const why = 'select failure_reason as why, count(*)::int as count from payments where payer = $1 group by 1'
  const { rows } = await world.database.query(why, [payer.address])
  expect(rows).toEqual([{ why: 'authorization_used_or_cancelled', count: 3 }])
})

it('an authorization that its payer cancels while its request is admitted costs no transaction', async () => {
  const payer = await createPayer(chain.node, chain.asset, 1_000n)
  const cancel = dollars(chain.asset, payer.wallet).getFunction('cancelAuthorization(address,bytes32,bytes)')
  const header = await world.header(payer)
  const { payload } = decodePaymentSignatureHeader(header)
  const { nonce } = z.object({ authorization: z.object({ nonce: z.string() }) }).parse(payload).authorization
  const before = await sent()
  const holding = new pg.Client({ connectionString: world.books.databaseUrl })
  await holding.connect()
  try {
    // The admission of a request, after its verification, reads the configuration.
    await holding.query('begin; lock table organisation_configs in access exclusive mode')
    const bought = world.buy(header)
    const waits = `select from pg_locks where not granted and relation = 'organisation_configs'::regclass`
    await expect.poll(async () => (await world.database.query(waits)).rowCount, { timeout: 10_000 }).toBe(1)
    await (await cancel(payer.address, nonce, await signCancel(payer.wallet, chain.asset, payer.address, nonce))).wait()
    await sleep(1_000)
    await holding.query('rollback')
    expect((await bought).status).toBe(402)
  } finally {
    await holding.end()
  }
  expect((await sent()) - before).toBe(0)
})

it('an authorization that reverted, was sent again without money and was then settled by a third party is delivered', async () => {
  const payer = await createPayer(chain.node, chain.asset, 1_000n)
  const stranger = await createPayer(chain.node, chain.asset, 1_000n)
  const header = await world.header(payer)
  const settlements = (block: string) => chain.node.getTransactionCount(world.books.signer, block)
  const before = await settlements('latest')
  await chain.rpc('evm_setAutomine', false)
  const bought = world.buy(header)
  await expect.poll(() => settlements('pending')).toBe(before + 1)
  // Ahead of the settlement, in the same block, the payer's money goes elsewhere.
  const fees = { gasLimit: 100_000, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 12n }
  await dollars(chain.asset, payer.wallet).getFunction('transfer')(stranger.address, 1_000n, fees)
  await chain.rpc('evm_mine')
  await chain.rpc('evm_setAutomine', true)
  expect((await bought).status).toBe(402)
  const book = 'select status, txid from payments where payer = $1'
  const { rows } = await world.database.query(book, [payer.address])
  expect(rows).toEqual([{ status: 'failed', txid: expect.any(String) }])
  // The payer tries again, still without money.
  expect((await world.buy(header)).status).toBe(402)
  // The payer gets money, and a third party submits the call data from the block.
  const { data = '' } = (await chain.node.getTransaction(rows[0].txid)) ?? {}
  await (await payer.wallet.sendTransaction({ to: chain.asset, data: mint(1_000n) })).wait()
  await (await stranger.wallet.sendTransaction({ to: chain.asset, data })).wait()
  expect(await world.balance(payer)).toBe(0n)
  // It is delivered even when the endpoint is no longer offered.
  const offer = (enabled: boolean) =>
    world.api.call('POST', '/v1/x402/pricing', { key: adminKey, body: [{ path: fxPath, enabled }] })
  await offer(false)
  const charged = await world.buy(header)
  await offer(true)
  expect([charged.status, charged.json.rate]).toEqual([200, '1'])
})

it('an expired payment reserves no money, even if it is never known whether it was mined', async () => {
  const payer = await createPayer(chain.node, chain.asset, 2_000n)
  expect((await world.buy(await world.header(payer))).status).toBe(200)
  const standing = 'select status from payments where payer = $1'
  await expect
    .poll(async () => (await world.database.query(standing, [payer.address])).rows)
    .toEqual([{ status: 'delivered' }])
  // The state that a settling account leaves that ran out of gas and is no longer used.
  const left = `update payments set status = 'settling', payload = jsonb_set(old.payload, '{authorization,validBefore}', '"1"')
    from payments old where old.id = payments.id and payments.payer = $1 returning old.id, old.status, old.payload`
  const [old] = (await world.database.query(left, [payer.address])).rows
  const { status } = await world.buy(await world.header(payer))
  const back = 'update payments set status = $2, payload = $3 where id = $1'
  await world.database.query(back, [old.id, old.status, old.payload])
  expect(status).toBe(200)
})

it('finally the payments table equals the chain', async () => {
  expect(await world.audit()).toEqual([])
})
