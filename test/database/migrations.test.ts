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
