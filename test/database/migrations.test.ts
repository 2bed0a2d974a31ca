// The migrations create the database that the Prisma models describe, with our own runner and with Prisma's tool alike.
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
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

describe('20261203000000_whole_key_ids', () => {
  const name = '20261203000000_whole_key_ids'
  const pemOf = () => generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString()
  const idOf = (pem: string) =>
    createHash('sha256')
      .update(createPublicKey(pem).export({ format: 'der', type: 'spki' }))
      .digest('hex')
  const receipt = '11111111-1111-4111-8111-111111111111'

  /** A database as it was before this migration, with two keys and a bundle of each, and one of a key that is gone. */
  async function earlier() {
    const pool = openPool(await freshDatabase(), 2, console)
    const [one, two] = [pemOf(), pemOf()]
    await pool.query('delete from _prisma_migrations where migration_name = $1', [name])
    await pool.query(`alter table signing_keys drop constraint signing_keys_id_check,
      drop constraint signing_keys_validity_check; drop function signing_key_id`)
    await pool.query(
      `insert into signing_keys (key_id, public_key_pem, valid_from, valid_to) values
       ($1, $2, '2026-01-01', null), ($3, $4, '2026-03-01', '2026-02-01')`,
      [idOf(one).slice(0, 16), one, idOf(two).slice(0, 16), two],
    )
    await pool.query(`insert into blobs (sha256, bytes) values ('0x00', 'x')`)
    await pool.query(`set session_replication_role = replica;
      insert into artifacts (id, receipt_id, type, version, name, media_type, sha256, signed_by)
      select gen_random_uuid(), '${receipt}', 'evidence', 'evidence.2', key, 'application/zip', '0x00', key
      from unnest(array['${idOf(one).slice(0, 16)}', '${idOf(two).slice(0, 16)}', 'feedfeedfeedfeed', null]) as key
      where key is not null;
      set session_replication_role = origin`)
    return { pool, one, two }
  }

  it('makes every id whole, in the rows of bundles too, and keeps the rest of each row', async () => {
    const { pool, one, two } = await earlier()
    await migrate(pool)
    const { rows: keys } = await pool.query('select * from signing_keys order by public_key_pem = $1 desc', [one])
    expect(keys).toEqual([
      { key_id: idOf(one), public_key_pem: one, valid_from: expect.any(Date), valid_to: null },
      // A key that ended before it began verifies nothing, before and after.
      {
        key_id: idOf(two),
        public_key_pem: two,
        valid_from: keys[1].valid_to,
        valid_to: new Date('2026-02-01T00:00:00Z'),
      },
    ])
    const { rows } = await pool.query('select name, signed_by from artifacts order by name')
    const signed = Object.fromEntries(rows.map(row => [row.name, row.signed_by]))
    expect(signed).toEqual({
      [idOf(one).slice(0, 16)]: idOf(one),
      [idOf(two).slice(0, 16)]: idOf(two),
      feedfeedfeedfeed: 'feedfeedfeedfeed',
    })
    await pool.end()
  })

  it('lets no row have an id that is not its key’s, or an end before its beginning', async () => {
    const { pool, one, two } = await earlier()
    await migrate(pool)
    for (const change of [
      `key_id = left(key_id, 16)`,
      `key_id = repeat('0', 64)`,
      `public_key_pem = '${two}'`,
      `valid_to = '2020-01-01'`,
    ])
      await expect(
        pool.query(`update signing_keys set ${change} where key_id = $1`, [idOf(one)]),
        change,
      ).rejects.toThrow(/signing_keys_(id|validity)_check/)
    await pool.end()
  })
})
