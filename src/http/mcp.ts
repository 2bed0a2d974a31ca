// MCP over HTTP in Express: identifies and charges the caller and replays stored responses. One message per request.
import type { Request as Incoming, Response as Outgoing, RequestHandler } from 'express'
import { z } from 'zod'
import { tools } from '../../rest/generated/tools.ts'
import { AppError } from '../core/errors.ts'
import { currentScope, noteCode } from '../core/scope.ts'
import { toolInBazaar } from '../discovery/bazaar.ts'
import { restSchema } from '../graphql/schema.ts'
import { replayOrCapture } from '../idempotency/once.ts'
import { hasIdempotencyKey, idempotentRequest } from '../idempotency/request.ts'
import { appErrorIn, isFault } from '../kit/app-error-in.ts'
import type { App, Context, Paying } from '../kit/context.ts'
import { takeKeyFrom } from '../limits/credential.ts'
import type { Gate } from '../limits/gate.ts'
import type { AnswerMcp } from '../mcp/server.ts'
import { readBody } from '../rest/body.ts'
import { requestIdOf } from '../rest/request-id.ts'

export type McpOptions = {
  app: App
  gate: Gate
  /** Identifies the caller and charges the request. */
  enter(req: Incoming, res: Outgoing): Context | Promise<Context>
}

export const mcpPath = '/mcp'

// Each message creates an MCP server, and the list of tools is long.
const messageCost = 6
const listCost = 15

const message = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  // Malformed parameters are ignored here, because some methods are answered whatever their parameters are.
  params: z
    .object({ name: z.string().optional(), _meta: z.record(z.string(), z.unknown()).optional() })
    .optional()
    .catch(undefined),
})
type Message = z.infer<typeof message>

const kept = new Set(tools.flatMap(({ name, paid, annotations }) => (paid || !annotations.readOnlyHint ? [name] : [])))

// The API key is not passed on, because the MCP library does not need it.
const passedOn = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id']

export function mcpHandler({ app, gate, enter }: McpOptions): RequestHandler {
  let opened: Promise<AnswerMcp> | undefined
  // Imported with the first message, because the official server is large and would delay the start.
  const server = () => {
    opened ??= import('../mcp/server.ts').then(({ mcpServer }) => mcpServer(restSchema, tools))
    return opened
  }
  return async (req, res) => {
    try {
      takeKeyFrom(['Bearer'], req.headers)
      const context = await enter(req, res)
      demandOrigin(app, req)
      if (req.method !== 'POST') {
        res.setHeader('Allow', 'POST')
        throw new AppError('method_not_allowed')
      }
      const body = await readBody(req, res)
      const value = body.isPresent ? body.value : undefined
      if (Array.isArray(value))
        throw new AppError('malformed_request', 'Send one message a request: batches are no part of MCP.')
      const known: Message = message.safeParse(value).data ?? {}
      note(known)
      context.allowance.spend(known.method?.endsWith('/list') ? listCost : messageCost)
      const isKept = known.method === 'tools/call' && known.id !== undefined && kept.has(known.params?.name ?? '')
      if (
        isKept &&
        hasIdempotencyKey(req) &&
        (await replayOrCapture(context, gate, req, res, idempotentRequest(req, context.principal, bytesRead(req))))
      )
        return
      const request = new Request(`${app.publicBaseUrl}${mcpPath}`, { method: 'POST', headers: headersOf(req) })
      const paying = payingOf(context.paying, known)
      await send(res, await (await server())(request, value, { ...context, paying }))
    } catch (error) {
      refuse(req, res, error, app)
    }
  }
}

const toolNames = new Set(tools.map(({ name }) => name))

/** Notes the tool or the method that the message names. */
function note({ method = '', params }: Message): void {
  const notes = currentScope()?.request
  if (!notes) return
  const tool = params?.name ?? ''
  notes.operation = toolNames.has(tool) ? tool : /^[a-z/]{1,64}$/i.test(method) ? method : null
}

/** Refuses origins that are not allowed, also when a page calls this address by its own host name (DNS rebinding). */
function demandOrigin({ allowedOrigins, publicBaseUrl }: App, { headers: { origin } }: Incoming): void {
  if (allowedOrigins === null || origin === undefined) return
  if (![...allowedOrigins, new URL(publicBaseUrl).origin].includes(origin))
    throw new AppError('forbidden', 'Pages of this origin may not call this service.')
}

const headersOf = ({ headers }: Incoming): Headers =>
  new Headers(
    passedOn.flatMap((name): [string, string][] => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

/** Converts a payment in `_meta` to the PAYMENT-SIGNATURE header, so that it is the same payment over MCP and REST. */
function payingOf(paying: Paying, { params }: Message): Paying {
  const payment = params?._meta?.['x402/payment']
  return {
    ...paying,
    header: payment === undefined ? null : Buffer.from(JSON.stringify(payment)).toString('base64'),
    place: '_meta["x402/payment"]',
    resource: mcpPath,
    described: toolInBazaar,
  }
}

async function send(res: Outgoing, answer: Response): Promise<void> {
  const type = answer.headers.get('content-type')
  if (type !== null) res.setHeader('Content-Type', type)
  res.setHeader('Cache-Control', 'no-store')
  const body = Buffer.from(await answer.text())
  res.setHeader('Content-Length', body.length)
  res.status(answer.status).end(body)
}

/** The raw body that `readBody` left in `req.body`; empty without a body. */
const bytesRead = ({ body }: Incoming): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

/** Sends a JSON-RPC error: -32700 for unreadable JSON, -32603 for an internal error, otherwise -32600. */
function refuse(req: Incoming, res: Outgoing, error: unknown, { log }: App): void {
  const known = appErrorIn(error) ?? new AppError('internal_error')
  noteCode(known.code)
  if (isFault(known)) log.error({ err: error }, 'an MCP request failed')
  const { code, message: text, status, retryAfterSeconds, issues } = known
  if (retryAfterSeconds !== null) res.setHeader('Retry-After', String(retryAfterSeconds))
  if (status === 401)
    res.setHeader('WWW-Authenticate', 'Bearer realm="quittance", ApiKey realm="quittance", header="X-API-Key"')
  const number = code === 'invalid_json' ? -32_700 : status >= 500 ? -32_603 : -32_600
  const data = { code, request_id: requestIdOf(req, res), ...(issues.length > 0 && { issues }) }
  res.status(status).json({ jsonrpc: '2.0', id: null, error: { code: number, message: text, data } })
}
