// The GraphQL types of a connection of groups. It goes forward only, because it is computed from its start.
import type { ObjectRef } from '@pothos/core'
import { builder } from '../builder.ts'
import { offsetCursor } from '../offset-cursor.ts'
import type { Groups } from './read.ts'

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Schema> ? Schema : never
type Edge<Group> = { node: Group; cursor: string }

const edgesOf = <Group>({ groups, skipped }: Groups<Group>): Edge<Group>[] =>
  groups.map((node, index) => ({ node, cursor: offsetCursor(skipped + index + 1) }))

/** `name`: the name of the type of a group. */
export function groupConnectionType<Group>(type: ObjectRef<Types, Group>, name: string) {
  const EdgeType = builder.objectRef<Edge<Group>>(`${name}Edge`).implement({
    description: 'A group and its place in the list.',
    fields: t => ({
      node: t.field({ type, description: 'The group.', resolve: ({ node }) => node as never }),
      cursor: t.exposeString('cursor', { description: 'The place of the group in the list.' }),
    }),
  })
  return builder.objectRef<Groups<Group>>(`${name}Connection`).implement({
    description: 'One page of groups.',
    fields: t => ({
      edges: t.field({ type: [EdgeType], description: 'The groups with their places.', resolve: edgesOf }),
      nodes: t.field({ type: [type], description: 'The groups.', resolve: ({ groups }) => groups as never }),
      pageInfo: t.field({
        type: builder.pageInfoRef(),
        description: 'Whether groups precede and follow the page, and the cursors of its ends.',
        resolve: page => {
          const edges = edgesOf(page)
          return {
            hasNextPage: page.total > page.skipped + page.groups.length,
            hasPreviousPage: page.skipped > 0,
            startCursor: edges.at(0)?.cursor ?? null,
            endCursor: edges.at(-1)?.cursor ?? null,
          }
        },
      }),
      totalCount: t.exposeInt('total', { description: 'Groups on all pages.' }),
    }),
  })
}
