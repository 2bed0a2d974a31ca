// The GraphQL type of anchors.
import { anchorStatus, statusInChain, statusInChainInSql } from '../../core/anchor-status.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import type { Context } from '../../kit/context.ts'
import { restOnly } from '../../kit/enum-names.ts'
import { enumOf } from '../../kit/input.ts'
import { Node } from '../../kit/node.ts'
import { inSql } from '../../kit/sql/index.ts'
import { explorerPage, explorerPageInSql, FinalityEnum, network, networkOf } from './transaction.ts'

const ofTransaction = (field: string) => inSql(({ through }) => through('transaction', field))

export const AnchorType = builder.prismaObject('Anchor', {
  interfaces: [Node],
  description: 'The bundle hash of a receipt or a statement on one chain.',
  select: { id: true },
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    chain: t.exposeString('chain', { description: 'Name of the anchoring chain.' }),
    network: t.field({
      ...network,
      select: { chain: true },
      resolve: ({ chain }, _, context) => networkOf(context, chain),
    }),
    bundleHash: t.expose('bundleHash', { type: 'Hash32', description: 'The anchored hash, 0x-prefixed.' }),
    status: t.field({
      type: enumOf(anchorStatus),
      select: { state: true, transaction: { select: { finality: true } } },
      extensions: inSql(({ column, through }) =>
        statusInChainInSql(column('state'), through('transaction', 'finality')),
      ),
      description: 'Status of the anchor. A receipt is anchored when its anchors are final on every chain.',
      resolve: ({ state, transaction }) => statusInChain({ state, finality: transaction?.finality ?? null }),
    }),
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
      extensions: { ...ofTransaction('finality'), ...restOnly },
      description: 'Null until mined. A receipt is anchored only when its anchors are final on every chain.',
      resolve: ({ transaction }) => transaction?.finality ?? null,
    }),
  }),
})

export const AnchorConnection = connectionType(AnchorType, 'Anchor', 'An anchor')
