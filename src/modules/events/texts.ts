// The meanings of the types of events, as the enums of the schema state them.
import type { PaymentChange, WebhookType } from '../../core/event-types.ts'

type ReceiptType = Extract<WebhookType, `receipt.${string}`>

export const receiptEventTexts: Record<ReceiptType, string> = {
  'receipt.pending': 'A payment was recorded, or its failed receipt is processed again.',
  'receipt.awaiting_anchor': 'The bundle of the receipt was sealed, or an anchor of the receipt was lost.',
  'receipt.anchored': 'Every anchor of the receipt is final.',
  'receipt.failed': 'A compliance check denied the payment, or its chain contradicts a payment that must be confirmed.',
  'receipt.refunded': 'A refund of the receipt was recorded or settled.',
  'receipt.settlement_checked': 'The payment was checked on its own chain, or checked again with another result.',
}

export const paymentEventTexts: Record<`payment.${PaymentChange}`, string> = {
  'payment.verified': 'A payment to this service was verified.',
  'payment.settling': 'Its transaction was signed.',
  'payment.settled': 'It was paid.',
  'payment.delivered': 'What it bought was delivered.',
  'payment.failed': 'It was not paid.',
  'payment.corrected': 'Another transaction is its settlement now, because the chain was reorganised.',
  'payment.reversed': 'A reorganisation of the chain took its settlement back.',
  'payment.recorded': 'A receipt records it.',
  'payment.dropped': 'No transaction of it was sent, and none will be.',
}

export const webhookTexts: Record<WebhookType, string> = {
  ...receiptEventTexts,
  'payment.settled': 'A payment to this service was paid.',
  'payment.corrected': 'Another transaction is the settlement of a payment now, because the chain was reorganised.',
  'payment.reversed': 'A reorganisation of the chain took the settlement of a payment back.',
  'agent.anchored': 'A hash that an agent requested is anchored.',
}
