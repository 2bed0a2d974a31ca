// Receipts that are recorded and not screened yet, for as long as a test needs.
import pg from 'pg'

/** Until what this answers is called, the database lets no check be written. */
export async function holdScreening(databaseUrl: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('lock table compliance_checks in share mode')
  return () => client.end()
}
