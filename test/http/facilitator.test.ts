// The facilitator as administrators see it: its configuration, its verdict on a payment, and the balance of its
// account.
import { decodePaymentSignatureHeader } from '@x402/core/http'
import { JsonRpcProvider } from 'ethers'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createX402Facilitator } from '../../src/adapters/x402-facilitator.ts'
import { watchFunds } from '../../src/modules/transactions/watch-funds.ts'
import type { PaymentFacilitator, PaymentRequirement } from '../../src/ports/payment-facilitator.ts'
import { createPayer, type Payer, pay, random32, signTransfer } from '../kit/payer.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

const fx = '/v1/x402/premium/fx-lookup'

let service: Service
let node: JsonRpcProvider
let facilitator: PaymentFacilitator
let required: PaymentRequirement
let payer: Payer
beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'silent' })
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  if (service.app.facilitator === null) throw new Error('no facilitator')
  facilitator = service.app.facilitator
  required = await facilitator.requirement({ amount: '0.001', payTo: service.app.paymentsTo, maxTimeoutSeconds: 120 })
  payer = await createPayer(node, required.asset, 1_000_000n)
})
afterEach(() => {
  service.app.facilitator = facilitator
})
afterAll(async () => {
  node?.destroy()
  await service.stop()
})

const get = (path: string) => service.api.call('GET', path, { key: adminKey })
const buy = (header: string) => service.api.call('POST', fx, { body: {}, headers: { 'PAYMENT-SIGNATURE': header } })
const verify = (payment_payload: unknown, payment_requirements: unknown = required) =>
  service.api.call('POST', '/v1/x402/verify-payment', {
    key: adminKey,
    body: { payment_payload, payment_requirements },
  })

describe('the configuration', () => {
  it('is shown without key and node URL', async () => {
    const { status, json } = await get('/v1/x402/facilitator-config')
    expect([status, json]).toEqual([
      200,
      {
        x402_version: 2,
        scheme: 'exact',
        network: 'eip155:31337',
        chain_id: 31337,
        asset: required.asset,
        asset_decimals: 6,
        asset_domain: { name: 'Test Dollar', version: '1' },
        pay_to: service.app.paymentsTo,
        facilitator: facilitator.address,
        max_timeout_seconds: 120,
      },
    ])
  })

  it('is absent where payments are not configured', async () => {
    service.app.facilitator = null
    for (const path of ['/v1/x402/facilitator-config', '/v1/x402/revenue']) {
      const { status, json } = await get(path)
      expect([path, status, json.detail]).toEqual([path, 503, 'payments_disabled'])
    }
    expect((await verify({})).status).toBe(503)
  })
})

describe('verification of a payment', () => {
  const decoded = z.object({
    x402Version: z.number(),
    accepted: z.looseObject({}),
    payload: z.object({ signature: z.string(), authorization: z.record(z.string(), z.string()) }),
  })
  const good = async () => decoded.parse(decodePaymentSignatureHeader(await pay(payer, required)))
  const now = () => Math.floor(Date.now() / 1000)

  /** Signs the changed authorization with the key of `by`. */
  async function signed(change: Record<string, string>, by = payer) {
    const payment = await good()
    const authorization = { ...payment.payload.authorization, ...change }
    const whole = z
      .object({
        from: z.string(),
        to: z.string(),
        value: z.string(),
        validAfter: z.string(),
        validBefore: z.string(),
        nonce: z.string(),
      })
      .parse(authorization)
    const signature = await signTransfer(by.wallet, required.asset, whole)
    return { ...payment, payload: { signature, authorization } }
  }

  it('confirms a valid one, and neither stores nor settles it, so that it still buys what it was made for', async () => {
    const header = await pay(payer, required)
    const before = (await service.app.pool.query('select count(*)::int as count from payments')).rows[0].count
    const block = await node.getBlockNumber()
    const { status, json } = await verify(decodePaymentSignatureHeader(header))
    expect([status, json]).toEqual([200, { valid: true, payer: payer.address, reason: null }])
    expect((await service.app.pool.query('select count(*)::int as count from payments')).rows[0].count).toBe(before)
    expect(await node.getBlockNumber()).toBe(block)
    expect((await buy(header)).status).toBe(200)
  })

  it('refuses a used one', async () => {
    const header = await pay(payer, required)
    expect((await buy(header)).status).toBe(200)
    expect((await verify(decodePaymentSignatureHeader(header))).json).toEqual({
      valid: false,
      payer: payer.address,
      reason: 'invalid_exact_evm_nonce_already_used',
    })
  })

  it.each([
    ['of too little', () => ({ value: '999' }), 'invalid_exact_evm_payload_authorization_value_mismatch'],
    ['to somebody else', () => ({ to: `0x${'12'.repeat(20)}` }), 'invalid_exact_evm_recipient_mismatch'],
    ['that is over', () => ({ validBefore: `${now() - 1}` }), 'invalid_exact_evm_payload_authorization_valid_before'],
    ['of later', () => ({ validAfter: `${now() + 60}` }), 'invalid_exact_evm_payload_authorization_valid_after'],
    [
      'that holds too long',
      () => ({ validBefore: `${now() + 9_999}` }),
      'invalid_exact_evm_payload_authorization_valid_too_long',
    ],
  ])('refuses %s, and derives its payer from the signature', async (_, change, reason) => {
    expect((await verify(await signed(change()))).json).toEqual({ valid: false, payer: payer.address, reason })
  })

  it('refuses one of an empty wallet', async () => {
    const poor = await createPayer(node, required.asset)
    expect((await verify(await signed({ from: poor.address }, poor))).json).toEqual({
      valid: false,
      payer: poor.address,
      reason: 'invalid_exact_evm_insufficient_balance',
    })
  })

  it('names no payer when another account signed', async () => {
    const stranger = await createPayer(node, required.asset)
    expect((await verify(await signed({}, stranger))).json).toEqual({
      valid: false,
      payer: null,
      reason: 'invalid_exact_evm_signature',
    })
  })

  it.each([
    ['on another network', { network: 'eip155:1' }, 'invalid_exact_evm_network_mismatch'],
    ['in another token', { asset: `0x${'12'.repeat(20)}` }, 'invalid_exact_evm_asset_mismatch'],
    ['by another scheme', { scheme: 'upto' }, 'invalid_exact_evm_scheme'],
    ['by other signatures', { extra: { name: 'USD Coin', version: '2' } }, 'invalid_payment_requirements'],
  ])('refuses it for requirements %s, even if it names them as accepted', async (_, change, reason) => {
    const asked = { ...required, ...change }
    const payment = await good()
    for (const accepted of [payment.accepted, asked]) {
      const { json } = await verify({ ...payment, accepted }, asked)
      expect(json).toEqual({ valid: false, payer: payer.address, reason })
    }
  })

  it('refuses it for other requirements than those it accepted', async () => {
    const { json } = await verify(await good(), { ...required, maxTimeoutSeconds: 60 })
    expect(json).toMatchObject({ valid: false, reason: 'invalid_payment_requirements' })
  })

  it.each([
    ['nothing', () => ({})],
    ['of version 1', async () => ({ ...(await good()), x402Version: 1 })],
    ['without a signature', async () => ({ ...(await good()), payload: {} })],
    [
      'with a number for an amount',
      async () => {
        const { payload, ...payment } = await good()
        return { ...payment, payload: { ...payload, authorization: { ...payload.authorization, value: 1000 } } }
      },
    ],
  ])('answers a malformed one (%s) with 400', async (_, payload) => {
    const { status, json } = await verify(await payload())
    expect([status, json.detail]).toEqual([400, 'payment_malformed'])
  })

  it.each([
    ['nothing', {}],
    ['no amount', { amount: '0' }],
    ['an amount with a point', { amount: '0.001' }],
    ['no address', { payTo: 'me' }],
    ['no time', { maxTimeoutSeconds: 0 }],
  ])('answers malformed requirements (%s) with 422', async (what, change) => {
    const { status, json } = await verify(await good(), what === 'nothing' ? {} : { ...required, ...change })
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 'payment_requirements']])
  })

  it.each([null, [], 'x', 7])('answers %o, which is no JSON object, with 422', async wrong => {
    expect((await verify(wrong)).json.detail[0].loc).toEqual(['body', 'payment_payload'])
    expect((await verify(await good(), wrong)).json.detail[0].loc).toEqual(['body', 'payment_requirements'])
  })

  it('reports neither valid nor invalid while the chain cannot be queried', async () => {
    const unreachable = {
      network: 'eip155:31337',
      rpcUrls: ['http://127.0.0.1:9'],
      asset: required.asset,
      confirmations: 1,
      privateKey: random32(),
      maxFeePerGas: 1n,
      replaceAfterMs: 1,
    }
    service.app.facilitator = createX402Facilitator(unreachable)
    const { status, json, headers, text } = await verify(await good())
    expect([status, json.detail, headers.get('retry-after')]).toEqual([503, 'chain_unavailable', '5'])
    expect(text).not.toContain('127.0.0.1')
  })

  it('accepts it inline in a GraphQL document as well as in a variable', async () => {
    const payment = await good()
    const query = `query ($payload: JSONObject!) {
      verifyPayment(paymentPayload: $payload, paymentRequirements: {
        scheme: "exact", network: "${required.network}", amount: "${required.amount}", asset: "${required.asset}",
        payTo: "${required.payTo}", maxTimeoutSeconds: 120,
        extra: { name: "Test Dollar", version: "1", paymentFlow: "upfront" }
      }) { valid payer reason }
    }`
    const { data } = await service.api.graphql(query, { key: adminKey, variables: { payload: payment } })
    expect(data.verifyPayment).toEqual({ valid: true, payer: payer.address, reason: null })
  })
})

describe('the settling account', () => {
  const setBalance = (wei: bigint) => node.send('anvil_setBalance', [facilitator.address, `0x${wei.toString(16)}`])

  /** Returns the messages that it logs as errors. */
  async function alarms(): Promise<string[]> {
    const lines: string[] = []
    await watchFunds({ ...service.app, log: pino({ level: 'error' }, { write: line => lines.push(line) }) })
    return lines.map(line => JSON.parse(line).msg)
  }

  it('raises an alarm when it can pay for fewer than 200 settlements, and not before', async () => {
    const usual = await node.getBalance(facilitator.address)
    expect(await alarms()).toEqual([])
    const { cost } = await facilitator.funds()
    await setBalance(199n * cost)
    expect(await alarms()).toEqual(['ALARM: the settling account can pay for fewer than 200 more settlements'])
    await setBalance(220n * cost)
    expect(await alarms()).toEqual([])
    await setBalance(usual)
  })

  it('is in the metrics, as are the open payments', async () => {
    const { text } = await get('/metrics')
    const value = (sample: string) =>
      Number(
        text
          .split('\n')
          .find(line => line.startsWith(`${sample} `))
          ?.split(' ')[1],
      )
    const [balance, cost] = [
      value('quittance_settling_balance_wei{chain="eip155:31337"}'),
      value('quittance_settlement_cost_wei{chain="eip155:31337"}'),
    ]
    const funds = await facilitator.funds()
    expect([balance, cost]).toEqual([Number(funds.balance), Number(funds.cost)])
    expect(value('quittance_signer_balance_wei{chain="local"}')).toBeGreaterThan(0)
    const open = () =>
      get('/metrics').then(answer =>
        [...answer.text.matchAll(/^quittance_payments_open\{status="(\w+)"\} (\d+)$/gm)]
          .map(([, status, count]) => [status, Number(count)])
          .toSorted(),
      )
    const none = [
      ['settled', 0],
      ['settling', 0],
      ['verified', 0],
    ]
    expect(await open()).toEqual(none)
    await service.app.pool.query(
      `update payments set status = 'settled', answered_at = null, delivered_at = null where id = (select id from payments limit 1)`,
    )
    await expect.poll(open).toEqual([['settled', 1], ...none.slice(1)])
  })
})
