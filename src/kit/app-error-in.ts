// Finds our own error inside what an engine or a plugin wrapped around it.
import { AppError } from '../core/errors.ts'

export function appErrorIn(error: unknown): AppError | null {
  let inner = error
  for (let depth = 0; depth < 10 && inner instanceof Error; depth++) {
    if (inner instanceof AppError) return inner
    inner = 'originalError' in inner && inner.originalError ? inner.originalError : inner.cause
  }
  return null
}
