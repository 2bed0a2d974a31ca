// Writes a condition for Prisma as SQL, as Prisma means it.
import { Decimal } from 'decimal.js'
import pg from 'pg'
import { type Equality, isIn, joinCondition, type Source, sourceOf } from './source.ts'
import { Expression, NotInSql, type Statement } from './statement.ts'
import type { Column, Relation } from './tables.ts'

export type Where = Readonly<Record<string, unknown>>

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

/** Returns null for a condition that does not list the values of a column. */
export function equalityIn(statement: Statement, { table }: Source, conjunct: Where): Equality | null {
  const [[key, value] = ['', null]] = Object.entries(conjunct)
  const column = table.columns.get(key)
  const members = isObject(value) && Object.keys(value).join() === 'in' ? value.in : [value]
  if (!column || !Array.isArray(members) || members.length === 0) return null
  if (members.some(member => member === null || isObject(member))) return null
  const values = members.map(member => operandOf(statement, column, member))
  return { column: column.name, values, ...(column.enum !== undefined && { cast: `::${column.enum}[]` }) }
}

/** `isNegated`: inside a `NOT` on this row. */
export function whereSql(statement: Statement, source: Source, where: unknown, isNegated = false): string {
  if (where === undefined) return 'true'
  if (!isObject(where)) throw new NotInSql('a condition')
  const each = (value: unknown, negated = isNegated) =>
    [value].flat().map(member => whereSql(statement, source, member, negated))
  return all(
    Object.entries(where).flatMap(([key, value]) => {
      if (value === undefined) return []
      if (key === 'AND') return [all(each(value))]
      if (key === 'OR') return [any(each(value))]
      if (key === 'NOT') return [`not ${all(each(value, true))}`]
      const column = source.table.columns.get(key)
      if (column) return [compared(statement, `${source.alias}.${column.name}`, column, value)]
      const relation = source.table.relations.get(key)
      // Prisma leaves out rows whose one related row has no value, which is no negation.
      if (relation && isNegated && !relation.isList) throw new NotInSql('a negated relation to one row')
      if (relation) return [related(statement, source, relation, value)]
      throw new NotInSql(`condition ${key}`)
    }),
  )
}

/** Returns a condition on the rows of a table that has the columns of the model. */
export const conditionOn = (statement: Statement, table: string, model: string, where: object): string =>
  whereSql(statement, { ...sourceOf(statement, model), alias: table }, where)

function related(statement: Statement, source: Source, relation: Relation, value: unknown): string {
  const exists = (where: unknown) => {
    const other = sourceOf(statement, relation.model)
    const conditions = `${joinCondition(source, relation, other.alias)} and ${whereSql(statement, other, where)}`
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
  const like = value.mode === 'insensitive' ? 'ilike' : 'like'
  return all(
    Object.entries(value).flatMap(([operator, right]) => {
      if (right === undefined || operator === 'mode') return []
      if (operator === 'equals') return [compared(statement, name, column, right)]
      if (operator === 'not' && !isObject(right))
        return [right === null ? `${name} is not null` : `${name} <> ${operand(right)}`]
      if (operator === 'in' && Array.isArray(right)) return [isIn(name, right.map(operand))]
      if (operator === 'contains' && column.type === 'String') return [`${name} ${like} ${operand(`%${right}%`)}`]
      if (operator === 'startsWith' && column.type === 'String') return [`${name} ${like} ${operand(`${right}%`)}`]
      const comparison = comparisons[operator]
      if (comparison === undefined) throw new NotInSql(`operator ${operator}`)
      return [`${name} ${comparison} ${operand(right)}`]
    }),
  )
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
  if (Decimal.isDecimal(value)) return value.toFixed()
  throw new NotInSql(`a condition on a value of ${type}`)
}
