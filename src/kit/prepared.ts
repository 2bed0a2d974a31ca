// Prepares a query or a mutation of a valid document for many runs: one SQL statement reads the rows of a query, and
// then resolvers answer the rest. Resolvers alone run mutations. Both the GraphQL and the REST API run their operations
// here.
import { type ExecutionArgs, execute } from '@graphql-tools/executor'
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
import type { Context } from './context.ts'
import { compiledToSql, type Plan } from './sql-host.ts'

/**
 * With `dataText`, which is the JSON of the data, `data` is a getter that parses it: read it only where the text does
 * not do.
 */
export type Answer = ExecutionResult & { dataText?: string }

export type RunPrepared = (
  context: Context,
  variables: Record<string, unknown> | undefined | null,
) => Answer | Promise<Answer>

/** `hideSuggestions`: messages suggest no names of the schema. */
type Options = Pick<ExecutionArgs, 'operationName' | 'hideSuggestions'>

/** Returns null for a subscription. */
export function prepared(schema: GraphQLSchema, document: DocumentNode, options: Options = {}): RunPrepared | null {
  const name = options.operationName ?? undefined
  const operation = getOperationAST(document, name)
  if (!operation || operation.operation === OperationTypeNode.SUBSCRIPTION) return null
  const resolved = (contextValue: Context, variableValues: Variables, part = document) =>
    execute({ schema, document: part, contextValue, variableValues, ...options }) as Resolved
  const planOf = compiledToSql(schema, document, name)
  if (planOf === null) return resolved
  const partOf = createParts(document, operation)
  return (context, variables) => {
    const plan = planOf(context, variables)
    if (plan === null) return resolved(context, variables)
    return completed(plan, context, fields =>
      fields.length === plan.fields.size
        ? resolved(context, variables)
        : resolved(context, variables, partOf(fields.flatMap(([, nodes]) => nodes))),
    )
  }
}

type Variables = Parameters<RunPrepared>[1]
/** No part of an operation is answered later: `@defer` and `@stream` are not in the schema. */
type Resolved = ExecutionResult | Promise<ExecutionResult>

type RootField = readonly [key: string, nodes: readonly FieldNode[]]
type Resolve = (fields: readonly RootField[]) => Resolved

/** Reads in SQL, and lets resolvers answer what SQL does not. */
async function completed(plan: Plan, context: Context, resolve: Resolve): Promise<Answer> {
  const texts = await plan.read(context)
  const lacking = [...plan.fields].filter(([key]) => !texts.has(key))
  if (lacking.length === 0) return answerOf(plan, texts)
  const first = lacking.filter(([key]) => plan.first.has(key))
  const others = lacking.filter(([key]) => !plan.first.has(key))
  const results: ExecutionResult[] = []
  for (const fields of [first, others]) if (fields.length > 0) results.push(await resolve(fields))
  if (texts.size === 0 || results.some(({ data, errors }) => !data || errors))
    return merged(plan, [...results, { data: parsed(plan, texts) }])
  const resolved = results.flatMap(({ data }) => Object.entries(data ?? {}))
  return answerOf(plan, new Map([...texts, ...resolved.map(([key, value]) => [key, JSON.stringify(value)] as const)]))
}

function merged({ fields }: Plan, results: readonly ExecutionResult[]): ExecutionResult {
  const failed = results.find(({ data }) => !data)
  if (failed) return failed
  const data = new Map(results.flatMap(result => Object.entries(result.data ?? {})))
  const errors = results.flatMap(result => result.errors ?? [])
  return {
    data: Object.fromEntries([...fields.keys()].map(key => [key, data.get(key)])),
    ...(errors.length > 0 && { errors }),
  }
}

const textOf = ({ fields }: Plan, texts: ReadonlyMap<string, string>): string =>
  `{${[...fields.keys()].flatMap(key => (texts.has(key) ? [`${JSON.stringify(key)}:${texts.get(key)}`] : [])).join(',')}}`

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

/** Returns how to make documents of some of the root fields; the first is kept, because it comes again. */
function createParts(document: DocumentNode, operation: OperationDefinitionNode) {
  let first: { nodes: readonly FieldNode[]; part: DocumentNode } | undefined
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
  return (nodes: readonly FieldNode[]): DocumentNode => {
    if (first && first.nodes.length === nodes.length && first.nodes.every((node, index) => node === nodes[index]))
      return first.part
    const selectionSet = { kind: Kind.SELECTION_SET, selections: nodes } as const
    const part: DocumentNode = { kind: Kind.DOCUMENT, definitions: [{ ...operation, selectionSet }, ...fragments] }
    first ??= { nodes, part }
    return part
  }
}
