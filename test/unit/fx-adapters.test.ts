// Rate providers in front of services and nodes that return wrong answers in every way: only plausible rates are
// accepted.
import { createServer, type ServerResponse } from 'node:http'
import { AbiCoder } from 'ethers'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createChainlinkRates, type Feed } from '../../src/adapters/chainlink-rates.ts'
import { createEcbRates } from '../../src/adapters/ecb-rates.ts'
import { createHttpRates, type HttpRatesConfig } from '../../src/adapters/http-rates.ts'
import { fetchOwn } from '../../src/adapters/public-fetch.ts'
import { AppError } from '../../src/core/errors.ts'
import { type Env, EnvError, readEnv } from '../../src/env.ts'
import type { FxRates } from '../../src/ports/fx-rates.ts'
import type { OwnFetch } from '../../src/ports/public-fetch.ts'

type Answer = string | Buffer | number | ((response: ServerResponse, body: string) => void)
let answer: Answer = 404
const asked: string[] = []
const server = createServer(async (request, response) => {
  asked.push(request.url ?? '')
  let body = ''
  for await (const chunk of request) body += chunk
  if (typeof answer === 'function') return answer(response, body)
  if (typeof answer === 'number') response.statusCode = answer
  response.end(typeof answer === 'number' ? 'no' : answer)
})
let base = ''

beforeAll(async () => {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  answer = 404
  asked.length = 0
})

const hasty: OwnFetch = (url, options) => fetchOwn(url, { ...options, timeoutMs: 100 })
const html = '<!doctype html><title>Welcome</title>'
const hangs: Answer = () => undefined
const never: Answer = response => {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const more = () => response.write(chunk, error => error ?? more())
  more()
}
const redirects: Answer = response => response.writeHead(302, { Location: `${base}/elsewhere` }).end()
const noon = Date.parse('2026-03-04T12:00:00Z')

/** Returns the rate, null, or the code of the error; throws any other error. */
async function outcome(rates: FxRates, from = 'USD', to = 'FLR') {
  try {
    const found = await rates.rate(from, to)
    return found === null ? null : found.rate
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}
const messageOf = (rates: FxRates) =>
  rates.rate('USD', 'FLR').then(
    () => '',
    (error: Error) => `${error.message} ${error.stack}`,
  )

describe('an HTTP rate service', () => {
  const http = (change: Partial<HttpRatesConfig> = {}, fetch = fetchOwn) =>
    createHttpRates(
      {
        url: `${base}/v1/{base}?key=secret`,
        ratePointer: '/rates/{quote}',
        timePointer: null,
        maxAgeSeconds: 3600,
        ...change,
      },
      fetch,
      () => noon,
    )

  test('returns the rate at the pointer, and is queried with both codes', async () => {
    answer = '{"rates":{"FLR":50.25}}'
    expect(await http().rate('USD', 'FLR')).toEqual({
      rate: '50.25',
      source: `http ${new URL(base).host}`,
      asOf: new Date(noon),
    })
    expect(asked).toEqual(['/v1/USD?key=secret'])
  })

  test.each([
    ['0.1234567890123456789012345678901234567890', '0.123456789012345678901234567890123456789'],
    ['9007199254740993', '9007199254740993'],
    ['1e-7', '0.0000001'],
    ['1.50E+2', '150'],
    ['"12.500"', '12.5'],
    ['1234567890123456789012345678901234567890', '1234567890123456789012345678901234567890'],
  ])('%s is read digit for digit', async (written, rate) => {
    answer = `{"rates":{"FLR":${written}}}`
    expect(await outcome(http())).toBe(rate)
  })

  const noRates = ['0', '0.00', '-1', '-0', '"-1"', 'null', 'true', '[]', '{}', '[1]', '""', '"1,5"', '"NaN"', '"0x10"']
  const tooLong = ['1e999', '1e-999', '"1e99999999"', '1'.repeat(41), `0.${'1'.repeat(41)}`, `"${'9'.repeat(100_000)}"`]
  test.each([...noRates, ...tooLong])('%.30s is no rate', async written => {
    answer = `{"rates":{"FLR":${written}}}`
    expect(await outcome(http())).toBe('fx_unavailable')
  })

  const broken: [string, Answer][] = [
    ['an HTML page', html],
    ['nothing', ''],
    ['half an answer', '{"rates":{"FLR":1.5'],
    ['NaN, which is not JSON', '{"rates":{"FLR":NaN}}'],
    ['a number above what JS can hold', '{"rates":{"FLR":Infinity}}'],
    ['another shape', '{"error":"rate limit"}'],
    ['a list', '[]'],
    ['a string with the right length', '"FLR"'],
    ['nested without end', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['nested objects without end', `${'{"rates":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
    ['more than 256 KiB', `{"rates":{"FLR":1},"x":"${'x'.repeat(300_000)}"}`],
    ['no end', never],
    ['a redirect', redirects],
    ['500', 500],
    ['429', 429],
  ]
  test.each(broken)('%s is unavailable, and never a rate', async (_, given) => {
    answer = given
    expect(await outcome(http())).toBe('fx_unavailable')
    expect(asked).not.toContain('/elsewhere')
  })

  test('silence ends at the time limit, a missing service fails too, and no error contains the URL with its key', async () => {
    answer = hangs
    expect(await outcome(http({}, hasty))).toBe('fx_unavailable')
    expect(await outcome(http({ url: 'http://127.0.0.1:9/{base}' }))).toBe('fx_unavailable')
    answer = 500
    expect(await messageOf(http())).not.toContain('secret')
  })

  test('the reason of a failure is in the error, for the log alone', async () => {
    const causeOf = (rates: FxRates) =>
      rates.rate('USD', 'FLR').then(
        () => '',
        (error: Error) => [error.message, error.cause instanceof Error ? error.cause.message : error.cause],
      )
    const message = `The rate service at ${new URL(base).host} could not be used.`
    answer = 403
    expect(await causeOf(http())).toEqual([message, 'it answers 403'])
    answer = hangs
    expect(await causeOf(http({}, hasty))).toEqual([message, 'no answer within 100 ms'])
    expect(await causeOf(http({ url: 'http://127.0.0.1:9/{base}' }))).toEqual([
      'The rate service at 127.0.0.1:9 could not be used.',
      expect.stringContaining('ECONNREFUSED'),
    ])
  })

  test('a pair is unknown where the service has no page or no entry for it; inherited property names are no entries', async () => {
    for (const given of [404, 410, '{"rates":{"EUR":1}}', '{"rates":{}}'] as const) {
      answer = given
      expect(await outcome(http())).toBeNull()
    }
    answer = '{"rates":{"EUR":1}}'
    expect(await outcome(http(), 'USD', 'constructor')).toBeNull()
    expect(await outcome(http(), 'USD', '__proto__')).toBeNull()
    // When the pointer names no currency, a missing value is a fault.
    expect(await outcome(http({ url: `${base}/{base}/{quote}`, ratePointer: '/rate' }))).toBe('fx_unavailable')
  })

  test('pointers resolve through lists, escapes and to the whole answer', async () => {
    answer = '{"a/b":[{"~":{"rate":2}}]}'
    expect(await outcome(http({ ratePointer: '/a~1b/0/~0/rate' }))).toBe('2')
    expect(await outcome(http({ ratePointer: '/a~1b/length' }))).toBe('fx_unavailable')
    answer = ' 2.5 '
    expect(await outcome(http({ ratePointer: '' }))).toBe('2.5')
  })

  test.each([
    ['"2026-03-04T11:30:00Z"', '2026-03-04T11:30:00.000Z'],
    ['"2026-03-04T12:30:00+01:00"', '2026-03-04T11:30:00.000Z'],
    ['1772623800', '2026-03-04T11:30:00.000Z'],
    ['"1772623800"', '2026-03-04T11:30:00.000Z'],
    ['1772623800.5', '2026-03-04T11:30:00.500Z'],
    ['1772623800000', '2026-03-04T11:30:00.000Z'],
  ])('the time %s is parsed', async (written, moment) => {
    answer = `{"rates":{"FLR":1},"at":${written}}`
    expect((await http({ timePointer: '/at' }).rate('USD', 'FLR'))?.asOf.toISOString()).toBe(moment)
  })

  test('a date means its first moment, so that no rate appears younger than it is', async () => {
    answer = '{"rates":{"FLR":1},"at":"2026-03-04"}'
    expect(await outcome(http({ timePointer: '/at', maxAgeSeconds: 12 * 3600 }))).toBe('1')
    expect(await outcome(http({ timePointer: '/at', maxAgeSeconds: 12 * 3600 - 1 }))).toBe('fx_unavailable')
  })

  const wrongTimes = [
    '"2026-03-04T10:59:59Z"',
    '"2026-03-04T12:02:00Z"',
    '0',
    '-1',
    '1e9',
    '17726238',
    '17726238000000000',
  ]
  test.each([...wrongTimes, 'null', '"now"', '"2026-02-30"', '"2026-03-04T11:30:00"', '{}', '""'])(
    'a rate of %s is refused as too old, in the future or no time',
    async written => {
      answer = `{"rates":{"FLR":1},"at":${written}}`
      expect(await outcome(http({ timePointer: '/at' }))).toBe('fx_unavailable')
    },
  )

  test('no answer makes it throw anything else, or return an invalid rate', async () => {
    const value = fc.oneof(
      fc.json(),
      fc.string(),
      fc.jsonValue().map(inner => JSON.stringify({ rates: { FLR: inner } })),
    )
    await fc.assert(
      fc.asyncProperty(value, async text => {
        const given: OwnFetch = async () => Buffer.from(text)
        expect(await outcome(http({}, given))).toSatisfy(
          (result: unknown) => result === null || result === 'fx_unavailable' || /^\d+(\.\d+)?$/.test(String(result)),
        )
      }),
    )
  })
})

describe('the reference rates of the ECB', () => {
  const cube = (inner: string, date = '2026-03-03') =>
    `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
	<Cube>
		<Cube time='${date}'>${inner}</Cube>
	</Cube>
</gesmes:Envelope>`
  const rate = (currency: string, value: string) => `<Cube currency='${currency}' rate='${value}'/>`
  const usual = rate('USD', '1.0744') + rate('JPY', '164.59') + rate('GBP', '0.85805')
  let now = noon
  const ecb = (fetch = fetchOwn) => createEcbRates(`${base}/eurofxref-daily.xml`, fetch, () => now)
  beforeEach(() => {
    now = noon
    answer = cube(usual)
  })

  test('are returned directly, inverted, or crossed over the euro and rounded once', async () => {
    const rates = ecb()
    expect(await rates.rate('EUR', 'USD')).toEqual({
      rate: '1.0744',
      source: 'ecb reference rates of 2026-03-03',
      asOf: new Date('2026-03-03T15:00:00Z'),
    })
    expect(await outcome(rates, 'USD', 'EUR')).toBe('0.93075204765450484')
    expect(await outcome(rates, 'GBP', 'JPY')).toBe('191.818658586329468')
    expect([await outcome(rates, 'EUR', 'FLR'), await outcome(rates, 'FLR', 'USD')]).toEqual([null, null])
  })

  test('of a code that is no currency are unknown without a request, so that tokens never wait for the bank', async () => {
    for (const [from, to] of [
      ['USDC', 'EUR'],
      ['EUR', 'C2'],
      ['1INCH', 'ETH2'],
    ] as const) {
      expect(await outcome(ecb(), from, to)).toBeNull()
    }
    expect(asked).toEqual([])
  })

  test('are fetched once an hour by any number of concurrent callers; after a failure once a minute', async () => {
    const rates = ecb()
    await Promise.all(Array.from({ length: 5 }, () => outcome(rates, 'EUR', 'USD')))
    now += 3_599_000
    await outcome(rates, 'USD', 'EUR')
    expect(asked).toHaveLength(1)
    now += 1_000
    answer = 500
    expect(await outcome(rates, 'EUR', 'USD')).toBe('1.0744')
    expect(await outcome(rates, 'EUR', 'USD')).toBe('1.0744')
    expect(asked).toHaveLength(2)
    now += 60_000
    answer = cube(rate('USD', '2'), '2026-03-04')
    expect(await outcome(rates, 'EUR', 'USD')).toBe('2')
    expect(asked).toHaveLength(3)
  })

  test('without a network fail at once for a minute after the first failure', async () => {
    answer = hangs
    const rates = ecb(hasty)
    expect(await outcome(rates, 'EUR', 'USD')).toBe('fx_unavailable')
    expect(await outcome(rates, 'EUR', 'USD')).toBe('fx_unavailable')
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['2026-04-02', '2026-04-07T20:00:00Z', true],
    ['2026-04-02', '2026-04-08T00:00:00Z', false],
    ['2026-03-05', '2026-03-04T23:00:00Z', false],
    ['2026-03-04', '2026-03-04T15:00:00Z', true],
  ])('of %s, requested at %s: usable %s; the age limit just spans Easter', async (date, moment, usable) => {
    now = Date.parse(moment)
    answer = cube(usual, date)
    expect(await outcome(ecb(), 'EUR', 'USD')).toBe(usable ? '1.0744' : 'fx_unavailable')
  })

  test('expire in the cache as well', async () => {
    const rates = ecb()
    expect(await outcome(rates, 'EUR', 'USD')).toBe('1.0744')
    answer = 500
    now += 6 * 86_400_000
    expect(await outcome(rates, 'EUR', 'USD')).toBe('fx_unavailable')
  })

  test('are as of 16:00 in Frankfurt, in summer too', async () => {
    now = Date.parse('2026-07-02T08:00:00Z')
    answer = cube(usual, '2026-07-01')
    expect((await ecb().rate('EUR', 'USD'))?.asOf.toISOString()).toBe('2026-07-01T14:00:00.000Z')
  })

  const doctype = (inner: string) => cube(usual).replace('?>', `?><!DOCTYPE x [${inner}]>`)
  const laughs = Array.from({ length: 20 }, (_, n) => `<!ENTITY l${n + 1} "&l${n};&l${n};&l${n};">`).join('')
  const files: [string, Answer][] = [
    ['an HTML page', html],
    ['nothing', ''],
    ['JSON', '{"rates":{"USD":1}}'],
    ['a file cut short', cube(usual).slice(0, -20)],
    ['two files in one', cube(usual) + cube(usual)],
    ['a document type', doctype('')],
    ['a billion laughs', doctype(`<!ENTITY l0 "ha">${laughs}`).replace('1.0744', '&l20;')],
    ['an external entity', doctype('<!ENTITY x SYSTEM "file:///etc/passwd">').replace('1.0744', '&x;')],
    ['an entity nobody declared', cube(usual).replace('1.0744', '&x;')],
    ['another namespace', cube(usual).replaceAll('/eurofxref"', '/other"')],
    ['a prefix nobody declared', cube(`<x:Cube currency='USD' rate='1'/>`)],
    ['no rates', cube('')],
    [
      'two days, as the file of ninety days has',
      cube(usual).replace('</Cube>\n\t</Cube>', `</Cube><Cube time='2026-03-02'/></Cube>`),
    ],
    ['no date', cube(usual).replace(` time='2026-03-03'`, '')],
    ['a date that is none', cube(usual, '2026-13-40')],
    ['a currency twice', cube(usual + rate('USD', '1.2'))],
    ['the euro itself', cube(usual + rate('EUR', '2'))],
    ['a code that is none', cube(usual + rate('usd', '2'))],
    ['an attribute twice', cube(`<Cube currency='USD' rate='1' rate='2'/>`)],
    ['nested deeper', cube(`<Cube><Cube currency='USD' rate='1'/></Cube>`)],
    ['nested without end', '<a>'.repeat(15_000)],
    ['rates at another place', cube('').replace('</gesmes:subject>', `</gesmes:subject>${usual}`)],
    ['bytes that are no UTF-8', Buffer.concat([Buffer.from(cube(usual)), Buffer.of(0xff)])],
    ['more than 64 KiB', cube(usual + ' '.repeat(70_000))],
    ['no end', never],
    ['a redirect', redirects],
    ...['0', '-1', 'NaN', '', 'N/A', '1,07', ' 1', '1e999', '1'.repeat(41)].map((value): [string, Answer] => [
      `a rate of ${value || 'nothing'}`,
      cube(usual + rate('CHF', value)),
    ]),
  ]
  test.each(files)('%.60s is refused as a whole', async (_, given) => {
    answer = given
    expect(await outcome(ecb(), 'EUR', 'USD')).toBe('fx_unavailable')
    expect(asked).toEqual(['/eurofxref-daily.xml'])
  })

  test('with one letter changed never make it throw anything else', async () => {
    const bytes = Buffer.from(cube(usual))
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, byte) => {
        const changed = Buffer.from(bytes)
        changed[at] = byte
        const result = await outcome(
          ecb(async () => changed),
          'EUR',
          'USD',
        )
        expect(result).toSatisfy(
          (found: unknown) => found === null || found === 'fx_unavailable' || /^[\d.]+$/.test(String(found)),
        )
      }),
      { numRuns: 300 },
    )
  })
})

describe('price feeds of a node that lies', () => {
  const question = z.object({
    id: z.unknown(),
    method: z.string(),
    params: z.array(z.looseObject({ data: z.string().optional() }).or(z.string())),
  })
  const abi = AbiCoder.defaultAbiCoder()
  const decimalsCall = '0x313ce567'
  const seconds = BigInt(noon / 1000)
  type Round = { decimals: bigint; roundId: bigint; answer: bigint; updatedAt: bigint; answeredInRound: bigint }
  const good: Round = { decimals: 8n, roundId: 7n, answer: 2_000_000n, updatedAt: seconds - 60n, answeredInRound: 7n }

  /** `raw`: the result of every call, in place of the round. */
  const feed =
    (change: Partial<Round> = {}, raw?: string): Answer =>
    (response, body) => {
      const { id, method, params } = question.parse(JSON.parse(body))
      const { decimals, roundId, answer, updatedAt, answeredInRound } = { ...good, ...change }
      const [call] = params
      const isDecimals = typeof call === 'object' && call.data === decimalsCall
      const words = isDecimals ? [decimals] : [roundId, answer, updatedAt, updatedAt, answeredInRound]
      const types = isDecimals ? ['uint256'] : ['uint80', 'int256', 'uint256', 'uint256', 'uint80']
      const result = method === 'eth_chainId' ? '0xe' : (raw ?? abi.encode(types, words))
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    }
  const chainlink = (change: Partial<Feed> = {}, chainId: bigint | null = 14n) =>
    createChainlinkRates(
      {
        name: 'flare',
        chainId,
        rpcUrls: [`${base}/secret`],
        feeds: [{ base: 'FLR', quote: 'USD', address: `0x${'ab'.repeat(20)}`, maxAgeSeconds: 3600, ...change }],
      },
      () => noon,
    )

  test('an honest feed is accepted', async () => {
    answer = feed()
    expect(await chainlink().rate('FLR', 'USD')).toEqual({
      rate: '0.02',
      source: `chainlink: FLR/USD at eip155:14:0x${'ab'.repeat(20)}`,
      asOf: new Date(noon - 60_000),
    })
    expect(await outcome(chainlink())).toBe('50')
    expect(await outcome(chainlink(), 'EUR', 'USD')).toBeNull()
  })

  const most = (bits: bigint) => 2n ** bits - 1n
  const lies: [string, Answer][] = [
    ['a price of zero', feed({ answer: 0n })],
    ['a negative price', feed({ answer: -1n })],
    ['the least price there is', feed({ answer: -(2n ** 255n) })],
    ['a price without bounds', feed({ answer: most(255n) })],
    ['a price of more decimals than any has', feed({ decimals: 37n })],
    ['255 decimals', feed({ decimals: 255n })],
    ['a round that never ended', feed({ updatedAt: 0n })],
    ['a round to come', feed({ updatedAt: seconds + 120n })],
    ['a time no date can hold', feed({ updatedAt: most(256n) })],
    ['an answer of an earlier round', feed({ answeredInRound: 6n })],
    ['an answer too old', feed({ updatedAt: seconds - 3601n })],
    ['nothing, as where there is no code', feed({}, '0x')],
    ['one word for all', feed({}, `0x${'00'.repeat(31)}08`)],
    ['words cut short', feed({}, `0x${'01'.repeat(100)}`)],
    ['no hex', feed({}, 'seven')],
    ['an HTML page', html],
    ['nothing at all', ''],
    ['nested without end', '['.repeat(100_000)],
    ['500', 500],
    ['403', 403],
  ]
  test.each(lies)('%s is unavailable, and never a rate', async (_, given) => {
    answer = given
    expect([await outcome(chainlink()), await outcome(chainlink(), 'FLR', 'USD')]).toEqual(
      Array(2).fill('fx_unavailable'),
    )
    expect(await messageOf(chainlink())).not.toContain('secret')
  })

  test('a node of another chain is never used for a price', async () => {
    answer = feed()
    expect(await outcome(chainlink({}, 19n))).toBe('fx_unavailable')
    expect(await outcome(chainlink({}, null))).toBe('50')
  })

  test('a feed without an age limit accepts any age, but no round without a time', async () => {
    for (const updatedAt of [1n, seconds + 1_000_000n]) {
      answer = feed({ updatedAt })
      expect(await outcome(chainlink({ maxAgeSeconds: null }))).toBe('50')
    }
    answer = feed({ updatedAt: 0n })
    expect(await outcome(chainlink({ maxAgeSeconds: null }))).toBe('fx_unavailable')
  })

  test('18 decimals and more are read digit for digit, and inverted to 18 digits', async () => {
    answer = feed({ decimals: 18n, answer: 3_456_123_456_789_012_345_678n })
    expect(await outcome(chainlink(), 'FLR', 'USD')).toBe('3456.123456789012345678')
    expect(await outcome(chainlink())).toBe('0.000289341515863866748')
  })
})

describe('settings', () => {
  const read = (given: Record<string, string>): Env | string[] => {
    try {
      return readEnv(given)
    } catch (error) {
      if (error instanceof EnvError) return error.message.split('\n').map(line => line.trim())
      throw error
    }
  }
  const address = `0x${'Ab'.repeat(20)}`

  test('by default only the ECB and the local chain are used, and off disables the ECB', () => {
    const FX_ECB_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'
    expect(read({})).toMatchObject({ FX_FEEDS: null, FX_RPC_URL: null, rateService: null, FX_ECB_URL })
    expect(read({ FX_ECB_URL: 'off' })).toMatchObject({ FX_ECB_URL: null })
  })

  test('feeds are read with pair, address and age', () => {
    expect(
      read({ FX_FEEDS: `flr/usd=${address}@3600, ETH/USD=${address}@60`, FX_RPC_URL: 'https://a, https://b' }),
    ).toMatchObject({
      FX_FEEDS: [
        { base: 'FLR', quote: 'USD', address: address.toLowerCase(), maxAgeSeconds: 3600 },
        { base: 'ETH', quote: 'USD', address: address.toLowerCase(), maxAgeSeconds: 60 },
      ],
      FX_RPC_URL: ['https://a', 'https://b'],
    })
  })

  test.each([
    [{ FX_FEEDS: `FLR/USD=${address}` }, /^FX_FEEDS must be entries/],
    [{ FX_FEEDS: `FLR/USD=${address}@0` }, /^FX_FEEDS must be entries/],
    [{ FX_FEEDS: `FLR/FLR=${address}@60` }, /^FX_FEEDS must be entries/],
    [{ FX_FEEDS: `FLR-USD=${address}@60` }, /^FX_FEEDS must be entries/],
    [{ FX_FEEDS: 'FLR/USD=0x12@60' }, /^FX_FEEDS must be entries/],
    [{ FX_RPC_URL: 'https://a' }, /^FX_FEEDS is missing/],
    [{ FX_HTTP_URL: 'https://a/{base}/{quote}' }, /^FX_HTTP_RATE_POINTER is missing/],
    [{ FX_HTTP_TIME_POINTER: '/at' }, /^FX_HTTP_URL is missing/],
    [{ FX_HTTP_URL: 'https://a/{base}', FX_HTTP_RATE_POINTER: '/rate' }, /must name \{base\} and \{quote\}/],
    [{ FX_HTTP_URL: 'https://{base}.a/{quote}', FX_HTTP_RATE_POINTER: '/rate' }, /^FX_HTTP_URL must be a URL/],
    [{ FX_HTTP_URL: 'https://a/{base}{quote}', FX_HTTP_RATE_POINTER: 'rate' }, /^FX_HTTP_RATE_POINTER must be a JSON/],
    [{ FX_ECB_URL: 'never' }, /^FX_ECB_URL must be a URL, or off/],
  ])('%o is a fault whose message says what to do', (given, fault) => {
    expect(read(given)).toEqual(expect.arrayContaining([expect.stringMatching(fault)]))
  })
})
