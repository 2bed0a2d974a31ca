// The GraphQL types, queries and mutations of anchors.
import { z } from 'zod'
import { may, ownedBy, type Principal } from '../../core/principal.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { runVerb } from '../../kit/verb.ts'
import { confirmAnchor, confirmSettlementAnchor, confirmStatementAnchor } from './confirm-anchor.ts'
import { debugAnchor, untilMined } from './debug-anchor.ts'
import './type.ts'

/** Anyone may read the anchor of a receipt, as with the receipt; that of another hash has the project of its agent. */
const visibleAnchors = (principal: Principal): Prisma.AnchorWhereInput => ({
  OR: [
    { receiptId: { not: null } },
    { settlementId: { not: null } },
    ...(may(principal, 'read') ? [{ statement: ownedBy(principal) }] : []),
    ...(may(principal, 'read') ? [{ agent: { deletedAt: null, ...ownedBy(principal) } }] : []),
  ],
})

nodeType('Anchor', {
  table: 'anchors',
  access: 'public',
  read: ({ db, principal }, query) =>
    db.anchor.findMany({ ...query, where: { ...query.where, ...visibleAnchors(principal) } }),
})

nodeType('AnchorTransaction', {
  table: 'anchor_transactions',
  access: 'public',
  read: ({ db, principal }, query) =>
    db.anchorTransaction.findMany({
      ...query,
      where: { ...query.where, anchors: { some: visibleAnchors(principal) } },
    }),
})

const oldestFirst = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]

const anchorArguments = z.strictObject({
  isMined: z
    .boolean()
    .nullish()
    .meta({ graphql: 'Boolean' })
    .describe('Only anchors that are in a block, final or not yet; false: only those that are not.'),
})

const minedOrNot = (isMined: boolean | null | undefined): Prisma.AnchorWhereInput => {
  if (isMined == null) return {}
  return isMined
    ? { transaction: { blockNumber: { not: null } } }
    : { OR: [{ transactionId: null }, { transaction: { blockNumber: null } }] }
}

builder.prismaObjectField('Receipt', 'anchors', t =>
  t.relation('anchors', {
    args: argumentsOf(anchorArguments),
    query: args => ({
      where: minedOrNot(parse(anchorArguments, args).isMined),
      orderBy: oldestFirst,
    }),
    extensions: { listSize: { assumedSize: 2 }, input: anchorArguments },
    description: 'The receipt’s anchors, one for each chain.',
  }),
)

builder.prismaObjectField('Settlement', 'anchors', t =>
  t.relation('anchors', {
    query: { orderBy: oldestFirst },
    extensions: { listSize: { assumedSize: 2 } },
    description:
      'The anchors of `settlement.zip`, the bundle of a result that became known after the receipt was sealed; empty without one.',
  }),
)

builder.prismaObjectField('Anchor', 'receipt', t =>
  t.relation('receipt', { nullable: true, description: 'The receipt of the anchor; null for a hash of no receipt.' }),
)

const confirmationErrors = [
  'not_found',
  'invalid_status_transition',
  'not_tenant_mode',
  ['tx_not_mined', 'repeat the request'],
  'tx_does_not_match_bundle_hash',
  'unknown_chain',
  'chain_required',
  'anchor_lookup_unavailable',
  'validation_failed',
] satisfies Parameters<typeof mutation>[1]['errors']

mutation('confirmAnchor', {
  ...performs(confirmAnchor),
  description:
    'Tenant mode: checks the transaction that the project sent, and accepts it as the receipt’s anchor when it succeeded, is on the chain, and the contract’s event carries the bundle hash. The receipt is anchored when such a transaction is final on every chain the receipt needs. Repeating the request is harmless.',
  takes: 'The transaction in which a project anchored a receipt itself.',
  errors: confirmationErrors,
  payload: t => ({
    receipt: t.prismaField({
      type: 'Receipt',
      description: 'The receipt.',
      resolve: (query, { receiptId }, _, { db }) =>
        db.receipt.findUniqueOrThrow({ ...query, where: { id: receiptId } }),
    }),
  }),
})

mutation('confirmStatementAnchor', {
  ...performs(confirmStatementAnchor),
  description:
    'Tenant mode: accepts the transaction that the project sent as the anchor of a numbered statement, as `confirmAnchor` does for a receipt.',
  takes: 'The transaction in which a project anchored a statement itself.',
  errors: confirmationErrors,
  payload: t => ({
    statement: t.prismaField({
      type: 'Statement',
      description: 'The statement.',
      resolve: (query, { statementId }, _, { db }) =>
        db.statement.findUniqueOrThrow({ ...query, where: { id: statementId } }),
    }),
  }),
})

mutation('confirmSettlementAnchor', {
  ...performs(confirmSettlementAnchor),
  description:
    'Tenant mode: accepts the transaction that the project sent as the anchor of `settlement.zip`, as `confirmAnchor` does for a receipt. `Settlement.anchors` has the hash.',
  takes: 'The transaction in which a project anchored a later result of a check itself.',
  errors: confirmationErrors,
  payload: t => ({
    receipt: t.prismaField({
      type: 'Receipt',
      description: 'The receipt.',
      resolve: (query, { receiptId }, _, { db }) =>
        db.receipt.findUniqueOrThrow({ ...query, where: { id: receiptId } }),
    }),
  }),
})

mutation('debugAnchor', {
  ...performs(debugAnchor),
  description: 'Anchors any hash on the default chain and waits until it is mined.',
  takes: 'A hash to anchor.',
  errors: ['chain_unavailable', 'validation_failed'],
  run: async (context, input) => untilMined(context, await runVerb(context, debugAnchor, input)),
  payload: t => ({
    anchorTx: t.expose('ledgerTxid', { type: 'Hash32', description: 'The transaction, 0x-prefixed.' }),
    blockNumber: t.exposeInt('blockNumber', { description: 'The block that carries it.' }),
  }),
})
