// Adds the violations of a field's zod rules to the faults found in reading, so that one response lists all of them.
import { type DocumentNode, type GraphQLField, type GraphQLSchema, getOperationAST } from 'graphql'
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import { parse } from '../kit/parse.ts'
import { wireLoc, wireMessage } from './failure.ts'
import type { WireIssue } from './faults.ts'
import type { Variables } from './prepared.ts'
import type { Loc, Route } from './route.ts'

type Arguments = { [key: string]: unknown }
type Field = GraphQLField<unknown, unknown>

/**
 * Returns the arguments of the root field, and not those of fields within, as far as they were read, by the reverse of
 * `feeds`.
 */
function argumentsOf({ params, feeds }: Route, field: Field, variables: Variables): Arguments {
  const args: Arguments = {}
  for (const [path, loc] of Object.entries(feeds)) {
    const param = params.find(({ in: place, name, whole }) => place === loc[0] && (whole || name === loc[1]))
    if (!field.args.some(({ name }) => name === path.split('.')[0])) continue
    const keys = (param?.single ? path.slice(0, -2) : path).split('.')
    const last = keys.pop()
    let target = args
    for (const key of keys) {
      const inner: Arguments = {}
      const known = target[key]
      target[key] = isArguments(known) ? known : inner
      target = isArguments(known) ? known : inner
    }
    if (param && last !== undefined && variables[param.variable] !== undefined) target[last] = variables[param.variable]
  }
  return args
}

const isArguments = (value: unknown): value is Arguments => typeof value === 'object' && value !== null

const covers = (outer: Loc, loc: Loc) => outer.every((part, index) => part === loc[index])

/** The returned function adds the violations of rules to `issues`, except for values that already have an issue. */
export function ruleIssues(route: Route, field: Field | null) {
  const rules = field?.extensions.input
  return (variables: Variables, issues: WireIssue[]): void => {
    if (field === null || !(rules instanceof z.ZodType)) return
    const read = issues.slice()
    try {
      parse(rules, argumentsOf(route, field, variables))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      for (const { path, message, type } of error.issues) {
        const loc = wireLoc(path, route.feeds)
        const fed = Object.values(route.feeds).some(place => covers(place, loc))
        // A value that contains an unreadable part cannot be judged as a whole.
        if (fed && !read.some(issue => covers(issue.loc, loc) || covers(loc, issue.loc)))
          issues.push({ loc, msg: wireMessage(message, path, route.feeds), type })
      }
    }
  }
}

/** Returns the definition of a route's single root field. */
export function rootField(schema: GraphQLSchema, document: DocumentNode): GraphQLField<unknown, unknown> | null {
  const operation = getOperationAST(document)
  const [root] = operation?.selectionSet.selections ?? []
  if (!operation || root?.kind !== 'Field') return null
  return schema.getRootType(operation.operation)?.getFields()[root.name.value] ?? null
}
