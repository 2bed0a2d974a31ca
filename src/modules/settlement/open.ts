// Reads the receipts whose payments are to be checked on their own chains.
import { plainAmount } from '../../core/amount.ts'
import type { SettlementStatus } from '../../core/settlement.ts'
import type { ReceiptStatus } from '../../core/states.ts'
import type { PaymentGrade } from '../../core/what-is-proven.ts'
import type { App } from '../../kit/context.ts'
import type { Sql } from '../../kit/transaction.ts'
import { configurationAt } from '../settings/read.ts'
import type { SettlementRules } from '../settings/settlement.ts'
import type { Finding, SettlementDocument } from './document.ts'

export type OpenReceipt = {
  id: string
  projectId: string
  status: ReceiptStatus
  createdAt: Date
  chainKey: string
  txKey: string
  currency: string
  amount: string
  senderKey: string
  receiverKey: string
  rules: SettlementRules
  /** The result before; null before the first. */
  before: { status: SettlementStatus; grade: PaymentGrade } | null
  attempts: number
  /** A check is not needed, or not any more. */
  isReady: boolean
}

/** A receipt, and what a check of its payment found. */
export type Checked = { receipt: OpenReceipt; finding: Finding; document: SettlementDocument }

type Row = Omit<OpenReceipt, 'rules' | 'isReady'> & {
  organisation: number | null
  project: number | null
  isDue: boolean
  /** A refund without a transaction, of which there is nothing to check. */
  isAnnounced: boolean
}

/** Returns those of the receipts that are not failed. */
export async function readOpen(app: App, sql: Sql, receiptIds: readonly string[]): Promise<OpenReceipt[]> {
  const rows = await sql<Row>(
    `select r.id, r.project_id as "projectId", r.status, r.created_at as "createdAt", r.chain_key as "chainKey",
       r.tx_key as "txKey", r.currency, r.amount::text, r.sender_key as "senderKey", r.receiver_key as "receiverKey",
       r.config_version as organisation, r.project_config_version as project,
       case when s.receipt_id is not null then json_build_object('status', s.status, 'grade', s.grade) end as before,
       coalesce(s.attempts, 0) as attempts, s.receipt_id is null or s.retry_at is not null as "isDue",
       r.refund_of_id is not null and r.refund_tx_hash is null as "isAnnounced"
     from unnest($1::uuid[]) as requested(id) join receipts r using (id)
       left join settlements s on s.receipt_id = r.id
     where r.status <> 'failed'`,
    [receiptIds],
  )
  return Promise.all(
    rows.map(async ({ organisation, project, isDue, isAnnounced, ...row }) => {
      const { checks: rules } = await configurationAt(app, sql, { organisation, project })
      const { before, status, chainKey } = row
      const suffices = rules.policy === 'require' ? before?.status === 'confirmed' : before !== null
      const isUnchecked =
        isAnnounced || rules.policy === 'off' || (rules.policy === 'record' && !app.paymentChains.has(chainKey))
      const isReady = isUnchecked || (status === 'pending' ? suffices : !isDue)
      return { ...row, rules, amount: plainAmount(row.amount), isReady }
    }),
  )
}
