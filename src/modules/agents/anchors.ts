// The anchors of an agent, as a connection.
import { queryFromInfo } from '@pothos/plugin-prisma'
import { resolveCursorConnection } from '@pothos/plugin-relay'
import { z } from 'zod'
import type { Anchor, Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
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

const anchorArguments = z.object({
  ...spanArguments.shape,
  status: z.enum(anchorStatuses).nullish().describe('Only anchors in this status.'),
})

builder.queryField('agentAnchors', t =>
  t.connection(
    {
      type: AgentAnchorType,
      description: `The anchors of an agent of the caller’s project: of hashes that it requested, of receipts that record payments of its wallet, and those that its anchor wallet sent. Newest first, at most ${maxSize} a page.`,
      args: argumentsOf(anchorArguments, { status: AnchorStatusEnum }),
      access: 'read',
      input: anchorArguments,
      errors: ['not_found'],
      extensions: { cost: 10, listSize: connectionSize(20, maxSize) },
      resolve: async (_, args, context, info) => {
        const { status = null, ...filter } = parse(anchorArguments, args)
        const span = await spanOf(context, filter)
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
      },
    },
    connectionType(AgentAnchorType, 'AgentAnchor', 'An anchor'),
  ),
)
