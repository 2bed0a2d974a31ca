// The anchors of an agent, as a connection.
import { queryFromInfo } from '@pothos/plugin-prisma'
import { resolveCursorConnection } from '@pothos/plugin-relay'
import type { GraphQLResolveInfo } from 'graphql'
import { z } from 'zod'
import type { Agent, Anchor, Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import type { Context } from '../../kit/context.ts'
import { unreadableCursor } from '../../kit/entry-cursor.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { anchorIdsOf, anchorStatuses, countAnchors, hasAnchor, statusOf } from './activity.ts'
import { spanArguments, spanOf } from './span.ts'
import { AnchorStatusEnum } from './type.ts'

const maxSize = 200

const AgentAnchorType = builder.prismaObject('Anchor', {
  variant: 'AgentAnchor',
  description: 'A hash that was or will be anchored for an agent.',
  fields: t => ({
    bundleHash: t.expose('bundleHash', { type: 'Hash32', description: 'The hash, 0x-prefixed.' }),
    anchorTx: t.field({
      type: 'Hash32',
      nullable: true,
      select: { transaction: { select: { txid: true } } },
      description: 'Id of the anchor transaction, 0x-prefixed; null until the transaction is sent.',
      resolve: ({ transaction }) => transaction?.txid ?? null,
    }),
    chain: t.exposeString('chain', { description: 'Name of the anchoring chain.' }),
    status: t.field({
      type: AnchorStatusEnum,
      select: { state: true, receipt: { select: { status: true } } },
      description: 'Status of the anchor.',
      resolve: statusOf,
    }),
    anchoredAt: t.field({
      type: 'DateTime',
      nullable: true,
      select: { transaction: { select: { blockTime: true } } },
      description: 'Block time of the anchor.',
      resolve: ({ transaction }) => transaction?.blockTime ?? null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the anchor was created.' }),
    anchor: t.variant('Anchor', { description: 'The anchor itself, with its receipt and its transaction.' }),
  }),
})

const extensions = { cost: 10, listSize: connectionSize(20, maxSize) }

export const anchorArguments = z.object({
  ...spanArguments.shape,
  status: z.enum(anchorStatuses).nullish().describe('Only anchors in this status.'),
})

export const AgentAnchorConnection = connectionType(AgentAnchorType, 'AgentAnchor', 'An anchor')

type Asked = { args: Parameters<typeof resolveCursorConnection>[0]['args']; context: Context; info: GraphQLResolveInfo }

async function anchorsOf(agent: Agent, own: z.output<typeof anchorArguments>, { args, context, info }: Asked) {
  const { status = null, ...days } = own
  const span = spanOf(agent, days)
  const query = queryFromInfo({ context, info, typeName: 'AgentAnchor', paths: [['nodes'], ['edges', 'node']] })
  const connection = await resolveCursorConnection<Promise<Anchor[]>>(
    { args, defaultSize: 20, maxSize, toCursor: ({ id }) => id },
    async page => {
      for (const name of ['after', 'before'] as const) {
        const cursor = page[name]
        if (cursor !== undefined && !(await hasAnchor(context, span, cursor))) throw unreadableCursor(name)
      }
      const ids = await anchorIdsOf(context, span, status, page)
      const find: Prisma.AnchorFindManyArgs = { where: { id: { in: ids } } }
      const anchors = await context.db.anchor.findMany({ ...find, ...(query as typeof find) })
      const byId = new Map(anchors.map(anchor => [anchor.id, anchor]))
      return ids.flatMap(id => byId.get(id) ?? [])
    },
  )
  return { ...connection, totalCount: () => countAnchors(context, span, status) }
}

const which = `of hashes that it requested, of receipts that record payments of its wallet, and those that its anchor wallet sent. Newest first, at most ${maxSize} a page.`

builder.prismaObjectField('Agent', 'anchors', t =>
  t.connection(
    {
      type: AgentAnchorType,
      description: `The anchors of the agent: ${which}`,
      args: argumentsOf(anchorArguments, { status: AnchorStatusEnum }),
      extensions,
      resolve: (agent, args, context, info) => anchorsOf(agent, parse(anchorArguments, args), { args, context, info }),
    },
    AgentAnchorConnection,
  ),
)

/** For the same list as a root field. */
export const anchorsField = { type: AgentAnchorType, description: which, extensions, read: anchorsOf }
