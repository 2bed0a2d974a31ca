// The migrations create the database that the Prisma models describe, with our own runner and with Prisma's tool alike.
import { expect, it } from 'vitest'
import { migrate } from '../../src/adapters/migrate.ts'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { differences } from '../kit/schema-engine.ts'
import { freshDatabase } from '../kit/service.ts'

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

it('a database that is newer than the program is left unchanged', async () => {
  const pool = openPool(await freshDatabase(), 2, console)
  await pool.query(
    `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('x', 'x', '99990101000000_later', now())`,
  )
  await expect(migrate(pool)).rejects.toThrow('newer than this program')
  await pool.end()
})

it.each([
  ['20261201000000_receipts_ascending', 'receipts', 'receipts_bundle_hash_new', 'bundle_hash'],
  ['20261201000200_audit_ascending', 'audit_events', 'audit_events_created_at_id_new', 'created_at, id'],
])(
  '%s refuses an index that was not built completely, and takes a complete one',
  async (name, table, index, columns) => {
    const pool = openPool(await freshDatabase(), 2, console)
    await pool.query('delete from _prisma_migrations where migration_name = $1', [name])
    await pool.query(`create index ${index} on ${table} (${columns})`)
    // As a `create index concurrently` that was cut short leaves it.
    const setValid = (isValid: boolean) =>
      pool.query(`update pg_index set indisvalid = $1 where indexrelid = '${index}'::regclass`, [isValid])
    await setValid(false)
    const cause = { message: expect.stringContaining(`The index ${index} was not built completely`) }
    await expect(migrate(pool)).rejects.toMatchObject({ cause })
    await setValid(true)
    await migrate(pool)
    await pool.end()
  },
)
