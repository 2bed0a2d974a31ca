// The paying client: over a network that loses answers it gets what it paid for, and is charged once.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import { JsonRpcProvider } from 'ethers'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { type PaidFetchOptions, PaymentUnanswered, paidFetch } from '../../sdk/typescript/src/paid-fetch.ts'
import { type EmbeddedChain, startChain } from '../../src/embedded/chain.ts'
import type { PaymentRequirement } from '../../src/ports/payment-facilitator.ts'
import {
  answerCut,
  answerLost,
  answerSpoilt,
  answers,
  gatewayGaveUp,
  type LossyProxy,
  neverArrives,
  silence,
  startLossyProxy,
  stillAtWork,
} from '../kit/lossy-proxy.ts'
import { clientOf, createPayer, dollars, type Payer } from '../kit/payer.ts'
import { type RpcProxy, startRpcProxy } from '../kit/rpc-proxy.ts'
import { type Service, startService } from '../kit/service.ts'
import { it, onlyInFull } from '../kit/size.ts'

const price = 1_000n

let folder: string
let chain: EmbeddedChain
let rpc: RpcProxy
let node: JsonRpcProvider
let service: Service
let requirement: PaymentRequirement
let proxy: LossyProxy
let payer: Payer
let before: bigint
/** The payment headers that were signed, in order. */
let signed: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-paid-fetch-'))
  chain = await startChain(folder, pino({ level: 'silent' }))
  rpc = await startRpcProxy(chain.rpcUrl)
  node = new JsonRpcProvider(chain.rpcUrl, chain.chainId, { staticNetwork: true, cacheTimeout: -1 })
  service = await startService({
    X402_NETWORK: `eip155:${chain.chainId}`,
    X402_RPC_URL: rpc.url,
    X402_ASSET: chain.testDollar,
    X402_PAY_TO: chain.payTo,
    X402_FACILITATOR_PRIVATE_KEY: chain.facilitatorPrivateKey,
    LOG_LEVEL: 'silent',
  })
  const { facilitator, paymentsTo: payTo } = service.app
  if (facilitator === null) throw new Error('no facilitator')
  requirement = await facilitator.requirement({ amount: '0.001', payTo, maxTimeoutSeconds: 120 })
  payer = await createPayer(node, requirement.asset, 1_000_000n)
})
afterAll(async () => {
  node?.destroy()
  await service?.stop()
  await rpc?.stop()
  await chain?.stop()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  proxy = await startLossyProxy(service.base)
  signed = []
  before = await balance(payer.address)
})
afterEach(() => proxy.stop())

const balance = (address: string): Promise<bigint> => dollars(requirement.asset, node).getFunction('balanceOf')(address)
const charged = async () => before - (await balance(payer.address))

/** A client that signs with the official x402 client. */
const buyer = (options: Partial<PaidFetchOptions> = {}, by = payer) =>
  paidFetch({
    sign: async required => {
      const header = encodePaymentSignatureHeader(await clientOf(by, requirement).createPaymentPayload(required))
      signed.push(header)
      return header
    },
    ...options,
  })

const json = { 'Content-Type': 'application/json' }
const rest = (): [string, RequestInit] => [
  `${proxy.url}/v1/x402/premium/fx-lookup`,
  { method: 'POST', headers: json, body: '{}' },
]
const graphql = (): [string, RequestInit] => [
  `${proxy.url}/graphql`,
  { method: 'POST', headers: json, body: '{"query":"{ premiumFxRate { rate } }"}' },
]
const transports = { REST: rest, GraphQL: graphql }

const unanswered = async (answer: Promise<Response>): Promise<PaymentUnanswered> => {
  const error: unknown = await answer.then(
    () => null,
    fault => fault,
  )
  if (error instanceof PaymentUnanswered) return error
  throw error
}

describe.each(['REST', 'GraphQL'] as const)('over %s', transport => {
  it.each([
    ['is lost', answerLost],
    ['breaks off', answerCut],
    ['is replaced by a gateway’s', gatewayGaveUp],
    ['is replaced by a fault without a word on when to come again', answerSpoilt],
  ])('an answer that %s after the service ran the request is fetched again, and charged once', async (_, fate) => {
    proxy.fates.push(fate, neverArrives)
    const answer = await buyer()(...transports[transport]())
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"rate":"50"')])
    expect(proxy.paid).toEqual([signed[0], signed[0], signed[0]])
    expect(await charged()).toBe(price)
  })

  it('retries while the chain cannot be queried, until it can', async () => {
    rpc.fault = async ({ method }) => ({ kind: method === 'eth_getTransactionCount' ? 'reset' : 'honest' })
    const bought = buyer()(...transports[transport]())
    await expect.poll(() => proxy.statuses.length).toBeGreaterThan(0)
    rpc.fault = null
    const answer = await bought
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"rate":"50"')])
    expect(signed.length).toBe(1)
    expect(await charged()).toBe(price)
  })
})

it('what is settled but cannot be delivered is requested until it can, without a further charge', async () => {
  await service.app.pool.query('alter table anchors rename to hidden')
  const bought = buyer()(`${proxy.url}/v1/x402/premium/verify-bundle`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ bundle_hash: `0x${'12'.repeat(32)}` }),
  })
  try {
    await expect.poll(() => proxy.statuses).toContain(500)
  } finally {
    await service.app.pool.query('alter table hidden rename to anchors')
  }
  const answer = await bought
  expect([answer.status, (await answer.json()).matches_onchain]).toEqual([200, false])
  expect(await charged()).toBe(price)
})

it('every answer with Retry-After is retried with the same payment, whatever its reason', async () => {
  const soon = { 'Retry-After': '0' }
  proxy.fates.push(answerLost, answers(409, soon), answers(503, soon), answers(429, soon))
  expect((await buyer()(...rest())).status).toBe(200)
  expect([signed.length, proxy.paid.length, new Set(proxy.paid).size]).toEqual([1, 5, 1])
  expect(await charged()).toBe(price)
})

// The service waits twenty seconds before it reports a pending settlement.
onlyInFull(
  'an unmined settlement and a copy of the request that is still running are waited for with the same payment',
  async () => {
    await node.send('evm_setAutomine', [false])
    proxy.fates.push(stillAtWork)
    const bought = buyer()(...rest())
    try {
      await expect.poll(() => proxy.statuses, { timeout: 40_000 }).toEqual(expect.arrayContaining([409, 503]))
    } finally {
      await node.send('evm_setAutomine', [true])
      await node.send('evm_mine', [])
    }
    expect((await bought).status).toBe(200)
    expect([signed.length, new Set(proxy.paid).size]).toEqual([1, 1])
    expect(await charged()).toBe(price)
  },
  60_000,
)

it('a client that dies after paying gets its answer after a restart, with the header that it stored', async () => {
  const kept: [header: string, url: string, sentBefore: number][] = []
  const dies = new AbortController()
  proxy.fates.push(async (response, forward) => {
    await answerLost(response, forward)
    dies.abort()
  })
  const [url, init] = rest()
  const onPayment = async (header: string, of: string) => void kept.push([header, of, proxy.paid.length])
  await expect(buyer({ onPayment })(url, { ...init, signal: dies.signal })).rejects.toThrow()
  expect(kept).toEqual([[signed[0], url, 0]])
  const answer = await buyer().resume(url, init, kept[0]?.[0] ?? '')
  expect([answer.status, (await answer.json()).rate]).toEqual([200, '50'])
  expect(signed.length).toBe(1)
  expect(await charged()).toBe(price)
})

it('after the timeout the error contains the payment header, which gets the answer later', async () => {
  proxy.fates.push(answerLost, ...Array.from({ length: 200 }, () => answers(503, { 'Retry-After': '0' })))
  const request = new Request(...rest())
  const { header, cause } = await unanswered(buyer({ patienceMs: 5_000 })(request))
  expect([header, cause]).toEqual([signed[0], expect.objectContaining({ status: 503 })])
  proxy.fates.length = 0
  expect((await buyer().resume(request, undefined, header)).status).toBe(200)
  expect(signed.length).toBe(1)
  expect(await charged()).toBe(price)
})

it('a silent connection ends at the timeout', async () => {
  proxy.fates.push(silence)
  const { header } = await unanswered(buyer({ patienceMs: 500 })(...rest()))
  expect([header, proxy.paid.length]).toEqual([signed[0], 1])
})

describe('a refused payment', () => {
  it('is not signed again, and its answer states the reason', async () => {
    const poor = await createPayer(node, requirement.asset)
    proxy.fates.push(neverArrives)
    const answer = await buyer({}, poor)(...rest())
    expect(answer.status).toBe(402)
    expect(decodePaymentRequiredHeader(answer.headers.get('payment-required') ?? '').error).toMatch(/^invalid_/)
    expect([signed.length, proxy.paid.length]).toEqual([1, 2])
  })

  it('for another request is not sent again', async () => {
    const [url] = rest()
    await buyer()(...rest())
    const other = { method: 'POST', headers: json, body: '{"quote_ccy":"USD"}' }
    const answer = await buyer().resume(url, other, signed[0] ?? '')
    expect([answer.status, (await answer.json()).detail]).toEqual([409, 'payment_conflict'])
    expect(proxy.paid.length).toBe(2)
  })

  it.each([
    ['malformed', 400, {}, 'x'],
    ['for what is not there', 404, { quote_ccy: 'NOSUCH' }, undefined],
    ['for what is not valid', 422, { quote_ccy: '!' }, undefined],
  ])('that is %s is not sent again, and costs nothing', async (_, status, body, header) => {
    const [url, init] = rest()
    const payment = header ?? (await headerOnly())
    const paidBefore = proxy.paid.length
    const answer = await buyer().resume(url, { ...init, body: JSON.stringify(body) }, payment)
    expect([answer.status, proxy.paid.length - paidBefore]).toEqual([status, 1])
    expect(await charged()).toBe(0n)
  })

  /** Signs a payment without sending it. */
  async function headerOnly(): Promise<string> {
    const onPayment = () => Promise.reject(new Error('not sent'))
    await expect(buyer({ onPayment })(...rest())).rejects.toThrow('not sent')
    return signed[0] ?? ''
  }
})

it('a caller whose sign function refuses pays nothing', async () => {
  const seen: unknown[] = []
  const sign = async (required: object) => {
    seen.push(required)
    throw new Error('too dear')
  }
  await expect(buyer({ sign })(...rest())).rejects.toThrow('too dear')
  expect(seen).toEqual([
    expect.objectContaining({
      x402Version: 2,
      accepts: [requirement],
      resource: expect.objectContaining({ description: 'What one currency is worth in another.' }),
    }),
  ])
  expect(proxy.paid.length).toBe(0)
})

it('a free endpoint is not paid for, and an error without a payment is not repeated', async () => {
  const free = await buyer()(`${proxy.url}/v1/x402/pricing`)
  const wrong = await buyer()(`${proxy.url}/v1/x402/premium/none`)
  expect([free.status, wrong.status, signed.length, proxy.unpaid]).toEqual([200, 404, 0, 2])
})

describe('a body', () => {
  const bytes = new TextEncoder().encode('{}')

  it.each([
    ['text', '{}'],
    ['bytes', bytes],
    ['a buffer', bytes.buffer],
    ['a blob', new Blob([bytes])],
  ])('that is %s is sent again unchanged', async (_, body) => {
    proxy.fates.push(answerLost)
    const [url, init] = rest()
    expect((await buyer()(url, { ...init, body })).status).toBe(200)
    expect([proxy.paid.length, await charged()]).toEqual([2, price])
  })

  it.each([
    ['a stream', () => new Blob([bytes]).stream()],
    [
      'made piece by piece',
      async function* () {
        yield bytes
      },
    ],
  ])('that is %s is refused before anything is sent', async (_, body) => {
    const [url, init] = rest()
    const streamed: RequestInit = Object.assign({ ...init }, { body: body(), duplex: 'half' as const })
    await expect(buyer()(url, streamed)).rejects.toThrow('cannot be sent twice')
    await expect(buyer().resume(url, streamed, 'x')).rejects.toThrow('cannot be sent twice')
    expect([proxy.unpaid, proxy.paid.length, signed.length]).toEqual([0, 0, 0])
  })
})

describe('Retry-After', () => {
  it.each(['3600', new Date(Date.now() + 3_600_000).toUTCString()])(
    'longer than the timeout (%s) ends the call, and nothing is sent meanwhile',
    async retryAfter => {
      proxy.fates.push(answers(429, { 'Retry-After': retryAfter }))
      await unanswered(buyer()(...rest()))
      expect(proxy.paid.length).toBe(1)
    },
  )

  it('that is short is obeyed, where the client’s own delays would exceed the timeout', async () => {
    proxy.fates.push(...Array.from({ length: 8 }, () => answers(503, { 'Retry-After': '0' })))
    expect((await buyer({ patienceMs: 10_000 })(...rest())).status).toBe(200)
    expect(proxy.paid.length).toBe(9)
  })
})

describe('an abort', () => {
  it.each([
    ['while an answer is waited for', silence, 1],
    ['between two tries', answers(503, { 'Retry-After': '60' }), 2],
  ])('%s ends the call with the caller’s reason, and nothing more is sent', async (_, fate, answered) => {
    proxy.fates.push(fate)
    let got = 0
    const counting: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init)
      got += 1
      return answer
    }
    const controller = new AbortController()
    const [url, init] = rest()
    const bought = buyer({ fetch: counting })(url, { ...init, signal: controller.signal })
    await expect.poll(() => [proxy.paid.length, got]).toEqual([1, answered])
    controller.abort(new Error('no longer wanted'))
    await expect(bought).rejects.toThrow('no longer wanted')
    expect(proxy.paid.length).toBe(1)
  })
})

describe('a redirect', () => {
  const heard: string[] = []
  const elsewhere = createServer((request, response) => {
    heard.push(`${request.url} ${request.headers['payment-signature'] ?? 'unpaid'}`)
    if (request.url === '/moved') response.writeHead(307, { Location: '/' }).end()
    else response.writeHead(402, { 'PAYMENT-REQUIRED': 'e30=' }).end()
  })
  let url: string
  beforeAll(async () => {
    elsewhere.listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const { port } = elsewhere.address() as AddressInfo
    url = `http://127.0.0.1:${port}/`
  })
  beforeEach(() => {
    heard.length = 0
  })
  afterAll(() => void elsewhere.close())

  it('of a paid request is not followed, so that the payment header reaches no other server', async () => {
    proxy.fates.push(answers(307, { Location: url }))
    const answer = await buyer()(...rest())
    expect([answer.status, heard]).toEqual([307, []])
  })

  it('to a paid endpoint is not paid for, because the caller named another URL', async () => {
    await expect(buyer()(`${url}moved`)).rejects.toThrow(`request ${url} directly`)
    expect([heard, signed]).toEqual([['/moved unpaid', '/ unpaid'], []])
  })
})
