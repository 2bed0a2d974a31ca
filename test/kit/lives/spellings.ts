// Chains, wallets and transactions, each with spellings that mean the same. The tests know what is meant, because they
// wrote it; they normalise nothing.
import { createHash } from 'node:crypto'
import fc from 'fast-check'

/** A meaning, and the ways to write it. */
export type Spelled = { meaning: string; spellings: readonly string[] }

const word = (letters: string, length: number) =>
  fc.array(fc.constantFrom(...letters), { minLength: length, maxLength: length }).map(list => list.join(''))
const hex = (bytes: number) => word('0123456789abcdef', bytes * 2)
// With a digit, as 399 of 400 have: without one the service takes it for a text, which may be a sentence in one word.
const base58 = (length: number) =>
  word('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', length).filter(text => /\d/.test(text))
const bech32 = (length: number) => word('qpzry9x8gf2tvdw0s3jn54khce6mua7l', length)

/** Every other letter in upper case, as in no checksum: readers must not take the case for a part of the address. */
const mixed = (text: string) => text.replace(/[a-f]/g, (letter, at) => (at % 2 === 0 ? letter.toUpperCase() : letter))

const hexForms = (digits: string) => [`0x${digits}`, `0x${mixed(digits)}`, `0x${digits.toUpperCase()}`, digits]
const ofHex = (digits: string, prefixes: readonly string[]): Spelled => ({
  meaning: `0x${digits}`,
  spellings: [...hexForms(digits), ...prefixes.map(prefix => `${prefix}:0x${digits}`)],
})
const exactly = (text: string, ...prefixes: string[]): Spelled => ({
  meaning: text,
  spellings: [text, ...prefixes.map(prefix => `${prefix}:${text}`)],
})
const ofBech32 = (text: string, prefix: string): Spelled => ({
  meaning: text,
  spellings: [text, text.toUpperCase(), `${prefix}:${text}`],
})

const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

type Family = { chain: Spelled; wallet: fc.Arbitrary<Spelled>; transaction: fc.Arbitrary<Spelled> }

const evm = (names: readonly string[], caip2: string): Family => ({
  chain: { meaning: caip2, spellings: [...names, caip2, caip2.toUpperCase()] },
  wallet: hex(20).map(digits => ofHex(digits, [caip2])),
  transaction: hex(32).map(digits => ofHex(digits, [])),
})

export const families = {
  base: evm(['base', 'Base', 'BASE'], 'eip155:8453'),
  ethereum: evm(['ethereum', 'Ethereum'], 'eip155:1'),
  bitcoin: {
    chain: { meaning: bitcoin, spellings: ['bitcoin', 'Bitcoin', bitcoin] },
    wallet: bech32(38).map(rest => ofBech32(`bc1q${rest}`, bitcoin)),
    transaction: hex(32).map(digits => ofHex(digits, [])),
  },
  xrpl: {
    chain: { meaning: 'xrpl:0', spellings: ['xrpl', 'XRPL', 'xrpl:0'] },
    wallet: base58(33).map(rest => exactly(`r${rest}`, 'xrpl:0')),
    transaction: hex(32).map(digits => ofHex(digits, [])),
  },
  solana: {
    chain: { meaning: solana, spellings: ['solana', 'Solana', solana] },
    wallet: base58(44).map(text => exactly(text, solana)),
    transaction: base58(88).map(text => exactly(text)),
  },
  // A chain that nobody knows: its wallets and transactions are free text.
  ledger: {
    chain: { meaning: 'our own ledger', spellings: ['our own ledger', 'Our Own Ledger'] },
    wallet: word('abcdefg', 12).map(text => exactly(`till <&> ${text}`)),
    transaction: word('0123456789', 12).map(text => exactly(`booking no. ${text} ]]>`)),
  },
} satisfies Record<string, Family>

export type FamilyName = keyof typeof families
export const familyNames = Object.keys(families) as FamilyName[]

/** The address that burns, and from which tokens are made. */
export const zeroAddress = ofHex('0'.repeat(40), ['eip155:8453'])

/** The id that messages give for a wallet whose text is too long for one. */
export const walletHandle = (wallet: string): string =>
  `W-${createHash('sha256').update(wallet).digest('hex').slice(0, 32)}`

/** Remembers what each spelling means, and each id of a wallet, for readers of messages. */
export function dictionary() {
  const meanings = new Map<string, string>()
  return {
    /** Returns one of the spellings. */
    write({ meaning, spellings }: Spelled, choice: number): string {
      const text = spellings[choice % spellings.length] ?? meaning
      for (const id of [text, walletHandle(text), walletHandle(meaning)]) meanings.set(id, meaning)
      return text
    },
    /** Returns what the text means; the text itself if it is nothing that was written. */
    meaningOf: (text: string): string => meanings.get(text) ?? text,
  }
}
export type Dictionary = ReturnType<typeof dictionary>
