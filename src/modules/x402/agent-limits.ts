// Spending limits of a project's agents, checked before a payment from an agent's wallet is charged, so that no payment
// exceeds them.
import { AppError } from '../../core/errors.ts'
import type { Sql } from '../../kit/transaction.ts'

type Spending = {
  payer: string
  projectId: string | null
  amount: string
  network: string
  asset: string
  verifiedAt: Date
}

/**
 * SQL of a payment's project, from SQL of its payer and of the API key's project: without a key, the payment belongs to
 * the project that its payer's wallet is linked to, if there is exactly one.
 */
export const projectOf = (payer: string, project: string) =>
  `coalesce(${project}::uuid, (select min(project_id::text)::uuid from linked_wallets where address = ${payer} having count(*) = 1))`

const ofWallet = (payer: string, project: string) =>
  `wallet_address = ${payer} and project_id = ${projectOf(payer, project)} and deleted_at is null`

/** SQL of the condition that an agent of the payment's project has the payer's wallet. */
export const isAgents = (payer: string, project: string) =>
  `exists (select from agents where ${ofWallet(payer, project)})`

/**
 * Throws `agent_not_allowed` if an agent with the payer's wallet is not active, or if this payment exceeds one of the
 * agent's limits. The caller has stored the payment in the same transaction, so the day's sum includes it.
 */
export async function demandAllowed(sql: Sql, spending: Spending): Promise<void> {
  const { payer, projectId, amount, network, asset, verifiedAt } = spending
  const [found] = await sql<{ reason: string }>(
    `with spent as (
       select coalesce(sum(amount), 0) as day from payments
       where payer = $1 and project_id = ${projectOf('$1', '$2')} and network = $4 and asset = $5 and status not in ('failed', 'reversed')
         and verified_at >= date_trunc('day', $6::timestamptz, 'UTC')
         and verified_at < date_trunc('day', $6::timestamptz, 'UTC') + interval '1 day'
     )
     select case
         when status <> 'active' then format('The agent %s is %s.', name, status)
         when $3::numeric > max_per_call then format('The agent %s may spend %s a call.', name, trim_scale(max_per_call))
         else format('The agent %s may spend %s a day, and has spent %s today.',
           name, trim_scale(max_per_day), trim_scale(day - $3::numeric))
       end as reason
     from agents, spent
     where ${ofWallet('$1', '$2')} and (status <> 'active' or $3::numeric > max_per_call or day > max_per_day)
     order by id limit 1`,
    [payer, projectId, amount, network, asset, verifiedAt],
  )
  if (found !== undefined) throw new AppError('agent_not_allowed', found.reason)
}
