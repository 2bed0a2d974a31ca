// Begins an operation of a valid document: bounds it, charges its cost to the caller, and says how to run it. Both the
// direct answer to an ordinary request (`http/graphql-direct.ts`) and yoga (`counted.ts`) begin operations here.
import type { ExecutionResult } from 'graphql'
import { documentLimits } from '../core/request-limits.ts'
import type { Allowance } from '../kit/allowance.ts'
import { charge, demandAffordable } from '../kit/charge.ts'
import type { Context } from '../kit/context.ts'
import type { OperationCost } from '../kit/operation-cost.ts'
import type { Answer, RunPrepared } from '../kit/prepared.ts'
import type { Documents } from './documents.ts'

export type Operation = NonNullable<ReturnType<Documents['operation']>>

/** `run` is null for a subscription. */
export type Begun = { cost: OperationCost; run: RunPrepared | null }

/** Charges the operation. Throws what `demandAffordable` and `charge` throw. */
export function begin({ cost, prepare }: Operation, context: Context): Begun {
  demandAffordable(cost, documentLimits.cost)
  charge(context, cost)
  return { cost, run: prepare() }
}

export const valuesOf = (variables: unknown): Readonly<Record<string, unknown>> =>
  typeof variables === 'object' && variables !== null ? { ...variables } : {}

export type Extensions = Record<string, unknown>

/** Returns the extensions of a result, with what the operation cost and what is left to the caller. */
export function extensionsOf(
  { extensions }: ExecutionResult,
  { total }: OperationCost,
  { allowance }: Context,
): Extensions {
  return { ...extensions, cost: { requested: total, ...leftTo(allowance) } }
}

function leftTo(allowance: Allowance) {
  const { remaining, resetSeconds } = allowance.left() ?? {}
  return { remaining, resetSeconds }
}

/** Returns the response to a request that asks only for the cost of its operation. Nothing of it was charged or run. */
export function dryRun({ total, isWrite }: OperationCost, { allowance }: Context) {
  allowance.asksFor(isWrite ? 'write' : 'read')
  const cost = { requested: total, maximum: documentLimits.cost, ...leftTo(allowance) }
  return { data: null, extensions: { dryRun: true, cost } }
}

/** Returns the response body of a result without errors. */
export const bodyOf = (answer: Answer, extensions: Extensions): string =>
  answer.dataText === undefined
    ? JSON.stringify({ data: answer.data, extensions })
    : `{"data":${answer.dataText},"extensions":${JSON.stringify(extensions)}}`
