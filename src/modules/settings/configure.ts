// Replaces the organisation's whole configuration but the check of payments: a member that is not given gets its
// default.
import { type Issue, invalid } from '../../core/errors.ts'
import { verb } from '../../kit/verb.ts'
import { walletIssues } from '../projects/party.ts'
import { organisationInput } from './organisation.ts'
import { addOrganisationVersion } from './versions.ts'

/** Applies to receipts recorded from now on. Errors: `forbidden`, `validation_failed`. */
export const configureOrganisation = verb({
  name: 'organisation.configure',
  access: 'admin',
  input: organisationInput,
  async prepare({ anchoring, compliance: policy, evidence, fxPolicy: { provider }, org, mapping }, app) {
    const { chains, compliance, fxRates, publisher } = app
    const unknownChains = anchoring.chains.flatMap((name, index) =>
      chains.some(chain => chain.name === name)
        ? []
        : [refused(['anchoring', 'chains', index], 'This service does not anchor on a chain of this name.')],
    )
    const unknownProviders = (['travelRuleProvider', 'sanctionsProvider'] as const).flatMap(member => {
      const name = policy[member]
      if (name === null || compliance.has(name)) return []
      return [refused(['compliance', member], 'This service is not set up with a provider of this name.')]
    })
    const unknownRates =
      provider === null || fxRates.some(({ name }) => name === provider)
        ? []
        : [refused(['fxPolicy', 'provider'], 'This service has no provider of rates of this name.')]
    const unpublished =
      evidence.store.mode === 'ipfs' && publisher === null
        ? [refused(['evidence', 'store', 'mode'], 'This service has no IPFS node to publish through.')]
        : []
    const { debtorDefaults, creditorDefaults } = mapping
    const shared = walletIssues(
      [
        { path: ['input', 'org'], wallets: org.wallets },
        { path: ['input', 'mapping', 'debtorDefaults'], wallets: debtorDefaults.wallets },
        { path: ['input', 'mapping', 'creditorDefaults'], wallets: creditorDefaults.wallets },
      ],
      app.chainAliases,
    )
    const issues = [...unknownChains, ...unknownProviders, ...unknownRates, ...unpublished, ...shared]
    if (issues.length > 0) throw invalid(issues)
  },
  run: (tx, organisation, { principal }) =>
    addOrganisationVersion(tx, principal, ({ settlement }) => ({ ...organisation, settlement })),
})

const refused = (path: Issue['path'], message: string): Issue => ({
  path: ['input', ...path],
  message,
  type: 'value_error',
})
