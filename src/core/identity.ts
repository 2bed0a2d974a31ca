// Decides which spellings mean the same chain, address or transaction. The spelling of the caller is stored and shown;
// these keys are stored beside it and compared.
import { hash } from 'node:crypto'
import evmChains from './evm-chains.json' with { type: 'json' }
import { otherChains } from './other-chains.ts'

// Most text is ASCII, for which normalising costs a tenth of the time.
export const ascii = /^[\x20-\x7e]*$/
export const spaces = /[\s\p{Z}\p{Cc}]+/gu
/** Zero-width characters, marks of writing direction, variation selectors, soft hyphens. */
export const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Removes what cannot be seen, but keeps the spaces between words. Text of nothing else is itself. */
function plain(text: string): string {
  const seen = ascii.test(text) ? text.trim() : text.normalize('NFKC').replace(invisible, '').trim()
  return seen === '' ? text : seen
}
const withoutSpaces = (text: string) => plain(text).replace(spaces, '')

// All that can be written has 255 characters, of at most four bytes, but normalising can make eighteen of one. Two keys
// of this size fit into a row of an index. No other key begins with a space.
const mostBytes = 1024
const bounded = (key: string) => (Buffer.byteLength(key) <= mostBytes ? key : ` sha256:${hash('sha256', key, 'hex')}`)

// Addresses have 20 bytes; XDC writes them with `xdc`. Others, and transactions, have 32.
const hex = /^(?:(?:0x|xdc)?([0-9a-f]{40})|(?:0x)?([0-9a-f]{64}))$/i
// Any other text is free text, in which case and spaces count, and a colon may stand before the number of an output or
// a destination tag.
const address = /^(?:(?=[0-9a-z]*\d)[0-9a-z]{20,}|(?:xdc)?[0-9a-f]{40}|[0-9a-f]{64}|0x[0-9a-f]+|\d+\.\d+\.\d+)$/i
// A chain stands before a whole address or hash alone: what follows an address or a hash is a part of a payment, such
// as a memo of digits, and the number that begins an address of TON is a part of it. A CAIP-2 id or a short name is a
// chain, whether it is listed or not, because keys that are stored may not change with a list.
const chainName = 'xrpl:0|[a-z][-a-z0-9]{2,7}:(?!(?:0|-1):)[-_a-z0-9]{1,32}|(?![a-z0-9]{20})[a-z][-_a-z0-9]{0,31}'
const wholeAddress = String.raw`0x[0-9a-f]{40,64}|(?:xdc)?[0-9a-f]{40}|[0-9a-f]{64}|(?=[0-9a-z]*\d)(?=\d*[a-z])[0-9a-z]{25,}`
const withChain = new RegExp(
  String.raw`^(?:(${chainName}):(?=(?:${wholeAddress})$)|(hedera:[a-z]+):(?=\d+\.\d+\.\d+$))`,
  'i',
)

/** Returns the chain that stands before the address, as in CAIP-10 (`eip155:1:0x…`) and ERC-3770 (`eth:0x…`). */
export function chainBefore(text: string): string | null {
  const [, chain, hedera] = withChain.exec(withoutSpaces(text)) ?? []
  return chain ?? hedera ?? null
}

/** Returns the normalised address without its chain: hex and bech32 in lower-case, hex with `0x`, base58 as written. */
export function addressKey(text: string): string {
  const whole = withoutSpaces(text).replace(withChain, '')
  if (!address.test(whole)) return bounded(plain(text))
  const [, ofAddress, ofHash] = hex.exec(whole) ?? []
  const digits = ofAddress ?? ofHash
  if (digits !== undefined) return `0x${digits.toLowerCase()}`
  // Base58 distinguishes addresses by case; bech32 may be written all in upper-case.
  return whole === whole.toUpperCase() || /^0x/i.test(whole) ? whole.toLowerCase() : whole
}

const parts = /^([^#]+)(?:#(\d{1,10}))?$/
const mostLeg = 2 ** 31 - 1

/**
 * Reads a settlement transaction such as `0x…` or `0x…#3`: the transaction, and the number of one transfer in it; null
 * for the whole transaction. Returns null for text that is neither.
 */
export function settlementOf(text: string): { transaction: string; leg: number | null } | null {
  const [, transaction, digits] = parts.exec(plain(text)) ?? []
  if (transaction === undefined || transaction.trim() === '') return null
  const leg = digits === undefined ? null : Number(digits)
  return leg !== null && leg > mostLeg ? null : { transaction: plain(transaction), leg }
}

/** Returns the normalised transaction, with its leg: `0x…#3`. Text that is no settlement is normalised as a whole. */
export function transactionKey(text: string): string {
  const settlement = settlementOf(text)
  if (settlement === null) return addressKey(text)
  const { transaction, leg } = settlement
  return leg === null ? addressKey(transaction) : `${addressKey(transaction)}#${leg}`
}

/** Chains by their names, which are folded (`foldedChain`): CAIP-2 ids. */
export type ChainAliases = ReadonlyMap<string, string>

/**
 * Adds configured names, which take precedence over the kept ones. Returns the configured names that stand for two
 * chains as `contradictory`.
 */
export function aliasesWith(configured: readonly (readonly [name: string, id: string])[]) {
  const own = configured.map(([name, id]) => [foldedChain(name), chainKey(id, knownChains)] as const)
  const contradictory = configured.filter((_, at) =>
    own.some(([name, id]) => name === own[at]?.[0] && id !== own[at]?.[1]),
  )
  return {
    aliases: new Map([...knownChains, ...own]) as ChainAliases,
    contradictory: contradictory.map(([name]) => name),
  }
}

/** Folds the name of a chain, so that `Base Sepolia`, `base-sepolia` and `baseSepolia` are one: `basesepolia`. */
export const foldedChain = (name: string): string =>
  plain(name)
    .toLowerCase()
    .replace(/[\s\p{Z}_-]+/gu, '')
    // `eth-mainnet` is `eth`; `sui:mainnet` is a CAIP-2 id.
    .replace(/(?<=[^:])mainnet$/, '')

const known: Readonly<Record<string, string>> = { ...evmChains, ...otherChains }

/** The names that are known without configuration, and the ids that they stand for. */
export const knownChains: ChainAliases = new Map([
  ...Object.values(known).map(id => [foldedChain(id), id] as const),
  ...Object.entries(known),
])

const caip2 = /^([-a-z0-9]{3,8}):([-_a-zA-Z0-9]{1,32})$/i

/**
 * Returns the CAIP-2 id of a chain that `aliases` know by this name, of a CAIP-2 id in other letters, and of a number,
 * which is that of an EVM chain. Any other name is returned in lower-case.
 */
export function chainKey(chain: string, aliases: ChainAliases): string {
  const known = aliases.get(foldedChain(chain))
  if (known !== undefined) return known
  const name = plain(chain)
  if (/^[1-9]\d{0,14}$/.test(name)) return aliases.get(`eip155:${name}`) ?? `eip155:${name}`
  const [, namespace, reference] = caip2.exec(name) ?? []
  if (namespace === undefined || reference === undefined) return bounded(name.toLowerCase())
  // Only hex may be written in either case.
  const isHex = /^[0-9a-f]+$/i.test(reference)
  return `${namespace.toLowerCase()}:${isHex ? reference.toLowerCase() : reference}`
}

// As keys are written: the namespace in small letters.
const caip2Key = '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'
const caip2Form = new RegExp(caip2Key)

/** Returns the CAIP-2 id that the key of a chain is; null for the name of a chain that is not known. */
export const caip2Of = (key: string): string | null => (caip2Form.test(key) ? key : null)
export const caip2InSql = (key: string): string => `substring(${key} from '${caip2Key}')`
