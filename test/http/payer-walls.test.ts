// The isolation of payers: no payer gets what another paid for, and nothing about a payer is revealed without a
// signature.
import { decodePaymentRequiredHeader, decodePaymentResponseHeader, decodePaymentSignatureHeader } from '@x402/core/http'
import { Interface, JsonRpcProvider, Signature } from 'ethers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import testDollar from '../../contracts/TestDollar.json' with { type: 'json' }
import { answerTo, createPayer, dollars, type Payer, random32 } from '../kit/payer.ts'
import { type Service, startService } from '../kit/service.ts'

const fx = '/v1/x402/premium/fx-lookup'
const statement = '/v1/x402/premium/generate-statement'
const refund = '/v1/x402/premium/refund'

let service: Service
let node: JsonRpcProvider
let alice: Payer
let bob: Payer
let project: { id: string; key: string }
let receiptId: string
beforeAll(async () => {
  service = await startService({
    LOG_LEVEL: 'silent',
    TRUST_PROXY: '1',
  })
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  const token = service.app.facilitator?.asset ?? ''
  alice = await createPayer(node, token, 10_000_000n)
  bob = await createPayer(node, token, 10_000_000n)
  project = await service.api.project()
  receiptId = await anchored()
})
afterAll(async () => {
  node?.destroy()
  await service?.stop()
})

async function anchored(): Promise<string> {
  const { json } = await service.api.record(project.key, { sender_wallet: alice.address })
  await service.api.anchored(json.receipt_id)
  return json.receipt_id
}
const balance = (of: Payer): Promise<bigint> =>
  dollars(service.app.facilitator?.asset ?? '', node).getFunction('balanceOf')(of.address)
const ask = (path: string, body?: object, headers: Record<string, string> = {}) =>
  service.api.call('POST', path, { body, headers })
const challenge = async (path: string, body?: object) => (await ask(path, body)).headers.get('payment-required')
const paymentFor = async (by: Payer, path: string, body?: object) => answerTo(by, await challenge(path, body))
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const payment = (header: string) => ({ 'PAYMENT-SIGNATURE': header })

it('an Idempotency-Key that two payers at one address share does not give one the other’s statement', async () => {
  const named = { 'Idempotency-Key': 'statement-of-today' }
  const his = await ask(statement, undefined, { ...named, ...payment(await paymentFor(alice, statement)) })
  expect([his.status, his.json.count]).toEqual([200, 1])
  const before = await balance(bob)
  const hers = await ask(statement, undefined, { ...named, ...payment(await paymentFor(bob, statement)) })
  expect(hers.json.url).not.toBe(his.json.url)
  expect([hers.status, hers.json.count, before - (await balance(bob))]).toEqual([200, 0, 5_000n])
  // A caller without a payment does not get it either.
  expect((await ask(statement, undefined, named)).status).toBe(402)
})

it('an unsigned payment does not reveal which wallets belong to a project', async () => {
  await service.app.db.linkedWallet.create({ data: { projectId: project.id, address: bob.address } })
  const body = { original_receipt_id: receiptId }
  const [accepted] = decodePaymentRequiredHeader((await challenge(refund, body)) ?? '').accepts
  const told = async (from: string) => {
    const until = `${Math.floor(Date.now() / 1000) + 100}`
    const authorization = { to: accepted?.payTo, value: accepted?.amount, validAfter: '0', validBefore: until }
    const unsigned = { signature: '0x00', authorization: { from, nonce: random32(), ...authorization } }
    const { status, json } = await ask(refund, body, payment(encode({ x402Version: 2, accepted, payload: unsigned })))
    return [status, json.detail, json.error]
  }
  expect(await told(bob.address)).toEqual(await told(`0x${'77'.repeat(20)}`))
})

it('null and absent members are the same request', async () => {
  const hash = { bundle_hash: `0x${'ab'.repeat(32)}` }
  for (const [path, body, other] of [
    [fx, {}, { provider: null }],
    ['/v1/x402/premium/verify-bundle', hash, { ...hash, txid: null }],
    ['/v1/x402/premium/bulk-verify', { items: [hash] }, { items: [{ ...hash, txid: null }], bundle_urls: null }],
    [refund, { original_receipt_id: receiptId }, { original_receipt_id: receiptId, reason_code: null }],
  ] as const) {
    const header = payment(await paymentFor(alice, path, body))
    expect([path, (await ask(path, body, header)).status]).toEqual([path, 200])
    expect([path, (await ask(path, other, header)).status]).toEqual([path, 200])
  }
})

it.each(['a\u0000b', '\ud800'])('an echoed extension that cannot be stored (%j) is malformed', async secret => {
  const header = decodePaymentSignatureHeader(await paymentFor(alice, fx, {}))
  const { status, json } = await ask(
    fx,
    {},
    payment(encode({ ...header, extensions: { 'private-answer': { info: { secret } } } })),
  )
  expect([status, json.detail]).toEqual([400, 'payment_malformed'])
})

it('a third party that reads the payment of a client without extensions in a block gets none of what it bought', async () => {
  const { extensions: _, ...header } = decodePaymentSignatureHeader(await paymentFor(alice, statement))
  const his = { ...payment(encode(header)), 'X-Forwarded-For': '192.0.2.1' }
  const bought = await ask(statement, undefined, his)
  const { transaction } = decodePaymentResponseHeader(bought.headers.get('payment-response') ?? '')
  const { data = '' } = (await node.getTransaction(transaction)) ?? {}
  const call = new Interface(testDollar.abi).parseTransaction({ data })
  const [from, to, value, validAfter, validBefore, nonce, v, r, s] = z.array(z.unknown()).parse([...(call?.args ?? [])])
  const fields = z.record(z.string(), z.coerce.string())
  const authorization = fields.parse({ from, to, value, validAfter, validBefore, nonce })
  const { serialized: signature } = Signature.from({ v: Number(v), r: String(r), s: String(s) })
  const [accepted] = decodePaymentRequiredHeader((await challenge(statement)) ?? '').accepts
  const stolen = payment(encode({ x402Version: 2, accepted, payload: { signature, authorization } }))
  expect((await ask(statement, undefined, { ...stolen, 'X-Forwarded-For': '192.0.2.2' })).status).toBe(402)
  // Echoing the value derived from the payer's address, which can be computed, does not help either.
  const stored = { where: { txid: transaction }, select: { payload: true } }
  const { secret } = z
    .object({ secret: z.string() })
    .parse((await service.app.db.payment.findFirstOrThrow(stored)).payload)
  const computed = { ...header, extensions: { 'private-answer': { info: { secret } } } }
  const foreign = { ...payment(encode(computed)), 'X-Forwarded-For': '192.0.2.2' }
  expect((await ask(statement, undefined, foreign)).json.detail).toBe('payment_malformed')
  const again = await ask(statement, undefined, his)
  expect([again.status, again.json]).toEqual([200, bought.json])
})

it('a challenge is never cacheable', async () => {
  for (const type of ['application/json', 'application/problem+json']) {
    const { status, headers } = await ask(fx, {}, { Accept: type })
    expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([402, type])
    expect([type, headers.get('cache-control')]).toEqual([type, 'no-store'])
  }
})

it('HEAD, which has no body, charges nothing', async () => {
  const path = `/v1/x402/premium/iso-message/${receiptId}/pain.001`
  const { headers } = await service.api.call('GET', path)
  const before = await balance(alice)
  const header = await answerTo(alice, headers.get('payment-required'))
  await fetch(service.base + path, { method: 'HEAD', headers: payment(header) })
  expect(before - (await balance(alice))).toBe(0n)
})
