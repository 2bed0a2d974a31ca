// The versions of the organisation's configuration, written one after the other.
import { actorOf, type Principal } from '../../core/principal.ts'
import type { Done, VerbTransaction } from '../../kit/verb.ts'
import { type Organisation, organisationConfig, plainOrganisation } from './organisation.ts'

/** Stores a version that `change` makes of the present one. It is in force from now on. */
export async function addOrganisationVersion(
  tx: VerbTransaction,
  principal: Principal,
  change: (present: Organisation) => Organisation,
): Promise<Done<Organisation>> {
  // Two changes at once would each keep what the other replaces.
  await tx.sql(`select from pg_advisory_xact_lock(hashtext('organisation_configs'))`)
  const last = await tx.db.organisationConfig.findFirst({ orderBy: { version: 'desc' } })
  const config = change(last === null ? plainOrganisation : organisationConfig.parse(last.config))
  const { version } = await tx.db.organisationConfig.create({ data: { config, actor: actorOf(principal) } })
  return { result: config, audit: [{ objectType: 'organisation', objectId: String(version), projectId: null }] }
}
