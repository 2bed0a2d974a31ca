// The organisation's configuration: its identity in messages, and which messages are generated.
import { z } from 'zod'
import type { ChainAliases } from '../../core/identity.ts'
import { messageTexts } from '../../core/message-texts.ts'
import { text } from '../../core/text.ts'
import {
  type ByChain,
  byChain,
  identity,
  idStrategy,
  ledger,
  type MessageConfiguration,
  mapping,
} from '../iso20022/configuration.ts'
import { defaultReports, type MessageType, reportTypes } from '../iso20022/messages/registry.ts'
import type { ProjectConfig } from '../projects/config.ts'
import { identifiesParty, namedWallets, nobodysWallets, or, type Party } from '../projects/party.ts'
import { projectSettlement } from '../projects/settlement-policy.ts'
import { compliance } from './compliance.ts'
import { fxPolicy, fxPolicyOf } from './fx-policy.ts'
import { organisationSettlement, type SettlementRules, settlementRulesOf } from './settlement.ts'

const reportTexts = Object.fromEntries(reportTypes.map(type => [type, messageTexts[type]]))

const storeMode = z.enum(['local', 'ipfs']).meta({
  graphql: 'EvidenceStoreMode',
  description: 'Where bundles are stored.',
  values: {
    local: 'By the service, for clients that know the receipt’s id.',
    ipfs: 'As with `LOCAL`, and each bundle is also published in IPFS once it is anchored, publicly and permanently.',
  },
})

const flag = z.boolean().meta({ graphql: 'Boolean' })

const org = z
  .strictObject({
    ...identity.shape,
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
    ).describe('Messages generated once a receipt is anchored; PAIN_002 and CAMT_054 unless given.'),
  })
  .refine(({ name, lei, jurisdiction }) => jurisdiction === null || name !== null || lei !== null, {
    error: 'A jurisdiction needs a name or an LEI beside it.',
    path: ['jurisdiction'],
  })
  .refine(identifiesParty, nobodysWallets)
  .meta({ graphql: 'OrganisationIdentity', description: 'The identity of the organisation.' })

const status = z
  .strictObject({
    emitPain002: or(flag, null).describe('Whether pain.002 is generated; by `defaultMessageFamilies` unless given.'),
    emitPacs002: or(flag, null).describe('Whether pacs.002 is generated; by `defaultMessageFamilies` unless given.'),
    enableCancellation: or(flag, true).describe('Whether camt.056 and camt.029 may be generated; yes unless given.'),
    enableReturns: or(flag, true).describe('Whether refunds and reversals may be created; yes unless given.'),
  })
  .meta({ graphql: 'MessageStatusPolicy', description: 'Which status and workflow messages are enabled.' })

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
    mode: or(storeMode, 'local').describe('Where bundles are stored; LOCAL unless given.'),
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

/** The configuration as it is stored: with the check of payments, which is configured by itself. */
export const organisationConfig = organisationInput.extend({
  settlement: or(organisationSettlement, organisationSettlement.parse({})).describe(
    'How payments are checked on their own chains.',
  ),
})

/** The complete configuration, with its defaults. */
export type Organisation = z.output<typeof organisationConfig>

/** The default configuration. */
export const plainOrganisation: Organisation = organisationConfig.parse({})

/** The organisation's configuration as it applies to a project. */
export type Configuration = Organisation &
  Pick<MessageConfiguration, 'names' | keyof ByChain> & {
    /** How its payments are checked. */
    checks: SettlementRules
  }

/** Returns the configuration without any names, for messages about payments of several projects. */
export const unnamed = (organisation: Organisation, aliases: ChainAliases): Configuration => ({
  ...organisation,
  org: { ...organisation.org, name: null, jurisdiction: null, lei: null },
  names: [],
  checks: settlementRulesOf(organisation.settlement, projectSettlement.parse({})),
  ...byChain(organisation, aliases),
})

const saysSomething = ({ name, country, lei }: Party): boolean => [name, country, lei].some(value => value !== null)

/**
 * Returns the organisation's configuration for a project. Names are those that the project states. For each party of
 * which a house project (the organisation's own) states nothing, the organisation's applies, which no other project's
 * evidence may bear. The project may decide on fiat equivalents.
 */
export function configurationOf(
  organisation: Organisation,
  {
    parties,
    fxPolicy,
    settlement,
    isHouse,
  }: Pick<ProjectConfig, 'parties' | 'fxPolicy' | 'settlement'> & {
    isHouse: boolean
  },
  aliases: ChainAliases,
): Configuration {
  const { org, mapping } = isHouse ? organisation : plainOrganisation
  const { initiator, debtor, creditor } = parties
  const { debtorDefaults, creditorDefaults } = mapping
  const house = { name: org.name, lei: org.lei, country: org.jurisdiction, wallets: org.wallets }
  const own = [initiator, debtor, creditor]
  // The project's come first, and so win over a wallet that the organisation lists for another party.
  const fallback = [house, debtorDefaults, creditorDefaults].filter(
    (_, index) => !own.slice(index, index + 1).some(saysSomething),
  )
  const { name, lei, country: jurisdiction } = saysSomething(initiator) ? initiator : house
  return {
    ...organisation,
    fxPolicy: fxPolicyOf(organisation.fxPolicy, fxPolicy),
    checks: settlementRulesOf(organisation.settlement, settlement),
    org: { ...organisation.org, name, lei, jurisdiction },
    names: namedWallets([...own, ...fallback], aliases),
    ...byChain(organisation, aliases),
  }
}

/** Returns the messages to generate once a receipt is anchored. */
export function reportsOf({ org, status }: Organisation): MessageType[] {
  const decided = new Map<MessageType, boolean | null>([
    ['pain.002', status.emitPain002],
    ['pacs.002', status.emitPacs002],
  ])
  return reportTypes.filter(type => decided.get(type) ?? org.defaultMessageFamilies.includes(type))
}
