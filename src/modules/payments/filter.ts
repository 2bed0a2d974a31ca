// Filter and order of payment lists, limited to the payments that the caller may see.
import { z } from 'zod'
import { amountWithin, anyOf, decimalRange, direction, isBounded, momentRange, within } from '../../core/ranges.ts'
import { chainText, text, uuid } from '../../core/text.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { pathOf, paymentType } from '../x402/bought.ts'
import { paymentStatuses } from '../x402/states.ts'

export const paymentStatus = z.enum(paymentStatuses).meta({
  graphql: 'PaymentStatus',
  description: 'Status of a payment.',
  values: {
    verified: 'Valid, and not sent.',
    settling: 'Sent.',
    settled: 'Paid, and not delivered yet.',
    delivered: 'Paid and delivered.',
    failed: 'Not paid.',
    reversed: 'Not paid any more: a reorganisation of the chain took the settlement back.',
  },
})
export const paymentFilter = z
  .strictObject({
    statuses: anyOf(paymentStatus).describe('Payments with one of these statuses.'),
    types: anyOf(paymentType).describe('Payments of one of these types.'),
    networks: anyOf(text()).describe('Payments on one of these networks, by their CAIP-2 ids such as `eip155:8453`.'),
    currencies: anyOf(text()).describe('Payments in one of these tokens, by their exact tickers.'),
    payers: anyOf(chainText()).describe('Payments from one of these wallets.'),
    amount: decimalRange.nullish().describe('Payments with an amount in this range, whatever the token.'),
    verifiedAt: momentRange.nullish().describe('Payments that were verified in this range of time.'),
    settledAt: momentRange.nullish().describe('Payments that were settled in this range of time.'),
    hasReceipt: z
      .boolean()
      .nullish()
      .meta({ graphql: 'Boolean' })
      .describe('Payments that a receipt records; false: payments that none records.'),
    projectId: uuid.nullish().describe('Payments of this project.'),
  })
  .meta({ graphql: 'PaymentFilter', description: 'Selects payments that meet all the given conditions.' })

export type PaymentFilter = z.output<typeof paymentFilter>

const paymentOrder = z
  .strictObject({
    field: z
      .enum(['verified_at', 'settled_at', 'amount'])
      .meta({
        graphql: 'PaymentOrderField',
        description: 'What payments are ordered by.',
        values: {
          verified_at: 'When it was verified.',
          settled_at: 'When it was settled. Leaves out payments that are not settled.',
          amount: 'The amount.',
        },
      })
      .describe('What to order by.'),
    direction: direction.describe('Ascending or descending.'),
  })
  .meta({ graphql: 'PaymentOrder', description: 'The order of payments.' })

export const paymentListArguments = z.object({
  filter: paymentFilter.nullish().describe('Which payments; all unless given.'),
  orderBy: paymentOrder
    .nullish()
    .describe('The order. Unless given, newest first: by `settledAt` where that is filtered, else by `verifiedAt`.'),
})

// With the project they begin an index that goes on with the time of verification.
const indexed: readonly string[] = ['statuses', 'types', 'networks', 'currencies', 'payers', 'hasReceipt']

/** Whether an index finds the payments of a project that meet the filter. */
export function isIndexed({ verifiedAt, projectId, ...others }: PaymentFilter): boolean {
  const conditions = Object.entries(others).flatMap(([key, value]) => (value == null ? [] : [key]))
  return conditions.length <= 1 && conditions.every(key => indexed.includes(key))
}

const columns = { verified_at: 'verifiedAt', settled_at: 'settledAt', amount: 'amount' } as const

function conditions(filter: PaymentFilter): Prisma.PaymentWhereInput[] {
  const { statuses, types, networks, currencies, payers, amount, verifiedAt, settledAt, hasReceipt, projectId } = filter
  const all: (Prisma.PaymentWhereInput | null | undefined | false | '')[] = [
    statuses && { status: { in: statuses } },
    types && { endpoint: { in: types.map(pathOf) } },
    networks && { network: { in: networks } },
    currencies && { currency: { in: currencies } },
    payers && { payer: { in: payers } },
    amount && { amount: amountWithin(amount) },
    verifiedAt && { verifiedAt: within(verifiedAt) },
    settledAt && { settledAt: within(settledAt) },
    hasReceipt != null && { receiptId: hasReceipt ? { not: null } : null },
    projectId && { projectId },
  ]
  return all.filter(condition => typeof condition === 'object' && condition !== null)
}

/** Returns the part of a query that filter and order decide. */
export function paymentQuery({ filter, orderBy }: z.output<typeof paymentListArguments>) {
  const order = orderBy?.direction ?? 'desc'
  // In the order of another column, PostgreSQL would read all newer payments before those in the range.
  const column = columns[orderBy?.field ?? (isBounded(filter?.settledAt) ? 'settled_at' : 'verified_at')]
  const settled: Prisma.PaymentWhereInput[] = column === 'settledAt' ? [{ settledAt: { not: null } }] : []
  return {
    where: { AND: [...conditions(filter ?? {}), ...settled] } satisfies Prisma.PaymentWhereInput,
    orderBy: [{ [column]: order }, { id: order }] satisfies Prisma.PaymentOrderByWithRelationInput[],
  }
}
