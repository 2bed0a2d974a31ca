// Writes a condition for Prisma as SQL, as Prisma means it.
import { NotInSql, type Statement } from './statement.ts'
import { type Column, type Relation, type Table, tableOf } from './tables.ts'

type Where = Readonly<Record<string, unknown>>
/** A table in the statement, by its alias. */
export type Source = { table: Table; alias: string }

export const sourceOf = ({ alias }: Statement, model: string): Source => ({ table: tableOf(model), alias: alias() })

const isObject = (value: unknown): value is Where =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const all = (conditions: string[]): string => (conditions.length === 0 ? 'true' : `(${conditions.join(' and ')})`)
const any = (conditions: string[]): string => (conditions.length === 0 ? 'false' : `(${conditions.join(' or ')})`)

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

/** Returns the condition that a row of `other` belongs to the row of `source`. */
export const joining = (source: Source, relation: Relation, alias: string): string =>
  relation.pairs.map(([own, other]) => `${alias}.${other} = ${source.alias}.${own}`).join(' and ')

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

const comparisons: Readonly<Record<string, string>> = { equals: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' }

function compared(statement: Statement, name: string, column: Column, value: unknown): string {
  if (value === null) return `${name} is null`
  if (!isObject(value)) return `${name} = ${statement.value(value)}`
  return all(
    Object.entries(value).flatMap(([operator, operand]) => {
      if (operand === undefined) return []
      if (operator === 'equals' && operand === null) return [`${name} is null`]
      if (operator === 'not') {
        if (operand === null) return [`${name} is not null`]
        return [
          isObject(operand)
            ? `not ${compared(statement, name, column, operand)}`
            : `${name} <> ${statement.value(operand)}`,
        ]
      }
      if (operator === 'in' && Array.isArray(operand))
        return [
          operand.length === 1
            ? `${name} = ${statement.value(operand[0])}`
            : `${name} = any(${statement.value(operand)})`,
        ]
      if (operator === 'contains' && column.type === 'String')
        return [`${name} like ${statement.value(`%${operand}%`)}`]
      const comparison = comparisons[operator]
      if (comparison === undefined) throw new NotInSql(`operator ${operator}`)
      return [`${name} ${comparison} ${statement.value(operand)}`]
    }),
  )
}
