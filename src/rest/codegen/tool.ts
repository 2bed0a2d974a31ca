// What @tool says about an operation: that programs which speak MCP may call it, and in which words they are told of it.
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

/** Null when there is no @tool, or one that validation refuses. */
export function toolOf(schema: GraphQLSchema, operation: OperationDefinitionNode): ToolAnnotation | null {
  const directive = schema.getDirective('tool')
  if (!directive) return null
  try {
    return values.safeParse(getDirectiveValues(directive, operation)).data ?? null
  } catch {
    return null
  }
}

/** For an operation that is a tool and no route. */
export const withoutRoute = (operation: OperationDefinitionNode): { annotation: Annotation; template: Template } => ({
  annotation: { method: 'POST', path: '', answer: 'JSON', at: () => operation },
  template: { path: '', express: '', names: [], shape: '' },
})
