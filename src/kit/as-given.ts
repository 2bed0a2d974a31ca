// Tells a member that is null from one that was not sent, which graphql-jit does not: in an object of the document, it
// makes a member null whose variable has no value, although GraphQL leaves the member out.
import { type GraphQLResolveInfo, Kind, type ValueNode } from 'graphql'

type Values = Readonly<Record<string, unknown>>

/** Returns an argument without the members whose variables were not sent. */
export function asGiven(value: unknown, argument: string, info: GraphQLResolveInfo): unknown {
  const node = info.fieldNodes[0]?.arguments?.find(({ name }) => name.value === argument)
  return node ? sent(value, node.value, info.variableValues.coerced) : value
}

function sent(value: unknown, node: ValueNode, variables: Values): unknown {
  if (node.kind === Kind.LIST && Array.isArray(value))
    return value.map((item, index) => (node.values[index] ? sent(item, node.values[index], variables) : item))
  if (node.kind !== Kind.OBJECT || typeof value !== 'object' || value === null) return value
  const members = new Map(node.fields.map(field => [field.name.value, field.value]))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const given = members.get(name)
      if (given?.kind === Kind.VARIABLE && member === null && variables[given.name.value] === undefined) return []
      return [[name, given ? sent(member, given, variables) : member]]
    }),
  )
}
