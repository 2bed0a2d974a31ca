// The rules by which values reach the narrow standard slots of ISO 20022. Nothing here may fail for any text:
// what does not fit is cut, or replaced by a handle made of its hash; the exact value stands in OnChainPayment.
import { createHash } from 'node:crypto'
import { isAboveZero } from '../../core/decimal.ts'
import { carryable, cut } from './xml.ts'

const sha256Hex = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

/** 128 bits of SHA-256(UTF-8) behind a prefix; with a prefix of up to 3 characters it fits Max35Text. */
const handle = (prefix: string, text: string) => prefix + sha256Hex(text).slice(0, 32)

/** Text for a slot of `max` characters; the schema wants at least one. */
export const slotText = (text: string, max: number): string => cut(carryable(text), max) || 'NOTPROVIDED'

/** Max35Text id: a UUID has 36 characters, so its dashes give way to a prefix of up to 3. Each message has its own. */
export const slotId = (prefix: string, uuid: string): string => prefix + uuid.replaceAll('-', '')

const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** UETR: the text itself when it is a lower-case UUIDv4, as receipt ids are, else a v4-shaped SHA-256 of it. */
export function receiptUetr(text: string): string {
  if (v4.test(text)) return text
  const hex = sha256Hex(text)
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const swiftX = /^[A-Za-z0-9/\-?:().,'+ ]{1,35}$/
const swiftTrap = /^[/ ]|[/ ]$|\/\/|^RH-[0-9a-f]{32}$/

/** EndToEndId: the reference where every payment system could carry it, else `RH-` and 32 hex of its SHA-256. */
export const endToEndId = (reference: string): string =>
  // A reference that looks like a handle is hashed too, so that no reference can pose as another's handle.
  swiftX.test(reference) && !swiftTrap.test(reference) ? reference : handle('RH-', reference)

/** A label for a Max35Text slot: verbatim where it fits, else the prefix and 32 hex of its SHA-256. */
export const label35 = (prefix: string, text: string): string =>
  text.length >= 1 && text.length <= 35 && carryable(text) === text ? text : handle(prefix, text)

/** Max34Text id of what a wallet holds of one asset on one chain. None of the three can hold a line break. */
export const accountId = ({ wallet, chain, currency }: { wallet: string; chain: string; currency: string }): string =>
  handle('A-', [wallet, chain, currency].join('\n'))

/** Max34Text id of a wallet, and the scheme that says which of the two forms it is. */
export function walletId(wallet: string): { id: string; scheme: 'WALLET' | 'WALLET-SHA256-128' } {
  if (/^[A-Za-z0-9:._-]{1,34}$/.test(wallet)) return { id: wallet, scheme: 'WALLET' }
  return { id: handle('W-', wallet), scheme: 'WALLET-SHA256-128' }
}

/** ISO 4217's code for no currency: a label such as `TOP` or `MNT` may be a token and must not pass for money. */
export const noCurrency = 'XXX'

/**
 * The amount as ISO 20022 can say it: 18 digits, 5 of them after the point. Truncated toward zero, never rounded up;
 * an integer part of more than 18 digits gives 0. `exact` says whether it is still the whole amount.
 */
export function inBandAmount(amount: string): { text: string; exact: boolean } {
  const [integer = '0', fraction = ''] = amount.split('.')
  if (integer.length > 18) return { text: '0', exact: false }
  const kept = fraction.slice(0, Math.min(5, 18 - integer.length)).replace(/0+$/, '')
  return { text: kept === '' ? integer : `${integer}.${kept}`, exact: kept === fraction.replace(/0+$/, '') }
}

/** BaseOneRate: 11 digits, 10 of them after the point, cut toward zero; null when nothing is left, or it is larger. */
export function inBandRate(rate: string): string | null {
  const [integer = '0', fraction = ''] = rate.split('.')
  if (integer.length > 11) return null
  const kept = fraction.slice(0, 11 - integer.length).replace(/0+$/, '')
  const text = kept === '' ? integer : `${integer}.${kept}`
  return isAboveZero(text) ? text : null
}

/** DecimalNumber of quantities: 18 digits, 17 of them after the point; null when the amount does not fit. */
export function quantityUnit(amount: string): string | null {
  const [integer = '0', fraction = ''] = amount.split('.')
  return fraction.length <= 17 && integer.length + fraction.length <= 18 ? amount : null
}
