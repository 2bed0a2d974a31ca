// Writes a project with all its rows and files into a folder: each table as lines of JSON, each file under its own
// name.
import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { sha256 } from '../../core/hash.ts'
import type { BlobStore } from '../../ports/blob-store.ts'
import { storedFile } from '../artifacts/deflated.ts'
import { readMove } from './freeze.ts'
import { filePath, format, type Manifest, manifestName, tablePath } from './manifest.ts'
import { moved } from './tables.ts'

/** Is told how many rows or files each batch had. Ends the work by throwing. */
export type Note = (count: number) => void

type Source = {
  /** A connection that nobody else uses. */
  db: pg.ClientBase
  /** Has the bytes that the database does not have; null: it has all. */
  blobStore: BlobStore | null
}

const atOnce = 1_000
const filesAtOnce = 16

/**
 * All tables are read in one snapshot. A repeated call for the same folder writes the tables again, and only the files
 * that are missing or incomplete.
 */
export async function writeArchive(
  { db, blobStore }: Source,
  projectId: string,
  folder: string,
  version: string,
  note: Note,
): Promise<Manifest> {
  await mkdir(join(folder, 'tables'), { recursive: true, mode: 0o700 })
  await rm(join(folder, manifestName), { force: true })
  await db.query('begin isolation level repeatable read read only')
  try {
    const tables: Manifest['tables'] = {}
    for (const { table, of } of moved) {
      const rows = inBatches<{ line: string }>(
        db,
        `select row_to_json(own)::text as line from (select * from ${table} where ${of}) as own`,
        [projectId],
      )
      tables[table] = await writeLines(join(folder, tablePath(table)), rows, note)
    }
    const files = await writeFiles(db, blobStore, projectId, folder, note)
    const manifest: Manifest = { ...(await describe(db, projectId, version)), tables, files }
    await db.query('commit')
    const path = join(folder, manifestName)
    await writeFile(`${path}.part`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    await rename(`${path}.part`, path)
    return manifest
  } catch (error) {
    await db.query('rollback').catch(() => undefined)
    throw error
  }
}

async function describe(db: pg.ClientBase, projectId: string, version: string) {
  const { rows } = await db.query<{ name: string; horizon: string; migrations: string[] }>(
    `select name, (select id::text from event_horizon) as horizon, ${appliedMigrations} as migrations
     from projects where id = $1`,
    [projectId],
  )
  const [project] = rows
  if (project === undefined) throw new Error(`there is no project ${projectId}`)
  const move = await readMove(db, projectId)
  return {
    format,
    project: { id: projectId, name: project.name },
    version,
    migrations: project.migrations,
    writtenAt: new Date().toISOString(),
    sealedAt: move?.sealedAt?.toISOString() ?? null,
    eventHorizon: project.horizon,
  } as const
}

/** SQL: the names of the migrations that the database has. */
export const appliedMigrations = `(select coalesce(array_agg(migration_name order by migration_name collate "C"), '{}')::text[]
  from _prisma_migrations where finished_at is not null and rolled_back_at is null)`

async function* inBatches<Row extends pg.QueryResultRow>(
  db: pg.ClientBase,
  text: string,
  values: unknown[],
): AsyncGenerator<Row[]> {
  await db.query(`declare archived no scroll cursor for ${text}`, values)
  for (;;) {
    const { rows } = await db.query<Row>(`fetch ${atOnce} from archived`)
    if (rows.length === 0) break
    yield rows
  }
  await db.query('close archived')
}

async function writeLines(path: string, batches: AsyncIterable<{ line: string }[]>, note: Note) {
  const file = await open(path, 'w', 0o600)
  const hash = createHash('sha256')
  let [rows, bytes] = [0, 0]
  try {
    for await (const batch of batches) {
      const text = Buffer.from(batch.map(({ line }) => `${line}\n`).join(''))
      hash.update(text)
      await file.writeFile(text)
      rows += batch.length
      bytes += text.length
      note(batch.length)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { rows, bytes, sha256: hash.digest('hex') }
}

type FileRow = { owner: string; name: string; sha256: string }
type Bytes = { bytes: Buffer | null; isDeflated: boolean; size: number | null }

async function writeFiles(
  db: pg.ClientBase,
  blobStore: BlobStore | null,
  projectId: string,
  folder: string,
  note: Note,
): Promise<Manifest['files']> {
  const { of } = moved.find(({ table }) => table === 'artifacts') ?? { of: 'false' }
  const artifacts = inBatches<FileRow>(
    db,
    `select coalesce(receipt_id, statement_id) as owner, name, sha256 from artifacts
     where ${of} and not exists (select from blobs b where b.sha256 = artifacts.sha256 and b.erased_at is not null)`,
    [projectId],
  )
  const total = { count: 0, bytes: 0 }
  for await (const batch of artifacts) {
    for (let start = 0; start < batch.length; start += filesAtOnce) {
      const sizes = await Promise.all(
        batch.slice(start, start + filesAtOnce).map(async row => {
          const path = join(folder, filePath(row.owner, row.name))
          const there = await readFile(path).catch(() => null)
          if (there !== null && sha256(there) === row.sha256) return there.length
          const content = await bytesOf(db, blobStore, row.sha256)
          await mkdir(dirname(path), { recursive: true, mode: 0o700 })
          await writeFile(path, content, { mode: 0o600 })
          return content.length
        }),
      )
      total.count += sizes.length
      total.bytes += sizes.reduce((sum, size) => sum + size, 0)
    }
    note(batch.length)
  }
  return total
}

async function bytesOf(db: pg.ClientBase, blobStore: BlobStore | null, hash: string): Promise<Buffer> {
  const { rows } = await db.query<Bytes>(
    'select bytes, is_deflated as "isDeflated", size from blobs where sha256 = $1',
    [hash],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`there are no bytes of ${hash}`)
  if (row.bytes !== null) return storedFile({ sha256: hash, bytes: row.bytes, isDeflated: row.isDeflated })
  if (blobStore === null) throw new Error('the files are in an object store: set S3_ENDPOINT')
  return blobStore.read(hash, row.size ?? 0)
}
