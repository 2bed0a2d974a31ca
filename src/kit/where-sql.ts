// Writes a condition for Prisma as SQL, so that a statement that Prisma cannot express applies the same filters. Knows
// what the filters of lists contain, and throws on anything else.
import { Prisma } from '../generated/prisma/client.ts'

const columnOf = (field: string) => Prisma.raw(field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`))

export function sqlOfWhere(where: object): Prisma.Sql {
  const every = (conditions: object[]) => conditions.map(sqlOfWhere)
  const parts = Object.entries(where).map(([key, value]) => {
    if (key === 'AND') return joined(every(value), ' and ')
    if (key === 'OR') return joined(every(value), ' or ')
    return compared(columnOf(key), value)
  })
  return joined(parts, ' and ')
}

const joined = (parts: Prisma.Sql[], word: ' and ' | ' or '): Prisma.Sql =>
  parts.length === 0 ? Prisma.sql`true` : Prisma.sql`(${Prisma.join(parts, word)})`

function compared(column: Prisma.Sql, condition: unknown): Prisma.Sql {
  if (condition === null) return Prisma.sql`${column} is null`
  if (typeof condition === 'string' || typeof condition === 'boolean') return Prisma.sql`${column} = ${condition}`
  if (typeof condition !== 'object') throw new Error('a condition that SQL does not know')
  return joined(
    Object.entries(condition).map(([operator, value]) => withOperator(column, operator, value)),
    ' and ',
  )
}

function withOperator(column: Prisma.Sql, operator: string, value: unknown): Prisma.Sql {
  if (operator === 'in') return Prisma.sql`${column} = any(${value})`
  if (operator === 'contains') return Prisma.sql`${column} like ${`%${value}%`}`
  if (operator === 'not' && value === null) return Prisma.sql`${column} is not null`
  if (operator === 'gte') return Prisma.sql`${column} >= ${value}`
  if (operator === 'lte') return Prisma.sql`${column} <= ${value}`
  if (operator === 'lt') return Prisma.sql`${column} < ${value}`
  throw new Error(`an operator that SQL does not know: ${operator}`)
}
