// Finds the rights that the database role lacks for starting and running the service, and returns the grants as SQL.
// Finds a missing extension, too.
import pg from 'pg'
import { migrationState, migrations } from './migrate.ts'

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

// Selects the owners of the tables $1, of their sequences and of graphile-worker's tables. If $2 is false, only owners
// of a table or sequence on which this role lacks rights; if $2 is true, owners of any that this role does not own,
// because only the owner of a table can migrate it. `row_security_active`: graphile-worker's tables have row security,
// which hides their rows from every role but their owner. `audit_events`: the service inserts rows and never changes
// them.
const owners = `
  with ours as (
    select c.oid, c.relname, c.relkind, c.relnamespace, c.relowner from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'graphile_worker' and c.relkind in ('r', 'S', 'v') or n.nspname = current_schema() and (
      c.relname = any($1) or c.relkind = 'S' and exists (
        select from pg_depend d join pg_class t on t.oid = d.refobjid
        where d.objid = c.oid and d.deptype = 'a' and t.relname = any($1)))
  )
  select distinct quote_ident(pg_get_userbyid(relowner)) as owner from ours
  where not pg_has_role(relowner, 'usage') and ($2 or not has_schema_privilege(relnamespace, 'usage') or case relkind
    when 'S' then not has_sequence_privilege(oid, 'usage')
    else row_security_active(oid) or not has_table_privilege(oid, 'select') or not has_table_privilege(oid, 'insert')
      or relname <> 'audit_events' and not (has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')) end)`

const noTrigrams =
  'PostgreSQL lacks the extension pg_trgm that Quittance needs. Install PostgreSQL’s contrib package on its server.'

/** Returns a sentence with what is missing, such as the grants that the owner must run; null for nothing. */
export async function missingRights(db: pg.Pool | pg.Client): Promise<string | null> {
  try {
    const { rows } = await db.query<Place>(place)
    const [found] = rows
    if (found === undefined) throw new Error('PostgreSQL does not say what the role may do')
    const { role, database, hasTrigrams, mayMakeTrigrams } = found
    if (!hasTrigrams && !mayMakeTrigrams) return noTrigrams
    const grants = (await missingGrants(db, found)).map(what => `grant ${what} to ${role};`)
    if (grants.length === 0) return null
    return `The role ${role} lacks rights in database ${database} that Quittance needs. Let its owner run: ${grants.join(' ')}`
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === '42501')) throw error
    return `PostgreSQL refuses the role of DATABASE_URL: ${error.message}. ${error.detail ?? ''}`.trimEnd()
  }
}

async function missingGrants(db: pg.Pool | pg.Client, found: Place): Promise<string[]> {
  const { database, schema, mayMakeSchemas, mayMakeTables, hasQueue, hasTrigrams, isMigrated } = found
  const made = (await migrations()).flatMap(({ sql }) => tablesOf(sql))
  const ownersOf = async (isBehind: boolean) =>
    (await db.query<{ owner: string }>(owners, [[...made, '_prisma_migrations'], isBehind])).rows.map(row => row.owner)
  const ofTables = await ownersOf(false)
  // A role that may not read which migrations are applied needs the rights of their owner in any case.
  const isBehind = !isMigrated || (ofTables.length === 0 && (await migrationState(db)).missing.length > 0)
  return [
    ...((hasQueue && hasTrigrams) || mayMakeSchemas ? [] : [`create on database ${database}`]),
    ...(mayMakeTables || !isBehind ? [] : [`usage, create on schema ${schema ?? 'public'}`]),
    ...(isBehind ? await ownersOf(true) : ofTables),
  ]
}

const tablesOf = (sql: string) => [...sql.matchAll(/create table "?(\w+)/gi)].map(([, name]) => name ?? '')
