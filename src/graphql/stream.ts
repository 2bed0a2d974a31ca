// GraphQL over server-sent events at /graphql/stream: one reserved stream for all operations of a client (in
// graphql-sse: single connection), and streams of one operation (distinct connections) that `live.ts` does not answer.
// graphql-sse's yoga plugin is not used, because it passes a result with errors alone to a handler that recognises only
// results with `data`, so that every refusal became "Unable to detect operation AST".
import { type DocumentNode, type ExecutionResult, GraphQLError, getOperationAST } from 'graphql'
import { createHandler } from 'graphql-sse/lib/use/fetch'
import type { Plugin, YogaInitialContext, YogaServerInstance } from 'graphql-yoga'
import { z } from 'zod'
import { AppError, type ErrorCode } from '../core/errors.ts'
import { iterated } from '../kit/live/sink.ts'
import { subscribe } from '../kit/live/subscribe.ts'
import { errorFields } from './error-fields.ts'
import { asResult } from './results.ts'

const endpoint = '/graphql/stream'

// graphql-sse queues results without limit for a client that does not read.
const mostQueued = 16

/** Counts the results of one stream that are queued, and makes further results wait while there are too many. */
function createQueueGuard() {
  const waiting: (() => void)[] = []
  let queued = 0
  let isEnded = false
  return {
    /** Whether a response sends the results. Those of a reserved stream are queued until a client opens it. */
    isOpen: false,
    async add() {
      queued += 1
      if (queued > mostQueued && !isEnded) await new Promise<void>(resolve => waiting.push(resolve))
    },
    sent() {
      queued -= 1
      waiting.shift()?.()
    },
    end() {
      isEnded = true
      for (const resolve of waiting) resolve()
    },
  }
}
type QueueGuard = ReturnType<typeof createQueueGuard>

const tokenOf = (request: Request): string | null =>
  request.headers.get('x-graphql-event-stream-token') ?? new URL(request.url).searchParams.get('token')

type Params = { query: string; variables?: Record<string, unknown> | null; operationName?: string | null }
type Answer = ExecutionResult | AsyncGenerator<ExecutionResult>
type Yoga = YogaServerInstance<Record<string, unknown>, Record<string, unknown>>

const invalid = (message: string): ExecutionResult =>
  asResult({ errors: [new GraphQLError(message, { extensions: { code: 'invalid_graphql' } })] })

async function answer(yoga: Yoga, initial: Record<string, unknown>, request: Request, params: Params): Promise<Answer> {
  const { query, variables } = params
  const operationName = params.operationName ?? undefined
  if (typeof query !== 'string') return invalid('There is no query.')
  if (operationName !== undefined && typeof operationName !== 'string')
    return invalid('operationName must be a string.')
  const engine = yoga.getEnveloped({ ...initial, request, params } as unknown as YogaInitialContext)
  const document = parsed(() => engine.parse(query))
  if ('errors' in document) return asResult(document)
  const errors = engine.validate(engine.schema, document)
  if (errors.length > 0) return asResult({ errors })
  const operation = getOperationAST(document, operationName)?.operation
  if (operation === undefined) return invalid('The document has no such operation, or several and none is named.')
  if (operation === 'mutation' && request.method === 'GET') return invalid('Mutations are POSTed.')
  const run = operation === 'subscription' ? engine.subscribe : engine.execute
  const contextValue = await engine.contextFactory()
  const result = await run({ schema: engine.schema, document, contextValue, variableValues: variables, operationName })
  return Symbol.asyncIterator in result ? result : asResult(result)
}

/** Returns the document, or its syntax errors; rethrows any error that the caller did not cause. */
function parsed(parse: () => DocumentNode): DocumentNode | { errors: GraphQLError[] } {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return { errors: [error] }
  }
}

const refusal = z.object({ errors: z.tuple([z.object({ message: z.string() })]) })

/** The codes of the statuses with which graphql-sse refuses a request. */
const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_graphql',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  409: 'conflict',
  415: 'unsupported_media_type',
}

// The requests about a reserved stream accept other types than those for which `not_acceptable` asks.
const withoutBody: Readonly<Record<number, string>> = {
  406: 'Send `Accept: */*` with the requests about a reserved stream.',
}

export function streams(): Plugin {
  // The initial contexts that yoga's own pipeline would pass to the context factory.
  const initials = new WeakMap<Request, Record<string, unknown>>()
  // The key is the token for a reserved stream, else the request: a token may be invented, or sent by another caller.
  const guards = new Map<string | Request, QueueGuard>()
  let handle: (request: Request) => Promise<Response>
  let ResponseOf: typeof Response

  const guardOf = (request: Request) => guards.get(request) ?? guards.get(tokenOf(request) ?? request)

  /** Gives a refusal of graphql-sse a code: it has a message alone, or no body. */
  async function coded(response: Response): Promise<Response> {
    const code = codes[response.status]
    if (code === undefined) return response
    const { success, data } = refusal.safeParse(await response.json().catch(() => null))
    const error = new AppError(code, success ? data.errors[0].message : withoutBody[response.status])
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    return ResponseOf.json({ errors: [errorFields(error)] }, { status: response.status, headers })
  }

  async function handleGuarded(request: Request): Promise<Response> {
    const token = tokenOf(request)
    if (request.headers.get('accept') !== 'text/event-stream') {
      const response = await coded(await handle(request))
      if (request.method === 'PUT' && response.status === 201 && token !== null) guards.set(token, createQueueGuard())
      return response
    }
    const reserved = token === null ? undefined : guards.get(token)
    const subject = token !== null && reserved?.isOpen === false ? token : request
    const guard = (subject === token && reserved) || createQueueGuard()
    guard.isOpen = true
    // Registered before the request is handled, because results may be queued meanwhile.
    guards.set(subject, guard)
    const end = () => {
      guard.end()
      if (guards.get(subject) === guard) guards.delete(subject)
    }
    const response = await handle(request)
    if (response.body !== null && response.headers.get('content-type')?.startsWith('text/event-stream'))
      return new ResponseOf(sending(response.body, guard, end), response)
    end()
    return coded(response)
  }

  return {
    onYogaInit({ yoga }) {
      ResponseOf = yoga.fetchAPI.Response
      handle = createHandler(
        {
          onSubscribe: ({ raw }, params) => answer(yoga as Yoga, initials.get(raw) ?? {}, raw, params) as never,
          onNext: (_, { raw }) => guardOf(raw)?.add() as undefined,
        },
        yoga.fetchAPI,
      )
    },
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async args => {
        const opened = await subscribe(args)
        return 'follow' in opened ? iterated(opened) : opened
      })
    },
    async onRequest({ request, url, endResponse, serverContext }) {
      if (!url.pathname.endsWith(endpoint)) return
      initials.set(request, serverContext as Record<string, unknown>)
      endResponse(await handleGuarded(request))
    },
  }
}

/** Passes a body on, one server-sent event at a time. Only results were counted by the guard, so only they free it. */
function sending(body: ReadableStream<Uint8Array>, guard: QueueGuard, end: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          end()
          throw error
        })
        if (done) {
          end()
          return controller.close()
        }
        controller.enqueue(value)
        if (isResult(value)) guard.sent()
      },
      cancel(reason) {
        end()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

const startOfResult = 'event: next\n'
const isResult = (message: Uint8Array) =>
  Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString('latin1', 0, startOfResult.length) ===
  startOfResult
