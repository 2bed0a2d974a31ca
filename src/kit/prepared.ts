// Prepares a query or a mutation of a valid document for many runs: rows are read by one SQL statement, and resolvers
// answer the rest. Both the GraphQL and the REST API run their operations here.
import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql'
import { compiledQuery, type RunCompiled, uncompiled } from './compiled-query.ts'
import type { Context } from './context.ts'
import { isReadFirst } from './root-fields.ts'
import { compiledToSql, type Plan } from './sql-host.ts'

/**
 * With `dataText`, which is the JSON of the data, `data` is a getter that parses it: read it only where the text does
 * not do.
 */
export type Answer = ExecutionResult & { dataText?: string }

export type RunPrepared = (
  root: unknown,
  context: unknown,
  variables: Record<string, unknown> | undefined | null,
) => Answer | Promise<Answer>

/** Returns null for a subscription. */
export function prepared(schema: GraphQLSchema, document: DocumentNode, name?: string): RunPrepared | null {
  const operation = getOperationAST(document, name)
  if (!operation || operation.operation === OperationTypeNode.SUBSCRIPTION) return null
  let compiled: RunCompiled | undefined
  const resolved: RunCompiled = (root, context, variables) => {
    compiled ??= compiledQuery(schema, document, name)
    return compiled(root, context, variables)
  }
  const planOf = compiledToSql(schema, document, name)
  if (planOf === null) return resolved
  const partOf = createParts(schema, document, operation)
  return (root, context, variables) => {
    const plan = planOf(context as Context, variables)
    if (plan === null) return resolved(root, context, variables)
    const run: RunPart = nodes => partOf(nodes)(root, context, variables)
    if (plan.others.size === 0)
      return plan.read(context as Context).then(texts => {
        if (texts.size === 0) return resolved(root, context, variables)
        return texts.size === plan.inSql.size ? answerOf(plan, texts) : completed(plan, texts, [], run)
      })
    return mixed(schema, plan, context as Context, run)
  }
}

type RunPart = (nodes: readonly FieldNode[]) => ExecutionResult | Promise<ExecutionResult>

/** Answers some root fields in SQL and the others by resolvers. */
async function mixed(schema: GraphQLSchema, plan: Plan, context: Context, run: RunPart): Promise<Answer> {
  const rest = run([...plan.others.values()].flat())
  const fields = schema.getQueryType()?.getFields()
  if ([...plan.others.values()].some(([{ name }]) => isReadFirst(fields?.[name.value]))) await rest
  const [texts, others] = await Promise.all([plan.read(context), rest])
  return others.data ? completed(plan, texts, [others], run) : others
}

/** Lets resolvers answer what SQL could not answer, beside the results that there are. */
async function completed(
  plan: Plan,
  texts: ReadonlyMap<string, string>,
  results: readonly ExecutionResult[],
  run: RunPart,
): Promise<Answer> {
  const lacking = [...plan.inSql].flatMap(([key, nodes]) => (texts.has(key) ? [] : nodes))
  const all = lacking.length > 0 ? [...results, await run(lacking)] : results
  if (texts.size === 0 || all.some(({ data, errors }) => !data || errors))
    return merged(plan, [...all, { data: parsed(plan, texts) }])
  const resolved = all.flatMap(({ data }) => Object.entries(data ?? {}))
  return answerOf(plan, new Map([...texts, ...resolved.map(([key, value]) => [key, JSON.stringify(value)] as const)]))
}

function merged({ keys }: Plan, results: readonly ExecutionResult[]): ExecutionResult {
  const failed = results.find(({ data }) => !data)
  if (failed) return failed
  const data = new Map(results.flatMap(result => Object.entries(result.data ?? {})))
  const errors = results.flatMap(result => result.errors ?? [])
  return { data: Object.fromEntries(keys.map(key => [key, data.get(key)])), ...(errors.length > 0 && { errors }) }
}

const textOf = ({ keys }: Plan, texts: ReadonlyMap<string, string>): string =>
  `{${keys.flatMap(key => (texts.has(key) ? [`${JSON.stringify(key)}:${texts.get(key)}`] : [])).join(',')}}`

const parsed = (plan: Plan, texts: ReadonlyMap<string, string>): Record<string, unknown> =>
  JSON.parse(textOf(plan, texts))

function answerOf(plan: Plan, texts: ReadonlyMap<string, string>): Answer {
  const dataText = textOf(plan, texts)
  let data: Record<string, unknown> | undefined
  return {
    dataText,
    get data() {
      data ??= JSON.parse(dataText) as Record<string, unknown>
      return data
    },
  }
}

/** Returns how to run some of the root fields of an operation. The first choice is compiled, because it comes again. */
function createParts(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
  let first: { nodes: readonly FieldNode[]; run: RunCompiled } | undefined
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
  return (nodes: readonly FieldNode[]): RunCompiled => {
    if (first && first.nodes.length === nodes.length && first.nodes.every((node, index) => node === nodes[index]))
      return first.run
    const selectionSet = { kind: Kind.SELECTION_SET, selections: nodes } as const
    const part: DocumentNode = { kind: Kind.DOCUMENT, definitions: [{ ...operation, selectionSet }, ...fragments] }
    if (first) return uncompiled(schema, part)
    first = { nodes, run: compiledQuery(schema, part) }
    return first.run
  }
}
