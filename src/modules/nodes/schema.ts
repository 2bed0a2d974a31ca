// Finds objects of any type by their ids, as Relay asks for them.
import { queryFromInfo } from '@pothos/plugin-prisma'
import type { GraphQLResolveInfo } from 'graphql'
import { z } from 'zod'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { argumentsOf } from '../../kit/input.ts'
import { Node, nodeTypes } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { writtenInSql } from '../../kit/sql/index.ts'
import { idIn, nodesInSql } from './in-sql.ts'
import { readNodes } from './read.ts'

const mostIds = 100

/** Returns the ids by the name of their type. */
async function byType({ pool }: Context, ids: string[]): Promise<Map<string, string[]>> {
  const lookups = [...nodeTypes].map(([type, { table }]) => `select '${type}' from ${table} where id = requested.id`)
  const { rows } = await pool.query<{ id: string; type: string }>({
    name: 'types-by-id',
    text: `select requested.id, found.type from unnest($1::uuid[]) as requested(id)
      cross join lateral (${lookups.join(' union all ')}) as found(type)`,
    values: [ids],
  })
  const types = new Map<string, string[]>()
  for (const { id, type } of rows) types.set(type, [...(types.get(type) ?? []), id])
  return types
}

/**
 * Reads the objects of each type with one query. One that the caller may not read is null, as one that is absent, and
 * as one whose id is malformed.
 */
async function nodesOf(context: Context, requested: string[], info: GraphQLResolveInfo) {
  const ids = requested.map(idIn)
  const types = await byType(context, [...new Set(ids.filter(id => id !== null))])
  const nodes = await readNodes(context, types, typeName => queryFromInfo({ context, info, typeName }))
  return ids.map(id => (id === null ? null : (nodes.get(id) ?? null)))
}

// The rule of a UUID would refuse all of `nodes` for one malformed id.
const anyId = z.string().meta({ graphql: 'ID' })
const oneId = z.strictObject({ id: anyId.describe('The object’s UUID.') })

builder.queryField('node', t =>
  t.field({
    type: Node,
    nullable: true,
    description: 'One object of any type by its id; null when there is none that the caller may read.',
    args: argumentsOf(oneId),
    access: 'public',
    input: oneId,
    errors: [],
    extensions: {
      cost: 2,
      ...writtenInSql<Context>((planner, { nodes, args, context }) => [
        nodesInSql(planner, context, nodes, [parse(oneId, args).id]),
      ]),
    },
    resolve: async (_, args, context, info) => {
      const [node = null] = await nodesOf(context, [parse(oneId, args).id], info)
      return node
    },
  }),
)

const manyIds = z.strictObject({
  ids: z.array(anyId).max(mostIds, `At most ${mostIds} ids.`).describe(`UUIDs of objects, at most ${mostIds}.`),
})

builder.queryField('nodes', t =>
  t.field({
    type: [Node],
    nullable: { list: true, items: true },
    description: 'Objects of any type by their ids, in the order of the ids; null for each that `node` does not find.',
    args: argumentsOf(manyIds),
    access: 'public',
    input: manyIds,
    errors: [],
    extensions: {
      cost: 2,
      listSize: { assumedSize: mostIds, slicingArguments: ['ids'], maxSize: mostIds },
      ...writtenInSql<Context>((planner, { nodes, args, context }) => [
        '[',
        nodesInSql(planner, context, nodes, parse(manyIds, args).ids),
        ']',
      ]),
    },
    resolve: (_, args, context, info) => nodesOf(context, parse(manyIds, args).ids, info),
  }),
)
