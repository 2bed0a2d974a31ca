// The GraphQL type, queries and retry mutation of receipts.
import { z } from 'zod'
import { uuid } from '../../core/text.ts'
import { hash32, url } from '../../kit/answers.ts'
import { builder } from '../../kit/builder.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf, inputType } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { declarationOf, runVerb } from '../../kit/verb.ts'
import { ReceiptStatusEnum, receiptFilterEnums } from './enums.ts'
import { newestFirst, receiptFilter, receiptWhere } from './filter.ts'
import { receiptById } from './load.ts'
import { retryReceipt, retryReceiptInput } from './retry.ts'
import { bundleUrl, xmlUrl } from './urls.ts'

const RecorderType = builder.objectRef<{ id: string; ownerWallet: string | null }>('Recorder').implement({
  description: 'The project that recorded a receipt.',
  fields: t => ({
    projectId: t.exposeID('id', { description: 'UUID of the project.' }),
    ownerWallet: t.exposeString('ownerWallet', {
      nullable: true,
      description: 'Wallet that registered the project, lower-case; null when a service administrator created it.',
    }),
  }),
})

export const ReceiptType = builder.prismaObject('Receipt', {
  description:
    'The record of one payment that already happened on a chain. Any caller who knows the receipt’s id can read the fields that its public bundle contains too.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID; also the UETR of its messages.' }),
    status: t.expose('status', { type: ReceiptStatusEnum, description: 'Complete only when `anchored`.' }),
    tipTxHash: t.exposeString('tipTxHash', {
      description:
        'Settlement transaction of the payment. Of a refund that was recorded without a transaction: the transaction of the refunded payment.',
    }),
    chain: t.exposeString('chain', { description: 'Chain of the payment, as the caller named it.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Exact amount, in units of `currency`.' }),
    currency: t.exposeString('currency', { description: 'Asset or currency label.' }),
    senderWallet: t.exposeString('senderWallet', { description: 'Payer address.' }),
    receiverWallet: t.exposeString('receiverWallet', { description: 'Recipient address.' }),
    reference: t.exposeString('reference', { description: 'The business identifier given at creation.' }),
    resourceHash: t.exposeString('resourceHash', {
      nullable: true,
      description: 'SHA-256 of the delivered bytes, 0x-prefixed, as supplied at creation.',
      extensions: { answer: hash32 },
    }),
    bundleHash: t.exposeString('bundleHash', {
      nullable: true,
      description: 'SHA-256 of the current evidence bundle, 0x-prefixed. Null until sealed.',
      extensions: { answer: hash32 },
    }),
    bundleCid: t.exposeString('bundleCid', {
      nullable: true,
      description:
        'CID under which the bundle was published in IPFS. Null until published, and where bundles are not published.',
    }),
    ledgerTxid: t.exposeString('ledgerTxid', {
      nullable: true,
      description: 'Anchor transaction id, 0x-prefixed. Null until anchored.',
      extensions: { answer: hash32 },
    }),
    xmlUrl: t.string({
      nullable: true,
      description: 'URL of the ISO message inside the bundle. Null until sealed.',
      extensions: { answer: url },
      resolve: (receipt, _, { publicBaseUrl }) => xmlUrl(publicBaseUrl, receipt.id, receipt),
    }),
    bundleUrl: t.string({
      nullable: true,
      description: 'URL of the evidence ZIP. Null until sealed.',
      extensions: { answer: url },
      resolve: (receipt, _, { publicBaseUrl }) => bundleUrl(publicBaseUrl, receipt.id, receipt),
    }),
    refundTxHash: t.exposeString('refundTxHash', {
      nullable: true,
      description:
        'Of a refund: the transaction that gave the money back. Null in a payment, and in a refund that is only announced.',
    }),
    isSettled: t.boolean({
      description: 'Whether money moved: false for a refund that is only announced.',
      resolve: ({ refundOfId, refundTxHash }) => refundOfId === null || refundTxHash !== null,
    }),
    recordedBy: t.field({
      type: RecorderType,
      description: 'The project that recorded the receipt, as the bundle names it.',
      select: { project: { select: { id: true, ownerWallet: true } } },
      resolve: ({ project }) => project,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the receipt was recorded.' }),
    anchoredAt: t.expose('anchoredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the block that carries the anchor. Null until anchored.',
    }),
    callbackUrl: t.exposeString('callbackUrl', {
      nullable: true,
      authScopes: receipt => ({ project: receipt.projectId }),
      description: 'URL that each change of the receipt is POSTed to. Own project and administrators only.',
    }),
    failureReason: t.exposeString('failureReason', {
      nullable: true,
      authScopes: receipt => ({ project: receipt.projectId }),
      description: 'Why processing failed. Own project and administrators only.',
    }),
    refundOf: t.relation('refundOf', {
      nullable: true,
      description: 'The receipt that this receipt refunds; its sender and receiver are swapped.',
    }),
    refunds: t.relation('refunds', {
      authScopes: receipt => ({ project: receipt.projectId }),
      query: { orderBy: newestFirst },
      extensions: { listSize: { assumedSize: 1 } },
      description: 'The receipts that refund this one. Own project and administrators only.',
    }),
    project: t.relation('project', {
      authScopes: receipt => ({ project: receipt.projectId }),
      description: 'The receipt’s project. Own project and administrators only.',
    }),
  }),
})

const RetryInput = inputType('RetryReceiptInput', 'A failed receipt to process again.', retryReceiptInput)

builder.mutationField('retryReceipt', t =>
  t.prismaField({
    type: ReceiptType,
    description: 'Processes a failed receipt again, starting with its screening.',
    args: { input: t.arg({ type: RetryInput, required: true }) },
    ...declarationOf(retryReceipt),
    errors: ['not_found', 'invalid_status_transition', 'validation_failed'],
    resolve: async (query, _, { input }, context) => {
      const id = await runVerb(context, retryReceipt, input)
      return context.db.receipt.findUniqueOrThrow({ ...query, where: { id } })
    },
  }),
)

const byId = z.strictObject({ id: uuid.describe('The receipt’s UUID.') })

builder.queryField('receipt', t =>
  t.prismaField({
    type: ReceiptType,
    nullable: true,
    description: 'One receipt by its id; null when there is none.',
    args: argumentsOf(byId),
    access: 'public',
    input: byId,
    errors: [],
    resolve: (query, _, args, context) => {
      return receiptById(context, query, parse(byId, args).id)
    },
  }),
)

const connectionFilter = z.object(receiptFilter)

builder.queryField('receipts', t =>
  t.prismaConnection(
    {
      type: ReceiptType,
      cursor: 'id',
      maxSize: 200,
      defaultSize: 20,
      totalCount: (_, args, context) =>
        context.db.receipt.count({ where: receiptWhere(context.principal, parse(connectionFilter, args)) }),
      description: 'Receipts, newest first, as a Relay connection of at most 200 a page.',
      args: argumentsOf(connectionFilter, receiptFilterEnums),
      access: 'read',
      input: connectionFilter,
      errors: ['forbidden'],
      extensions: { listSize: connectionSize(20, 200) },
      resolve: (query, _, args, context) =>
        context.db.receipt.findMany({
          ...query,
          where: receiptWhere(context.principal, parse(connectionFilter, args)),
          orderBy: newestFirst,
        }),
    },
    { name: 'ReceiptConnection' },
    { name: 'ReceiptEdge' },
  ),
)
