// Payments of one block that are checked together share the request for their receipts, whatever the nodes do.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createPaymentChain } from '../../src/adapters/evm-payment-chain.ts'
import { checkPayments } from '../../src/modules/settlement/check.ts'
import { type PaymentWorld, payer, shop, startPaymentWorld } from '../kit/payment-world.ts'
import { limited, refused } from '../kit/rpc-faults.ts'
import { type Fault, type RpcProxy, startRpcProxy } from '../kit/rpc-proxy.ts'

const perBlock = 12
const receipts = 'eth_getTransactionReceipt'
const allReceipts = 'eth_getBlockReceipts'
let world: PaymentWorld
let proxies: RpcProxy[]

beforeAll(async () => {
  world = await startPaymentWorld(31_347)
  proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(world.anvil.url)))
})
afterEach(() => {
  for (const proxy of proxies) {
    proxy.fault = null
    proxy.requests.length = 0
  }
})
afterAll(async () => {
  await Promise.all((proxies ?? []).map(proxy => proxy.stop()))
  await world?.anvil.stop()
})

const chainOf = (nodes: number) =>
  createPaymentChain({
    name: 'three',
    caip2: world.anvil.caip2,
    rpcUrls: proxies.slice(0, nodes).map(({ url }) => url),
    finality: { confirmations: 1 },
  })

/** Makes payments of 1, 2, 3 … units in one block. Their hashes do not depend on the fee of the block before. */
const payTogether = () =>
  world.together(
    Array.from({ length: perBlock }, (_, n) => ({
      gasPrice: '0xee6b2800',
      to: world.contracts.token,
      data: world.transferOf(BigInt(n + 1) * 1_000_000n),
    })),
  )

const check = (chain: ReturnType<typeof chainOf>, hashes: readonly string[], amountOf = (n: number) => n + 1) =>
  checkPayments(
    chain,
    world.known,
    hashes.map((txKey, n) => ({
      ...{ txKey, currency: 'USDC', amount: String(amountOf(n)), senderKey: payer, receiverKey: shop, assets: [] },
    })),
  )

const resultsOf = (found: Awaited<ReturnType<typeof check>>) => new Set(found.map(one => `${one.status} ${one.grade}`))
const confirmed = new Set(['confirmed proved'])
const asked = (method: string, proxy = proxies[0]) => proxy?.requests.filter(one => one.method === method).length

/** Changes each receipt in the answers about whole blocks. */
const changed =
  (change: (receipt: Record<string, unknown>) => object): Fault =>
  async ({ method }, forward) => {
    if (method !== allReceipts) return { kind: 'honest' }
    const { result } = z.object({ result: z.array(z.record(z.string(), z.unknown())) }).parse(await forward())
    return { kind: 'body', body: { jsonrpc: '2.0', result: result.map(one => ({ ...one, ...change(one) })) } }
  }

it('a batch of one block takes few requests', async () => {
  expect(resultsOf(await check(chainOf(1), await payTogether()))).toEqual(confirmed)
  expect(asked(receipts)).toBeLessThan(perBlock / 2)
  expect(asked(allReceipts)).toBe(1)
})

it('one payment of a large block takes a request of its own', async () => {
  const [first = ''] = await payTogether()
  const chain = chainOf(1)
  expect(resultsOf(await check(chain, [first]))).toEqual(confirmed)
  proxies[0]?.requests.splice(0)
  expect(resultsOf(await check(chain, [first]))).toEqual(confirmed)
  expect([asked(receipts), asked(allReceipts)]).toEqual([1, 0])
})

describe('one of three nodes', () => {
  const lies: Record<string, Fault> = {
    'says that all payments failed': changed(() => ({ status: '0x0' })),
    'hides all transfers': changed(() => ({ logs: [] })),
    'says another fee': changed(() => ({ effectiveGasPrice: '0x1' })),
    'says that they are in another block': changed(() => ({ blockHash: `0x${'7'.repeat(64)}` })),
    'has no such method': limited(refused('the method does not exist', -32_601), { methods: [allReceipts] }),
  }
  it.each(Object.keys(lies))('%s, and is outvoted', async name => {
    const hashes = await payTogether()
    for (const at of [0, 1, 2]) {
      for (const [place, proxy] of proxies.entries()) proxy.fault = place === at ? (lies[name] ?? null) : null
      expect(resultsOf(await check(chainOf(3), hashes)), `node ${at + 1}`).toEqual(confirmed)
    }
  })
})

it('nodes without the method answer for each payment', async () => {
  for (const proxy of proxies) proxy.fault = limited(refused('no such method', -32_601), { methods: [allReceipts] })
  expect(resultsOf(await check(chainOf(3), await payTogether()))).toEqual(new Set(['confirmed observed']))
  expect(asked(receipts)).toBe(perBlock)
})

describe('a block that was known has left the chain', () => {
  let chain: ReturnType<typeof chainOf>
  let hashes: string[]
  let left: string
  beforeEach(async () => {
    chain = chainOf(1)
    const before = await world.anvil.rpc('evm_snapshot')
    hashes = await payTogether()
    left = await latest()
    expect(resultsOf(await check(chain, hashes))).toEqual(confirmed)
    await world.anvil.rpc('evm_revert', before)
  })
  const latest = async () => (await world.anvil.rpc('eth_getBlockByNumber', 'latest', false)).hash

  it('its payments are not found when another one is in its place', async () => {
    await world.together(Array.from({ length: perBlock }, () => ({ to: shop, value: '0x1' })))
    expect(resultsOf(await check(chain, hashes))).toEqual(new Set(['not_found stated']))
  })

  it('its payments are found in the block that has them now', async () => {
    await world.anvil.rpc('evm_increaseTime', 77)
    expect(await payTogether()).toEqual(hashes)
    const now = await latest()
    expect(now).not.toBe(left)
    const found = await check(chain, hashes)
    expect(resultsOf(found)).toEqual(confirmed)
    expect(new Set(found.map(({ transaction }) => transaction?.blockHash))).toEqual(new Set([now]))
  })
})

it('what differs is named also where receipts are shared', async () => {
  const hashes = await payTogether()
  const chain = chainOf(3)
  await check(chain, hashes)
  const found = await check(chain, hashes, n => n + 2)
  expect(resultsOf(found)).toEqual(new Set(['mismatch stated']))
  expect(found[0]?.differences).toEqual([{ field: 'amount', stated: '2', found: '1' }])
})
