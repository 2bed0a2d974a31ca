// Exchange rates through a whole Quittance: with the defaults, and as configured.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { startChain } from '../../src/embedded/chain.ts'
import type { App } from '../../src/kit/context.ts'
import { lookUpRate } from '../../src/modules/fx/lookup.ts'
import type { FxRates } from '../../src/ports/fx-rates.ts'
import { codeOf, failure } from '../kit/failure.ts'
import { type Service, startService } from '../kit/service.ts'

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
    expect(found).toMatchObject({ baseCurrency: 'USD', quoteCurrency: 'FLR', rate: '50' })
    expect(found.source).toMatch(/^chainlink: inverse of FLR\/USD at eip155:31337:0x[0-9a-f]{40}$/)
    expect(found.asOf.getTime()).toBeLessThanOrEqual(Date.now() + 60_000)
    expect(await lookUpRate(app, { baseCurrency: 'flr', quoteCurrency: 'usd', provider: 'chainlink' })).toMatchObject({
      baseCurrency: 'FLR',
      quoteCurrency: 'USD',
      rate: '0.02',
    })
    expect(await lookUpRate(app, { baseCurrency: null, quoteCurrency: null, provider: null })).toMatchObject({
      rate: '50',
    })
  })

  test('the rate of a currency in itself is 1, even for an unknown currency', async () => {
    expect(await lookUpRate(app, { baseCurrency: 'xyz9', quoteCurrency: 'XYZ9' })).toMatchObject({
      rate: '1',
      quoteCurrency: 'XYZ9',
    })
  })

  test('an unknown pair, an unknown provider and an invalid code are different errors', async () => {
    expect(await codeOf(lookUpRate(app, { baseCurrency: 'USD', quoteCurrency: 'XYZ' }))).toBe('fx_pair_unknown')
    const unknown = await failure(lookUpRate(app, { provider: 'oracle' }))
    expect([unknown.code, unknown.issues.map(({ path, type }) => [path, type])]).toEqual([
      'validation_failed',
      [[['provider'], 'enum']],
    ])
    for (const code of ['', 'U', 'USDUSDUSDUSDU', 'U$D', ' USD', 'USD\n', 'ßß', 'ＵＳＤ', '../x']) {
      const error = await failure(lookUpRate(app, { baseCurrency: code }))
      expect([error.code, error.issues[0]?.path], code).toEqual(['validation_failed', ['baseCurrency']])
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
  const pair = (quoteCurrency: string) => ({ baseCurrency: 'AAA', quoteCurrency })

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
    await lookUpRate(one, { baseCurrency: 'FFF', quoteCurrency: 'AAA' })
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
  const folder = await mkdtemp(join(tmpdir(), 'quittance-rates-'))
  const chain = await startChain(folder, pino({ level: 'silent' }))
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
    expect(await lookUpRate(service.app, { baseCurrency: 'XDR', quoteCurrency: 'EUR' })).toMatchObject({
      rate: '0.02',
      source: `chainlink: XDR/EUR at ${feed?.address}`,
    })
    expect(asked).toEqual([])
    expect(await lookUpRate(service.app, { quoteCurrency: 'NOK' })).toMatchObject({
      rate: '10.5',
      source: `http ${new URL(base).host}`,
    })
    expect(await codeOf(lookUpRate(service.app))).toBe('fx_unavailable')
    expect(asked).toEqual(['/USD', '/USD', '/ecb.xml'])
  } finally {
    await service.stop()
    await chain.stop()
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
})
