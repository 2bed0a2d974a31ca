// Objects that are rows of an expression, such as sums: their leaves are its columns of the same names.
import { GraphQLObjectType, getNamedType, isNonNullType } from 'graphql'
import { leafOf } from './leaf.ts'
import type { Planner } from './planner.ts'
import { fieldsOf, type Nodes, selectionsOf } from './selection.ts'
import { NotInSql, objectOf, type Piece } from './statement.ts'

/** Writes the value of a field with objects of their own. */
type Write = (type: GraphQLObjectType, nodes: Nodes) => Piece[]

/** Returns the pieces of the object that stands for a row of `alias`. */
export const computedObject = (
  planner: Planner,
  type: GraphQLObjectType,
  nodes: Nodes,
  alias: string,
  others: Readonly<Record<string, Write>> = {},
): Piece[] =>
  objectOf(
    [...fieldsOf(planner.document, type, selectionsOf(nodes))].map(([key, nodes]) => {
      const name = nodes[0].name.value
      if (name === '__typename') return [key, [JSON.stringify(type.name)]]
      const field = type.getFields()[name]
      if (!field) throw new NotInSql(`${type.name}.${name}`)
      const inner = getNamedType(field.type)
      if (inner instanceof GraphQLObjectType) {
        const write = others[name]
        if (!write) throw new NotInSql(`${type.name}.${name}`)
        return [key, write(inner, nodes)]
      }
      return [
        key,
        leafOf(field.type, { sql: `${alias}.${name}`, mayBeNull: !isNonNullType(field.type), isUuid: false }),
      ]
    }),
  )
