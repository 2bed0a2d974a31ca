// The GraphQL type of a receipt.
import { caip2InSql, caip2Of, settlementOf } from '../../core/identity.ts'
import { contradicting, isContradicting } from '../../core/settlement.ts'
import { builder } from '../../kit/builder.ts'
import { longText } from '../../kit/field-cost.ts'
import { Node } from '../../kit/node.ts'
import { asRelation, inSql, type Row } from '../../kit/sql/index.ts'
import { ReceiptStatusEnum } from './enums.ts'
import { leftOf } from './refund-limits.ts'
import { bundleUrl, bundleUrlInSql, xmlUrl, xmlUrlInSql } from './urls.ts'

const RecorderType = builder.objectRef<{ id: string; ownerWallet: string | null }>('Recorder').implement({
  description: 'The project that recorded a receipt.',
  fields: t => ({
    projectId: t.exposeID('id', { description: 'UUID of the project.' }),
    ownerWallet: t.expose('ownerWallet', {
      type: 'Address',
      nullable: true,
      description: 'Wallet that registered the project, lower-case; null when a service administrator created it.',
    }),
  }),
})

const ownColumns = ({ column }: Row) => ({ id: column('id'), refundOfId: column('refundOfId') })

export const ReceiptType = builder.prismaObject('Receipt', {
  interfaces: [Node],
  description:
    'The record of one payment that already happened on a chain. Any caller who knows the receipt’s id can read the fields that its public bundle contains too.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID; also the UETR of its messages.' }),
    status: t.expose('status', { type: ReceiptStatusEnum, description: 'Complete only when `ANCHORED`.' }),
    settlementTx: t.exposeString('tipTxHash', {
      description:
        'Settlement transaction of the payment, as its chain writes it. Of a refund that was recorded without a transaction: the transaction of the refunded payment.',
    }),
    transferIndex: t.int({
      nullable: true,
      description:
        'Number of the transfer in the settlement transaction, which stands behind it (`0x…#3`): the index of its log on EVM chains, of the output or operation elsewhere. Null for the whole transaction.',
      // A receipt from before may end in a larger number.
      extensions: inSql(
        ({ column }) => `(select case when leg <= 2147483647 then leg::int end
          from (select substring(${column('tipTxHash')} from '^[^#]+#([0-9]{1,10})$')::bigint as leg) as legs)`,
      ),
      resolve: ({ tipTxHash }) => settlementOf(tipTxHash)?.leg ?? null,
    }),
    chain: t.exposeString('chain', { description: 'Chain of the payment, as the caller named it.' }),
    network: t.string({
      nullable: true,
      description: 'The CAIP-2 id of the chain, such as `eip155:8453`; null where it is not known.',
      extensions: inSql(({ column }) => caip2InSql(column('chainKey'))),
      resolve: ({ chainKey }) => caip2Of(chainKey),
    }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Exact amount, in units of `currency`.' }),
    currency: t.exposeString('currency', { description: 'Asset or currency label.' }),
    senderWallet: t.exposeString('senderWallet', { description: 'Payer address.' }),
    receiverWallet: t.exposeString('receiverWallet', { description: 'Recipient address.' }),
    reference: t.exposeString('reference', { description: 'The business identifier given at creation.' }),
    resourceHash: t.expose('resourceHash', {
      type: 'Hash32',
      nullable: true,
      description: 'SHA-256 of the delivered bytes, 0x-prefixed, as supplied at creation.',
    }),
    bundleHash: t.expose('bundleHash', {
      type: 'Hash32',
      nullable: true,
      description: 'SHA-256 of the current evidence bundle, 0x-prefixed. Null until sealed.',
    }),
    bundleCid: t.exposeString('bundleCid', {
      nullable: true,
      description:
        'CID under which the bundle was published in IPFS. Null until published, and where bundles are not published.',
    }),
    anchorTx: t.expose('ledgerTxid', {
      type: 'Hash32',
      nullable: true,
      description: 'Anchor transaction id, 0x-prefixed. Null until anchored.',
    }),
    xmlUrl: t.field({
      type: 'URL',
      nullable: true,
      description: 'URL of the ISO message inside the bundle. Null until sealed.',
      extensions: inSql(xmlUrlInSql(ownColumns)),
      resolve: (receipt, _, { publicBaseUrl }) => xmlUrl(publicBaseUrl, receipt.id, receipt),
    }),
    bundleUrl: t.field({
      type: 'URL',
      nullable: true,
      description: 'URL of the evidence ZIP. Null until sealed.',
      extensions: inSql(bundleUrlInSql(ownColumns)),
      resolve: (receipt, _, { publicBaseUrl }) => bundleUrl(publicBaseUrl, receipt.id, receipt),
    }),
    refundTx: t.exposeString('refundTxHash', {
      nullable: true,
      description:
        'Of a refund: the transaction that gave the money back. Null in a payment, and in a refund that is only announced.',
    }),
    isSettled: t.boolean({
      description:
        'Whether money moved: false for a refund that is only announced, and for a payment that its chain contradicts.',
      extensions: inSql(
        ({ column }) => `((${column('refundOfId')} is null or ${column('refundTxHash')} is not null)
          and coalesce(${column('settlementStatus')}::text, '') not in ('${contradicting.join("', '")}'))`,
      ),
      resolve: ({ refundOfId, refundTxHash, settlementStatus }) =>
        (refundOfId === null || refundTxHash !== null) && !isContradicting(settlementStatus),
    }),
    refundableAmount: t.field({
      type: 'Decimal',
      nullable: true,
      authScopes: receipt => ({ project: receipt.projectId }),
      description:
        'What is left to refund of the payment, in units of `currency`: its amount without its refunds, announced ones included. An announcement by the payment’s sender counts only once the project announces or settles that refund too. Null in a refund.',
      extensions: inSql(
        ({ column }) =>
          `case when ${column('refundOfId')} is null then ${column('amount')} - ${column('refundedAmount')} end`,
      ),
      resolve: receipt => (receipt.refundOfId === null ? leftOf(receipt) : null),
    }),
    recordedBy: t.field({
      type: RecorderType,
      description: 'The project that recorded the receipt, as the bundle names it.',
      select: { project: { select: { id: true, ownerWallet: true } } },
      extensions: asRelation('project'),
      resolve: ({ project }) => project,
    }),
    settledAt: t.expose('settledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the payment took place, as the project stated it. Null where it did not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the receipt was recorded.' }),
    anchoredAt: t.expose('anchoredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the block that carries the anchor. Null until anchored.',
    }),
    callbackUrl: t.expose('callbackUrl', {
      type: 'URL',
      nullable: true,
      authScopes: receipt => ({ project: receipt.projectId }),
      extensions: longText(2_048),
      description: 'URL that each change of the receipt is POSTed to.',
    }),
    failureReason: t.exposeString('failureReason', {
      nullable: true,
      authScopes: receipt => ({ project: receipt.projectId }),
      description: 'Why processing failed.',
    }),
    erasedAt: t.expose('erasedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When its texts and the content of its files were erased on request. Hashes and anchors stay, and a bundle that somebody kept still verifies.',
    }),
    refundOf: t.relation('refundOf', {
      nullable: true,
      description: 'The receipt that this receipt refunds; its sender and receiver are swapped.',
    }),
    countedAs: t.relation('countedAs', {
      nullable: true,
      authScopes: receipt => ({ project: receipt.projectId }),
      description:
        'The receipt that is the entry of the same movement in the accounts: a return that was recorded as a payment and as refunds is booked once. Null for a receipt that is an entry itself, or none yet.',
    }),
    project: t.relation('project', {
      authScopes: receipt => ({ project: receipt.projectId }),
      description: 'The receipt’s project.',
    }),
  }),
})
