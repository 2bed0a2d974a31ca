// Compiles the queries of an operation to SQL: one statement returns the JSON text of those root fields that consist of
// rows. Resolvers answer all other fields, and report all errors.
import { PothosValidationError } from '@pothos/core'
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import { AppError } from '../../core/errors.ts'
import { documentLimits } from '../../core/request-limits.ts'
import type { Context } from '../context.ts'
import { charged } from '../counting.ts'
import { isLarge, refuseRead } from '../large-reads.ts'
import { knownPlans, type Made, type Plan } from './known-plans.ts'
import { jsonMark, refusal } from './leaf.ts'
import type { Planner } from './planner.ts'
import { isBeyondLimits, type Query, queryOf, readInTurn, textIn, tooLarge } from './read.ts'
import { fieldsOf, type Nodes } from './selection.ts'
import { createStatement, NotInSql, NotThisTime, type Piece } from './statement.ts'
import { isForSql, rootField } from './value.ts'

export type PlanInSql = (context: Context, variables: Record<string, unknown> | null | undefined) => Plan | null

type Compiled = {
  schema: GraphQLSchema
  operation: OperationDefinitionNode
  fragments: Planner['document']['fragments']
  /** The keys of root fields that no arguments bring into SQL. */
  never: Set<string>
}

/** Returns null for an operation that has nothing to read in SQL. */
export function compiledToSql(schema: GraphQLSchema, document: DocumentNode, name?: string): PlanInSql | null {
  const operation = getOperationAST(document, name)
  if (operation?.operation !== 'query' || !mayBeInSql(schema, document)) return null
  const fragments = new Map(
    document.definitions.flatMap(definition =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  )
  const compiled: Compiled = { schema, operation, fragments, never: new Set() }
  const known = knownPlans()
  return (context, variables) => {
    const values = variables ?? {}
    try {
      return known(context, values, () => planned(compiled, context, values))
    } catch (error) {
      tell(context, error)
      return null
    }
  }
}

function mayBeInSql(schema: GraphQLSchema, document: DocumentNode): boolean {
  const fields = schema.getQueryType()?.getFields() ?? {}
  let isFound = false
  visit(document, {
    Field({ name }) {
      const field = fields[name.value]
      isFound ||= field !== undefined && isForSql(field)
    },
  })
  return isFound
}

// No caller knows it, so no value of a row contains it.
const unknownText = crypto.randomUUID()
// A tab follows a count, a vertical tab a cost; JSON escapes both within texts. The lookbehind makes a run of digits be
// tried from its first digit alone, because a caller's text may have long ones.
const marks = /(?<![\d.])([\d.]+)(?:\/(\d+))?([\t\v])/g
const jsonTexts = RegExp(`${jsonMark}("(?:[^"\\\\]|\\\\.)*")`, 'g')

/** `skipped`: the keys of root fields that these arguments keep out of SQL. */
function planned(
  compiled: Compiled,
  context: Context,
  inputs: Record<string, unknown>,
  skipped = new Set<string>(),
): Made {
  const { schema, operation, fragments, never } = compiled
  const { variableValues } = getVariableValues(schema, operation.variableDefinitions ?? [], inputs, {
    maxErrors: 1,
  })
  const type = schema.getQueryType()
  if (!variableValues || !type) return null
  const counts = new Map<string, () => Promise<number>>()
  const planner: Planner = {
    document: { schema, fragments, variables: variableValues },
    context,
    statement: createStatement(),
    checks: [],
    later(count) {
      const stand = JSON.stringify(`counted ${counts.size} ${unknownText}`)
      counts.set(stand, count)
      return stand
    },
    counted: count => ({ sql: `(${count} || chr(9))` }),
    charged: cost => ({ sql: `(${cost} || chr(11))` }),
  }
  const fields = fieldsOf(planner.document, type, [operation.selectionSet])
  const pieces = new Map<string, Piece[]>()
  const others = new Map<string, Nodes>()
  let isSpoilt = false
  for (const [key, nodes] of fields) {
    const [{ name }] = nodes
    const field = type.getFields()[name.value]
    try {
      if (name.value === '__typename') pieces.set(key, [JSON.stringify(type.name)])
      else if (field && !never.has(key) && !skipped.has(key)) pieces.set(key, rootField(planner, field, nodes))
      else others.set(key, nodes)
    } catch (error) {
      if (error instanceof NotInSql) never.add(key)
      else if (error instanceof NotThisTime) skipped.add(key)
      else throw error
      isSpoilt = true
    }
  }
  // Once more without what those fields left behind: parameters without a place, and counts that the caller pays for.
  if (isSpoilt) return planned(compiled, context, inputs, skipped)
  if (pieces.size === 0) return null
  const { statement, checks } = planner
  const inSql = new Map([...fields].filter(([key]) => pieces.has(key)))
  const query = queryOf(statement, [...pieces.values()])
  return {
    keys: [...fields.keys()],
    inSql,
    others,
    isLasting: counts.size === 0 && checks.length === 0 && !statement.values.some(({ value }) => value instanceof Date),
    size: 1_000 + (query.text?.length ?? 0),
    read: (context: Context) => texts(context, { keys: [...inSql.keys()], query, checks, counts }),
  }
}

type Read = {
  keys: readonly string[]
  query: Query
  checks: readonly (() => Promise<void>)[]
  counts: ReadonlyMap<string, () => Promise<number>>
}

async function texts(context: Context, { keys, query, checks, counts }: Read): Promise<ReadonlyMap<string, string>> {
  // Many small root fields are one large statement.
  const cost = keys.reduce((sum, key) => sum + (context.costs.get(key) ?? 0), 0)
  try {
    const [values, ...totals] = await Promise.all([
      readInTurn(context, query, cost),
      ...[...counts.values()].map(count => count()),
      ...checks.map(check => check()),
    ])
    const told = (text: string) =>
      [...counts.keys()].reduce(
        (text, stand, index) => text.replace(stand, String(totals[index])),
        written(chargedFor(context, text)),
      )
    const found = keys.map((key, index) => [key, textIn(values[index])] as const)
    refuse(
      context,
      found.flatMap(([key, text]) => (text === tooLarge ? [key] : [])),
    )
    return new Map(
      found.flatMap(([key, text]) => (text === tooLarge || text.includes(refusal) ? [] : [[key, told(text)] as const])),
    )
  } catch (error) {
    tell(context, error)
    if (isBeyondLimits(error)) {
      const large = keys.filter(key => isLarge(context.costs.get(key) ?? 0))
      refuse(context, large.length > 0 ? large : keys)
    }
    return new Map()
  }
}

// An answer that was read and is not sent does not tell what it counted, so it costs as much as half of a document may.
const refusedCost = documentLimits.cost / 2

function refuse(context: Context, keys: readonly string[]): void {
  for (const key of keys) refuseRead(context, key)
  if (keys.length > 0) context.allowance.spend(refusedCost)
}

/** Charges the caller for what is marked in a text, and removes the marks. */
function chargedFor(context: Context, text: string): string {
  // One character is found fast; the expression looks at each run of digits.
  if (!text.includes('\t') && !text.includes('\v')) return text
  return text.replace(marks, (_, number, read = number, mark) => {
    if (mark === '\t') return String(charged(context, { total: Number(number), read: Number(read) }))
    context.allowance.spend(Number(number))
    return ''
  })
}

/** Replaces the texts of JSON objects that the process writes. */
const written = (text: string): string =>
  text.includes(jsonMark) ? text.replace(jsonTexts, (_, json) => JSON.stringify(JSON.parse(JSON.parse(json)))) : text

/** Logs what is no refusal. The resolvers answer in any case. */
function tell({ log }: Context, error: unknown): void {
  const isRefusal = [AppError, GraphQLError, PothosValidationError, NotThisTime].some(type => error instanceof type)
  if (!isRefusal) log.warn({ err: error }, 'a query was not read in SQL')
}
