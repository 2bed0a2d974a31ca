// Finds the AppError inside what a GraphQL engine, a driver or a plugin wrapped around it.
import { PothosValidationError } from '@pothos/core'
import { AppError, type ErrorCode } from '../core/errors.ts'

// Any caller can cause these as often as it likes, and nothing is known of them but the code.
const foreseen: ReadonlySet<ErrorCode> = new Set([
  'payments_disabled',
  'ai_disabled',
  'secrets_disabled',
  'settlement_pending',
  'project_moving',
])

/** Whether the log needs a line of the error, besides that of the request, which has its code. */
export const isFault = ({ status, code }: AppError): boolean => status >= 500 && !foreseen.has(code)

/** Returns null for an error that no caller may see. An unreachable database is `database_unavailable`. */
export function appErrorIn(error: unknown): AppError | null {
  let inner = error
  for (let depth = 0; depth < 10 && inner instanceof Error; depth++) {
    if (inner instanceof AppError) return inner
    // Cursors and page sizes of connections are checked by Pothos itself.
    if (inner instanceof PothosValidationError)
      return new AppError('validation_failed', inner.message, { cause: error })
    // Only the database detects a cursor that has the right form but contains no id.
    if (isMisshapen(inner))
      return new AppError('validation_failed', 'A value does not have the form it must have.', { cause: error })
    if (isOfMovedProject(inner)) return new AppError('project_moving', undefined, { cause: error })
    if (isUnreachable(inner)) return new AppError('database_unavailable', undefined, { cause: error })
    inner = 'originalError' in inner && inner.originalError ? inner.originalError : inner.cause
  }
  return null
}

// PostgreSQL's codes "invalid text", "out of range" and "not in repertoire", and Prisma's, some raised before a query.
const misshapen = /^(22P02|22P05|22003|22021|P2007|P2020|P2023)$/

const isMisshapen = (error: Error): boolean =>
  ('code' in error && typeof error.code === 'string' && misshapen.test(error.code)) ||
  (error.name.startsWith('PrismaClient') &&
    /\bcursor: \{|Code: `22|Could not convert argument value/.test(error.message))

// Node's codes; PostgreSQL's classes "connection exception" and "operator intervention", its refusal to write on a
// standby and the end of a wait for a lock or of an idle transaction; Prisma's codes.
const unreachable =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08...|57P0[1235]|53300|25006|25P03|55P03|P1001|P1002|P1008|P1017|P2024|P2028)$/

// If Prisma has no code of its own for an error, its message contains PostgreSQL's code.
const unreachableInside = /\bCode: `(08...|57P0[1235]|53300|25006|25P03|55P03)`/

// `pg` and its pool, and the pool of a silent database, say this without a code.
const unreachableWords =
  /^Connection terminated|connection is closed|not queryable|^Query read timeout|timeout exceeded when trying to connect|^The database could not be reached/i

// The function refuse_moved() of the database raises it.
const isOfMovedProject = (error: Error): boolean =>
  ('code' in error && error.code === 'QM001') ||
  (error.name.startsWith('PrismaClient') && error.message.includes('Code: `QM001`'))

/** Prisma shows where it was called, and then what `pg` said. */
const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1)

const isUnreachable = (error: Error): boolean =>
  ('code' in error && typeof error.code === 'string' && unreachable.test(error.code)) ||
  (error.name.startsWith('PrismaClient') && unreachableInside.test(error.message)) ||
  unreachableWords.test(lastLine(error.message))
