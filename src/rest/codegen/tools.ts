// Generates the MCP tools from the plans of their operations, and reports the mistakes that only a tool can have.
import { OperationTypeNode } from 'graphql'
import type { Tool } from '../../mcp/tool.ts'
import type { JsonSchema } from '../scalars.ts'
import { annotated } from './annotation.ts'
import { bodyOf } from './bodies.ts'
import type { Report } from './mistakes.ts'
import type { ParamPlan } from './param-plan.ts'
import type { Plan } from './plan.ts'
import { answerSchema, type Components } from './responses.ts'
import { constraintsOf, rulesOf } from './rules.ts'

export function checkTools(plans: readonly Plan[], report: Report): void {
  const names = new Set<string>()
  for (const { tool, operation, annotation, params, paid } of plans) {
    const node = annotated(operation, 'tool')
    if (tool === null || node === undefined) continue
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(tool.name)) report(node, `"${tool.name}" is no name for a tool.`)
    if (names.has(tool.name)) report(node, `Another tool is named ${tool.name}.`)
    names.add(tool.name)
    if (annotation.answer !== 'JSON' || operation.operation === OperationTypeNode.SUBSCRIPTION)
      report(node, 'A tool answers with JSON.')
    if (params.some(({ whole }) => whole)) report(node, 'The arguments of a tool have names: it takes no @body.')
    if (paid && (tool.example === undefined || tool.answer === undefined))
      report(node, 'A paid tool needs example and answer.')
  }
}

/** Registers no names, because a tool contains its whole schema inline. */
const inline: Components = { schemas: new Map(), name: (_, schema) => schema }

function outputOf({ shape }: Pick<Plan, 'shape'>): JsonSchema {
  const schema = answerSchema({ ...shape, nullable: false }, null, inline)
  return shape.kind === 'list' ? { type: 'object', properties: { items: schema }, required: ['items'] } : schema
}

/** A receipt has one name in all tools; paths of the REST API call it `rid`, and so may arguments. */
const nameOf = ({ name, olderName }: Pick<ParamPlan, 'name' | 'olderName'>) =>
  name === 'rid' ? { name: 'receipt_id', olderName: 'rid' } : { name, ...(olderName && { olderName }) }

const oneLine = (text: string) => text.trim().replace(/\s+/g, ' ')

export function toolEntry({ tool, route, params, shape, field, paid, operation, template, description }: Plan): Tool[] {
  if (tool === null) return []
  const { minProperties } = constraintsOf(rulesOf(field))
  const writes = operation.operation === OperationTypeNode.MUTATION
  const named = params.map(param => ({ ...param, ...nameOf(param), header: null, in: 'body' as const }))
  // Models are told of one name alone.
  const shown = named.map(({ olderName: _, ...param }) => param)
  return [
    {
      name: tool.name,
      title: tool.title,
      description: oneLine(tool.description ?? description ?? ''),
      annotations: {
        readOnlyHint: !writes && !paid,
        destructiveHint: false,
        idempotentHint: (!writes && !paid) || tool.isRepeatable,
        openWorldHint: tool.isOpenWorld,
      },
      inputSchema: { ...bodyOf(shown), type: 'object', ...(minProperties ? { minProperties } : {}) },
      outputSchema: { ...outputOf({ shape }), type: 'object' },
      isList: shape.kind === 'list',
      example: tool.example ?? null,
      answer: tool.answer ?? null,
      http: template.path === '' ? null : { method: route.method, path: template.path },
      paid,
      places: Object.fromEntries(params.map(param => [nameOf(param).name, param.in])),
      operation: {
        ...route,
        params: named.map(({ variable, name, olderName, single, type, required }) => ({
          variable,
          name,
          ...(olderName && { olderName }),
          in: 'body' as const,
          ...(single && { single }),
          type,
          required,
        })),
        page: route.page && { ...route.page, in: 'body' },
        feeds: Object.fromEntries(
          Object.entries(route.feeds).map(([path, [, ...within]]) => [
            path,
            ['body', ...within.map(part => (part === 'rid' ? nameOf({ name: part }).name : part))],
          ]),
        ),
      },
    },
  ]
}
