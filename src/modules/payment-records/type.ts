// What GraphQL shows of one payment. Only what is asked for is read: what was delivered can be large.
import { hash32 } from '../../kit/answers.ts'
import { builder } from '../../kit/builder.ts'
import { CheckType, DecisionEnum, decisionOf, inOrder } from '../compliance/report.ts'
import { ReceiptStatusEnum } from '../receipts/enums.ts'
import { typeOf } from './bought.ts'
import { PaymentStatusEnum, PaymentTypeEnum } from './enums.ts'

const ofReceipt = { receipt: { select: { status: true, bundleHash: true, ledgerTxid: true } } } as const
const allChecks = { checks: inOrder, receipt: { select: { checks: inOrder } } } as const

/** Its own; else, where nothing was configured when it came, those of the receipt that records it. */
const checksOf = <Check>({ checks, receipt }: { checks: Check[]; receipt: { checks: Check[] } | null }): Check[] =>
  checks.length > 0 ? checks : (receipt?.checks ?? [])

export const PaymentType = builder.prismaObject('Payment', {
  select: { id: true },
  description: 'A payment to this service by x402. Own project and administrators only.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    status: t.expose('status', { type: PaymentStatusEnum, description: 'Where it is.' }),
    paymentType: t.field({
      type: PaymentTypeEnum,
      nullable: true,
      select: { endpoint: true },
      description: 'What it bought. Null when that is no longer sold.',
      resolve: ({ endpoint }) => typeOf(endpoint),
    }),
    txHash: t.string({
      nullable: true,
      select: { status: true, txid: true },
      description: 'The transaction that paid. Null until settled: one that is only sent may be replaced.',
      extensions: { answer: hash32 },
      resolve: ({ status, txid }) => (status === 'settled' || status === 'delivered' ? txid : null),
    }),
    amount: t.expose('amount', { type: 'Decimal', description: 'In units of the token.' }),
    currency: t.exposeString('currency', { description: 'The token’s ticker.' }),
    chain: t.exposeString('network', { description: 'CAIP-2 id of its network.' }),
    payer: t.exposeString('payer', { description: 'Who paid, lower-case.' }),
    recipient: t.exposeString('payTo', { description: 'Who was paid, lower-case.' }),
    endpoint: t.exposeString('endpoint', { description: 'Its path in the price list.' }),
    failureReason: t.exposeString('failureReason', {
      nullable: true,
      description: 'Why it failed; null unless it did.',
    }),
    verifiedAt: t.expose('verifiedAt', { type: 'DateTime', description: 'When it was found good.' }),
    settledAt: t.expose('settledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the chain showed that it paid. Null until settled.',
    }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When what it bought was delivered. Null until then.',
    }),
    receipt: t.relation('receipt', {
      nullable: true,
      description: 'The receipt that records this payment itself; null while nothing was recorded.',
    }),
    receiptId: t.exposeID('receiptId', {
      nullable: true,
      description: 'The UUID of the receipt that records it; null while nothing was recorded.',
    }),
    recordFailure: t.exposeString('recordFailure', {
      nullable: true,
      description: 'Why it could not be recorded by itself for an agent; null unless that failed.',
    }),
    receiptStatus: t.field({
      type: ReceiptStatusEnum,
      nullable: true,
      select: ofReceipt,
      description: 'Where the receipt that records it is.',
      resolve: ({ receipt }) => receipt?.status ?? null,
    }),
    bundleHash: t.string({
      nullable: true,
      select: ofReceipt,
      description: 'SHA-256 of the evidence bundle of the receipt that records it, 0x-prefixed. Null until sealed.',
      extensions: { answer: hash32 },
      resolve: ({ receipt }) => receipt?.bundleHash ?? null,
    }),
    ledgerTxid: t.string({
      nullable: true,
      select: ofReceipt,
      description: 'The anchor transaction of the receipt that records it, 0x-prefixed. Null until anchored.',
      extensions: { answer: hash32 },
      resolve: ({ receipt }) => receipt?.ledgerTxid ?? null,
    }),
    complianceDecision: t.field({
      type: DecisionEnum,
      select: allChecks,
      description: 'The worst of its checks; `unavailable` while none was made.',
      resolve: payment => decisionOf(checksOf(payment)),
    }),
    complianceChecks: t.field({
      type: [CheckType],
      select: allChecks,
      description:
        'The checks that were made before it was charged, one of each type; of a payment that was not checked those of the receipt that records it.',
      resolve: checksOf,
    }),
  }),
})
