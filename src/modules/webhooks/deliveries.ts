// Deliveries as a connection: of the caller's project, and to an endpoint.
import { z } from 'zod'
import { onlyOf, ownedBy, type Principal } from '../../core/principal.ts'
import { anyOf } from '../../core/ranges.ts'
import { uuid } from '../../core/text.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { entryCursors, serialId } from '../../kit/entry-cursor.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { DeliveryType, deliveryStatus } from './type.ts'

// A delivery is deleted in time. Its number remains a place in the list, and so does any other number.
entryCursors('WebhookDelivery', serialId, async () => true)

const DeliveryConnection = connectionType(DeliveryType, 'WebhookDelivery', 'A delivery')

const page = { cursor: 'id', maxSize: 100, defaultSize: 20 } as const
const newestFirst = { id: 'desc' as const }

const deliveryFilter = z
  .strictObject({
    receiptId: uuid.nullish().describe('Deliveries of events about this receipt.'),
    endpointId: uuid.nullish().describe('Deliveries to this endpoint.'),
    statuses: anyOf(deliveryStatus).describe('Deliveries with one of these statuses.'),
    projectId: uuid.nullish().describe('Deliveries of events of this project.'),
  })
  .meta({ graphql: 'WebhookDeliveryFilter', description: 'Selects deliveries that meet all the given conditions.' })
const listArguments = z.object({ filter: deliveryFilter.nullish().describe('Which deliveries; all unless given.') })

function visibleDeliveries(principal: Principal, args: object): Prisma.WebhookDeliveryWhereInput {
  const { receiptId, endpointId, statuses, projectId } = parse(listArguments, args).filter ?? {}
  const filter = {
    ...(receiptId && { receiptId }),
    ...(endpointId && { endpointId }),
    ...(statuses && { state: { in: statuses } }),
  }
  return { AND: [ownedBy(principal), filter, onlyOf({ projectId })] }
}

builder.queryField('webhookDeliveries', t =>
  t.prismaConnection(
    {
      ...page,
      type: DeliveryType,
      totalCount: (_, args, { db, principal }) =>
        db.webhookDelivery.count({ where: visibleDeliveries(principal, args) }),
      description:
        'Deliveries of events of the caller’s project, newest first, also those to the `callbackUrl` of receipts; all for a service administrator.',
      args: argumentsOf(listArguments),
      access: 'read',
      input: listArguments,
      errors: [],
      extensions: { listSize: connectionSize(20, 100) },
      resolve: (query, _, args, { db, principal }) =>
        db.webhookDelivery.findMany({ ...query, where: visibleDeliveries(principal, args), orderBy: newestFirst }),
    },
    DeliveryConnection,
  ),
)

builder.prismaObjectField('WebhookEndpoint', 'deliveries', t =>
  t.relatedConnection(
    'deliveries',
    {
      ...page,
      totalCount: true,
      query: { orderBy: newestFirst },
      extensions: { listSize: connectionSize(20, 100), cost: 1 },
      description: 'Deliveries to the endpoint, newest first.',
    },
    DeliveryConnection,
  ),
)
