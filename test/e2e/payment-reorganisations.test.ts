// Reorganisations after a payment was settled: the payments table follows the chain, or the payment is reversed with an
// alarm; and evidence never names a transaction that is not in the chain.
import { decodePaymentResponseHeader } from '@x402/core/http'
import { Signature, Wallet } from 'ethers'
import { afterAll, afterEach, beforeAll, describe, expect, type MockInstance, vi } from 'vitest'
import { recheckDue } from '../../src/modules/x402/recheck.ts'
import { settleOpen } from '../../src/modules/x402/tasks.ts'
import { ahead } from '../kit/clock.ts'
import { type PaidChain, startPaidChain } from '../kit/paid-chain.ts'
import { fxPath, fxQuestion } from '../kit/paid-world.ts'
import { answerTo, createPayer, dollars, inside, type Payer, signCancel, split } from '../kit/payer.ts'
import { reorganiser } from '../kit/reorganisations.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

const confirmations = 3

let chain: PaidChain
let service: Service
let signer: Wallet
let payer: Payer
let shop: { id: string; key: string }
let tools: ReturnType<typeof reorganiser>
let alarms: MockInstance

beforeAll(async () => {
  chain = await startPaidChain()
  tools = reorganiser(chain)
  const { settings } = await chain.till()
  signer = new Wallet(settings.X402_FACILITATOR_PRIVATE_KEY, chain.node)
  // Without a worker: the tests run its tasks when they are due.
  service = await startService({
    ...settings,
    X402_CONFIRMATIONS: `${confirmations}`,
    ROLES: 'api',
    LOG_LEVEL: 'silent',
  })
  alarms = vi.spyOn(service.app.log, 'error')
  payer = await createPayer(chain.node, chain.asset, 1_000_000n)
  shop = await service.api.project('Shop')
})
// The settlements that left the chain use their nonces, as with the task of the next minute.
afterEach(async () => {
  await chain.rpc('evm_setAutomine', true)
  await settleOpen(service.app)
  await tools.mine(1)
})
afterAll(async () => {
  await service?.stop()
  await chain?.stop()
})

const sql = async (text: string, values: unknown[] = []) => (await service.app.pool.query(text, values)).rows
const call = (header: string, key = shop.key) =>
  service.api.call('POST', fxPath, { key, body: fxQuestion, headers: { 'PAYMENT-SIGNATURE': header } })
const sign = async (by = payer) =>
  answerTo(by, (await service.api.call('POST', fxPath, { body: fxQuestion })).headers.get('payment-required'))

type Bought = { id: string; header: string; txid: string; answer: string }

async function buy(by = payer): Promise<Bought> {
  const header = await sign(by)
  const { status, text } = await call(header)
  expect(status, text).toBe(200)
  const [{ id, txid }] = await sql('select id, txid from payments order by verified_at desc limit 1')
  return { id, header, txid, answer: text }
}

const row = async (id: string) => (await sql('select * from payments where id = $1', [id]))[0]
const view = async (id: string) => (await service.api.call('GET', `/v1/x402/payments/${id}`, { key: shop.key })).json
const record = (id: string) => service.api.call('POST', `/v1/x402/payments/${id}/receipt`, { key: shop.key })
const eventsOf = async (id: string): Promise<string[]> =>
  (await sql('select type from events where payment_id = $1 order by id', [id])).map(({ type }) => type)
const audits = async (id: string) =>
  sql('select action, actor, details from audit_events where object_id = $1 order by id', [id])
const revenue = async () =>
  Number((await service.api.call('GET', '/v1/x402/revenue', { key: adminKey })).json.total_revenue)
const transactionOf = ({ headers }: Awaited<ReturnType<typeof call>>) =>
  decodePaymentResponseHeader(headers.get('payment-response') ?? '').transaction

/** Runs the task that looks payments up, as if those that are postponed were due; the head is a second old at most. */
async function look(): Promise<void> {
  await sql('update payments set look_at = now() where look_at is not null')
  await new Promise(resolve => setTimeout(resolve, 1_050))
  await recheckDue(service.app)
}

describe('while its block is in the chain', () => {
  it('a payment is recorded as a receipt only when it has its confirmations', async () => {
    const { id, txid } = await buy()
    await look()
    const early = await record(id)
    expect([early.status, early.json.detail, early.headers.get('retry-after')]).toEqual([
      409,
      'payment_not_final',
      '15',
    ])
    const ask = `query { payment(id: "${id}") { finalAt settlementTx } }`
    expect((await service.api.graphql(ask, { key: shop.key })).data.payment).toEqual({
      finalAt: null,
      settlementTx: txid,
    })
    await tools.mine(confirmations - 1)
    // The request itself looks, so that nobody waits for the task of the minute.
    await expect.poll(async () => (await record(id)).status).toBe(200)
    const { receipt_id } = await view(id)
    expect((await sql('select tip_tx_hash from receipts where id = $1', [receipt_id]))[0].tip_tx_hash).toBe(txid)
    expect((await service.api.graphql(ask, { key: shop.key })).data.payment.finalAt).not.toBeNull()
  })

  it('a payment that settled before an update of the service is looked up once, and is final', async () => {
    const { id, txid } = await buy()
    await tools.mine(confirmations)
    await sql(
      'update payments set settled_block = null, transfer_index = null, final_at = null, look_at = null where id = $1',
      [id],
    )
    await look()
    expect(await row(id)).toMatchObject({ status: 'delivered', txid, final_at: expect.any(Date), transfer_index: 1 })
    expect(await eventsOf(id)).toEqual(['payment.verified', 'payment.settling', 'payment.settled', 'payment.delivered'])
  })

  it('a final payment is looked up a last time two hours after it settled', async () => {
    const { id } = await buy()
    await tools.mine(confirmations)
    await look()
    const { look_at, settled_at } = await row(id)
    expect(look_at.getTime() - settled_at.getTime()).toBe(2 * 3_600_000)
    await sql(`update payments set settled_at = settled_at - interval '3 hours' where id = $1`, [id])
    await look()
    expect(await row(id)).toMatchObject({ look_at: null, final_at: expect.any(Date) })
  })

  it('while no node answers, nothing is decided', async () => {
    const { id, txid } = await buy()
    await tools.mine(confirmations)
    const { facilitator } = service.app
    if (facilitator === null) throw new Error('no facilitator')
    service.app.facilitator = { ...facilitator, outcome: async () => 'unavailable' as const }
    await look()
    service.app.facilitator = facilitator
    expect(await row(id)).toMatchObject({ status: 'delivered', txid, final_at: null })
    await look()
    expect(await row(id)).toMatchObject({ final_at: expect.any(Date) })
  })
})

describe('after its block left the chain', () => {
  it('the same transaction in another block is the settlement, and nothing is said', async () => {
    const { id, txid } = await tools.takenBack(buy)
    await tools.mine(1)
    await settleOpen(service.app)
    await tools.mine(confirmations)
    await look()
    expect(await row(id)).toMatchObject({ status: 'delivered', txid, final_at: expect.any(Date) })
    expect(await eventsOf(id)).not.toContain('payment.corrected')
  })

  it('a dearer transaction of the service at the same nonce becomes the settlement', async () => {
    const { id, txid, header } = await tools.takenBack(buy)
    await chain.rpc('evm_setAutomine', false)
    await sql(`update payments set verified_at = verified_at - interval '1 hour' where id = $1`, [id])
    await settleOpen(service.app)
    await chain.rpc('evm_setAutomine', true)
    await tools.mine(confirmations)
    await look()
    const { status, txid: present } = await row(id)
    expect([status, present === txid]).toEqual(['delivered', false])
    expect((await chain.node.getTransactionReceipt(present))?.status).toBe(1)
    expect((await view(id)).tx_hash).toBe(present)
    // A replay of the answer names it too.
    expect(transactionOf(await call(header))).toBe(present)
  })

  it('a transaction of a stranger becomes the settlement: event, webhook data, audit and receipt name it', async () => {
    const { id, txid, header, answer } = await tools.takenBack(buy)
    const { hash } = await tools.settledByStranger([header])
    await tools.mine(confirmations)
    await look()
    expect(await row(id)).toMatchObject({ status: 'delivered', txid: hash, final_at: expect.any(Date) })
    expect((await eventsOf(id)).at(-1)).toBe('payment.corrected')
    expect((await audits(id)).at(-1)).toEqual({
      action: 'payment.correct',
      actor: 'worker',
      details: { from: txid, to: hash },
    })
    const replayed = await call(header)
    expect([replayed.status, replayed.text, transactionOf(replayed)]).toEqual([200, answer, hash])
    expect((await record(id)).status).toBe(200)
    const { receipt_id } = await view(id)
    expect((await sql('select tip_tx_hash from receipts where id = $1', [receipt_id]))[0].tip_tx_hash).toBe(hash)
    // The events of before keep what they said.
    const said = await sql('select type, ledger_txid from events where payment_id = $1 order by id', [id])
    expect(said.filter(({ type }) => type === 'payment.settled' || type === 'payment.corrected')).toEqual([
      { type: 'payment.settled', ledger_txid: txid },
      { type: 'payment.corrected', ledger_txid: hash },
    ])
  })

  it('a payment whose nonce another transaction used is signed again', async () => {
    const { id, txid } = await tools.takenBack(buy)
    await (await signer.sendTransaction({ to: signer.address, value: 0n })).wait()
    await tools.mine(confirmations)
    await look()
    await tools.mine(confirmations)
    await look()
    const { status, txid: present, final_at } = await row(id)
    expect([status, present === txid, final_at === null]).toEqual(['delivered', false, false])
    expect((await chain.node.getTransactionReceipt(present))?.from.toLowerCase()).toBe(signer.address.toLowerCase())
  })

  it('a payment that its payer cancelled is reversed: alarm, event, revenue, metric; its authorization pays nothing', async () => {
    const before = await revenue()
    const { id, header, txid } = await tools.takenBack(buy)
    const { authorization } = inside(header)
    const [v, r, s] = split(
      Signature.from(await signCancel(payer.wallet, chain.asset, payer.address, authorization.nonce)),
    )
    const cancel = dollars(chain.asset, payer.wallet).getFunction(
      'cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)',
    )
    await (await cancel(payer.address, authorization.nonce, v, r, s)).wait()
    // A fork that may end soon takes nothing back.
    await look()
    expect((await row(id)).status).toBe('delivered')
    await tools.mine(confirmations)
    alarms.mockClear()
    await look()
    expect(await row(id)).toMatchObject({
      status: 'reversed',
      failure_reason: 'authorization_used_or_cancelled',
      reversed_at: expect.any(Date),
    })
    expect(alarms.mock.calls).toContainEqual([
      expect.objectContaining({ payment: id }),
      expect.stringContaining('ALARM'),
    ])
    expect((await eventsOf(id)).at(-1)).toBe('payment.reversed')
    expect(await view(id)).toMatchObject({ status: 'reversed', tx_hash: null })
    expect(await revenue()).toBeCloseTo(before)
    const listed = await service.api.call('GET', '/v1/x402/payments?status=reversed', { key: shop.key })
    expect(listed.json.map((payment: { id: string }) => payment.id)).toContain(id)
    expect((await record(id)).json.detail).toBe('payment_not_settled')
    expect((await call(header)).status).toBe(402)
    const metrics = await service.api.call('GET', '/metrics', { key: adminKey })
    expect(metrics.text).toMatch(/quittance_payments_reversed\{reason="authorization_used_or_cancelled"\} 1/)
    expect((await audits(id)).at(-1)).toMatchObject({ action: 'payment.reverse', details: { txid } })
  })

  it('a payment whose money is gone is reversed, and settled again when the money is back', async () => {
    const poor = await createPayer(chain.node, chain.asset, 1_000n)
    const { id, header } = await tools.takenBack(() => buy(poor))
    const transfer = dollars(chain.asset, poor.wallet).getFunction('transfer')
    await (await transfer(payer.address, 1_000n)).wait()
    await settleOpen(service.app)
    await tools.mine(confirmations)
    await look()
    expect(await row(id)).toMatchObject({ status: 'reversed', failure_reason: 'settlement_refused' })
    await (await dollars(chain.asset, payer.wallet).getFunction('transfer')(poor.address, 1_000n)).wait()
    await look()
    await tools.mine(confirmations)
    await look()
    expect(await row(id)).toMatchObject({
      status: 'delivered',
      failure_reason: null,
      reversed_at: null,
      final_at: expect.any(Date),
    })
    expect((await eventsOf(id)).slice(-3)).toEqual(['payment.reversed', 'payment.settled', 'payment.delivered'])
    expect((await call(header)).status).toBe(200)
  })

  it('an expired authorization is reversed, and goes back when the chain shows it after all', async () => {
    const { id, header } = await tools.takenBack(buy)
    await tools.mine(confirmations + 1)
    await ahead(10 * 60_000, look)
    expect(await row(id)).toMatchObject({ status: 'reversed', failure_reason: 'authorization_expired' })
    const { hash } = await tools.settledByStranger([header])
    // The payer asks before the task looks.
    const again = await call(header)
    expect([again.status, transactionOf(again)]).toEqual([200, hash])
    expect(await row(id)).toMatchObject({ status: 'delivered', txid: hash, reversed_at: null })
  })

  it('what an agent spent follows: its limit of the day has room again', async () => {
    const by = await createPayer(chain.node, chain.asset, 10_000n)
    const agent = { name: 'Buyer', wallet_address: by.address, pricing_rules: { max_per_day: '0.001' } }
    const created = await service.api.call('POST', '/v1/agents', { key: shop.key, body: agent })
    expect(created.status).toBeLessThan(300)
    const { id, header } = await tools.takenBack(() => buy(by))
    expect((await call(await sign(by))).json.detail).toBe('agent_not_allowed')
    const { nonce } = inside(header).authorization
    const [v, r, s] = split(Signature.from(await signCancel(by.wallet, chain.asset, by.address, nonce)))
    const cancel = dollars(chain.asset, by.wallet).getFunction(
      'cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)',
    )
    await (await cancel(by.address, nonce, v, r, s)).wait()
    await tools.mine(confirmations)
    await look()
    expect((await row(id)).status).toBe('reversed')
    const stats = await service.api.call('GET', `/v1/agents/${created.json.id}/stats`, { key: shop.key })
    expect(stats.json).toMatchObject({ payment_count: 0, total_spent: '0' })
    await settleOpen(service.app)
    expect((await call(await sign(by))).status).toBe(200)
  })
})

it('two payments that a stranger settles in one transaction become two receipts, each of its transfer', async () => {
  const headers = [await sign(), await sign()]
  await chain.rpc('evm_setAutomine', false)
  const bought = headers.map(header => call(header))
  await expect.poll(async () => Number((await chain.rpc('txpool_status')).pending)).toBe(2)
  const { hash, logs } = await tools.settledByStranger(headers)
  await chain.rpc('evm_setAutomine', true)
  expect((await Promise.all(bought)).map(({ status }) => status)).toEqual([200, 200])
  await tools.mine(confirmations)
  await look()
  const rows = await sql('select id, transfer_index from payments where txid = $1', [hash])
  const transfers = logs.filter(
    ({ topics }) =>
      topics.length === 3 && topics[0] === dollars(chain.asset, chain.node).interface.getEvent('Transfer')?.topicHash,
  )
  expect(rows.map(({ transfer_index }) => transfer_index).toSorted()).toEqual(transfers.map(({ index }) => index))
  const answers = await Promise.all(rows.map(({ id }) => record(id)))
  expect(answers.map(({ json }) => json.created)).toEqual([true, true])
  const receipts = await sql('select tip_tx_hash from receipts where id = any($1)', [
    answers.map(({ json }) => json.receipt_id),
  ])
  expect(receipts.map(({ tip_tx_hash }) => tip_tx_hash).toSorted()).toEqual(
    transfers.map(({ index }) => `${hash}#${index}`).toSorted(),
  )
  // The ledger says what it would after a reorganisation that gave the transfer another number.
  const [first] = rows
  await sql('update payments set transfer_index = transfer_index + 1000, look_at = now() where id = $1', [first?.id])
  alarms.mockClear()
  await look()
  expect(alarms.mock.calls).toContainEqual([
    expect.objectContaining({ payment: first?.id }),
    expect.stringContaining('another number'),
  ])
})
