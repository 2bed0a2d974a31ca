// GraphQL documents that were sent lately: each is parsed, bounded and validated once, and its operations are counted and
// compiled once.
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
import { costOf, type OperationCost } from '../kit/operation-cost.ts'
import { compiledQuery, type RunCompiled } from '../kit/prepared.ts'
import { demandBounded, documentLimits } from './bounds.ts'
import { mistake } from './told.ts'

// What documents were seen to hold on to: 60 to 80 bytes a character of the source, 3 to 12 kilobytes a compiled field.
const bytesPerCharacter = 100
const bytesPerField = 10_000
const keptBytes = 64 * 1024 * 1024
const mostFieldsCompiled = 500
const mostErrors = 20

type Values = Readonly<Record<string, unknown>>
/** `compiled` is undefined until it is tried. */
type Operation = { cost: OperationCost | null; compiled: RunCompiled | null | undefined }
export type KnownDocument = {
  source: string
  document: DocumentNode
  /** What validation found. */
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
    const errors = validate(schema, document, rules, { maxErrors: mostErrors }).map(mistake)
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
    /** Cost of reading a document: it is parsed, validated and compiled when it is new. */
    costOfReading: (source: string): number => (bySource.has(source) ? 0 : Math.floor(source.length / 100)),

    /** Throws a `GraphQLError` with a code for what cannot be parsed or is out of bounds. */
    read: (source: string): KnownDocument => bySource.get(source) ?? admit(source),

    /** Looks up a document that `read` has answered. */
    known: (document: DocumentNode): KnownDocument | undefined => byDocument.get(document),

    /**
     * What the operation of this name costs, or the only one, and what to run it with: null for a subscription and for
     * what the compiler cannot do, which graphql-js runs. Answers null where there is no such operation.
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
    throw error instanceof GraphQLError ? mistake(asTooLarge(error)) : error
  }
}

function asTooLarge(error: GraphQLError): GraphQLError {
  if (!/ tokens\. Parsing aborted/.test(error.message)) return error
  const message = `The document has more than ${documentLimits.tokens} tokens. Send values as variables, and ask in several requests.`
  return new GraphQLError(message, { ...error, extensions: { code: 'document_too_large' } })
}
