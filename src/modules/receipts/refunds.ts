// What GraphQL offers of refunds: recording one, and settling one that was announced.
import { builder } from '../../kit/builder.ts'
import { inputType } from '../../kit/input.ts'
import { declarationOf, perform } from '../../kit/verb.ts'
import { refundReceipt, refundReceiptInput } from './refund.ts'
import { ReceiptType } from './schema.ts'
import { confirmRefund, confirmRefundInput } from './settle-refund.ts'

const RefundInput = inputType('RefundReceiptInput', 'A payment that was given back.', refundReceiptInput)

builder.mutationField('refundReceipt', t =>
  t.field({
    type: ReceiptType,
    description:
      'Records that an anchored receipt’s payment was given back: a new receipt with the wallets the other way round, which goes through the whole pipeline. Without `refundTxHash` the refund is announced, and settled once that is known. A second refund returns the first. Moves no funds. Errors: unauthenticated, forbidden, not_found, not_anchored, conflict, disabled_by_configuration, validation_failed.',
    args: { input: t.arg({ type: RefundInput, required: true }) },
    extensions: declarationOf(refundReceipt),
    resolve: (_, { input }, context) => perform(context, refundReceipt, input),
  }),
)

const ConfirmRefundInput = inputType('ConfirmRefundInput', 'How an announced refund was settled.', confirmRefundInput)

builder.mutationField('confirmRefund', t =>
  t.field({
    type: ReceiptType,
    description:
      'Settles an announced refund: states the transaction that gave the money back. Its entries are booked then. Repeating it is harmless. Moves no funds. Errors: unauthenticated, forbidden, not_found, conflict, validation_failed.',
    args: { input: t.arg({ type: ConfirmRefundInput, required: true }) },
    extensions: declarationOf(confirmRefund),
    resolve: (_, { input }, context) => perform(context, confirmRefund, input),
  }),
)
