// Reads the event log, each event with its receipt, payment or anchor. Values that can change are those right after the
// event.
import { notFound } from '../../core/errors.ts'
import type { SettlementStatus } from '../../core/settlement.ts'
import type { ReceiptStatus } from '../../core/states.ts'
import type { Sql } from '../../kit/transaction.ts'

type PaymentPart = {
  id: string
  amount: string
  currency: string
  network: string
  payer: string
  payTo: string
  endpoint: string
  txid: string | null
  verifiedAt: string
  settledAt: string | null
  deliveredAt: string | null
}
type AnchorPart = { id: string; agentId: string; chain: string; createdAt: string }

export type LoggedEvent = {
  id: string
  type: string
  projectId: string | null
  at: Date
  receiptId: string | null
  status: ReceiptStatus | null
  bundleHash: string | null
  ledgerTxid: string | null
  anchoredAt: Date | null
  /** Creation time of the receipt. */
  createdAt: Date | null
  refundOfId: string | null
  /** The receipt of the refund, for `receipt.refunded`. */
  refundId: string | null
  /** The amount of the refund, with trailing zeros. */
  refundAmount: string | null
  /** Whether the refund named the transaction that returned the money. */
  isRefundSettled: boolean | null
  /** The result, for `receipt.settlement_checked`. */
  settlementStatus: SettlementStatus | null
  paymentId: string | null
  /** Null for a payment that was dropped. */
  payment: PaymentPart | null
  anchor: AnchorPart | null
  endpointId: string | null
  /** The request that caused it, as the scope of a request is stored. */
  origin: string | null
}

const columns = `e.id, e.type, e.project_id as "projectId", e.created_at as at, e.receipt_id as "receiptId", e.status,
  e.bundle_hash as "bundleHash", e.ledger_txid as "ledgerTxid", e.anchored_at as "anchoredAt", e.endpoint_id as "endpointId",
  coalesce(e.origin, r.origin) as origin,
  e.payment_id as "paymentId", r.created_at as "createdAt", r.refund_of_id as "refundOfId", refund.id as "refundId", refund.amount::text as "refundAmount",
  e.refund_settled as "isRefundSettled", e.settlement_status as "settlementStatus",
  case when p.id is not null then json_build_object('id', p.id, 'amount', p.amount::text, 'currency', p.currency, 'network', p.network,
    'payer', p.payer, 'payTo', p.pay_to, 'endpoint', p.endpoint, 'txid', p.txid,
    'verifiedAt', p.verified_at, 'settledAt', p.settled_at, 'deliveredAt', p.delivered_at) end as payment,
  case when a.id is not null then json_build_object('id', a.id, 'agentId', a.agent_id, 'chain', a.chain, 'createdAt', a.created_at)
    end as anchor`
const about = `left join receipts r on r.id = e.receipt_id
  left join lateral (
    -- An event that does not name its refund is from before refunds in parts, when a receipt had one refund.
    select id, amount from receipts where e.type = 'receipt.refunded' and id = coalesce(e.refund_id, (
      select id from receipts where refund_of_id = e.receipt_id order by created_at, id limit 1)) offset 0
  ) as refund on true
  left join payments p on p.id = e.payment_id left join anchors a on a.id = e.anchor_id`

// A page is read as a whole and stays in memory until its reader has consumed it.
export const pageSize = 200

/** Returns the next events of a project after the event `after`, in order. */
export const readProjectLog = (sql: Sql, projectId: string, after: string) =>
  sql<LoggedEvent>(
    `select ${columns} from (
       select * from events where project_id = $1::uuid and id > $2::bigint order by id limit ${pageSize}
     ) as e ${about} order by e.id`,
    [projectId, after],
    'project-events',
  )

/**
 * Returns a subquery of the cursors of a project: none for an id without project. `project`: the id in SQL, a uuid.
 */
export const cursorsIn = (project: string): string =>
  `(select horizon.id as oldest, greatest((select max(id) from events where project_id = projects.id), horizon.id) as newest
   from projects, event_horizon as horizon where projects.id = ${project})`

/**
 * Returns the cursors from which a project's events can be followed: from `oldest`, because events before it may have
 * been deleted, to `newest`, after the newest event. Both are `0` while there is none. Throws `not_found`.
 */
export async function cursorsOf(sql: Sql, projectId: string): Promise<{ oldest: string; newest: string }> {
  const [row] = await sql<{ oldest: string; newest: string }>(
    `select oldest, newest from ${cursorsIn('$1::uuid')} cursors`,
    [projectId],
    'event-cursors',
  )
  if (row === undefined) throw notFound('project')
  return row
}

/** Returns these events, in no particular order. */
export const readEvents = (sql: Sql, ids: readonly string[]) =>
  sql<LoggedEvent>(
    `select ${columns} from unnest($1::bigint[]) as requested(id) cross join lateral (
       select * from events where events.id = requested.id offset 0
     ) as e ${about}`,
    [ids],
    'events-by-id',
  )
