// Writes the rows of an export as the bytes of its file.
import { stringify } from 'csv-stringify/sync'
import type { Export } from '../../generated/prisma/client.ts'
import type { ExportFormat } from './input.ts'
import type { Rows } from './rows.ts'

// In countries that write lists with `;`, Excel splits at it inside a quoted text, too.
const guarded = (text: string): string => text.replace(/([;\t]\s*)(?=[=+\-@＝＋－＠])/g, "$1'")

const csv = ({ columns, rows }: Rows, isFirst: boolean): string =>
  stringify(rows, {
    columns,
    header: isFirst,
    // Excel takes a file without it for one of an older character set.
    bom: isFirst,
    record_delimiter: 'windows',
    // It quotes a text with the delimiter alone, and readers take each of its two signs for one.
    quoted_match: /[\r\n]/,
    // Anybody who pays a project chooses texts in its rows.
    escape_formulas: true,
    cast: { string: guarded },
  })

const jsonl = ({ columns, rows }: Rows): string =>
  rows.map(row => `${JSON.stringify(Object.fromEntries(columns.map((name, index) => [name, row[index]])))}\n`).join('')

const formats: Record<ExportFormat, { mediaType: string; write(rows: Rows, isFirst: boolean): string }> = {
  csv: { mediaType: 'text/csv; charset=utf-8', write: csv },
  jsonl: { mediaType: 'application/jsonl; charset=utf-8', write: jsonl },
}

const formatOf = ({ format }: Pick<Export, 'format'>) => (format === 'csv' ? formats.csv : formats.jsonl)

/** `isFirst`: these rows begin the file. */
export const bytesOf = (of: Pick<Export, 'format'>, rows: Rows, isFirst: boolean): Buffer =>
  Buffer.from(formatOf(of).write(rows, isFirst))

export const mediaTypeOf = (of: Pick<Export, 'format'>): string => formatOf(of).mediaType

/** Returns a name such as `receipts-2026-03-01.csv`. */
export const fileNameOf = ({ kind, createdAt, format }: Pick<Export, 'kind' | 'createdAt' | 'format'>): string =>
  `${kind}-${createdAt.toISOString().slice(0, 10)}.${format}`
