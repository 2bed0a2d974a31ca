// Cache of recent GraphQL documents: each is parsed, bounded and validated once, and each of its operations is analysed
// for its cost and compiled once.
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { compiledQuery, type RunCompiled } from '../kit/compiled-query.ts'
import { costOf, type OperationCost } from '../kit/operation-cost.ts'
import { demandBounded, documentLimits } from './bounds.ts'
import { requestError } from './errors.ts'

// Measured memory of cached documents: 60 to 80 bytes per character of source, 3 to 12 kilobytes per compiled field.
const bytesPerCharacter = 100
const bytesPerField = 10_000
const keptBytes = 64 * 1024 * 1024
const mostFieldsCompiled = 500
const mostErrors = 20

type Values = Readonly<Record<string, unknown>>
/** `compiled` is undefined until compilation is tried, and null when it is not possible. */
type Operation = { cost: OperationCost | null; compiled: RunCompiled | null | undefined }
export type KnownDocument = {
  source: string
  document: DocumentNode
  /** The errors that validation found. */
  errors: readonly GraphQLError[]
  operations: Map<string, Operation>
  fieldsCompiled: number
}

export type Documents = ReturnType<typeof createDocuments>

export function createDocuments(schema: GraphQLSchema, ownRules: readonly ValidationRule[]) {
  const bySource = new LRUCache<string, KnownDocument>({ maxSize: keptBytes })
  const byDocument = new WeakMap<DocumentNode, KnownDocument>()
  const rules = [...specifiedRules, ...ownRules]

  function admit(source: string): KnownDocument {
    const document = parsed(source)
    const errors = validate(schema, document, rules, { maxErrors: mostErrors }).map(requestError)
    const known: KnownDocument = { source, document, errors, operations: new Map(), fieldsCompiled: 0 }
    keep(known)
    byDocument.set(document, known)
    return known
  }

  function keep(known: KnownDocument): void {
    const { source, fieldsCompiled } = known
    bySource.set(source, known, { size: 1_000 + source.length * bytesPerCharacter + fieldsCompiled * bytesPerField })
  }

  function operationOf({ operations }: KnownDocument, name: string): Operation {
    const present = operations.get(name) ?? { cost: null, compiled: undefined }
    operations.set(name, present)
    return present
  }

  function compiledOf(known: KnownDocument, operation: Operation, { fields }: OperationCost, name?: string) {
    if (operation.compiled !== undefined) return operation.compiled
    operation.compiled = fields <= mostFieldsCompiled ? compiledQuery(schema, known.document, name) : null
    if (operation.compiled) known.fieldsCompiled += fields
    keep(known)
    return operation.compiled
  }

  return {
    /** Returns the cost of reading a document: a new one is parsed, validated and compiled; a cached one costs 0. */
    costOfReading: (source: string): number => (bySource.has(source) ? 0 : Math.floor(source.length / 100)),

    /** Throws a `GraphQLError` with a code for a document that cannot be parsed or exceeds the limits. */
    read: (source: string): KnownDocument => bySource.get(source) ?? admit(source),

    /** Returns the entry of a document that `read` has returned. */
    known: (document: DocumentNode): KnownDocument | undefined => byDocument.get(document),

    /**
     * Returns the cost of the operation with this name, or of the only one, and how to compile it; null if it does not
     * exist. `compile` returns null for a subscription and when the compiler cannot do it: graphql-js then runs it.
     */
    operation(known: KnownDocument, name: string | undefined, values: Values) {
      const { document } = known
      if (!getOperationAST(document, name)) return null
      const operation = operationOf(known, name ?? '')
      const cost = operation.cost ?? costOf(schema, document, name, values)
      if (cost.isConstant) operation.cost = cost
      return { cost, compile: () => compiledOf(known, operation, cost, name) }
    },
  }
}

function parsed(source: string): DocumentNode {
  try {
    const document = parse(source, { maxTokens: documentLimits.tokens })
    demandBounded(document)
    return document
  } catch (error) {
    throw error instanceof GraphQLError ? requestError(asTooLarge(error)) : error
  }
}

function asTooLarge(error: GraphQLError): GraphQLError {
  if (!/ tokens\. Parsing aborted/.test(error.message)) return error
  const message = `The document has more than ${documentLimits.tokens} tokens. Send values as variables, and ask in several requests.`
  return new GraphQLError(message, { ...error, extensions: { code: 'document_too_large' } })
}
