// Migrations of tables that others read and write meanwhile: they give way, build indexes concurrently, go on after a
// crash, and take nothing away from processes that run.
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, it } from 'vitest'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { type OtherVersion, otherVersion } from '../kit/other-version.ts'
import { freshDatabase, startService } from '../kit/service.ts'

const name = (what: string) => `29990101000000_${what}`
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function version(migrations: Record<string, string>, number = '0.2.0'): Promise<OtherVersion> {
  const made = await otherVersion(number, migrations)
  ends.push(() => rm(made.folder, { recursive: true }))
  return made
}

async function database() {
  const url = await freshDatabase()
  const pool = openPool(url, 4, console)
  ends.push(() => pool.end())
  const session = async () => {
    const client = new pg.Client({ connectionString: url, application_name: 'a report' })
    await client.connect()
    ends.push(() => client.end())
    return client
  }
  return { url, pool, session }
}

const index = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS "receipts_late" ON "receipts"("ledger_txid");\n'

it('a long transaction holds up neither writers nor, once it ends, the migration', async () => {
  const { pool, session } = await database()
  const { migrator } = await version({ [name('note')]: 'alter table projects add column note text' })
  const reader = await session()
  await reader.query('begin; select * from projects')
  const told: string[] = []
  let writes = 0
  let isDone = false
  const migrated = migrator.migrate(pool, { tell: sentence => told.push(sentence) }).finally(() => {
    isDone = true
  })
  const writer = await session()
  const write = async () => {
    for (; !isDone; await sleep(20)) {
      await writer.query(`insert into projects (id, name) values (gen_random_uuid(), 'p')`)
      writes++
    }
  }
  const writing = write()
  await expect
    .poll(() => told.join())
    .toMatch(
      /A table is in use: trying again in 3 s\. The oldest transaction has lasted \d+ s \(process \d+, role \w+, program a report\)\./,
    )
  const before = writes
  await expect.poll(() => writes).toBeGreaterThan(before + 20)
  await reader.query('commit')
  await migrated
  await writing
  expect((await pool.query('select count(*)::int as n, count(note)::int as notes from projects')).rows).toEqual([
    { n: writes, notes: 0 },
  ])
})

it('an index is built while others write, and again where a crash cut it short', async () => {
  const { pool, session } = await database()
  const { migrator } = await version({
    [name('late')]: `${index}\nDROP INDEX CONCURRENTLY IF EXISTS "receipts_open";\n`,
  })
  const writer = await session()
  // Such a transaction would wait for an index that is built in a transaction, and the index waits for it.
  await writer.query(`begin; insert into projects (id, name) values (gen_random_uuid(), 'p')`)
  const builder = pool.connect()
  const cut = (await builder).query(index).catch((error: Error) => error)
  await writer.query('lock table receipts in row exclusive mode')
  await expect
    .poll(async () => (await writer.query(`select from pg_class where relname = 'receipts_late'`)).rowCount)
    .toBe(1)
  await writer.query(
    `select pg_cancel_backend(pid) from pg_stat_activity where query like 'CREATE INDEX CONC%' and pid <> pg_backend_pid()`,
  )
  expect(await cut).toMatchObject({ code: '57014' })
  ;(await builder).release()
  await writer.query('commit')
  const told: string[] = []
  await migrator.migrate(pool, { tell: sentence => told.push(sentence) })
  expect(told.join(' ')).toContain('The index receipts_late was not built completely: it is built again.')
  const { rows } = await pool.query(
    `select indisvalid, to_regclass('receipts_open') as dropped from pg_index where indexrelid = 'receipts_late'::regclass`,
  )
  expect(rows).toEqual([{ indisvalid: true, dropped: null }])
  expect(await migrator.migrate(pool)).toEqual([])
})

it('two that migrate at once do not wait for each other for ever where an index is built concurrently', async () => {
  const { url } = await database()
  const { migrator } = await version({ [name('late')]: index })
  const pools = [1, 2, 3].map(() => openPool(url, 2, console))
  const applied = await Promise.all(pools.map(pool => migrator.migrate(pool).finally(() => pool.end())))
  expect(applied.flat()).toEqual([name('late')])
})

it('what older processes use is taken away once none runs, and none starts from then on', async () => {
  const { url, pool } = await database()
  const { migrator } = await version({
    [name('less')]: '-- Oldest program: 0.2.0\ndrop table model_usage',
  })
  const older = await startService({ DATABASE_URL: url })
  await expect(migrator.migrate(pool)).rejects.toThrow(
    'takes away what versions before 0.2.0 use, and processes of 0.1.0 run on this database',
  )
  await older.stop()
  expect(await migrator.migrate(pool)).toEqual([name('less')])
  await expect(startService({ DATABASE_URL: url })).rejects.toThrow(
    `newer than this program: since ${name('less')} it needs version 0.2.0 or later, and this is 0.1.0`,
  )
})

it('a migration that fails changes nothing, and those before it stay', async () => {
  const { pool } = await database()
  const { migrator } = await version({
    [name('a')]: 'alter table projects add column note text',
    [name('b')]: 'alter table projects add column other text; select 1 / 0',
  })
  await expect(migrator.migrate(pool)).rejects.toThrow(`the migration ${name('b')} failed, and changed nothing`)
  const { rows } = await pool.query(
    `select column_name as name from information_schema.columns where table_name = 'projects' and column_name in ('note', 'other')`,
  )
  expect(rows).toEqual([{ name: 'note' }])
})
