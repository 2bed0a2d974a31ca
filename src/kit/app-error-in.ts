// Finds our own error inside what an engine, a driver or a plugin wrapped around it.
import { PothosValidationError } from '@pothos/core'
import { AppError } from '../core/errors.ts'

/** Null for what no caller may see. A database that cannot be reached is `database_unavailable`. */
export function appErrorIn(error: unknown): AppError | null {
  let inner = error
  for (let depth = 0; depth < 10 && inner instanceof Error; depth++) {
    if (inner instanceof AppError) return inner
    // Cursors and page sizes of connections are checked by Pothos itself.
    if (inner instanceof PothosValidationError)
      return new AppError('validation_failed', inner.message, { cause: error })
    // A cursor with the right form and no id in it is only found out by the database.
    if (isMisshapen(inner))
      return new AppError('validation_failed', 'A value does not have the form it must have.', { cause: error })
    if (isUnreachable(inner)) return new AppError('database_unavailable', undefined, { cause: error })
    inner = 'originalError' in inner && inner.originalError ? inner.originalError : inner.cause
  }
  return null
}

// PostgreSQL's "invalid text", "out of range" and "not in repertoire", and Prisma's for the same, also before it asks.
const misshapen = /^(22P02|22P05|22003|22021|P2007|P2020|P2023)$/

const isMisshapen = (error: Error): boolean =>
  ('code' in error && typeof error.code === 'string' && misshapen.test(error.code)) ||
  (error.name.startsWith('PrismaClient') &&
    /\bcursor: \{|Code: `22|Could not convert argument value/.test(error.message))

// Node's own, PostgreSQL's classes "connection exception" and "operator intervention", and Prisma's.
const unreachable = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|08...|57P0[123]|53300|P1001|P1002|P1008|P1017|P2024)$/

// Of an error that Prisma has no code of its own for, it tells PostgreSQL's in the text.
const unreachableInside = /\bCode: `(08...|57P0[123]|53300)`/

const isUnreachable = (error: Error): boolean =>
  ('code' in error && typeof error.code === 'string' && unreachable.test(error.code)) ||
  (error.name.startsWith('PrismaClient') && unreachableInside.test(error.message)) ||
  /^Connection terminated|connection is closed|not queryable|timeout exceeded when trying to connect/i.test(
    error.message,
  )
