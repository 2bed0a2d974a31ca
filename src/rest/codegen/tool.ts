// Reads an operation's @tool annotation, which makes the operation an MCP tool and describes it to MCP clients.
import { type GraphQLSchema, getDirectiveValues, type OperationDefinitionNode } from 'graphql'
import { z } from 'zod'
import type { Annotation, Template } from './annotation.ts'

const example = z.record(z.string(), z.json())
const values = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string().optional(),
  isRepeatable: z.boolean(),
  isOpenWorld: z.boolean(),
  example: example.optional(),
  answer: example.optional(),
})

export type ToolAnnotation = z.infer<typeof values>

/** Returns null without @tool, or when validation refuses the @tool. */
export function toolOf(schema: GraphQLSchema, operation: OperationDefinitionNode): ToolAnnotation | null {
  const directive = schema.getDirective('tool')
  if (!directive) return null
  try {
    return values.safeParse(getDirectiveValues(directive, operation)).data ?? null
  } catch {
    return null
  }
}

/** Returns a placeholder annotation for an operation that is a tool but not a route. */
export const withoutRoute = (operation: OperationDefinitionNode): { annotation: Annotation; template: Template } => ({
  annotation: { method: 'POST', path: '', answer: 'JSON', at: () => operation },
  template: { path: '', express: '', names: [], shape: '' },
})
