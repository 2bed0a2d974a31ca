// The input of `startExport`: the kind of the rows, their filter, and the format of the file.
import { z } from 'zod'
import { paymentFilter } from '../payments/filter.ts'
import { receiptFilter } from '../receipts/filter.ts'

export const exportKind = z.enum(['receipts', 'payments']).meta({
  graphql: 'ExportKind',
  description: 'What the rows of an export are.',
  values: {
    receipts: 'Receipts, in the order of recording.',
    payments: 'x402 payments, in the order of verification.',
  },
})
export type ExportKind = z.output<typeof exportKind>

export const exportFormat = z.enum(['csv', 'jsonl']).meta({
  graphql: 'ExportFormat',
  description: 'How the file of an export is written.',
  values: {
    csv: 'Comma-separated values (RFC 4180) for spreadsheets: UTF-8 with a byte order mark, the names of the columns in the first row, and an apostrophe before a text that a spreadsheet would take for a formula.',
    jsonl: 'One JSON object a line, for programs. Amounts are texts, so that they are exact.',
  },
})
export type ExportFormat = z.output<typeof exportFormat>

const onlyWith = (kind: ExportKind) => `Only for exports of ${kind}.`

export const startExportInput = z
  .strictObject({
    kind: exportKind.describe('What to export.'),
    format: exportFormat.describe('How the file is written.'),
    receiptFilter: receiptFilter.nullish().describe('Which receipts; all unless given.'),
    paymentFilter: paymentFilter.nullish().describe('Which payments; all unless given.'),
  })
  .refine(({ kind, receiptFilter }) => kind === 'receipts' || !receiptFilter, {
    path: ['receiptFilter'],
    error: onlyWith('receipts'),
    params: { type: 'value_error' },
  })
  .refine(({ kind, paymentFilter }) => kind === 'payments' || !paymentFilter, {
    path: ['paymentFilter'],
    error: onlyWith('payments'),
    params: { type: 'value_error' },
  })
