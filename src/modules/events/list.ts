// The events of a receipt as a connection.
import { prismaConnectionHelpers } from '@pothos/plugin-prisma'
import { may, ownedBy, type Principal } from '../../core/principal.ts'
import type { Event, Prisma, Receipt } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import type { Context } from '../../kit/context.ts'
import { entryCursors, serialId } from '../../kit/entry-cursor.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { asRelation } from '../../kit/sql/index.ts'
import type { ReceiptEvent } from './receipt-event.ts'
import { ReceiptEventType } from './schema.ts'

const maxSize = 100

// The number of an event is its place in the list, and so is any other number.
entryCursors('ReceiptEvent', serialId, async () => true)

/** A refund is a receipt of its own, which only the project and administrators find. */
function visibleEvents(principal: Principal): Prisma.EventWhereInput {
  if (principal.kind === 'admin') return {}
  const ofAnyone = { type: { not: 'receipt.refunded' } }
  return may(principal, 'read') ? { OR: [ofAnyone, ownedBy(principal)] } : ofAnyone
}

const page = prismaConnectionHelpers(builder, 'Event', {
  cursor: 'id',
  maxSize,
  defaultSize: 10,
  query: (_, { principal }: Context) => ({ where: visibleEvents(principal), orderBy: { id: 'asc' as const } }),
  select: () => ({
    id: true,
    type: true,
    status: true,
    bundleHash: true,
    ledgerTxid: true,
    anchoredAt: true,
    createdAt: true,
  }),
})

builder.prismaObjectField('Receipt', 'events', t =>
  t.connection(
    {
      type: ReceiptEventType,
      select: (args, context, nested) => ({
        events: page.getQuery(args, context, nested),
        _count: { select: { events: { where: visibleEvents(context.principal) } } },
      }),
      extensions: { listSize: connectionSize(10, maxSize), cost: 0.5, ...asRelation('events') },
      description: 'What happened to the receipt, oldest first, each with the values right after the change.',
      resolve: (receipt, args, context) => {
        const { edges, pageInfo } = page.resolve(receipt.events, args, context)
        return {
          edges: edges.map(({ cursor, node }) => ({ cursor, node: eventOf(receipt, node) })),
          pageInfo,
          totalCount: receipt._count.events,
        }
      },
    },
    connectionType(ReceiptEventType, 'ReceiptEvent', 'An event'),
  ),
)

type Row = Pick<Event, 'id' | 'type' | 'status' | 'bundleHash' | 'ledgerTxid' | 'anchoredAt' | 'createdAt'>

const eventOf = (receipt: Receipt, { id, status, createdAt, ...event }: Row): ReceiptEvent => ({
  ...event,
  id: String(id),
  status: status ?? receipt.status,
  receiptId: receipt.id,
  occurredAt: createdAt,
  refundOfId: receipt.refundOfId,
})
