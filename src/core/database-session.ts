// The settings of each PostgreSQL session of the service. A server, a database or a role may have others, which change
// what a time without zone means, how values are written as text, and which tables a name finds.

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
}

/**
 * The first statement of each connection. Not parameters of the connection's start, because PgBouncer refuses those
 * that it does not know.
 */
export const fixSession = Object.entries(sessionSettings)
  .map(([name, value]) => `set ${name} = '${value}'`)
  .join('; ')
