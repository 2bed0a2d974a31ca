// The official MCP server over the generated tools. It is stateless: any process may answer the next HTTP request.
import {
  createMcpHandler,
  isLegacyRequest,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { GraphQLSchema } from 'graphql'
import { errorCodes } from '../core/errors.ts'
import { noteCode } from '../core/scope.ts'
import type { Context } from '../kit/context.ts'
import { type RunTool, toolRunner } from './call.ts'
import type { Tool } from './tool.ts'

const instructions = `Quittance keeps the evidence of payments that already happened on a blockchain: record_payment, then \
get_receipt until its status is anchored, then verify_evidence. It never moves a payment's money. Tools that begin with paid_ \
are paid for by x402. Amounts are decimal strings. A failed call returns its error in the result as JSON: detail is a stable \
code.`

/** Schema of the challenge that an x402 client reads instead of a result; see the MCP transport of x402 version 2. */
const challenge = {
  type: 'object',
  description: 'The required payment, returned when the call had no payment or the payment was refused.',
  properties: { x402Version: { const: 2 }, accepts: { type: 'array', items: { type: 'object' } } },
  required: ['x402Version', 'accepts'],
}

// Clients of older MCP versions validate the challenge against the schema, too.
const listed = ({ name, title, description, annotations, inputSchema, outputSchema, paid }: Tool) => ({
  name,
  title,
  description,
  annotations: { title, ...annotations },
  inputSchema,
  outputSchema: paid ? { type: 'object' as const, anyOf: [outputSchema, challenge] } : outputSchema,
})

const hourMs = 3_600_000

/** `message`: the parsed body, within its size limits. Answers with JSON, or without a body to a notification. */
export type AnswerMcp = (request: Request, message: unknown, context: Context) => Promise<Response>

export function mcpServer(schema: GraphQLSchema, tools: readonly Tool[]): AnswerMcp {
  const list: ListToolsResult = { tools: tools.map(listed) }
  const byName = new Map(tools.map(tool => [tool.name, tool]))
  const runners = new Map<Tool, RunTool>()

  function runnerOf(name: string): RunTool {
    const tool = byName.get(name)
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
    const run = runners.get(tool) ?? toolRunner(schema, tool)
    runners.set(tool, run)
    return run
  }

  function serverFor(context: Context): Server {
    const server = new Server(
      { name: 'quittance', title: 'Quittance', version: context.version, websiteUrl: context.publicBaseUrl },
      {
        capabilities: { tools: {} },
        instructions,
        cacheHints: { 'tools/list': { ttlMs: hourMs, cacheScope: 'public' } },
      },
    )
    server.setRequestHandler('tools/list', () => list)
    server.setRequestHandler('tools/call', async ({ params }) => {
      try {
        return await runnerOf(params.name)(context, params.arguments ?? {})
      } catch (error) {
        noteCode(error instanceof ProtocolError ? 'not_found' : 'internal_error')
        if (error instanceof ProtocolError) throw error
        // The SDK would send the error's message to the caller.
        context.log.error({ err: error }, 'a tool failed')
        throw new ProtocolError(ProtocolErrorCode.InternalError, errorCodes.internal_error.meaning)
      }
    })
    return server
  }

  return async (request, message, context) => {
    if (await isLegacyRequest(request, message)) return answerLegacy(serverFor(context), request, message)
    // The tools never change, so clients have nothing to subscribe to.
    const handler = createMcpHandler(() => serverFor(context), {
      legacy: 'reject',
      maxSubscriptions: 0,
      keepAliveMs: 0,
    })
    return handler.fetch(request, { parsedBody: message })
  }
}

/** For MCP versions before 2026-07-28. The SDK's own handler answers with a stream, which a shutdown would cut off. */
async function answerLegacy(server: Server, request: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    await server.close()
  }
}
