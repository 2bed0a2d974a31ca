// The payments and anchors of an agent together, as a connection.
import { queryFromInfo } from '@pothos/plugin-prisma'
import { resolveCursorConnection } from '@pothos/plugin-relay'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { unreadableCursor } from '../../kit/entry-cursor.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { AnchorType } from '../anchoring/type.ts'
import { readNodes } from '../nodes/read.ts'
import { PaymentType } from '../payments/type.ts'
import { activityIdsOf, countActivity } from './activity.ts'
import { spanArguments, spanOf } from './span.ts'

const maxSize = 200
// Half a microsecond each, and the unit is a tenth of a millisecond.
const entriesPerUnit = 200

type Node = typeof ActivityType.$inferType

const ActivityType = builder.unionType('AgentActivity', {
  description: 'What an agent did: it paid this service, or had a hash anchored.',
  types: [PaymentType, AnchorType],
})

builder.prismaObjectField('Agent', 'activity', t =>
  t.connection(
    {
      type: ActivityType,
      errors: ['too_many_requests'],
      description: `Payments and anchors of the agent in the last days: payments at the time of verification, anchors at that of creation. Newest first, at most ${maxSize} a page. It also costs 1 for each ${entriesPerUnit} entries in the time. \`network\` and \`status\` differ between the two types: give one an alias.`,
      args: argumentsOf(spanArguments),
      extensions: { cost: 10, listSize: connectionSize(20, maxSize) },
      resolve: async (agent, args, context, info) => {
        const span = spanOf(agent, parse(spanArguments, args))
        const connection = await resolveCursorConnection<Promise<Node[]>>(
          { args, defaultSize: 20, maxSize, toCursor: (node: Node) => node.id },
          async page => {
            const { found, areKnown, read } = await activityIdsOf(context, span, page)
            context.allowance.spend(Math.floor(read / entriesPerUnit))
            if (!areKnown) throw unreadableCursor(page.after === undefined ? 'before' : 'after')
            const ids = Map.groupBy(found, ({ type }) => type)
            const nodes = await readNodes(
              context,
              new Map([...ids].map(([type, of]) => [type, of.map(({ id }) => id)])),
              typeName => queryFromInfo({ context, info, typeName, paths: [['nodes'], ['edges', 'node']] }),
            )
            return found.flatMap(({ id }) => (nodes.get(id) as Node | undefined) ?? [])
          },
        )
        return { ...connection, totalCount: () => countActivity(context, span) }
      },
    },
    // Pothos types the entries of a union otherwise where it takes them than where it makes them.
    connectionType(ActivityType, 'AgentActivity', 'A payment or an anchor') as never,
  ),
)
