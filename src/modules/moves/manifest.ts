// The manifest of a project's archive, which is written last: a folder without one is no archive.
import { z } from 'zod'

export const format = 'quittance-project/1'
export const manifestName = 'manifest.json'

export const manifestShape = z.strictObject({
  format: z.literal(format),
  project: z.strictObject({ id: z.guid(), name: z.string() }),
  /** Version of the program that wrote it. */
  version: z.string(),
  /** The migrations of the database, by name, in their order. */
  migrations: z.array(z.string()),
  writtenAt: z.iso.datetime(),
  /** Since when the project wrote nothing; null: it kept working, so that the archive cannot be imported. */
  sealedAt: z.iso.datetime().nullable(),
  /** The number up to which events may have been deleted. */
  eventHorizon: z.string().regex(/^\d{1,18}$/),
  /** By table. `sha256` is that of the file `tables/<table>.jsonl`, 64 hex digits. */
  tables: z.record(z.string(), z.strictObject({ rows: z.int(), bytes: z.int(), sha256: z.string() })),
  files: z.strictObject({ count: z.int(), bytes: z.int() }),
})

export type Manifest = z.output<typeof manifestShape>

/** The path of a file in the archive: that of its URL. */
export const filePath = (owner: string, name: string) => `files/${owner}/${name}`
export const tablePath = (table: string) => `tables/${table}.jsonl`
