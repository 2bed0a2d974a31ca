// The statistics of payments as SQL.
import type { Question } from '../../../kit/groups/field.ts'
import { columnFields, type Form } from '../../../kit/groups/form.ts'
import { orderOf } from '../../../kit/groups/order.ts'
import type { Part } from '../../../kit/groups/statement.ts'
import { extremesOf } from '../../../kit/groups/time.ts'
import { rowOf, sourceOf, whereSql } from '../../../kit/sql/index.ts'
import { isIndexed, paymentQuery } from '../../payments/filter.ts'
import type { StatsArguments } from './arguments.ts'
import { fieldOf, keyOf, timeOf } from './keys.ts'

const settled = ` filter (where is_settled)`
const sums: Part['columns'] = {
  settledCount: [`count(*)${settled}`, 'bigint'],
  settled: [`coalesce(sum(amount)${settled}, 0)`, 'numeric'],
  min: [`min(amount)${settled}`, 'numeric'],
  max: [`max(amount)${settled}`, 'numeric'],
  average: [`round(avg(amount)${settled}, 18)`, 'numeric'],
}

export function paymentForm({ args, of, project, statement }: Question<StatsArguments>): Form {
  const { by, orderBy } = args
  const filter = args.filter ?? {}
  const selected = of('sums')
  const hasSums = of().has('sums') || orderBy?.sum != null
  if (orderBy?.sum) selected.add('settled')
  const source = sourceOf(statement, 'Payment')
  const { alias } = source
  const ofProject = (name: string) => (project === null ? 'true' : `${name}.project_id = ${project}`)
  const extremes = (name: string) => extremesOf(source, name, ofProject)
  const row = rowOf(statement, source)
  const keys = (by ?? []).map(key => keyOf(key, row, filter, extremes))
  const conditions = [ofProject(alias), whereSql(statement, source, paymentQuery({ filter }).where)]
  if (by?.some(key => timeOf(key) === 'settledAt')) conditions.push(`${row.column('settledAt')} is not null`)
  const where = conditions.join(' and ')
  const part: Part = {
    ...(hasSums && { item: 'currency' }),
    columns: {
      ...{ count: ['count(*)', 'bigint'], read: ['count(*)', 'bigint'] },
      ...Object.fromEntries(Object.entries(sums).filter(([name]) => hasSums && selected.has(name))),
    },
  }
  return {
    grouping: {
      keys,
      rows: `from payments ${alias} where ${where}`,
      columns: hasSums
        ? {
            ...{ amount: `${alias}.amount`, currency: `${alias}.currency` },
            is_settled: `(${alias}.status in ('settled', 'delivered'))`,
          }
        : {},
      parts: { sums: part },
      order: orderOf(statement, orderBy, 'settled'),
    },
    key: Object.assign({}, ...(by ?? []).map((key, index) => fieldOf(key, `k${index + 1}`))),
    lists: { sums: { part: 'sums', fields: { currency: 'item', ...columnFields(part.columns) } } },
    objects: {},
    mostWithOthers: isIndexed(filter) ? 3_000 : 0,
    rowsPerUnit: 100,
    rowCount: `select from payments ${alias} where ${where}`,
  }
}
