// GraphQL: which transfers of a wallet are recorded as receipts.
import { z } from 'zod'
import { onlyOf, ownedBy, type Principal } from '../../core/principal.ts'
import { anyOf } from '../../core/ranges.ts'
import { uuid } from '../../core/text.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { entryCursors, serialId } from '../../kit/entry-cursor.ts'
import { described } from '../../kit/enum-names.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf, enumOf } from '../../kit/input.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { Node, nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { inSql } from '../../kit/sql/index.ts'
import { keptDays, mostBlocks, mostKept, mostRows } from './bounds.ts'
import { startWalletCoverage } from './start.ts'

const StatusEnum = builder.enumType('WalletCoverageStatus', {
  description: 'Status of a comparison.',
  values: described({
    waiting: 'The blocks of its range are not known yet.',
    running: 'The blocks are compared, and then the receipts.',
    done: 'All is compared.',
    failed: '`failureReason` says why it could not be finished. What was compared before stays.',
  }),
})

const coverageStatus = z.enum(['missing', 'unknown']).meta({
  graphql: 'CoverageTransferStatus',
  description: 'What is missing.',
  values: {
    missing: 'The transfer has no receipt.',
    unknown: 'The receipt has no transfer.',
  },
})

const TransferType = builder.prismaObject('CoverageTransfer', {
  description:
    'A transfer without a receipt, as the chain has it; or a receipt without a transfer, as the project stated it.',
  fields: t => ({
    status: t.expose('status', { type: enumOf(coverageStatus), description: 'What is missing.' }),
    transaction: t.exposeString('transaction', { description: 'Hash of the transaction.' }),
    transferIndex: t.exposeInt('logIndex', {
      nullable: true,
      description: 'Number of the transfer’s log in its block; null where a receipt names none.',
    }),
    blockNumber: t.expose('blockNumber', {
      type: 'BigInt',
      nullable: true,
      description: 'Number of the block; of a receipt only where the check of its payment found the transaction.',
    }),
    time: t.expose('at', {
      type: 'DateTime',
      description: 'Time of that block. Without one, the time of the payment as stated, or that of recording.',
    }),
    senderWallet: t.exposeString('fromWallet', { description: 'Payer.' }),
    receiverWallet: t.exposeString('toWallet', { description: 'Recipient.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Amount, in units of the asset.' }),
    receipt: t.relation('receipt', { nullable: true, description: 'The receipt; null for a transfer without one.' }),
  }),
})

const amountOf = (what: string) => ({ type: 'Decimal' as const, description: `Sum of ${what}, in units of the asset.` })

const CoverageType = builder.prismaObject('WalletCoverage', {
  interfaces: [Node],
  description: `Which transfers of a token from and to a wallet are recorded as receipts of the project, which are missing, and which receipts have no transfer. Kept for ${keptDays} days after it ended; of a project, the ${mostKept} newest.`,
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    project: t.relation('project', { description: 'The project.' }),
    wallet: t.expose('wallet', { type: 'Address', description: 'The wallet.' }),
    chain: t.exposeString('chain', { description: 'The chain, as it was asked for.' }),
    network: t.exposeString('chainKey', { description: 'The CAIP-2 id of the chain.' }),
    currency: t.exposeString('currency', { description: 'The asset label, as it was asked for.' }),
    assetId: t.exposeString('assetId', { description: 'The token, by CAIP-19.' }),
    since: t.expose('since', { type: 'DateTime', description: 'Begin of the range, inclusive.' }),
    until: t.expose('until', { type: 'DateTime', description: 'End of the range, inclusive.' }),
    asOf: t.expose('asOf', {
      type: 'DateTime',
      nullable: true,
      description:
        'To which time the range is compared: `until`, or the time of the last final block where that is earlier. Null until the blocks are known.',
    }),
    status: t.field({
      type: StatusEnum,
      description: 'How far it is.',
      extensions: inSql(
        ({ column }) =>
          `case when ${column('failedAt')} is not null then 'failed' when ${column('finishedAt')} is not null then 'done' when ${column('toBlock')} is null then 'waiting' else 'running' end`,
      ),
      resolve: ({ failedAt, finishedAt, toBlock }) =>
        failedAt !== null ? 'failed' : finishedAt !== null ? 'done' : toBlock === null ? 'waiting' : 'running',
    }),
    fromBlock: t.expose('fromBlock', {
      type: 'BigInt',
      nullable: true,
      description: 'First block of the range; null until it is known.',
    }),
    toBlock: t.expose('toBlock', {
      type: 'BigInt',
      nullable: true,
      description: 'Last block of the range, which is final; null until it is known.',
    }),
    nextBlock: t.expose('nextBlock', {
      type: 'BigInt',
      nullable: true,
      description: 'The blocks before it are compared; above `toBlock` once all are.',
    }),
    recordedCount: t.exposeInt('recordedCount', { description: 'Transfers with a receipt.' }),
    recordedAmount: t.expose('recordedAmount', amountOf('these')),
    missingCount: t.exposeInt('missingCount', { description: 'Transfers without a receipt.' }),
    missingAmount: t.expose('missingAmount', amountOf('these')),
    unknownCount: t.exposeInt('unknownCount', {
      description: 'Receipts of the range without a transfer. Counted once all blocks are compared.',
    }),
    unknownAmount: t.expose('unknownAmount', amountOf('these')),
    nodesDisagreed: t.exposeInt('nodesDisagreed', {
      description:
        'How many transfers a node withheld that a quorum of the nodes reports, or reported without the others. Above zero, a node lies, lags or has pruned its history.',
    }),
    chainBalance: t.expose('chainBalance', {
      type: 'Decimal',
      nullable: true,
      description:
        'What the wallet has of the token at the end of `toBlock`; null until that is known, and where the nodes do not keep the state of that block.',
    }),
    recordedBalance: t.expose('recordedBalance', {
      type: 'Decimal',
      description:
        'What the project’s receipts add up to for the wallet: all that it was paid until `asOf` without all that it paid. Complete once the comparison is done.',
    }),
    balanceDifference: t.expose('balanceDifference', {
      type: 'Decimal',
      nullable: true,
      description:
        '`chainBalance` without `recordedBalance`; null until the comparison is done, and where `chainBalance` is.',
    }),
    failureReason: t.exposeString('failureReason', {
      nullable: true,
      description: 'Why it failed, in a sentence; null otherwise.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When it was started. Receipts that were recorded later are not compared.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When all was compared; null until then.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it is deleted.' }),
  }),
})

nodeType('WalletCoverage', {
  table: 'wallet_coverages',
  access: 'read',
  read: ({ db, principal }, query) =>
    db.walletCoverage.findMany({ ...query, where: { AND: [query.where, ownedBy(principal)] } }),
})

// A row is deleted in time. Its number remains a place in the list, and so does any other number.
entryCursors('CoverageTransfer', serialId, async () => true)

const transferArguments = z.object({
  filter: z
    .strictObject({ statuses: anyOf(coverageStatus).describe('Rows with one of these statuses.') })
    .meta({ graphql: 'CoverageTransferFilter', description: 'Selects rows that meet all the given conditions.' })
    .nullish()
    .describe('Which rows; all unless given.'),
})

builder.prismaObjectField('WalletCoverage', 'transfers', t =>
  t.relatedConnection(
    'transfers',
    {
      cursor: 'id',
      maxSize: 200,
      defaultSize: 20,
      totalCount: true,
      args: argumentsOf(transferArguments),
      query: args => {
        const statuses = parse(transferArguments, args).filter?.statuses
        return { where: statuses ? { status: { in: statuses } } : {}, orderBy: { id: 'asc' } }
      },
      extensions: { listSize: connectionSize(20, 200), cost: 1 },
      description: `Transfers without a receipt, in the order of the chain, and then receipts without a transfer, in the order of recording. Of each, the first ${mostRows.toLocaleString('en')} are listed; the counts have all.`,
    },
    connectionType(TransferType, 'CoverageTransfer', 'A transfer or a receipt'),
  ),
)

mutation('startWalletCoverage', {
  ...performs(startWalletCoverage),
  description: `Starts to compare the transfers of a token from and to a wallet with the receipts of the caller’s project. Ask for \`walletCoverage\` until it is done. A project has one at a time; a range has at most ${mostBlocks.toLocaleString('en')} blocks.`,
  takes: 'What to compare.',
  errors: ['project_key_required', 'conflict', 'validation_failed'],
  // The worker reads its blocks and receipts, in turns.
  extensions: { cost: 200 },
  payload: t => ({
    walletCoverage: t.prismaField({
      type: CoverageType,
      description: 'The comparison, which has not begun yet.',
      resolve: (query, { id }, _, { db }) => db.walletCoverage.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
})

const byId = z.strictObject({ id: uuid.describe('The comparison’s UUID.') })

builder.queryField('walletCoverage', t =>
  t.prismaField({
    type: CoverageType,
    nullable: true,
    description: 'One comparison of a wallet’s transfers by its id; null when there is none that the caller may read.',
    args: argumentsOf(byId),
    access: 'read',
    input: byId,
    errors: [],
    resolve: (query, _, args, { db, principal }) =>
      db.walletCoverage.findFirst({ ...query, where: { AND: [parse(byId, args), ownedBy(principal)] } }),
  }),
)

const listArguments = z.object({
  filter: z
    .strictObject({ projectId: uuid.nullish().describe('Comparisons of this project.') })
    .meta({ graphql: 'WalletCoverageFilter', description: 'Selects comparisons that meet all the given conditions.' })
    .nullish()
    .describe('Which comparisons; all unless given.'),
})

const listed = (principal: Principal, args: object): Prisma.WalletCoverageWhereInput => ({
  AND: [ownedBy(principal), onlyOf(parse(listArguments, args).filter)],
})

builder.queryField('walletCoverages', t =>
  t.prismaConnection(
    {
      type: CoverageType,
      cursor: 'id',
      maxSize: 50,
      defaultSize: 20,
      totalCount: (_, args, { db, principal }) => db.walletCoverage.count({ where: listed(principal, args) }),
      description:
        'Comparisons of wallets of the caller’s project, newest first, at most 50 a page; those of all projects for a service administrator.',
      args: argumentsOf(listArguments),
      access: 'read',
      input: listArguments,
      errors: [],
      extensions: { listSize: connectionSize(20, 50) },
      resolve: (query, _, args, { db, principal }) =>
        db.walletCoverage.findMany({
          ...query,
          where: listed(principal, args),
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        }),
    },
    connectionType(CoverageType, 'WalletCoverage', 'A comparison'),
  ),
)
