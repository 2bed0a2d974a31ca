// The settling account's transactions, one nonce after the other: nonces are given out under one lock for all processes, and
// every transaction that was stored is seen to until it is mined, whatever became of its payment meanwhile.
import { AppError, isChainFault } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import { oneAtATime } from '../../kit/one-at-a-time.ts'
import { perApp } from '../../kit/per-app.ts'
import { inTransaction, type Transaction } from '../../kit/transaction.ts'
import type { PaymentFacilitator, PaymentPayload } from '../../ports/payment-facilitator.ts'
import type { Payment } from './ledger.ts'

// More than a minute of settlements.
const waitingAtMost = 2_000
const most = 500
const mostFillers = 16

// Whoever waits for the lock has a connection: one of a process is enough.
const turns = perApp(() => oneAtATime(waitingAtMost))

type Signed = { txid: string; raw: string }

/** Signed and stored, to be broadcast; null when it would revert. */
export async function signInLane(
  app: App,
  facilitator: PaymentFacilitator,
  payment: Payment,
  payload: PaymentPayload,
): Promise<Signed | null> {
  // Before the lane is taken, where all others would wait for the node too.
  const sign = await facilitator.prepareSettlement(payload)
  if (sign === 'refused') return null
  const pending = await facilitator.pendingNonce()
  return turns(app)(() =>
    inTransaction(app, async tx => {
      await tx.sql('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`payments ${facilitator.address}`])
      // What others took meanwhile is stored.
      const made = await sign(Math.max(await nextNonce(tx, facilitator), pending))
      const stored = await tx.sql(
        `update payments set status = 'settling', signer = $2, signer_nonce = $3, raw_transaction = $4, txid = $5
         where id = $1 and status = 'verified' returning id`,
        [payment.id, facilitator.address, made.nonce, made.raw, made.txid],
      )
      // Another took it over, because this process stood still for longer than its lease.
      if (stored.length === 0) throw new AppError('payment_in_progress', undefined, { retryAfterSeconds: 2 })
      return made
    }),
  )
}

/** After the last that is stored. */
async function nextNonce(tx: Transaction, { network, address }: PaymentFacilitator): Promise<number> {
  const [row] = await tx.sql<{ next: number }>(
    'select coalesce(max(signer_nonce) + 1, 0)::int as next from payments where network = $1 and signer = $2',
    [network, address],
  )
  return row?.next ?? 0
}

/** Hands over what is stored. A node that has it already, or its nonce mined, is as good as one that takes it. */
export async function handOver({ log }: App, facilitator: PaymentFacilitator, raw: string) {
  const outcome = await facilitator.broadcast(raw)
  if (outcome === 'unfunded')
    log.error({ signer: facilitator.address }, 'ALARM: the settling account cannot pay for gas')
  return outcome
}

type Sent = { id: string; nonce: number; raw: string; ageMs: number }

/** Hands over again what is not mined, replaces what is stuck by the same with a higher fee, and fills gaps of nonces. */
export async function tendLane(app: App, facilitator: PaymentFacilitator): Promise<void> {
  const [mined, pending] = await Promise.all([facilitator.minedNonce(), facilitator.pendingNonce()])
  const { rows } = await app.pool.query<Sent>(
    `select id, signer_nonce::int as nonce, raw_transaction as raw, (extract(epoch from now() - verified_at) * 1000)::float8 as "ageMs"
     from payments where network = $1 and signer = $2 and signer_nonce >= $3 order by signer_nonce limit ${most}`,
    [facilitator.network, facilitator.address, mined],
  )
  for (const row of rows) await tend(app, facilitator, row, mined)
  const taken = new Set(rows.map(({ nonce }) => nonce))
  const last = rows.at(-1)?.nonce ?? 0
  for (let nonce = pending, filled = 0; nonce < last && filled < mostFillers; nonce++) {
    if (taken.has(nonce)) continue
    const { raw, txid } = await facilitator.signFiller(nonce)
    app.log.warn({ nonce, txid }, 'a gap of the settling account’s nonces is filled')
    await handOver(app, facilitator, raw)
    filled += 1
  }
}

async function tend(app: App, facilitator: PaymentFacilitator, { id, nonce, raw, ageMs }: Sent, mined: number) {
  // Those behind the first wait for it, not for a higher fee.
  const isStuck = nonce === mined && ageMs >= facilitator.replaceAfterMs
  const outcome = await handOver(app, facilitator, raw).catch(error => {
    // No node takes it, whatever its words mean: perhaps one takes the next.
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
  if (rowCount === 1) await handOver(app, facilitator, signed.raw)
}
