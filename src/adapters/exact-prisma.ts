// Prisma's driver for PostgreSQL, with exact amounts. Prisma reads relations as JSON in one statement and parses its
// numbers as JS numbers, so an amount behind a relation would lose digits (https://github.com/prisma/orm/issues/25639).
import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>
type Queryable = Pick<Adapter, 'queryRaw'>

/** Matches a JSON string, which stays as it is, or a number of scale 18, which only our decimal columns have. */
const stringOrDecimal = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+\.\d{18}(?!\d)/g
const hasDecimal = /\d\.\d{18}(?!\d)/

const quoted = (json: string): string =>
  hasDecimal.test(json) ? json.replace(stringOrDecimal, part => (part.startsWith('"') ? part : `"${part}"`)) : json

const json = 11

function makeExact(queryable: Queryable): void {
  const queryRaw = queryable.queryRaw.bind(queryable)
  queryable.queryRaw = async query => {
    const result = await queryRaw(query)
    result.columnTypes.forEach((type, column) => {
      if (type !== json) return
      for (const row of result.rows) {
        const value = row[column]
        if (typeof value === 'string') row[column] = quoted(value)
      }
    })
    return result
  }
}

/** The pool stays open when Prisma is closed. */
export function exactPrisma(pool: pg.Pool): PrismaPg {
  const factory = new PrismaPg(pool, { disposeExternalPool: false })
  const connect = factory.connect.bind(factory)
  factory.connect = async () => {
    const adapter = await connect()
    makeExact(adapter)
    const startTransaction = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async level => {
      const transaction = await startTransaction(level)
      makeExact(transaction)
      return transaction
    }
    return adapter
  }
  return factory
}
