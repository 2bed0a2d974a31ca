// A PUT accepts what the GET of the same path answers: members that the PUT does not change are accepted when they are
// as they were read.
import { isDeepStrictEqual } from 'node:util'
import { type GraphQLSchema, parse } from 'graphql'
import type { Context } from '../kit/context.ts'
import type { OperationCost } from '../kit/operation-cost.ts'
import type { Body } from './body.ts'
import { failing, type Log } from './failure.ts'
import type { WireIssue } from './faults.ts'
import { prepare, type Variables } from './prepared.ts'
import { rewritten } from './rewrite.ts'
import type { Route } from './route.ts'

// Changes with every write, so that an older one says nothing about what the caller wants.
const always = 'updated_at'

const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value))

type Caller = { context: Context; charge(cost: OperationCost): void }

/** Returns a function that adds an issue for each such member of a body that differs from what the GET answers now. */
export function readBack(schema: GraphQLSchema, route: Route, routes: readonly Route[], log: Log) {
  const get = routes.find(({ method, path }) => method === 'GET' && path === route.path)
  if (route.asRead === undefined || get === undefined) return null
  const prepared = prepare(schema, parse(get.document, { noLocation: true }))
  const known = route.asRead
  const inPath = new Set(get.params.map(({ variable }) => variable))

  return async (body: Body, sent: Variables, { context, charge }: Caller, issues: WireIssue[]) => {
    const own = body.isPresent && typeof body.value === 'object' && body.value !== null ? body.value : {}
    const members = Object.entries(own).filter(([name]) => known.includes(name))
    if (members.length === 0 || prepared.kind !== 'once') return
    const variables = Object.fromEntries(Object.entries(sent).filter(([name]) => inPath.has(name)))
    // Part of the write.
    charge({ ...prepared.cost(variables), isWrite: true })
    const result = await prepared.run(variables, context)
    if (result.errors?.length) throw failing(result, log)
    const value = rewritten(result.data?.[get.root], get.rewrite, variables)
    // The operation itself reports what is absent.
    if (typeof value !== 'object' || value === null) return
    const present = new Map(Object.entries(JSON.parse(JSON.stringify(value))))
    for (const [name, member] of members)
      if (name === always ? !isTime(member) : !isDeepStrictEqual(member, present.get(name)))
        issues.push({
          loc: ['body', name],
          msg: 'Input should be as it was read: it is not changed here',
          type: 'value_error',
        })
  }
}
