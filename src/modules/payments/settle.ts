// Brings a payment that is leased to its end: signs its transaction in the signer's one lane, stores it, broadcasts it, and
// waits until the chain says what became of it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../kit/context.ts'
import { inTransaction, type Transaction } from '../../kit/transaction.ts'
import type { PaymentFacilitator, PaymentPayload, Settlement } from '../../ports/payment-facilitator.ts'
import { noteFailed, notePaid, type Payment, reverted } from './ledger.ts'

const pollMs = 150

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
  const txid = payment.txid ?? (await send(app, facilitator, payment, payload))
  if (txid === null) return search(app, facilitator, payment, payload, 'unpaid')
  for (const until = Date.now() + patienceMs; ; await sleep(pollMs)) {
    const outcome = await facilitator.outcome(txid, payload)
    if (typeof outcome === 'object') return paid(app, payment, outcome)
    if (outcome === 'reverted') return search(app, facilitator, payment, payload, 'failed')
    if (Date.now() < until) continue
    // Another attempt of ours may be the one that was mined, or somebody else's.
    return outcome === 'unavailable' ? 'unavailable' : search(app, facilitator, payment, payload, 'pending')
  }
}

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
): Promise<Settled> {
  const found = await facilitator.findSettlement(payload, payment.sinceBlock)
  if (typeof found === 'object') return paid(app, payment, found)
  if (found === 'unavailable') return 'unavailable'
  if (found === 'none' && unused !== 'failed') return unused
  await noteFailed(app, payment, found === 'cancelled' ? 'authorization_used_or_cancelled' : reverted)
  return 'failed'
}

/** Null when it would revert. One lane for all processes: nonces are given out one after the other. */
async function send(
  app: App,
  facilitator: PaymentFacilitator,
  payment: Payment,
  payload: PaymentPayload,
): Promise<string | null> {
  const signed = await inTransaction(app, async tx => {
    await tx.sql('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`payments ${facilitator.address}`])
    const made = await facilitator.signSettlement(payload, await nextNonce(tx, facilitator))
    if (made === 'refused') return null
    await tx.sql(
      `update payments set status = 'settling', signer = $2, signer_nonce = $3, raw_transaction = $4, txid = $5 where id = $1 and status = 'verified'`,
      [payment.id, facilitator.address, made.nonce, made.raw, made.txid],
    )
    return made
  })
  if (signed === null) return null
  await facilitator.broadcast(signed.raw)
  return signed.txid
}

async function nextNonce(tx: Transaction, { network, address, pendingNonce }: PaymentFacilitator): Promise<number> {
  const [row] = await tx.sql<{ next: number }>(
    'select coalesce(max(signer_nonce) + 1, 0)::int as next from payments where network = $1 and signer = $2',
    [network, address],
  )
  return Math.max(row?.next ?? 0, await pendingNonce())
}
