// The official clients, set up as in their documentation: on every paid endpoint, and on slow blocks, where they time
// out and retry with another signature.
import { setTimeout as sleep } from 'node:timers/promises'
import { x402Client as AxiosClient, wrapAxiosWithPayment } from '@x402/axios'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import {
  appendPaymentIdentifierToExtensions,
  generatePaymentId,
  PAYMENT_IDENTIFIER,
} from '@x402/extensions/payment-identifier'
import { wrapFetchWithPayment } from '@x402/fetch'
import axios, { isAxiosError } from 'axios'
import { JsonRpcProvider } from 'ethers'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Child, startChild } from '../kit/child.ts'
import { type PaidChain, startPaidChain } from '../kit/paid-chain.ts'
import { createPaidWorld, fxPath, fxQuestion, type PaidWorld } from '../kit/paid-world.ts'
import { clientOf, createPayer, dollars, namingClient, type Payer } from '../kit/payer.ts'
import { type Service, startService } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

type Order = { url: string; method?: string; body?: object; id?: string; signal?: AbortSignal }
type Buyer = (payer: Payer, asset: string, order: Order) => Promise<{ status: number; text: string }>

const network = 'eip155:31337'

const buyers: Record<'fetch' | 'axios', Buyer> = {
  async fetch(payer, asset, { url, method = 'POST', body, id, signal }) {
    const plain = clientOf(payer, { network, asset })
    const client = id === undefined ? plain : namingClient(plain, id)
    const json = body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    const answer = await wrapFetchWithPayment(fetch, client)(url, { method, ...json, ...(signal && { signal }) })
    return { status: answer.status, text: await answer.text() }
  },
  async axios({ account }, _, { url, method = 'POST', body, id, signal }) {
    const client = new AxiosClient().register(network, new ExactEvmScheme(account))
    if (id !== undefined)
      client.onBeforePaymentCreation(async ({ paymentRequired: { extensions } }) => {
        if (extensions?.[PAYMENT_IDENTIFIER] !== undefined) appendPaymentIdentifierToExtensions(extensions, id)
      })
    const buy = wrapAxiosWithPayment(axios.create(), client)
    try {
      const { status, data } = await buy.request({
        url,
        method,
        ...(body && { data: body }),
        ...(signal && { signal }),
      })
      return { status, text: JSON.stringify(data) }
    } catch (error) {
      if (!isAxiosError(error) || error.response === undefined) throw error
      return { status: error.response.status, text: JSON.stringify(error.response.data) }
    }
  },
}
const kinds = ['fetch', 'axios'] as const

describe.each(kinds)('@x402/%s', kind => {
  let service: Service
  let node: JsonRpcProvider
  let payer: Payer
  let receipt: string
  beforeAll(async () => {
    service = await startService()
    node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
    payer = await createPayer(node, service.app.facilitator?.asset ?? '', 1_000_000n)
    const { key } = await service.api.project()
    const { json } = await service.api.record(key, { sender_wallet: payer.address })
    receipt = (await service.api.anchored(json.receipt_id)).id
  })
  afterAll(async () => {
    node?.destroy()
    await service?.stop()
  })

  const hash = { bundle_hash: `0x${'12'.repeat(32)}` }
  const sold: [name: string, order: () => { path: string; method?: string; body?: object }, units: bigint][] = [
    ['fx-lookup', () => ({ path: 'fx-lookup', body: {} }), 1_000n],
    ['verify-bundle', () => ({ path: 'verify-bundle', body: hash }), 1_000n],
    ['generate-statement', () => ({ path: 'generate-statement?window=00:00-12:00' }), 5_000n],
    ['iso-message', () => ({ path: `iso-message/${receipt}/pain.001`, method: 'GET' }), 2_000n],
    ['bulk-verify', () => ({ path: 'bulk-verify', body: { items: [hash, hash] } }), 10_000n],
    ['refund', () => ({ path: 'refund', body: { original_receipt_id: receipt } }), 3_000n],
  ]

  it.each(sold)('buys %s for its price', async (_, order, units) => {
    const asset = service.app.facilitator?.asset ?? ''
    const balance = (): Promise<bigint> => dollars(asset, node).getFunction('balanceOf')(payer.address)
    const before = await balance()
    const { path, ...rest } = order()
    const { status, text } = await buyers[kind](payer, asset, {
      url: `${service.base}/v1/x402/premium/${path}`,
      ...rest,
    })
    expect([status, before - (await balance())], text).toEqual([200, units])
  })
})

describe('on slow blocks', () => {
  const clients = 200
  const impatient = 3
  const givesUpAfterMs = 4_000
  const blockSeconds = 12

  let chain: PaidChain
  let world: PaidWorld
  let running: Child
  let payers: Payer[]
  beforeAll(async () => {
    chain = await startPaidChain()
    world = await createPaidWorld(chain)
    running = await startChild(world.settings)
    payers = []
    while (payers.length < clients) payers.push(await createPayer(chain.node, chain.asset, 10_000n))
    await chain.rpc('evm_setAutomine', false)
    await chain.rpc('evm_setIntervalMining', blockSeconds)
  })
  afterAll(async () => {
    await running?.end('SIGKILL')
    await world?.end()
    await chain?.stop()
  })

  it(`${clients} clients that time out ${impatient} times and sign again each time are charged once each`, async () => {
    const tries: number[] = []
    const buy = async (payer: Payer, index: number): Promise<string> => {
      const id = generatePaymentId()
      const url = world.api.base + fxPath
      const ask = (order: Partial<Order> = {}) =>
        buyers[kinds[index % 2] ?? 'fetch'](payer, chain.asset, { url, body: fxQuestion, id, ...order })
      for (let given = 0; given < impatient; given++)
        await ask({ signal: AbortSignal.timeout(givesUpAfterMs) }).catch(() => 'gave up')
      for (let count = impatient + 1; ; count++) {
        const { status, text } = await ask()
        tries[index] = count
        if (status === 200) return text
        if (status !== 503 && status !== 409) throw new Error(`${status} ${text}`)
        await sleep(500)
      }
    }
    const answers = await Promise.all(payers.map(buy))
    expect(new Set(answers).size).toBeGreaterThan(1)
    expect(Math.min(...tries)).toBeGreaterThan(impatient)
    const left = await Promise.all(payers.map(payer => world.balance(payer)))
    expect(left).toEqual(payers.map(() => 9_000n))
    await expect.poll(() => world.audit()).toEqual([])
  }, 600_000)
})
