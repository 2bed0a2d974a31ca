// The organisation's configuration: its identity in messages, and which messages are generated.
import { z } from 'zod'
import { type CodeSet, isCode } from '../../core/iso-codes.ts'
import { country, currencyCode, dti, lei } from '../../core/iso-text.ts'
import { messageTexts } from '../../core/message-texts.ts'
import { text } from '../../core/text.ts'
import type { ProjectConfig } from '../projects/config.ts'
import { name140, noParty, or, type Party, party } from '../projects/party.ts'
import { compliance } from './compliance.ts'
import { fxPolicy, fxPolicyOf } from './fx-policy.ts'

export type { Party } from '../projects/party.ts'

/** Messages that can be generated once a receipt is anchored; they are not part of its bundle. */
export const reportTypes = ['pain.002', 'camt.054', 'pacs.002', 'pacs.008', 'remt.001'] as const
export type ReportType = (typeof reportTypes)[number]

const reportTexts = Object.fromEntries(reportTypes.map(type => [type, messageTexts[type]]))

const defaultReports: ReportType[] = ['pain.002', 'camt.054']

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
    settlement: 'Chain, transaction, wallets and amount of the payment.',
  },
})

const storeMode = z.enum(['local', 'ipfs']).meta({
  graphql: 'EvidenceStoreMode',
  description: 'Where bundles are stored.',
  values: {
    local: 'By the service, for clients that know the receipt’s id.',
    ipfs: 'As with `LOCAL`, and each bundle is also published in IPFS once it is anchored, publicly and permanently.',
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

const org = z
  .strictObject({
    name: or(name140, null).describe('Name of the initiating party and of the recipient of camt messages.'),
    jurisdiction: or(country, null).describe('Country of residence, ISO 3166-1 alpha-2.'),
    lei: or(lei, null).describe('Legal entity identifier, ISO 17442.'),
    defaultMessageFamilies: or(
      z
        .array(
          z.enum(reportTypes).meta({
            graphql: 'ReportMessageType',
            description: 'A type of message that is generated once a receipt is anchored.',
            values: reportTexts,
            textInRest: true,
          }),
        )
        .refine(types => new Set(types).size === types.length, 'Each message once.'),
      defaultReports,
    ).describe('Messages generated once a receipt is anchored; pain.002 and camt.054 unless given.'),
  })
  .refine(({ name, lei, jurisdiction }) => jurisdiction === null || name !== null || lei !== null, {
    error: 'A jurisdiction needs a name or an LEI beside it.',
    path: ['jurisdiction'],
  })
  .meta({ graphql: 'OrganisationIdentity', description: 'The identity of the organisation.' })

const ledgerAsset = z
  .strictObject({
    symbol: text().describe('The asset label, as in the receipts.'),
    decimals: or(z.int().min(0).max(36).meta({ graphql: 'Int' }), null).describe('Decimals of the token on chain.'),
    contractAddress: or(text(), null).describe('The token’s contract.'),
  })
  .meta({ graphql: 'LedgerAsset', description: 'An asset on its ledger.' })

const ledger = z
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

const mapping = z
  .strictObject({
    chargeBearer: or(chargeBearer, 'SLEV').describe('The bearer of the charges; SLEV unless given.'),
    purpose: or(codeOf('purpose'), null).describe('ISO external purpose code, for instance `GDDS`.'),
    categoryPurpose: or(codeOf('categoryPurpose'), null).describe(
      'ISO external category purpose, for instance `SUPP`.',
    ),
    structuredRemittance: or(flag, false).describe(
      'Whether the reference travels as structured remittance information; as text unless given.',
    ),
    debtorDefaults: or(party, noParty).describe('Data that messages state about payers, beside their wallet.'),
    creditorDefaults: or(party, noParty).describe('Data that messages state about recipients, beside their wallet.'),
    assets: or(z.array(asset).max(200).refine(areDistinct, 'Each label once on each chain.'), []).describe(
      'The meaning of asset labels; the first match applies.',
    ),
  })
  .meta({ graphql: 'MessageMapping', description: 'How payments are mapped to messages.' })

const status = z
  .strictObject({
    emitPain002: or(flag, null).describe('Whether pain.002 is generated; by `defaultMessageFamilies` unless given.'),
    emitPacs002: or(flag, null).describe('Whether pacs.002 is generated; by `defaultMessageFamilies` unless given.'),
    enableCancellation: or(flag, true).describe('Whether camt.056 and camt.029 may be generated; yes unless given.'),
    enableReturns: or(flag, true).describe('Whether refunds and reversals may be created; yes unless given.'),
  })
  .meta({ graphql: 'MessageStatusPolicy', description: 'Which status and workflow messages are enabled.' })

const idStrategy = z
  .strictObject({
    endToEndId: or(endToEndId, 'reference').describe('The source of EndToEndId; the reference unless given.'),
    uetr: or(uetr, 'receipt_id').describe(
      'The source of UETR: the receipt id, or chain and transaction, which both sides of a payment know.',
    ),
  })
  .meta({ graphql: 'IdStrategy', description: 'The sources of the ids in messages.' })

const anchoring = z
  .strictObject({
    chains: or(
      z
        .array(text().meta({ graphql: 'String' }))
        .max(10)
        .refine(names => new Set(names).size === names.length, 'Each chain once.'),
      [],
    ).describe(
      'Names of the chains; each receipt is anchored on all of them. The first chain of the service unless given.',
    ),
  })
  .meta({ graphql: 'OrganisationAnchoring', description: 'Where receipts are anchored unless their project decides.' })

const evidenceStore = z
  .strictObject({
    mode: or(storeMode, 'local').describe('Where bundles are stored; local unless given.'),
  })
  .meta({ graphql: 'EvidenceStore', description: 'Where evidence bundles are stored.' })

const evidence = z
  .strictObject({
    store: or(evidenceStore, evidenceStore.parse({})).describe('Where bundles are stored.'),
  })
  .meta({ graphql: 'OrganisationEvidence', description: 'The storage of evidence bundles.' })

export const organisationInput = z.strictObject({
  org: or(org, org.parse({})).describe('The identity of the organisation.'),
  ledger: or(ledger, ledger.parse({})).describe('The ledger of the payments.'),
  mapping: or(mapping, mapping.parse({})).describe('How payments are mapped to messages.'),
  status: or(status, status.parse({})).describe('Which status and workflow messages are enabled.'),
  anchoring: or(anchoring, anchoring.parse({})).describe('Where receipts are anchored.'),
  evidence: or(evidence, evidence.parse({})).describe('The storage of evidence bundles.'),
  idStrategy: or(idStrategy, idStrategy.parse({})).describe('The sources of the ids in messages.'),
  fxPolicy: or(fxPolicy, fxPolicy.parse({})).describe('Whether receipts get a fiat equivalent.'),
  compliance: or(compliance, compliance.parse({})).describe('Which providers check each payment.'),
})

/** The complete configuration, with its defaults. */
export type Organisation = z.output<typeof organisationInput>

/** The default configuration. */
export const plainOrganisation: Organisation = organisationInput.parse({})

/** Returns the configuration without any names, for messages about payments of several projects. */
export const unnamed = (organisation: Organisation): Organisation => named(organisation, plainOrganisation)

const named = (organisation: Organisation, { org, mapping }: Pick<Organisation, 'org' | 'mapping'>): Organisation => {
  const { name, jurisdiction, lei } = org
  const { debtorDefaults, creditorDefaults } = mapping
  return {
    ...organisation,
    org: { ...organisation.org, name, jurisdiction, lei },
    mapping: { ...organisation.mapping, debtorDefaults, creditorDefaults },
  }
}

const saysSomething = (stated: Party): boolean => Object.values(stated).some(value => value !== null)

/**
 * Returns the organisation's configuration for a project. Names are those that the project states. A house project (the
 * organisation's own) that states none gets the organisation's names, which no other project's evidence may bear. The
 * project may decide on fiat equivalents.
 */
export function configurationOf(
  organisation: Organisation,
  { parties, fxPolicy, isHouse }: Pick<ProjectConfig, 'parties' | 'fxPolicy'> & { isHouse: boolean },
): Organisation {
  const { org, mapping } = isHouse ? organisation : plainOrganisation
  const { initiator, debtor, creditor } = parties
  const { name, lei, country: jurisdiction } = initiator
  const base = { ...organisation, fxPolicy: fxPolicyOf(organisation.fxPolicy, fxPolicy) }
  return named(base, {
    org: saysSomething(initiator) ? { ...org, name, lei, jurisdiction } : org,
    mapping: {
      ...mapping,
      debtorDefaults: saysSomething(debtor) ? debtor : mapping.debtorDefaults,
      creditorDefaults: saysSomething(creditor) ? creditor : mapping.creditorDefaults,
    },
  })
}

/** Returns the messages to generate once a receipt is anchored. */
export function reportsOf({ org, status }: Organisation): ReportType[] {
  const decided = new Map<ReportType, boolean | null>([
    ['pain.002', status.emitPain002],
    ['pacs.002', status.emitPacs002],
  ])
  return reportTypes.filter(type => decided.get(type) ?? org.defaultMessageFamilies.includes(type))
}
