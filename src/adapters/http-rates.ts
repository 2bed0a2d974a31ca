// Rates from any service that answers a GET with JSON: where the rate stands in it is configured.
import { isAboveZero, plainDecimal } from '../core/decimal.ts'
import { AppError } from '../core/errors.ts'
import { moment } from '../core/moment.ts'
import type { FxRates } from '../ports/fx-rates.ts'
import type { PublicFetch } from '../ports/public-fetch.ts'

export type HttpRatesConfig = {
  /** With `{base}` and `{quote}` where the codes stand. May carry a secret and stays out of every error. */
  url: string
  /** JSON pointer (RFC 6901) to the rate, which may name `{base}` and `{quote}` too. */
  ratePointer: string
  /** To its time: RFC 3339, a date, or seconds or milliseconds since 1970. Null: the rate is as of now. */
  timePointer: string | null
  /** How old that time may be. */
  maxAgeSeconds: number
}

// A service that lists all its rates needs some twenty thousand bytes.
const limits = { maxBytes: 256 * 1024, timeoutMs: 5_000 }
const clockSkewMs = 60_000

export function createHttpRates(config: HttpRatesConfig, fetchPublic: PublicFetch, now = Date.now): FxRates {
  const { host } = new URL(config.url)
  const refused = (why: string) => new AppError('fx_unavailable', `The rate service at ${host} ${why}.`)
  return {
    name: 'http',
    async rate(base, quote) {
      const fill = (text: string) => text.replaceAll('{base}', base).replaceAll('{quote}', quote)
      const bytes = await fetchPublic(fill(config.url), { ...limits, accept: 'application/json', absent: 'absent' })
      if (bytes === 'absent') return null
      const content = bytes === null ? undefined : readJson(bytes)
      if (content === undefined) throw refused('gave no answer that can be read')
      const tokens = tokensOf(config.ratePointer)
      const found = valueAt(content, tokens.map(fill))
      if (found === undefined && isOneOfMany(content, tokens, fill)) return null
      const rate = typeof found === 'string' ? plainDecimal(found) : null
      if (rate === null || !isAboveZero(rate)) throw refused('gave no rate')
      const asOf =
        config.timePointer === null
          ? new Date(now())
          : readTime(valueAt(content, tokensOf(config.timePointer).map(fill)))
      if (asOf === null) throw refused('does not say when its rate was true')
      const ageMs = now() - asOf.getTime()
      if (ageMs < -clockSkewMs) throw refused('gave a rate of the future')
      if (ageMs > config.maxAgeSeconds * 1000) throw refused('gave a rate older than allowed')
      return { rate, source: `http ${host}`, asOf }
    },
  }
}

/** Undefined when it is no JSON. Numbers come as they are written, because a JS number would lose digits. */
function readJson(bytes: Buffer): unknown {
  const asWritten = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? context?.source : value
  try {
    return JSON.parse(bytes.toString('utf8'), asWritten)
  } catch {
    // Also a RangeError, where it is nested too deep to be walked through.
    return undefined
  }
}

const tokensOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))

const isObject = (value: unknown) => typeof value === 'object' && value !== null

function valueAt(content: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce<unknown>(
    (value, token) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, token)
        ? Reflect.get(value, token)
        : undefined,
    content,
  )
}

/** Whether the place is there in which this service keeps a rate under the name of its currency. */
function isOneOfMany(content: unknown, tokens: readonly string[], fill: (text: string) => string): boolean {
  const last = tokens.at(-1) ?? ''
  return fill(last) !== last && isObject(valueAt(content, tokens.slice(0, -1).map(fill)))
}

function readTime(value: unknown): Date | null {
  if (typeof value !== 'string') return null
  if (/^\d{9,10}(\.\d{1,9})?$/.test(value)) return new Date(Number(value) * 1000)
  if (/^\d{12,13}$/.test(value)) return new Date(Number(value))
  return moment.safeParse(value).success ? new Date(value) : null
}
