// Checks the key that signs bundles: it exists, is not readable by everyone, and is not retired.
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { openSigningKey } from '../../adapters/ed25519-file.ts'
import type { Env } from '../../env.ts'
import { about, type Finding, wordsOf } from './finding.ts'

const { ok, warn, fail } = about('signing key')

/** `client` is null when there is no database in which to check whether the key is retired. */
export async function inspectSigningKey(env: Env, client: pg.Client | null): Promise<Finding[]> {
  const file = env.SIGNING_KEY_FILE ?? join(env.DATA_DIR, 'signing-key.pem')
  if (env.SIGNING_KEY_FILE === null && !(await isThere(file))) {
    return [ok(`SIGNING_KEY_FILE is not set: the first start makes ${file}.`)]
  }
  try {
    const { keyId } = await openSigningKey(file, { create: false })
    const safe = ok(`${file} is not open to everyone; key ${keyId}.`)
    if (client !== null) return [safe, await keyStatus(keyId, client)]
    return env.DATABASE_URL === null
      ? [safe]
      : [safe, warn(`The database is needed to check whether key ${keyId} is retired.`)]
  } catch (error) {
    return [fail(wordsOf(error))]
  }
}

async function keyStatus(keyId: string, client: pg.Client): Promise<Finding> {
  const { rows: tables } = await client.query(`select to_regclass('signing_keys') as keys`)
  const { rows } =
    tables[0]?.keys === null
      ? { rows: [] }
      : await client.query<{ validTo: Date | null }>(
          'select valid_to as "validTo" from signing_keys where key_id = $1',
          [keyId],
        )
  const [row] = rows
  if (row === undefined) return ok(`Key ${keyId} is new: the next start publishes it.`)
  if (row.validTo === null) return ok(`Key ${keyId} is published and in use.`)
  return fail(
    `Key ${keyId} was retired (${row.validTo.toISOString()}), so nothing is sealed: set SIGNING_KEY_FILE to another.`,
  )
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )
