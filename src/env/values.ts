// The formats of settings, and the messages of their faults.
import { z } from 'zod'
import type { NamedKey } from '../kit/context.ts'
import { secretUrl } from './secret.ts'

/** Makes a setting optional: null when it is not set. */
export const orNull = <Type extends z.ZodType>(type: Type) => type.optional().transform(value => value ?? null)

export const url = (protocols: RegExp) =>
  z.string().refine(value => URL.canParse(value) && protocols.test(value), 'must be a URL')
export const baseUrl = orNull(url(/^https?:\/\//).transform(value => value.replace(/\/+$/, '')))
/** A URL without credentials, because they would be shown wherever the URL is. */
export const bareUrl = orNull(
  z
    .string()
    .refine(
      value => /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(value) && URL.canParse(value),
      'must be a URL without credentials and query',
    )
    .transform(value => value.replace(/\/+$/, '')),
)
export const evmAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
  .transform(value => value.toLowerCase())
const secp256k1Order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
export const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, { error: 'must be 0x and 64 hex digits', abort: true })
  .refine(key => BigInt(key) > 0n && BigInt(key) < secp256k1Order, 'is no private key')
/** Comma-separated. */
export const list = z.string().transform(value =>
  value
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== ''),
)
/** URLs of nodes often contain a key. */
export const nodeUrls = secretUrl(orNull(list.pipe(z.array(url(/^https?:\/\//)).min(1))))

/** `2026b:…,2026a:…`: the name of each key and its 32 bytes in base64. */
export const namedKeys = list.transform((entries, { addIssue }): NamedKey[] => {
  const keys = entries.map(entry => {
    const [, id = '', base64 = ''] = /^([A-Za-z0-9._-]{1,40}):([A-Za-z0-9+/]{43}=)$/.exec(entry) ?? []
    return { id, key: Buffer.from(base64, 'base64') }
  })
  const isValid = keys.every(({ id }) => id !== '') && new Set(keys.map(({ id }) => id)).size === keys.length
  if (!isValid || keys.length === 0) addIssue('must be names, each once, and 32 bytes in base64, such as 2026a:…')
  return keys
})

export const flag = z.enum(['true', 'false']).transform(value => value === 'true')
export const natural = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number)
export const atLeastOne = natural.refine(n => n >= 1, 'must be at least 1')

/** The settings that have a value. */
export type RawSettings = Readonly<Record<string, string>>

export const isAnyOf = (raw: RawSettings, names: readonly string[]): boolean =>
  names.some(name => raw[name] !== undefined)

export const missing = (raw: RawSettings, names: readonly string[], why: string): string[] =>
  names.filter(name => raw[name] === undefined).map(name => `${name} is missing: ${why}`)

/** Returns a fault for each missing setting if at least one, but not all, of them are given. */
export const incomplete = (raw: RawSettings, names: readonly string[], why: string): string[] =>
  isAnyOf(raw, names) ? missing(raw, names, why) : []
