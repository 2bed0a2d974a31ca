// Charges an operation to its caller before it runs.
import { AppError } from '../core/errors.ts'
import type { Context } from './context.ts'
import type { OperationCost } from './operation-cost.ts'

/** Charges the cost beyond 1, as the request was charged 1 before. Throws `too_many_requests` when less is left. */
export function charge(context: Context, { total, roots }: OperationCost): void {
  context.allowance.spend(total - 1)
  context.costs = roots
}

/** Throws `document_too_costly` when the cost exceeds `most`. */
export function demandAffordable({ total }: OperationCost, most: number): void {
  if (total <= most) return
  const message = `The operation costs ${total}; one may cost ${most}. Ask for shorter lists, or in several requests.`
  throw new AppError('document_too_costly', message)
}
