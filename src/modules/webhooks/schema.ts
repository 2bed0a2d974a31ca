// The GraphQL queries for webhook endpoints and deliveries.

import { z } from 'zod'
import { ownedBy } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { endpointById, mostEndpoints, visibleEndpoints } from './endpoints.ts'
import { DeliveryStateEnum, DeliveryType, deliveryStates, EndpointType } from './type.ts'

nodeType('WebhookEndpoint', {
  table: 'webhook_endpoints',
  access: 'read',
  read: ({ db, principal }, asked) =>
    db.webhookEndpoint.findMany({ ...asked, where: { ...asked.where, ...visibleEndpoints(principal) } }),
})

builder.queryField('webhookEndpoints', t =>
  t.prismaField({
    type: [EndpointType],
    description:
      'The endpoints to which events of the caller’s project are sent, newest first; the newest 200 of all projects for a service administrator.',
    access: 'read',
    errors: [],
    extensions: { listSize: { assumedSize: mostEndpoints, maxSize: 200 } },
    resolve: (query, _, __, { db, principal }) =>
      db.webhookEndpoint.findMany({
        ...query,
        where: visibleEndpoints(principal),
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: 200,
      }),
  }),
)

builder.queryField('webhookEndpoint', t =>
  t.prismaField({
    type: EndpointType,
    nullable: true,
    description: 'One endpoint of the caller’s project; null when there is none.',
    args: argumentsOf(endpointById),
    access: 'read',
    input: endpointById,
    errors: [],
    resolve: (query, _, args, { db, principal }) =>
      db.webhookEndpoint.findFirst({
        ...query,
        where: { id: parse(endpointById, args).id, ...visibleEndpoints(principal) },
      }),
  }),
)

const deliveryFilter = z.object({
  receiptId: uuid.nullish().describe('Only deliveries of events about this receipt.'),
  endpointId: uuid.nullish().describe('Only deliveries to this endpoint.'),
  state: z.enum(deliveryStates).nullish().describe('Only deliveries in this state.'),
})

builder.queryField('webhookDeliveries', t =>
  t.prismaConnection(
    {
      type: DeliveryType,
      cursor: 'id',
      maxSize: 100,
      defaultSize: 20,
      description:
        'Deliveries of events of the caller’s project, newest first, also those to the `callback_url` of receipts; all for a service administrator.',
      args: argumentsOf(deliveryFilter, { state: DeliveryStateEnum }),
      access: 'read',
      input: deliveryFilter,
      errors: [],
      extensions: { listSize: connectionSize(20, 100) },
      resolve: (query, _, args, { db, principal }) => {
        const { receiptId, endpointId, state } = parse(deliveryFilter, args)
        return db.webhookDelivery.findMany({
          ...query,
          where: {
            ...ownedBy(principal),
            ...(receiptId && { receiptId }),
            ...(endpointId && { endpointId }),
            ...(state && { state }),
          },
          orderBy: { id: 'desc' },
        })
      },
    },
    { name: 'WebhookDeliveryConnection' },
    { name: 'WebhookDeliveryEdge' },
  ),
)
