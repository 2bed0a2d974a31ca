// Changing the organisation's configuration. The new one is whole: what is not given takes its default.
import { actorOf } from '../../core/principal.ts'
import { verb } from '../../kit/verb.ts'
import { organisationInput } from './organisation.ts'

/** Holds for receipts recorded from now on. Errors: `forbidden`, `validation_failed`. */
export const configureOrganisation = verb({
  name: 'organisation.configure',
  access: 'admin',
  input: organisationInput,
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
