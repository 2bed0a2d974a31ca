// Reads the organisation's configuration, current or past, as it applies to a project. A version never changes, so each
// version is read once.
import { LRUCache } from 'lru-cache'
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import type { Sql } from '../../kit/transaction.ts'
import { configOf, type ProjectConfig } from '../projects/config.ts'
import {
  type Configuration,
  configurationOf,
  type Organisation,
  organisationConfig,
  plainOrganisation,
} from './organisation.ts'

const versions = perApp(() => new Map<number, Organisation>())

/** Returns the organisation's configuration of a version; the defaults for null, before the first version. */
async function organisationAt(app: App, sql: Sql, version: number | null): Promise<Organisation> {
  if (version === null) return plainOrganisation
  const known = versions(app).get(version)
  if (known !== undefined) return known
  const rows = await sql<{ config: unknown }>('select config from organisation_configs where version = $1', [version])
  const organisation = organisationConfig.parse(rows[0]?.config)
  versions(app).set(version, organisation)
  return organisation
}

type Stated = Pick<ProjectConfig, 'parties' | 'fxPolicy' | 'settlement'> & { isHouse: boolean }

const ofProjects = perApp(() => new LRUCache<number, Stated>({ max: 10_000 }))
const unconfigured: Stated = { ...configOf(null), isHouse: false }

/** Returns what a project stated about parties and fiat equivalents in this version of its configuration. */
async function statedAt(app: App, sql: Sql, version: number | null): Promise<Stated> {
  if (version === null) return unconfigured
  const known = ofProjects(app).get(version)
  if (known !== undefined) return known
  const [row] = await sql<{ config: unknown; isHouse: boolean }>(
    'select config, is_house as "isHouse" from project_configs where version = $1',
    [version],
  )
  if (row === undefined) throw new Error(`there is no project configuration ${version}`)
  const { parties, fxPolicy, settlement } = configOf(row)
  const stated = { parties, fxPolicy, settlement, isHouse: row.isHouse }
  ofProjects(app).set(version, stated)
  return stated
}

/** Returns the configuration a receipt was recorded under: the organisation's, with what its project stated. */
export async function configurationAt(
  app: App,
  sql: Sql,
  { organisation, project }: { organisation: number | null; project: number | null },
): Promise<Configuration> {
  return configurationOf(
    await organisationAt(app, sql, organisation),
    await statedAt(app, sql, project),
    app.chainAliases,
  )
}

/** Returns the current configuration for a project. */
export async function presentConfiguration(app: App, sql: Sql, projectId: string): Promise<Configuration> {
  const [row] = await sql<{ version: number | null }>(
    'select config_version as version from projects where id = $1::uuid',
    [projectId],
  )
  return configurationOf(
    await presentOrganisation(app, sql),
    await statedAt(app, sql, row?.version ?? null),
    app.chainAliases,
  )
}

export async function presentOrganisation(app: App, sql: Sql): Promise<Organisation> {
  const rows = await sql<{ version: number | null }>(
    'select max(version) as version from organisation_configs',
    [],
    'organisation-version',
  )
  return organisationAt(app, sql, rows[0]?.version ?? null)
}
