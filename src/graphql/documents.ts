// Cache of recent GraphQL documents: each is parsed, bounded and validated once, and each of its operations is analysed
// for its cost and prepared once. Trusted documents are kept for as long as they are listed.
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { AppError } from '../core/errors.ts'
import { documentLimits } from '../core/request-limits.ts'
import { demandAffordable } from '../kit/charge.ts'
import { costOf, type OperationCost } from '../kit/operation-cost.ts'
import { prepared, type RunPrepared } from '../kit/prepared.ts'
import { asGraphql, requestError } from './errors.ts'
import { parsed } from './parse.ts'

// Measured memory of cached documents: 60 to 80 bytes per character of source.
const bytesPerCharacter = 100
const keptBytes = 64 * 1024 * 1024
const mostErrors = 20
const refusedCharacters = 4_000_000

type Values = Readonly<Record<string, unknown>>
/** `run` is undefined until the operation is prepared, and null for a subscription. */
type Operation = { cost: OperationCost | null; run: RunPrepared | null | undefined }
export type KnownDocument = {
  source: string
  document: DocumentNode
  /** The errors that validation found. */
  errors: readonly GraphQLError[]
  operations: Map<string, Operation>
  /** Characters of remembered answers. */
  remembered: number
}

/** `isClosed`: only trusted documents are executed. `hidesSchema`: messages suggest no names of the schema. */
type Options = { isClosed?: boolean; hidesSchema?: boolean }

export type Documents = ReturnType<typeof createDocuments>

export function createDocuments(
  schema: GraphQLSchema,
  ownRules: readonly ValidationRule[],
  { isClosed = false, hidesSchema = false }: Options = {},
) {
  let trusted: ReadonlyMap<string, KnownDocument> = new Map()
  const bySource = new LRUCache<string, KnownDocument>({ maxSize: keptBytes })
  const refused = new LRUCache<string, GraphQLError>({
    maxSize: refusedCharacters,
    sizeCalculation: (_, { length }) => length + 1,
  })
  const byDocument = new WeakMap<DocumentNode, KnownDocument>()
  const rules = [...specifiedRules, ...ownRules]

  function validated(source: string, admit?: (document: DocumentNode) => void): KnownDocument {
    const document = parsed(source)
    admit?.(document)
    const options = { maxErrors: mostErrors, hideSuggestions: hidesSchema }
    const errors = validate(schema, document, rules, options).map(requestError)
    const known: KnownDocument = { source, document, errors, operations: new Map(), remembered: 0 }
    byDocument.set(document, known)
    return known
  }

  function add(source: string, admit?: (document: DocumentNode) => void): KnownDocument {
    if (isClosed) throw notTrusted()
    const refusal = refused.get(source)
    if (refusal) throw refusal
    try {
      const known = validated(source, admit)
      keep(known)
      return known
    } catch (error) {
      // It is read more than once for one request. What `admit` throws is for this caller.
      if (error instanceof GraphQLError && !(error.originalError instanceof AppError)) refused.set(source, error)
      throw error
    }
  }

  function keep(known: KnownDocument): void {
    const { source, remembered } = known
    if (trusted.has(source)) return
    // The cache would keep the size that it was first told for this value.
    bySource.delete(source)
    const size = 1_000 + source.length * bytesPerCharacter + remembered
    bySource.set(source, known, { size })
  }

  function operationOf({ operations }: KnownDocument, name: string): Operation {
    const present = operations.get(name) ?? { cost: null, run: undefined }
    operations.set(name, present)
    return present
  }

  function preparedOf(known: KnownDocument, operation: Operation, operationName?: string): RunPrepared | null {
    if (operation.run !== undefined) return operation.run
    const run = prepared(schema, known.document, { operationName, hideSuggestions: hidesSchema })
    operation.run = run && isAboutSchema(known.document, operationName) ? remembering(known, run) : run
    return operation.run
  }

  /** The schema does not change while the process runs. */
  function remembering(known: KnownDocument, run: RunPrepared): RunPrepared {
    let text: string | null = null
    return (context, variables) => {
      if (text === null) {
        const answer = run(context, variables)
        if (answer instanceof Promise || answer.errors || !('data' in answer)) return answer
        text = JSON.stringify(answer.data)
        known.remembered += text.length
        keep(known)
      }
      const dataText = text
      return {
        dataText,
        get data() {
          return JSON.parse(dataText)
        },
      }
    }
  }

  function operation(known: KnownDocument, name: string | undefined, values: Values) {
    const { document } = known
    const node = getOperationAST(document, name)
    if (!node) return null
    const present = operationOf(known, node.name?.value ?? '')
    const cost = present.cost ?? costOf(schema, document, name, values)
    if (cost.isConstant) present.cost = cost
    return { kind: node.operation, cost, prepare: () => preparedOf(known, present, name) }
  }

  /** Prepares every operation. Throws `document_too_costly` for one that could never be executed. */
  function prepareAll(known: KnownDocument): void {
    for (const definition of known.document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue
      const found = operation(known, definition.name?.value, {})
      if (found?.cost.isConstant) demandAffordable(found.cost, documentLimits.cost)
      found?.prepare()
    }
  }

  return {
    hidesSchema,

    /** Returns a document that can be trusted, prepared. Throws an error that says what is wrong with it. */
    trustworthy(source: string): KnownDocument {
      const present = trusted.get(source)
      if (present !== undefined) return present
      const known = validated(source)
      const [error] = known.errors
      if (error) throw error
      prepareAll(known)
      return known
    },

    /** From now on these documents are trusted, and no other. */
    trustOnly(documents: readonly KnownDocument[]): void {
      trusted = new Map(documents.map(known => [known.source, known]))
    },

    /** Returns the cost of reading a document: a new one is parsed, validated and prepared; a known one costs 0. */
    costOfReading: (source: string): number =>
      isClosed || trusted.has(source) || bySource.has(source) || refused.has(source)
        ? 0
        : Math.floor(source.length / 100),

    /** Whether the document takes processor time: it is new, or it asks for the schema, which is not remembered yet. */
    isDear(source: string): boolean {
      if (isClosed || trusted.has(source) || refused.has(source)) return false
      const known = bySource.peek(source)
      return known === undefined || (known.remembered === 0 && /__(schema|type)\b/.test(source))
    },

    /**
     * Throws a `GraphQLError` with a code for a document that cannot be parsed or exceeds the limits, or is not trusted
     * where only trusted documents are executed. `admit` may throw before a new document is validated.
     */
    read: (source: string, admit?: (document: DocumentNode) => void): KnownDocument =>
      trusted.get(source) ?? bySource.get(source) ?? add(source, admit),

    /** Returns the entry of a document that `read` has returned. */
    known: (document: DocumentNode): KnownDocument | undefined => byDocument.get(document),

    /**
     * Returns the cost of the operation with this name, or of the only one, and how to prepare it; null if it does not
     * exist. `prepare` returns null for a subscription.
     */
    operation,
  }
}

/** Whether the operation asks for the schema alone, and for the same with all variables. */
function isAboutSchema(document: DocumentNode, name: string | undefined): boolean {
  const operation = getOperationAST(document, name)
  return (
    operation !== null &&
    operation !== undefined &&
    !operation.variableDefinitions?.length &&
    operation.selectionSet.selections.every(one => one.kind === Kind.FIELD && /^__(schema|type)$/.test(one.name.value))
  )
}

// Not parsed, so the HTTP status can say it too.
function notTrusted(): GraphQLError {
  const error = new AppError('document_not_trusted')
  error.isWhole = true
  return asGraphql(error)
}
