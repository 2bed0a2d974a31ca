// Filters of payment lists: those of the caller, within the payments that the caller may see.
import { z } from 'zod'
import { ownedBy, type Principal } from '../../core/principal.ts'
import { text } from '../../core/text.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { paymentStatuses } from '../x402/states.ts'
import { pathOf, paymentTypes } from './bought.ts'

export const paymentFilter = {
  currency: text().nullish().describe('Only payments in this token, by its exact ticker.'),
  chain: text().nullish().describe('Only payments on this network, by its CAIP-2 id such as `eip155:8453`.'),
  status: z.enum(paymentStatuses).nullish().describe('Only payments with this status.'),
  paymentType: z.enum(paymentTypes).nullish().describe('Only payments of this type.'),
}
export const filterArguments = z.strictObject(paymentFilter)

/** Errors: `unauthenticated`. */
export const paymentWhere = (
  principal: Principal,
  filter: z.output<typeof filterArguments>,
): Prisma.PaymentWhereInput => ({
  ...ownedBy(principal),
  ...(filter.currency && { currency: filter.currency }),
  ...(filter.chain && { network: filter.chain }),
  ...(filter.status && { status: filter.status }),
  ...(filter.paymentType && { endpoint: pathOf(filter.paymentType) }),
})

export const newestFirst = [{ verifiedAt: 'desc' }, { id: 'desc' }] satisfies Prisma.PaymentOrderByWithRelationInput[]
