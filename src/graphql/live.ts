// Answers a subscription whose response is a stream of its own: as graphql-sse does in its distinct connections mode,
// and as yoga does at /graphql. These libraries take several times the memory for a stream, and encode and send each
// event for each stream by itself.
import type { Request, Response } from 'express'
import { type ExecutionResult, OperationTypeNode } from 'graphql'
import type { Logger } from 'pino'
import { z } from 'zod'
import { documentLimits } from '../core/request-limits.ts'
import { appErrorIn } from '../kit/app-error-in.ts'
import { charge, demandAffordable } from '../kit/charge.ts'
import type { Context } from '../kit/context.ts'
import { breakOff, keepOpen, responseSink } from '../kit/live/response.ts'
import type { LiveStream } from '../kit/live/sink.ts'
import { subscribe } from '../kit/live/subscribe.ts'
import type { Documents, KnownDocument } from './documents.ts'
import { maskedError } from './errors.ts'
import { asResult, withShownErrors } from './results.ts'
import { schema } from './schema.ts'

type Found = { known: KnownDocument; name: string | undefined; operation: { operation: OperationTypeNode } }

const heartbeatMs = 12_000
const quiet = ':\n\n'
const complete = 'event: complete\ndata:\n\n'

/** Whether this is a valid request for such a stream. The libraries answer any other request. */
export function isLive({ headers, query, body }: Request, { known, operation }: Found): boolean {
  const { variables, extensions, operationName } = body
  return (
    operation.operation === OperationTypeNode.SUBSCRIPTION &&
    known.errors.length === 0 &&
    headers.accept === 'text/event-stream' &&
    (headers['content-type'] ?? '').includes('application/json') &&
    // A token is that of a reserved stream.
    headers['x-graphql-event-stream-token'] === undefined &&
    query.token === undefined &&
    [variables ?? {}, extensions ?? {}].every(value => typeof value === 'object' && !Array.isArray(value)) &&
    typeof (operationName ?? '') === 'string'
  )
}

/** Returns a function that answers such a request. */
export function liveAnswers(documents: Documents, log: Logger) {
  const masked = ({ errors, ...result }: ExecutionResult): ExecutionResult =>
    errors ? { ...result, errors: errors.map(error => maskedError(error, log)) } : result
  // One function for all streams, so that they share what it returns.
  const encode = (result: ExecutionResult) => frameOf(withShownErrors(masked(result)))

  /** Throws `too_many_requests`: a client repeats what a status 429 refuses, and not what a stream says as it ends. */
  async function open(req: Request, contextValue: Context, { known, name }: Found) {
    const { document } = known
    const variableValues = req.body.variables ?? {}
    const hideSuggestions = documents.hidesSchema
    try {
      const operation = documents.operation(known, name, variableValues)
      if (operation) {
        demandAffordable(operation.cost, documentLimits.cost)
        charge(contextValue, operation.cost)
      }
      const args = { schema, document, operationName: name, variableValues, contextValue, hideSuggestions }
      const opened = await subscribe(args)
      if ('follow' in opened) return opened
      const [refusal] = (opened.errors ?? []).filter(isPause)
      if (refusal) throw refusal
      return masked(opened)
    } catch (error) {
      if (isPause(error)) throw error
      return { errors: [maskedError(error, log)] }
    }
  }

  function send(res: Response, stream: LiveStream<ExecutionResult>): void {
    if (res.destroyed) {
      stream.stop()
      return
    }
    res.once('close', stream.stop)
    begin(res, 200)
    keepOpen(res, 'graphql', quiet, heartbeatMs)
    // Not awaited, so that nothing of the request stays in memory as long as the stream.
    stream.follow(responseSink(res, 'graphql', encode)).then(
      () => res.writableEnded || res.end(complete),
      error => {
        maskedError(error, log)
        breakOff(res)
      },
    )
  }

  return async (req: Request, res: Response, context: Context, found: Found): Promise<void> => {
    const opened = await open(req, context, found)
    if ('follow' in opened) return send(res, opened)
    const isGraphqlSse = req.path === '/graphql/stream'
    begin(res, isGraphqlSse ? 200 : statusOf(res, opened))
    res.write(frameOf(isGraphqlSse ? asResult(opened) : withShownErrors(opened)))
    res.end(complete)
  }
}

const isPause = (error: unknown): boolean => appErrorIn(error)?.code === 'too_many_requests'

const frameOf = (result: ExecutionResult) => Buffer.from(`event: next\ndata: ${JSON.stringify(result)}\n\n`)

function begin(res: Response, status: number): void {
  res.writeHead(status, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache',
    // Keeps a proxy from compressing, and so from holding events back.
    'Content-Encoding': 'none',
  })
  // Some browsers report a response as open only after its first bytes.
  res.write(quiet)
}

const ofWhole = z.object({ status: z.number(), headers: z.record(z.string(), z.string()) })

/** Returns the status of a refusal, and sets its headers. */
function statusOf(res: Response, { errors = [] }: ExecutionResult): number {
  const [whole] = errors.flatMap(({ extensions }) => ofWhole.safeParse(extensions.http).data ?? [])
  for (const [name, value] of Object.entries(whole?.headers ?? {})) res.setHeader(name, value)
  return whole?.status ?? 200
}
