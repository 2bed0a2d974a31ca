// The settling account's nonce queue: stored transactions are resent or replaced until they are mined, even when nodes
// forget them or blocks are lost.
import { JsonRpcProvider, Transaction } from 'ethers'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { settle, settleOpen } from '../../src/modules/x402/tasks.ts'
import type { PaymentFacilitator, PaymentRequirement } from '../../src/ports/payment-facilitator.ts'
import { ahead } from '../kit/clock.ts'
import { createPayer, dollars, type Payer, pay } from '../kit/payer.ts'
import { type Service, startService } from '../kit/service.ts'

// The time for which a request waits for its settlement.
const settlePatienceMs = 20_000

let service: Service
let node: JsonRpcProvider
let facilitator: PaymentFacilitator
let requirement: PaymentRequirement
let payer: Payer
beforeAll(async () => {
  // Without a worker; the test runs its job for open settlements when it is due.
  service = await startService({ ROLES: 'api', LOG_LEVEL: 'silent' })
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  if (service.app.facilitator === null) throw new Error('no facilitator')
  facilitator = service.app.facilitator
  requirement = await facilitator.requirement({
    amount: '0.001',
    payTo: service.app.paymentsTo,
    maxTimeoutSeconds: 120,
  })
  payer = await createPayer(node, requirement.asset, 1_000_000n)
})
afterEach(async () => {
  await node.send('evm_setAutomine', [true])
  await node.send('evm_mine', [])
})
afterAll(async () => {
  node?.destroy()
  await service.stop()
})

const buy = (header: string) =>
  service.api.call('POST', '/v1/x402/premium/fx-lookup', { body: {}, headers: { 'PAYMENT-SIGNATURE': header } })
const balance = (): Promise<bigint> => dollars(requirement.asset, node).getFunction('balanceOf')(payer.address)
const newest = () => service.app.db.payment.findFirstOrThrow({ orderBy: { verifiedAt: 'desc' } })
const waiting = async () => Number((await node.send('txpool_status', [])).pending)

it('a new payment takes four statements outside the nonce queue, and one after its answer: it is looked up twice, claimed, settled with its answer, and delivered', async () => {
  const header = await pay(payer, requirement)
  const query = vi.spyOn(service.app.pool, 'query')
  expect((await buy(header)).status).toBe(200)
  const named = () =>
    query.mock.calls
      .map(([text]) => z.object({ text: z.string(), name: z.string() }).safeParse(text))
      .flatMap(({ data }) => (data?.text.includes('payments') ? [data.name] : []))
  const before = ['payment-of-key', 'payment-unwritten', 'payment-claim', 'payment-paid-and-answered']
  await expect.poll(named).toEqual([...before, 'payment-delivered'])
  query.mockRestore()
})

it('a settlement whose block is lost after the delivery is sent again and paid once', async () => {
  const before = await balance()
  expect((await buy(await pay(payer, requirement))).status).toBe(200)
  const { txid } = await newest()
  await node.send('anvil_reorg', [1, []])
  expect(await node.getTransactionReceipt(txid ?? '')).toBeNull()
  await settleOpen(service.app)
  await expect.poll(() => balance()).toBe(before - 1_000n)
  expect((await node.getTransactionReceipt(txid ?? ''))?.status).toBe(1)
})

it('a transaction that the nodes forgot is sent again with the next request for its payment', async () => {
  const header = await pay(payer, requirement)
  const before = await balance()
  await node.send('evm_setAutomine', [false])
  const first = buy(header)
  await expect.poll(waiting).toBe(1)
  await node.send('anvil_dropTransaction', [(await newest()).txid])
  expect((await ahead(settlePatienceMs, () => first)).json.detail).toBe('settlement_pending')
  await node.send('evm_setAutomine', [true])
  expect((await buy(header)).status).toBe(200)
  expect(before - (await balance())).toBe(1_000n)
})

it('an expired payment that was taken for unsent is first searched on chain, and delivered if it was charged', async () => {
  const header = await pay(payer, requirement)
  const before = await balance()
  expect((await buy(header)).status).toBe(200)
  const { pool } = service.app
  const { id } = await newest()
  // The state that a node leaves which reports only the used nonce of a mined transaction, two minutes later.
  const end = `'{authorization,validBefore}'`
  const { rows } = await pool.query(
    `update payments p set status = 'verified', settled_at = null, answered_at = null, delivered_at = null, answer = null, answer_until = null,
       raw_transaction = null, txid = null, signer = null, signer_nonce = null, payload = jsonb_set(p.payload, ${end}, '"1"')
     from payments old where old.id = p.id and p.id = $1 returning old.payload #> ${end} as end`,
    [id],
  )
  await settle.run(service.app, { payment: id })
  expect(await newest()).toMatchObject({ id, status: 'settled' })
  await pool.query(`update payments set payload = jsonb_set(payload, ${end}, $2) where id = $1`, [
    id,
    JSON.stringify(rows[0].end),
  ])
  expect((await buy(header)).status).toBe(200)
  expect(before - (await balance())).toBe(1_000n)
})

const now = () => Date.now() / 1_000
it.each([
  ['long over has failed', () => 1, 'failed', 'authorization_expired'],
  ['over since half a minute is kept: by the chain’s clock it may be good yet', () => now() - 30, 'verified', null],
  ['good for half a minute more is kept: its payer may come for it', () => now() + 30, 'verified', null],
])('a payment that was never sent and is %s', async (_, validBefore, status, failureReason) => {
  expect((await buy(await pay(payer, requirement))).status).toBe(200)
  const { rows } = await service.app.pool.query(
    `insert into payments select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'nonce', '\\x' || repeat('ab', 32),
       'status', 'verified', 'answered_at', null, 'delivered_at', null, 'txid', null, 'raw_transaction', null, 'signer', null, 'signer_nonce', null, 'payload',
       jsonb_set(payload, '{authorization}', payload->'authorization' || jsonb_build_object('nonce', '0x' || repeat('ab', 32), 'validBefore', $1::text))
     ))).* from payments p order by verified_at desc limit 1 returning id`,
    [`${Math.floor(validBefore())}`],
  )
  const [{ id }] = rows
  await settle.run(service.app, { payment: id })
  expect(await service.app.db.payment.findUniqueOrThrow({ where: { id } })).toMatchObject({ status, failureReason })
  await service.app.pool.query('delete from payments where id = $1', [id])
})

it('a stuck transaction is replaced at its nonce with a higher fee, and one of both is mined', async () => {
  const header = await pay(payer, requirement)
  const before = await balance()
  await node.send('evm_setAutomine', [false])
  const bought = buy(header)
  await expect.poll(waiting).toBe(1)
  const old = await newest()
  await service.app.pool.query(`update payments set verified_at = now() - interval '1 hour' where id = $1`, [old.id])
  await settleOpen(service.app)
  const { txid, rawTransaction, signerNonce } = await service.app.db.payment.findUniqueOrThrow({
    where: { id: old.id },
  })
  expect([txid === old.txid, signerNonce]).toEqual([false, old.signerNonce])
  const fee = (raw: string | null) => Transaction.from(raw ?? '').maxFeePerGas ?? 0n
  expect(fee(rawTransaction)).toBeGreaterThan(fee(old.rawTransaction))
  await node.send('evm_mine', [])
  // The request waited for the first transaction.
  expect((await bought).status).toBe(200)
  expect(before - (await balance())).toBe(1_000n)
})

it('a nonce that no stored transaction has, as after a restored backup, delays no other payment', async () => {
  await node.send('evm_setAutomine', [false])
  const [lost, kept] = [await pay(payer, requirement), await pay(payer, requirement)]
  // No row remains for this payment, so its answer is not waited for.
  buy(lost).catch(() => null)
  await expect.poll(waiting).toBe(1)
  const gone = await newest()
  const second = buy(kept)
  await expect.poll(waiting).toBe(2)
  await node.send('anvil_dropTransaction', [gone.txid])
  await service.app.pool.query('delete from payments where id = $1', [gone.id])
  const before = await balance()
  await settleOpen(service.app)
  await node.send('evm_setAutomine', [true])
  await node.send('evm_mine', [])
  expect((await second).status).toBe(200)
  expect(before - (await balance())).toBe(1_000n)
  expect(await facilitator.minedNonce()).toBe(await facilitator.pendingNonce())
})
