// The text values that a caller sends: what is accepted, and the one form in which each is stored.
import { z } from 'zod'
import { settlementOf } from './identity.ts'

/** Without the byte order mark that some editors and encoders write before UTF-8. */
export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

const control = /\p{Cc}/u
/** The same rule for JSON Schema, which also demands a visible character. */
const pattern = '^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$'

/** Text of 1 to `max` characters (code points) after trimming, without control characters or lone surrogates. */
export const text = (max = 255) =>
  z
    .string()
    // Checked before trimming, so that control characters such as tabs at the edges are refused, not silently dropped.
    .refine(value => value.isWellFormed() && !control.test(value), {
      error: 'Control characters and lone surrogates are not allowed.',
      params: { type: 'string_not_printable' },
    })
    .transform(value => value.trim())
    .refine(value => value.length > 0, { error: 'Must not be blank.', params: { type: 'string_too_short' } })
    .refine(value => value.length <= max || [...value].length <= max, {
      error: `Must be at most ${max} characters.`,
      params: { type: 'string_too_long' },
    })
    .meta({ graphql: 'String', minLength: 1, maxLength: max, pattern })

/** The same for a settlement: at most one `#`, with digits behind it. */
const settlementPattern =
  '^[^#\\x00-\\x1f\\x7f-\\x9f]*[^#\\s\\x00-\\x1f\\x7f-\\x9f][^#\\x00-\\x1f\\x7f-\\x9f]*(#[0-9]{1,10})?$'

const controlInLines = /[\p{Cc}--[\t\n\r]]/v

/** Multi-line text of 1 to `max` characters (UTF-16 units), stored unchanged. */
export const lines = (max: number) =>
  z
    .string()
    .max(max, `Must be at most ${max} characters.`)
    .refine(value => value.trim() !== '', { error: 'Must not be blank.', params: { type: 'string_too_short' } })
    .refine(value => value.isWellFormed() && !controlInLines.test(value), {
      error: 'Control characters and lone surrogates are not allowed.',
      params: { type: 'string_not_printable' },
    })
    .meta({ graphql: 'String', minLength: 1, maxLength: max })

const hex = /^0x[0-9a-f]+$/i

/** Lower-case when `0x` hex; anything else (base58, bech32 …) keeps its case, which carries meaning there. */
const foldHex = (value: string) => (hex.test(value) ? value.toLowerCase() : value)

/** A wallet or transaction id of any chain: free text, folded to lower-case when it is `0x` hex. */
export const chainText = () =>
  text().transform(foldHex).meta({ graphql: 'String', minLength: 1, maxLength: 255, pattern })

/** A transaction of any chain, or one transfer in it: `0x…#3`. Folded like `chainText`. */
export const settlementText = () =>
  text()
    .refine(value => settlementOf(value) !== null, {
      error: 'After # must be the number of one transfer in the transaction, from 0 to 2147483647.',
      params: { type: 'value_error' },
    })
    .transform(value => value.replace(/^0x[0-9a-f]+(?=#|$)/i, hash => hash.toLowerCase()))
    .meta({ graphql: 'String', minLength: 1, maxLength: 255, pattern: settlementPattern })

/** `0x` and 64 hex digits, any case in, lower-case out: a SHA-256 or a transaction id. */
export const hash32 = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i, 'Must be 0x followed by 64 hex digits.')
  .transform(value => value.toLowerCase())
  .meta({ graphql: 'Hash32', pattern: '^0x[0-9a-fA-F]{64}$' })

/** The address of an account or a contract on an EVM chain; any case in, lower-case out. */
export const evmAddress = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/i, 'Must be 0x followed by 40 hex digits.')
  .transform(value => value.toLowerCase())
  .meta({ graphql: 'Address', pattern: '^0x[0-9a-fA-F]{40}$' })

export const uuid = z
  .guid('Must be a UUID.')
  .transform(value => value.toLowerCase())
  .meta({ graphql: 'ID', format: 'uuid' })

export const httpUrl = z
  .string()
  .max(2048, 'Must be at most 2048 characters.')
  .refine(value => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: 'Must be an absolute http or https URL.',
    params: { type: 'url_parsing' },
  })
  .refine(value => value.isWellFormed() && !control.test(value), {
    error: 'Must be an absolute http or https URL.',
    params: { type: 'url_parsing' },
  })
  .meta({ graphql: 'URL', format: 'uri', maxLength: 2048 })

/** The address of a receiver of events. A password in it would be shown wherever the address is. */
export const receiverUrl = httpUrl.refine(
  value => !URL.canParse(value) || `${new URL(value).username}${new URL(value).password}` === '',
  { error: 'Must have no user and no password.', params: { type: 'value_error' } },
)
