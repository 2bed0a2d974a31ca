// Rates from price feed contracts on a real chain.
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Contract, ContractFactory, JsonRpcProvider, type Signer } from 'ethers'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import priceFeed from '../../contracts/PriceFeed.json' with { type: 'json' }
import { createChainlinkRates, type Feed } from '../../src/adapters/chainlink-rates.ts'
import { endAnvil, openAnvil, rpcAt } from '../../src/embedded/anvil.ts'
import { type EmbeddedChain, startChain } from '../../src/embedded/chain.ts'
import { keepState } from '../../src/embedded/chain-state.ts'
import { codeOf, failure } from '../kit/failure.ts'

const log = pino({ level: 'silent' })
let folder: string

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'quittance-feeds-')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('feeds on a chain', () => {
  let local: EmbeddedChain
  let node: JsonRpcProvider
  let owner: Signer
  const now = () => Date.now()

  beforeAll(async () => {
    local = await startChain(join(folder, 'feeds'), log)
    node = new JsonRpcProvider(local.rpcUrl, local.chainId, { staticNetwork: true, cacheTimeout: -1 })
    owner = await node.getSigner(5)
  })
  afterAll(async () => {
    node?.destroy()
    await local?.stop()
  })

  async function publish(base: string, quote: string, decimals: number, price: bigint): Promise<Feed> {
    const factory = new ContractFactory(priceFeed.abi, priceFeed.bytecode, owner)
    const deployed = await factory.deploy(`${base} / ${quote}`, decimals, await owner.getAddress(), price)
    await deployed.waitForDeployment()
    return { base, quote, address: String(await deployed.getAddress()).toLowerCase(), maxAgeSeconds: 3600 }
  }
  const contractAt = (address: string, as: Signer = owner) => new Contract(address, priceFeed.abi, as)
  async function setPrice({ address }: Feed, price: bigint): Promise<void> {
    const sent = await contractAt(address).getFunction('setAnswer')(price)
    await sent.wait()
  }
  const rates = (feeds: Feed[], clock = now, chainId: bigint | null = 31_337n) =>
    createChainlinkRates({ name: 'local', chainId, rpcUrls: [local.rpcUrl], feeds }, clock)

  test('a price is returned directly, inverted, or crossed over a common currency with the older of the two times', async () => {
    const flr = await publish('FLR', 'USD', 8, 1_234_567n)
    await node.send('evm_increaseTime', [30])
    const eth = await publish('ETH', 'USD', 18, 3_456_120_000_000_000_000_000n)
    const all = rates([flr, eth], () => Date.now() + 30_000)
    const direct = await all.rate('FLR', 'USD')
    expect(direct).toMatchObject({ rate: '0.01234567', source: `chainlink: FLR/USD at eip155:31337:${flr.address}` })
    expect(await all.rate('USD', 'FLR')).toMatchObject({ rate: '81.0000591300431649' })
    const crossed = await all.rate('ETH', 'FLR')
    expect(crossed).toEqual({
      rate: '279945.924360524783',
      source: `chainlink: ETH/USD at eip155:31337:${eth.address} and inverse of FLR/USD at eip155:31337:${flr.address}`,
      asOf: direct?.asOf,
    })
    expect((await all.rate('ETH', 'USD'))?.asOf.getTime()).toBeGreaterThan(direct?.asOf.getTime() ?? Infinity)
    expect([await all.rate('FLR', 'EUR'), await all.rate('EUR', 'GBP')]).toEqual([null, null])
  })

  test('a new price replaces the old one; a negative price and none are refused until there is a better one', async () => {
    const feed = await publish('FLR', 'USD', 8, 2_000_000n)
    const clock = () => Date.now() + 60_000
    for (const price of [-1n, 0n, -(2n ** 255n)]) {
      await setPrice(feed, price)
      expect(await codeOf(rates([feed], clock).rate('USD', 'FLR'))).toBe('fx_unavailable')
    }
    await setPrice(feed, 2_500_000n)
    expect(await rates([feed], clock).rate('USD', 'FLR')).toMatchObject({ rate: '40' })
  })

  test('a price older than its pair allows is refused, to the second', async () => {
    const feed = await publish('FLR', 'USD', 8, 2_000_000n)
    const updated = Number((await contractAt(feed.address).getFunction('latestRoundData')())[3]) * 1000
    expect(await rates([feed], () => updated + 3_600_000).rate('FLR', 'USD')).toMatchObject({ asOf: new Date(updated) })
    const error = await failure(rates([feed], () => updated + 3_601_000).rate('FLR', 'USD'))
    expect([error.code, error.message]).toEqual([
      'fx_unavailable',
      'The price feed of FLR/USD has an answer older than allowed.',
    ])
    expect(await rates([{ ...feed, maxAgeSeconds: null }], () => updated + 1e12).rate('FLR', 'USD')).not.toBeNull()
    expect(await codeOf(rates([feed], () => updated - 61_000).rate('FLR', 'USD'))).toBe('fx_unavailable')
  })

  test('an address without code, with another contract, or on another chain is refused', async () => {
    const feed = await publish('FLR', 'USD', 8, 2_000_000n)
    for (const address of [`0x${'12'.repeat(20)}`, local.contract, await owner.getAddress()]) {
      expect(await codeOf(rates([{ ...feed, address }]).rate('FLR', 'USD'))).toBe('fx_unavailable')
    }
    const error = await failure(rates([feed], now, 14n).rate('FLR', 'USD'))
    expect([error.code, String(error.cause)]).toEqual([
      'fx_unavailable',
      expect.stringMatching(/serves eip155:31337, not/),
    ])
  })

  test('a pair is calculated over another path where one cannot be used', async () => {
    const direct = await publish('ETH', 'FLR', 8, -1n)
    const flr = await publish('FLR', 'USD', 8, 2_000_000n)
    const eth = await publish('ETH', 'USD', 8, 400_000_000n)
    expect(await rates([direct, flr, eth], () => Date.now() + 60_000).rate('ETH', 'FLR')).toMatchObject({ rate: '200' })
  })

  test('only the owner sets a price, and the feed keeps no earlier rounds', async () => {
    const { address } = await publish('FLR', 'USD', 8, 2_000_000n)
    const stranger = contractAt(address, await node.getSigner(6))
    await expect(stranger.getFunction('setAnswer')(1n)).rejects.toThrow(/revert/)
    const read = (name: string, ...args: unknown[]) => contractAt(address).getFunction(name)(...args)
    expect([await read('description'), await read('decimals'), await read('version')]).toEqual(['FLR / USD', 8n, 1n])
    expect(await read('latestRoundData')).toEqual(await read('getRoundData', 1n))
    for (const round of [0n, 2n]) await expect(read('getRoundData', round)).rejects.toThrow(/NoDataPresent/)
  })
})

test('a chain state without a price feed gets one, once; its contract and blocks stay', async () => {
  const home = join(folder, 'old')
  const stateFile = join(home, 'state.json')
  const fresh = await startChain(join(folder, 'other'), log)
  await fresh.stop()

  // An older chain state: our contract, and then other transactions of account 0.
  await mkdir(home)
  const { pid, port } = await openAnvil(home, stateFile)
  const old = rpcAt(port, 10_000)
  const [from, to] = z.array(z.string()).parse(await old('eth_accounts'))
  await old('eth_sendTransaction', [{ from, data: evidenceAnchor.bytecode }])
  await old('eth_sendTransaction', [{ from, to, value: '0x1' }])
  await old('anvil_mine', ['0x3'])
  const keeper = keepState(stateFile, old, log)
  await keeper.save()
  keeper.end()
  await endAnvil(pid, home)

  const heads: unknown[] = []
  for (const _ of ['upgraded', 'again']) {
    const chain = await startChain(home, log)
    const rpc = rpcAt(Number(new URL(chain.rpcUrl).port), 10_000)
    expect([chain.contract, chain.feeds]).toEqual([fresh.contract, fresh.feeds])
    heads.push(await rpc('eth_blockNumber'))
    const feeds = chain.feeds.map(feed => ({ ...feed, maxAgeSeconds: null }))
    const rates = createChainlinkRates({ name: 'local', chainId: 31_337n, rpcUrls: [chain.rpcUrl], feeds })
    expect(await rates.rate('FLR', 'USD')).toMatchObject({ rate: '0.02' })
    await chain.stop()
  }
  expect(heads).toEqual(['0x6', '0x6'])
})
