// Writes the groups as JSON in SQL, if at most 5,000 receipts or counters are read. Resolvers add up more, in turns and
// with limits of their own.
import { ownedBy } from '../../core/principal.ts'
import type { Context } from '../../kit/context.ts'
import {
  ArgumentsNotInSql,
  charged,
  computedObject,
  joined,
  objectTypeOf,
  refused,
  sourceOf,
  type WriteInSql,
  whereSql,
} from '../../kit/sql/index.ts'
import { type GroupedBy, mostSums, rowsPerUnit, summed, sumsOf, sumsPerUnit } from './add-up.ts'
import { receipts } from './counters.ts'
import { type ReceiptFilter, receiptQuery } from './filter.ts'

// As many as the field's own cost of 50 pays for, because rows are charged only after they are read.
const mostRows = 5_000
// With the project they begin an index that goes on with the time. Without an index, any number of receipts may be read
// in vain.
const indexed: readonly string[] = ['statuses', 'chains', 'currencies', 'senderWallets', 'receiverWallets']

function isIndexed({ createdAt, projectId, ...others }: ReceiptFilter): boolean {
  const conditions = Object.entries(others).flatMap(([key, value]) => (value == null ? [] : [key]))
  return conditions.length <= 1 && conditions.every(key => indexed.includes(key))
}

/** `read`: the filter and the grouping that the arguments mean. */
export const groupsInSql =
  (read: (args: unknown) => { filter: ReceiptFilter | null | undefined; by: GroupedBy }): WriteInSql<Context> =>
  (planner, { field, nodes, args, parent, context }) => {
    const { statement } = planner
    const { filter, by } = read(args)
    const { projectId } = parent ? {} : ownedBy(context.principal)
    const project = parent ? parent.column('id') : projectId && statement.value(projectId, 'uuid')
    if (project === undefined) throw new ArgumentsNotInSql('receipts of all projects')

    const lists: string[] = []
    let times = false
    const object = computedObject(planner, objectTypeOf(field), nodes, 'groups', {
      sums: (type, nodes) => {
        lists.push(joined(computedObject(planner, type, nodes, 'sums')))
        return ['[', { sql: `list${lists.length}` }, ']']
      },
      anchoring: (type, nodes) => {
        times = true
        return computedObject(planner, type, nodes, 'groups')
      },
    })
    const sums = sumsOf(filter, by, times)
    if (sums.table === receipts && !isIndexed(filter ?? {})) throw new ArgumentsNotInSql('a filter without an index')
    const source = sourceOf(statement, 'Receipt')
    const { alias } = source
    const where = `${alias}.project_id = ${project} and ${whereSql(statement, source, receiptQuery({ filter }, context).where)}`
    const rows = (columns: string) =>
      `select ${columns} from ${sums.table.name} ${alias} where ${where} limit ${mostRows + 1}`
    const texts = lists.map((text, index) => `, string_agg(${text}, ',' order by currency) as list${index + 1}`)
    const pieces = [
      '[',
      { sql: `coalesce(string_agg(${joined(object)}, ',' order by key), '')` },
      ']',
      charged(`div(coalesce(sum(read), 0), ${rowsPerUnit})`),
      charged(`div(coalesce(sum(pairs), 0), ${sumsPerUnit})`),
    ]
    return [
      {
        sql: `(with ${summed(sums, rows)}, groups as (
          select * from (
            select grouped, key, sum(count) as count, sum(read) as read, count(*) as pairs${texts.join('')} from sums group by grouped, key
          ) as added${times ? ' join waits using (grouped)' : ''}
        ) select case when sum(read) > ${mostRows} or sum(pairs) > ${mostSums} then ${refused.sql}
          else ${joined(pieces)} end from groups)`,
      },
    ]
  }
