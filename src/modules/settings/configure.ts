// Changing the organisation's configuration. The new one is whole: what is not given takes its default.
import { type Issue, invalid } from '../../core/errors.ts'
import { actorOf } from '../../core/principal.ts'
import { verb } from '../../kit/verb.ts'
import { organisationInput } from './organisation.ts'

/** Holds for receipts recorded from now on. Errors: `forbidden`, `validation_failed`. */
export const configureOrganisation = verb({
  name: 'organisation.configure',
  access: 'admin',
  input: organisationInput,
  async prepare({ anchoring, compliance: policy }, { chains, compliance }) {
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
    const issues = [...unknownChains, ...unknownProviders]
    if (issues.length > 0) throw invalid(issues)
  },
  async run(tx, organisation, { principal }) {
    const { version } = await tx.db.organisationConfig.create({ data: { config: organisation } })
    tx.audit({
      action: 'organisation.configure',
      objectType: 'organisation',
      objectId: String(version),
      projectId: null,
      actor: actorOf(principal),
    })
    return organisation
  },
})

const refused = (path: Issue['path'], message: string): Issue => ({
  path: ['input', ...path],
  message,
  type: 'value_error',
})
