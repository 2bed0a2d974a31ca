// Rates from price feed contracts on a real chain, and through a whole Quittance: with the defaults, and as configured.
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Contract, ContractFactory, JsonRpcProvider, type Signer } from 'ethers'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import priceFeed from '../../contracts/PriceFeed.json' with { type: 'json' }
import { createChainlinkRates, type Feed } from '../../src/adapters/chainlink-rates.ts'
import { AppError } from '../../src/core/errors.ts'
import { endAnvil, openAnvil, rpcAt } from '../../src/embedded/anvil.ts'
import { type EmbeddedChain, startChain } from '../../src/embedded/chain.ts'
import { keepState } from '../../src/embedded/chain-state.ts'
import type { App } from '../../src/kit/context.ts'
import { lookUpRate } from '../../src/modules/fx/lookup.ts'
import type { FxRates } from '../../src/ports/fx-rates.ts'
import { type Service, startService } from '../kit/service.ts'

const log = pino({ level: 'silent' })
let folder: string

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'quittance-feeds-')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function failure(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    value => `no error but ${JSON.stringify(value)}`,
    (thrown: unknown) => thrown,
  )
  if (error instanceof AppError) return error
  throw error
}
const codeOf = async (promise: Promise<unknown>) => (await failure(promise)).code

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
    expect([error.code, error.message]).toEqual(['fx_unavailable', 'The price feed of FLR/USD is older than allowed.'])
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

describe('looking up a rate', () => {
  let service: Service
  let app: App
  beforeAll(async () => {
    service = await startService({ FX_ECB_URL: 'off', LOG_LEVEL: 'silent' })
    app = service.app
  })
  afterAll(() => service?.stop())

  test('dollars in FLR need no configuration: the local chain has a feed, and the source names it', async () => {
    const found = await lookUpRate(app)
    expect(found).toMatchObject({ baseCcy: 'USD', quoteCcy: 'FLR', rate: '50' })
    expect(found.source).toMatch(/^chainlink: inverse of FLR\/USD at eip155:31337:0x[0-9a-f]{40}$/)
    expect(found.asOf.getTime()).toBeLessThanOrEqual(Date.now() + 60_000)
    expect(await lookUpRate(app, { baseCcy: 'flr', quoteCcy: 'usd', provider: 'chainlink' })).toMatchObject({
      baseCcy: 'FLR',
      quoteCcy: 'USD',
      rate: '0.02',
    })
    expect(await lookUpRate(app, { baseCcy: null, quoteCcy: null, provider: null })).toMatchObject({ rate: '50' })
  })

  test('the rate of a currency in itself is 1, even for an unknown currency', async () => {
    expect(await lookUpRate(app, { baseCcy: 'xyz9', quoteCcy: 'XYZ9' })).toMatchObject({ rate: '1', quoteCcy: 'XYZ9' })
  })

  test('an unknown pair, an unknown provider and an invalid code are different errors', async () => {
    expect(await codeOf(lookUpRate(app, { baseCcy: 'USD', quoteCcy: 'XYZ' }))).toBe('fx_pair_unknown')
    const unknown = await failure(lookUpRate(app, { provider: 'oracle' }))
    expect([unknown.code, unknown.issues.map(({ path, type }) => [path, type])]).toEqual([
      'validation_failed',
      [[['provider'], 'enum']],
    ])
    for (const code of ['', 'U', 'USDUSDUSDUSDU', 'U$D', ' USD', 'USD\n', 'ßß', 'ＵＳＤ', '../x']) {
      const error = await failure(lookUpRate(app, { baseCcy: code }))
      expect([error.code, error.issues[0]?.path], code).toEqual(['validation_failed', ['baseCcy']])
    }
  })

  const asked: string[] = []
  const provider = (name: string, answer: () => string | null): FxRates => ({
    name,
    rate: async (base, quote) => {
      asked.push(`${name} ${base}/${quote}`)
      const rate = answer()
      return rate === null ? null : { rate, source: name, asOf: new Date(0) }
    },
  })
  const broken = (name: string) =>
    provider(name, () => {
      throw new AppError('fx_unavailable', `${name} is down`)
    })
  const withRates = (...fxRates: FxRates[]): App => ({ ...app, fxRates })
  const pair = (quoteCcy: string) => ({ baseCcy: 'AAA', quoteCcy })

  test('providers are queried in order until one knows the pair; one that is down is skipped, and reported if no other knows it', async () => {
    const ignorant = provider('ignorant', () => null)
    const knowing = provider('knowing', () => '7')
    const late = provider('late', () => '8')
    asked.length = 0
    expect(await lookUpRate(withRates(ignorant, knowing, late), pair('BBB'))).toMatchObject({
      rate: '7',
      source: 'knowing',
    })
    expect(asked).toEqual(['ignorant AAA/BBB', 'knowing AAA/BBB'])
    expect(await lookUpRate(withRates(broken('down'), knowing), pair('CCC'))).toMatchObject({ rate: '7' })
    const down = await failure(lookUpRate(withRates(ignorant, broken('down'), broken('worse')), pair('DDD')))
    expect([down.code, down.message, down.retryAfterSeconds]).toEqual(['fx_unavailable', 'down is down', 5])
    expect(await codeOf(lookUpRate(withRates(ignorant), pair('DDD')))).toBe('fx_pair_unknown')
    expect(await codeOf(lookUpRate(withRates(), pair('DDD')))).toBe('fx_pair_unknown')
    // A request that names a provider is never answered by another one.
    const named = lookUpRate(withRates(broken('down'), knowing), { ...pair('EEE'), provider: 'down' })
    expect(await codeOf(named)).toBe('fx_unavailable')
  })

  test('concurrent queries for the same pair are sent once, and a failure is not cached', async () => {
    let fails = true
    const counted = provider('counted', () => {
      if (fails) throw new AppError('fx_unavailable')
      return '3'
    })
    const one = withRates(counted)
    asked.length = 0
    const together = await Promise.all(Array.from({ length: 20 }, () => codeOf(lookUpRate(one, pair('FFF')))))
    expect([new Set(together), asked.length]).toEqual([new Set(['fx_unavailable']), 1])
    fails = false
    for (const _ of Array(20)) expect(await lookUpRate(one, pair('FFF'))).toMatchObject({ rate: '3' })
    expect(asked).toHaveLength(2)
    await lookUpRate(one, { baseCcy: 'FFF', quoteCcy: 'AAA' })
    expect(asked).toHaveLength(3)
  })
})

test('configured providers are used in order: feeds of another node, then an HTTP service, then the ECB', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('{"rates":{"NOK":10.5},"at":"2000-01-01"}')
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const chain = await startChain(join(folder, 'configured'), log)
  const [feed] = chain.feeds
  const service = await startService({
    FX_FEEDS: `xdr/eur=${feed?.address}@3600`,
    FX_RPC_URL: chain.rpcUrl,
    FX_HTTP_URL: `${base}/{base}`,
    FX_HTTP_RATE_POINTER: '/rates/{quote}',
    FX_ECB_URL: `${base}/ecb.xml`,
    ALLOW_PRIVATE_TARGETS: 'true',
    LOG_LEVEL: 'silent',
  })
  try {
    expect(service.app.fxRates.map(({ name }) => name)).toEqual(['chainlink', 'http', 'ecb'])
    expect(await lookUpRate(service.app, { baseCcy: 'XDR', quoteCcy: 'EUR' })).toMatchObject({
      rate: '0.02',
      source: `chainlink: XDR/EUR at ${feed?.address}`,
    })
    expect(asked).toEqual([])
    expect(await lookUpRate(service.app, { quoteCcy: 'NOK' })).toMatchObject({
      rate: '10.5',
      source: `http ${new URL(base).host}`,
    })
    expect(await codeOf(lookUpRate(service.app))).toBe('fx_unavailable')
    expect(asked).toEqual(['/USD', '/USD', '/ecb.xml'])
  } finally {
    await service.stop()
    await chain.stop()
    server.close()
  }
})
