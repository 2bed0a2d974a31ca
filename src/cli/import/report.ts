// Tells what is found in the rows: as sentences, as JSON lines, and into a file.
import { closeSync, openSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { visible } from '../../core/visible.ts'
import { UsageError } from '../command.ts'
import type { Column } from './read-rows.ts'

export type Finding =
  | { type: 'invalid'; line: number; column: Column | null; message: string }
  | {
      type: 'different'
      line: number
      reference: string
      receipt_id: string
      matched_by: 'settlement' | 'reference'
      differences: { column: string; file: string | null; receipt: string | null }[]
    }

export type Summary = {
  type: 'summary'
  rows: number
  invalid: number
  recorded: number
  known: number
  different: number
}

export type Report = {
  /** `print` writes a line on standard output. */
  tell(finding: Finding | Summary, print: (line: string) => void): void
  close(): void
}

/** Throws UsageError when the report cannot be written. `file`: where JSON lines are written besides. */
export function openReport(input: string, file: string | undefined, isJson: boolean): Report {
  if (file !== undefined && resolve(file) === resolve(input)) throw new UsageError('--report must be another file.')
  const handle = file === undefined ? null : opened(file)
  return {
    tell(finding, print) {
      const json = JSON.stringify(finding)
      if (handle !== null) writeSync(handle, `${json}\n`)
      print(isJson ? json : sentenceOf(finding))
    },
    close: () => handle !== null && closeSync(handle),
  }
}

function opened(file: string): number {
  try {
    return openSync(file, 'w')
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${error instanceof Error ? error.message : error}`)
  }
}

const shown = (value: string | null) => (value === null ? 'nothing' : visible(value.slice(0, 300)))
const count = (number: number) => number.toLocaleString('en')

function sentenceOf(finding: Finding | Summary): string {
  if (finding.type === 'invalid')
    return `line ${finding.line}${finding.column === null ? '' : `, ${finding.column}`}: ${visible(finding.message.slice(0, 500))}`
  if (finding.type === 'different') {
    const { line, reference, receipt_id, matched_by, differences } = finding
    const what = differences.map(
      ({ column, file, receipt }) => `${column} is ${shown(file)} here and ${shown(receipt)} there`,
    )
    const found =
      matched_by === 'reference'
        ? 'which has the same reference, so that this payment is not recorded'
        : 'which has the same transaction'
    return `line ${line}, reference ${shown(reference)}: differs from receipt ${receipt_id}, ${found}: ${what.join('; ')}`
  }
  const { rows, invalid, recorded, known, different } = finding
  return `${count(rows)} ${rows === 1 ? 'row' : 'rows'}: ${count(recorded)} recorded, ${count(known)} recorded before, ${count(different)} that differ from an earlier receipt, ${count(invalid)} not acceptable.`
}
