// Subscriptions with the same document, variables and access are one group, whatever their cursors are.
import { createHash } from 'node:crypto'
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  executeSubscriptionEvent,
  type GraphQLSchema,
  Kind,
  locatedError,
  TypeInfo,
  type ValidatedSubscriptionArgs,
  validateSubscriptionArgs,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { canonicalJson } from '../../core/canonical.ts'
import { readerOf } from '../../core/principal.ts'
import { appErrorIn } from '../app-error-in.ts'
import { perApp } from '../per-app.ts'
import { following } from './following.ts'
import { createGroup, type Group } from './group.ts'
import { LiveLog } from './log.ts'
import { type LiveStream, unshared } from './sink.ts'

/** Runs a subscription of a valid document, or returns why it was refused. */
export async function subscribe(args: ExecutionArgs): Promise<LiveStream<ExecutionResult> | ExecutionResult> {
  const checked = validateSubscriptionArgs(args)
  if (!('schema' in checked)) return { errors: checked }
  const source = await createSourceEventStream(checked)
  if (!(Symbol.asyncIterator in source)) return source
  const run = (rootValue: unknown, contextValue = checked.contextValue) =>
    executeSubscriptionEvent({ ...checked, rootValue, contextValue })
  return source instanceof LiveLog ? begun(source, checked, runWhole(run)) : unshared(source, run)
}

/**
 * Throws when a row could not be resolved because the database is away. Its result would have no cursor, and the stream
 * would go on after it: so the stream breaks off, and its client continues after the last row that it has.
 */
function runWhole(run: Run): Run {
  const whole = (result: ExecutionResult) => {
    for (const error of result.errors ?? []) if (appErrorIn(error)?.code === 'database_unavailable') throw error
    return result
  }
  return (row, context) => {
    const result = run(row, context)
    return result instanceof Promise ? result.then(whole) : whole(result)
  }
}

type Run = (row: unknown, context?: unknown) => ExecutionResult | Promise<ExecutionResult>

async function begun(log: LiveLog<unknown>, args: ValidatedSubscriptionArgs, run: Run) {
  const group = groupOf(log, args)
  const ended = group.hold()
  try {
    const first = await log.rows.begin()
    // Refused here, while the response can still say so.
    log.charge((first.cost ?? 0) + (first.rows.length > 0 ? log.costOfRow : 0))
    return following({ log, group, first, run, ended })
  } catch (error) {
    log.close()
    ended()
    const { selections } = args.operation.selectionSet
    const [field] = selections
    const path = field?.kind === Kind.FIELD ? [(field.alias ?? field.name).value] : undefined
    return { errors: [locatedError(error, selections, path)] }
  }
}

type Groups = Map<string, Group<ExecutionResult>>
const groups = perApp(() => new WeakMap<DocumentNode, Groups>())

function groupOf({ context, rows }: LiveLog<unknown>, args: ValidatedSubscriptionArgs): Group<ExecutionResult> {
  const { schema, document, operation, rawVariableValues } = args
  const ofApp = groups(context)
  const ofDocument: Groups = ofApp.get(document) ?? new Map()
  ofApp.set(document, ofDocument)
  const cursors = cursorsIn(schema, document)
  const values = Object.entries(rawVariableValues ?? {}).filter(([name]) => !cursors.has(name))
  const identity = [operation.name?.value ?? '', readerOf(context.principal), Object.fromEntries(values)]
  const key = createHash('sha256').update(canonicalJson(identity)).digest('base64')
  const present = ofDocument.get(key)
  if (present) return present
  const group = createGroup<ExecutionResult>(context.feed, rows.topic, () => ofDocument.delete(key))
  ofDocument.set(key, group)
  return group
}

const known = new WeakMap<DocumentNode, ReadonlySet<string>>()

/** Returns the names of the variables that are the cursor to begin after, and nothing else. */
function cursorsIn(schema: GraphQLSchema, document: DocumentNode): ReadonlySet<string> {
  const present = known.get(document)
  if (present) return present
  const cursors = new Set<string>()
  const others = new Set<string>()
  const types = new TypeInfo(schema)
  visit(
    document,
    visitWithTypeInfo(types, {
      VariableDefinition: () => false,
      Variable: ({ name }) => void others.add(name.value),
      Argument({ name, value }) {
        const isCursor = name.value === 'after' && types.getParentType() === schema.getSubscriptionType()
        if (!isCursor || value.kind !== Kind.VARIABLE) return
        cursors.add(value.name.value)
        return false
      },
    }),
  )
  const found = new Set([...cursors].filter(name => !others.has(name)))
  known.set(document, found)
  return found
}
