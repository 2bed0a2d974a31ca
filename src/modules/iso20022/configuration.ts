// The part of the organisation's configuration that messages state or follow.
import { z } from 'zod'
import { type ChainAliases, chainKey } from '../../core/identity.ts'
import { type CodeSet, isCode } from '../../core/iso-codes.ts'
import { country, currencyCode, dti, lei } from '../../core/iso-text.ts'
import { text } from '../../core/text.ts'
import { type NamedWallet, name140, noParty, or, party, partyWallets } from '../projects/party.ts'

const chargeBearer = z.enum(['SLEV', 'SHAR', 'DEBT', 'CRED']).meta({
  graphql: 'ChargeBearer',
  description: 'The bearer of the charges, as an ISO 20022 code.',
  values: {
    SLEV: 'Following the service level.',
    SHAR: 'Shared by payer and recipient.',
    DEBT: 'Borne by the payer.',
    CRED: 'Borne by the recipient.',
  },
})
const endToEndId = z.enum(['reference', 'receipt_id']).meta({
  graphql: 'EndToEndIdSource',
  description: 'The source of EndToEndId.',
  values: { reference: 'The reference of the receipt.', receipt_id: 'The id of the receipt.' },
})
const uetr = z.enum(['receipt_id', 'settlement']).meta({
  graphql: 'UetrSource',
  description: 'The source of UETR.',
  values: {
    receipt_id: 'The id of the receipt.',
    settlement:
      'Chain, transaction, wallets, amount and currency of the payment, as they were recorded. Two sides of a payment get the same UETR only if they write all of these alike.',
  },
})

const codeOf = (set: CodeSet) =>
  z
    .string()
    .refine(code => isCode(set, code), {
      error: 'Not a code of the ISO 20022 external code set.',
      params: { type: 'enum' },
    })
    .meta({ graphql: 'String', pattern: '^[A-Z0-9]{1,4}$' })

const flag = z.boolean().meta({ graphql: 'Boolean' })

const asset = z
  .strictObject({
    label: text().describe('The asset label to map, exactly as recorded in receipts.'),
    chain: or(text(), null).describe('Only on this chain label; on every chain unless given.'),
    currency: or(currencyCode, null).describe('ISO 4217 code in messages; XXX (no currency) unless given.'),
    dti: or(dti, null).describe('Digital token identifier, ISO 24165, for camt messages.'),
  })
  .refine(({ currency, dti }) => currency !== null || dti !== null, 'Needs a currency or a DTI.')
  .meta({ graphql: 'AssetMapping', description: 'The meaning of an asset label in messages.' })

const areDistinct = (assets: z.output<typeof asset>[]) =>
  new Set(assets.map(({ label, chain }) => JSON.stringify([label, chain]))).size === assets.length

export const identity = z.strictObject({
  name: or(name140, null).describe('Name of the initiating party and of the recipient of camt messages.'),
  jurisdiction: or(country, null).describe('Country of residence, ISO 3166-1 alpha-2.'),
  lei: or(lei, null).describe('Legal entity identifier, ISO 17442.'),
  wallets: partyWallets,
})

const ledgerAsset = z
  .strictObject({
    symbol: text().describe('The asset label, as in the receipts.'),
    decimals: or(z.int().min(0).max(36).meta({ graphql: 'Int' }), null).describe('Decimals of the token on chain.'),
    contractAddress: or(text(), null).describe('The token’s contract.'),
  })
  .meta({ graphql: 'LedgerAsset', description: 'An asset on its ledger.' })

export const ledger = z
  .strictObject({
    network: or(text(), null).describe(
      'Chain label of the receipts whose asset is described; every chain unless given.',
    ),
    asset: or(ledgerAsset, null).describe('Describes an asset in the entries of camt messages.'),
  })
  .refine(({ network, asset }) => network === null || asset !== null, {
    error: 'A network needs the asset on it.',
    path: ['network'],
  })
  .meta({ graphql: 'OrganisationLedger', description: 'The ledger of the payments.' })

export const mapping = z
  .strictObject({
    chargeBearer: or(chargeBearer, 'SLEV').describe('The bearer of the charges; SLEV unless given.'),
    purpose: or(codeOf('purpose'), null).describe('ISO external purpose code, for instance `GDDS`.'),
    categoryPurpose: or(codeOf('categoryPurpose'), null).describe(
      'ISO external category purpose, for instance `SUPP`.',
    ),
    structuredRemittance: or(flag, false).describe(
      'Whether the reference travels as structured remittance information; as text unless given.',
    ),
    debtorDefaults: or(party, noParty).describe(
      'A party that mostly pays. It names its wallets on either side of a payment.',
    ),
    creditorDefaults: or(party, noParty).describe(
      'A party that is mostly paid. It names its wallets on either side of a payment.',
    ),
    assets: or(z.array(asset).max(200).refine(areDistinct, 'Each label once on each chain.'), []).describe(
      'The meaning of asset labels; the first match applies.',
    ),
  })
  .meta({ graphql: 'MessageMapping', description: 'How payments are mapped to messages.' })

export const idStrategy = z
  .strictObject({
    endToEndId: or(endToEndId, 'reference').describe('The source of EndToEndId; the reference unless given.'),
    uetr: or(uetr, 'receipt_id').describe(
      'The source of UETR: the receipt id, or chain and transaction, which both sides of a payment know.',
    ),
  })
  .meta({ graphql: 'IdStrategy', description: 'The sources of the ids in messages.' })

export type MessageConfiguration = {
  org: z.output<typeof identity>
  ledger: z.output<typeof ledger>
  mapping: z.output<typeof mapping>
  idStrategy: z.output<typeof idStrategy>
  /** The wallets that the project, or its organisation, states to be somebody's; the first match applies. */
  names: readonly NamedWallet[]
} & ByChain

type Asset = z.output<typeof asset>
/** The configuration of chains, by their keys (src/core/identity.ts). */
export type ByChain = {
  /** `mapping.assets`. */
  assets: readonly (Omit<Asset, 'chain'> & { chainKey: string | null })[]
  /** `ledger.network`. */
  networkKey: string | null
}

export function byChain(
  { mapping, ledger: { network } }: { mapping: { assets: readonly Asset[] }; ledger: { network: string | null } },
  aliases: ChainAliases,
): ByChain {
  const keyOf = (chain: string | null) => (chain === null ? null : chainKey(chain, aliases))
  return {
    assets: mapping.assets.map(({ chain, ...asset }) => ({ ...asset, chainKey: keyOf(chain) })),
    networkKey: keyOf(network),
  }
}
