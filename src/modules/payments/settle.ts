// Brings a payment that is leased to its end: signs its transaction in the signer's one lane, stores it, broadcasts it, and
// waits until the chain says what became of it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../kit/context.ts'
import type { PaymentFacilitator, PaymentPayload, Settlement } from '../../ports/payment-facilitator.ts'
import { handOver, signInLane } from './lane.ts'
import { expired, forgetTransaction, noteFailed, notePaid, type Payment, reverted } from './ledger.ts'

// Some chains have their block at once, others in seconds.
const pollMs = { first: 10, longest: 150 }
const searchEveryMs = 2_000
// Nodes that lag know of what is mined a moment later.
const lagPatienceMs = 3_000

export const clockSkewSeconds = 60

/** Whether no chain takes it any more. */
export const isOver = ({ authorization }: PaymentPayload) =>
  Number(authorization.validBefore) < Date.now() / 1_000 - clockSkewSeconds

/** unpaid: nothing was sent, and what is offered cannot be collected now · pending: sent, and not mined within the patience. */
export type Settled = 'paid' | 'failed' | 'unpaid' | 'pending' | 'unavailable'

export async function settlePayment(
  app: App,
  facilitator: PaymentFacilitator,
  payment: Payment,
  patienceMs: number,
): Promise<Settled> {
  if (payment.status === 'settled') return 'paid'
  const payload = facilitator.restore(payment.payload)
  // What was stored goes out again: its process may have died before it did.
  const { txid, raw } = payment
  const signed = txid !== null && raw !== null ? { txid, raw } : await signInLane(app, facilitator, payment, payload)
  if (signed === null) return search(app, facilitator, payment, payload, 'unpaid')
  const isOvertaken = (await handOver(app, facilitator, signed.raw)) === 'overtaken'
  const until = Date.now() + (isOvertaken ? Math.min(patienceMs, lagPatienceMs) : patienceMs)
  let nextSearch = Date.now() + searchEveryMs
  for (let pauseMs = pollMs.first; ; pauseMs = Math.min(2 * pauseMs, pollMs.longest)) {
    const outcome = await facilitator.outcome(signed.txid, payload)
    if (typeof outcome === 'object') return paid(app, payment, outcome)
    if (outcome === 'reverted') {
      const found = await search(app, facilitator, payment, payload, 'pending')
      if (found !== 'pending') return found
      // Nodes that lag know a moment later who was faster.
      await sleep(lagPatienceMs)
      return search(app, facilitator, payment, payload, 'failed')
    }
    const isOver = Date.now() >= until
    if (!isOver && Date.now() < nextSearch) {
      await sleep(pauseMs)
      continue
    }
    nextSearch = Date.now() + searchEveryMs
    // Another attempt of ours may be the one that was mined, or somebody else's.
    const found = await search(app, facilitator, payment, payload, 'pending')
    if (!isOver && found !== 'paid' && found !== 'failed') continue
    // Something else has its nonce, and the authorization is not used: at worst a second one reverts.
    if (found === 'pending' && outcome === 'waiting' && isOvertaken)
      await forgetTransaction(app, payment.id, signed.raw)
    return found
  }
}

/** What became of one that reverted, which whoever read it in a block may have collected; unpaid: nothing. */
export const seekPayment = (app: App, facilitator: PaymentFacilitator, payment: Payment): Promise<Settled> =>
  search(app, facilitator, payment, facilitator.restore(payment.payload), 'unpaid')

/** One of which nothing is known to be sent, and which can be sent no more. */
export const expirePayment = (app: App, facilitator: PaymentFacilitator, payment: Payment): Promise<Settled> =>
  search(app, facilitator, payment, facilitator.restore(payment.payload), 'failed', expired)

async function paid(app: App, payment: Payment, settlement: Settlement): Promise<Settled> {
  await notePaid(app, payment, settlement)
  return 'paid'
}

/** Whoever sent it: what paid us counts. */
async function search(
  app: App,
  facilitator: PaymentFacilitator,
  payment: Payment,
  payload: PaymentPayload,
  unused: 'unpaid' | 'failed' | 'pending',
  why = reverted,
): Promise<Settled> {
  const found = await facilitator.findSettlement(payload, payment.sinceBlock)
  if (typeof found === 'object') return paid(app, payment, found)
  if (found === 'unavailable') return 'unavailable'
  if (found === 'none' && unused !== 'failed') return unused
  await noteFailed(app, payment, found === 'cancelled' ? 'authorization_used_or_cancelled' : why)
  return 'failed'
}
