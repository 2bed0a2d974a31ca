// Builds the body of an event for webhooks and the subscription `webhookEvents`, with the member names of the REST API.
import { plainAmount } from '../../core/amount.ts'
import { testType } from '../../core/event-types.ts'
import { bundleUrl, xmlUrl } from '../receipts/urls.ts'
import { typeOf } from '../x402/bought.ts'
import type { LoggedEvent } from './log.ts'

export type WebhookBody = { type: string; timestamp: string; data: Record<string, unknown> }

/** Returns null if the subject of the event no longer exists, such as a payment that was dropped. */
export function webhookBody(event: LoggedEvent, publicBaseUrl: string): WebhookBody | null {
  const data = dataOf(event, publicBaseUrl)
  return data && { type: event.type, timestamp: event.at.toISOString(), data }
}

function dataOf(event: LoggedEvent, publicBaseUrl: string): Record<string, unknown> | null {
  if (event.type === testType) return { endpoint_id: event.endpointId }
  if (event.receiptId !== null) return receiptData(event, event.receiptId, publicBaseUrl)
  if (event.anchor !== null) return anchorData(event, event.anchor)
  return event.payment && paymentData(event, event.payment)
}

const receiptData = (event: LoggedEvent, receiptId: string, publicBaseUrl: string) => ({
  receipt_id: receiptId,
  status: event.status,
  bundle_hash: event.bundleHash,
  ledger_txid: event.ledgerTxid,
  // The older name of `ledger_txid`, which the stream of a receipt's events has too.
  flare_txid: event.ledgerTxid,
  xml_url: xmlUrl(publicBaseUrl, receiptId, event),
  bundle_url: bundleUrl(publicBaseUrl, receiptId, event),
  created_at: event.createdAt?.toISOString() ?? null,
  anchored_at: event.anchoredAt?.toISOString() ?? null,
  ...(event.refundId !== null && {
    refund_receipt_id: event.refundId,
    refund_amount: event.refundAmount && plainAmount(event.refundAmount),
    refund_settled: event.isRefundSettled,
  }),
  ...(event.settlementStatus !== null && { settlement_status: event.settlementStatus }),
})

const paymentData = ({ type, ledgerTxid }: LoggedEvent, payment: NonNullable<LoggedEvent['payment']>) => ({
  id: payment.id,
  status: type === 'payment.corrected' ? correctedStatus(payment) : type.slice('payment.'.length),
  payment_type: typeOf(payment.endpoint),
  // Older events did not keep the transaction.
  tx_hash: ledgerTxid ?? payment.txid,
  amount: plainAmount(payment.amount),
  currency: payment.currency,
  chain: payment.network,
  payer: payment.payer,
  recipient: payment.payTo,
  endpoint: payment.endpoint,
  // A payment is recorded only after it is settled.
  receipt_id: null,
  verified_at: isoOf(payment.verifiedAt),
  settled_at: isoOf(payment.settledAt),
})

// A correction changes no status.
const correctedStatus = ({ deliveredAt }: NonNullable<LoggedEvent['payment']>) =>
  deliveredAt === null ? 'settled' : 'delivered'

const anchorData = (event: LoggedEvent, anchor: NonNullable<LoggedEvent['anchor']>) => ({
  id: anchor.id,
  agent_id: anchor.agentId,
  bundle_hash: event.bundleHash,
  anchor_txid: event.ledgerTxid,
  chain: anchor.chain,
  status: event.type === 'agent.anchored' ? 'confirmed' : 'pending',
  anchored_at: event.anchoredAt?.toISOString() ?? null,
  created_at: isoOf(anchor.createdAt),
})

/** Converts a timestamp that PostgreSQL wrote into JSON, with another offset and precision. */
const isoOf = (time: string | null) => time && new Date(time).toISOString()
