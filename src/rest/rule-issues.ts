// Tells, beside what could not be read, what the rules of the field say of the rest: all that is wrong at once.
import { type DocumentNode, type GraphQLField, type GraphQLSchema, getOperationAST } from 'graphql'
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import { parse } from '../kit/parse.ts'
import { wireLoc } from './failure.ts'
import type { WireIssue } from './faults.ts'
import type { Variables } from './prepared.ts'
import type { Loc, Route } from './route.ts'

type Arguments = { [key: string]: unknown }

/** The arguments of the root field as far as they were read: `feeds` backwards. */
function argumentsOf({ params, feeds }: Route, variables: Variables): Arguments {
  const args: Arguments = {}
  for (const [path, loc] of Object.entries(feeds)) {
    const param = params.find(({ in: place, name, whole }) => place === loc[0] && (whole || name === loc[1]))
    const keys = path.split('.')
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

/** Adds to `issues` those of the rules that stand elsewhere in the request. */
export function ruleIssues(route: Route, field: GraphQLField<unknown, unknown> | null) {
  const rules = field?.extensions.input
  return (variables: Variables, issues: WireIssue[]): void => {
    if (!(rules instanceof z.ZodType)) return
    const read = issues.slice()
    try {
      parse(rules, argumentsOf(route, variables))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      for (const { path, message, type } of error.issues) {
        const loc = wireLoc(path, route.feeds)
        const fed = Object.values(route.feeds).some(place => covers(place, loc))
        // Of what holds something that was not read, nothing can be said as a whole.
        if (fed && !read.some(issue => covers(issue.loc, loc) || covers(loc, issue.loc)))
          issues.push({ loc, msg: message, type })
      }
    }
  }
}

/** The one root field of a route. */
export function rootField(schema: GraphQLSchema, document: DocumentNode): GraphQLField<unknown, unknown> | null {
  const operation = getOperationAST(document)
  const [root] = operation?.selectionSet.selections ?? []
  if (!operation || root?.kind !== 'Field') return null
  return schema.getRootType(operation.operation)?.getFields()[root.name.value] ?? null
}
