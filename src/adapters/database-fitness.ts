// Finds why the service cannot use a PostgreSQL server at all.
import type pg from 'pg'

const oldest = 17

/** Returns a sentence with the reason; null: there is none. */
export async function unfitness(db: pg.Pool | pg.Client): Promise<string | null> {
  const { rows } = await db.query<{ version: string; number: number; isReadOnly: boolean; isStandby: boolean }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
       current_setting('transaction_read_only') = 'on' as "isReadOnly", pg_is_in_recovery() as "isStandby"`,
  )
  const [found] = rows
  if (found === undefined) throw new Error('PostgreSQL does not say what it is')
  const { version, number, isReadOnly, isStandby } = found
  if (number < oldest * 10_000)
    return `PostgreSQL ${version} is reached. Quittance needs version ${oldest} or later: update PostgreSQL.`
  if (isStandby)
    return 'The PostgreSQL of DATABASE_URL is a standby, which takes no writes: name the primary, or all servers with ?target_session_attrs=read-write.'
  if (isReadOnly)
    return 'The PostgreSQL of DATABASE_URL takes no writes: default_transaction_read_only is on for the server, the database or the role. A host of PostgreSQL may set it when the disk is full.'
  return null
}
