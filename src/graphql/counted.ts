// Yoga plugin: parses each document once, bounds it, charges its cost to the caller, and runs it as the REST API does.
import { type DocumentNode, type ExecutionResult, GraphQLError } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import type { Logger } from 'pino'
import { AppError, type ErrorCode, errorCodes } from '../core/errors.ts'
import { appErrorIn } from '../kit/app-error-in.ts'
import type { Context } from '../kit/context.ts'
import type { Answer } from '../kit/prepared.ts'
import { type Begun, begin, bodyOf, type Extensions, extensionsOf, valuesOf } from './begin.ts'
import type { Documents } from './documents.ts'
import { maskedError, requestError } from './errors.ts'

// Apollo’s HttpLink asks for multipart responses, and shows this message to its user.
const onlyEvents =
  'Subscriptions are served over Server-Sent Events, not as multipart responses or JSON. Use a link or client of graphql-sse with /graphql/stream: docs/graphql.md has the code for Apollo, urql and Relay.'
const takesEvents = /text\/(event-stream|\*)|\*\/\*/i

export function counted(documents: Documents, log: Logger): Plugin<Context> {
  type Args = { document: DocumentNode; operationName?: string | null; variableValues?: unknown; contextValue: unknown }

  /** Returns null when graphql-js is to report what is wrong. Throws what `begin` throws. */
  function begunBy({ document, operationName, variableValues, contextValue }: Args): Begun | null {
    const context = contextValue as Context & { begun?: Begun }
    if (context.begun) return context.begun
    const known = documents.known(document)
    const operation = known && documents.operation(known, operationName ?? undefined, valuesOf(variableValues))
    return operation ? begin(operation, context) : null
  }

  function refused(error: unknown): { errors: GraphQLError[] } {
    const known = appErrorIn(error)
    // No part of the operation was carried out, so the error's status becomes that of the response.
    if (known?.code === 'too_many_requests') known.isWhole = true
    return { errors: [withStatus(maskedError(error, log))] }
  }

  return {
    onParse({ setParseFn }) {
      setParseFn(source => documents.read(typeof source === 'string' ? source : source.body).document)
    },
    onValidate({ params: { documentAST }, setResult }) {
      const known = documents.known(documentAST)
      if (known) setResult([...known.errors])
    },
    onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
      Object.assign(args, { hideSuggestions: documents.hidesSchema })
      try {
        const begun = begunBy(args)
        if (!begun) return
        const { run, cost } = begun
        if (run) setExecuteFn(({ contextValue, variableValues }) => run(contextValue, variableValues))
        return {
          onExecuteDone({ result, setResult }) {
            if (isAsyncIterable(result)) return
            setResult(shown(result, extensionsOf(result, cost, args.contextValue as Context)))
          },
        }
      } catch (error) {
        setResultAndStopExecution(refused(error))
      }
    },
    onResultProcess({ result, setResult }) {
      if (Array.isArray(result) || isAsyncIterable(result) || !result.errors) return
      const errors = result.errors.map(requestError)
      setResult({ ...result, errors: hasAnswer(result) ? errors.map(withoutRefusal) : errors })
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      Object.assign(args, { hideSuggestions: documents.hidesSchema })
      try {
        demandEvents(args.contextValue)
        begunBy(args)
      } catch (error) {
        setResultAndStopExecution(refused(error))
      }
    },
  }
}

/** Whether a root field has a value. */
const hasAnswer = ({ data }: ExecutionResult): boolean => Object.values(data ?? {}).some(value => value !== null)

/** Without credentials, a response that answers what is public has status 200: clients drop the data of a 401. */
function withoutRefusal(error: GraphQLError): GraphQLError {
  if (error.extensions.code !== 'unauthenticated') return error
  const { http, ...extensions } = error.extensions
  return new GraphQLError(error.message, { ...error, extensions })
}

/** The errors of an operation that was not executed decide the status, except for clients that accept JSON alone. */
function withStatus(error: GraphQLError): GraphQLError {
  const shown = requestError(error)
  const { code, http } = shown.extensions
  shown.extensions.http = { status: errorCodes[code as ErrorCode].status, spec: true, ...Object(http) }
  return shown
}

/** Throws `not_acceptable` for a subscription at /graphql whose client does not accept server-sent events. */
function demandEvents({ request }: { request: Request }): void {
  if (request.url.endsWith('/stream') || takesEvents.test(request.headers.get('accept') ?? '*/*')) return
  const error = new AppError('not_acceptable', onlyEvents)
  error.isWhole = true
  throw error
}

/** Returns the result with these extensions, and with a status if the operation was not executed. */
function shown(result: Answer, extensions: Extensions): ExecutionResult {
  if (result.dataText !== undefined && !result.errors) {
    const answer = {
      get data() {
        return result.data ?? null
      },
      extensions,
      // Yoga sends this text; graphql-sse sends `data`.
      stringify: () => bodyOf(result, extensions),
    }
    return answer
  }
  const { dataText: _, ...answer } = result
  return 'data' in answer
    ? { ...answer, extensions }
    : { ...answer, errors: (answer.errors ?? []).map(withStatus), extensions }
}
