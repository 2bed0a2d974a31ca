// Generates route table, tools and OpenAPI document from rest/*.graphql, or reports all mistakes in those files.
import { join } from 'node:path'
import type { GraphQLSchema } from 'graphql'
import { annotationOf, templateOf } from './annotation.ts'
import { type Candidate, checkOperation, checkRoute, checkTogether, operationId } from './checks.ts'
import { readDocuments } from './documents.ts'
import type { Examples } from './examples.ts'
import { inOrder, type RestError, RestErrors, reporter } from './mistakes.ts'
import { type Info, openApi } from './openapi.ts'
import { type Plan, planOf } from './plan.ts'
import { addReadBack } from './read-back.ts'
import { toolOf, withoutRoute } from './tool.ts'
import { checkTools } from './tools.ts'
import { routesModule, toolsModule } from './typescript.ts'

export { RestErrors } from './mistakes.ts'

/** `directory`: the folder of the documents, written as in the reported mistakes and file names. */
export type Generate = { schema: GraphQLSchema; directory: string; info: Info; examples?: Examples }

/** `unexampled`: messages about operations without an example and examples without an operation. */
export type Generated = { files: Map<string, string>; unexampled: string[] }

/** Returns the content of each file to write. Throws `RestErrors`. */
export function generateRest({ schema: base, directory, info, examples = {} }: Generate): Generated {
  const errors: RestError[] = []
  const report = reporter(errors)
  const { schema, files } = readDocuments(base, directory, errors)
  const candidates: Candidate[] = []
  const plans: Plan[] = []
  for (const file of files) {
    for (const operation of file.operations) {
      const sound = checkOperation(operation, report)
      const annotation = annotationOf(schema, operation)
      const tool = toolOf(schema, operation)
      if (annotation === null && tool === null) continue
      const route =
        annotation === null ? withoutRoute(operation) : { annotation, template: templateOf(annotation, report) }
      const candidate = { operation, tool, ...route }
      if (annotation !== null) {
        candidates.push(candidate)
        checkRoute(candidate, report)
      }
      const plan = sound && file.valid ? planOf(schema, candidate, file, report, errors) : null
      if (plan) plans.push(plan)
    }
  }
  for (const plan of plans) addReadBack(plan, plans)
  checkTogether(candidates, report)
  checkTools(plans, report)
  const routed = plans.filter(({ template }) => template.path !== '')
  const sections = new Map(files.map(({ section, description }) => [section, description]))
  const { document, webhooks } = openApi(routed, sections, info, examples, report)
  if (errors.length > 0) {
    const distinct = new Map(errors.map(error => [error.message, error]))
    throw new RestErrors([...distinct.values()].sort(inOrder))
  }
  const names = routed.map(({ route }) => operationId(route.name))
  const shown = Object.keys(examples)
  return {
    unexampled: [
      ...names
        .filter(name => !shown.includes(name))
        .map(name => `${name} has no example: use it in rest/examples/*.ts and run npm run examples`),
      ...shown
        .filter(name => !names.includes(name))
        .map(name => `${name} has an example and is no operation: run npm run examples`),
    ],
    files: new Map([
      [join(directory, 'generated', 'routes.ts'), routesModule(routed)],
      [join(directory, 'generated', 'tools.ts'), toolsModule(plans)],
      [join(directory, 'openapi.json'), `${JSON.stringify(document, null, 2)}\n`],
      ...(webhooks ? [[join(directory, 'webhooks.json'), `${JSON.stringify(webhooks, null, 2)}\n`] as const] : []),
    ]),
  }
}
