// Reads an operation's @rest annotation and its path template.
import {
  type ASTNode,
  type DirectiveNode,
  type GraphQLSchema,
  getDirectiveValues,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from 'graphql'
import { z } from 'zod'
import type { Report } from './mistakes.ts'

const values = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  path: z.string(),
  answer: z.enum(['JSON', 'TEXT', 'REDIRECT', 'FILE']),
  status: z.number().optional(),
  request: z.string().optional(),
  response: z.string().optional(),
  tag: z.string().optional(),
  takesKey: z.boolean().optional(),
  access: z.enum(['read']).optional(),
  mediaTypes: z.array(z.string()).optional(),
})

export type Annotation = z.infer<typeof values> & {
  /** Returns the node to report for an argument: its value, or the directive when the argument is omitted. */
  at(argument: string): ASTNode
}

const directiveNode = (node: { directives?: readonly DirectiveNode[] | undefined }, name: string) =>
  node.directives?.find(directive => directive.name.value === name)

/** Returns null without @rest, or when validation refuses the @rest. */
export function annotationOf(schema: GraphQLSchema, operation: OperationDefinitionNode): Annotation | null {
  const directive = schema.getDirective('rest')
  const node = directiveNode(operation, 'rest')
  if (!directive || !node) return null
  try {
    const parsed = values.parse(getDirectiveValues(directive, operation))
    const at = (argument: string) => node.arguments?.find(({ name }) => name.value === argument)?.value ?? node
    return { ...parsed, at }
  } catch {
    return null
  }
}

/** Returns the text of an argument of a directive; null without the directive. */
export function textArgument(
  node: { directives?: readonly DirectiveNode[] | undefined },
  directive: string,
  argument: string,
): string | null {
  const value = directiveNode(node, directive)?.arguments?.find(({ name }) => name.value === argument)?.value
  return value?.kind === 'StringValue' ? value.value : null
}

/** Returns the `name` argument of a directive such as @header or @schema, with the node to report. */
export function nameArgument(
  node: VariableDefinitionNode | { directives?: readonly DirectiveNode[] | undefined },
  directive: string,
): { value: string; node: ASTNode } | null {
  const value = directiveNode(node, directive)?.arguments?.find(({ name }) => name.value === 'name')?.value
  return value?.kind === 'StringValue' ? { value: value.value, node: value } : null
}

export const annotated = directiveNode

export type Template = { path: string; express: string; names: string[]; shape: string }

/** Parses a path template such as `/v1/receipts/{rid}`; reports its mistakes. */
export function templateOf(annotation: Annotation, report: Report): Template {
  const { path } = annotation
  const node = annotation.at('path')
  const names: string[] = []
  if (!path.startsWith('/')) report(node, 'A path starts with "/".')
  let position = 1
  for (const segment of path.split('/')) {
    const name = /^\{([A-Za-z_]\w*)\}$/.exec(segment)?.[1]
    if (name === undefined && !/^[\w.~-]*$/.test(segment)) {
      report(node, `"${segment}" is neither plain path text nor a variable in braces.`, position)
    }
    if (name !== undefined && names.includes(name)) report(node, `{${name}} occurs twice in the path.`, position)
    if (name !== undefined) names.push(name)
    position += segment.length + 1
  }
  return { path, names, express: path.replace(/\{(\w+)\}/g, ':$1'), shape: path.replace(/\{\w+\}/g, '{}') }
}
