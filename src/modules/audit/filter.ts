// Filter of audit lists.
import { z } from 'zod'
import { anyOf, momentRange, within } from '../../core/ranges.ts'
import { text } from '../../core/text.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

const auditFilter = z
  .strictObject({
    actions: anyOf(text()).describe('Of one of these actions, for instance `receipt.record`.'),
    objectTypes: anyOf(text()).describe('About objects of one of these types, for instance `receipt`.'),
    objectIds: anyOf(text()).describe('About one of the objects with these ids.'),
    actors: anyOf(text()).describe('By one of these actors.'),
    createdAt: momentRange.nullish().describe('Written in this range of time.'),
  })
  .meta({ graphql: 'AuditEventFilter', description: 'Which audit events; all conditions hold together.' })

export const auditListArguments = z.object({
  filter: auditFilter.nullish().describe('Which events; all unless given.'),
})

/** Returns the part of a query that the filter decides. Errors: `validation_failed`. */
export function auditQuery({ filter }: z.output<typeof auditListArguments>) {
  const { actions, objectTypes, objectIds, actors, createdAt } = filter ?? {}
  const where: Prisma.AuditEventWhereInput = {
    ...(actions && { action: { in: actions } }),
    ...(objectTypes && { objectType: { in: objectTypes } }),
    ...(objectIds && { objectId: { in: objectIds } }),
    ...(actors && { actor: { in: actors } }),
    ...(createdAt && { createdAt: within(createdAt, ['filter', 'createdAt']) }),
  }
  return { where, orderBy: { id: 'desc' as const } }
}
