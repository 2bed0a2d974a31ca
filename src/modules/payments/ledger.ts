// The book of payments. Each move names the state it comes from, and whoever works on a payment holds its lease: of any number
// of copies of a request, in any number of processes, one goes on.
import type { App } from '../../kit/context.ts'
import { inTransaction, type Sql, sqlOf, type Transaction } from '../../kit/transaction.ts'
import type { PaymentPayload, Settlement } from '../../ports/payment-facilitator.ts'
import type { Check } from '../compliance/policy.ts'
import { askNow, storeChecks } from '../compliance/store.ts'
import { demandAllowed, isAgent, lockAgents } from './agent-limits.ts'
import { logged, paymentEvent } from './events.ts'
import { leaseSeconds } from './lease.ts'

export const paymentStatuses = ['verified', 'settling', 'settled', 'delivered', 'failed'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export type Payment = {
  id: string
  payer: string
  endpoint: string
  projectId: string | null
  /** Hex. */
  fingerprint: string
  payload: unknown
  status: PaymentStatus
  verifiedAt: Date
  failureReason: string | null
  /** Settlements of it that were mined and failed. */
  reverts: number
  sinceBlock: number
  txid: string | null
  /** Its transaction as it was signed last. */
  raw: string | null
  /** Of whoever works on it. */
  leaseId: string | null
  answer: unknown
  /** Whether the answer may still be given again. */
  isKept: boolean
}

/** What makes a payment one and the same. */
type PaymentKey = { network: string; asset: string; payload: PaymentPayload }

/** Why a payment failed that may still come. */
export const reverted = 'settlement_reverted'
/** Why one failed that was never sent. */
export const expired = 'authorization_expired'

// After it the header alone, which is public by then, gives nothing away any more.
const keptHours = 24

const lease = 'lease_until, lease_id'
const fresh = `now() + interval '${leaseSeconds} seconds', gen_random_uuid()`

const columns = `id, payer, endpoint, project_id as "projectId", encode(fingerprint, 'hex') as fingerprint, payload, status, verified_at as "verifiedAt",
  failure_reason as "failureReason", reverts, since_block::int as "sinceBlock", txid, raw_transaction as raw, lease_id as "leaseId", answer, coalesce(answer_until > now(), false) as "isKept"`

const keyValues = ({ network, asset, payload: { authorization } }: PaymentKey) => [
  network,
  asset,
  authorization.from,
  authorization.nonce.slice(2),
]

export async function findPayment({ pool }: Pick<App, 'pool'>, key: PaymentKey): Promise<Payment | null> {
  const { rows } = await pool.query<Payment>(
    `select ${columns} from payments where network = $1 and asset = $2 and payer = $3 and nonce = decode($4, 'hex')`,
    keyValues(key),
  )
  return rows[0] ?? null
}

/** The payment that has this payer's name for a purchase. One that failed has it as long as it may still be collected. */
export async function findNamed({ pool }: Pick<App, 'pool'>, key: PaymentKey): Promise<Payment | null> {
  const { network, asset, payload } = key
  const { rows } = await pool.query<Payment>(
    `select ${columns} from payments where network = $1 and asset = $2 and payer = $3 and identifier = $4`,
    [network, asset, payload.authorization.from, payload.identifier],
  )
  return rows[0] ?? null
}

type NewPayment = PaymentKey & {
  amount: string
  currency: string
  payTo: string
  endpoint: string
  fingerprint: string
  /** Null: the only project that the payer's wallet is linked to, if there is one. */
  projectId: string | null
  sinceBlock: number
  verifiedAt: Date
  checks: readonly Check[]
}

/**
 * The one winner gets the payment with its lease; null for all others, also of another payment of its name. Throws
 * `agent_not_allowed`.
 */
export async function claimPayment(app: Pick<App, 'pool'>, payment: NewPayment): Promise<Payment | null> {
  const spending = { ...payment, payer: payment.payload.authorization.from }
  const sql = sqlOf(app.pool)
  const isAgents = await isAgent(sql, spending)
  if (!isAgents && payment.checks.length === 0) return insertPayment(sql, payment)
  return inTransaction(app, async tx => {
    if (isAgents) await lockAgents(tx.sql, spending)
    // A copy of a payment that is stored meanwhile is not asked again: what was taken once is not refused.
    const claimed = await insertPayment(tx.sql, payment)
    if (claimed === null) return null
    if (isAgents) await demandAllowed(tx.sql, spending)
    await noteChecks(tx, claimed.id, payment.checks)
    return claimed
  })
}

/** What a payment's screening found, in place of what an earlier one did. */
export async function noteChecks(tx: Transaction, paymentId: string, checks: readonly Check[]): Promise<void> {
  await storeChecks(
    tx.sql,
    'payment_id',
    checks.map(check => ({ of: paymentId, ...check })),
  )
  tx.job(...askNow(checks))
}

async function insertPayment(sql: Sql, payment: NewPayment): Promise<Payment | null> {
  const { amount, currency, payTo, endpoint, fingerprint, projectId, sinceBlock, verifiedAt, payload } = payment
  const rows = await sql<Payment>(
    `with claimed as (insert into payments (id, network, asset, payer, nonce, amount, currency, pay_to, endpoint, fingerprint, project_id, since_block, payload, verified_at, identifier, ${lease})
     values (gen_random_uuid(), $1, $2, $3, decode($4, 'hex'), $5::numeric, $6, $7, $8, decode($9, 'hex'),
       coalesce($10::uuid, (select min(project_id::text)::uuid from linked_wallets where address = $3 having count(*) = 1)),
       $11, $12, $13, $14, ${fresh})
     on conflict do nothing returning *), events as (${logged('claimed')}) select ${columns} from claimed`,
    [
      ...keyValues(payment),
      amount,
      currency,
      payTo,
      endpoint,
      fingerprint,
      projectId,
      sinceBlock,
      JSON.stringify(payload),
      verifiedAt,
      payload.identifier ?? null,
    ],
  )
  return rows[0] ?? null
}

/** The payment as it is now, for whoever gets its lease; null while another has it, or when there is nothing left to do. */
export async function leasePayment({ pool }: Pick<App, 'pool'>, id: string): Promise<Payment | null> {
  const { rows } = await pool.query<Payment>(
    `update payments set (${lease}) = (select ${fresh})
     where id = $1 and status in ('verified', 'settling', 'settled') and (lease_until is null or lease_until < now()) returning ${columns}`,
    [id],
  )
  return rows[0] ?? null
}

/**
 * Nothing was sent and nothing ever will be: the same authorization may be offered anew. One that reverted stays: it stands in
 * a block, where anyone may read it and collect it yet.
 */
export const dropPayment = ({ pool }: Pick<App, 'pool'>, id: string) =>
  pool.query(
    `with kept as (
       update payments set status = 'failed', failure_reason = '${reverted}'
       where id = $1 and status = 'verified' and reverts > 0 returning id, project_id, status::text
     ), dropped as (
       delete from payments where id = $1 and status = 'verified' and reverts = 0 returning id, project_id, 'dropped' as status
     ), changed as (select * from kept union all select * from dropped)
     ${logged('changed')}`,
    [id],
  )

export const notePaid = (app: App, payment: Payment, { txid }: Settlement): Promise<void> =>
  inTransaction(app, async tx => {
    const moved = await tx.sql(
      `update payments set status = 'settled', txid = $2, settled_at = now() where id = $1 and status in ('verified', 'settling') returning id`,
      [payment.id, txid],
    )
    if (moved.length === 0) return
    tx.audit(entry('payment.settle', payment, { txid, endpoint: payment.endpoint }))
    tx.event(paymentEvent(payment, 'settled'))
  })

/** A transaction that is stored for it is mined and failed, or will be. What cannot be collected any more leaves its name to another. */
export const noteFailed = (app: App, payment: Payment, reason: string): Promise<void> =>
  inTransaction(app, async tx => {
    const moved = await tx.sql(
      `update payments set status = 'failed', failure_reason = $2, reverts = reverts + (raw_transaction is not null)::int,
         identifier = case when $2 = '${reverted}' then identifier end
       where id = $1 and status in ('verified', 'settling') returning id`,
      [payment.id, reason],
    )
    if (moved.length === 0) return
    tx.audit(entry('payment.fail', payment, { reason }))
    tx.event(paymentEvent(payment, 'failed'))
  })

const unsigned = `status = 'verified', failure_reason = null, raw_transaction = null, signer = null, signer_nonce = null`

/** A settlement that reverted may have been too early, or another's may come: the authorization can be collected until it ends. */
export const reopenPayment = ({ pool }: Pick<App, 'pool'>, id: string) =>
  pool.query(
    `with changed as (
       update payments set ${unsigned}, txid = null where id = $1 and status = 'failed' and failure_reason = '${reverted}' returning *
     ) ${logged('changed')}`,
    [id],
  )

/** This transaction can never be mined, as far as nodes that may lag can tell: another is to be signed. Its id is kept. */
export const forgetTransaction = ({ pool }: Pick<App, 'pool'>, id: string, raw: string) =>
  pool.query(
    `with changed as (
       update payments set ${unsigned} where id = $1 and status = 'settling' and raw_transaction = $2 returning *
     ) ${logged('changed')}`,
    [id, raw],
  )

/** False when another has delivered it meanwhile. */
export const noteDelivered = (app: App, payment: Payment, answer: unknown): Promise<boolean> =>
  inTransaction(app, async tx => {
    const moved = await tx.sql(
      `update payments set status = 'delivered', answer = $2, answer_until = now() + interval '${keptHours} hours', delivered_at = now()
       where id = $1 and status = 'settled' returning id`,
      [payment.id, JSON.stringify(answer)],
    )
    if (moved.length === 0) return false
    tx.audit(entry('payment.deliver', payment, { endpoint: payment.endpoint }))
    tx.event(paymentEvent(payment, 'delivered'))
    return true
  })

/** Of what was delivered too long ago to be delivered again. */
export async function cleanAnswers(sql: Sql): Promise<void> {
  await sql('update payments set answer = null, answer_until = null where answer_until < now()')
}

const entry = (action: string, { id, projectId, payer }: Payment, details: Record<string, unknown>) => ({
  action,
  objectType: 'payment',
  objectId: id,
  projectId,
  actor: `payer:${payer}`,
  details,
})
