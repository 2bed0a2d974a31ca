// Filter and order of receipt lists, limited to the receipts that the caller may see.
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { addressKey, type ChainAliases, chainKey, settlementOf, transactionKey } from '../../core/identity.ts'
import { demand, ownProject, type Principal } from '../../core/principal.ts'
import { amountWithin, anyOf, decimalRange, direction, isBounded, momentRange, within } from '../../core/ranges.ts'
import { receiptStatuses } from '../../core/states.ts'
import { chainText, hash32, settlementText, text, uuid } from '../../core/text.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'

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
    chains: anyOf(text()).describe(
      'Receipts of payments on one of these chains, by any of their names: `base`, `Base` and `eip155:8453` are one.',
    ),
    currencies: anyOf(text()).describe('Receipts in one of these currencies or assets, by their exact labels.'),
    wallets: anyOf(chainText()).describe(
      'Receipts of payments that one of these wallets sent or received, in any spelling.',
    ),
    senderWallets: anyOf(chainText()).describe('Receipts of payments that one of these wallets sent, in any spelling.'),
    receiverWallets: anyOf(chainText()).describe(
      'Receipts of payments that one of these wallets received, in any spelling.',
    ),
    reference: text()
      .nullish()
      .describe('Receipts whose reference contains this text, literally and in the same case.'),
    settlementTx: settlementText()
      .nullish()
      .describe(
        'Receipts of this settlement transaction, in any spelling: of all its transfers, or of the one whose number is behind it (`0x…#3`). A refund is found by the transaction that gave the money back, once that is known.',
      ),
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
  OR: [{ senderKey: { in: wallets } }, { receiverKey: { in: wallets } }],
})

// `contains` and `startsWith` become LIKE, so wildcards in the caller's text are escaped.
const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&')

function ofSettlement(written: string): Prisma.ReceiptWhereInput {
  const key = transactionKey(written)
  if (settlementOf(written)?.leg !== null) return { txKey: key }
  return { OR: [{ txKey: key }, { txKey: { startsWith: `${literally(key)}#` } }] }
}

/** Several spellings of one thing are one value. */
const keysOf = (values: readonly string[], key: (value: string) => string) => [...new Set(values.map(key))]

/** Errors: `validation_failed`. */
function conditions(filter: ReceiptFilter, aliases: ChainAliases): Prisma.ReceiptWhereInput[] {
  const { statuses, chains, currencies, wallets, senderWallets, receiverWallets, reference } = filter
  const { settlementTx, bundleHash, amount, createdAt, anchoredAt, hasRefund, projectId } = filter
  const all: (Prisma.ReceiptWhereInput | null | undefined | false | '')[] = [
    statuses && { status: { in: statuses } },
    chains && { chainKey: { in: keysOf(chains, chain => chainKey(chain, aliases)) } },
    currencies && { currency: { in: currencies } },
    wallets && anyWallet(keysOf(wallets, addressKey)),
    senderWallets && { senderKey: { in: keysOf(senderWallets, addressKey) } },
    receiverWallets && { receiverKey: { in: keysOf(receiverWallets, addressKey) } },
    reference && { reference: { contains: literally(reference) } },
    settlementTx && ofSettlement(settlementTx),
    bundleHash && { bundleHash },
    amount && { amount: amountWithin(amount) },
    createdAt && { createdAt: within(createdAt, ['filter', 'createdAt']) },
    anchoredAt && { anchoredAt: within(anchoredAt, ['filter', 'anchoredAt']) },
    hasRefund != null && { hasRefund },
    projectId && { projectId },
  ]
  return all.filter(condition => typeof condition === 'object' && condition !== null)
}

/** For `extensions` of the lists with this filter. Common letters of a reference are in many receipts. */
export const search = { usualOrder: 'createdAt', dear: { reference: 100 } }

// With the project they begin an index that goes on with the time. Without an index, any number of receipts may be read
// in vain.
const indexed: readonly string[] = ['statuses', 'chains', 'currencies', 'senderWallets', 'receiverWallets']

/** Whether an index finds the receipts of a project that meet the filter. */
export function isIndexed({ createdAt, projectId, ...others }: ReceiptFilter): boolean {
  const conditions = Object.entries(others).flatMap(([key, value]) => (value == null ? [] : [key]))
  return conditions.length <= 1 && conditions.every(key => indexed.includes(key))
}

const columns = { created_at: 'createdAt', anchored_at: 'anchoredAt', amount: 'amount' } as const

/** Returns the part of a query that filter and order decide. Errors: `validation_failed`. */
export function receiptQuery({ filter, orderBy }: ReceiptList, { chainAliases }: Pick<App, 'chainAliases'>) {
  const order = orderBy?.direction ?? 'desc'
  // In the order of another column, PostgreSQL would read all newer receipts before those in the range.
  const column = columns[orderBy?.field ?? (isBounded(filter?.anchoredAt) ? 'anchored_at' : 'created_at')]
  const anchored: Prisma.ReceiptWhereInput[] = column === 'anchoredAt' ? [{ anchoredAt: { not: null } }] : []
  return {
    where: { AND: [...conditions(filter ?? {}, chainAliases), ...anchored] } satisfies Prisma.ReceiptWhereInput,
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
