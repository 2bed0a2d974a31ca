// Causes receipt events: records a made-up payment, waits for a state of its receipt, refunds it.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type ReceiptStatus, receiptStatuses } from '../../core/states.ts'
import { visible } from '../../core/visible.ts'
import { CommandError } from '../command.ts'
import { ask, query, type Service } from '../service.ts'
import { type Fact, type Maker, madeUp } from './maker.ts'
import { until } from './until.ts'

/** A payment that was never made. */
const payment = (chain: string) => ({
  tip_tx_hash: madeUp(32),
  chain,
  amount: '1.00',
  currency: 'TEST',
  sender_wallet: madeUp(20),
  receiver_wallet: madeUp(20),
  reference: `trigger-${randomBytes(8).toString('hex')}`,
})

const recorded = z.object({ receipt_id: z.uuid() })
const refunded = z.object({ refund_receipt_id: z.uuid() })
const document = `query ($id: ID!) {
  receipt(id: $id) { status failureReason pageUrl }
}`
const present = z.object({
  receipt: z.object({
    status: z.string().toLowerCase().pipe(z.enum(receiptStatuses)),
    failureReason: z.string().nullable(),
    pageUrl: z.url(),
  }),
})

const lives = ['pending', 'awaiting_anchor', 'anchored'] as const satisfies readonly ReceiptStatus[]

/** Records a payment and waits until its receipt has been in this state. Throws CommandError when the receipt fails. */
async function record(
  service: Service,
  wanted: (typeof lives)[number],
  chain: string,
): Promise<{ id: string; facts: Fact[] }> {
  const { receipt_id: id } = await ask(service, 'POST', '/v1/iso/record-tip', recorded, payment(chain))
  const enough: readonly ReceiptStatus[] = lives.slice(lives.indexOf(wanted))
  const { receipt } = await until(
    () => query(service, document, present, { id }),
    ({ receipt: { status, failureReason } }) => {
      if (status === 'failed') throw new CommandError(`The receipt ${id} failed: ${visible(failureReason ?? 'untold')}`)
      return enough.includes(status)
    },
    ({ receipt: { status } }) => `The receipt ${id} is still ${status}: does a worker run, and does the chain answer?`,
  )
  const facts: Fact[] = [
    ['receipt', id],
    ['status', receipt.status],
    ['page', receipt.pageUrl],
  ]
  return { id, facts }
}

// A chain of which the service has no nodes, so that nothing contradicts the payment.
const nowhere = 'trigger'

export const recordUntil =
  (wanted: (typeof lives)[number], chain = nowhere): Maker =>
  async service =>
    (await record(service, wanted, chain)).facts

/** Records a receipt, waits until it is anchored, and refunds it. */
export const refundReceipt: Maker = async service => {
  const { id, facts } = await record(service, 'anchored', nowhere)
  const refund = { original_receipt_id: id, refund_tx_hash: madeUp(32) }
  const { refund_receipt_id } = await ask(service, 'POST', '/v1/iso/refund', refunded, refund)
  return [...facts, ['refund', refund_receipt_id]]
}
