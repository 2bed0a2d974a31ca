// `quittance import`: records the payments of a CSV file in a running service.
import { z } from 'zod'
import { CommandError, command, readArguments, UsageError } from './command.ts'
import { columnOf, type Payment, paymentOf } from './import/payment-of.ts'
import { rowsOf } from './import/read-rows.ts'
import { type Finding, openReport, type Report, type Summary } from './import/report.ts'
import { type Result, record } from './import/send.ts'
import { type Progress, withProgress } from './progress.ts'
import { projectOf, type Service, serviceOf, serviceOptions, serviceShape, serviceUsage } from './service.ts'

const usage = `usage: quittance import <payments.csv> [options]

${serviceUsage}
  --dry-run            check all rows and send nothing
  --skip-bad           record the other rows where some are not acceptable; by default nothing is sent then
  --report <file>      write what is found into this file, a JSON object a line
  --json               print the same instead of sentences

Records each row as a payment that already happened. All rows are checked before the first is sent. It may be stopped at
any time and run again: what was recorded is found again, and nothing is recorded twice. Rows whose earlier receipt
states something else are told with both values. docs/import.md describes the columns.
Exit code: 0 when each row is recorded as it stands, 1 when one is not acceptable or differs, or the service refuses, 2
for wrong usage or a file that cannot be read, 130 when it was stopped.`

const options = {
  ...serviceOptions,
  'dry-run': { type: 'boolean' },
  'skip-bad': { type: 'boolean' },
  report: { type: 'string' },
  json: { type: 'boolean' },
} as const

const shape = z.object({
  ...serviceShape,
  'dry-run': z.boolean().default(false),
  'skip-bad': z.boolean().default(false),
  report: z.string().min(1, 'must be a file').optional(),
  json: z.boolean().default(false),
})

type Counts = Omit<Summary, 'type'>

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    const { values, positionals } = readArguments(args, options, shape, ['file'])
    const [file = ''] = positionals
    const service = values['dry-run'] ? null : serviceOf(values)
    const report = openReport(file, values.report, values.json)
    try {
      const counts: Counts = { rows: 0, invalid: 0, recorded: 0, known: 0, different: 0 }
      await withProgress('rows checked', null, progress => check(file, counts, telling(report, progress), progress))
      const isSent = service !== null && (counts.invalid === 0 || values['skip-bad'])
      if (service !== null && !isSent) console.error('Nothing was sent. --skip-bad records the other rows.')
      if (isSent) {
        await projectOf(service)
        await withProgress('rows', counts.rows, progress =>
          recordAll(file, service, values['skip-bad'], counts, telling(report, progress), progress),
        )
      }
      report.tell({ type: 'summary', ...counts }, console.log)
      return counts.invalid + counts.different > 0 ? 1 : 0
    } finally {
      report.close()
    }
  })

type Tell = (finding: Finding) => void
const telling =
  (report: Report, { print }: Progress): Tell =>
  finding =>
    report.tell(finding, print)

/** Checks every row, and counts them. */
async function check(file: string, counts: Counts, tell: Tell, { signal, add }: Progress): Promise<void> {
  for await (const row of rowsOf(file)) {
    signal.throwIfAborted()
    counts.rows++
    add()
    const checked = paymentOf(row, row.separator, row.header.length)
    if (!('faults' in checked)) continue
    counts.invalid++
    for (const fault of checked.faults) tell({ type: 'invalid', line: row.line, ...fault })
  }
  if (counts.rows === 0) throw new UsageError(`${file} has no rows.`)
}

type Line = { line: number; payment: Payment }

const mostRows = 500
// A request may have 512 KiB.
const mostBytes = 400 * 1024

/** Sends the rows that are acceptable, in their order, and counts what became of them. */
async function recordAll(
  file: string,
  service: Service,
  isSkipping: boolean,
  counts: Counts,
  tell: Tell,
  progress: Progress,
): Promise<void> {
  let batch: Line[] = []
  let bytes = 0
  let rows = 0
  const send = async () => {
    const lines = batch
    batch = []
    bytes = 0
    await recordBatch(lines, service, isSkipping, counts, tell, progress)
  }
  for await (const row of rowsOf(file)) {
    progress.signal.throwIfAborted()
    rows++
    const checked = paymentOf(row, row.separator, row.header.length)
    if ('faults' in checked) {
      if (!isSkipping) throw new CommandError(`${file} was changed meanwhile. Run the command again.`)
      progress.add()
      continue
    }
    const size = Buffer.byteLength(JSON.stringify(checked.payment))
    if (batch.length >= mostRows || (batch.length > 0 && bytes + size > mostBytes)) await send()
    batch.push({ line: row.line, payment: checked.payment })
    bytes += size
  }
  if (batch.length > 0) await send()
  if (rows !== counts.rows) throw new CommandError(`${file} was changed meanwhile. Run the command again.`)
}

async function recordBatch(
  lines: readonly Line[],
  service: Service,
  isSkipping: boolean,
  counts: Counts,
  tell: Tell,
  progress: Progress,
): Promise<void> {
  if (lines.length === 0) return
  const again = (part: readonly Line[]) => recordBatch(part, service, isSkipping, counts, tell, progress)
  const receipts = lines.map(({ payment }) => payment)
  const answer = await record(service, receipts, progress)
  if (answer === 'too large') {
    if (lines.length === 1) throw new CommandError(`${service.url} takes no payment at all: its limits are too small.`)
    const half = Math.ceil(lines.length / 2)
    await again(lines.slice(0, half))
    return again(lines.slice(half))
  }
  if ('issues' in answer) {
    const refused = new Set(answer.issues.map(({ index }) => lines[index]).filter(line => line !== undefined))
    for (const { index, member, message } of answer.issues) {
      const line = lines[index]?.line
      if (line !== undefined) tell({ type: 'invalid', line, column: columnOf(member), message })
    }
    counts.invalid += refused.size
    if (!isSkipping || refused.size === 0)
      throw new CommandError(
        `The service refuses rows. Those before line ${lines[0]?.line} are recorded, and no others.`,
      )
    progress.add(refused.size)
    return again(lines.filter(line => !refused.has(line)))
  }
  if (answer.results.length !== lines.length)
    throw new CommandError(`${service.url} does not answer as Quittance does: is another program there?`)
  lines.forEach((line, at) => {
    note(line, answer.results[at] as Result, counts, tell)
  })
  progress.add(lines.length)
}

function note({ line, payment }: Line, { matchedBy, differences, receipt }: Result, counts: Counts, tell: Tell): void {
  if (matchedBy === null) {
    counts.recorded++
    return
  }
  if (differences.length === 0) {
    counts.known++
    return
  }
  counts.different++
  const { settlementTx, transferIndex, chain, amount, currency, senderWallet, receiverWallet, reference } = payment
  const leg = transferIndex == null || settlementTx.includes('#') ? '' : `#${transferIndex}`
  const both: Record<string, [column: string, file: string | null | undefined, receipt: string | null]> = {
    SETTLEMENT_TX: ['tip_tx_hash', `${settlementTx}${leg}`, receipt.settlementTx],
    CHAIN: ['chain', chain, receipt.chain],
    AMOUNT: ['amount', amount, receipt.amount],
    CURRENCY: ['currency', currency, receipt.currency],
    SENDER_WALLET: ['sender_wallet', senderWallet, receipt.senderWallet],
    RECEIVER_WALLET: ['receiver_wallet', receiverWallet, receipt.receiverWallet],
    REFERENCE: ['reference', reference, receipt.reference],
    RESOURCE_HASH: ['resource_hash', payment.resourceHash, receipt.resourceHash],
    SETTLED_AT: ['settled_at', payment.settledAt, receipt.settledAt],
  }
  tell({
    type: 'different',
    line,
    reference,
    receipt_id: receipt.id,
    matched_by: matchedBy === 'REFERENCE' ? 'reference' : 'settlement',
    differences: differences.map(name => {
      const [column, inFile = null, there] = both[name] ?? [name.toLowerCase(), null, null]
      return { column, file: inFile, receipt: there }
    }),
  })
}
