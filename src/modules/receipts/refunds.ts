// The GraphQL mutations of refunds: recording a refund, and settling an announced refund.
import type { Receipt } from '../../generated/prisma/client.ts'
import { mutation, type Payload, performs } from '../../kit/mutation.ts'
import { refundReceipt } from './refund.ts'
import { confirmRefund } from './settle-refund.ts'
import { ReceiptType } from './type.ts'

const payload: Payload<Receipt> = t => ({
  refund: t.field({ type: ReceiptType, description: 'The receipt of the refund.', resolve: receipt => receipt }),
})

mutation('refundReceipt', {
  ...performs(refundReceipt),
  description:
    'Records that an anchored receipt’s payment was given back: creates a receipt with sender and receiver swapped, which goes through the whole pipeline. Without `refundTx` the refund is announced, and is settled once its transaction is stated. With an `amount` a part is refunded, and further parts can follow, up to the payment. A repeated request returns the first refund: one with the same `refundTx`, else an announced one of the same amount, else that of the whole payment. What the payment’s sender announced is returned only for the same reason, or if none is given. Moves no funds.',
  takes: 'A payment that was given back.',
  errors: [
    'not_found',
    'not_anchored',
    'conflict',
    'refund_too_large',
    'disabled_by_configuration',
    'validation_failed',
  ],
  payload,
})

mutation('confirmRefund', {
  ...performs(confirmRefund),
  description:
    'Settles an announced refund: states the transaction that gave the money back. The refund’s entries are booked only then. A transaction settles one refund of a payment. Repeating the request is harmless. Moves no funds.',
  takes: 'How an announced refund was settled.',
  errors: ['not_found', 'conflict', 'refund_too_large', 'validation_failed'],
  payload,
})
