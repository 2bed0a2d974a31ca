// Searches a whole database for texts: in every column that can have one, also inside deflated bytes and ZIP files.
import { inflateRawSync } from 'node:zlib'
import JSZip from 'jszip'
import type pg from 'pg'

type Column = { schema: string; table: string; column: string; type: string }

/** Returns `table.column` for each column with one of the texts. */
export async function columnsWith(pool: pg.Pool, texts: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<Column>(
    `select n.nspname as schema, c.relname as table, a.attname as column, t.typname as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
       join pg_type t on t.oid = a.atttypid
     where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped and n.nspname in ('public', 'graphile_worker', 'reporting')
       and t.typname in ('text', 'varchar', 'json', 'jsonb', 'bytea', '_text', 'name') order by 1, 2, 3`,
  )
  const found: string[] = []
  for (const column of rows) if (await has(pool, column, texts)) found.push(`${column.table}.${column.column}`)
  return found
}

async function has(pool: pg.Pool, { schema, table, column, type }: Column, texts: readonly string[]) {
  const value = type === 'bytea' ? `"${column}"` : `"${column}"::text`
  const { rows } = await pool.query<{ value: string | Buffer }>(
    `select ${value} as value from "${schema}"."${table}" where "${column}" is not null`,
  )
  for (const { value } of rows) if (await hasText(value, texts)) return true
  return false
}

/** Whether a value, or a file inside it, has one of the texts. */
export async function hasText(value: string | Buffer, texts: readonly string[]): Promise<boolean> {
  for (const bytes of typeof value === 'string' ? [Buffer.from(value)] : forms(value)) {
    if (texts.some(text => bytes.includes(text))) return true
    if (!bytes.subarray(0, 2).equals(Buffer.from('PK'))) continue
    const zip = await JSZip.loadAsync(bytes)
    for (const file of Object.values(zip.files)) {
      if (!file.dir && (await hasText(await file.async('nodebuffer'), texts))) return true
    }
  }
  return false
}

function forms(bytes: Buffer): Buffer[] {
  try {
    return [bytes, inflateRawSync(bytes)]
  } catch {
    return [bytes]
  }
}
