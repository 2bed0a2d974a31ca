// The migrations create the database that the Prisma models describe, with our own runner and with Prisma's tool alike.
import { execFile } from 'node:child_process'
import { createHash, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../../src/adapters/migrate.ts'
import { isOlderThan, migrationState, migrations } from '../../src/adapters/migrations.ts'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { StartError } from '../../src/embedded/start-error.ts'
import { otherVersion } from '../kit/other-version.ts'
import { differences } from '../kit/schema-engine.ts'
import { freshDatabase, startService } from '../kit/service.ts'

it('a migrated database has no difference from the models', async () => {
  expect(await differences(await freshDatabase())).toMatch(/^(|-- This is an empty migration\.)\s*$/)
})

it('migrating again, also from several processes at once, changes nothing', async () => {
  const pool = openPool(await freshDatabase(), 6, console)
  const ledger = async () =>
    (await pool.query('select migration_name, checksum from _prisma_migrations order by 1')).rows
  const before = await ledger()
  await Promise.all([migrate(pool), migrate(pool), migrate(pool)])
  expect(await ledger()).toEqual(before)
  await pool.end()
})

describe('a database that a newer program migrated', () => {
  const later = (logs: string | null) => async () => {
    const pool = openPool(await freshDatabase(), 2, console)
    await pool.query(
      `insert into _prisma_migrations (id, checksum, migration_name, logs, finished_at)
       values ('x', 'x', '99990101000000_later', $1, now())`,
      [logs],
    )
    return pool
  }
  const expanded = later(null)
  const contracted = later('Oldest program: 99.1.0')

  it('can be used while the newer tables serve this program, too', async () => {
    const pool = await expanded()
    expect(await migrate(pool)).toEqual([])
    expect(await migrationState(pool)).toMatchObject({ ahead: ['99990101000000_later'], refusal: null })
    await (await startService({ DATABASE_URL: String(pool.options.connectionString) })).stop()
    await pool.end()
  })

  it('is refused, unchanged, once they do not', async () => {
    const pool = await contracted()
    const sentence = 'newer than this program: since 99990101000000_later it needs version 99.1.0 or later'
    await expect(migrate(pool)).rejects.toThrow(sentence)
    await expect(startService({ DATABASE_URL: String(pool.options.connectionString) })).rejects.toThrow(sentence)
    await pool.end()
  })
})

it.each([
  ['0.1.0', '0.1.0', false],
  ['0.1.9', '0.1.10', true],
  ['0.10.0', '0.9.9', false],
  ['1.0.0', '0.9.9', false],
  ['0.9.9', '1.0.0', true],
])('version %s is before %s: %s', (version, other, expected) => {
  expect(isOlderThan(version, other)).toBe(expected)
})

it('a database in which a changed migration was applied is refused, and the migration is named', async () => {
  const pool = openPool(await freshDatabase(), 2, console)
  const { rows } = await pool.query(`update _prisma_migrations set checksum = repeat('0', 64) returning migration_name`)
  await expect(migrate(pool)).rejects.toThrow(`The file of the migration ${rows[0].migration_name} was changed`)
  await pool.end()
})

describe('a database of a development version before 0.1.0', () => {
  const lines = readFileSync(new URL('../kit/development-migrations.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const receiptId = randomUUID()

  async function withApplied(applied: readonly string[]) {
    const pool = openPool(await freshDatabase(), 4, console)
    // The first migration made what such a database has.
    const [first] = await migrations()
    await pool.query('alter table _prisma_migrations set schema information_schema')
    await pool.query(`drop schema reporting, public cascade; create schema public; ${first?.sql}`)
    await pool.query('alter table information_schema._prisma_migrations set schema public')
    await pool.query('delete from _prisma_migrations')
    for (const line of applied)
      await pool.query(
        `insert into _prisma_migrations (id, migration_name, checksum, finished_at) values (gen_random_uuid(), $1, $2, now())`,
        line.split(' '),
      )
    await pool.query(
      `with project as (insert into projects (id, name) values (gen_random_uuid(), 'p') returning id)
       insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference)
       select $1, id, '0x01', 'base', 1, 'USDC', 'a', 'b', 'r' from project`,
      [receiptId],
    )
    return pool
  }

  it('with all its migrations is one of this version, and keeps what it has', async () => {
    const pool = await withApplied(lines)
    await Promise.all([migrate(pool), migrate(pool)])
    const { rows } = await pool.query('select migration_name as name, checksum from _prisma_migrations')
    expect(rows).toEqual((await migrations()).map(({ name, checksum }) => ({ name, checksum })))
    expect((await pool.query('select id from receipts')).rows).toEqual([{ id: receiptId }])
    await pool.end()
  })

  it.each([
    ['some of its migrations', lines.slice(0, -1), 'To keep it, start the last commit with'],
    ['a migration that was changed', lines.with(3, `${lines[3]?.split(' ')[0]} ${'0'.repeat(64)}`), 'DATA_DIR.'],
    ['an unknown migration', [...lines, '20261212000001_mine x'], 'DATA_DIR.'],
    ['an unknown migration after the first', ['20261213000000_mine x', '20261213000004_mine x'], 'DATA_DIR.'],
  ])('with %s is refused, unchanged, with the way out', async (_, applied, end) => {
    const pool = await withApplied(applied)
    const refused = migrate(pool)
    await expect(refused).rejects.toThrow('is older than this program: it is of a development version before 0.1.0')
    await expect(refused).rejects.toThrow(end)
    expect((await pool.query('select from _prisma_migrations')).rowCount).toBe(applied.length)
    await expect(startService({ DATABASE_URL: String(pool.options.connectionString) })).rejects.toThrow(StartError)
    await pool.end()
  })
})

it('a database of an early landing of 0.1.0 is named as older, and not as one whose file was changed', async () => {
  const pool = openPool(await freshDatabase(), 2, console)
  await pool.query(`update _prisma_migrations set checksum = 'd5a9d88531284c0553b5c0478aeec8f2e343c75cbb89c384d98c6cc6a56a3969'
    where migration_name like '%_exports'`)
  await expect(migrate(pool)).rejects.toThrow('is older than this program')
  await pool.end()
})

describe('npm run migration', () => {
  let copy: string
  beforeEach(async () => {
    copy = (await otherVersion('0.1.0')).folder
  })
  afterEach(() => rm(copy, { recursive: true, force: true }))

  const run = (name: string) => promisify(execFile)(process.execPath, ['migration.ts', name], { cwd: copy })
  const folders = async () => (await readdir(join(copy, 'prisma/migrations'))).sort()

  it('writes what the models ask for, and the runner builds an index again that was not built completely', async () => {
    expect((await run('nothing')).stdout).toContain('already make what prisma/models describes')
    const models = join(copy, 'prisma/models/receipt.prisma')
    const before = await readFile(models, 'utf8')
    const wanted = '@@index([projectId(sort: Desc), failureReason(sort: Desc), createdAt, id])'
    const table = 'model Fresh {\n  id Int @id\n  name String\n\n  @@index([name])\n  @@map("fresh")\n}\n'
    await writeFile(models, `${before.replace('  @@map("receipts")', `  ${wanted}\n  @@map("receipts")`)}\n${table}`)
    const [earlier, { stdout }] = [await folders(), await run('receipts_by_failure')]
    const added = (await folders()).filter(name => !earlier.includes(name))
    expect(added).toEqual([
      expect.stringMatching(/^\d{14}_receipts_by_failure$/),
      expect.stringMatching(/^\d{14}_receipts_by_failure_indexes$/),
    ])
    // Names are the order in which migrations are applied; the last is that of a file.
    expect((await folders()).slice(-3, -1)).toEqual(added)
    const written = added.map(name => readFile(join(copy, `prisma/migrations/${name}/migration.sql`), 'utf8'))
    const [sql = '', indexes = ''] = await Promise.all(written)
    for (const text of [sql, indexes]) expect(stdout).toContain(text)
    const index = 'receipts_project_id_failure_reason_created_at_id_idx'
    expect(indexes).toBe(
      `CREATE INDEX CONCURRENTLY IF NOT EXISTS "${index}" ON "receipts"("project_id" DESC, "failure_reason" DESC, "created_at", "id");\n`,
    )
    expect(sql).toContain('CREATE INDEX "fresh_name_idx" ON "fresh"("name");')
    expect(sql).not.toContain('CONCURRENTLY')

    const pool = openPool(await freshDatabase(), 2, console)
    const changed: typeof import('../../src/adapters/migrate.ts') = await import(join(copy, 'src/adapters/migrate.ts'))
    // As a `create index concurrently` that was cut short leaves it.
    await pool.query(`create index ${index} on receipts (project_id desc, failure_reason desc, created_at, id)`)
    await pool.query(`update pg_index set indisvalid = false where indexrelid = '${index}'::regclass`)
    await changed.migrate(pool)
    expect((await pool.query('select from fresh')).rowCount).toBe(0)
    const { rows } = await pool.query(`select indisvalid from pg_index where indexrelid = '${index}'::regclass`)
    expect(rows).toEqual([{ indisvalid: true }])
    await pool.end()
  })

  it('takes no name that no folder should have', async () => {
    await expect(run('../x')).rejects.toThrow('npm run migration NAME')
  })
})

it('no row of a signing key has an id that is not its key’s, or an end before its beginning', async () => {
  const pool = openPool(await freshDatabase(), 2, console)
  const pemOf = () => generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString()
  const [one, two] = [pemOf(), pemOf()]
  const der = createPublicKey(one).export({ format: 'der', type: 'spki' })
  const id = createHash('sha256').update(der).digest('hex')
  await pool.query(`insert into signing_keys (key_id, public_key_pem, valid_from) values ($1, $2, '2026-01-01')`, [
    id,
    one,
  ])
  for (const change of [
    `key_id = left(key_id, 16)`,
    `key_id = repeat('0', 64)`,
    `public_key_pem = '${two}'`,
    `valid_to = '2020-01-01'`,
  ])
    await expect(pool.query(`update signing_keys set ${change} where key_id = $1`, [id]), change).rejects.toThrow(
      /signing_keys_(id|validity)_check/,
    )
  await pool.end()
})
