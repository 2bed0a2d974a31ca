// The settings of each PostgreSQL session of the service. A server, a database or a role may have others, which change
// what a time without zone means, how values are written as text, which tables a name finds, and what is cut.

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

// By default the server notices only after two hours that the machine of a process has lost its power, and keeps its
// locks, also those that show that it lives.
const keepAlive = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'

/**
 * The first statement of each connection. Not parameters of the connection's start, because PgBouncer refuses those
 * that it does not know.
 */
export const fixSession = [
  ...Object.entries(sessionSettings).map(([name, value]) => `set ${name} = '${value}'`),
  keepAlive,
].join('; ')
