// Type of the generated list of tools: how each is described to MCP clients, and which operation it runs.
import type { Place, Route } from '../rest/route.ts'

type JsonSchema = { [key: string]: unknown }

export type Tool = {
  name: string
  title: string
  description: string
  /** MCP's hints for clients; no behaviour of the service depends on them. */
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }
  inputSchema: JsonSchema & { type: 'object' }
  /** Schema of the result when the call succeeds. */
  outputSchema: JsonSchema & { type: 'object' }
  /** The result is a list, which is wrapped as `items`, because a tool returns an object. */
  isList: boolean
  /** Example arguments, and the result for them. Each paid tool has both. */
  example: JsonSchema | null
  answer: JsonSchema | null
  /** The REST route of the same operation, with its path as OpenAPI writes it; null when it has none. */
  http: { method: Route['method']; path: string } | null
  /** Paid for by x402. */
  paid: boolean
  /** The part of a request of that route in which each argument is sent. */
  places: Readonly<Record<string, Place>>
  /** The operation as a route with all its parameters in the body: the arguments are read as that body. */
  operation: Route
}
