// Charges an operation to its caller before it runs.
import { AppError } from '../core/errors.ts'
import type { Context } from './context.ts'
import type { OperationCost } from './operation-cost.ts'

/** Throws `too_many_requests` when the caller has less left. The request itself has been charged 1. */
export function charge(context: Context, { total, roots }: OperationCost): void {
  context.allowance.spend(total - 1)
  context.costs = roots
}

/** Throws `document_too_costly`. */
export function demandAffordable({ total }: OperationCost, most: number): void {
  if (total <= most) return
  const message = `The operation costs ${total}; one may cost ${most}. Ask for shorter lists, or in several requests.`
  throw new AppError('document_too_costly', message)
}
