// Writes a condition for Prisma as SQL, as Prisma means it.
import pg from 'pg'
import { Prisma } from '../../generated/prisma/client.ts'
import { createStatement, Expression, NotInSql, type Statement } from './statement.ts'
import { type Column, type Relation, type Table, tableOf } from './tables.ts'

export type Where = Readonly<Record<string, unknown>>
/** A table in the statement, by its alias. `joins`: rows that are read beside each of its rows. */
export type Source = { table: Table; alias: string; joins: Map<string, { alias: string; sql: string }> }

export const sourceOf = ({ alias }: Statement, model: string): Source => ({
  table: tableOf(model),
  alias: alias(),
  joins: new Map(),
})

/** Returns the rows of a source, with what is read beside them. */
export const from = (rows: string, { alias, joins }: Source): string =>
  `from (${rows}) ${alias}${[...joins.values()].map(({ sql }) => ` ${sql}`).join('')}`

export const isObject = (value: unknown): value is Where =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const all = (conditions: string[]): string => (conditions.length === 0 ? 'true' : `(${conditions.join(' and ')})`)
const any = (conditions: string[]): string => (conditions.length === 0 ? 'false' : `(${conditions.join(' or ')})`)

/** Returns the conditions that hold together, each with one member. */
export function conjunctsOf(where: unknown): Where[] {
  if (where === undefined) return []
  if (!isObject(where)) throw new NotInSql('a condition')
  return Object.entries(where).flatMap(([key, value]) => {
    if (value === undefined) return []
    return key === 'AND' ? [value].flat().flatMap(conjunctsOf) : [{ [key]: value }]
  })
}

/** A column and the values that a condition leaves it, in SQL. `cast`: what an array of them needs behind it. */
export type Fixed = { column: string; values: readonly string[]; cast?: string }

/** Returns null for a condition that does not list the values of a column. */
export function fixedBy(statement: Statement, { table }: Source, conjunct: Where): Fixed | null {
  const [[key, value] = ['', null]] = Object.entries(conjunct)
  const column = table.columns.get(key)
  const given = isObject(value) && Object.keys(value).join() === 'in' ? value.in : [value]
  if (!column || !Array.isArray(given) || given.length === 0) return null
  if (given.some(member => member === null || isObject(member))) return null
  const values = given.map(member => operandOf(statement, column, member))
  return { column: column.name, values, ...(column.enum !== undefined && { cast: `::${column.enum}[]` }) }
}

export function sqlOfWhere(statement: Statement, source: Source, where: unknown): string {
  if (where === undefined) return 'true'
  if (!isObject(where)) throw new NotInSql('a condition')
  const each = (value: unknown) => [value].flat().map(member => sqlOfWhere(statement, source, member))
  return all(
    Object.entries(where).flatMap(([key, value]) => {
      if (value === undefined) return []
      if (key === 'AND') return [all(each(value))]
      if (key === 'OR') return [any(each(value))]
      if (key === 'NOT') return [`not ${all(each(value))}`]
      const column = source.table.columns.get(key)
      if (column) return [compared(statement, `${source.alias}.${column.name}`, column, value)]
      const relation = source.table.relations.get(key)
      if (relation) return [related(statement, source, relation, value)]
      throw new NotInSql(`condition ${key}`)
    }),
  )
}

/** A statement that is sent by itself, whose values are its parameters. */
export const ownStatement = (): Statement => createStatement(place => `$${place}`)

/** Returns a condition on the rows of a table that has the columns of the model. */
export const conditionOn = (statement: Statement, table: string, model: string, where: object): string =>
  sqlOfWhere(statement, { ...sourceOf(statement, model), alias: table }, where)

export const valuesOf = ({ values }: Statement): unknown[] => values.map(({ value }) => value)

/** Returns the columns by which a row belongs to the row of `source`, with their values. */
export const belonging = (source: Source, { pairs }: Relation): Fixed[] =>
  pairs.map(([own, other]) => ({ column: other, values: [`${source.alias}.${own}`] }))

/** Returns the condition that a row of `alias` belongs to the row of `source`. */
export const joining = (source: Source, relation: Relation, alias: string): string =>
  belonging(source, relation)
    .map(one => sqlOfFixed(alias, one))
    .join(' and ')

function related(statement: Statement, source: Source, relation: Relation, value: unknown): string {
  const exists = (where: unknown) => {
    const other = sourceOf(statement, relation.model)
    const conditions = `${joining(source, relation, other.alias)} and ${sqlOfWhere(statement, other, where)}`
    return `exists (select from ${other.table.name} ${other.alias} where ${conditions})`
  }
  if (value === null) return `not ${exists({})}`
  if (!isObject(value)) throw new NotInSql('a condition of a relation')
  if (!relation.isList) return exists('is' in value ? value.is : value)
  const { some, none, ...others } = value
  if (Object.keys(others).length > 0) throw new NotInSql('a condition of a list')
  return all([...(some === undefined ? [] : [exists(some)]), ...(none === undefined ? [] : [`not ${exists(none)}`])])
}

const comparisons: Readonly<Record<string, string>> = { lt: '<', lte: '<=', gt: '>', gte: '>=' }

function compared(statement: Statement, name: string, column: Column, value: unknown): string {
  const operand = (value: unknown) => operandOf(statement, column, value)
  if (value === null) return `${name} is null`
  if (!isObject(value)) return `${name} = ${operand(value)}`
  return all(
    Object.entries(value).flatMap(([operator, given]) => {
      if (given === undefined) return []
      if (operator === 'equals') return [compared(statement, name, column, given)]
      if (operator === 'not' && !isObject(given))
        return [given === null ? `${name} is not null` : `${name} <> ${operand(given)}`]
      if (operator === 'in' && Array.isArray(given)) return [isIn(name, given.map(operand))]
      if (operator === 'contains' && column.type === 'String') return [`${name} like ${operand(`%${given}%`)}`]
      if (operator === 'startsWith' && column.type === 'String') return [`${name} like ${operand(`${given}%`)}`]
      const comparison = comparisons[operator]
      if (comparison === undefined) throw new NotInSql(`operator ${operator}`)
      return [`${name} ${comparison} ${operand(given)}`]
    }),
  )
}

export const sqlOfFixed = (alias: string, { column, values }: Fixed): string => isIn(`${alias}.${column}`, values)

function isIn(name: string, values: readonly string[]): string {
  if (values.length === 0) return 'false'
  return values.length === 1 ? `${name} = ${values[0]}` : `${name} in (${values.join(', ')})`
}

/**
 * Ids and times are parameters: the plan is the same for all. Which index is best for another value depends on how
 * frequent the value is, so it stands in the text, and each text has a plan of its own.
 */
function operandOf(statement: Statement, { type, isUuid }: Column, value: unknown): string {
  if (value instanceof Expression) return value.sql
  if (isUuid) return statement.value(value, 'uuid')
  if (type === 'DateTime') return statement.value(value, 'timestamptz')
  if (typeof value === 'string') return pg.escapeLiteral(value)
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Prisma.Decimal) return value.toFixed()
  throw new NotInSql(`a condition on a value of ${type}`)
}
