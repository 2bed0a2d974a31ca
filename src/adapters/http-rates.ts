// Reads exchange rates from a service that returns JSON; settings say where in the JSON the rate is.
import { isAboveZero, plainDecimal } from '../core/decimal.ts'
import { AppError } from '../core/errors.ts'
import { moment } from '../core/moment.ts'
import { withoutMark } from '../core/text.ts'
import type { FxRates } from '../ports/fx-rates.ts'
import type { OwnFetch } from '../ports/public-fetch.ts'

export type HttpRatesConfig = {
  /** Contains `{base}` and `{quote}` in place of the codes. It may contain a secret, so no error quotes it. */
  url: string
  /** JSON pointer (RFC 6901) to the rate; it may contain `{base}` and `{quote}` too. */
  ratePointer: string
  /**
   * JSON pointer to the rate's time: RFC 3339, a date, or seconds or milliseconds since 1970. Null: the rate is as of
   * now.
   */
  timePointer: string | null
  /** The maximum age of the rate's time. */
  maxAgeSeconds: number
}

// A response with all rates of a service has about 20,000 bytes.
const limits = { maxBytes: 256 * 1024, timeoutMs: 5_000 }
const clockSkewMs = 60_000

export function createHttpRates(config: HttpRatesConfig, fetchOwn: OwnFetch, now = Date.now): FxRates {
  const { host } = new URL(config.url)
  const refused = (why: string, cause?: unknown) =>
    new AppError('fx_unavailable', `The rate service at ${host} ${why}.`, { cause })
  return {
    name: 'http',
    async rate(base, quote) {
      const fill = (text: string) => text.replaceAll('{base}', base).replaceAll('{quote}', quote)
      const options = { ...limits, accept: 'application/json', absent: 'absent' as const }
      const bytes = await fetchOwn(fill(config.url), options).catch(error => {
        throw refused('could not be used', error)
      })
      if (bytes === 'absent') return null
      const content = readJson(bytes)
      if (content === undefined) throw refused('returned no readable response')
      const tokens = tokensOf(config.ratePointer)
      const found = valueAt(content, tokens.map(fill))
      if (found === undefined && isOneOfMany(content, tokens, fill)) return null
      const rate = typeof found === 'string' ? plainDecimal(found) : null
      if (rate === null || !isAboveZero(rate)) throw refused('returned no rate')
      const asOf =
        config.timePointer === null
          ? new Date(now())
          : readTime(valueAt(content, tokensOf(config.timePointer).map(fill)))
      if (asOf === null) throw refused('returned no time for its rate')
      const ageMs = now() - asOf.getTime()
      if (ageMs < -clockSkewMs) throw refused('returned a rate with a future time')
      if (ageMs > config.maxAgeSeconds * 1000) throw refused('returned a rate older than allowed')
      return { rate, source: `http ${host}`, asOf }
    },
  }
}

/**
 * Returns undefined for bytes that are not JSON. Numbers become strings as written, because a JS number would lose
 * digits.
 */
function readJson(bytes: Buffer): unknown {
  const asWritten = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? context?.source : value
  try {
    return JSON.parse(withoutMark(bytes.toString('utf8')), asWritten)
  } catch {
    // A RangeError too, when the JSON is nested too deep for the reviver.
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

/** Returns whether the response lists rates by currency code, and therefore lacks only the rate of this currency. */
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
