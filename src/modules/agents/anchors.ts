// The anchors of an agent, as a connection.
import { formatPrismaCursor, parsePrismaCursor, queryFromInfo } from '@pothos/plugin-prisma'
import { resolveCursorConnection } from '@pothos/plugin-relay'
import type { GraphQLResolveInfo } from 'graphql'
import { z } from 'zod'
import { anchorStatus } from '../../core/anchor-status.ts'
import { anyOf } from '../../core/ranges.ts'
import type { Agent, Anchor, Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { unreadableCursor } from '../../kit/entry-cursor.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { AnchorConnection, AnchorType } from '../anchoring/type.ts'
import { anchorIdsOf, countAnchors, hasAnchor } from './activity.ts'
import { spanArguments, spanOf } from './span.ts'

const maxSize = 200

type Which = Parameters<typeof anchorIdsOf>[2] & { days?: number | null | undefined }
/** `typeName`: the type of the entries. */
type Asked = {
  args: Parameters<typeof resolveCursorConnection>[0]['args']
  context: Context
  info: GraphQLResolveInfo
  typeName: 'Anchor' | 'AgentAnchor'
}

// The connection has found it to be a cursor of an anchor already.
const idIn = (cursor: string | undefined) => (cursor === undefined ? undefined : String(parsePrismaCursor(cursor)))

export async function anchorsOf(agent: Agent, { days, ...filter }: Which, { args, context, info, typeName }: Asked) {
  const span = spanOf(agent, { days })
  const query = queryFromInfo({ context, info, typeName, paths: [['nodes'], ['edges', 'node']] })
  const connection = await resolveCursorConnection<Promise<Anchor[]>>(
    { args, defaultSize: 20, maxSize, toCursor: anchor => formatPrismaCursor(anchor, 'id') },
    async page => {
      const place = { after: idIn(page.after), before: idIn(page.before) }
      for (const name of ['after', 'before'] as const) {
        const id = place[name]
        if (id !== undefined && !(await hasAnchor(context, span, id))) throw unreadableCursor(name)
      }
      const ids = await anchorIdsOf(context, span, filter, { ...page, ...place })
      const find: Prisma.AnchorFindManyArgs = { where: { id: { in: ids } } }
      const anchors = await context.db.anchor.findMany({ ...find, ...(query as typeof find) })
      const byId = new Map(anchors.map(anchor => [anchor.id, anchor]))
      return ids.flatMap(id => byId.get(id) ?? [])
    },
  )
  return { ...connection, totalCount: () => countAnchors(context, span, filter) }
}

const agentAnchorFilter = z
  .strictObject({ statuses: anyOf(anchorStatus).describe('Anchors with one of these statuses.') })
  .meta({ graphql: 'AgentAnchorFilter', description: 'Selects anchors that meet all the given conditions.' })

const anchorArguments = z.object({
  ...spanArguments.shape,
  filter: agentAnchorFilter.nullish().describe('Which anchors; all unless given.'),
})

export const anchorsSize = { cost: 10, listSize: connectionSize(20, maxSize) }
export const whichAnchors = `of hashes that it requested, of receipts that record payments of its wallet, and those that its anchor wallet sent. Newest first, at most ${maxSize} a page.`

builder.prismaObjectField('Agent', 'anchors', t =>
  t.connection(
    {
      type: AnchorType,
      description: `The anchors of the agent: ${whichAnchors}`,
      args: argumentsOf(anchorArguments),
      extensions: anchorsSize,
      resolve: (agent, args, context, info) => {
        const { days, filter } = parse(anchorArguments, args)
        return anchorsOf(agent, { days, ...filter }, { args, context, info, typeName: 'Anchor' })
      },
    },
    AnchorConnection,
  ),
)
