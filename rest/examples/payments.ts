// The paid operations, and the records of their payments.
import { decodePaymentSignatureHeader } from '@x402/core/http'
import type { Project } from './project.ts'
import type { Request } from './record.ts'
import { isAnchored, type Stage, until } from './stage.ts'
import { accountOf, paymentFor } from './wallets.ts'

export async function callPayments(stage: Stage, { key }: Project, receipt: string): Promise<void> {
  const { base, adminKey, call } = stage
  const buyer = accountOf('buyer')
  const buy = async (operationId: string, request: Request) => {
    const { headers } = await call(operationId, request, 402)
    return call(operationId, { ...request, payment: await paymentFor(buyer, headers.get('PAYMENT-REQUIRED')) })
  }
  const { bundle_url, bundle_hash } = (await call('receipt', { path: { rid: receipt } })).json
  await call('pricing')
  await call('setPricing', {
    body: [{ path: '/v1/x402/premium/fx-lookup', price: '0.001', enabled: true }],
    key: adminKey,
  })
  await buy('premiumFxLookup', { body: { base_ccy: 'USD', quote_ccy: 'FLR' }, key })
  await buy('premiumVerifyBundle', { body: { bundle_url } })
  await buy('premiumBulkVerify', { body: { items: [{ bundle_url }, { bundle_hash }] } })
  await buy('premiumStatement', { query: { window: '00:00-23:59' }, key })
  await buy('premiumIsoMessage', { path: { receipt_id: receipt, type: 'pain.001' } })

  const tip = {
    tip_tx_hash: `0x${'81'.repeat(32)}`,
    ...{ chain: 'base', amount: '40', currency: 'USDC', reference: 'Invoice 2026-0044' },
    sender_wallet: accountOf('customer').address,
    receiver_wallet: buyer.address,
  }
  const { receipt_id } = (await call('recordTip', { body: tip, key })).json
  await until(isAnchored(base, receipt_id))
  await buy('premiumRefund', { body: { original_receipt_id: receipt_id, reason_code: 'CUST' } })

  const { headers } = await call('premiumFxLookup', { body: {} }, 402)
  const offered = decodePaymentSignatureHeader(await paymentFor(buyer, headers.get('PAYMENT-REQUIRED')))
  const checked = { payment_payload: offered, payment_requirements: offered.accepted }
  await call('verifyPayment', { body: checked, key: adminKey })
  const payments = await call('payments', { query: { status: 'delivered', limit: 2 }, key })
  const path = { payment_id: payments.json.at(-1).id }
  const made = await call('recordPayment', { path, body: {}, key })
  await until(isAnchored(base, made.json.receipt_id))
  await call('payment', { path, key })
  await call('paymentComplianceChecks', { path, key })
  await call('revenue', { query: { days: 7 }, key: adminKey })
  await call('facilitatorConfig', { key: adminKey })
}
