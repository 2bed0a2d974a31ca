// Changing the organisation's configuration. The new one is whole: what is not given takes its default.
import { invalid } from '../../core/errors.ts'
import { actorOf } from '../../core/principal.ts'
import { verb } from '../../kit/verb.ts'
import { organisationInput } from './organisation.ts'

/** Holds for receipts recorded from now on. Errors: `forbidden`, `validation_failed`. */
export const configureOrganisation = verb({
  name: 'organisation.configure',
  access: 'admin',
  input: organisationInput,
  async prepare({ anchoring, evidence }, { chains, publisher }) {
    const issues = anchoring.chains.flatMap((name, index) =>
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
    if (evidence.store.mode === 'ipfs' && publisher === null) {
      const message = 'This service has no IPFS node to publish through.'
      throw invalid([{ path: ['input', 'evidence', 'store', 'mode'], message, type: 'value_error' }, ...issues])
    }
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
