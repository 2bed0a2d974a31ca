// Builds the `where` of receipt lists: the caller's filters, limited to the receipts that the caller may see.
import { z } from 'zod'
import { AppError, invalid } from '../../core/errors.ts'
import { between, moment } from '../../core/moment.ts'
import { demand, ownProject, type Principal } from '../../core/principal.ts'
import { receiptStatuses } from '../../core/states.ts'
import { text, uuid } from '../../core/text.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

export const receiptFilter = {
  scope: z
    .enum(['mine', 'all'])
    .nullish()
    .meta({ default: 'mine' })
    .describe('`mine`: the receipts of the key’s project. `all`: every project’s; service administrators only.'),
  status: z
    .enum(receiptStatuses)
    .nullish()
    .describe('Only receipts in this state: pending, awaiting_anchor, anchored or failed.'),
  chain: text().nullish().describe('Only receipts of payments on this chain, by its exact name.'),
  reference: text().nullish().describe('Only receipts whose reference contains this text, taken literally.'),
  since: moment.nullish().describe('Only receipts created at or after this date or RFC 3339 timestamp (UTC).'),
  until: moment
    .nullish()
    .describe('Only receipts created at or before this RFC 3339 timestamp, or on or before this whole date (UTC).'),
  projectId: uuid.nullish().describe('Only receipts of this project.'),
}
const schema = z.strictObject(receiptFilter)
export type ReceiptFilter = z.output<typeof schema>

/** Errors: `unauthenticated`; `forbidden` for scope `all` with a project's key; `project_key_required`. */
export function receiptWhere(principal: Principal, filter: ReceiptFilter): Prisma.ReceiptWhereInput {
  demand(principal, 'read')
  const everyProject = filter.scope === 'all'
  if (everyProject) demand(principal, 'admin')
  else if (principal.kind === 'admin') {
    throw new AppError('project_key_required', 'A service administrator has no project: pass scope=all.')
  }
  const createdAt = between(filter.since, filter.until)
  if (createdAt === null) {
    throw invalid([{ path: ['until'], message: 'Must not be before `since`.', type: 'value_error' }])
  }
  const restrictions: Prisma.ReceiptWhereInput[] = []
  if (!everyProject) restrictions.push({ projectId: ownProject(principal) })
  if (filter.projectId) restrictions.push({ projectId: filter.projectId })
  if (filter.status) restrictions.push({ status: filter.status })
  if (filter.chain) restrictions.push({ chain: filter.chain })
  // `contains` becomes LIKE, so wildcards in the caller's text are escaped.
  if (filter.reference) restrictions.push({ reference: { contains: filter.reference.replace(/[\\%_]/g, '\\$&') } })
  restrictions.push({ createdAt })
  return { AND: restrictions }
}

export const newestFirst = [{ createdAt: 'desc' }, { id: 'desc' }] satisfies Prisma.ReceiptOrderByWithRelationInput[]
