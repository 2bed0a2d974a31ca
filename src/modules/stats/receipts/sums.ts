// The sums of the receipts of a group, in SQL. A row stands for a receipt or, in counters, for several.
import type { Part } from '../../../kit/groups/statement.ts'

/** `isCounted`: rows are counters. */
type Table = { isCounted: boolean }

/** Returns the class of a receipt: 0 a payment, 1 an announced refund, 2 a settled refund, 3 denied. */
export const classOf = (alias: string, { isCounted }: Table): string =>
  isCounted
    ? `case when ${alias}.status = 'failed' then 3 when ${alias}.kind = 'payment' then 0 when ${alias}.kind = 'announced_refund' then 1 else 2 end`
    : `case when ${alias}.status = 'failed' then 3 when ${alias}.refund_of_id is null then 0 when ${alias}.refund_tx_hash is null then 1 else 2 end`

const number = ({ isCounted }: Table, only = '') => (isCounted ? `coalesce(sum(count)${only}, 0)` : `count(*)${only}`)
const sum = (only: string) => `coalesce(sum(amount)${only}, 0)`
const of = (kind: number) => ` filter (where class = ${kind})`

/** By the fields of ReceiptSum. */
const sums = (table: Table): Part['columns'] => ({
  paymentCount: [number(table, of(0)), 'bigint'],
  gross: [sum(of(0)), 'numeric'],
  announcedRefundCount: [number(table, of(1)), 'bigint'],
  announcedRefunds: [sum(of(1)), 'numeric'],
  refundCount: [number(table, of(2)), 'bigint'],
  refunded: [sum(of(2)), 'numeric'],
  deniedCount: [number(table, of(3)), 'bigint'],
  denied: [sum(of(3)), 'numeric'],
  net: [`${sum(of(0))} - ${sum(of(2))}`, 'numeric'],
  min: [`min(amount)${of(0)}`, 'numeric'],
  max: [`max(amount)${of(0)}`, 'numeric'],
  average: [`round(sum(amount)${of(0)} / nullif(${number(table, of(0))}, 0), 18)`, 'numeric'],
})

/** Those that no counter tells. */
export const isOfEachReceipt = (name: string): boolean => name === 'min' || name === 'max'

/** `fields`: what is selected of ReceiptSum; null where only the number of receipts is. */
export function sumsPart(table: Table, fields: ReadonlySet<string> | null): Part {
  const selected = Object.entries(sums(table)).filter(([name]) => fields?.has(name))
  return {
    ...(fields && { item: 'currency' }),
    columns: {
      count: [number(table), 'bigint'],
      read: ['count(*)', 'bigint'],
      ...Object.fromEntries(selected),
    },
    ...(table.isCounted && { having: 'sum(count) <> 0' }),
  }
}

const shares = { p50: 0.5, p95: 0.95, p99: 0.99 }

export const anchoringPart = (fields: ReadonlySet<string>): Part => ({
  // PostgreSQL computes the same aggregate once.
  columns: Object.fromEntries(
    Object.keys(shares).flatMap((name, index) => {
      const all = `percentile_cont(array[${Object.values(shares)}]) within group (order by seconds)`
      return fields.has(name) ? [[name, [`(${all})[${index + 1}]`, 'float8'] as const]] : []
    }),
  ),
})
// The time of a block may be a little before the clock of this service.
export const secondsOf = (alias: string): string =>
  `case when ${alias}.anchored_at < ${alias}.created_at then 0 else extract(epoch from ${alias}.anchored_at - ${alias}.created_at)::float8 end`

/** Equivalents of the payments, by their currency. */
export const fiatPart: Part = {
  item: 'fiat_currency',
  where: 'class = 0 and fiat_amount is not null',
  columns: { fiatCount: ['count(*)', 'bigint'], fiatAmount: ['sum(fiat_amount)', 'numeric'] },
}
