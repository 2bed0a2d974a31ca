// Groups of entries as SQL: rows are grouped by up to three keys, and added up in parts.
import type { Statement } from '../sql/index.ts'
import { allPeriods, mostFilled, type Periods, periodOf, periodsSql } from './time.ts'

/**
 * A value that the entries of a group have in common. `of`: its value for a row, in SQL, which is never null: a text,
 * or the number of a period. `label`: what stands for the value in an answer, of some row.
 */
export type Key = { of: string; label?: string } | Periods

export const isPeriods = (key: Key): key is Periods => 'unit' in key

type Type = 'bigint' | 'numeric' | 'float8' | 'text'

/** Aggregates of a group, or of each item in it. */
export type Part = {
  /** The text that tells the items apart, in SQL. */
  item?: string
  /** The condition on the chosen rows. */
  where?: string
  having?: string
  /** Aggregates over the chosen rows, by their names. */
  columns: Readonly<Record<string, readonly [sql: string, type: Type]>>
}

export type Grouping = {
  keys: readonly Key[]
  /** `from … where …` */
  rows: string
  /** The columns of the rows that the parts read, by their names. */
  columns: Readonly<Record<string, string>>
  /** The first has the columns `count`, the number of entries, and `read`, the number of rows. */
  parts: Readonly<Record<string, Part>>
  /** By an aggregate over `every`, which has all parts, or by the keys. */
  order: { by: string | null; direction: 'asc' | 'desc' }
}

const numbered = (keys: readonly unknown[], letter: string) => keys.map((_, index) => `${letter}${index + 1}`)

/**
 * Returns common table expressions. `ranked` has a row for each group: its keys `k1` to `k3` with their labels `l1` to
 * `l3`, `count`, `read`, `pairs` of the group and an item of the first part, or 1, the columns of parts without items,
 * its place `n` from 1, and the aggregates `lists`, by their names, over the rows of `every`. There, `part` names the
 * part of a row, and `item` its item.
 */
export function groupsSql(statement: Statement, grouping: Grouping, lists: Readonly<Record<string, string>>): string {
  const { keys, rows, columns, parts, order } = grouping
  const [ks, ls] = [numbered(keys, 'k'), numbered(keys, 'l')]
  const periods = keys.find(isPeriods)
  const chosen = keys.flatMap((key, index) => {
    const number = index + 1
    if (isPeriods(key)) return [`${periodOf(key.of)} as k${number}`, `null::text as l${number}`]
    return [`${key.of} collate "C" as k${number}`, `${key.label ?? 'null::text'} as l${number}`]
  })
  for (const [name, sql] of Object.entries(columns)) chosen.push(`${sql} as ${name}`)
  const names = Object.keys(parts)
  const [first = ''] = names
  const all = Object.entries(parts)
  const types = new Map(all.flatMap(([, part]) => Object.entries(part.columns).map(([name, [, type]]) => [name, type])))

  const partSql = ([name, { item, where, having, columns }]: (typeof all)[number]) => {
    const selected = Object.entries(columns).map(([name, [sql, type]]) => `, (${sql})::${type} as "${name}"`)
    const labels = ls.map(l => `, max(${l} collate "C") as ${l}`).join('')
    const by = [...ks, ...(item === undefined ? [] : ['item'])]
    const conditions = ['count(*) > 0', ...(having ? [having] : [])]
    return `"${name}" as (select ${[...ks, item === undefined ? 'null::text as item' : 'item'].join()}${labels}${selected.join('')} from (
      select *${item === undefined ? '' : `, ${item} as item`} from chosen${where ? ` where ${where}` : ''}
    ) as chosen${by.length > 0 ? ` group by ${by.join()}` : ''} having ${conditions.join(' and ')})`
  }
  const shared = [...ks, ...ls, 'item']
  const fromPart = ([name, part]: (typeof all)[number]) => {
    const own = [...types].map(([column, type]) =>
      column in part.columns ? `"${column}"` : `null::${type} as "${column}"`,
    )
    return `select '${name}' as part, ${[...shared, ...own].join()} from "${name}"`
  }
  const every = all.map(fromPart)
  if (periods?.fill) every.push(filled(keys, periods, first, [...types.values()]))

  const scalars = all.flatMap(([name, { item, columns }]) =>
    item === undefined || name === first ? Object.keys(columns).map(column => [name, column] as const) : [],
  )
  const aggregated = scalars.flatMap(([part, column]) => {
    if (part !== first) return [`max("${column}") as "${column}"`]
    return column === 'count' || column === 'read' ? [`coalesce(sum("${column}"), 0) as "${column}"`] : []
  })
  const others = Object.entries(lists).map(([name, sql]) => `${sql} as ${name}`)
  const labelOf = (l: string, only = '') => `max(${l} collate "C")${only}`
  const labels = ls.map(l =>
    periods?.fill
      ? `coalesce(${labelOf(l, ` filter (where part <> 'filled')`)}, ${labelOf(l)}) as ${l}`
      : `${labelOf(l)} as ${l}`,
  )
  const ordering = order.by === null ? [] : [`${order.by} as ordering`]
  const by = order.by === null ? ks.map(k => `${k} ${order.direction}`) : [`ordering ${order.direction}`, ...ks]
  return `${periods ? `${periodsSql(statement, periods)},\n  ` : ''}chosen as (select ${chosen.join(', ')} ${rows}),
  ${all.map(partSql).join(',\n  ')},
  every as (${every.join('\n    union all ')}),
  groups as (select ${[...ks, ...labels, ...aggregated, `greatest(count(*) filter (where part = '${first}'), 1) as pairs`, ...others, ...ordering].join(', ')}
    from every${ks.length > 0 ? ` group by ${ks.join()}` : ` having count(*) filter (where part = '${first}') > 0`}),
  ranked as (select *, row_number() over (${by.length > 0 ? `order by ${by.join()}` : ''}) as n from groups)`
}

/** Returns a part of groups without entries: each period with all values of the other keys. */
function filled(keys: readonly Key[], periods: Periods, first: string, types: readonly Type[]): string {
  const own = keys.indexOf(periods)
  const of = (letter: string, none: string) =>
    numbered(keys, letter).map((name, index) => (index === own ? none : `o.${name}`))
  const others = numbered(keys, 'k').toSpliced(own, 1)
  const labels = numbered(keys, 'l').toSpliced(own, 1)
  const ends = ['min', 'max'].map(end => `(select ${end}(k${own + 1}) from "${first}")`) as [string, string]
  const values = `(select ${[...others, ...labels.map(l => `max(${l} collate "C") as ${l}`)].join()} from "${first}" group by ${others.join()}) as o`
  const nothing = ['null::text', ...types.map(type => `null::${type}`)]
  return `(select 'filled', ${[...of('k', 'p.k'), ...of('l', 'null::text'), ...nothing].join()}
    from (${allPeriods(periods, ...ends)}) as p${others.length === 0 ? '' : ` cross join ${values}`} limit ${mostFilled + 1})`
}

/** Whether there are too many periods, or too many groups that are filled, as an aggregate over `ranked`. */
export function isTooMuch({ keys }: Pick<Grouping, 'keys'>): string {
  const periods = keys.find(isPeriods)
  if (!periods) return 'false'
  const tooMany = `coalesce((select at[cardinality(at)] <= hi from periods, bounds), false)`
  return periods.fill ? `(count(*) > ${mostFilled} or ${tooMany})` : tooMany
}
