// The check of a payment while nodes fail, lag and lie: three nodes in front of one real EVM.
import { toQuantity } from 'ethers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createPaymentChain, type PaymentChainConfig } from '../../src/adapters/evm-payment-chain.ts'
import { checkPayments } from '../../src/modules/settlement/check.ts'
import { type PaymentWorld, payer, shop, startPaymentWorld } from '../kit/payment-world.ts'
import {
  faults,
  headAt,
  lagging,
  limited,
  otherBlocks,
  otherChain,
  otherReceipt,
  refused,
  spoiled,
  status,
} from '../kit/rpc-faults.ts'
import { type Fault, type RpcProxy, startRpcProxy } from '../kit/rpc-proxy.ts'

const units = 12_500_000n
const value = 10n ** 17n
let world: PaymentWorld
let proxies: RpcProxy[]
let tx: string
let other: string
let plain: string
let inside: string

beforeAll(async () => {
  world = await startPaymentWorld(31_342)
  proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(world.anvil.url)))
  other = await world.send(world.contracts.token, world.transferOf(7n))
  plain = await world.pay(shop, value)
  inside = await world.run([world.call(shop, '0x', { value })])
  tx = await world.send(world.contracts.token, world.transferOf(units))
  await world.anvil.mine(2)
})
afterEach(() => {
  for (const proxy of proxies) {
    proxy.fault = null
    proxy.release()
    proxy.requests.length = 0
  }
})
afterAll(async () => {
  await Promise.all((proxies ?? []).map(proxy => proxy.stop()))
  await world?.anvil.stop()
})

/** Sets one fault per node, in order; null means honest. */
function behave(...given: (Fault | null)[]): void {
  for (const [at, proxy] of proxies.entries()) proxy.fault = given[at] ?? null
}
const all = (fault: Fault) => behave(fault, fault, fault)

const chainOf = (nodes = 3, more: Partial<PaymentChainConfig> = {}) =>
  createPaymentChain({
    name: 'three',
    caip2: world.anvil.caip2,
    rpcUrls: proxies.slice(0, nodes).map(({ url }) => url),
    finality: { confirmations: 1 },
    ...more,
  })
type Chain = ReturnType<typeof chainOf>
const token = { currency: 'USDC', amount: '12.5', senderKey: payer, receiverKey: shop }
const native = { ...token, currency: 'ETH', amount: '0.1' }
async function check(chain: Chain, stated: object) {
  const [found] = await checkPayments(chain, world.known, [{ ...token, txKey: tx, assets: [], ...stated }])
  return found
}
const contractPays = () => ({ ...native, txKey: inside, senderKey: world.contracts.batch })

const receipt = 'eth_getTransactionReceipt'
const block = 'eth_getBlockByNumber'
const blockReceipts = 'eth_getBlockReceipts'
const trace = 'debug_traceTransaction'
const items = z.array(z.record(z.string(), z.unknown()))
const answer =
  (of: unknown): Fault =>
  async () => ({ kind: 'body', body: { jsonrpc: '2.0', result: of } })
const only = (fault: Fault, ...methods: string[]) => limited(fault, { methods })

/** Changes each item of a list in the answers of a method. */
const inList =
  (method: string, list: string, change: (item: Record<string, unknown>) => object): Fault =>
  async (question, forward) => {
    if (question.method !== method) return { kind: 'honest' }
    const { result } = z.object({ result: z.looseObject({}) }).parse(await forward())
    const changed = items.parse(result[list]).map(item => ({ ...item, ...change(item) }))
    return { kind: 'body', body: { jsonrpc: '2.0', result: { ...result, [list]: changed } } }
  }
const word = (of: bigint) => `0x${of.toString(16).padStart(64, '0')}`
const otherAmount = inList(receipt, 'logs', () => ({ data: word(units * 2n) }))

describe('one of three nodes', () => {
  const lies: Record<string, () => Fault> = {
    'says that it failed': () => spoiled(receipt, 'status', '0x0'),
    'says another amount': () => otherAmount,
    'says another contract': () => inList(receipt, 'logs', () => ({ address: shop })),
    'hides the transfer': () => spoiled(receipt, 'logs', []),
    'repeats the transfer': () => inList(receipt, 'logs', () => ({ logIndex: '0x9' })),
    'says another time': () => spoiled(block, 'timestamp', '0x1'),
    'says a time that is no date': () => spoiled(block, 'timestamp', '0xffffffffffff'),
    'says another block of the transaction': () => spoiled(receipt, 'blockHash', word(7n)),
    'says another height': () => spoiled(receipt, 'blockNumber', '0x1'),
    'says another hash of the block': () => spoiled(block, 'hash', word(7n)),
    'says another sender': () => inList(block, 'transactions', () => ({ from: shop })),
    'says another fee': () => spoiled(receipt, 'effectiveGasPrice', '0x0'),
    'has another chain of blocks': () => otherBlocks(),
    'answers of another transaction': () => otherReceipt(other),
    'knows nothing': () => only(faults.noResult, receipt, block),
    'has pruned it': () => only(faults.noResult, receipt),
    lags: () => lagging(3),
    'is dead': () => faults.resetBefore,
    'answers 429': () => status(429),
    'answers 500': () => status(500),
    'refuses by -32005': () => refused('limit exceeded', -32005),
    'answers HTML': () => faults.html,
    'cuts its answers off': () => faults.truncated,
    'answers in wrong types': () => faults.wrongTypes,
    'answers another question': () => faults.otherId,
    'answers too much': () => async () => ({ kind: 'raw', status: 200, text: `"${'x'.repeat(9 << 20)}"` }),
    'serves another chain': () => otherChain(1),
    'has no receipts of blocks': () => only(refused('the method does not exist', -32601), blockReceipts),
    'has null for the receipts of blocks': () => only(answer(null), blockReceipts),
    'has none of the receipts of blocks': () => only(answer([]), blockReceipts),
    'has receipts of another block': () => async (question, forward) =>
      question.method === blockReceipts
        ? { kind: 'body', body: await forward({ ...question, params: ['0x1'] }) }
        : { kind: 'honest' },
    'has another header beside the hash': () => spoiled(block, 'stateRoot', word(7n)),
    'has other signatures beside the hashes': () => inList(block, 'transactions', () => ({ s: word(7n) })),
  }
  test.each(Object.entries(lies))('%s: the payment is proved by the others', async (_, fault) => {
    for (const at of [0, 1]) {
      behave(...[0, 1, 2].map(place => (place === at ? fault() : null)))
      expect(await check(chainOf(), {})).toMatchObject({ status: 'confirmed', grade: 'proved', leg: { units } })
    }
  })

  test('hangs: nobody waits for it', async () => {
    behave(null, null, faults.hangBefore)
    expect(await check(chainOf(), {})).toMatchObject({ status: 'confirmed', grade: 'proved' })
  })

  test('invents a payment: it is not believed', async () => {
    behave(otherAmount)
    expect(await check(chainOf(), { amount: '25' })).toMatchObject({
      status: 'mismatch',
      differences: [{ field: 'amount', stated: '25', found: '12.5' }],
    })
    const never = word(99n)
    behave(only(answer({ ...(await world.anvil.rpc(receipt, tx)), transactionHash: never }), receipt))
    expect(await check(chainOf(), { txKey: never })).toMatchObject({ status: 'unavailable', grade: 'stated' })
  })

  test('says that a later block is the newest: nothing becomes final by it', async () => {
    behave(headAt(1_000_000))
    expect(await check(chainOf(3, { finality: { confirmations: 50 } }), {})).toMatchObject({ status: 'not_final' })
  })

  test.each([
    ['other transfers', inList(trace, 'calls', () => ({ value: '0x1' }))],
    ['no transfers', spoiled(trace, 'calls', [])],
    ['a call that failed', spoiled(trace, 'error', 'reverted')],
    ['nonsense', only(answer('0x'), trace)],
    ['nothing, because it does not trace', only(refused('the method does not exist', -32601), trace)],
  ])('traces %s: the others are believed', async (_, fault) => {
    behave(fault)
    expect(await check(chainOf(), contractPays())).toMatchObject({ status: 'confirmed', grade: 'observed' })
  })
})

describe('nodes that say the same in other words', () => {
  const alike: Record<string, Fault> = {
    'no fee': spoiled(receipt, 'effectiveGasPrice'),
    'null for the fee of a roll-up': spoiled(receipt, 'l1Fee', null),
    'addresses with the prefix of XDC': inList(receipt, 'logs', ({ address }) => ({
      address: String(address).replace('0x', 'xdc'),
    })),
  }
  test.each(Object.entries(alike))('%s', async (what, fault) => {
    behave(fault)
    const found = await check(chainOf(1), {})
    expect(found).toMatchObject({ status: 'confirmed', leg: { units } })
    if (what === 'no fee') expect(found?.transaction?.fee).toBeNull()
    else expect(await check(chainOf(3, { quorum: 3 }), {})).toMatchObject({ status: 'confirmed' })
  })
})

describe('all nodes', () => {
  test.each([
    ['have no receipts of blocks', only(refused('the method does not exist', -32601), blockReceipts)],
    ['have wrong receipts of blocks', only(answer([{ status: '0x1' }]), blockReceipts)],
    ['have too many receipts of blocks', only(answer(Array(10_001).fill({})), blockReceipts)],
    ['have another root of receipts', spoiled(block, 'receiptsRoot', word(7n))],
  ])('%s: the payment is observed, and not proved', async (_, fault) => {
    all(fault)
    expect(await check(chainOf(), {})).toMatchObject({ status: 'confirmed', grade: 'observed' })
  })

  test.each([
    ['say that the block left the chain', spoiled(block, 'hash', word(7n))],
    ['have the block without the transaction', spoiled(block, 'transactions', [])],
    ['have no block', only(answer(null), block)],
    ['name the transaction at another place', spoiled(receipt, 'transactionIndex', '0x5')],
    ['number a log beyond all numbers', inList(receipt, 'logs', () => ({ logIndex: '0x80000000' }))],
    ['are too busy', status(429)],
    ['answer nonsense', faults.wrongTypes],
    ['serve another chain', otherChain(1)],
  ])('%s: nothing is said of the payment', async (_, fault) => {
    all(fault)
    const found = await check(chainOf(), {})
    expect(found).toMatchObject({ status: 'unavailable', grade: 'stated', leg: null })
    expect(found?.reason).toMatch(/^[A-Z].+\.$/)
  })

  test('have no such transaction: it is not found, also where a node says so before others', async () => {
    expect(await check(chainOf(), { txKey: word(98n) })).toMatchObject({ status: 'not_found' })
    all(only(answer({ blockHash: null }), receipt))
    expect(await check(chainOf(), {})).toMatchObject({ status: 'not_found' })
  })

  test('do not trace: value inside is unavailable, and plain value is not', async () => {
    all(only(refused('the method does not exist', -32601), trace))
    expect(await check(chainOf(), contractPays())).toMatchObject({ status: 'unavailable' })
    expect(await check(chainOf(), { ...native, txKey: plain })).toMatchObject({ status: 'confirmed', grade: 'proved' })
    expect(await check(chainOf(), { ...native, txKey: plain, amount: '0.2' })).toMatchObject({ status: 'mismatch' })
  })

  test.each(['DELEGATECALL', 'delegatecall', 'CALLCODE', 'STATICCALL'])(
    'trace a %s: it moves nothing, whatever value stands beside it',
    async type => {
      all(inList(trace, 'calls', () => ({ type })))
      expect(await check(chainOf(), contractPays())).toMatchObject({ status: 'mismatch' })
    },
  )

  test('trace a call of a type that nobody knows: nothing is said', async () => {
    all(inList(trace, 'calls', () => ({ type: 'EXTDELEGATECALL' })))
    expect(await check(chainOf(), contractPays())).toMatchObject({ status: 'unavailable' })
  })

  test('trace more transfers than anybody reads: nothing is said', async () => {
    const calls = Array(10_001).fill({ type: 'CALL', from: world.contracts.batch, to: shop, value: toQuantity(value) })
    all(spoiled(trace, 'calls', calls))
    expect(await check(chainOf(), contractPays())).toMatchObject({ status: 'unavailable' })
  })

  test('write null for what a call of a trace has not', async () => {
    all(inList(trace, 'calls', () => ({ error: null, calls: null })))
    expect(await check(chainOf(), contractPays())).toMatchObject({ status: 'confirmed', grade: 'observed' })
  })
})

describe('a quorum', () => {
  test.each([
    ['1 of 1', 1, 1, null, 'confirmed'],
    ['1 of 3, where the others are dead', 3, 1, faults.resetBefore, 'confirmed'],
    ['2 of 3, where the others are dead', 3, 2, faults.resetBefore, 'unavailable'],
    ['2 of 3, where the others know nothing', 3, 2, only(faults.noResult, receipt), 'unavailable'],
    ['2 of 2, where one knows nothing', 2, 2, only(faults.noResult, receipt), 'unavailable'],
    ['2 of 2 that contradict each other', 2, 2, spoiled(receipt, 'status', '0x0'), 'unavailable'],
    ['2 of 2 with other amounts', 2, 2, otherAmount, 'unavailable'],
    ['3 of 3, where two hide the transfer', 3, 3, spoiled(receipt, 'logs', []), 'unavailable'],
    ['3 of 3', 3, 3, null, 'confirmed'],
  ] as const)('%s', async (_, nodes, quorum, fault, expected) => {
    behave(null, fault, fault)
    expect(await check(chainOf(nodes, { quorum }), {})).toMatchObject({ status: expected })
  })

  test('2 of 2 whose traces contradict each other say nothing of value inside', async () => {
    behave(inList(trace, 'calls', () => ({ value: '0x1' })))
    expect(await check(chainOf(2), contractPays())).toMatchObject({ status: 'unavailable' })
  })

  test('a node that is named twice counts once', async () => {
    const [{ url = '' } = {}] = proxies
    expect(chainOf(3, { rpcUrls: [url, url, url] })).toMatchObject({ nodes: 1, quorum: 1 })
  })
})

describe('a block', () => {
  test('is final after as many confirmations as wanted, its own included', async () => {
    const txKey = await world.send(world.contracts.token, world.transferOf(units))
    const chain = chainOf(3, { finality: { confirmations: 3 } })
    for (const expected of ['not_final', 'not_final', 'confirmed']) {
      expect(await check(chain, { txKey })).toMatchObject({ status: expected })
      await world.anvil.mine(1)
    }
  })

  test('is final by what the nodes call safe or finalized', async () => {
    const txKey = await world.send(world.contracts.token, world.transferOf(units))
    const results = async () =>
      Promise.all(
        (['safe', 'finalized'] as const).map(
          async finality => (await check(chainOf(3, { finality }), { txKey }))?.status,
        ),
      )
    expect(await results()).toEqual(['not_final', 'not_final'])
    await world.anvil.mine(40)
    expect(await results()).toEqual(['confirmed', 'not_final'])
    await world.anvil.mine(40)
    expect(await results()).toEqual(['confirmed', 'confirmed'])
  })

  test('of nodes that know no final block is not final', async () => {
    all(async question =>
      question.params[0] === 'finalized' ? answer(null)(question, async () => null) : { kind: 'honest' },
    )
    expect(await check(chainOf(3, { finality: 'finalized' }), {})).toMatchObject({ status: 'not_final' })
  })

  test('that leaves the chain takes its payment with it', async () => {
    const txKey = await world.send(world.contracts.token, world.transferOf(units))
    const chain = chainOf()
    const before = await check(chain, { txKey })
    expect(before).toMatchObject({ status: 'confirmed', grade: 'proved' })
    const { blockNumber = 0, blockHash } = before?.transaction ?? {}
    expect(await chain.block(blockNumber)).toMatchObject({ hash: blockHash, isFinal: true })
    await world.anvil.rpc('anvil_reorg', 1, [])
    expect((await chain.block(blockNumber))?.hash).not.toBe(blockHash)
    expect(await check(chain, { txKey })).toMatchObject({ status: 'not_found', grade: 'stated', proof: null })
  })
})

test('several payments of one transaction take one trace, and those of several few at a time', async () => {
  const txs = await Promise.all(
    Array.from({ length: 12 }, () =>
      world.run([world.call(shop, '0x', { value }), world.call(shop, '0x', { value: 1n })]),
    ),
  )
  proxies[0]?.requests.splice(0)
  let now = 0
  let most = 0
  behave(async ({ method }, forward) => {
    if (method !== trace) return { kind: 'honest' }
    most = Math.max(most, ++now)
    const body = await forward()
    now--
    return { kind: 'body', body }
  })
  const payments = txs.flatMap(txKey => [1, 2].map(() => ({ ...contractPays(), txKey, assets: [] })))
  const found = await checkPayments(chainOf(1), world.known, payments)
  expect(found.map(({ status: of }) => of)).toEqual(payments.map(() => 'confirmed'))
  expect(proxies[0]?.requests.filter(({ method }) => method === trace)).toHaveLength(12)
  expect(most).toBeLessThanOrEqual(4)
})

test('many payments of one block take few requests, and unnamed hashes none', async () => {
  const sent = Array.from({ length: 40 }, (_, at) => ({
    to: world.contracts.token,
    data: world.transferOf(BigInt(at)),
  }))
  const hashes = await world.together(sent)
  const chain = chainOf(1)
  const payments = [...hashes, 'order 17'].map((txKey, at) => ({
    ...token,
    ...{ txKey, amount: `0.0000${String(at).padStart(2, '0')}`, assets: [] },
  }))
  const found = await checkPayments(chain, world.known, payments)
  expect(found.map(({ status: of, grade }) => [of, grade])).toEqual([
    ...hashes.map(() => ['confirmed', 'proved']),
    ['not_found', 'stated'],
  ])
  const asked = proxies[0]?.requests ?? []
  expect(asked.length).toBeLessThanOrEqual(hashes.length + 20)
})
