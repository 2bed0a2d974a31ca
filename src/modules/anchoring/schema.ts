// The GraphQL types, queries and mutations of anchors.
import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import { uuid } from '../../core/text.ts'
import { evmAddress, hash32 } from '../../kit/answers.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf, inputType } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { declarationOf, runVerb } from '../../kit/verb.ts'
import { configOf } from '../projects/config.ts'
import { confirmAnchor, confirmAnchorInput } from './confirm-anchor.ts'
import { debugAnchor, debugAnchorInput, type MinedAnchor, untilMined } from './debug-anchor.ts'

const StateEnum = builder.enumType('AnchorState', {
  description:
    'waiting: not sent yet · external: the project sends it, in tenant mode · sent: in a transaction that is not final yet · confirmed: final.',
  values: ['waiting', 'external', 'sent', 'confirmed'] as const,
})

const FinalityEnum = builder.enumType('Finality', {
  description: 'How final the block is, by the chain’s finality policy.',
  values: ['included', 'safe', 'final'] as const,
})

/** Returns the explorer that the project configured. */
const explorerOf = ({ config }: { config: { config: unknown } | null }, chain: string): string | null =>
  configOf(config)
    .anchoring.chains.find(({ name }) => name === chain)
    ?.explorerBaseUrl?.replace(/\/+$/, '') ?? null

const AnchorType = builder.prismaObject('Anchor', {
  description: 'The bundle hash of a receipt on one chain.',
  select: { id: true, chain: true, transaction: true },
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    chain: t.exposeString('chain', { description: 'Name of the anchoring chain.' }),
    bundleHash: t.exposeString('bundleHash', { description: 'The anchored hash, 0x-prefixed.' }),
    state: t.expose('state', { type: StateEnum, description: 'Whether the anchor is final.' }),
    txid: t.string({
      nullable: true,
      description: 'The transaction, 0x-prefixed.',
      extensions: { answer: hash32 },
      resolve: ({ transaction }) => transaction?.txid ?? null,
    }),
    contract: t.string({
      nullable: true,
      description: 'The evidence anchor contract.',
      extensions: { answer: evmAddress },
      resolve: ({ transaction }) => transaction?.contract ?? null,
    }),
    blockNumber: t.int({
      nullable: true,
      description: 'Number of the block that carries the transaction.',
      resolve: ({ transaction }) => (transaction?.blockNumber == null ? null : Number(transaction.blockNumber)),
    }),
    blockHash: t.string({
      nullable: true,
      description: 'Hash of the block that carries the transaction.',
      extensions: { answer: hash32 },
      resolve: ({ transaction }) => transaction?.blockHash ?? null,
    }),
    anchoredAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the block that carries the transaction.',
      resolve: ({ transaction }) => transaction?.blockTime ?? null,
    }),
    explorerUrl: t.string({
      nullable: true,
      description: 'The transaction’s page in a block explorer; null where no explorer is configured.',
      select: { receipt: { select: { project: { select: { config: true } } } } },
      resolve: ({ chain, transaction, receipt }, _, { chains }) => {
        const base =
          chains.find(({ name }) => name === chain)?.explorerBaseUrl ?? (receipt && explorerOf(receipt.project, chain))
        return base && transaction ? `${base}/tx/${transaction.txid}` : null
      },
    }),
    finality: t.field({
      type: FinalityEnum,
      nullable: true,
      description: 'Null until mined. A receipt is anchored only when its anchors are final on every chain.',
      resolve: ({ transaction }) => transaction?.finality ?? null,
    }),
  }),
})

const oldestFirst = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]

builder.prismaObjectField('Receipt', 'anchors', t =>
  t.relation('anchors', {
    query: { orderBy: oldestFirst },
    extensions: { listSize: { assumedSize: 2 } },
    description: 'The receipt’s anchors, one for each chain.',
  }),
)

const anchorArguments = z.strictObject({ receiptId: uuid.describe('The receipt’s UUID.') })

builder.queryField('receiptAnchors', t =>
  t.prismaField({
    type: [AnchorType],
    description: 'The anchors of a receipt that are in a block, final or not yet.',
    args: argumentsOf(anchorArguments),
    access: 'public',
    input: anchorArguments,
    errors: ['not_found'],
    resolve: async (query, _, args, { db }) => {
      const { receiptId } = parse(anchorArguments, args)
      const anchors = await db.anchor.findMany({
        ...query,
        where: { receiptId, transaction: { blockNumber: { not: null } } },
        orderBy: oldestFirst,
      })
      if (anchors.length === 0 && (await db.receipt.count({ where: { id: receiptId } })) === 0)
        throw notFound('receipt')
      return anchors
    },
  }),
)

const ConfirmInput = inputType(
  'ConfirmAnchorInput',
  'The transaction in which a project anchored a receipt itself.',
  confirmAnchorInput,
)

builder.mutationField('confirmAnchor', t =>
  t.prismaField({
    type: 'Receipt',
    description:
      'Tenant mode: checks the transaction that the project sent, and accepts it as the receipt’s anchor when it succeeded, is on the chain, and the contract’s event carries the bundle hash. The receipt is anchored when such a transaction is final on every chain the receipt needs. Repeating the request is harmless.',
    args: { input: t.arg({ type: ConfirmInput, required: true }) },
    ...declarationOf(confirmAnchor),
    errors: [
      'not_found',
      'invalid_status_transition',
      'not_tenant_mode',
      ['tx_not_mined', 'repeat the request'],
      'tx_does_not_match_bundle_hash',
      'unknown_chain',
      'chain_required',
      'anchor_lookup_unavailable',
      'validation_failed',
    ],
    resolve: async (query, _, { input }, context) => {
      const id = await runVerb(context, confirmAnchor, input)
      return context.db.receipt.findUniqueOrThrow({ ...query, where: { id } })
    },
  }),
)

const DebugType = builder.objectRef<MinedAnchor>('DebugAnchor').implement({
  description: 'A transaction that was sent to test anchoring.',
  fields: t => ({
    ledgerTxid: t.exposeString('ledgerTxid', {
      description: 'The transaction, 0x-prefixed.',
      extensions: { answer: hash32 },
    }),
    blockNumber: t.exposeInt('blockNumber', { description: 'The block that carries it.' }),
  }),
})

const DebugInput = inputType('DebugAnchorInput', 'A hash to anchor.', debugAnchorInput)

builder.mutationField('debugAnchor', t =>
  t.field({
    type: DebugType,
    description: 'Anchors any hash on the default chain and waits until it is mined. For service administrators.',
    args: { input: t.arg({ type: DebugInput, required: true }) },
    ...declarationOf(debugAnchor),
    errors: ['chain_unavailable', 'validation_failed'],
    resolve: async (_, { input }, context) => untilMined(context, await runVerb(context, debugAnchor, input)),
  }),
)
