// What GraphQL shows of anchors.
import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'

const StateEnum = builder.enumType('AnchorState', {
  description:
    'waiting: not sent yet · external: the project sends it, in tenant mode · sent: in a transaction that is not final yet · confirmed: final.',
  values: ['waiting', 'external', 'sent', 'confirmed'] as const,
})

const FinalityEnum = builder.enumType('Finality', {
  description: 'How firmly the block stands, by the chain’s own policy.',
  values: ['included', 'safe', 'final'] as const,
})

const AnchorType = builder.prismaObject('Anchor', {
  description: 'The bundle hash of a receipt on one chain.',
  select: { id: true, transaction: true },
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    chain: t.exposeString('chain', { description: 'Name of the anchoring chain.' }),
    bundleHash: t.exposeString('bundleHash', { description: 'The anchored hash, 0x-prefixed.' }),
    state: t.expose('state', { type: StateEnum, description: 'Whether the anchor is final.' }),
    txid: t.string({
      nullable: true,
      description: 'The transaction, 0x-prefixed.',
      resolve: ({ transaction }) => transaction?.txid ?? null,
    }),
    contract: t.string({
      nullable: true,
      description: 'The evidence anchor contract.',
      resolve: ({ transaction }) => transaction?.contract ?? null,
    }),
    blockNumber: t.int({
      nullable: true,
      description: 'The block that carries it.',
      resolve: ({ transaction }) => (transaction?.blockNumber == null ? null : Number(transaction.blockNumber)),
    }),
    blockHash: t.string({
      nullable: true,
      description: 'Hash of that block.',
      resolve: ({ transaction }) => transaction?.blockHash ?? null,
    }),
    anchoredAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of that block.',
      resolve: ({ transaction }) => transaction?.blockTime ?? null,
    }),
    finality: t.field({
      type: FinalityEnum,
      nullable: true,
      select: { state: true },
      description: 'Null until the transaction is mined. An anchor counts only when final.',
      resolve: ({ state }) => (state === 'confirmed' ? 'final' : null),
    }),
  }),
})

const oldestFirst = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]

builder.prismaObjectField('Receipt', 'anchors', t =>
  t.relation('anchors', { query: { orderBy: oldestFirst }, description: 'Its anchors, one for each chain.' }),
)

const anchorArguments = z.strictObject({ receiptId: uuid.describe('The receipt’s UUID.') })

builder.queryField('receiptAnchors', t =>
  t.prismaField({
    type: [AnchorType],
    description: 'The confirmed anchors of a receipt. Public. Errors: not_found.',
    args: argumentsOf(anchorArguments),
    extensions: { access: 'public', input: anchorArguments },
    resolve: async (query, _, args, { db }) => {
      const { receiptId } = parse(anchorArguments, args)
      const anchors = await db.anchor.findMany({
        ...query,
        where: { receiptId, state: 'confirmed' },
        orderBy: oldestFirst,
      })
      if (anchors.length === 0 && (await db.receipt.count({ where: { id: receiptId } })) === 0)
        throw notFound('receipt')
      return anchors
    },
  }),
)
