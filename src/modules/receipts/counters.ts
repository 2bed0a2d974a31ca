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
 * quarter of an hour. Safe at any time, in any number of processes: a row that another takes is missing here.
 */
export async function addUpCounters({ pool }: { pool: Pick<App['pool'], 'query'> }): Promise<void> {
  const key = ['project_id', 'chain', 'chain_key', 'currency', 'status', 'kind']
  const all = key.join(', ')
  const same = (one: string, other: string, more: string[] = []) => {
    const of = (table: string) => [...key, ...more].map(column => `${table}.${column}`).join(', ')
    return `(${of(one)}) = (${of(other)})`
  }
  await pool.query(
    `with several as (
       select ${all} from receipt_counts group by ${all} having count(*) > 1 or bool_or(slot is not null)
     ), taken as (
       delete from receipt_counts c using several s where ${same('c', 's')} returning c.*
     ), changed as (
       select ${all}, width, period_begin(width, slot) as slot, sum(count) as count, sum(amount) as amount
       from taken cross join unnest(enum_range(null::period_width)) as width where slot is not null
       group by ${all}, width, period_begin(width, slot)
     ), present as (
       -- Looked up one by one, because there are many times as many.
       select c.ctid from changed n cross join lateral (
         select ctid from receipt_time_counts c where ${same('c', 'n', ['width', 'slot'])} offset 0
       ) as c
     ), replaced as (
       delete from receipt_time_counts where ctid = any(array(select ctid from present)) returning *
     ), timed as (
       insert into receipt_time_counts (${all}, width, slot, count, amount)
       select ${all}, width, slot, sum(count), sum(amount) from (
         select ${all}, width, slot, count, amount from changed
         union all select ${all}, width, slot, count, amount from replaced
       ) as both_sides group by ${all}, width, slot having sum(count) <> 0 or sum(amount) <> 0
       -- Charts read neighbouring times of a project.
       order by project_id, width, slot
     )
     insert into receipt_counts (${all}, count, amount)
     select ${all}, sum(count), sum(amount) from taken group by ${all} having sum(count) <> 0 or sum(amount) <> 0`,
  )
}
