// Filters of audit lists: those of the caller, within the events that the caller may see.
import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { between, moment } from '../../core/moment.ts'
import { ownedBy, type Principal } from '../../core/principal.ts'
import { text } from '../../core/text.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

export const auditFilter = {
  action: text().nullish().describe('Only this action, for instance `receipt.record`.'),
  objectType: text().nullish().describe('Only events about objects of this type, for instance `receipt`.'),
  objectId: text().nullish().describe('Only events about the object with this id.'),
  dateFrom: moment.nullish().describe('Only events at or after this date or RFC 3339 timestamp (UTC).'),
  dateTo: moment
    .nullish()
    .describe('Only events at or before this RFC 3339 timestamp, or on or before this date (UTC).'),
}
const schema = z.strictObject(auditFilter)

/** A project's keys see its events, a service administrator sees all. */
export function auditWhere(principal: Principal, filter: z.output<typeof schema>): Prisma.AuditEventWhereInput {
  const createdAt = between(filter.dateFrom, filter.dateTo)
  if (createdAt === null) {
    throw invalid([{ path: ['dateTo'], message: 'Must not be before `dateFrom`.', type: 'value_error' }])
  }
  return {
    ...ownedBy(principal),
    ...(filter.action && { action: filter.action }),
    ...(filter.objectType && { objectType: filter.objectType }),
    ...(filter.objectId && { objectId: filter.objectId }),
    createdAt,
  }
}

export const newestFirst = { id: 'desc' } as const
