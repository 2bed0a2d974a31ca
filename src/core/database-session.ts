// The settings of each PostgreSQL session of the service. A server, a database or a role may have others, which change
// what a time without zone means, how values are written as text, which tables a name finds, and what is cut.
import type pg from 'pg'

export const sessionSettings = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  // Prisma writes this schema into its statements, so no other works.
  search_path: 'public',
  standard_conforming_strings: 'on',
  // Without it, a null in the text of an array is a string.
  array_nulls: 'on',
  // The statements are written for it: under a stricter level, PostgreSQL aborts transactions that meet.
  default_transaction_isolation: 'read committed',
  // Each kind of connection has limits of its own. Those of a role would cut a migration, or the connection that
  // listens.
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
}

export type Settings = Readonly<Record<string, string>>

/**
 * Besides, of the connections for requests and jobs: for a process that is gone or stands still. A wait for a lock ends
 * before its caller is given up. A statement has long, so that one that clears a backlog succeeds even if its caller
 * was given up.
 */
export const requestSettings: Settings = {
  lock_timeout: '15s',
  idle_in_transaction_session_timeout: '1min',
  statement_timeout: '5min',
}

/**
 * Besides, of the connections for reads that are compiled to SQL. Their statements name the columns by which they look
 * up rows, so the plan does not depend on the values, and planning would take longer than the read itself. A plan that
 * reads a table from end to end, because few projects have most of its rows, would be kept for the other projects too.
 * A page is read in the order of an index also before statistics are gathered: with the default cost of a random page,
 * PostgreSQL would read and sort the whole project.
 */
export const readSettings: Settings = {
  plan_cache_mode: 'force_generic_plan',
  random_page_cost: '1.1',
  enable_seqscan: 'off',
  jit: 'off',
  statement_timeout: '10s',
}

// By default the server notices only after two hours that the machine of a process has lost its power, and keeps its
// locks, also those that show that it lives.
const keepAlive = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'

/** Returns the statements that make these settings those of a session. */
export const sets = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ')

/**
 * The first statement of each connection. Not parameters of the connection's start, because PgBouncer refuses those
 * that it does not know.
 */
export const fixSession = `${sets(sessionSettings)}; ${keepAlive}`

const utc = /^(etc\/)?(utc|uct|gmt|zulu|universal)$/i

/** Returns those settings of the session that differ from these, such as `TimeZone = Asia/Kolkata`. */
export async function differences(client: pg.ClientBase, settings: Settings): Promise<string[]> {
  const { rows } = await client.query<{ name: string; value: string; isSame: boolean }>(
    `select own.name, current_setting(own.name) as value,
       case own.name when 'search_path' then current_schema() is not distinct from 'public'
         else lower(current_setting(own.name)) = lower(own.value) end as "isSame"
     from json_each_text($1) as own(name, value)`,
    [JSON.stringify(settings)],
  )
  const other = rows.filter(({ name, value, isSame }) => !isSame && !(name === 'TimeZone' && utc.test(value)))
  return other.map(({ name, value }) => `${name} = ${value}`)
}

/** SQL: the installation of PostgreSQL, and the database in it. A copy has those of its original. */
export const place = `
  (select system_identifier from pg_control_system()) || '/' ||
  (select oid from pg_database where datname = current_database())`
