// Takes the cost of an operation from its caller's rate limit (`Allowance`) before it runs. No money is involved.
import { AppError } from '../core/errors.ts'
import type { Context } from './context.ts'
import type { OperationCost } from './operation-cost.ts'

/**
 * Takes what the operation costs beyond 1, because the gate took 1 for the request. Stores the cost of each root field
 * in the context, for the limits on concurrent reads and streams. Throws `too_many_requests` when less is left.
 */
export function charge(context: Context, { total, roots, isWrite }: OperationCost): void {
  context.allowance.asksFor(isWrite ? 'write' : 'read')
  context.allowance.spend(total - 1)
  context.costs = roots
}

/** Throws `document_too_costly` when the cost exceeds `most`. */
export function demandAffordable({ total }: OperationCost, most: number): void {
  if (total <= most) return
  const message = `The operation costs ${total}; one may cost ${most}. Ask for shorter lists, or in several requests.`
  throw new AppError('document_too_costly', message, { exceeded: { limit: 'cost', maximum: most, actual: total } })
}
