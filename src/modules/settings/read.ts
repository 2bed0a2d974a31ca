// The organisation's configuration, now and as it was: a version never changes, so each is read once.
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import type { Sql } from '../../kit/transaction.ts'
import { type Organisation, organisationInput, plainOrganisation } from './organisation.ts'

const versions = perApp(() => new Map<number, Organisation>())

/** The configuration of this version; null is the one before anything was configured. */
export async function organisationAt(app: App, sql: Sql, version: number | null): Promise<Organisation> {
  if (version === null) return plainOrganisation
  const known = versions(app).get(version)
  if (known !== undefined) return known
  const rows = await sql<{ config: unknown }>('select config from organisation_configs where version = $1', [version])
  const organisation = organisationInput.parse(rows[0]?.config)
  versions(app).set(version, organisation)
  return organisation
}

export async function presentOrganisation(app: App, sql: Sql): Promise<Organisation> {
  const rows = await sql<{ version: number | null }>('select max(version) as version from organisation_configs')
  return organisationAt(app, sql, rows[0]?.version ?? null)
}
