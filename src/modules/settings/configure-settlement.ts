// Replaces how payments are checked on their own chains. It stands beside the rest of the configuration, which
// clients of the REST API replace as a whole without knowing it.
import { invalid } from '../../core/errors.ts'
import { verb } from '../../kit/verb.ts'
import { assetIssues } from '../projects/settlement-policy.ts'
import { organisationSettlement } from './settlement.ts'
import { addOrganisationVersion } from './versions.ts'

/** Applies to receipts recorded from now on. Errors: `forbidden`, `validation_failed`. */
export const configureSettlement = verb({
  name: 'organisation.configure_settlement',
  access: 'admin',
  input: organisationSettlement,
  async prepare({ assets }, { knownAssets }) {
    const issues = assetIssues(assets, knownAssets, ['input', 'assets'])
    if (issues.length > 0) throw invalid(issues)
  },
  run: (tx, settlement, { principal }) =>
    addOrganisationVersion(tx, principal, present => ({ ...present, settlement })),
})
