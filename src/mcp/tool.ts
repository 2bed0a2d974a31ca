// The shape of the generated list of tools: what programs that speak MCP are told, and what is run when they call.
import type { Place, Route } from '../rest/route.ts'

type JsonSchema = { [key: string]: unknown }

export type Tool = {
  name: string
  title: string
  description: string
  /** As MCP has them: hints, of which nothing here depends. */
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }
  inputSchema: JsonSchema & { type: 'object' }
  /** Of what is answered when it succeeds. */
  outputSchema: JsonSchema & { type: 'object' }
  /** The answer is a list, which stands under `items`: a tool answers with an object. */
  isList: boolean
  /** Arguments, and an answer to them. Each paid tool has both. */
  example: JsonSchema | null
  answer: JsonSchema | null
  /** The REST route of the same operation, with its path as OpenAPI writes it; null when it has none. */
  http: { method: Route['method']; path: string } | null
  /** By x402. */
  paid: boolean
  /** Where each argument stands in a request of that route. */
  places: Readonly<Record<string, Place>>
  /** All its parameters are in the body, which the arguments are. */
  operation: Route
}
