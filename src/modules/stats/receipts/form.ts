// The statistics of receipts as SQL: from the counters where they tell what is asked for, else from the receipts.
import type { Question } from '../../../kit/groups/field.ts'
import { columnFields, type Form } from '../../../kit/groups/form.ts'
import { orderOf } from '../../../kit/groups/order.ts'
import { isPeriods, type Key, type Part } from '../../../kit/groups/statement.ts'
import { extremesOf, rangeOf } from '../../../kit/groups/time.ts'
import { rowOf, sourceOf, whereSql } from '../../../kit/sql/index.ts'
import { isIndexed, type ReceiptFilter, receiptQuery } from '../../receipts/filter.ts'
import type { GroupedBy, StatsArguments } from './arguments.ts'
import { countedKinds, keyFields, keyOf, kindOf, timeOf } from './keys.ts'
import { anchoringPart, classOf, fiatPart, isOfEachReceipt, secondsOf, sumsPart } from './sums.ts'

export function receiptForm({ args, of, project, statement, context }: Question<StatsArguments>): Form {
  const { by, orderBy } = args
  const filter = args.filter ?? {}
  const [group, sumFields] = [of(), of('sums')]
  const hasSums = group.has('sums') || orderBy?.sum != null
  if (orderBy?.sum) sumFields.add('gross')
  const [anchoring, fiat] = [of('anchoring'), group.has('fiat')]
  const readsEach = group.has('anchoring') || fiat || [...sumFields].some(isOfEachReceipt)
  const table = readsEach ? receipts : tableOf(by ?? [], filter)

  const source = sourceOf(statement, 'Receipt')
  const { alias } = source
  const ofProject = (name: string) => (project === null ? 'true' : `${name}.project_id = ${project}`)
  const extremes = (name: string) => extremesOf(source, name, ofProject)
  const keys = (by ?? []).map(key => keyOf(key, rowOf(statement, source), filter, extremes))
  const conditions = [ofProject(alias), whereSql(statement, source, receiptQuery({ filter }, context).where)]
  for (const { time } of by ?? [])
    if (time && timeOf(time) !== 'createdAt')
      conditions.push(`${rowOf(statement, source).column(timeOf(time))} is not null`)
  if (table.name === 'receipt_periods') conditions.push(`${alias}.width = ${widthOf(keys, filter)}`)
  const where = conditions.join(' and ')
  const join = fiat ? ` left join fiat_equivalents fiat on fiat.receipt_id = ${alias}.id and fiat.state = 'known'` : ''

  const sums = sumsPart(table, hasSums ? sumFields : null)
  const parts: Record<string, Part> = { sums }
  if (group.has('anchoring')) parts.anchoring = anchoringPart(anchoring)
  if (fiat) parts.fiat = fiatPart
  return {
    grouping: {
      keys,
      rows: `from ${table.name} ${alias}${join} where ${where}`,
      columns: {
        ...(hasSums && { amount: `${alias}.amount`, currency: `${alias}.currency` }),
        ...((hasSums || fiat) && { class: classOf(alias, table) }),
        ...(table.isCounted && { count: `${alias}.count` }),
        ...(group.has('anchoring') && { seconds: secondsOf(alias) }),
        ...(fiat && { fiat_currency: 'fiat.currency', fiat_amount: 'fiat.amount::numeric' }),
      },
      parts,
      order: orderOf(statement, orderBy, 'gross'),
    },
    key: Object.assign({}, ...(by ?? []).map((key, index) => fieldsOf(key, index + 1))),
    lists: {
      sums: { part: 'sums', fields: { currency: 'item', ...columnFields(sums.columns) } },
      fiat: { part: 'fiat', fields: { currency: 'item', count: '"fiatCount"', amount: '"fiatAmount"' } },
    },
    objects: { anchoring: columnFields(parts.anchoring?.columns ?? {}) },
    mostWithOthers: table.isCounted ? 100_000 : isIndexed(filter) ? 3_000 : 0,
    rowsPerUnit: table.isCounted ? 500 : 100,
    rowCount: table.isCounted ? null : `select from ${table.name} ${alias} where ${where}`,
  }
}

const fieldsOf = (key: GroupedBy, number: number) => {
  const kind = kindOf(key)
  return kind === 'time' ? {} : keyFields[kind](`k${number}`, `l${number}`)
}

const receipts = { name: 'receipts', isCounted: false }

/** Returns the table with the fewest rows that tells these groups of these receipts apart. */
function tableOf(by: readonly GroupedBy[], filter: ReceiptFilter) {
  const { statuses, chains, currencies, projectId, createdAt, ...others } = filter
  if (Object.values(others).some(condition => condition != null)) return receipts
  if (!by.every(key => countedKinds.includes(kindOf(key)))) return receipts
  if (by.some(({ time }) => time && timeOf(time) !== 'createdAt')) return receipts
  const hasTime = createdAt?.since || createdAt?.until || by.some(({ time }) => time)
  if (!hasTime) return { name: 'receipt_counts', isCounted: true }
  return beginsWith(quarter, filter) ? { name: 'receipt_periods', isCounted: true } : receipts
}

const quarter = 15 * 60_000
const hour = 4 * quarter

/** Whether the range begins and ends with a period. */
function beginsWith(period: number, { createdAt }: ReceiptFilter): boolean {
  const { since, until } = rangeOf(createdAt)
  return (since?.getTime() ?? 0) % period === 0 && (until === null || (until.getTime() + 1) % period === 0)
}

/** In zones whose offset is no whole hour, quarters tell the periods apart. */
function widthOf(keys: readonly Key[], filter: ReceiptFilter): string {
  if (!beginsWith(hour, filter)) return `'quarter'`
  if (!keys.some(isPeriods)) return `'hour'`
  return `(select case when bool_and(extract(epoch from period)::bigint % 3600 = 0) then 'hour' else 'quarter' end::period_width
    from periods, unnest(at) as period)`
}
