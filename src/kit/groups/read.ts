// Reads the groups of a form for a resolver, and charges the caller for them.
import { invalid } from '../../core/errors.ts'
import type { Context } from '../context.ts'
import { addingUp } from '../counting.ts'
import type { Statement } from '../sql/index.ts'
import { valuesOf } from '../sql-host.ts'
import type { Fields, Form } from './form.ts'
import { type GroupPage, mostPairs, pairsCost } from './limits.ts'
import { periodFields } from './period-type.ts'
import { groupsSql, isTooMuch } from './statement.ts'
import { mostFilled, mostPeriods } from './time.ts'

const mostRows = 1_000_000

/** `skipped`: the groups before the page. */
export type Groups<Group> = { groups: Group[]; total: number; skipped: number }

type Row<Group> = { groups: Group[] | null; total: number; read: number; pairs: number; tooManyPeriods: boolean }

/**
 * `what`: the name of the entries. Errors: `validation_failed` for too many entries or groups, `too_many_requests`,
 * `caller_gone`.
 */
export function readGroups<Group>(
  context: Context,
  what: string,
  { form, statement, page }: { form: Form; statement: Statement; page: GroupPage },
): Promise<Groups<Group>> {
  return addingUp(context, what, async sql => {
    const text = pageSql(statement, form, page)
    const values = valuesOf(statement)
    if (form.rowCount !== null) {
      const [{ count } = { count: 0 }] = await sql<{ count: number }>(
        // Parameters that this text does not use have no type.
        `select count(*)::int as count from (${form.rowCount} limit ${mostRows + 1}) as counted where ${typed(statement)}`,
        values,
      )
      if (count > mostRows) throw tooMuch('filter', `more than ${mostRows} ${what}`)
      context.allowance.spend(Math.floor(count / form.rowsPerUnit))
    }
    const [row] = await sql<Row<Group>>(text, values)
    if (row === undefined) throw new Error('no groups')
    if (row.tooManyPeriods)
      throw tooMuch('by', `more than ${mostPeriods} periods, or more than ${mostFilled} groups that are filled`)
    if (row.pairs > mostPairs) throw tooMuch('first', `more than ${mostPairs} groups with their sums`)
    if (form.rowCount === null) context.allowance.spend(Math.floor(row.read / form.rowsPerUnit))
    context.allowance.spend(Math.floor(pairsCost(row.pairs, page)))
    return { groups: row.groups ?? [], total: row.total, skipped: page.offset }
  })
}

const typed = ({ parameters }: Statement) =>
  ['true', ...parameters.map(({ type }, index) => `($${index + 1}::${type} is null or true)`)].join(' and ')

const tooMuch = (path: string, what: string) =>
  invalid([{ path: [path], message: `Selects ${what}. Narrow it.`, type: 'too_long' }])

function pageSql(statement: Statement, form: Form, { first, offset }: GroupPage): string {
  const { grouping, key, lists, objects } = form
  const { parts } = grouping
  const items = Object.entries(lists).flatMap(([name, { part, fields }]) =>
    part in parts && parts[part]?.item !== undefined
      ? [[name, `json_agg(${json(fields, form)} order by item collate "C") filter (where part = '${part}')`] as const]
      : [],
  )
  const period = periodFields(grouping.keys)
  const moment = (sql: string) => `(extract(epoch from ${sql}) * 1000)::float8`
  const time = period && { start: moment(period.start ?? ''), end: moment(period.end ?? ''), date: period.date ?? '' }
  const members = [
    `'key', ${object({ ...key, ...(time && { time: object(time) }) })}`,
    `'count', "count"`,
    ...items.map(([name]) => `'${name}', coalesce("${name}", '[]')`),
    ...Object.entries(objects).map(([name, fields]) => `'${name}', ${object(fields)}`),
  ]
  const isOnPage = `n > ${offset} and n <= ${offset + first}`
  return `with ${groupsSql(statement, grouping, Object.fromEntries(items))}
    select json_agg(json_build_object(${members.join()}) order by n) filter (where ${isOnPage}) as groups,
      count(*)::int as total, coalesce(sum(read), 0)::float8 as read,
      coalesce(sum(pairs) filter (where ${isOnPage}), 0)::int as pairs, ${isTooMuch(grouping)} as "tooManyPeriods"
    from ranked`
}

const object = (fields: Fields) =>
  `json_build_object(${Object.entries(fields).map(([name, sql]) => `'${name}', ${sql}`)})`

/** Numbers with a fraction are texts, because JSON has no other exact ones. */
function json(fields: Fields, { grouping }: Form): string {
  const types = new Map<string, string>(
    Object.values(grouping.parts).flatMap(({ columns }) =>
      Object.entries(columns).map(([name, [, type]]) => [`"${name}"`, type] as const),
    ),
  )
  return object(
    Object.fromEntries(
      Object.entries(fields).map(([name, sql]) => [
        name,
        types.get(sql) === 'numeric' ? `trim_scale(${sql})::text` : sql,
      ]),
    ),
  )
}
