// The settings of exchange rates.
import { z } from 'zod'
import { secretUrl } from './secret.ts'
import { atLeastOne, list, missing, nodeUrls, orNull, type RawSettings, url } from './values.ts'

const feed = /^([A-Z0-9]{2,12})\/([A-Z0-9]{2,12})=(0X[0-9A-F]{40})@([1-9]\d{0,8})$/
/** `FLR/USD=0x…@3600`: the feed of what one FLR is worth in USD; its answer may be at most an hour old. */
const feeds = list.transform((entries, { addIssue }) =>
  entries.map(entry => {
    const [, base = '', quote = '', address = '', age] = feed.exec(entry.toUpperCase()) ?? []
    if (base === quote)
      addIssue('must be entries such as FLR/USD=0x…@3600: pair, address, seconds an answer may be old')
    return { base, quote, address: address.toLowerCase(), maxAgeSeconds: Number(age) }
  }),
)
const jsonPointer = z.string().regex(/^(\/([^~]|~[01])*)*$/, 'must be a JSON pointer such as /rates/{quote}')

export const rateVariables = {
  /** Price feeds on a chain. Null: those of the embedded chain, if that chain is used. */
  FX_FEEDS: orNull(feeds),
  /** Nodes from which the feeds are read; null: those of the first anchoring chain. */
  FX_RPC_URL: nodeUrls,
  FX_HTTP_URL: secretUrl(url(/^https?:\/\/[^/?#{}]+([/?]|$)/).optional()),
  FX_HTTP_RATE_POINTER: jsonPointer.optional(),
  FX_HTTP_TIME_POINTER: orNull(jsonPointer),
  FX_HTTP_MAX_AGE_SECONDS: atLeastOne.default(86_400),
  FX_ECB_URL: secretUrl(
    z
      .string()
      .refine(value => value === 'off' || (URL.canParse(value) && /^https?:\/\//.test(value)), 'must be a URL, or off')
      .default('https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml')
      .transform(value => (value === 'off' ? null : value)),
  ),
}
const variables = z.object(rateVariables)

const overHttp = ['FX_HTTP_URL', 'FX_HTTP_RATE_POINTER']

export function rateFaults(raw: RawSettings): string[] {
  const faults =
    raw.FX_RPC_URL === undefined ? [] : missing(raw, ['FX_FEEDS'], 'without it nothing is read from FX_RPC_URL')
  if (!Object.keys(raw).some(name => name.startsWith('FX_HTTP_'))) return faults
  const named = overHttp.map(name => raw[name] ?? '{base}{quote}').join(' ')
  return [
    ...faults,
    ...missing(raw, overHttp, 'a service of rates needs both of these'),
    // Without these placeholders, every pair would have the same rate.
    ...(named.includes('{base}') && named.includes('{quote}')
      ? []
      : ['FX_HTTP_URL and FX_HTTP_RATE_POINTER must name {base} and {quote} between them']),
  ]
}

/** Returns the service of rates; null: none. */
export const readRateService = (data: z.output<typeof variables>) =>
  data.FX_HTTP_URL !== undefined && data.FX_HTTP_RATE_POINTER !== undefined
    ? {
        url: data.FX_HTTP_URL,
        ratePointer: data.FX_HTTP_RATE_POINTER,
        timePointer: data.FX_HTTP_TIME_POINTER,
        maxAgeSeconds: data.FX_HTTP_MAX_AGE_SECONDS,
      }
    : null
