// Filter and order of receipt lists, limited to the receipts that the caller may see.
import { z } from 'zod'
import { type AnchorStatus, anchorStatus } from '../../core/anchor-status.ts'
import { artifactType } from '../../core/artifact-type.ts'
import { complianceDecision } from '../../core/compliance-decision.ts'
import { AppError } from '../../core/errors.ts'
import { addressKey, type ChainAliases, chainKey, settlementOf, transactionKey } from '../../core/identity.ts'
import { demand, ownedBy, type Principal } from '../../core/principal.ts'
import { amountWithin, anyOf, decimalRange, direction, isBounded, momentRange, within } from '../../core/ranges.ts'
import { contradicting, isContradicting, settlementStatus, settlementStatusNames } from '../../core/settlement.ts'
import { receiptStatuses } from '../../core/states.ts'
import { chainText, hash32, settlementText, text, uuid } from '../../core/text.ts'
import { asciiPart, hasSearchKey, literally, searchKey, type TextFilter, textFilter } from '../../core/text-filter.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import { pathOf, paymentType } from '../x402/bought.ts'

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

const hasMember = (condition: object) => Object.values(condition).some(value => value != null)
const oneMember = 'Must have a member.'

const paymentOf = z
  .strictObject({
    payers: anyOf(chainText()).describe('From one of these wallets.'),
    types: anyOf(paymentType).describe('Of one of these types.'),
  })
  .refine(hasMember, oneMember)
  .meta({
    graphql: 'ReceiptPaymentFilter',
    description: 'Is met by payments to this service that meet all the given conditions.',
  })

const anchorOf = z
  .strictObject({
    chains: anyOf(text()).describe('On one of these chains, by their exact names.'),
    statuses: anyOf(anchorStatus).describe('With one of these statuses.'),
  })
  .refine(hasMember, oneMember)
  .meta({ graphql: 'ReceiptAnchorFilter', description: 'Is met by anchors that meet all the given conditions.' })

const artifactOf = z
  .strictObject({ types: anyOf(artifactType).describe('Of one of these types.') })
  .refine(hasMember, oneMember)
  .meta({ graphql: 'ReceiptArtifactFilter', description: 'Is met by files that meet all the given conditions.' })

const members = {
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
  reference: textFilter.nullish().describe('Receipts whose reference is such a text.'),
  settlementTx: settlementText()
    .nullish()
    .describe(
      'Receipts of this settlement transaction, in any spelling: of all its transfers, or of the one whose number is behind it (`0x…#3`). A refund is found by the transaction that gave the money back, once that is known.',
    ),
  bundleHash: hash32.nullish().describe('Receipts whose bundle has this hash.'),
  anchorTx: hash32.nullish().describe('Receipts that this anchor transaction carries, once they are anchored.'),
  amount: decimalRange.nullish().describe('Receipts with an amount in this range, whatever the currency.'),
  createdAt: momentRange.nullish().describe('Receipts that were recorded in this range of time.'),
  anchoredAt: momentRange.nullish().describe('Receipts that were anchored in this range of time.'),
  hasRefund: z
    .boolean()
    .nullish()
    .meta({ graphql: 'Boolean' })
    .describe('Receipts with a refund; false: receipts without one.'),
  isRefund: z.boolean().nullish().meta({ graphql: 'Boolean' }).describe('Receipts of refunds; false: of payments.'),
  isSettled: z
    .boolean()
    .nullish()
    .meta({ graphql: 'Boolean' })
    .describe(
      'Receipts of money that moved; false: refunds that are only announced, and payments that their chain contradicts.',
    ),
  settlementStatuses: anyOf(settlementStatus).describe(
    'Receipts whose payment was checked on its own chain with one of these results.',
  ),
  complianceDecision: complianceDecision
    .nullish()
    .describe('Receipts with this overall decision of the compliance checks.'),
  payment: paymentOf.nullish().describe('Receipts that record such an x402 payment to this service.'),
  anchors: anchorOf.nullish().describe('Receipts with such an anchor.'),
  artifacts: artifactOf.nullish().describe('Receipts with such a file.'),
  projectId: uuid.nullish().describe('Receipts of this project.'),
}
const receiptCondition = z
  .strictObject(members)
  .meta({ graphql: 'ReceiptCondition', description: 'Is met by receipts that meet all the given conditions.' })

export const receiptFilter = z
  .strictObject({
    ...members,
    or: z
      .array(receiptCondition)
      .min(1, 'Name at least one condition, or leave it out.')
      .max(5, 'At most 5 conditions.')
      .nullish()
      .describe('Receipts that also meet one of these conditions: at most 5.'),
    not: receiptCondition.nullish().describe('Leaves out receipts that meet this condition.'),
  })
  .meta({ graphql: 'ReceiptFilter', description: 'Selects receipts that meet all the given conditions.' })
export type ReceiptFilter = z.output<typeof receiptFilter>

const receiptOrder = z
  .strictObject({
    field: z
      .enum(['created_at', 'anchored_at', 'booked_at', 'amount', 'reference'])
      .meta({
        graphql: 'ReceiptOrderField',
        description: 'What receipts are ordered by.',
        values: {
          created_at: 'When it was recorded.',
          anchored_at: 'When it was anchored. Leaves out receipts that are not anchored.',
          booked_at:
            'When it was booked: known to be anchored and, of a refund, settled. Leaves out receipts that are not booked.',
          amount: 'The amount.',
          reference: 'The reference, in the order of the database.',
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

function ofSettlement(written: string): Prisma.ReceiptWhereInput {
  const key = transactionKey(written)
  if (settlementOf(written)?.leg !== null) return { txKey: key }
  return { OR: [{ txKey: key }, { txKey: { startsWith: `${literally(key)}#` } }] }
}

/** Several spellings of one thing are one value. */
const keysOf = (values: readonly string[], key: (value: string) => string) => [...new Set(values.map(key))]

type Condition = z.output<typeof receiptCondition>
type Where = Prisma.ReceiptWhereInput

function textWhere({ eq, startsWith, contains, containsIgnoreCase }: TextFilter): Where[] {
  // An index knows only ASCII in `reference`.
  const found = [startsWith, contains, containsIgnoreCase].filter(text => text != null && hasSearchKey(text))
  const inAnyCase =
    containsIgnoreCase && hasSearchKey(containsIgnoreCase) ? asciiPart(containsIgnoreCase) : containsIgnoreCase
  return present([
    eq != null && { reference: eq },
    startsWith != null && { reference: { startsWith: literally(startsWith) } },
    contains != null && { reference: { contains: literally(contains) } },
    inAnyCase && { reference: { contains: literally(inAnyCase), mode: 'insensitive' as const } },
    ...found.map(text => ({ referenceKey: { contains: searchKey(text ?? '') } })),
  ])
}

/** The worst of several checks decides; without a check the decision is `unavailable`. */
function decided(decision: z.output<typeof complianceDecision>): Where {
  const some = (...decisions: (typeof decision)[]) => ({ checks: { some: { decision: { in: decisions } } } })
  const none = (...decisions: (typeof decision)[]) => ({ checks: { none: { decision: { in: decisions } } } })
  if (decision === 'deny') return some('deny')
  if (decision === 'flag') return { AND: [some('flag'), none('deny', 'unavailable')] }
  if (decision === 'allow') return { AND: [some('allow'), none('deny', 'unavailable', 'flag')] }
  return { AND: [none('deny'), { OR: [some('unavailable'), none('allow', 'flag', 'deny', 'unavailable')] }] }
}

/** As `statusInChain` computes it. */
function ofStatus(status: AnchorStatus): Prisma.AnchorWhereInput {
  if (status === 'final') return { state: 'confirmed' }
  const inBlock = (...finality: ('included' | 'safe' | 'final')[]) => ({ transaction: { finality: { in: finality } } })
  const open = { state: { not: 'confirmed' as const } }
  if (status === 'included') return { ...open, ...inBlock('included') }
  if (status === 'safe') return { ...open, ...inBlock('safe', 'final') }
  return { state: status, OR: [{ transactionId: null }, { transaction: { finality: null } }] }
}

const announced: Where = { refundOfId: { not: null }, refundTxHash: null }
// Without the first condition, neither it nor its negation would have receipts without a check.
const contradicted: Where = {
  AND: [{ settlementStatus: { not: null } }, { settlementStatus: { in: [...contradicting] } }],
}
const settled: Where = {
  AND: [
    { OR: [{ refundOfId: null }, { refundTxHash: { not: null } }] },
    {
      OR: [
        { settlementStatus: null },
        { settlementStatus: { in: settlementStatusNames.filter(name => !isContradicting(name)) } },
      ],
    },
  ],
}
const unsettled: Where = { OR: [announced, contradicted] }

/** Returns the conditions of the members; a range without ends is none. */
function conditionsOf(condition: Condition, aliases: ChainAliases): Where[] {
  const { statuses, chains, currencies, wallets, senderWallets, receiverWallets, reference } = condition
  const { settlementTx, bundleHash, anchorTx, amount, createdAt, anchoredAt, hasRefund, projectId } = condition
  const { isRefund, isSettled, settlementStatuses, complianceDecision, payment, anchors, artifacts } = condition
  return present([
    statuses && { status: { in: statuses } },
    chains && { chainKey: { in: keysOf(chains, chain => chainKey(chain, aliases)) } },
    currencies && { currency: { in: currencies } },
    wallets && anyWallet(keysOf(wallets, addressKey)),
    senderWallets && { senderKey: { in: keysOf(senderWallets, addressKey) } },
    receiverWallets && { receiverKey: { in: keysOf(receiverWallets, addressKey) } },
    ...(reference ? textWhere(reference) : []),
    settlementTx && ofSettlement(settlementTx),
    bundleHash && { bundleHash },
    anchorTx && { ledgerTxid: anchorTx },
    (amount?.min || amount?.max) && { amount: amountWithin(amount) },
    isBounded(createdAt) && { createdAt: within(createdAt) },
    isBounded(anchoredAt) && { anchoredAt: within(anchoredAt) },
    hasRefund != null && { hasRefund },
    isRefund != null && { refundOfId: isRefund ? { not: null } : null },
    isSettled != null && (isSettled ? settled : unsettled),
    settlementStatuses && { settlementStatus: { in: settlementStatuses } },
    complianceDecision && decided(complianceDecision),
    payment && {
      payments: {
        some: {
          ...(payment.payers && { payer: { in: payment.payers } }),
          ...(payment.types && { endpoint: { in: payment.types.map(pathOf) } }),
        },
      },
    },
    anchors && {
      anchors: {
        some: {
          ...(anchors.chains && { chain: { in: anchors.chains } }),
          ...(anchors.statuses && { OR: anchors.statuses.map(ofStatus) }),
        },
      },
    },
    artifacts && { artifacts: { some: { ...(artifacts.types && { type: { in: artifacts.types } }) } } },
    projectId && { projectId },
  ])
}

const present = (conditions: (Where | null | undefined | false | '')[]): Where[] =>
  conditions.filter(condition => typeof condition === 'object' && condition !== null)

// SQL leaves out a row whose column has no value, whether a condition is to hold or not.
const mayBeAbsent = ['anchoredAt', 'bundleHash', 'ledgerTxid', 'referenceKey', 'settlementStatus'] as const

function negated(condition: Where): Where {
  const absent = mayBeAbsent.filter(name => name in condition)
  return absent.length === 0
    ? { NOT: condition }
    : { OR: [{ NOT: condition }, ...absent.map(name => ({ [name]: null }))] }
}

function conditions({ or, not, ...condition }: ReceiptFilter, aliases: ChainAliases): Where[] {
  const all = conditionsOf(condition, aliases)
  const ways = or?.map(one => conditionsOf(one, aliases)) ?? []
  // All receipts meet a condition without members, which Prisma would leave out.
  if (ways.length > 0 && ways.every(way => way.length > 0)) all.push({ OR: ways.map(way => ({ AND: way })) })
  if (not) {
    const negations = conditionsOf(not, aliases).map(negated)
    // Without a condition, all receipts meet it.
    all.push(negations.length > 0 ? { OR: negations } : { id: { in: [] } })
  }
  return all
}

/**
 * For `extensions` of the lists with this filter. Common letters of a reference are in many receipts, and no index
 * finds what other tables tell.
 */
export const search = {
  usualOrder: 'createdAt',
  dear: { reference: 100, complianceDecision: 300, payment: 100, anchors: 300, artifacts: 300, or: 300, not: 100 },
}

// With the project they begin an index that goes on with the time. Without an index, any number of receipts may be read
// in vain.
const indexed: readonly string[] = [
  ...['statuses', 'chains', 'currencies', 'senderWallets', 'receiverWallets'],
  'settlementStatuses',
]

/** Whether an index finds the receipts of a project that meet the filter. */
export function isIndexed({ createdAt, projectId, ...others }: ReceiptFilter): boolean {
  const conditions = Object.entries(others).flatMap(([key, value]) => (value == null ? [] : [key]))
  return conditions.length <= 1 && conditions.every(key => indexed.includes(key))
}

const columns = {
  created_at: 'createdAt',
  anchored_at: 'anchoredAt',
  booked_at: 'bookedAt',
  amount: 'amount',
  reference: 'reference',
} as const

/** Returns the part of a query that filter and order decide. */
export function receiptQuery({ filter, orderBy }: ReceiptList, { chainAliases }: Pick<App, 'chainAliases'>) {
  const order = orderBy?.direction ?? 'desc'
  // In the order of another column, PostgreSQL would read all newer receipts before those in the range.
  const column = columns[orderBy?.field ?? (isBounded(filter?.anchoredAt) ? 'anchored_at' : 'created_at')]
  const isTime = column === 'anchoredAt' || column === 'bookedAt'
  const ordered: Where[] = isTime ? [{ [column]: { not: null } }] : []
  return {
    where: { AND: [...conditions(filter ?? {}, chainAliases), ...ordered] } satisfies Where,
    orderBy: [{ [column]: order }, { id: order }] satisfies Prisma.ReceiptOrderByWithRelationInput[],
  }
}

/**
 * `scope`: `mine` or `all` where a caller says so, else all projects that the caller may see. Errors:
 * `unauthenticated`; `forbidden` for scope `all` with a project's key; `project_key_required`.
 */
export function visibleReceipts(
  principal: Principal,
  scope: 'mine' | 'all' | null | undefined,
): { projectId?: string } {
  demand(principal, scope === 'all' ? 'admin' : 'read')
  if (scope === 'mine' && principal.kind === 'admin') {
    throw new AppError('project_key_required', 'A service administrator has no project: pass scope=all.')
  }
  return ownedBy(principal)
}

export const newestFirst = [{ createdAt: 'desc' }, { id: 'desc' }] satisfies Prisma.ReceiptOrderByWithRelationInput[]
