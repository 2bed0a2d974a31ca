// The rights of the service's role, which may read and write rows, and change no table.
import pg from 'pg'

/** Nothing is ever deleted from these. */
const kept = [
  ...['projects', 'api_keys', 'agents', 'organisation_configs', 'project_configs', 'price_settings', 'signing_keys'],
  ...['receipts', 'anchors', 'anchor_transactions', 'anchor_attempts', 'statements', 'statement_entries'],
  ...['statement_accounts', 'compliance_checks', 'fiat_equivalents', 'audit_heads', 'event_horizon'],
]
/** Rows of these never change either. */
const appended = ['audit_events']

const ownedWithLedger = (namespace: string, owner: string) => `${namespace} = 'public'::regnamespace
  and ${owner} = (select relowner from pg_class where relname = '_prisma_migrations' and relnamespace = 'public'::regnamespace)`

/**
 * Selects each table, view and sequence of the service with the privileges that its role needs there: those of the
 * owner of the ledger, those in `reporting`, and graphile-worker's.
 */
const needed = `
  select c.oid, c.relkind, c.relrowsecurity, quote_ident(n.nspname) as schema,
    format('%s%I.%I', case c.relkind when 'S' then 'sequence ' end, n.nspname, c.relname) as name,
    case when c.relkind = 'S' then '{usage}'
      when n.nspname = 'reporting' or n.nspname = 'public' and (c.relkind = 'v' or c.relname = '_prisma_migrations') then '{select}'
      when c.relname = any('{${appended}}') then '{select,insert}'
      when c.relname = any('{${kept}}') then '{select,insert,update}'
      else '{select,insert,update,delete}' end::text[] as privileges
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'S')
    and (n.nspname in ('graphile_worker', 'reporting') or ${ownedWithLedger('c.relnamespace', 'c.relowner')})`

// PostgreSQL asks for no right on the function of a trigger.
const functions = `
  select p.oid, format('function %s', p.oid::regprocedure) as name, quote_ident(n.nspname) as schema
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
    and (n.nspname = 'graphile_worker' or ${ownedWithLedger('p.pronamespace', 'p.proowner')})`

// graphile-worker's tables have row security, which hides their rows from every role but their owner.
const lacking = `
  with needed as (${needed}), functions as (${functions})
  select format('usage on schema %s', schema) as what from (select schema from needed union select schema from functions) s
  where not has_schema_privilege(schema, 'usage')
  union all
  select format('%s on %s', privilege, name) from needed, unnest(privileges) as privilege
  where not case relkind when 'S' then has_sequence_privilege(oid, privilege) else has_table_privilege(oid, privilege) end
  union all
  select format('a policy on %s', name) from needed where row_security_active(oid) and not exists (
    select from pg_policy where polrelid = needed.oid and polcmd = '*' and exists (
      select from unnest(polroles) role where role = 0 or pg_has_role(role, 'usage')))
  union all
  select format('execute on %s', name) from functions where not has_function_privilege(oid, 'execute')`

/** Returns what the role of the connection lacks for running the service, such as `insert on public.receipts`. */
export async function lackingRights(db: pg.Pool | pg.Client): Promise<string[]> {
  const { rows } = await db.query<{ what: string }>(lacking)
  return rows.map(({ what }) => what)
}

type Relation = { name: string; privileges: string[]; held: string[]; hidesRows: boolean }

// `held` is what was granted to the role itself; rights by membership in another role may end with it.
const relations = `
  with needed as (${needed})
  select name, privileges,
    array(select lower(privilege_type) from pg_class c, aclexplode(c.relacl) where c.oid = needed.oid and grantee = $1::regrole) as held,
    relrowsecurity and not exists (
      select from pg_policy where polrelid = needed.oid and polroles @> array[$1::regrole::oid]) as "hidesRows"
  from needed order by name`

/** Gives the role exactly the rights that the service needs, also on what later migrations make. */
export async function grantRights(client: pg.PoolClient, role: string, tell: (sentence: string) => void) {
  const to = pg.escapeIdentifier(role)
  const { rows } = await client.query<Relation>(relations, [to])
  const isSame = ({ privileges, held }: Relation) => String(privileges.toSorted()) === String(held.toSorted())
  const changes = rows
    .filter(row => !isSame(row))
    .flatMap(({ name, privileges }) => [
      `revoke all on ${name} from ${to}`,
      `grant ${privileges.join(', ')} on ${name} to ${to}`,
    ])
  const policies = rows
    .filter(({ hidesRows }) => hidesRows)
    .map(({ name }) => `create policy ${to} on ${name} to ${to} using (true)`)
  const later = ['public', 'graphile_worker'].flatMap(schema => [
    `grant usage on schema ${schema} to ${to}`,
    `grant execute on all functions in schema ${schema} to ${to}`,
    `alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${to}`,
    `alter default privileges in schema ${schema} grant usage on sequences to ${to}`,
    `alter default privileges in schema ${schema} grant execute on functions to ${to}`,
  ])
  const reporting = [
    'grant usage on schema reporting',
    'alter default privileges in schema reporting grant select on tables',
  ]
  await client.query('begin')
  try {
    for (const text of [...later, ...reporting.map(text => `${text} to ${to}`), ...changes, ...policies])
      await client.query(text)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`the role ${role} could not be given its rights`, { cause: error })
  }
  tell(
    changes.length + policies.length === 0
      ? `The role ${role} has its rights.`
      : `The role ${role} has been given its rights.`,
  )
}
