// Checks a row of a file by the rules of the service, and refuses what a spreadsheet may have changed.
import type { z } from 'zod'
import { recordReceiptInput } from '../../modules/receipts/record-input.ts'
import type { Column, Row, Separator } from './read-rows.ts'

export type Payment = z.input<typeof recordReceiptInput>
export type Fault = { column: Column | null; message: string }

const members = {
  tip_tx_hash: 'settlementTx',
  transfer_index: 'transferIndex',
  chain: 'chain',
  amount: 'amount',
  currency: 'currency',
  sender_wallet: 'senderWallet',
  receiver_wallet: 'receiverWallet',
  reference: 'reference',
  resource_hash: 'resourceHash',
  settled_at: 'settledAt',
} as const satisfies Record<Column, keyof Payment>

/** Returns the column of a member of the input. */
export const columnOf = (member: unknown): Column | null =>
  (Object.keys(members) as Column[]).find(column => members[column] === member) ?? null

/** Returns the payment of a row, as it is sent, or what is wrong with it. */
export function paymentOf(row: Row, separator: Separator, width: number): { payment: Payment } | { faults: Fault[] } {
  const { values } = row
  if (values === null) {
    const message = `The row has ${row.width} values, and the header ${width}: a value with the separator needs quotes.`
    return { faults: [{ column: null, message }] }
  }
  const faults = mangled(values, separator)
  const input = Object.fromEntries(
    (Object.keys(members) as Column[]).flatMap(column => {
      const value = values[column]?.trim() ?? ''
      if (value === '' && isOptional(column)) return []
      return [[members[column], sentAs(column, value)]]
    }),
  )
  const { error } = recordReceiptInput.safeParse(input)
  const others = (error?.issues ?? []).flatMap(({ path, message }) => {
    const column = columnOf(path[0])
    return faults.some(fault => fault.column === column) ? [] : [{ column, message }]
  })
  return faults.length + others.length > 0 ? { faults: [...faults, ...others] } : { payment: input as Payment }
}

const isOptional = (column: Column) => ['transfer_index', 'resource_hash', 'settled_at'].includes(column)

function sentAs(column: Column, value: string): string | number {
  if (column === 'amount') return value.replace(',', '.')
  return column === 'transfer_index' && /^\d{1,10}$/.test(value) ? Number(value) : value
}

const exponent = /^[+-]?\d+([.,]\d+)?E[+-]?\d+$/i
// References and names may look like a number with an exponent, but a spreadsheet always writes its sign.
const writtenExponent = /^\d+([.,]\d+)?E[+-]\d+$/i

/** Two spellings of one amount, of which nobody knows which is meant, are not guessed. */
const ambiguous = 'The amount can be read in two ways'

function mangled(values: NonNullable<Row['values']>, separator: Separator): Fault[] {
  return (Object.keys(members) as Column[]).flatMap(column => {
    const value = values[column]?.trim() ?? ''
    const message = column === 'amount' ? amountFault(value, separator) : textFault(column, value)
    return message === null ? [] : [{ column, message }]
  })
}

function textFault(column: Column, value: string): string | null {
  const isNumber = column === 'transfer_index' ? !/^(\d{1,10})?$/.test(value) : false
  if (isNumber) return 'Must be a whole number without sign and separators.'
  return writtenExponent.test(value)
    ? `A spreadsheet has written this value as a number (${value}), and its digits are lost: take the value from where it came from, and format the column as text.`
    : null
}

function amountFault(value: string, separator: Separator): string | null {
  if (exponent.test(value))
    return `A spreadsheet has written the amount with an exponent (${value}): format the column as a number with all digits.`
  if (/[.,'’\s]\d*[.,'’\s]/.test(value) || /['’\s]/.test(value))
    return 'The amount has separators of thousands: write it without them, such as 1234.56.'
  if (/^[1-9]\d{0,2},\d{3}$/.test(value))
    return `${ambiguous}: ${value} may be ${value.replace(',', '')} or ${value.replace(',', '.')}. Write ${value.replace(',', '')}.00 or ${value.replace(',', '.')}0.`
  // In a file from a country where the comma stands before the fraction, the point stands between thousands.
  if (separator === ';' && /^[1-9]\d{0,2}\.\d{3}$/.test(value))
    return `${ambiguous}: ${value} may be ${value.replace('.', '')} or ${value}. Write ${value.replace('.', '')}.00 or ${value}0.`
  return null
}
