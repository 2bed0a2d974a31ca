// A database role without the rights it needs: start and doctor report the missing grants, and these grants are enough.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { missingRights } from '../../src/adapters/database-rights.ts'
import { migrate } from '../../src/adapters/migrate.ts'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { onDatabase } from '../kit/global-setup.ts'
import { freshDatabase, startService } from '../kit/service.ts'

const role = `rights_${process.pid}`
let emptyDatabase: string
const databases: string[] = []

/** Runs SQL as the owner of the database. Returns the rows. */
async function ask(databaseUrl: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

const asRole = (databaseUrl: string) =>
  Object.assign(new URL(databaseUrl), { username: role, password: 'secret' }).toString()

async function lacking(databaseUrl: string): Promise<string | null> {
  const pool = openPool(asRole(databaseUrl), 1, console)
  try {
    return await missingRights(pool)
  } finally {
    await pool.end()
  }
}

/** Applies the reported grants until none is reported; returns them. */
async function grantAll(databaseUrl: string): Promise<string[]> {
  const grants: string[] = []
  for (let round = 0; round < 3; round++) {
    const sentence = await lacking(databaseUrl)
    if (sentence === null) return grants
    const told = sentence.slice(sentence.indexOf('grant '))
    grants.push(told)
    await ask(databaseUrl, told)
  }
  throw new Error(`it is never enough: ${grants.join(' ')}`)
}

async function anchorAs(databaseUrl: string): Promise<void> {
  const service = await startService({ DATABASE_URL: databaseUrl })
  const { key } = await service.api.project()
  const { json } = await service.api.record(key)
  await service.api.anchored(json.receipt_id)
  await service.stop()
}

beforeAll(async () => {
  await ask(inject('postgresUrl'), `create role ${role} login password 'secret'`)
  await ask(inject('postgresUrl'), `create database ${role}`)
  emptyDatabase = onDatabase(inject('postgresUrl'), role)
  databases.push(emptyDatabase)
})
afterAll(async () => {
  for (const url of databases) await ask(url, `drop owned by ${role}`)
  await ask(inject('postgresUrl'), `drop role ${role}`)
})

async function migrated(): Promise<string> {
  const url = await freshDatabase()
  databases.push(url)
  return url
}

it('a role needs to create tables and a schema in an empty database, and can after the reported grants', async () => {
  expect(await lacking(emptyDatabase)).toBe(
    `The role ${role} lacks rights in database ${role} that Quittance needs. Let its owner run: grant create on database ${role} to ${role}; grant usage, create on schema public to ${role};`,
  )
  await grantAll(emptyDatabase)
  const pool = openPool(asRole(emptyDatabase), 2, console)
  await migrate(pool)
  await pool.end()
  expect(await lacking(emptyDatabase)).toBeNull()
})

it('a server without the extension pg_trgm is reported before anything is changed', async ({ skip }) => {
  const hides = `select from pg_settings where name = 'extension_control_path'`
  if ((await ask(inject('postgresUrl'), hides)).length === 0)
    skip('only PostgreSQL 18 can be told to find no extension')
  const name = `${role}_bare`
  await ask(inject('postgresUrl'), `create database ${name}`)
  // The server then finds no extension.
  await ask(inject('postgresUrl'), `alter database ${name} set extension_control_path = '/nowhere'`)
  const DATABASE_URL = onDatabase(inject('postgresUrl'), name)
  await expect(startService({ DATABASE_URL, LOG_LEVEL: 'silent' })).rejects.toThrow(
    'PostgreSQL lacks the extension pg_trgm',
  )
})

it('a role that may make no extension in a migrated database needs to create in it', async () => {
  const databaseUrl = await migrated()
  await ask(databaseUrl, 'drop extension pg_trgm cascade')
  expect(await lacking(databaseUrl)).toContain(`grant create on database`)
})

it('in a database that another role migrated, a role needs the owner’s rights and then anchors a receipt', async () => {
  const databaseUrl = await migrated()
  // Reading and writing the tables is not enough: row security hides the queue's rows from other roles.
  const some = `grant select, insert, update, delete on all tables in schema public, graphile_worker to ${role}`
  await ask(databaseUrl, `${some}; grant usage on schema graphile_worker to ${role}`)
  const [told] = await grantAll(databaseUrl)
  expect(told).toBe(`grant quittance to ${role};`)
  await anchorAs(asRole(databaseUrl))
  await ask(databaseUrl, `revoke quittance from ${role}`)
})

it('a role that bypasses row security needs only to read and write, and cannot change the audit trail', async () => {
  const databaseUrl = await migrated()
  await ask(
    databaseUrl,
    `alter role ${role} bypassrls; grant usage on schema graphile_worker to ${role};
     grant usage on all sequences in schema public, graphile_worker to ${role};
     grant select, insert, update, delete on all tables in schema public, graphile_worker to ${role};
     revoke update, delete on audit_events from ${role}`,
  )
  expect(await lacking(databaseUrl)).toBeNull()
  await anchorAs(asRole(databaseUrl))
  await ask(databaseUrl, `alter role ${role} nobypassrls`)
})

it('a role that may not alter the tables is refused before a migration fails half-way', async () => {
  const databaseUrl = await migrated()
  await ask(
    databaseUrl,
    `alter role ${role} bypassrls; grant usage on schema graphile_worker to ${role};
     grant usage on all sequences in schema public, graphile_worker to ${role};
     grant select, insert, update, delete on all tables in schema public, graphile_worker to ${role}`,
  )
  expect(await lacking(databaseUrl)).toBeNull()
  await ask(
    databaseUrl,
    'delete from _prisma_migrations where migration_name = (select max(migration_name) from _prisma_migrations)',
  )
  expect(await lacking(databaseUrl)).toContain(`grant quittance to ${role};`)
})

it('a role that may not connect gets an error that names the missing privilege', async () => {
  const databaseUrl = await migrated()
  const name = new URL(databaseUrl).pathname.slice(1)
  await ask(databaseUrl, `revoke connect on database ${name} from public`)
  expect(await lacking(databaseUrl)).toMatch(/permission denied for database .* CONNECT privilege/)
})

it('start and doctor report it in one sentence each', async () => {
  const DATABASE_URL = asRole(await migrated())
  const sentence =
    /^The role rights_\d+ lacks rights in database test_\w+ that Quittance needs\. Let its owner run: grant /
  await expect(startService({ DATABASE_URL, LOG_LEVEL: 'silent' })).rejects.toThrow(sentence)
  const doctor = spawn(process.execPath, ['bin/quittance.js', 'doctor'], { env: { ...process.env, DATABASE_URL } })
  let out = ''
  doctor.stdout.on('data', chunk => (out += chunk))
  await once(doctor, 'close')
  expect(out).toMatch(/^FAIL {2}database +The role rights_\d+ lacks rights in database/m)
})
