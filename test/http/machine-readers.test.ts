// Tests what programs read before they pay, and how they pay over MCP: generated from the same fields, with the present
// prices.
import { randomUUID } from 'node:crypto'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentPayload } from '@x402/core/types'
import {
  type DiscoveryExtension,
  extractDiscoveryInfo,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar'
import { JsonRpcProvider } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '../../rest/generated/routes.ts'
import { tools } from '../../rest/generated/tools.ts'
import { endpoints } from '../../src/modules/x402/endpoints.ts'
import { type Caller, eras, type Result, refusal } from '../kit/mcp.ts'
import { answerTo, clientOf, createPayer, dollars, type Payer } from '../kit/payer.ts'
import { requestOf } from '../kit/route-examples.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

const network = 'eip155:31337'
const fxPath = '/v1/x402/premium/fx-lookup'
const pair = { base_ccy: 'USD', quote_ccy: 'USD' }

let service: Service
let node: JsonRpcProvider
let asset: string
let payer: Payer
let key: string
let receipt: string
beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'silent' })
  asset = service.app.facilitator?.asset ?? ''
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  payer = await createPayer(node, asset, 1_000_000n)
  key = (await service.api.project()).key
  const { json } = await service.api.record(key, { sender_wallet: payer.address })
  receipt = (await service.api.anchored(json.receipt_id)).id
})
afterAll(async () => {
  node?.destroy()
  await service?.stop()
})

const money = (): Promise<bigint> => dollars(asset, node).getFunction('balanceOf')(payer.address)

const challenge = z.looseObject({
  x402Version: z.literal(2),
  error: z.string(),
  resource: z.object({ url: z.string(), description: z.string(), mimeType: z.string() }),
  accepts: z.array(z.looseObject({ network: z.literal(network), amount: z.string() })).min(1),
  extensions: z.record(z.string(), z.unknown()),
})
type Challenge = z.infer<typeof challenge>

/** Signs a payment with the official client. */
async function payFor(required: Challenge, by = payer): Promise<PaymentPayload> {
  // The client's types are those of a challenge that it parsed itself.
  return clientOf(by, { network, asset }).createPaymentPayload(required as never)
}

const extension = z.custom<DiscoveryExtension>(value => typeof value === 'object' && value !== null)
const bazaarOf = ({ extensions }: { extensions?: Record<string, unknown> }) => extension.parse(extensions?.bazaar)

async function discovered(required: Challenge) {
  const found = bazaarOf(required)
  expect(validateDiscoveryExtension(found)).toEqual({ valid: true })
  expect(validateDiscoveryExtensionSpec({ ...found })).toEqual({ valid: true })
  const payload = await payFor(required)
  return extractDiscoveryInfo(payload, payload.accepted)
}

/** Returns the documented request of each paid route, and the path as the discovery extension writes it. */
const routesSold = () =>
  Object.values(endpoints).map(({ path }) => {
    const template = path.replaceAll(/\{(\w+)\}/g, ':$1')
    const route = routes.find(route => route.path === template)
    if (route === undefined) throw new Error(`no route has the path ${path}`)
    const request = requestOf(route, { receipt_id: receipt, original_receipt_id: receipt })
    return { method: request.method, path: request.path, template }
  })

describe('the bazaar extension', () => {
  it('describes the request of every paid route, as the official functions parse it', async () => {
    for (const { method, path, template } of routesSold()) {
      const { headers } = await service.api.call(method, path)
      const required = challenge.parse(decodePaymentRequiredHeader(headers.get('payment-required') ?? ''))
      expect(await discovered(required)).toMatchObject({
        resourceUrl: service.base + template,
        method,
        discoveryInfo: { output: { type: 'json', example: expect.any(Object) } },
      })
    }
  })

  it('has the values of the requested path', async () => {
    const { headers } = await service.api.call('GET', `/v1/x402/premium/iso-message/${receipt}/pain.001`)
    const { info } = bazaarOf(decodePaymentRequiredHeader(headers.get('payment-required') ?? ''))
    expect(info.input).toMatchObject({ pathParams: { receipt_id: receipt, type: 'pain.001' } })
  })

  it('describes every paid tool in the same way', async () => {
    const anyone = await eras['2026-07-28'](service.base)
    for (const { name, paid } of tools) {
      if (!paid) continue
      const required = challenge.parse((await anyone.call(name)).structuredContent)
      expect(await discovered(required)).toMatchObject({ resourceUrl: `${service.base}/mcp`, toolName: name })
    }
    await anyone.close()
  })

  it('leaves room in the headers of challenge and payment, also for the longest path that is echoed', async () => {
    const id = `pay_${'x'.repeat(120)}`
    const requiredOf = async (method: string, path: string) =>
      (await service.api.call(method, path)).headers.get('payment-required')
    for (const { method, path } of routesSold()) {
      const required = await requiredOf(method, path)
      // The header size that the documentation requires operators' proxies to accept.
      expect(required?.length).toBeLessThan(5_120)
      expect((await answerTo(payer, required, id)).length).toBeLessThan(6_000)
    }
    const long = `/v1/x402/premium/iso-message/${receipt}/${'x'.repeat(1_950)}`
    const payment = await answerTo(payer, await requiredOf('GET', long), id)
    expect(long.length + payment.length).toBeLessThan(15_000)
  })
})

const document = z.object({
  version: z.literal(1),
  x402Version: z.literal(2),
  resources: z.array(z.url()),
  items: z.array(
    z.looseObject({
      resource: z.looseObject({ url: z.url() }),
      type: z.enum(['http', 'mcp']),
      accepts: z.array(z.looseObject({ amount: z.string() })),
      input: z.looseObject({}),
      output: z.looseObject({ example: z.looseObject({}) }),
    }),
  ),
})

describe('/.well-known/x402', () => {
  const read = async () => document.parse((await service.api.call('GET', '/.well-known/x402')).json)

  it('lists the paid resources, each of which answers 402 with that price', async () => {
    const sold = routesSold()
    const { resources, items } = await read()
    expect(items.map(({ type }) => type).sort()).toEqual([...sold.map(() => 'http'), ...sold.map(() => 'mcp')])
    for (const [index, url] of resources.entries()) {
      const item = items.filter(({ type }) => type === 'http')[index]
      const answer = await fetch(url, { method: String(item?.input.method) })
      expect([url, answer.status]).toEqual([url, 402])
      const { accepts } = decodePaymentRequiredHeader(answer.headers.get('payment-required') ?? '')
      expect(accepts).toEqual(item?.accepts)
    }
  })

  it('changes with the prices, and answers 304 while it is unchanged', async () => {
    const first = await service.api.call('GET', '/.well-known/x402')
    const etag = first.headers.get('etag') ?? ''
    const asked = { headers: { 'If-None-Match': etag } }
    expect((await service.api.call('GET', '/.well-known/x402', asked)).status).toBe(304)
    const change = (body: object) => service.api.call('POST', '/v1/x402/pricing', { key: adminKey, body })
    await change([
      { path: fxPath, price: '0.25' },
      { path: '/v1/x402/premium/refund', enabled: false },
    ])
    const { items } = await read()
    expect(items.find(({ resource }) => resource.url.endsWith(fxPath))?.accepts[0]?.amount).toBe('250000')
    expect(items).toHaveLength(2 * (routesSold().length - 1))
    expect((await service.api.call('GET', '/.well-known/x402.json', asked)).status).toBe(200)
    await change([
      { path: fxPath, price: '0.001' },
      { path: '/v1/x402/premium/refund', enabled: true },
    ])
  })
})

it('/llms.txt names every route and every tool, with links to this service alone', async () => {
  const { text, headers } = await service.api.call('GET', '/llms.txt')
  expect(headers.get('content-type')).toContain('text/plain')
  expect(text).toMatch(/^# Quittance\n\n> /)
  expect(text.match(/^# /gm)).toHaveLength(1)
  const links = [...text.matchAll(/^- \[([^\]]+)\]\(([^)]+)\): \S/gm)]
  expect(text.match(/^- /gm)).toHaveLength(links.length)
  const names = links.map(([, name]) => name)
  expect(names).toEqual(expect.arrayContaining(['POST /v1/iso/record-tip', 'GET /v1/iso/receipts/{rid}']))
  expect(names).toEqual(expect.arrayContaining(tools.map(({ name }) => name)))
  for (const [, , url = ''] of links) expect(URL.parse(url)?.origin).toBe(service.base)
  for (const path of ['/mcp', '/openapi.json', '/.well-known/x402', '/.well-known/evidence-keys.json'])
    expect(links.map(([, , url]) => url)).toContain(service.base + path)
})

describe.each(['2026-07-28', '2025-11-25'] as const)('a paid tool, called by a client of %s', era => {
  let buyer: Caller
  let member: Caller
  beforeAll(async () => {
    buyer = await eras[era](service.base)
    member = await eras[era](service.base, { 'X-API-Key': key })
    // The client knows the output schemas from now on, which must also allow challenges.
    await buyer.list()
  })
  afterAll(() => Promise.all([buyer?.close(), member?.close()]))

  const unpaid = async (name: string, args: object = {}, by = buyer): Promise<Challenge> => {
    const { isError, structuredContent, content } = await by.call(name, { ...args })
    expect(isError).toBe(true)
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent)
    return challenge.parse(structuredContent)
  }
  const paid = (name: string, args: object, payment: unknown, by = buyer): Promise<Result> =>
    by.call(name, { ...args }, { 'x402/payment': payment })

  it('returns its result once it is paid for, is charged once, and is the same purchase over REST', async () => {
    const before = await money()
    const payment = await payFor(await unpaid('paid_fx_rate', pair))
    const first = await paid('paid_fx_rate', pair, payment)
    expect(first).toMatchObject({
      isError: false,
      structuredContent: { ...pair, rate: '1' },
      _meta: { 'x402/payment-response': { success: true, network, payer: payer.address } },
    })
    const copies = await Promise.all([1, 2, 3].map(() => paid('paid_fx_rate', pair, payment)))
    for (const copy of copies) expect(copy.structuredContent).toEqual(first.structuredContent)
    const header = Buffer.from(JSON.stringify(payment)).toString('base64')
    const overRest = await service.api.call('POST', fxPath, { body: pair, headers: { 'PAYMENT-SIGNATURE': header } })
    expect(overRest.json).toEqual(first.structuredContent)
    expect(before - (await money())).toBe(1_000n)
  })

  it('accepts a payment for nothing but its own arguments', async () => {
    const payment = await payFor(await unpaid('paid_fx_rate', pair))
    await paid('paid_fx_rate', pair, payment)
    const before = await money()
    const elsewhere = await paid('paid_fx_rate', { base_ccy: 'EUR', quote_ccy: 'EUR' }, payment)
    expect([elsewhere.isError, refusal(elsewhere).detail]).toEqual([true, 'payment_conflict'])
    expect(refusal(await paid('paid_statement', {}, payment)).detail).toBe('payment_conflict')
    const cheap = await payFor(await unpaid('paid_fx_rate', pair))
    const { structuredContent: dearer } = await paid('paid_statement', {}, cheap)
    expect(challenge.parse(dearer)).toMatchObject({ accepts: [{ amount: '5000' }] })
    const withKey = await paid('paid_fx_rate', pair, payment, member)
    expect(refusal(withKey).detail).toBe('payment_conflict')
    // A payment read from a block lacks the extensions of the challenge.
    const { extensions: _, ...stolen } = payment
    expect(challenge.safeParse((await paid('paid_fx_rate', pair, stolen)).structuredContent).success).toBe(true)
    expect(await money()).toBe(before)
  })

  it('refuses an invalid payment and charges nothing', async () => {
    const before = await money()
    const required = await unpaid('paid_fx_rate', pair)
    const payment = await payFor(required)
    const stranger = await createPayer(node, asset)
    const forged: [payment: unknown, detail: string][] = [
      ['paid', 'payment_malformed'],
      [true, 'payment_malformed'],
      [[payment], 'payment_malformed'],
      [{}, 'payment_malformed'],
      [{ ...payment, x402Version: 1 }, 'payment_malformed'],
      [{ ...payment, payload: { ...payment.payload, signature: '0x' } }, 'payment_malformed'],
      [{ ...payment, extensions: { 'private-answer': 1 } }, 'payment_malformed'],
      [{ ...payment, padding: 'x'.repeat(20_000) }, 'payment_malformed'],
      [{ ...payment, accepted: { ...payment.accepted, amount: '1' } }, 'unpaid'],
      [{ ...payment, payload: { ...payment.payload, signature: `0x${'11'.repeat(65)}` } }, 'unpaid'],
      [await payFor(required, stranger), 'unpaid'],
    ]
    for (const [offered, detail] of forged) {
      const answer = await paid('paid_fx_rate', pair, offered)
      expect(answer.isError).toBe(true)
      expect(answer.structuredContent === undefined ? refusal(answer).detail : 'unpaid').toBe(detail)
      if (detail === 'payment_malformed')
        expect(refusal(answer).message).toMatch(/^_meta\["x402\/payment"\](:| is ).*\.$/)
    }
    // A settlement receipt that the caller sends proves nothing.
    const claimed = await buyer.call('paid_fx_rate', pair, {
      'x402/payment-response': { success: true, payer: payer.address },
    })
    expect(claimed.isError).toBe(true)
    const wrong = await paid(
      'paid_iso_message',
      { receipt_id: randomUUID(), type: 'pain.001' },
      await payFor(await unpaid('paid_iso_message')),
    )
    expect(refusal(wrong).detail).toBe('not_found')
    expect(await money()).toBe(before)
  })

  it('generates a statement for the project of the caller’s key', async () => {
    const payment = await payFor(await unpaid('paid_statement', {}, member))
    const { structuredContent } = await paid('paid_statement', {}, payment, member)
    expect(structuredContent).toMatchObject({ type: 'camt.053', url: expect.stringContaining(service.base) })
  })
})
