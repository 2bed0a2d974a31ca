// Official MCP clients that call our tools: one of the current version, which has no sessions, and one of the version
// before.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { z } from 'zod'

const result = z.object({
  isError: z.boolean().default(false),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  _meta: z.record(z.string(), z.unknown()).optional(),
})
export type Result = z.infer<typeof result>

export type Caller = {
  list(): Promise<{ name: string; inputSchema: object; outputSchema?: object | undefined }[]>
  call(name: string, args?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<Result>
  close(): Promise<void>
}

const me = { name: 'test', version: '1' }

export const eras: Record<
  '2026-07-28' | '2025-11-25',
  (base: string, headers?: Record<string, string>) => Promise<Caller>
> = {
  async '2026-07-28'(base, headers = {}) {
    const client = new Client(me, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit: { headers } }))
    return {
      list: async () => (await client.listTools()).tools,
      call: async (name, args = {}, _meta) =>
        result.parse(await client.callTool({ name, arguments: args, ...(_meta && { _meta }) })),
      close: () => client.close(),
    }
  },
  async '2025-11-25'(base, headers = {}) {
    const client = new EarlierClient(me)
    const transport = new EarlierTransport(new URL(`${base}/mcp`), { requestInit: { headers } })
    // The SDK's types do not support `exactOptionalPropertyTypes`.
    await client.connect(transport as Parameters<typeof client.connect>[0])
    return {
      list: async () => (await client.listTools()).tools,
      call: async (name, args = {}, _meta) =>
        result.parse(await client.callTool({ name, arguments: args, ...(_meta && { _meta }) })),
      close: () => client.close(),
    }
  },
}

/** Parses the error of a refused call from its text. */
export const refusal = ({
  content: [first],
}: Result): { detail: string; message: string; issues?: { argument: unknown[]; type: string }[] } =>
  JSON.parse(first?.text ?? '')
