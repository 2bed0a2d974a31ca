// Every payment that differs from the requirement is refused with x402's own reasons, charges nothing and stores
// nothing.
import { decodePaymentRequiredHeader, decodePaymentSignatureHeader } from '@x402/core/http'
import { JsonRpcProvider } from 'ethers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PaymentAuthorization, PaymentRequirement } from '../../src/ports/payment-facilitator.ts'
import { createPayer, dollars, type Payer, pay, random32, signTransfer } from '../kit/payer.ts'
import { type Service, startService } from '../kit/service.ts'

const fx = '/v1/x402/premium/fx-lookup'

let service: Service
let node: JsonRpcProvider
let requirement: PaymentRequirement
let payer: Payer
let stranger: Payer
let before: bigint
beforeAll(async () => {
  service = await startService()
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  const { facilitator, paymentsTo: payTo } = service.app
  if (facilitator === null) throw new Error('no facilitator')
  requirement = await facilitator.requirement({ amount: '0.001', payTo, maxTimeoutSeconds: 120 })
  payer = await createPayer(node, requirement.asset, 10_000_000n)
  stranger = await createPayer(node, requirement.asset, 10_000_000n)
})
afterAll(async () => {
  node?.destroy()
  await service.stop()
})

const balance = (): Promise<bigint> => dollars(requirement.asset, node).getFunction('balanceOf')(payer.address)
beforeEach(async () => {
  before = await balance()
})

const seconds = () => Math.floor(Date.now() / 1000)
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const post = (header: string, path = fx, body: object = {}) =>
  service.api.call('POST', path, { body, headers: { 'PAYMENT-SIGNATURE': header } })
const reasonIn = ({ headers }: { headers: Headers }) =>
  decodePaymentRequiredHeader(headers.get('payment-required') ?? '').error
const known = async () => (await service.app.db.payment.count()) > 0

type Change = {
  accepted?: object
  authorization?: Partial<PaymentAuthorization>
  /** Signed for another contract. */
  token?: string
  by?: Payer
}

async function crafted({ accepted, authorization: change, token = requirement.asset, by = payer }: Change) {
  const authorization = {
    from: payer.address,
    to: requirement.payTo,
    value: requirement.amount,
    validAfter: '0',
    validBefore: `${seconds() + 100}`,
    nonce: random32(),
    ...change,
  }
  const signature = await signTransfer(by.wallet, token, authorization)
  return encode({ x402Version: 2, accepted: { ...requirement, ...accepted }, payload: { signature, authorization } })
}

const other = `0x${'ab'.repeat(20)}`
const bad: [string, () => Change, string][] = [
  [
    'less than the price',
    () => ({ authorization: { value: '999' } }),
    'invalid_exact_evm_payload_authorization_value_mismatch',
  ],
  [
    'less than the price, which it says is the price',
    () => ({ accepted: { amount: '999' }, authorization: { value: '999' } }),
    'invalid_exact_evm_payload_authorization_value_mismatch',
  ],
  [
    'more than the price',
    () => ({ authorization: { value: '1001' } }),
    'invalid_exact_evm_payload_authorization_value_mismatch',
  ],
  ['another token', () => ({ accepted: { asset: other }, token: other }), 'invalid_exact_evm_asset_mismatch'],
  ['another network', () => ({ accepted: { network: 'eip155:1' } }), 'invalid_exact_evm_network_mismatch'],
  ['another scheme', () => ({ accepted: { scheme: 'upto' } }), 'invalid_exact_evm_scheme'],
  ['to someone else', () => ({ authorization: { to: other } }), 'invalid_exact_evm_recipient_mismatch'],
  [
    'to someone else, whom it says was named',
    () => ({ accepted: { payTo: other }, authorization: { to: other } }),
    'invalid_exact_evm_recipient_mismatch',
  ],
  ['a longer time-out than offered', () => ({ accepted: { maxTimeoutSeconds: 999 } }), 'invalid_payment_requirements'],
  [
    'another flow than offered',
    () => ({ accepted: { extra: { name: 'Test Dollar', version: '1' } } }),
    'invalid_payment_requirements',
  ],
  ['signed for another contract', () => ({ token: other }), 'invalid_exact_evm_signature'],
  ['signed by someone else', () => ({ by: stranger }), 'invalid_exact_evm_signature'],
  [
    'that is over',
    () => ({ authorization: { validBefore: `${seconds() - 1}` } }),
    'invalid_exact_evm_payload_authorization_valid_before',
  ],
  [
    'that has not begun',
    () => ({ authorization: { validAfter: `${seconds() + 50}` } }),
    'invalid_exact_evm_payload_authorization_valid_after',
  ],
  [
    'that is good for much longer than an hour',
    () => ({ authorization: { validBefore: `${seconds() + 3_760}` } }),
    'invalid_exact_evm_payload_authorization_valid_too_long',
  ],
]

it.each(bad)('%s', async (_, change, reason) => {
  const answer = await post(await crafted(change()))
  expect([answer.status, reasonIn(answer), answer.headers.get('payment-response')]).toEqual([402, reason, null])
  expect([await balance(), await known()]).toEqual([before, false])
})

describe('a malformed payment is 400 and names the place:', () => {
  const whole = async () => decodePaymentSignatureHeader(await pay(payer, requirement))
  it.each([
    ['no payload', ({ payload: _, ...rest }: object & { payload?: unknown }) => rest, 'payload'],
    ['another version', (header: object) => ({ ...header, x402Version: 1 }), 'x402Version'],
    ['no chosen entry', (header: object) => ({ ...header, accepted: undefined }), 'accepted'],
    ['a list', () => [], ''],
    ['null', () => null, ''],
  ])('%s', async (_, change, place) => {
    const { status, json } = await post(encode(change(await whole())))
    expect([status, json.detail]).toEqual([400, 'payment_malformed'])
    expect(json.message).toContain(place)
    expect([await balance(), await known()]).toEqual([before, false])
  })

  it.each([
    ['an amount that is a number', { value: 1000 }],
    ['an amount in hex', { value: '0x3e8' }],
    ['an amount above 256 bits', { value: '9'.repeat(78) }],
    ['a nonce of 31 bytes', { nonce: `0x${'11'.repeat(31)}` }],
    ['an address without 0x', { from: 'ab'.repeat(20) }],
  ])('%s', async (_, change) => {
    const { payload, ...rest } = await whole()
    const authorization = { ...(payload as { authorization: object }).authorization, ...change }
    const { status, json } = await post(encode({ ...rest, payload: { ...payload, authorization } }))
    expect([status, json.detail]).toEqual([400, 'payment_malformed'])
    expect(await known()).toBe(false)
  })
})

// From this test on, payments are stored.
it('an authorization for a whole hour, as the official Go client signs it, is accepted', async () => {
  const hour = { validBefore: `${seconds() + 3_600}`, validAfter: `${seconds() - 600}` }
  expect((await post(await crafted({ authorization: hour }))).status).toBe(200)
  expect(before - (await balance())).toBe(1_000n)
})

describe('a signature for a cheap route', () => {
  const dear = '/v1/x402/premium/refund'
  const refund = async () => {
    const { key } = await service.api.project()
    const { json } = await service.api.record(key, { sender_wallet: payer.address })
    await service.api.anchored(json.receipt_id)
    return { original_receipt_id: json.receipt_id }
  }

  it('does not pay for an expensive one: neither unused, nor in progress, nor delivered', async () => {
    const body = await refund()
    const header = await pay(payer, requirement)
    const unused = await post(header, dear, body)
    expect([unused.status, reasonIn(unused)]).toEqual([402, 'invalid_exact_evm_payload_authorization_value_mismatch'])
    expect(await balance()).toBe(before)
    const [bought, meanwhile] = await Promise.all([post(header), post(header, dear, body)])
    expect(bought.status).toBe(200)
    expect([402, 409]).toContain(meanwhile.status)
    const afterwards = await post(header, dear, body)
    expect([afterwards.status, afterwards.json.detail]).toEqual([409, 'payment_conflict'])
    expect(before - (await balance())).toBe(1_000n)
  })
})

it('a payment with different hex case is the same payment', async () => {
  const header = await pay(payer, requirement)
  expect((await post(header)).status).toBe(200)
  const decoded = decodePaymentSignatureHeader(header)
  const { signature, authorization } = decoded.payload as { signature: string; authorization: PaymentAuthorization }
  const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
  const payload = {
    signature: upper(signature),
    authorization: { ...authorization, from: upper(authorization.from), nonce: upper(authorization.nonce) },
  }
  const accepted = { ...decoded.accepted, payTo: upper(decoded.accepted.payTo) }
  expect((await post(encode({ ...decoded, accepted, payload }))).status).toBe(200)
  expect(before - (await balance())).toBe(1_000n)
})

it('a third party that reads a payment in a block gets nothing for it', async () => {
  const header = await pay(payer, requirement, (await challengeOf()).extensions)
  expect((await post(header)).status).toBe(200)
  const decoded = decodePaymentSignatureHeader(header)
  const theirs = encode({ ...decoded, extensions: (await challengeOf()).extensions })
  const refused = await post(theirs)
  expect([refused.status, reasonIn(refused)]).toEqual([402, 'invalid_exact_evm_nonce_already_used'])
  expect((await post(encode({ ...decoded, extensions: undefined }))).status).toBe(402)
  expect((await post(header)).status).toBe(200)
})

const challengeOf = async () => {
  const { headers } = await service.api.call('POST', fx, { body: {} })
  return decodePaymentRequiredHeader(headers.get('payment-required') ?? '')
}
