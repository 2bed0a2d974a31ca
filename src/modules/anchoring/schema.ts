// The GraphQL types, queries and mutations of anchors.
import { z } from 'zod'
import { may, ownedBy, type Principal } from '../../core/principal.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { described } from '../../kit/enum-names.ts'
import { argumentsOf } from '../../kit/input.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { Node, nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { inSql } from '../../kit/sql/index.ts'
import { runVerb } from '../../kit/verb.ts'
import { confirmAnchor, confirmStatementAnchor } from './confirm-anchor.ts'
import { debugAnchor, untilMined } from './debug-anchor.ts'
import { explorerPage, explorerPageInSql, FinalityEnum } from './transaction.ts'

const StateEnum = builder.enumType('AnchorState', {
  description: 'State of an anchor.',
  values: described({
    waiting: 'Not sent yet.',
    external: 'The project sends it, in tenant mode.',
    sent: 'In a transaction that is not final yet.',
    confirmed: 'Final.',
  }),
})

const ofTransaction = (field: string) => inSql(({ through }) => through('transaction', field))

builder.prismaObject('Anchor', {
  interfaces: [Node],
  description: 'The bundle hash of a receipt or a statement on one chain.',
  select: { id: true },
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    chain: t.exposeString('chain', { description: 'Name of the anchoring chain.' }),
    bundleHash: t.expose('bundleHash', { type: 'Hash32', description: 'The anchored hash, 0x-prefixed.' }),
    state: t.expose('state', { type: StateEnum, description: 'Whether the anchor is final.' }),
    anchorTx: t.field({
      type: 'Hash32',
      nullable: true,
      select: { transaction: { select: { txid: true } } },
      extensions: ofTransaction('txid'),
      description: 'The transaction, 0x-prefixed.',
      resolve: ({ transaction }) => transaction?.txid ?? null,
    }),
    contract: t.field({
      type: 'Address',
      nullable: true,
      select: { transaction: { select: { contract: true } } },
      extensions: ofTransaction('contract'),
      description: 'The evidence anchor contract.',
      resolve: ({ transaction }) => transaction?.contract ?? null,
    }),
    blockNumber: t.int({
      nullable: true,
      select: { transaction: { select: { blockNumber: true } } },
      extensions: ofTransaction('blockNumber'),
      description: 'Number of the block that carries the transaction.',
      resolve: ({ transaction }) => (transaction?.blockNumber == null ? null : Number(transaction.blockNumber)),
    }),
    blockHash: t.field({
      type: 'Hash32',
      nullable: true,
      select: { transaction: { select: { blockHash: true } } },
      extensions: ofTransaction('blockHash'),
      description: 'Hash of the block that carries the transaction.',
      resolve: ({ transaction }) => transaction?.blockHash ?? null,
    }),
    anchoredAt: t.field({
      type: 'DateTime',
      nullable: true,
      select: { transaction: { select: { blockTime: true } } },
      extensions: ofTransaction('blockTime'),
      description: 'Time of the block that carries the transaction.',
      resolve: ({ transaction }) => transaction?.blockTime ?? null,
    }),
    explorerUrl: t.field({
      type: 'URL',
      nullable: true,
      description: 'The transaction’s page in a block explorer; null where no explorer is configured.',
      extensions: inSql((row, context: Context) => {
        const sent = { chain: row.through('transaction', 'chain'), txid: row.through('transaction', 'txid') }
        return explorerPageInSql(context, row, sent, row.through('receipt.project.config', 'config'))
      }),
      select: {
        transaction: { select: { chain: true, txid: true } },
        receipt: { select: { project: { select: { config: true } } } },
      },
      resolve: ({ transaction, receipt }, _, context) =>
        transaction && explorerPage(context, transaction, receipt?.project),
    }),
    transaction: t.relation('transaction', {
      nullable: true,
      description: 'The transaction that carries the anchor; null until there is one.',
    }),
    finality: t.field({
      type: FinalityEnum,
      nullable: true,
      select: { transaction: { select: { finality: true } } },
      extensions: ofTransaction('finality'),
      description: 'Null until mined. A receipt is anchored only when its anchors are final on every chain.',
      resolve: ({ transaction }) => transaction?.finality ?? null,
    }),
  }),
})

/** Anyone may read the anchor of a receipt, as with the receipt; that of another hash has the project of its agent. */
const visibleAnchors = (principal: Principal): Prisma.AnchorWhereInput => ({
  OR: [
    { receiptId: { not: null } },
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
