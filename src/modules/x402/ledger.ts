// The payments table. Each move names the statuses that it expects (states.ts), and a payment is processed only under
// its lease, so that one of any number of copies of a request proceeds, in any number of processes.
import { originNow } from '../../core/scope.ts'
import type { App } from '../../kit/context.ts'
import { effects, noJobs } from '../../kit/effects.ts'
import { inTransaction, type Sql, sqlOf, type Transaction } from '../../kit/transaction.ts'
import type { PaymentPayload, Settlement } from '../../ports/payment-facilitator.ts'
import type { Check } from '../compliance/policy.ts'
import { askNow, storeChecks } from '../compliance/store.ts'
import { demandAllowed, isAgents, projectOf } from './agent-limits.ts'
import { eventSql, logged } from './events.ts'
import { leaseSeconds } from './lease.ts'
import { moveSql, moves, type PaymentStatus } from './states.ts'

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
  /** How many of its settlements were mined and failed. */
  reverts: number
  sinceBlock: number
  txid: string | null
  /** The settlement transaction as last signed. */
  raw: string | null
  /** Lease of the process that works on the payment. */
  leaseId: string | null
  /** Whether its answer was produced: nothing is run again for it. */
  isAnswered: boolean
  answer: unknown
  /** Whether the stored answer may still be replayed. */
  isKept: boolean
}

/** Identity of a payment: network, asset, and the payer and nonce in the payload. */
type PaymentKey = { network: string; asset: string; payload: PaymentPayload }

/** Failure reason of a payment that may still be settled. */
export const reverted = 'settlement_reverted'
/** Failure reason of a payment whose authorization expired unused. */
export const expired = 'authorization_expired'
/** Failure reason of a payment whose authorization was cancelled, or used for something else. */
export const usedElsewhere = 'authorization_used_or_cancelled'

// A settled payment's header is public. After this time, a copy of the header yields no stored answer.
const keptHours = 24

const lease = 'lease_until, lease_id'
const fresh = `now() + interval '${leaseSeconds} seconds', gen_random_uuid()`

const open = `status in ('verified', 'settling', 'settled')`
const hasAnswer = `status = 'settled' and answered_at is not null`

export const columns = `id, payer, endpoint, project_id as "projectId", encode(fingerprint, 'hex') as fingerprint, payload, status, verified_at as "verifiedAt",
  failure_reason as "failureReason", reverts, since_block::int as "sinceBlock", txid, raw_transaction as raw, lease_id as "leaseId", answer, coalesce(answer_until > now(), false) as "isKept",
  status = 'delivered' or (${hasAnswer}) as "isAnswered"`

const keyValues = ({ network, asset, payload: { authorization } }: PaymentKey) => [
  network,
  asset,
  authorization.from,
  authorization.nonce.slice(2),
]

export async function findPayment({ pool }: Pick<App, 'pool'>, key: PaymentKey): Promise<Payment | null> {
  const rows = await sqlOf(pool)<Payment>(
    `select ${columns} from payments where network = $1 and asset = $2 and payer = $3 and nonce = decode($4, 'hex')`,
    keyValues(key),
    'payment-of-key',
  )
  return rows[0] ?? null
}

export async function presentPayment({ pool }: Pick<App, 'pool'>, id: string): Promise<Payment> {
  const { rows } = await pool.query<Payment>(`select ${columns} from payments where id = $1`, [id])
  if (rows[0] === undefined) throw new Error(`there is no payment ${id}`)
  return rows[0]
}

/**
 * Returns the payment with this `payment-identifier` of the payer. A failed one keeps it while it may still be settled.
 */
export async function findNamed({ pool }: Pick<App, 'pool'>, key: PaymentKey): Promise<Payment | null> {
  const { network, asset, payload } = key
  const { rows } = await pool.query<Payment>(
    `select ${columns} from payments where network = $1 and asset = $2 and payer = $3 and identifier = $4`,
    [network, asset, payload.authorization.from, payload.identifier],
  )
  return rows[0] ?? null
}

// A client that gave up asks again within minutes. Later, the answer may no longer be what the payer would pay for.
const retryMinutes = 10
// An answer that is written is noted as delivered at once. This one's process died.
const writingSeconds = 10

/**
 * Returns the payer's payment for this request that nobody waits for and whose answer reached nobody; null if there is
 * none. Not one with a `payment-identifier`, which its own name continues.
 */
export async function findUnwritten(
  { pool }: Pick<App, 'pool'>,
  { network, asset, payload }: PaymentKey,
  fingerprint: string,
): Promise<Payment | null> {
  const rows = await sqlOf(pool)<Payment>(
    `select ${columns} from payments
     where payer = $1 and fingerprint = decode($2, 'hex') and delivered_at is null and ${open} and network = $3 and asset = $4 and identifier is null
       and case when ${hasAnswer} then answered_at > now() - interval '${retryMinutes} minutes'
           and (left_at is not null or answered_at < now() - interval '${writingSeconds} seconds')
         else left_at is not null or coalesce(lease_until < now(), true) end
     order by verified_at limit 1`,
    [payload.authorization.from, fingerprint, network, asset],
    'payment-unwritten',
  )
  return rows[0] ?? null
}

type NewPayment = PaymentKey & {
  amount: string
  currency: string
  payTo: string
  endpoint: string
  fingerprint: string
  /** Null: the payment belongs to the project that the payer's wallet is linked to, if there is exactly one. */
  projectId: string | null
  sinceBlock: number
  verifiedAt: Date
  checks: readonly Check[]
}

/**
 * Inserts a payment and returns it with its lease. Returns null if the payment, or another one with its
 * `payment-identifier`, is stored already. Throws `agent_not_allowed`.
 */
export async function claimPayment(app: Pick<App, 'pool'>, payment: NewPayment): Promise<Payment | null> {
  const spending = { ...payment, payer: payment.payload.authorization.from }
  const sql = sqlOf(app.pool)
  if (payment.checks.length === 0) {
    const claimed = await insertPayment(sql, payment, 'payment-claim', `not ${isAgents('$3', '$10')}`)
    if (claimed !== null) return claimed
  }
  // Either an agent pays, or there are checks to store, or the payment is stored already.
  return inTransaction(app, async tx => {
    // Inserts the payment's event too. Events of a project are numbered under a lock that is held to the end of the
    // transaction, so the project's payments are claimed one at a time and cannot exceed a limit together.
    const claimed = await insertPayment(tx.sql, payment, 'payment-claim-checked')
    // A copy of a stored payment is not checked against the limits, because an accepted payment is not refused later.
    if (claimed === null) return null
    await demandAllowed(tx.sql, spending)
    if (payment.checks.length > 0) await noteChecks(tx, claimed.id, payment.checks)
    return claimed
  })
}

/** Stores a payment's compliance checks in place of earlier ones, and enqueues requests to their providers. */
export async function noteChecks(tx: Transaction, paymentId: string, checks: readonly Check[]): Promise<void> {
  await storeChecks(
    tx.sql,
    'payment_id',
    checks.map(check => ({ of: paymentId, ...check })),
  )
  tx.job(...askNow(checks))
}

/** `onlyIf`: SQL of a condition, which may read the parameters. `name` is the name of the statement with it. */
async function insertPayment(sql: Sql, payment: NewPayment, name: string, onlyIf = 'true'): Promise<Payment | null> {
  const { amount, currency, payTo, endpoint, fingerprint, projectId, sinceBlock, verifiedAt, payload } = payment
  const rows = await sql<Payment>(
    `with claimed as (insert into payments (id, network, asset, payer, nonce, amount, currency, pay_to, endpoint, fingerprint, project_id, since_block, payload, verified_at, identifier, ${lease})
     select gen_random_uuid(), $1, $2, $3, decode($4, 'hex'), $5::numeric, $6, $7, $8, decode($9, 'hex'),
       ${projectOf('$3', '$10')}, $11::bigint, $12::jsonb, $13::timestamptz, $14, ${fresh} where ${onlyIf}
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
    name,
  )
  return rows[0] ?? null
}

/**
 * Leases a payment and returns its current row; null while it is leased, or once it is answered or failed. `isAwaited`:
 * a client waits for it again.
 */
export async function leasePayment(
  { pool }: Pick<App, 'pool'>,
  id: string,
  isAwaited: boolean,
): Promise<Payment | null> {
  const { rows } = await pool.query<Payment>(
    `update payments set left_at = case when not $2::boolean then left_at end, (${lease}) = (select ${fresh})
     where id = $1 and ${open} and not (${hasAnswer}) and (lease_until is null or lease_until < now()) returning ${columns}`,
    [id, isAwaited],
  )
  return rows[0] ?? null
}

/**
 * Deletes a payment of which no transaction was sent, so that its authorization may be offered anew. A payment that
 * reverted is set to `failed` instead: its authorization is public in a block, and any sender may still settle it.
 */
export const dropPayment = ({ pool }: Pick<App, 'pool'>, id: string) =>
  pool.query(
    `with kept as (
       ${moveSql('setAside', { set: `failure_reason = '${reverted}'`, where: 'reverts > 0' })} returning id, project_id, status::text
     ), dropped as (
       ${moveSql('drop', { where: 'reverts = 0' })} returning id, project_id, 'dropped' as status
     ), changed as (select * from kept union all select * from dropped)
     ${logged('changed')}`,
    [id],
  )

/** How long after its settlement a payment is looked up for the last time. */
export const lastLook = "interval '2 hours'"

/** SQL of the columns of a settlement, from the values of `settlementValues`. */
export const settledBy = 'txid = $2, settled_block = $3::bigint, transfer_index = $4::int, is_shared = $5::boolean'
const paidBy = `${settledBy}, settled_at = now(), final_at = case when $6::boolean then now() end,
  look_at = case when $6::boolean then now() + ${lastLook} end`

export const settlementValues = ({ txid, blockNumber, transferIndex, isShared }: Settlement) => [
  txid,
  blockNumber,
  transferIndex,
  isShared,
]

// A settlement that was just found is in the newest block, or in one that is looked up soon.
const paidValues = ({ facilitator }: App, settlement: Settlement) => [
  ...settlementValues(settlement),
  (facilitator?.confirmations ?? 1) <= 1,
]

const answeredWith = (answer: '$2' | '$7') =>
  `answer = ${answer}, answer_until = now() + interval '${keptHours} hours', answered_at = now(), (${lease}) = (null, null)`

export const notePaid = (app: App, payment: Payment, settlement: Settlement): Promise<Payment | null> =>
  makeMove(app, payment, 'settle', {
    name: 'payment-paid',
    details: settled(payment, settlement),
    set: paidBy,
    values: paidValues(app, settlement),
  })

const settled = ({ endpoint }: Payment, { txid }: Settlement) => ({ txid, endpoint })

/**
 * Sets a payment to `failed` and counts a revert if it has a stored transaction, which has failed on chain or will
 * fail. A payment that can no longer be settled releases its `payment-identifier`.
 */
export const noteFailed = (app: App, payment: Payment, reason: string): Promise<Payment | null> => {
  const released = `identifier = case when $2 = '${reverted}' then identifier end`
  const set = `failure_reason = $2, reverts = reverts + (raw_transaction is not null)::int, ${released}`
  return makeMove(app, payment, 'fail', { name: 'payment-failed', details: { reason }, set, values: [reason] })
}

/** Stores the answer and ends the lease. Returns null if another process answered meanwhile. */
export async function noteAnswered({ pool }: App, { id }: Payment, answer: unknown): Promise<Payment | null> {
  const rows = await sqlOf(pool)<Payment>(
    `update payments set ${answeredWith('$2')} where id = $1 and status = 'settled' and answered_at is null returning ${columns}`,
    [id, JSON.stringify(answer)],
    'payment-answered',
  )
  return rows[0] ?? null
}

/** Sets a payment to `delivered`, whose stored answer was written to a client, unless it is delivered already. */
export const noteDelivered = (app: App, payment: Payment): Promise<Payment | null> =>
  makeMove(app, payment, 'deliver', {
    name: 'payment-delivered',
    details: { endpoint: payment.endpoint },
    set: 'delivered_at = now()',
    where: 'answered_at is not null',
  })

/** Notes that the client left before the answer was written. */
export const noteLeft = ({ pool }: Pick<App, 'pool'>, id: string) =>
  pool.query(`update payments set left_at = now() where id = $1 and ${open}`, [id])

/** Does what `notePaid` and `noteAnswered` do at once. Returns null if the settlement is stored already. */
export const notePaidAndAnswered = (
  app: App,
  payment: Payment,
  settlement: Settlement,
  answer: unknown,
): Promise<Payment | null> =>
  makeMove(app, payment, 'settle', {
    name: 'payment-paid-and-answered',
    details: settled(payment, settlement),
    set: `${paidBy}, ${answeredWith('$7')}`,
    values: [...paidValues(app, settlement), JSON.stringify(answer)],
  })

type Made = {
  /** The name of the statement. */
  name: string
  /** The details in the audit row. */
  details: Record<string, unknown>
  set: string
  /** From $2 on. */
  values?: unknown[]
  where?: string
}

/**
 * Makes a move with its audit row and its event, in one statement. Returns the row after the move; null if the status
 * does not allow it.
 */
async function makeMove(
  { pool }: Pick<App, 'pool'>,
  { id }: Payment,
  move: 'settle' | 'fail' | 'deliver',
  { name, details, set, values = [], where = '' }: Made,
): Promise<Payment | null> {
  const statement = effects(
    {
      audit: `select 'payment.${move}', 'payment', id::text, project_id, 'payer:' || payer, $${values.length + 2}::jsonb from changed`,
      events: `select ${eventSql('changed', moves[move].to)} from changed`,
      jobs: noJobs,
      origin: `$${values.length + 3}`,
    },
    { ctes: `changed as (${moveSql(move, { set, where })} returning *)`, answer: `select ${columns} from changed` },
  )
  const [moved] = await sqlOf(pool)<Payment>(statement, [id, ...values, JSON.stringify(details), originNow()], name)
  return moved ?? null
}

const unsigned = 'failure_reason = null, raw_transaction = null, signer = null, signer_nonce = null'

/**
 * Sets a reverted payment back to `verified`. The settlement may have been sent too early, or another sender may
 * still settle the payment, until the authorization expires.
 */
export const reopenPayment = ({ pool }: Pick<App, 'pool'>, id: string) =>
  pool.query(
    `with changed as (
       ${moveSql('reopen', { set: `${unsigned}, txid = null`, where: `failure_reason = '${reverted}'` })} returning *
     ) ${logged('changed')}`,
    [id],
  )

/**
 * Sets a payment back to `verified`, so that a new transaction is signed, because this one can never be mined, as far
 * as nodes that may lag report. Its `txid` is kept.
 */
export const forgetTransaction = ({ pool }: Pick<App, 'pool'>, id: string, raw: string) =>
  pool.query(
    `with changed as (
       ${moveSql('forget', { set: unsigned, where: 'raw_transaction = $2' })} returning *
     ) ${logged('changed')}`,
    [id, raw],
  )

/** Deletes stored answers that are no longer replayed. */
export async function cleanAnswers(sql: Sql): Promise<void> {
  await sql('update payments set answer = null, answer_until = null where answer_until < now()')
}
