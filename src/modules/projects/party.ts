// Data that messages state about a party of payments, provided by a project or, for its own projects, by the
// organisation. A party is named only where its wallet stands.
import { z } from 'zod'
import type { Issue } from '../../core/errors.ts'
import { addressKey, type ChainAliases, chainBefore, chainKey } from '../../core/identity.ts'
import { country, lei } from '../../core/iso-text.ts'
import { text } from '../../core/text.ts'

/** Makes a schema optional: absent or null becomes the fallback. */
export const or = <Type extends z.ZodType, const Fallback>(type: Type, fallback: Fallback) =>
  type.nullish().transform(value => value ?? fallback)

// Max140Text: one of the two common XML validators counts its length in UTF-16 units.
export const name140 = text(140).refine(value => value.length <= 140, {
  error: 'Must be at most 140 UTF-16 units.',
  params: { type: 'string_too_long' },
})

const partyWallet = z
  .strictObject({
    address: text()
      .refine(address => !/^0x0*$/.test(addressKey(address)), 'The zero address is nobody’s wallet.')
      .describe(
        'The address, in any notation of its chain. A chain before it (`base:0x…`, `eip155:8453:0x…`) is its chain.',
      ),
    chain: or(text(), null).describe('Only on this chain; on every chain unless given here or before the address.'),
  })
  .meta({ graphql: 'PartyWallet', description: 'A wallet of a party.' })
type PartyWallet = z.output<typeof partyWallet>

export const partyWallets = or(z.array(partyWallet).max(100), []).describe(
  'The wallets that belong to the party. In messages it names a side of a payment only if that side’s wallet is one of these. A wallet may belong to one party only.',
)

type Details = { name: string | null; lei: string | null; wallets: readonly unknown[] }

/** Refuses wallets of which nothing is stated. */
export const identifiesParty = ({ name, lei, wallets, ...more }: Details & { country?: string | null }): boolean =>
  wallets.length === 0 || [name, lei, more.country ?? null].some(value => value !== null)
export const nobodysWallets = { error: 'Wallets need the name, country or LEI of their party.', path: ['wallets'] }

export const party = z
  .strictObject({
    name: or(name140, null).describe('Name of the party, in place of its wallet address.'),
    country: or(country, null).describe('Country of residence, ISO 3166-1 alpha-2.'),
    lei: or(lei, null).describe('Legal entity identifier, ISO 17442.'),
    wallets: partyWallets,
  })
  .refine(identifiesParty, nobodysWallets)
  .meta({ graphql: 'MessageParty', description: 'Data that messages state about one party of a payment.' })
export type Party = z.output<typeof party>

export const noParty: Party = party.parse({})

/** Returns what identifies the wallet, whatever its notation: its address, and its chain if it is one of that chain. */
function walletKeys({ address, chain }: PartyWallet, aliases: ChainAliases) {
  const named = chain ?? chainBefore(address)
  return { address: addressKey(address), chain: named === null ? null : chainKey(named, aliases) }
}
type WalletKeys = ReturnType<typeof walletKeys>

/** Returns whether a payment could stand on both wallets. */
const overlap = (a: WalletKeys, b: WalletKeys): boolean =>
  a.address === b.address && (a.chain === null || b.chain === null || a.chain === b.chain)

type Listed = { path: Issue['path']; wallets: readonly PartyWallet[] }

/**
 * Returns an issue for each wallet that an earlier party lists too, or whose address has another chain before it than
 * the wallet's. `path` is that of the party.
 */
export function walletIssues(parties: readonly Listed[], aliases: ChainAliases): Issue[] {
  const earlier = new Map<string, (WalletKeys & { party: Listed })[]>()
  return parties.flatMap(party =>
    party.wallets.flatMap((wallet, index): Issue[] => {
      const path = [...party.path, 'wallets', index]
      const keys = walletKeys(wallet, aliases)
      const before = chainBefore(wallet.address)
      const named = before === null ? null : chainKey(before, aliases)
      // A name that stands for no id may be another name of the chain that is given.
      if (named?.includes(':') && named !== keys.chain) {
        const message = `The address names another chain, ${before}.`
        return [{ path: [...path, 'chain'], message, type: 'value_error' }]
      }
      const same = earlier.get(keys.address) ?? []
      earlier.set(keys.address, [...same, { ...keys, party }])
      const other = same.find(known => known.party !== party && overlap(known, keys))
      if (other === undefined) return []
      const message = `This wallet belongs to \`${other.party.path.at(-1)}\` already: a wallet belongs to one party.`
      return [{ path, message, type: 'value_error' }]
    }),
  )
}

/** A wallet with the party that it names. */
export type NamedWallet = WalletKeys & Omit<Party, 'wallets'>

/** Returns the wallets of the parties, with whom they name. */
export const namedWallets = (parties: readonly Party[], aliases: ChainAliases): NamedWallet[] =>
  parties.flatMap(({ wallets, ...party }) => wallets.map(wallet => ({ ...walletKeys(wallet, aliases), ...party })))

/** Says which of the parties name nobody, because they have no wallet; null if each has one. */
export function withoutWallets(parties: Readonly<Record<string, Party>>): string | null {
  const names = Object.entries(parties).flatMap(([member, { wallets, name, country, lei }]) =>
    wallets.length === 0 && [name, country, lei].some(value => value !== null) ? [member] : [],
  )
  return names.length === 0 ? null : `Without wallets no payment names: ${names.join(', ')}.`
}
