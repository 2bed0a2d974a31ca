// Reads the rows of a CSV file one by one, however large it is: with the separators, encodings and endings of lines
// that spreadsheets write.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TextDecoderStream } from 'node:stream/web'
import { type CsvError, parse } from 'csv-parse'
import { visible } from '../../core/visible.ts'
import { UsageError } from '../command.ts'
import { encodingOf } from '../text-file.ts'

const required = [
  'tip_tx_hash',
  'chain',
  'amount',
  'currency',
  'sender_wallet',
  'receiver_wallet',
  'reference',
] as const
const optional = ['transfer_index', 'resource_hash', 'settled_at'] as const
const columns = [...required, ...optional]
export type Column = (typeof columns)[number]

/** `line`: where the row begins, from 1. `values` is null for a row with another number of values than the header. */
export type Row = { line: number; width: number; values: Partial<Record<Column, string>> | null }
export type Separator = ',' | ';' | '\t'

// A row has ten values of 255 characters. One that is longer has a quote that is not closed.
const longestRow = 64 * 1024

/** Yields the rows, without empty ones. Throws UsageError for a file that cannot be read or has not our header. */
export async function* rowsOf(file: string): AsyncGenerator<Row & { separator: Separator; header: readonly Column[] }> {
  const { encoding, separator, skipped } = await formOf(file)
  const parser = parse({
    bom: true,
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    from_line: skipped + 1,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRow,
  })
  const text = Readable.toWeb(createReadStream(file)).pipeThrough(new TextDecoderStream(encoding, { fatal: true }))
  const piped = pipeline(Readable.fromWeb(text), parser)
  piped.catch(() => undefined)
  let header: readonly Column[] | null = null
  // The parser counts two lines where a value has CR and LF.
  let doubled = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      doubled += inside(record, /\r\n/g)
      if (record.every(value => value.trim() === '')) continue
      if (header === null) {
        header = headerOf(file, record)
        continue
      }
      const width = record.length
      const line = info.lines - doubled - inside(record, /\r\n|\n|\r/g)
      const values = width === header.length ? Object.fromEntries(header.map((name, at) => [name, record[at]])) : null
      yield { line, width, values, separator, header }
    }
  } catch (error) {
    throw faultOf(file, error)
  }
  if (header === null) throw new UsageError(`${file} has no header: the first row names the columns.`)
}

const inside = (record: readonly string[], ends: RegExp) =>
  record.reduce((sum, value) => sum + (value.match(ends)?.length ?? 0), 0)

/** Returns the encoding, the separator that the header has, and how many lines stand before it. */
async function formOf(file: string) {
  const bytes = await beginningOf(file)
  const encoding = encodingOf(bytes)
  const [first = '', second = ''] = new TextDecoder(encoding)
    .decode(bytes)
    .trimStart()
    .split(/\r\n|\n|\r/)
  // Excel reads the separator from such a line.
  const [, said] = /^"?sep=([,;\t])"?$/i.exec(first) ?? []
  const header = said === undefined ? first : second
  const separators: Separator[] = [',', ';', '\t']
  const found = separators.find(separator => separator === said) ?? separators.find(one => header.includes(one)) ?? ','
  return { encoding, separator: found, skipped: said === undefined ? 0 : 1 }
}

async function beginningOf(file: string): Promise<Uint8Array> {
  try {
    const handle = await open(file)
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(longestRow), 0, longestRow)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

function headerOf(file: string, record: readonly string[]): readonly Column[] {
  const names = record.map(name => name.trim().toLowerCase())
  const shown = (list: readonly string[]) => list.map(name => visible(name.slice(0, 64))).join(', ')
  const unknown = names.filter(name => !columns.some(column => column === name))
  const repeated = names.filter((name, at) => names.indexOf(name) !== at)
  const missing = required.filter(name => !names.includes(name))
  const faults = [
    ...(unknown.length > 0 ? [`It has unknown columns: ${shown(unknown)}.`] : []),
    ...(repeated.length > 0 ? [`It has columns twice: ${shown([...new Set(repeated)])}.`] : []),
    ...(missing.length > 0 ? [`It lacks columns: ${shown(missing)}.`] : []),
  ]
  if (faults.length === 0) return names.filter(name => columns.some(column => column === name)) as Column[]
  throw new UsageError(
    [`The header of ${file} is not that of payments.`, ...faults, `The columns are ${columns.join(', ')}.`].join('\n'),
  )
}

const isCsvError = (error: unknown): error is CsvError & { lines: number } =>
  error instanceof Error && 'lines' in error && 'code' in error

const words: Readonly<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: `a row is longer than ${longestRow / 1024} KiB: a quote before it may not be closed`,
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'there is text behind a closing quote: a quote in a value is written twice',
  INVALID_OPENING_QUOTE: 'a quote stands in a value that does not begin with one: put the value in quotes',
}

function faultOf(file: string, error: unknown): unknown {
  if (isCsvError(error))
    return new UsageError(`${file} is no CSV at line ${error.lines}: ${words[error.code] ?? visible(error.message)}.`)
  if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new UsageError(`${file} is not text in UTF-8 or UTF-16: save it as “CSV UTF-8”.`)
  return error
}
