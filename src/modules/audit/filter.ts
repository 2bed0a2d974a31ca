// Filter and order of audit lists.
import { z } from 'zod'
import { onlyOf } from '../../core/principal.ts'
import { anyOf, direction, momentRange, within } from '../../core/ranges.ts'
import { text, uuid } from '../../core/text.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

const auditFilter = z
  .strictObject({
    actions: anyOf(text()).describe('Events with one of these actions, for instance `receipt.record`.'),
    objectTypes: anyOf(text()).describe('Events about objects of one of these types, for instance `receipt`.'),
    objectIds: anyOf(text()).describe('Events about one of the objects with these ids.'),
    actors: anyOf(text()).describe('Events of one of these actors.'),
    createdAt: momentRange.nullish().describe('Events that were written in this range of time.'),
    projectId: uuid.nullish().describe('Events of this project.'),
  })
  .meta({ graphql: 'AuditEventFilter', description: 'Selects audit events that meet all the given conditions.' })

const auditOrder = z
  .strictObject({
    field: z
      .enum(['created_at'])
      .meta({
        graphql: 'AuditEventOrderField',
        description: 'What audit events are ordered by.',
        values: { created_at: 'When it was written.' },
      })
      .describe('What to order by.'),
    direction: direction.describe('Ascending or descending.'),
  })
  .meta({ graphql: 'AuditEventOrder', description: 'The order of audit events.' })

export const auditListArguments = z.object({
  filter: auditFilter.nullish().describe('Which events; all unless given.'),
  orderBy: auditOrder.nullish().describe('The order; newest first unless given.'),
})

/** Returns the part of a query that filter and order decide. */
export function auditQuery({ filter, orderBy }: z.output<typeof auditListArguments>) {
  const { actions, objectTypes, objectIds, actors, createdAt, projectId } = filter ?? {}
  const where: Prisma.AuditEventWhereInput = {
    ...(actions && { action: { in: actions } }),
    ...(objectTypes && { objectType: { in: objectTypes } }),
    ...(objectIds && { objectId: { in: objectIds } }),
    ...(actors && { actor: { in: actors } }),
    ...(createdAt && { createdAt: within(createdAt) }),
    // Beside the project of the caller, and not in its place.
    AND: onlyOf({ projectId }),
  }
  const order = orderBy?.direction ?? 'desc'
  return {
    where,
    orderBy: [{ createdAt: order }, { id: order }] satisfies Prisma.AuditEventOrderByWithRelationInput[],
  }
}
