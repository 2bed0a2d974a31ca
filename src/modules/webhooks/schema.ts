// The GraphQL queries for webhook endpoints: of the caller, of a project, and by their ids.
import { z } from 'zod'
import { onlyOf, type Principal } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { endpointById, mostEndpoints, visibleEndpoints } from './endpoints.ts'
import { EndpointType } from './type.ts'

nodeType('WebhookEndpoint', {
  table: 'webhook_endpoints',
  access: 'read',
  read: ({ db, principal }, query) =>
    db.webhookEndpoint.findMany({ ...query, where: { ...query.where, ...visibleEndpoints(principal) } }),
})

const EndpointConnection = connectionType(EndpointType, 'WebhookEndpoint', 'An endpoint')

const newestFirst = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]

const endpointFilter = z
  .strictObject({ projectId: uuid.nullish().describe('Endpoints of this project.') })
  .meta({ graphql: 'WebhookEndpointFilter', description: 'Selects endpoints that meet all the given conditions.' })
const listArguments = z.object({ filter: endpointFilter.nullish().describe('Which endpoints; all unless given.') })

const listed = (principal: Principal, args: object): Prisma.WebhookEndpointWhereInput => ({
  AND: [visibleEndpoints(principal), onlyOf(parse(listArguments, args).filter)],
})

builder.queryField('webhookEndpoints', t =>
  t.prismaConnection(
    {
      type: EndpointType,
      cursor: 'id',
      maxSize: 200,
      defaultSize: mostEndpoints,
      totalCount: (_, args, { db, principal }) => db.webhookEndpoint.count({ where: listed(principal, args) }),
      description:
        'The endpoints to which events of the caller’s project are sent, newest first, at most 200 a page; those of all projects for a service administrator.',
      args: argumentsOf(listArguments),
      access: 'read',
      input: listArguments,
      errors: [],
      extensions: { listSize: connectionSize(mostEndpoints, 200) },
      resolve: (query, _, args, { db, principal }) =>
        db.webhookEndpoint.findMany({ ...query, where: listed(principal, args), orderBy: newestFirst }),
    },
    EndpointConnection,
  ),
)

builder.prismaObjectField('Project', 'webhookEndpoints', t =>
  t.relatedConnection(
    'webhookEndpoints',
    {
      cursor: 'id',
      maxSize: mostEndpoints,
      defaultSize: mostEndpoints,
      totalCount: true,
      authScopes: project => ({ project: project.id }),
      query: { where: { deletedAt: null }, orderBy: newestFirst },
      extensions: { listSize: connectionSize(mostEndpoints, mostEndpoints), cost: 1 },
      description: 'The endpoints to which the project’s events are sent, newest first.',
    },
    EndpointConnection,
  ),
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
