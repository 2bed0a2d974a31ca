// The GraphQL type of a payment. Only the requested columns are read, because a stored answer can be large.

import { ownedBy } from '../../core/principal.ts'
import { builder } from '../../kit/builder.ts'
import { restOnly } from '../../kit/enum-names.ts'
import { Node, nodeType } from '../../kit/node.ts'
import { Expression, inSql, NotInSql, objectsFrom, objectTypeOf, writtenInSql } from '../../kit/sql/index.ts'
import { CheckType, DecisionEnum, decisionInSql, decisionOf, inOrder } from '../compliance/report.ts'
import { typeInSql, typeOf } from '../x402/bought.ts'
import { PaymentStatusEnum, PaymentTypeEnum } from './enums.ts'

const allChecks = { checks: inOrder, receipt: { select: { checks: inOrder } } } as const

/** Returns the payment's own checks. If it has none, because no provider was configured then, those of its receipt. */
const checksOf = <Check>({ checks, receipt }: { checks: Check[]; receipt: { checks: Check[] } | null }): Check[] =>
  checks.length > 0 ? checks : (receipt?.checks ?? [])

/** The same in SQL. */
const checksInSql = writtenInSql((planner, { field, nodes, parent }) => {
  if (parent === null) throw new NotInSql(field.name)
  const [id, receiptId] = ['id', 'receiptId'].map(name => new Expression(parent.column(name)))
  const ofReceipt = { receiptId, receipt: { payments: { some: { id, checks: { none: {} } } } } }
  const find = { ...inOrder, where: { OR: [{ paymentId: id }, ofReceipt] } }
  return objectsFrom(planner, objectTypeOf(field), nodes, { model: 'ComplianceCheck', find, isList: true, absent: '' })
})

export const PaymentType = builder.prismaObject('Payment', {
  interfaces: [Node],
  select: { id: true },
  description: 'An x402 payment to this service. Visible to its project and to service administrators only.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    status: t.expose('status', { type: PaymentStatusEnum, description: 'Status of the payment.' }),
    paymentType: t.field({
      type: PaymentTypeEnum,
      nullable: true,
      select: { endpoint: true },
      extensions: inSql(({ column }) => typeInSql(column('endpoint'))),
      description: 'Type of the purchase. Null when it is no longer sold.',
      resolve: ({ endpoint }) => typeOf(endpoint),
    }),
    settlementTx: t.field({
      type: 'Hash32',
      nullable: true,
      select: { status: true, txid: true },
      extensions: inSql(
        ({ column }) => `case when ${column('status')} in ('settled', 'delivered') then ${column('txid')} end`,
      ),
      description:
        'The transaction that paid. Null until settled, because a sent transaction may be replaced, and while reversed. A reorganisation of the chain may change it until it is final.',
      resolve: ({ status, txid }) => (status === 'settled' || status === 'delivered' ? txid : null),
    }),
    amount: t.expose('amount', { type: 'Decimal', description: 'In units of the token.' }),
    currency: t.exposeString('currency', { description: 'The token’s ticker.' }),
    network: t.exposeString('network', { description: 'CAIP-2 id of the token’s network.' }),
    payer: t.expose('payer', { type: 'Address', description: 'The payer’s address, lower-case.' }),
    recipient: t.expose('payTo', { type: 'Address', description: 'The recipient’s address, lower-case.' }),
    endpoint: t.exposeString('endpoint', { description: 'The paid endpoint’s path in the price list.' }),
    failureReason: t.exposeString('failureReason', {
      nullable: true,
      description: 'Why the payment failed or was reversed; null unless it did.',
    }),
    verifiedAt: t.expose('verifiedAt', { type: 'DateTime', description: 'When the payment was verified.' }),
    settledAt: t.expose('settledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the service found its settlement on chain. Null until settled.',
    }),
    finalAt: t.expose('finalAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the service found that its settlement has the configured number of confirmations. Null until then, and while a reorganisation has taken it back. Only then can a receipt record the payment.',
    }),
    reversedAt: t.expose('reversedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the service found that the chain took the settlement back. Null unless reversed.',
    }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the purchase was delivered. Null until then.',
    }),
    receipt: t.relation('receipt', {
      nullable: true,
      description: 'The receipt that records this payment itself; null until the payment is recorded.',
    }),
    project: t.relation('project', {
      nullable: true,
      description: 'The project of the payment; null until it belongs to one.',
    }),
    receiptId: t.exposeID('receiptId', {
      nullable: true,
      description: 'The UUID of the receipt that records the payment; null until the payment is recorded.',
      extensions: restOnly,
    }),
    recordFailure: t.exposeString('recordFailure', {
      nullable: true,
      description: 'Why automatic recording for an agent failed; null unless it failed.',
    }),
    complianceDecision: t.field({
      type: DecisionEnum,
      select: allChecks,
      extensions: inSql(
        row => `coalesce(${decisionInSql(row, 'checks')}, ${decisionInSql(row, 'receipt.checks')}, 'unavailable')`,
      ),
      description: 'The worst decision of its compliance checks; `UNAVAILABLE` while there is none.',
      resolve: payment => decisionOf(checksOf(payment)),
    }),
    complianceChecks: t.field({
      type: [CheckType],
      select: allChecks,
      extensions: checksInSql,
      description:
        'The compliance checks made before the payment was charged, one of each type. For a payment without checks, those of the receipt that records it.',
      resolve: checksOf,
    }),
  }),
})

nodeType('Payment', {
  table: 'payments',
  access: 'read',
  read: ({ db, principal }, query) =>
    db.payment.findMany({ ...query, where: { ...query.where, ...ownedBy(principal) } }),
})
