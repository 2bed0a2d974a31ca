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
  async prepare({ anchoring, fxPolicy: { provider } }, { chains, fxRates }) {
    const issues: Issue[] = anchoring.chains.flatMap((name, index) =>
      chains.some(chain => chain.name === name)
        ? []
        : [
            {
              path: ['input', 'anchoring', 'chains', index],
              message: 'This service does not anchor on a chain of this name.',
              type: 'value_error',
            },
          ],
    )
    if (provider !== null && !fxRates.some(({ name }) => name === provider)) {
      issues.push({
        path: ['input', 'fxPolicy', 'provider'],
        message: 'This service has no provider of rates of this name.',
        type: 'value_error',
      })
    }
    if (issues.length > 0) throw invalid(issues)
  },
  async run(tx, organisation, { principal }) {
    const actor = actorOf(principal)
    const { version } = await tx.db.organisationConfig.create({ data: { config: organisation, actor } })
    tx.audit({
      action: 'organisation.configure',
      objectType: 'organisation',
      objectId: String(version),
      projectId: null,
      actor,
    })
    return organisation
  },
})
