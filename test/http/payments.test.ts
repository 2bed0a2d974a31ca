// Paid endpoints: charged once, delivered at least once, and never delivered without a payment.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { wrapFetchWithPayment } from '@x402/fetch'
import { JsonRpcProvider } from 'ethers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PaymentRequirement } from '../../src/ports/payment-facilitator.ts'
import { regularTasks } from '../../src/worker/regular.ts'
import { differences } from '../kit/openapi.ts'
import { clientOf, createPayer, dollars, type Payer, pay } from '../kit/payer.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

const fx = '/v1/x402/premium/fx-lookup'
const verifyPath = '/v1/x402/premium/verify-bundle'

let service: Service
let node: JsonRpcProvider
let payer: Payer
beforeAll(async () => {
  service = await startService()
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  payer = await createPayer(node, service.app.facilitator?.asset ?? '', 1_000_000n)
})
afterAll(async () => {
  node?.destroy()
  await service.stop()
})

async function post(path: string, body: unknown, header?: string) {
  const headers = header === undefined ? {} : { 'PAYMENT-SIGNATURE': header }
  const answer = await service.api.call('POST', path, { body, headers })
  expect(differences('POST', path, answer)).toEqual([])
  return answer
}

/** Returns the requirement of the challenge in the types of our port. */
const requirementOf = async (path: string, body: object): Promise<PaymentRequirement> => {
  const { headers } = await post(path, body)
  const { facilitator, paymentsTo: payTo } = service.app
  if (facilitator === null) throw new Error('no facilitator')
  const requirement = await facilitator.requirement({ amount: '0.001', payTo, maxTimeoutSeconds: 120 })
  expect(decodePaymentRequiredHeader(headers.get('payment-required') ?? '').accepts).toEqual([requirement])
  return requirement
}

const balance = (address: string): Promise<bigint> =>
  dollars(service.app.facilitator?.asset ?? '', node).getFunction('balanceOf')(address)

const paid = async (header: string, path = fx, body: object = {}) => post(path, body, header)

describe('the official client', () => {
  it.each([
    [fx, {}, 1_000n],
    [verifyPath, { bundle_hash: `0x${'12'.repeat(32)}` }, 1_000n],
  ])('gets a 402 on %s, pays and gets its answer', async (path, body, price) => {
    const requirement = await requirementOf(path, body)
    const before = await balance(service.app.paymentsTo)
    const buy = wrapFetchWithPayment(fetch, clientOf(payer, requirement))
    const response = await buy(service.base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    const receipt = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
    expect(receipt).toMatchObject({ success: true, network: 'eip155:31337', payer: payer.address })
    expect((await node.getTransactionReceipt(receipt.transaction))?.status).toBe(1)
    expect((await balance(service.app.paymentsTo)) - before).toBe(price)
  })

  it('gets the rate with its source and time', async () => {
    const header = await pay(payer, await requirementOf(fx, {}))
    const { status, json } = await paid(header)
    expect([status, json]).toEqual([
      200,
      { base_ccy: 'USD', quote_ccy: 'FLR', rate: '50', source: expect.any(String), as_of: expect.any(String) },
    ])
  })
})

describe('one message', () => {
  it('is delivered with its text, whose hash is that of the file; a missing message is not charged for', async () => {
    const { key } = await service.api.project()
    const { id } = await service.api.anchored((await service.api.record(key)).json.receipt_id)
    const path = `/v1/x402/premium/iso-message/${id}/pain.001`
    const ask = (asked: string, header?: string) =>
      service.api.call('GET', asked, { headers: header === undefined ? {} : { 'PAYMENT-SIGNATURE': header } })
    const { facilitator, paymentsTo: payTo } = service.app
    const requirement = await facilitator?.requirement({ amount: '0.002', payTo, maxTimeoutSeconds: 120 })
    if (requirement === undefined) throw new Error('no facilitator')
    const challenge = decodePaymentRequiredHeader((await ask(path)).headers.get('payment-required') ?? '')
    expect(challenge).toMatchObject({ accepts: [requirement], resource: { url: service.base + path } })
    const header = await pay(payer, requirement)
    expect((await ask(path.replace('pain.001', 'pain.002x'), header)).status).toBe(404)
    const { status, json } = await ask(path, header)
    const [listed] = (await service.api.call('GET', `/v1/iso/messages/${id}?type=pain.001`)).json
    const { xml, ...record } = json
    expect([status, record]).toEqual([200, listed])
    expect(`0x${createHash('sha256').update(xml).digest('hex')}`).toBe(record.sha256)
  })
})

describe('without a payment', () => {
  it('the answer is 402 with the challenge in header and body, over REST and GraphQL', async () => {
    const { status, headers, json } = await post(fx, {})
    const challenge = decodePaymentRequiredHeader(headers.get('payment-required') ?? '')
    expect([status, headers.get('cache-control')]).toEqual([402, 'no-store'])
    expect(json).toMatchObject({ detail: 'payment_required', ...challenge })
    expect(challenge.accepts).toEqual([
      {
        scheme: 'exact',
        network: 'eip155:31337',
        amount: '1000',
        asset: service.app.facilitator?.asset,
        payTo: service.app.paymentsTo,
        maxTimeoutSeconds: 120,
        extra: { name: 'Test Dollar', version: '1', paymentFlow: 'upfront' },
      },
    ])
    const graphql = await service.api.call('POST', '/graphql', { body: { query: '{ premiumFxRate { rate } }' } })
    expect(graphql.status).toBe(402)
    expect(decodePaymentRequiredHeader(graphql.headers.get('payment-required') ?? '').accepts).toEqual(
      challenge.accepts,
    )
    expect(graphql.json.errors[0].extensions.code).toBe('payment_required')
  })

  it('the answer does not wait for the body', async () => {
    const length = 1024 ** 3
    const request = http.request(service.base + fx, { method: 'POST', headers: { 'Content-Length': length } })
    request.flushHeaders()
    const [answer] = await once(request, 'response')
    request.on('error', () => undefined).destroy()
    expect([answer.statusCode, 'payment-required' in answer.headers]).toEqual([402, true])
  })

  it('the challenge names the requested URL with its query, unless that is too long to be echoed', async () => {
    const path = '/v1/x402/premium/generate-statement'
    const told = async (query: string) => {
      const { headers } = await service.api.call('POST', path + query)
      return decodePaymentRequiredHeader(headers.get('payment-required') ?? '').resource.url
    }
    for (const query of ['', '?date=2026-01-01&window=00:00-12:00', '?x=%C3%BC'])
      expect(await told(query)).toBe(service.base + path + query)
    expect(await told(`?x=${'y'.repeat(4_000)}`)).toBe(service.base + path)
  })

  it('what cannot be delivered is refused before anything is charged', async () => {
    const header = await pay(payer, await requirementOf(fx, {}))
    const before = await balance(payer.address)
    expect((await post(fx, { quote_ccy: 'NOSUCH' })).status, 'without a payment, no rate source is queried').toBe(402)
    const answer = await post(fx, { quote_ccy: 'NOSUCH' }, header)
    expect([answer.status, answer.json.detail]).toEqual([404, 'fx_pair_unknown'])
    expect((await post(verifyPath, {}, header)).status).toBe(422)
    expect(await balance(payer.address)).toBe(before)
  })
})

describe('with a payment', () => {
  it.each([
    ['unreadable', '{', 'application/json', 400],
    ['not JSON', 'a=b', 'application/x-www-form-urlencoded', 415],
    ['wrong', '{"base_ccy":1}', 'application/json', 422],
    ['of unknown fields', '{"no_such":1}', 'application/json', 422],
    ['too large', `{"base_ccy":"${'x'.repeat(300_000)}"}`, 'application/json', 413],
  ])('a body that is %s is refused, and nothing is charged', async (_, raw, type, expected) => {
    const header = await pay(payer, await requirementOf(fx, {}))
    const before = await balance(payer.address)
    const headers = { 'PAYMENT-SIGNATURE': header, 'Content-Type': type }
    expect((await service.api.call('POST', fx, { raw, headers })).status).toBe(expected)
    expect(await balance(payer.address)).toBe(before)
    expect((await paid(header)).status).toBe(200)
  })

  it('whose header exceeds the limit, the refusal has our error format', async () => {
    const headers = { 'PAYMENT-SIGNATURE': 'a'.repeat(17_000) }
    const { status, json } = await service.api.call('POST', fx, { body: {}, headers })
    expect([status, json]).toEqual([
      431,
      { detail: 'headers_too_large', message: expect.any(String), request_id: expect.any(String) },
    ])
  })
})

describe('a page of another origin', () => {
  it('may send what the official clients send, which includes a response header', async () => {
    const { status, headers } = await service.api.call('OPTIONS', fx, {
      headers: {
        Origin: 'https://shop.test',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'access-control-expose-headers,content-type,payment-signature',
      },
    })
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    expect(status).toBe(204)
    for (const name of ['access-control-expose-headers', 'content-type', 'payment-signature'])
      expect(allowed).toContain(name)
  })
})

describe('over GraphQL', () => {
  const ask = (query: string, header: string) =>
    service.api.call('POST', '/graphql', { body: { query }, headers: { 'PAYMENT-SIGNATURE': header } })

  it('the same payment buys the same answer', async () => {
    const header = await pay(payer, await requirementOf(fx, {}))
    const { status, headers, json } = await ask('{ premiumFxRate { rate source } }', header)
    expect([status, json.data.premiumFxRate.rate]).toEqual([200, '50'])
    expect(decodePaymentResponseHeader(headers.get('payment-response') ?? '').success).toBe(true)
    expect((await paid(header)).json.rate).toBe('50')
  })

  it('a refusal has its status too, because clients take a 200 for the purchased answer', async () => {
    const header = await pay(payer, await requirementOf(fx, {}))
    const { status, headers } = await ask('{ premiumVerifyEvidence(bundleHash: "0x12") { errors } }', header)
    expect([status, headers.get('payment-response')]).toEqual([422, null])
  })

  it('an unexpected error is a 500 too, and the payment stays valid', async () => {
    const header = await pay(payer, await requirementOf(fx, {}))
    const { pool } = service.app
    await pool.query('alter table price_settings rename to hidden')
    const broken = await ask('{ premiumFxRate { rate } }', header)
    await pool.query('alter table hidden rename to price_settings')
    expect([broken.status, broken.json.errors?.[0]?.extensions.code]).toEqual([500, 'internal_error'])
    expect((await ask('{ premiumFxRate { rate } }', header)).json.data).toEqual({ premiumFxRate: { rate: '50' } })
  })

  it('one payment does not pay for two fields', async () => {
    const header = await pay(payer, await requirementOf(fx, {}))
    const { json } = await ask('{ a: premiumFxRate { rate } b: premiumFxRate(quoteCurrency: "USD") { rate } }', header)
    expect(json.errors?.length).toBeGreaterThan(0)
  })
})

describe('the same payment sent again', () => {
  it('gets the same answer without a second charge', async () => {
    const header = await pay(payer, await requirementOf(fx, {}))
    const first = await paid(header)
    const before = await balance(payer.address)
    const second = await paid(header)
    expect([second.status, second.json, second.headers.get('payment-response')]).toEqual([
      200,
      first.json,
      first.headers.get('payment-response'),
    ])
    expect(await balance(payer.address)).toBe(before)
  })

  it('is refused a day later, when its answer has been deleted, and is not charged again', async () => {
    const header = await pay(payer, await requirementOf(fx, {}))
    expect((await paid(header)).status).toBe(200)
    const before = await balance(payer.address)
    const { pool } = service.app
    const { rows } = await pool.query(
      `update payments set answer_until = answer_until - interval '1 day'
       where id = (select id from payments order by verified_at desc limit 1) returning id`,
    )
    await regularTasks.find(({ name }) => name === 'clean')?.run(service.app)
    const left = 'select answer from payments where id = any($1)'
    expect((await pool.query(left, [rows.map(({ id }) => id)])).rows).toEqual([{ answer: null }])
    const again = await paid(header)
    expect([again.status, again.json.detail]).toEqual([409, 'payment_conflict'])
    expect(await balance(payer.address)).toBe(before)
  })

  it('buys no other request', async () => {
    const header = await pay(payer, await requirementOf(fx, {}))
    await paid(header)
    const other = await paid(header, fx, { quote_ccy: 'USD' })
    expect([other.status, other.json.detail]).toEqual([409, 'payment_conflict'])
    const elsewhere = await paid(header, verifyPath, { bundle_hash: `0x${'12'.repeat(32)}` })
    expect(elsewhere.status).toBe(409)
  })

  it('with another signature is refused, because the answer belongs to the signer', async () => {
    const header = await pay(payer, await requirementOf(fx, {}))
    expect((await paid(header)).status).toBe(200)
    const payment = JSON.parse(atob(header))
    payment.payload.signature = `0x${'12'.repeat(64)}1b`
    const forged = await paid(Buffer.from(JSON.stringify(payment)).toString('base64'))
    const { error } = decodePaymentRequiredHeader(forged.headers.get('payment-required') ?? '')
    expect([forged.status, error]).toEqual([402, 'invalid_exact_evm_signature'])
  })

  it('100 times at once is charged once, and every answered copy gets the same answer', async () => {
    const header = await pay(payer, await requirementOf(fx, {}))
    const before = await balance(payer.address)
    const answers = await Promise.all(Array.from({ length: 100 }, () => paid(header)))
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    const good = answers.filter(({ status }) => status === 200)
    expect(good.length).toBeGreaterThan(0)
    expect(new Set(good.map(({ text }) => text)).size).toBe(1)
    expect(before - (await balance(payer.address))).toBe(1_000n)
    expect((await paid(header)).status).toBe(200)
  })
})

describe('a bad payment', () => {
  it.each([
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('x').toString('base64')],
    ['another version', Buffer.from('{"x402Version":1}').toString('base64')],
    ['nothing in it', ''],
  ])('that is malformed (%s) is a 400', async (_, header) => {
    const { status, json } = await paid(header)
    expect([status, json.detail]).toEqual([400, 'payment_malformed'])
  })

  it('of too little, for another token or to another payee is a 402 with the reason, and charges nothing', async () => {
    const requirement = await requirementOf(fx, {})
    const before = await balance(payer.address)
    for (const change of [{ amount: '999' }, { payTo: payer.address }, { maxTimeoutSeconds: 60 }]) {
      const { status, headers } = await paid(await pay(payer, { ...requirement, ...change }))
      expect(status).toBe(402)
      expect(decodePaymentRequiredHeader(headers.get('payment-required') ?? '').error).toMatch(/^invalid_/)
    }
    expect(await balance(payer.address)).toBe(before)
  })

  it('of an empty wallet is a 402, and is valid once the wallet has money', async () => {
    const poor = await createPayer(node, service.app.facilitator?.asset ?? '')
    const header = await pay(poor, await requirementOf(fx, {}))
    const refused = await paid(header)
    expect(refused.status).toBe(402)
    const token = dollars(service.app.facilitator?.asset ?? '', payer.wallet)
    await (await token.getFunction('transfer')(poor.address, 5_000n)).wait()
    expect((await paid(header)).status).toBe(200)
  })
})

it('the price list has every paid endpoint', async () => {
  const { status, json } = await service.api.call('GET', '/v1/x402/pricing')
  expect(status).toBe(200)
  expect(json.map(({ path, price }: { path: string; price: string }) => [path, price])).toEqual([
    [fx, '0.001'],
    [verifyPath, '0.001'],
    ['/v1/x402/premium/generate-statement', '0.005'],
    ['/v1/x402/premium/iso-message/{receipt_id}/{type}', '0.002'],
    ['/v1/x402/premium/bulk-verify', '0.01'],
    ['/v1/x402/premium/refund', '0.003'],
  ])
})

describe('an administrator', () => {
  const set = (body: unknown, key = adminKey) => service.api.call('POST', '/v1/x402/pricing', { body, key })
  afterEach(() => set([{ path: fx, price: '0.001', recipient: service.app.paymentsTo, enabled: true }]))

  it('changes price and recipient, from the next challenge on; an old challenge can no longer be paid', async () => {
    const old = await pay(payer, await requirementOf(fx, {}))
    const recipient = `0x${'ab'.repeat(20)}`
    const { status, json } = await set([
      { path: fx, price: '0.0025', recipient: recipient.toUpperCase().replace('0X', '0x') },
    ])
    expect([status, json]).toEqual([200, { status: 'updated' }])
    const { headers } = await post(fx, {})
    const [requirement] = decodePaymentRequiredHeader(headers.get('payment-required') ?? '').accepts
    expect(requirement).toMatchObject({ amount: '2500', payTo: recipient })
    const refused = await paid(old)
    expect([refused.status, decodePaymentRequiredHeader(refused.headers.get('payment-required') ?? '').error]).toEqual([
      402,
      'invalid_exact_evm_recipient_mismatch',
    ])
    const { json: prices } = await service.api.call('GET', '/v1/x402/pricing')
    expect(prices[0]).toMatchObject({ path: fx, price: '0.0025', recipient, enabled: true })
  })

  it('disables an endpoint, and what was paid before is still delivered', async () => {
    const requirement = await requirementOf(fx, {})
    const header = await pay(payer, requirement)
    const { json: rate } = await paid(header)
    await set([{ path: fx, enabled: false }])
    expect((await paid(header)).json).toEqual(rate)
    const unused = await pay(payer, requirement)
    expect((await paid(unused)).status).toBe(403)
    expect([(await post(fx, {})).status, (await post(fx, {})).json.detail]).toEqual([403, 'disabled_by_configuration'])
    expect((await post(verifyPath, { bundle_hash: `0x${'12'.repeat(32)}` })).status).toBe(402)
    await set([{ path: fx, enabled: true }])
    expect((await paid(unused)).status).toBe(200)
  })

  it.each([
    ['a path that is not for sale', [{ path: '/v1/iso/verify' }], ['body', 0, 'path']],
    ['a price of nothing', [{ path: fx, price: '0' }], ['body', 0, 'price']],
    ['a price finer than the token', [{ path: fx, price: '0.0000001' }], ['body', 0, 'price']],
    ['a recipient that is none', [{ path: fx, recipient: 'me' }], ['body', 0, 'recipient']],
    ['a recipient who cannot spend it', [{ path: fx, recipient: `0x${'00'.repeat(20)}` }], ['body', 0, 'recipient']],
    ['a path twice', [{ path: fx }, { path: fx }], ['body', 1, 'path']],
  ])('is refused %s, with its place', async (_, body, loc) => {
    const { status, json } = await set(body)
    expect([status, json.detail[0].loc]).toEqual([422, loc])
  })
})
