// Checks of a route that need no types: @rest, the path and the operation must agree.
import { type OperationDefinitionNode, OperationTypeNode } from 'graphql'
import { type Annotation, annotated, type Template } from './annotation.ts'
import type { Report } from './mistakes.ts'
import type { ToolAnnotation } from './tool.ts'

/** An operation that is annotated as a route. */
export type Candidate = {
  operation: OperationDefinitionNode
  annotation: Annotation
  template: Template
  tool: ToolAnnotation | null
}

/** Returns whether the operation can be a route at all. */
export function checkOperation(operation: OperationDefinitionNode, report: Report): boolean {
  const { name, selectionSet } = operation
  if (!name) report(operation, 'A route is a named operation; its name is the operationId.')
  if (!annotated(operation, 'rest') && !annotated(operation, 'tool'))
    report(operation, `${name?.value ?? 'This operation'} has no @rest.`)
  const [root, second] = selectionSet.selections
  if (second) report(second, 'A route has exactly one root field: its value is the answer.')
  else if (root && root.kind !== 'Field') report(root, 'The root of a route is a field, not a fragment.')
  return name !== undefined && second === undefined && root?.kind === 'Field'
}

export function checkRoute({ operation, annotation, template }: Candidate, report: Report): void {
  const { method, answer, status, at } = annotation
  if (method === 'GET' && operation.operation === OperationTypeNode.MUTATION) {
    report(at('method'), 'A GET changes nothing, so it cannot be a mutation.')
  }
  if (method !== 'GET' && operation.operation === OperationTypeNode.SUBSCRIPTION) {
    report(at('method'), 'A subscription is a stream of events, which is a GET.')
  }
  if (answer !== 'JSON' && operation.operation === OperationTypeNode.SUBSCRIPTION) {
    report(at('answer'), 'A subscription answers with events and nothing else.')
  }
  const redirects = answer === 'REDIRECT'
  if (status !== undefined && (redirects ? status < 300 || status > 399 : status < 200 || status > 299)) {
    report(at('status'), `The status of ${redirects ? 'a redirect is 300 to 399' : 'an answer is 200 to 299'}.`)
  }
  if (annotation.request !== undefined && method !== 'POST' && method !== 'PUT') {
    report(at('request'), `A ${method} has no body to name.`)
  }
  const variables = new Set(operation.variableDefinitions?.map(({ variable }) => variable.name.value))
  for (const name of template.names) {
    if (variables.has(name)) continue
    report(at('path'), `No variable feeds {${name}}: declare $${name}.`, 1 + template.path.indexOf(`{${name}}`))
  }
}

const where = ({ operation }: Candidate): string => {
  const { source, startToken } = operation.loc ?? {}
  return `${operation.name?.value} (${source?.name}:${startToken?.line}:${startToken?.column})`
}

/** Reports operations with the same name, or the same method and path, and a path with different variable names. */
export function checkTogether(candidates: readonly Candidate[], report: Report): void {
  const names = new Map<string, Candidate>()
  const paths = new Map<string, Candidate>()
  const routes = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const { operation, annotation, template } = candidate
    const id = operation.name ? operationId(operation.name.value) : null
    const namesake = id === null ? undefined : names.get(id)
    if (namesake && operation.name) report(operation.name, `The name is taken by ${where(namesake)}.`)
    else if (id !== null) names.set(id, candidate)

    const route = `${annotation.method} ${template.shape}`
    const rival = routes.get(route)
    if (rival) report(annotation.at('path'), `${annotation.method} ${template.path} is already ${where(rival)}.`)
    else routes.set(route, candidate)

    const first = paths.get(template.shape)
    if (first && !rival && first.template.path !== template.path) {
      report(annotation.at('path'), `${where(first)} writes this path ${first.template.path}; use the same names.`)
    }
    if (!first) paths.set(template.shape, candidate)
  }
}

export const operationId = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)
