// Fits values into the narrow standard elements (slots) of ISO 20022. No function may fail for any text: a value that
// does not fit is cut, or replaced by a handle made of its hash. OnChainPayment carries the exact value.
import { hash } from 'node:crypto'
import { isAboveZero } from '../../core/decimal.ts'
import { minorUnitOf } from '../../core/iso-text.ts'
import { carryable, cut } from './xml.ts'

const sha256Hex = (text: string) => hash('sha256', text, 'hex')

/** 128 bits of SHA-256(UTF-8) behind a prefix; with a prefix of up to 3 characters it fits Max35Text. */
const handle = (prefix: string, text: string) => prefix + sha256Hex(text).slice(0, 32)

/** Returns text for a slot of `max` characters; NOTPROVIDED for '', because the schema requires a character. */
export const slotText = (text: string, max: number): string => cut(carryable(text), max) || 'NOTPROVIDED'

/** Returns a Max35Text id. A UUID has 36 characters, so a prefix of up to 3 for the kind of id replaces its dashes. */
export const slotId = (prefix: string, uuid: string): string => prefix + uuid.replaceAll('-', '')

const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Returns a UETR: the text if it is a lower-case UUIDv4, as receipt ids are, else a v4-shaped SHA-256 of the text. */
export function receiptUetr(text: string): string {
  if (v4.test(text)) return text
  const hex = sha256Hex(text)
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const swiftX = /^[A-Za-z0-9/\-?:().,'+ ]{1,35}$/
const swiftTrap = /^[/ ]|[/ ]$|\/\/|^RH-[0-9a-f]{32}$/

/** Returns EndToEndId: the reference if every payment system can carry it, else `RH-` and 32 hex digits of SHA-256. */
export const endToEndId = (reference: string): string =>
  // A reference that looks like a handle is hashed too, so that no reference can pose as another's handle.
  swiftX.test(reference) && !swiftTrap.test(reference) ? reference : handle('RH-', reference)

/** Returns a label for a Max35Text slot: verbatim if it fits, else the prefix and 32 hex digits of its SHA-256. */
export const label35 = (prefix: string, text: string): string =>
  text.length >= 1 && text.length <= 35 && carryable(text) === text ? text : handle(prefix, text)

/** The identity of an account, however wallet and chain are written: keys of src/core/identity.ts, and the label. */
export type AccountKey = { walletKey: string; chainKey: string; currency: string }

/** Returns the Max34Text id of the account of a wallet, chain and asset, none of which can contain a line break. */
export const accountId = ({ walletKey, chainKey, currency }: AccountKey): string =>
  handle('A-', [walletKey, chainKey, currency].join('\n'))

/** Returns the Max34Text id of a wallet, and the scheme: the id is the address itself or a hash of it. */
export function walletId(wallet: string): { id: string; scheme: 'WALLET' | 'WALLET-SHA256-128' } {
  if (/^[A-Za-z0-9:._-]{1,34}$/.test(wallet)) return { id: wallet, scheme: 'WALLET' }
  return { id: handle('W-', wallet), scheme: 'WALLET-SHA256-128' }
}

/** ISO 4217 code for no currency: a label such as `TOP` or `MNT` may name a token, and must not pass for a currency. */
export const noCurrency = 'XXX'

/** Digits of an amount, and those of them that may stand after the point. */
export const amountDigits = 18
export const slotFraction = 5

/** Returns the fraction digits of amounts in a currency, which readers of banks refuse to exceed. */
export const fractionDigitsOf = (currency: string): number =>
  currency === noCurrency ? slotFraction : Math.min(minorUnitOf(currency) ?? slotFraction, slotFraction)

/**
 * `truncated`: less than the whole amount. `raised`: more than the whole amount, because the smallest amount of the
 * slot is more.
 */
export type InBand = 'exact' | 'truncated' | 'raised'

const largest = '9'.repeat(amountDigits)
const smallest = (digits: number) => (digits === 0 ? '1' : `0.${'1'.padStart(digits, '0')}`)

/**
 * Returns the amount as ISO 20022 can carry it: at most 18 digits, `digits` of them after the point. It is truncated
 * toward zero. What is not zero is never shown as 0: it is raised to the smallest amount instead. An integer part of
 * more than 18 digits becomes the largest amount.
 */
export function inBandAmount(amount: string, digits: number = slotFraction): { text: string; inBand: InBand } {
  const [integer = '0', fraction = ''] = amount.split('.')
  if (integer.length > amountDigits) return { text: largest, inBand: 'truncated' }
  const kept = fraction.slice(0, Math.min(digits, amountDigits - integer.length)).replace(/0+$/, '')
  const text = kept === '' ? integer : `${integer}.${kept}`
  if (!isAboveZero(text) && isAboveZero(amount)) return { text: smallest(digits), inBand: 'raised' }
  return { text, inBand: kept === fraction.replace(/0+$/, '') ? 'exact' : 'truncated' }
}

/** Returns a BaseOneRate: 11 digits, 10 after the point, truncated toward zero; null when that is 0 or does not fit. */
export function inBandRate(rate: string): string | null {
  const [integer = '0', fraction = ''] = rate.split('.')
  if (integer.length > 11) return null
  const kept = fraction.slice(0, 11 - integer.length).replace(/0+$/, '')
  const text = kept === '' ? integer : `${integer}.${kept}`
  return isAboveZero(text) ? text : null
}

/** Returns a quantity's DecimalNumber: 18 digits, 17 of them after the point; null when the amount does not fit. */
export function quantityUnit(amount: string): string | null {
  const [integer = '0', fraction = ''] = amount.split('.')
  return fraction.length <= 17 && integer.length + fraction.length <= 18 ? amount : null
}
