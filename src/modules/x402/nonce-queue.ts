// The nonce queue of the settling account: nonces are assigned under one lock for all processes.
import { fromUnits } from '../../core/decimal.ts'
import { AppError } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { serialQueue } from '../../kit/serial-queue.ts'
import { inTransaction, type Transaction } from '../../kit/transaction.ts'
import type { PaymentFacilitator, PaymentPayload } from '../../ports/payment-facilitator.ts'
import { type NonceQueue, noncesOf, rebroadcastAll, type Stored } from '../transactions/nonce-queue.ts'
import { logged } from './events.ts'
import type { Payment } from './ledger.ts'
import { moveSql } from './states.ts'

// A payer can make settlements revert after a successful simulation, at the service's gas cost.
const mostReverts = 3
// Enough for more than a minute of settlements.
const waitingAtMost = 2_000
const mostRebroadcast = 500

// Waiting for the lock occupies a database connection, so one settlement per process waits at a time.
const queue = perApp(() => serialQueue(waitingAtMost))

type Signed = { txid: string; raw: string }

/** Reads all that the nodes must say before a payment is signed. */
export const prepare = (facilitator: PaymentFacilitator, payload: PaymentPayload, gas?: number) =>
  Promise.all([
    facilitator.prepareSettlement(payload, gas),
    facilitator.pendingNonce(),
    facilitator.balanceOf(payload.authorization.from),
    facilitator.token(),
  ])
export type Prepared = ReturnType<typeof prepare>

/**
 * Signs and stores the settlement of a payment, ready to broadcast: of a new one, or of one whose settlement left the
 * chain. Returns null if it would revert, or if too many
 * settlements of this payer reverted within an hour. Throws `payment_in_progress` while the payer's other payments need
 * the payer's balance.
 */
export async function signInQueue(
  app: App,
  facilitator: PaymentFacilitator,
  payment: Payment,
  payload: PaymentPayload,
  prepared: Prepared = prepare(facilitator, payload),
): Promise<Signed | null> {
  // Read before the lock is taken, because under the lock all other settlements would wait for the node too.
  const [sign, pending, balance, { decimals }] = await prepared
  if (sign === 'refused') return null
  return queue(app)(async () => {
    const signing = await inTransaction(app, async tx => {
      // The second statement is sent without waiting for the first. It begins, and sees what is stored, after it.
      const [, { next, reverts, hasEnough }] = await Promise.all([
        tx.sql(
          'select pg_advisory_xact_lock(hashtextextended($1, 0))',
          [`payments ${facilitator.address}`],
          'settlement-lock',
        ),
        queueStateOf(tx, facilitator, {
          payer: payment.payer,
          balance: fromUnits(balance, decimals),
          price: fromUnits(BigInt(payload.authorization.value), decimals),
        }),
      ])
      if (reverts >= mostReverts) return null
      if (!hasEnough) throw inProgress()
      // `pending` may be outdated: `next` counts the nonces that other payments have stored since.
      const signed = await sign(Math.max(next, pending))
      const values = [payment.id, facilitator.address, signed.nonce, signed.raw]
      const storing =
        payment.status === 'verified'
          ? tx.sql(signSql, [...values, signed.txid], 'payment-sign')
          : tx.sql(signAgainSql, [...values, payment.raw])
      tx.last(storing)
      return { signed, storing }
    })
    if (signing === null) return null
    // Another process took the payment over, because this one was stalled for longer than its lease. Nothing is stored.
    if ((await signing.storing).length === 0) throw inProgress()
    return signing.signed
  })
}

const signSql = `
  with changed as (
    ${moveSql('sign', { set: 'signer = $2, signer_nonce = $3, raw_transaction = $4, txid = $5' })} returning *
  ), events as (${logged('changed')}) select id from changed`

// The payment keeps its status and its `txid`: the chain had settled it, and shows what settles it now.
const signAgainSql = `
  update payments set signer = $2, signer_nonce = $3, raw_transaction = $4
  where id = $1 and status in ('settled', 'delivered', 'reversed') and raw_transaction is not distinct from $5 returning id`

const inProgress = () => new AppError('payment_in_progress')

type QueueState = { next: number; reverts: number; hasEnough: boolean }

/**
 * Returns the nonce after the last stored one; how often settlements of this payer reverted within an hour; and whether
 * the payer's balance covers this price and the payer's signed settlements that are neither known to be mined nor
 * expired. `balance` and `price` are in units of the token.
 */
async function queueStateOf(
  tx: Transaction,
  { network, asset, address }: PaymentFacilitator,
  { payer, balance, price }: { payer: string; balance: string; price: string },
): Promise<QueueState> {
  const [row] = await tx.sql<QueueState>(
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

/** Rebroadcasts or replaces every stored transaction that is not mined, whatever the status of its payment. */
export async function rebroadcastSettlements(app: App, facilitator: PaymentFacilitator): Promise<void> {
  const { network, address } = facilitator
  const nonces = await noncesOf(facilitator)
  const { rows } = await app.pool.query<Stored>(
    `select id, signer_nonce::int as nonce, raw_transaction as raw, (extract(epoch from now() - verified_at) * 1000)::float8 as "ageMs"
     from payments where network = $1 and signer = $2 and signer_nonce >= $3 order by signer_nonce limit ${mostRebroadcast}`,
    [network, address, nonces.mined],
  )
  // Their nonces are not used: if it was these transactions that paid, they have left the chain.
  await app.pool.query(
    `update payments set look_at = now() where id = any($1::uuid[]) and final_at is not null and status in ('settled', 'delivered')`,
    [rows.map(({ id }) => id)],
  )
  const storeReplacement: NonceQueue['storeReplacement'] = async (id, raw, signed) => {
    const { rowCount } = await app.pool.query(
      `update payments set raw_transaction = $2, txid = case when status = 'settling' then $3 else txid end
       where id = $1 and raw_transaction = $4`,
      [id, signed.raw, signed.txid, raw],
    )
    return rowCount === 1
  }
  await rebroadcastAll(app, { chain: network, account: facilitator, storeReplacement }, rows, nonces)
}
