// Database roles whose sessions have settings as servers and hosts have them in other places, of which the service must
// notice nothing.
import { randomBytes } from 'node:crypto'
import pg from 'pg'

export const hostile = {
  Kolkata: { TimeZone: 'Asia/Kolkata', DateStyle: 'ISO, DMY', search_path: 'elsewhere' },
  'New York in German': { TimeZone: 'America/New_York', DateStyle: 'German', IntervalStyle: 'sql_standard' },
  'Lord Howe': {
    TimeZone: 'Australia/Lord_Howe',
    DateStyle: 'SQL, DMY',
    IntervalStyle: 'iso_8601',
    bytea_output: 'escape',
    extra_float_digits: '-15',
    standard_conforming_strings: 'off',
    array_nulls: 'off',
    default_transaction_isolation: 'serializable',
    search_path: 'elsewhere, pg_catalog, public',
  },
} satisfies Record<string, Record<string, string>>

/** Makes a role with these settings, which may do all that the user of `url` may. Returns `url` with that role. */
export async function asHostile(url: string, settings: Record<string, string>): Promise<string> {
  const role = `hostile_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create role ${role} superuser login password 'secret'`)
  for (const [name, value] of Object.entries(settings)) {
    // Each part of a path is a name of its own.
    const written = name === 'search_path' ? value : `'${value}'`
    await client.query(`alter role ${role} set ${name} = ${written}`)
  }
  await client.end()
  return Object.assign(new URL(url), { username: role, password: 'secret' }).toString()
}
