// Stores compliance checks and applies them to receipts: a denied receipt fails, and one that waits for no provider is
// sealed.
import { type Job, jobs } from '../../kit/jobs.ts'
import type { Sql, Transaction } from '../../kit/transaction.ts'
import type { Check } from './policy.ts'

/** Writes checks, each in place of the earlier check of its type. `of`: UUID of the checked receipt or payment. */
export async function storeChecks(
  sql: Sql,
  subject: 'receipt_id' | 'payment_id',
  checks: readonly (Omit<Check, 'type'> & { of: string; type: Check['type'] | 'settlement' })[],
): Promise<void> {
  await sql(
    `insert into compliance_checks (id, ${subject}, type, decision, reason, provider, enforced, retry_at)
     select gen_random_uuid(), checked.of, checked.type, decision, reason, provider, enforced, case when awaited then now() end
     from unnest($1::uuid[], $2::compliance_type[], $3::compliance_decision[], $4::text[], $5::text[], $6::boolean[], $7::boolean[])
       as checked(of, type, decision, reason, provider, enforced, awaited)
     on conflict (${subject}, type) where ${subject} is not null do update
     set decision = excluded.decision, reason = excluded.reason, provider = excluded.provider, enforced = excluded.enforced,
       retry_at = excluded.retry_at, attempts = 0, checked_at = now()`,
    [
      checks.map(check => check.of),
      checks.map(check => check.type),
      checks.map(check => check.decision),
      checks.map(check => check.reason),
      checks.map(check => check.provider),
      checks.map(check => check.isEnforced),
      checks.map(check => check.isAwaited),
    ],
    `store-checks-${subject}`,
  )
}

/** Locks those of the receipts that are pending until the transaction ends, and returns their ids. */
export async function lockPending(sql: Sql, receiptIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }>(
    `select id from receipts where id = any($1::uuid[]) and status = 'pending' order by id for no key update`,
    [receiptIds],
  )
  return new Set(rows.map(({ id }) => id))
}

type Denied = { id: string; projectId: string; type: string; provider: string }

/** Applies the checks of locked receipts: fails denied receipts, and seals those that wait for no provider. */
export async function decide(tx: Transaction, receiptIds: readonly string[]): Promise<void> {
  const denied = await tx.sql<Denied>(
    `with denial as (
       select distinct on (receipt_id) receipt_id, type, provider, reason from compliance_checks
       where receipt_id = any($1::uuid[]) and decision = 'deny' and enforced order by receipt_id, type
     ), unasked as (
       update compliance_checks set retry_at = null, reason = 'not asked: another check denied it'
       where receipt_id in (select receipt_id from denial) and retry_at is not null
     )
     update receipts set status = 'failed',
       failure_reason = 'compliance_denied: ' || denial.type || ' by ' || denial.provider || coalesce(': ' || denial.reason, '')
     from denial where receipts.id = denial.receipt_id and status = 'pending'
     returning receipts.id, project_id as "projectId", denial.type::text, denial.provider`,
    [receiptIds],
  )
  tx.changed(...denied.map(({ id }) => id))
  // Without the provider's reason, which may speak of a person: audit rows are never erased.
  tx.audit(
    ...denied.map(({ id, projectId, ...details }) => ({
      action: 'receipt.deny',
      objectType: 'receipt',
      objectId: id,
      projectId,
      actor: 'worker',
      details,
    })),
  )
  const ready = await tx.sql<{ id: string }>(
    `select id from receipts r where id = any($1::uuid[]) and status = 'pending'
       and not exists (select from compliance_checks where receipt_id = r.id and retry_at is not null)`,
    [receiptIds],
  )
  if (ready.length > 0) tx.job(jobs.seal({ receipts: ready.map(({ id }) => id) }))
}

/** Returns an immediate round per provider for new checks, in addition to a scheduled round for waiting checks. */
export const askNow = (checks: readonly Check[]): Job[] =>
  [...new Set(checks.filter(({ isAwaited }) => isAwaited).map(({ provider }) => provider))].map(provider =>
    jobs.askCompliance({ provider }, { key: null }),
  )
