// Database roles: of one that migrates, start and doctor report the missing grants, and these are enough; of one that
// serves alone, migrate grants what it needs and no more.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
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

async function lacking(databaseUrl: string, migrates = true): Promise<string | null> {
  const pool = openPool(asRole(databaseUrl), 1, console)
  try {
    return await missingRights(pool, { migrates })
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

async function migrateAs(databaseUrl: string, grantTo: string | null): Promise<void> {
  const pool = openPool(databaseUrl, 2, console)
  await migrate(pool, { grantTo }).finally(() => pool.end())
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
  await migrateAs(asRole(emptyDatabase), null)
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

it('a role that may not alter the tables is refused before a migration fails half-way', async () => {
  const databaseUrl = await migrated()
  await migrateAs(databaseUrl, role)
  expect(await lacking(databaseUrl)).toBeNull()
  await ask(
    databaseUrl,
    'delete from _prisma_migrations where migration_name = (select max(migration_name) from _prisma_migrations)',
  )
  expect(await lacking(databaseUrl)).toContain(`grant quittance to ${role};`)
  expect(await lacking(databaseUrl, false)).toBeNull()
})

it('a role that may make no extension needs to create in the database to migrate it', async () => {
  const databaseUrl = await migrated()
  await migrateAs(databaseUrl, role)
  await ask(databaseUrl, 'drop extension pg_trgm cascade; delete from _prisma_migrations')
  expect(await lacking(databaseUrl)).toContain(`grant create on database`)
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
    /^The role rights_\d+ lacks rights in database test_\w+ that Quittance needs: .* and \d+ more\. The command migrate grants them/
  await expect(startService({ DATABASE_URL, LOG_LEVEL: 'silent' })).rejects.toThrow(sentence)
  const doctor = spawn(process.execPath, ['bin/quittance.js', 'doctor'], { env: { ...process.env, DATABASE_URL } })
  let out = ''
  doctor.stdout.on('data', chunk => (out += chunk))
  await once(doctor, 'close')
  expect(out).toMatch(/^FAIL {2}database +The role rights_\d+ lacks rights in database/m)
})

describe('a role that migrate gave its rights', () => {
  let databaseUrl: string
  beforeAll(async () => {
    databaseUrl = await migrated()
    await migrateAs(databaseUrl, role)
  })

  it('lacks none, and anchors a receipt', async () => {
    expect(await lacking(databaseUrl, false)).toBeNull()
    await anchorAs(asRole(databaseUrl))
  })

  it('has them after the next run, which changes nothing', async () => {
    const rights = `select relname, relacl::text from pg_class where relacl is not null order by oid`
    const before = await ask(databaseUrl, rights)
    await migrateAs(databaseUrl, role)
    expect(await ask(databaseUrl, rights)).toEqual(before)
  })

  it.each([
    'create table mine ()',
    'create schema mine',
    'alter table receipts add column mine text',
    'drop table receipts',
    'truncate receipts',
    'drop trigger audit_is_append_only on audit_events',
    'alter table audit_events disable trigger all',
    "set session_replication_role = 'replica'",
    "update audit_events set action = 'mine'",
    'delete from audit_events',
    'delete from receipts',
    'delete from anchors',
    "update _prisma_migrations set checksum = 'mine'",
    'delete from _prisma_migrations',
    'insert into reporting.access values (current_user)',
    "select reporting.allow('public')",
    'create or replace function receipt_recount() returns void language sql as $$ select $$',
    'alter table graphile_worker._private_jobs disable row level security',
    'create table graphile_worker.mine ()',
  ])('may not: %s', async statement => {
    await expect(ask(asRole(databaseUrl), statement)).rejects.toThrow(/permission denied|must be owner/)
  })

  it.each([
    ['revoke insert on receipts from ROLE', 'insert on public.receipts'],
    ['revoke select on _prisma_migrations from ROLE', 'select on public._prisma_migrations'],
    ['revoke usage on all sequences in schema public from ROLE', 'usage on sequence public.'],
    ['revoke usage on schema graphile_worker from ROLE', 'usage on schema graphile_worker'],
    ['drop policy ROLE on graphile_worker._private_jobs', 'a policy on graphile_worker._private_jobs'],
    ['revoke select on reporting.receipt_rows from ROLE', 'select on reporting.receipt_rows'],
  ])('after “%s” is told what it lacks, and gets it from migrate', async (statement, what) => {
    await ask(databaseUrl, statement.replace('ROLE', role))
    expect(await lacking(databaseUrl, false)).toContain(what)
    await migrateAs(databaseUrl, role)
    expect(await lacking(databaseUrl, false)).toBeNull()
  })

  it('may use a table that a later migration makes, while that migration is applied', async () => {
    await ask(databaseUrl, 'create table made_later (id bigserial)')
    await ask(asRole(databaseUrl), 'insert into made_later default values; update made_later set id = 7')
    await ask(databaseUrl, 'drop table made_later')
  })
})
