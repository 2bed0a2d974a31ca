// Finds the rights that a database role lacks for migrating, or for running the service, and says how it gets them.
// Finds a missing extension, too.
import pg from 'pg'
import { lackingRights } from './grants.ts'
import { isBehind, migrations } from './migrations.ts'

/**
 * The place where the service's tables are or would be, and what the role may do there. Names are quoted as SQL
 * identifiers.
 */
type Place = {
  role: string
  database: string
  /** The schema in which tables would be created; null when the role may use no schema. */
  schema: string | null
  mayMakeSchemas: boolean
  mayMakeTables: boolean
  hasQueue: boolean
  hasTrigrams: boolean
  mayMakeTrigrams: boolean
  isMigrated: boolean
}

const place = `
  select quote_ident(current_user) as role, quote_ident(current_database()) as database,
    quote_ident(current_schema()) as schema,
    has_database_privilege(current_database(), 'create') as "mayMakeSchemas",
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayMakeTables",
    to_regnamespace('graphile_worker') is not null as "hasQueue",
    exists (select from pg_extension where extname = 'pg_trgm') as "hasTrigrams",
    exists (select from pg_available_extensions where name = 'pg_trgm') as "mayMakeTrigrams",
    to_regclass('_prisma_migrations') is not null as "isMigrated"`

// Selects the owners of the tables $1 and of graphile-worker's whose rights this role lacks, because only the owner of
// a table can migrate it.
const owners = `
  select distinct quote_ident(pg_get_userbyid(relowner)) as owner from pg_class
  where relkind = 'r' and (relnamespace = to_regnamespace('graphile_worker')
      or relnamespace = current_schema()::regnamespace and relname = any($1))
    and not pg_has_role(relowner, 'usage')`

const noTrigrams =
  'PostgreSQL lacks the extension pg_trgm that Quittance needs. Install PostgreSQL’s contrib package on its server.'

/**
 * Returns a sentence with what is missing, and what to do; null for nothing. A role that does not migrate needs to read
 * and write rows alone.
 */
export async function missingRights(
  db: pg.Pool | pg.Client,
  { migrates }: { migrates: boolean },
): Promise<string | null> {
  try {
    const { rows } = await db.query<Place>(place)
    const [found] = rows
    if (found === undefined) throw new Error('PostgreSQL does not say what the role may do')
    const { role, database, hasTrigrams, mayMakeTrigrams } = found
    if (!hasTrigrams && !mayMakeTrigrams) return noTrigrams
    const lacks = `The role ${role} lacks rights in database ${database} that Quittance needs`
    const rights = found.isMigrated ? await lackingRights(db) : []
    // A role that may not read which migrations are applied is told so first.
    const mayRead = !rights.some(right => right.endsWith('._prisma_migrations'))
    if (migrates && mayRead && (await isBehind(db))) {
      const grants = (await missingGrants(db, found)).map(what => `grant ${what} to ${role};`)
      return grants.length === 0 ? null : `${lacks}. Let its owner run: ${grants.join(' ')}`
    }
    if (rights.length === 0) return null
    const others = rights.length > 3 ? ` and ${rights.length - 3} more` : ''
    return `${lacks}: ${rights.slice(0, 3).join(', ')}${others}. ${howToGrant}`
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === '42501')) throw error
    return `PostgreSQL refuses the role: ${error.message}. ${error.detail ?? ''}`.trimEnd()
  }
}

const howToGrant =
  'The command migrate grants them: run it with the URL of the tables’ owner in MIGRATION_DATABASE_URL, and that of this role in DATABASE_URL.'

async function missingGrants(db: pg.Pool | pg.Client, found: Place): Promise<string[]> {
  const { database, schema, mayMakeSchemas, mayMakeTables, hasQueue, hasTrigrams } = found
  const made = (await migrations()).flatMap(({ sql }) => tablesOf(sql))
  const { rows } = await db.query<{ owner: string }>(owners, [[...made, '_prisma_migrations']])
  return [
    ...((hasQueue && hasTrigrams) || mayMakeSchemas ? [] : [`create on database ${database}`]),
    ...(mayMakeTables ? [] : [`usage, create on schema ${schema ?? 'public'}`]),
    ...rows.map(({ owner }) => owner),
  ]
}

const tablesOf = (sql: string) => [...sql.matchAll(/create table "?(\w+)/gi)].map(([, name]) => name ?? '')
