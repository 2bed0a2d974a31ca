// Filter and order of receipt lists, limited to the receipts that the caller may see.
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { demand, ownProject, type Principal } from '../../core/principal.ts'
import { amountWithin, anyOf, decimalRange, direction, isBounded, momentRange, within } from '../../core/ranges.ts'
import { receiptStatuses } from '../../core/states.ts'
import { chainText, hash32, settlementText, text, uuid } from '../../core/text.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { type Arguments, filterCost, membersOf } from '../../kit/field-cost.ts'

export const receiptStatus = z.enum(receiptStatuses).meta({
  graphql: 'ReceiptStatus',
  description: 'State of a receipt.',
  values: {
    pending: 'Recorded, and not sealed yet.',
    awaiting_anchor: 'Sealed; not all its anchors are final yet.',
    anchored: 'Every anchor is final. The only completed state.',
    failed: 'An enforced compliance check denied the payment.',
  },
})

export const receiptFilter = z
  .strictObject({
    statuses: anyOf(receiptStatus).describe('Receipts with one of these statuses.'),
    chains: anyOf(text()).describe('Receipts of payments on one of these chains, by their exact names.'),
    currencies: anyOf(text()).describe('Receipts in one of these currencies or assets, by their exact labels.'),
    wallets: anyOf(chainText()).describe('Receipts of payments that one of these wallets sent or received.'),
    senderWallets: anyOf(chainText()).describe('Receipts of payments that one of these wallets sent.'),
    receiverWallets: anyOf(chainText()).describe('Receipts of payments that one of these wallets received.'),
    reference: text()
      .nullish()
      .describe('Receipts whose reference contains this text, literally and in the same case.'),
    settlementTx: settlementText().nullish().describe('Receipts of this settlement transaction.'),
    bundleHash: hash32.nullish().describe('Receipts whose bundle has this hash.'),
    amount: decimalRange.nullish().describe('Receipts with an amount in this range, whatever the currency.'),
    createdAt: momentRange.nullish().describe('Receipts that were recorded in this range of time.'),
    anchoredAt: momentRange.nullish().describe('Receipts that were anchored in this range of time.'),
    hasRefund: z
      .boolean()
      .nullish()
      .meta({ graphql: 'Boolean' })
      .describe('Receipts with a refund; false: receipts without one.'),
    projectId: uuid.nullish().describe('Receipts of this project.'),
  })
  .meta({ graphql: 'ReceiptFilter', description: 'Selects receipts that meet all the given conditions.' })
export type ReceiptFilter = z.output<typeof receiptFilter>

const receiptOrder = z
  .strictObject({
    field: z
      .enum(['created_at', 'anchored_at', 'amount'])
      .meta({
        graphql: 'ReceiptOrderField',
        description: 'What receipts are ordered by.',
        values: {
          created_at: 'When it was recorded.',
          anchored_at: 'When it was anchored. Leaves out receipts that are not anchored.',
          amount: 'The amount.',
        },
      })
      .describe('What to order by.'),
    direction: direction.describe('Ascending or descending.'),
  })
  .meta({ graphql: 'ReceiptOrder', description: 'The order of receipts.' })

export const receiptListArguments = {
  filter: receiptFilter.nullish().describe('Which receipts; all unless given.'),
  orderBy: receiptOrder
    .nullish()
    .describe('The order. Unless given, newest first: by `anchoredAt` where that is filtered, else by `createdAt`.'),
}
const listArguments = z.object(receiptListArguments)
export type ReceiptList = z.output<typeof listArguments>

const anyWallet = (wallets: string[]): Prisma.ReceiptWhereInput => ({
  OR: [{ senderWallet: { in: wallets } }, { receiverWallet: { in: wallets } }],
})

/** Errors: `validation_failed`. */
function conditions(filter: ReceiptFilter): Prisma.ReceiptWhereInput[] {
  const { statuses, chains, currencies, wallets, senderWallets, receiverWallets, reference } = filter
  const { settlementTx, bundleHash, amount, createdAt, anchoredAt, hasRefund, projectId } = filter
  const all: (Prisma.ReceiptWhereInput | null | undefined | false | '')[] = [
    statuses && { status: { in: statuses } },
    chains && { chain: { in: chains } },
    currencies && { currency: { in: currencies } },
    wallets && anyWallet(wallets),
    senderWallets && { senderWallet: { in: senderWallets } },
    receiverWallets && { receiverWallet: { in: receiverWallets } },
    // `contains` becomes LIKE, so wildcards in the caller's text are escaped.
    reference && { reference: { contains: reference.replace(/[\\%_]/g, '\\$&') } },
    settlementTx && { tipTxHash: settlementTx },
    bundleHash && { bundleHash },
    amount && { amount: amountWithin(amount) },
    createdAt && { createdAt: within(createdAt, ['filter', 'createdAt']) },
    anchoredAt && { anchoredAt: within(anchoredAt, ['filter', 'anchoredAt']) },
    hasRefund != null && { hasRefund },
    projectId && { projectId },
  ]
  return all.filter(condition => typeof condition === 'object' && condition !== null)
}

const plainCost = filterCost('createdAt')
// The index of references has three letters or digits together. Without them, the whole list is read.
const isIndexed = /[a-z0-9]{3}/i

/** The cost of the filter and the order of a list, beside that of its page. */
export function receiptFilterCost(args: Arguments): number {
  const { reference } = membersOf(args.filter)
  const ofReference = typeof reference !== 'string' ? 0 : isIndexed.test(reference) ? 100 : 1_000
  return plainCost(args) + ofReference
}

const columns = { created_at: 'createdAt', anchored_at: 'anchoredAt', amount: 'amount' } as const

/** Returns the part of a query that filter and order decide. Errors: `validation_failed`. */
export function receiptQuery({ filter, orderBy }: ReceiptList) {
  const order = orderBy?.direction ?? 'desc'
  // In the order of another column, PostgreSQL would read all newer receipts before those in the range.
  const column = columns[orderBy?.field ?? (isBounded(filter?.anchoredAt) ? 'anchored_at' : 'created_at')]
  const anchored: Prisma.ReceiptWhereInput[] = column === 'anchoredAt' ? [{ anchoredAt: { not: null } }] : []
  return {
    where: { AND: [...conditions(filter ?? {}), ...anchored] } satisfies Prisma.ReceiptWhereInput,
    orderBy: [{ [column]: order }, { id: order }] satisfies Prisma.ReceiptOrderByWithRelationInput[],
  }
}

/** Errors: `unauthenticated`; `forbidden` for scope `all` with a project's key; `project_key_required`. */
export function visibleReceipts(principal: Principal, scope: 'mine' | 'all'): { projectId?: string } {
  demand(principal, 'read')
  if (scope === 'all') demand(principal, 'admin')
  else if (principal.kind === 'admin') {
    throw new AppError('project_key_required', 'A service administrator has no project: pass scope=all.')
  }
  return scope === 'all' ? {} : { projectId: ownProject(principal) }
}

export const newestFirst = [{ createdAt: 'desc' }, { id: 'desc' }] satisfies Prisma.ReceiptOrderByWithRelationInput[]
