// Keeps receipts recorded but not yet screened for as long as a test needs.
import pg from 'pg'

/** Locks the table compliance_checks against writes until the returned function is called. */
export async function holdScreening(databaseUrl: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('lock table compliance_checks in share mode')
  return () => client.end()
}
