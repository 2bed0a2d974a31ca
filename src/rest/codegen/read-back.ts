// The members that the body of a PUT may repeat from the answer of the GET of its path.
import type { JsonSchema } from '../scalars.ts'
import type { Plan } from './plan.ts'
import { leafSchema } from './responses.ts'
import type { Member } from './shape-type.ts'

/** Notes them in the plan of a PUT. */
export function addReadBack(plan: Plan, plans: readonly Plan[]): void {
  const { route, params } = plan
  const read = plans.find(({ route: { method, path } }) => method === 'GET' && path === route.path)
  const isBodied = route.method === 'PUT' && params.some(param => param.in === 'body' && !param.whole)
  if (!isBodied || read?.shape.kind !== 'object') return
  const own = new Set(params.flatMap(({ name, olderName = name }) => [name, olderName]))
  const members = read.shape.variants.flat().filter(({ key }) => !own.has(key))
  if (members.length === 0) return
  plan.readBack = members
  plan.route.asRead = members.map(({ key }) => key)
}

const text = 'As it was read: the request is refused when it differs, because it is not changed here.'

/** Adds them to the schema of a body. */
export const withReadBack = (body: JsonSchema, { readBack = [] }: Plan): JsonSchema =>
  readBack.length === 0
    ? body
    : { ...body, properties: { ...Object(body.properties), ...Object.fromEntries(readBack.map(propertyOf)) } }

const propertyOf = ({ key, shape }: Member) => [
  key,
  { ...(shape.kind === 'leaf' && leafSchema(shape)), readOnly: true, description: text },
]
