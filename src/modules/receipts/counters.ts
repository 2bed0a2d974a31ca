// Counters or rows: the table that tells how many receipts a list has, and how much they add up to. Counters tell
// receipts apart by project, chain, currency and status alone; all else needs the receipts themselves.
import type { App } from '../../kit/context.ts'
import type { CountTable } from '../../kit/sql/index.ts'
import type { ReceiptList } from './filter.ts'

export const receipts: CountTable = { name: 'receipts', count: 'count(*)' }
const counters: CountTable = { name: 'receipt_counts', count: 'coalesce(sum(count), 0)' }

/** Returns the table with the fewest rows from which a list's receipts can be counted and added up. */
export const tableOf = (list: ReceiptList): CountTable => (areCounted(list) ? counters : receipts)

function areCounted({ filter, orderBy }: ReceiptList): boolean {
  const { statuses, chains, currencies, projectId, or, not, ...others } = filter ?? {}
  // In the order of a time that a receipt may lack, it is left out.
  const isOfAll = orderBy?.field !== 'anchored_at' && orderBy?.field !== 'booked_at'
  return isOfAll && or == null && not == null && Object.values(others).every(isOpen)
}

/** A range without ends, as a REST route without parameters has it, leaves nothing out. */
const isOpen = (condition: unknown): boolean =>
  condition == null || (typeof condition === 'object' && Object.values(condition).every(end => end == null))

/**
 * Merges the counters of one key, because each change appends a row, and adds new ones to those of their hour and
 * quarter of an hour. Safe at any time, in any number of processes.
 */
export async function addUpCounters({ pool }: App): Promise<void> {
  await pool.query('select receipt_add_up()')
}
