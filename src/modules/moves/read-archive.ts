// Inserts a project from its archive, in one transaction that also verifies it: either the whole project is there, or
// nothing of it.
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import pg from 'pg'
import { sha256 } from '../../core/hash.ts'
import { sqlOf, withEffects } from '../../kit/transaction.ts'
import type { BlobStore } from '../../ports/blob-store.ts'
import { deflated } from '../artifacts/deflated.ts'
import { verifyChain } from '../audit/chain.ts'
import { runChecks, type TrustedKey } from '../verification/checks.ts'
import { ArchiveError, linesOf, readOwnFile } from './archive-files.ts'
import { checkRows } from './check-rows.ts'
import { noteImport } from './freeze.ts'
import { filePath, type Manifest, manifestName, manifestShape, tablePath } from './manifest.ts'
import { moved } from './tables.ts'
import { appliedMigrations, type Note } from './write-archive.ts'

type Target = {
  /** A connection that nobody else uses. */
  db: pg.ClientBase
  /** Stores new files; null: the database does. */
  blobStore: BlobStore | null
}

/** Throws ArchiveError. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestName)
  const bytes = await readOwnFile(folder, manifestName).catch(() => {
    throw new ArchiveError(`${path} cannot be read: the folder is no archive, or its export did not end.`)
  })
  const parsed = manifestShape.safeParse(jsonOf(bytes.toString('utf8')))
  if (parsed.success) return parsed.data
  throw new ArchiveError(`${path} is no manifest of this version: ${parsed.error.issues[0]?.message}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** `keys`: the ids of the keys that this installation publishes from now on. */
type Imported = { bundles: number; keys: string[] }

/** Throws ArchiveError: then the database is as before, and files that the object store may have do no harm. */
export async function importArchive(target: Target, folder: string, note: Note): Promise<Imported> {
  const { db } = target
  const manifest = await readManifest(folder)
  if (manifest.sealedAt === null)
    throw new ArchiveError('The project kept working while this was written: export it with --move to import it.')
  await db.query('begin')
  try {
    await demandFits(db, manifest)
    await db.query(`set local quittance.importing = 'on'`)
    for (const { table } of moved) await stage(db, folder, manifest, table, note)
    await checkRows(db, manifest)
    await renumberConfigurations(db)
    await storeFiles(target, folder, note)
    const keys = await newKeys(db)
    await insertAll(db, manifest, note)
    const bundles = await verify(db, manifest, folder, note)
    await db.query(`set local quittance.importing = 'off'`)
    const { sealedAt, version } = manifest
    await withEffects(sqlOf(db as pg.PoolClient), async tx => {
      noteImport(tx, manifest.project.id, { sealedAt, version, receipts: manifest.tables.receipts?.rows ?? 0 })
    })
    await db.query('commit')
    return { bundles, keys }
  } catch (error) {
    await db.query('rollback').catch(() => undefined)
    if (!(error instanceof pg.DatabaseError)) throw error
    if (error.code === '23505')
      throw new ArchiveError(`A row of ${error.table} is here already: ${error.detail ?? error.message}`)
    // Data that does not fit its column, or that a constraint refuses.
    if (!/^2[23]/.test(error.code ?? '')) throw error
    throw new ArchiveError(`The archive has a row that no project can have: ${error.message}`)
  }
}

async function demandFits(db: pg.ClientBase, { project, migrations, tables }: Manifest): Promise<void> {
  const { rows } = await db.query<{ migrations: string[]; isThere: boolean }>(
    `select ${appliedMigrations} as migrations, exists (select from projects where id = $1) as "isThere"`,
    [project.id],
  )
  const [here] = rows
  if (here?.isThere) throw new ArchiveError(`The project ${project.id} is in this database already.`)
  if (here?.migrations.join() !== migrations.join())
    throw new ArchiveError(
      `The databases have different migrations: the archive ends with ${migrations.at(-1)}, this database with ${here?.migrations.at(-1)}. Update both to one version.`,
    )
  const missing = moved.find(({ table }) => !Object.hasOwn(tables, table))
  if (missing !== undefined) throw new ArchiveError(`The archive has no table ${missing.table}.`)
}

/** Reads a table into a temporary one, `import_<table>`. */
async function stage(db: pg.ClientBase, folder: string, manifest: Manifest, table: string, note: Note): Promise<void> {
  const expected = manifest.tables[table]
  await db.query(`create temporary table import_${table} (like ${table}) on commit drop`)
  const hash = createHash('sha256')
  let rows = 0
  for await (const lines of linesOf(folder, tablePath(table), hash)) {
    await db.query(`insert into import_${table} select * from json_populate_recordset(null::${table}, $1::json)`, [
      `[${lines.join(',')}]`,
    ])
    rows += lines.length
    note(lines.length)
  }
  if (hash.digest('hex') !== expected?.sha256 || rows !== expected.rows)
    throw new ArchiveError(`${tablePath(table)} is not as its manifest says.`)
  await db.query(`analyze import_${table}`)
}

/**
 * Versions of configurations are numbered in each database by itself. Those of the project get new numbers. One of the
 * organisation is that with the same content here, if there is one; otherwise a number below all others, because the
 * largest number is in force.
 */
async function renumberConfigurations(db: pg.ClientBase): Promise<void> {
  // The first version would otherwise be one of the archive, and in force here.
  await db.query(
    `insert into organisation_configs (config, actor) select '{}', 'operator'
     where not exists (select from organisation_configs) and exists (select from import_organisation_configs)`,
  )
  await db.query(
    `create temporary table import_versions on commit drop as
       select i.version as "from", coalesce(
         (select max(version) from organisation_configs o where o.config = i.config),
         (select min(version) from organisation_configs) - rank() over (order by i.version desc)
       )::int as "to" from import_organisation_configs i`,
  )
  await db.query(
    `create temporary table import_own_versions on commit drop as
       select version as "from", nextval(pg_get_serial_sequence('project_configs', 'version'))::int as "to"
       from import_project_configs order by version`,
  )
  for (const [table, column, versions] of [
    ['organisation_configs', 'version', 'import_versions'],
    ['receipts', 'config_version', 'import_versions'],
    ['statements', 'config_version', 'import_versions'],
    ['project_configs', 'version', 'import_own_versions'],
    ['projects', 'config_version', 'import_own_versions'],
    ['receipts', 'project_config_version', 'import_own_versions'],
    ['statements', 'project_config_version', 'import_own_versions'],
  ])
    await db.query(`update import_${table} i set ${column} = v."to" from ${versions} v where i.${column} = v."from"`)
}

const filesAtOnce = 16

type FileRow = { owner: string; name: string; sha256: string }

async function storeFiles({ db, blobStore }: Target, folder: string, note: Note): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  await db.query('create index on import_artifacts (id)')
  for (;;) {
    const { rows } = await db.query<FileRow & { id: string }>(
      `select id, coalesce(receipt_id, statement_id) as owner, name, sha256 from import_artifacts
       where id > $1 and sha256 not in (select sha256 from import_blobs) order by id limit ${filesAtOnce}`,
      [after],
    )
    const last = rows.at(-1)
    if (last === undefined) return
    const blobs = await Promise.all(
      rows.map(async row => {
        const bytes = await readOwn(folder, row)
        if (blobStore === null) return { sha256: row.sha256, bytes: await deflated(bytes), size: null }
        await blobStore.write(row.sha256, bytes)
        return { sha256: row.sha256, bytes: null, size: bytes.length }
      }),
    )
    for (const { sha256, bytes, size } of blobs)
      await db.query(
        'insert into blobs (sha256, bytes, is_deflated, size) values ($1, $2::bytea, $2::bytea is not null, $3) on conflict do nothing',
        [sha256, bytes, size],
      )
    after = last.id
    note(rows.length)
  }
}

/** Returns the file only when it has its hash. */
async function readOwn(folder: string, { owner, name, sha256: hash }: FileRow): Promise<Buffer> {
  const path = filePath(owner, name)
  if (name !== basename(name)) throw new ArchiveError(`${path} is no name of a file.`)
  const bytes = await readOwnFile(folder, path)
  if (sha256(bytes) !== hash) throw new ArchiveError(`${path} does not have the hash that its row states.`)
  return bytes
}

async function newKeys(db: pg.ClientBase): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select key_id as id from import_signing_keys where key_id not in (select key_id from signing_keys) order by 1',
  )
  return rows.map(({ id }) => id)
}

// Rows that another project may have brought along.
const shared = new Set(['organisation_configs', 'signing_keys', 'anchor_transactions', 'anchor_attempts'])

async function insertAll(db: pg.ClientBase, manifest: Manifest, note: Note): Promise<void> {
  for (const { table } of moved) {
    note(0)
    if (shared.has(table)) await insertShared(db, table)
    // A project and its present configuration refer to each other.
    else if (table === 'projects')
      await db.query(
        `insert into projects select (json_populate_record(i, '{"config_version": null}')).* from import_projects i`,
      )
    else await db.query(`insert into ${table} select * from import_${table}`)
    if (table === 'project_configs')
      await db.query('update projects p set config_version = i.config_version from import_projects i where i.id = p.id')
  }
  await db.query('update event_horizon set id = greatest(id, $1::bigint)', [manifest.eventHorizon])
}

async function insertShared(db: pg.ClientBase, table: string): Promise<void> {
  const key = { anchor_transactions: 'id', anchor_attempts: 'txid', signing_keys: 'key_id' }[table] ?? 'version'
  await db.query(`insert into ${table} select * from import_${table} on conflict (${key}) do nothing`)
  // The same transaction has the same hash wherever it is stored. Its state may be known better in one place.
  const same = {
    anchor_transactions: 'txid',
    anchor_attempts: 'transaction_id',
    signing_keys: 'public_key_pem',
  }[table]
  const { rows } = await db.query(
    `select i.${key} as key from import_${table} i join ${table} t using (${key}) where i.${same ?? 'config'} <> t.${same ?? 'config'}`,
  )
  if (rows.length > 0) throw new ArchiveError(`${rows[0]?.key} of ${table} is another row in this database.`)
}

const bundlesAtOnce = 100

/** Throws ArchiveError. Returns how many bundles were verified. */
async function verify(db: pg.ClientBase, manifest: Manifest, folder: string, note: Note): Promise<number> {
  const { id } = manifest.project
  for (const { table, of } of moved) {
    if (shared.has(table)) continue
    const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from ${table} where ${of}`, [id])
    const expected = manifest.tables[table]?.rows
    if (rows[0]?.count !== expected)
      throw new ArchiveError(`${table} has ${rows[0]?.count} rows of the project, and ${expected} in the archive.`)
  }
  const chain = await verifyChain(sqlOf(db as pg.PoolClient), id)
  if (chain.fault !== null) throw new ArchiveError(`The audit chain is broken: ${chain.fault}`)
  const { rows: counted } = await db.query<{ counted: number }>(
    'select coalesce(sum(count), 0)::int as counted from receipt_counts where project_id = $1',
    [id],
  )
  if (counted[0]?.counted !== manifest.tables.receipts?.rows)
    throw new ArchiveError('The receipts are counted wrongly.')
  return verifyBundles(db, folder, note)
}

/** The chain is not asked: only what the archive itself proves. */
const withoutChain = {
  chains: [],
  anchorsOf: async () => [],
  isRecorded: async () => false,
  ownOf: async () => [],
  paymentChain: () => null,
}

async function verifyBundles(db: pg.ClientBase, folder: string, note: Note): Promise<number> {
  const { rows: keys } = await db.query<TrustedKey>(
    'select public_key_pem as "publicKeyPem", valid_from as "validFrom", valid_to as "validTo" from signing_keys',
  )
  let [done, after] = [0, '00000000-0000-0000-0000-000000000000']
  for (;;) {
    const { rows } = await db.query<FileRow & { id: string; expected: string | null }>(
      `select a.id, coalesce(a.receipt_id, a.statement_id) as owner, a.name, a.sha256,
         case a.type when 'evidence' then coalesce(r.bundle_hash, s.bundle_hash) end as expected
       from import_artifacts a left join import_receipts r on r.id = a.receipt_id
         left join import_statements s on s.id = a.statement_id
       where a.type in ('evidence', 'settlement') and a.id > $1
         and a.sha256 not in (select sha256 from import_blobs) order by a.id limit ${bundlesAtOnce}`,
      [after],
    )
    const last = rows.at(-1)
    if (last === undefined) return done
    for (const row of rows) {
      const subject = { bundle: await readOwn(folder, row), expectedHash: row.expected, txid: null, keys }
      const { errors } = await runChecks(subject, withoutChain)
      if (errors.length > 0)
        throw new ArchiveError(`${filePath(row.owner, row.name)} does not verify: ${errors.join(', ')}`)
    }
    done += rows.length
    after = last.id
    note(0)
  }
}
