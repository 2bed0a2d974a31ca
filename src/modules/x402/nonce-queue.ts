// The nonce queue of the settling account: nonces are assigned under one lock for all processes, and every stored
// transaction is resent or replaced until it is mined, whatever the status of its payment.
import { fromUnits } from '../../core/decimal.ts'
import { AppError, isChainFault } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { serialQueue } from '../../kit/serial-queue.ts'
import { inTransaction, type Transaction } from '../../kit/transaction.ts'
import type { PaymentFacilitator, PaymentPayload } from '../../ports/payment-facilitator.ts'
import { paymentEvent } from './events.ts'
import type { Payment } from './ledger.ts'

// A payer can make settlements revert after a successful simulation, at the service's gas cost.
const mostReverts = 3
// Enough for more than a minute of settlements.
const waitingAtMost = 2_000
const most = 500
const mostFillers = 16

// Waiting for the lock occupies a database connection, so one settlement per process waits at a time.
const queue = perApp(() => serialQueue(waitingAtMost))

type Signed = { txid: string; raw: string }

/**
 * Signs and stores the settlement of a payment, ready to broadcast. Returns null if it would revert, or if too many
 * settlements of this payer reverted within an hour. Throws `payment_in_progress` while the payer's other payments need
 * the payer's balance.
 */
export async function signInQueue(
  app: App,
  facilitator: PaymentFacilitator,
  payment: Payment,
  payload: PaymentPayload,
): Promise<Signed | null> {
  // Read before the lock is taken, because under the lock all other settlements would wait for the node too.
  const [sign, pending, balance, { decimals }] = await Promise.all([
    facilitator.prepareSettlement(payload),
    facilitator.pendingNonce(),
    facilitator.balanceOf(payment.payer),
    facilitator.token(),
  ])
  if (sign === 'refused') return null
  return queue(app)(() =>
    inTransaction(app, async tx => {
      await tx.sql('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`payments ${facilitator.address}`])
      const { next, reverts, hasEnough } = await standingOf(tx, facilitator, {
        payer: payment.payer,
        balance: fromUnits(balance, decimals),
        price: fromUnits(BigInt(payload.authorization.value), decimals),
      })
      if (reverts >= mostReverts) return null
      if (!hasEnough) throw inProgress()
      // `pending` may be outdated: `next` counts the nonces that other payments have stored since.
      const made = await sign(Math.max(next, pending))
      const stored = await tx.sql(
        `update payments set status = 'settling', signer = $2, signer_nonce = $3, raw_transaction = $4, txid = $5
         where id = $1 and status = 'verified' returning id`,
        [payment.id, facilitator.address, made.nonce, made.raw, made.txid],
      )
      // Another process took the payment over, because this one was stalled for longer than its lease.
      if (stored.length === 0) throw inProgress()
      tx.event(paymentEvent(payment, 'settling'))
      return made
    }),
  )
}

const inProgress = () => new AppError('payment_in_progress')

type Standing = { next: number; reverts: number; hasEnough: boolean }

/**
 * Returns the nonce after the last stored one; how often settlements of this payer reverted within an hour; and whether
 * the payer's balance covers this price and the payer's signed settlements that are neither known to be mined nor
 * expired. `balance` and `price` are in units of the token.
 */
async function standingOf(
  tx: Transaction,
  { network, asset, address }: PaymentFacilitator,
  { payer, balance, price }: { payer: string; balance: string; price: string },
): Promise<Standing> {
  const [row] = await tx.sql<Standing>(
    `select (select coalesce(max(signer_nonce) + 1, 0)::int from payments where network = $1 and signer = $2) as next,
       (select coalesce(sum(reverts), 0)::int from payments where status in ('verified', 'failed') and verified_at > now() - interval '1 hour'
          and network = $1 and asset = $3 and payer = $4) as reverts,
       (select coalesce(sum(amount), 0) from payments where status = 'settling'
          and (payload #>> '{authorization,validBefore}')::numeric > extract(epoch from now())
          and network = $1 and asset = $3 and payer = $4) + $5::numeric <= $6::numeric as "hasEnough"`,
    [network, address, asset, payer, price, balance],
  )
  if (row === undefined) throw new Error('an aggregate without a row')
  return row
}

/** Broadcasts a stored transaction. It is no error if a node already has the transaction, or has mined its nonce. */
export async function broadcastStored({ log }: App, facilitator: PaymentFacilitator, raw: string) {
  const outcome = await facilitator.broadcast(raw)
  if (outcome === 'unfunded')
    log.error({ signer: facilitator.address }, 'ALARM: the settling account cannot pay for gas')
  return outcome
}

type Sent = { id: string; nonce: number; raw: string; ageMs: number }

/** Resends unmined transactions, replaces a stuck one by the same with a higher fee, and fills nonce gaps. */
export async function resendOrReplaceAll(app: App, facilitator: PaymentFacilitator): Promise<void> {
  const [mined, pending] = await Promise.all([facilitator.minedNonce(), facilitator.pendingNonce()])
  const { rows } = await app.pool.query<Sent>(
    `select id, signer_nonce::int as nonce, raw_transaction as raw, (extract(epoch from now() - verified_at) * 1000)::float8 as "ageMs"
     from payments where network = $1 and signer = $2 and signer_nonce >= $3 order by signer_nonce limit ${most}`,
    [facilitator.network, facilitator.address, mined],
  )
  for (const row of rows) await resendOrReplace(app, facilitator, row, mined)
  const taken = new Set(rows.map(({ nonce }) => nonce))
  const last = rows.at(-1)?.nonce ?? 0
  for (let nonce = pending, filled = 0; nonce < last && filled < mostFillers; nonce++) {
    if (taken.has(nonce)) continue
    const { raw, txid } = await facilitator.signFiller(nonce)
    app.log.warn({ nonce, txid }, 'a gap of the settling account’s nonces is filled')
    await broadcastStored(app, facilitator, raw)
    filled += 1
  }
}

async function resendOrReplace(
  app: App,
  facilitator: PaymentFacilitator,
  { id, nonce, raw, ageMs }: Sent,
  mined: number,
) {
  // Only the first unmined transaction can be stuck: later nonces wait for it, not for a higher fee.
  const isStuck = nonce === mined && ageMs >= facilitator.replaceAfterMs
  const outcome = await broadcastStored(app, facilitator, raw).catch(error => {
    // No node accepts this transaction, for whatever reason, but a node may accept its replacement.
    if (isStuck && isChainFault(error)) return 'refused'
    throw error
  })
  if (outcome !== 'underpriced' && !isStuck) return
  const signed = await facilitator.signReplacement(raw)
  if (signed === null) {
    app.log.error({ payment: id, nonce }, 'ALARM: a settlement is stuck at the highest fee that is allowed')
    return
  }
  const { rowCount } = await app.pool.query(
    `update payments set raw_transaction = $2, txid = case when status = 'settling' then $3 else txid end
     where id = $1 and raw_transaction = $4`,
    [id, signed.raw, signed.txid, raw],
  )
  if (rowCount === 1) await broadcastStored(app, facilitator, signed.raw)
}
