// Reads the activity of an agent: its anchors, and the payments of its wallet in its project. The wallet's activity in
// other projects is left out, because any project may enter any wallet in an agent.
import { type AnchorStatus, statusInChainInSql } from '../../core/anchor-status.ts'
import type { Agent, Anchor, Prisma, Receipt } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'

/** Maximum entries of a list; counts and sums include all entries. */
export const mostEntries = 200

export type Span = { agent: Agent; days: number }

/** Returns the start of a period of this many days in UTC, today included. */
const beginOf = (days: number): Date => {
  const today = new Date().setUTCHours(0, 0, 0, 0)
  return new Date(today - (days - 1) * 86_400_000)
}

/** Returns the filter for settled payments of the agent's wallet in its project, in the present payment token. */
export function paymentsOf({ agent, days }: Span, { facilitator }: Pick<App, 'facilitator'>): Prisma.PaymentWhereInput {
  const { network = '', asset = '' } = facilitator ?? {}
  return {
    payer: agent.walletAddress,
    projectId: agent.projectId,
    ...{ network, asset },
    status: { in: ['settled', 'delivered'] },
    verifiedAt: { gte: beginOf(days) },
  }
}

export const agentAnchorStatuses = ['pending', 'confirmed', 'failed'] as const
export type AgentAnchorStatus = (typeof agentAnchorStatuses)[number]

type AgentAnchor = {
  id: string
  bundleHash: string
  anchorTxid: string | null
  chain: string
  status: AgentAnchorStatus
  receiptId: string | null
  anchoredAt: Date | null
  createdAt: Date
}

// An agent's anchors: requested by it, of receipts that record payments of its wallet, or sent by its anchor wallet.
const anchorsSql = `
  with own as (
    select id from anchors where agent_id = $1::uuid
    union
    select a.id from payments p join anchors a on a.receipt_id = p.receipt_id
    where p.payer = $2 and p.project_id = $3::uuid and p.verified_at >= $5
    union
    select a.id from anchor_transactions t join anchors a on a.transaction_id = t.id
    where t.project_id = $3::uuid and t.sender = $4 and t.created_at >= $5
  ), found as (
    select a.id, a.bundle_hash as "bundleHash", t.txid as "anchorTxid", a.chain, a.receipt_id as "receiptId",
      t.block_time as "anchoredAt", a.created_at as "createdAt",
      ${statusInChainInSql('a.state', 't.finality')} as "anchorStatus",
      case when a.state = 'confirmed' then 'confirmed' when r.status = 'failed' then 'failed' else 'pending' end as status
    from own join anchors a using (id)
    left join anchor_transactions t on t.id = a.transaction_id left join receipts r on r.id = a.receipt_id
    where a.created_at >= $5
  )`

const ofAgent = ({ agent, days }: Span) => [
  agent.id,
  agent.walletAddress,
  agent.projectId,
  agent.anchorWallet,
  beginOf(days),
]

/** Newest first. */
async function newestAnchorsOf({ pool }: App, span: Span): Promise<AgentAnchor[]> {
  const { rows } = await pool.query<AgentAnchor>(
    `${anchorsSql} select * from found order by "createdAt" desc, id desc limit ${mostEntries}`,
    ofAgent(span),
  )
  return rows
}

/** `status`: as the REST API names it. */
type AnchorFilter = { status?: AgentAnchorStatus | null | undefined; statuses?: AnchorStatus[] | null | undefined }

const meets = (status: string, statuses: string) =>
  `(${status}::text is null or status = ${status}) and (${statuses}::text[] is null or "anchorStatus" = any(${statuses}))`

type Page = { before?: string | undefined; after?: string | undefined; limit: number; inverted: boolean }

/** Returns whether one of the anchors has this id. */
export async function hasAnchor({ pool }: App, span: Span, id: string): Promise<boolean> {
  const { rows } = await pool.query(`${anchorsSql} select 1 from found where id::text = $6::text`, [
    ...ofAgent(span),
    id,
  ])
  return rows.length > 0
}

/** Returns the ids of one page, newest first unless `inverted`. After a cursor that is no id of them come none. */
export async function anchorIdsOf({ pool }: App, span: Span, { status, statuses }: AnchorFilter, page: Page) {
  const order = page.inverted ? 'asc' : 'desc'
  const place = (cursor: string) => `(select "createdAt", id from found where id::text = ${cursor}::text)`
  const { rows } = await pool.query<{ id: string }>(
    `${anchorsSql} select id from found where ${meets('$6', '$10')} and ($7::text is null or ("createdAt", id) < ${place('$7')})
       and ($8::text is null or ("createdAt", id) > ${place('$8')})
     order by "createdAt" ${order}, id ${order} limit $9`,
    [...ofAgent(span), status ?? null, page.after ?? null, page.before ?? null, page.limit, statuses ?? null],
  )
  return rows.map(({ id }) => id)
}

export async function countAnchors({ pool }: App, span: Span, { status, statuses }: AnchorFilter): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `${anchorsSql} select count(*)::int as count from found where ${meets('$6', '$7')}`,
    [...ofAgent(span), status ?? null, statuses ?? null],
  )
  return rows[0]?.count ?? 0
}

/** As in `anchorsSql`. */
export function statusOf({ state, receipt }: Pick<Anchor, 'state'> & { receipt: Pick<Receipt, 'status'> | null }) {
  if (state === 'confirmed') return 'confirmed' as const
  return receipt?.status === 'failed' ? ('failed' as const) : ('pending' as const)
}

const activitySql = `${anchorsSql}, activity as (
  select id, 'Anchor' as type, "createdAt" as at from found
  union all
  select id, 'Payment', verified_at from payments
  where payer = $2 and project_id = $3::uuid and verified_at >= $5 and network = $6 and asset = $7
    and status in ('settled', 'delivered')
)`

const ofActivity = ({ facilitator }: App, span: Span) => [
  ...ofAgent(span),
  facilitator?.network ?? '',
  facilitator?.asset ?? '',
]

type ActivityPage = { found: { id: string; type: string }[]; areKnown: boolean; read: number }

/**
 * Returns one page of payments and anchors, newest first unless `inverted`. `areKnown`: whether the cursors are of
 * them. `read`: how many there are in the span, which are put in order for each page.
 */
export async function activityIdsOf(app: App, span: Span, page: Page): Promise<ActivityPage> {
  const order = page.inverted ? 'asc' : 'desc'
  const place = (cursor: string) => `(select at, id from activity where id::text = ${cursor}::text)`
  const known = (cursor: string) => `(${cursor}::text is null or exists ${place(cursor)})`
  const { rows } = await app.pool.query<{ id: string; type: string; areKnown: boolean; read: number }>(
    `${activitySql}, page as (
       select id, type, at from activity
       where ($8::text is null or (at, id) < ${place('$8')}) and ($9::text is null or (at, id) > ${place('$9')})
       order by at ${order}, id ${order} limit $10
     )
     select id, type, ${known('$8')} and ${known('$9')} as "areKnown", (select count(*)::int from activity) as read
     from (select) as once left join page on true
     order by at ${order}, id ${order}`,
    [...ofActivity(app, span), page.after ?? null, page.before ?? null, page.limit],
  )
  const [{ areKnown, read } = { areKnown: true, read: 0 }] = rows
  return { found: rows.filter(({ id }) => id !== null), areKnown, read }
}

export async function countActivity(app: App, span: Span): Promise<number> {
  const { rows } = await app.pool.query<{ count: number }>(
    `${activitySql} select count(*)::int as count from activity`,
    ofActivity(app, span),
  )
  return rows[0]?.count ?? 0
}

export type Activity = {
  type: 'payment' | 'anchor'
  id: string
  content: string
  timestamp: Date
  details: Record<string, unknown>
}

/** Payments and anchors together, newest first. */
export async function activitiesOf(app: App, span: Span): Promise<Activity[]> {
  const [payments, anchors] = await Promise.all([
    app.db.payment.findMany({
      where: paymentsOf(span, app),
      orderBy: [{ verifiedAt: 'desc' }, { id: 'desc' }],
      take: mostEntries,
    }),
    newestAnchorsOf(app, span),
  ])
  const paid = payments.map(({ id, amount, currency, endpoint, txid, receiptId, verifiedAt }): Activity => {
    const details = { amount: amount.toFixed(), currency, endpoint, tx_hash: txid, receipt_id: receiptId }
    const content = `Paid ${amount.toFixed()} ${currency} for ${endpoint}.`
    return { type: 'payment', id, content, timestamp: verifiedAt, details }
  })
  const anchored = anchors.map(({ id, bundleHash, anchorTxid, chain, status, receiptId, createdAt }): Activity => {
    const details = { bundle_hash: bundleHash, anchor_txid: anchorTxid, chain, status, receipt_id: receiptId }
    const verb = { pending: 'Waits to be anchored', confirmed: 'Anchored', failed: 'Not anchored' }[status]
    return { type: 'anchor', id, content: `${verb} on ${chain}: ${bundleHash}.`, timestamp: createdAt, details }
  })
  const all = [...paid, ...anchored].sort((a, b) => b.timestamp.getTime() - a.timestamp.getTime())
  return all.slice(0, mostEntries)
}

export type Summary = { totalPayments: number; totalAnchors: number; anchoredPayments: number }

export async function summaryOf(app: App, span: Span): Promise<Summary> {
  const where = paymentsOf(span, app)
  const [totalPayments, anchoredPayments, totalAnchors] = await Promise.all([
    app.db.payment.count({ where }),
    app.db.payment.count({ where: { ...where, receipt: { status: 'anchored' } } }),
    countAnchors(app, span, {}),
  ])
  return { totalPayments, anchoredPayments, totalAnchors }
}
