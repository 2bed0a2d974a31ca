// The GraphQL mutations of refunds: recording a refund, and settling an announced refund.
import { builder } from '../../kit/builder.ts'
import { inputType } from '../../kit/input.ts'
import { declarationOf, runVerb } from '../../kit/verb.ts'
import { refundReceipt, refundReceiptInput } from './refund.ts'
import { ReceiptType } from './schema.ts'
import { confirmRefund, confirmRefundInput } from './settle-refund.ts'

const RefundInput = inputType('RefundReceiptInput', 'A payment that was given back.', refundReceiptInput)

builder.mutationField('refundReceipt', t =>
  t.field({
    type: ReceiptType,
    description:
      'Records that an anchored receipt’s payment was given back: creates a receipt with sender and receiver swapped, which goes through the whole pipeline. Without `refundTxHash` the refund is announced, and is settled once its transaction is stated. A second refund returns the first. Moves no funds.',
    args: { input: t.arg({ type: RefundInput, required: true }) },
    ...declarationOf(refundReceipt),
    errors: ['not_found', 'not_anchored', 'conflict', 'disabled_by_configuration', 'validation_failed'],
    resolve: (_, { input }, context) => runVerb(context, refundReceipt, input),
  }),
)

const ConfirmRefundInput = inputType('ConfirmRefundInput', 'How an announced refund was settled.', confirmRefundInput)

builder.mutationField('confirmRefund', t =>
  t.field({
    type: ReceiptType,
    description:
      'Settles an announced refund: states the transaction that gave the money back. The refund’s entries are booked only then. Repeating the request is harmless. Moves no funds.',
    args: { input: t.arg({ type: ConfirmRefundInput, required: true }) },
    ...declarationOf(confirmRefund),
    errors: ['not_found', 'conflict', 'validation_failed'],
    resolve: (_, { input }, context) => runVerb(context, confirmRefund, input),
  }),
)
