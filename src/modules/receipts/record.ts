// Records a payment that already happened. The same settlement, or the same reference, in a project returns the
// existing receipt.
import type { ChainAliases } from '../../core/identity.ts'
import { ownProject } from '../../core/principal.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import { effects, receiptEvent } from '../../kit/effects.ts'
import { jobs } from '../../kit/jobs.ts'
import { perApp } from '../../kit/per-app.ts'
import { demandReachable } from '../../kit/reachable.ts'
import type { Sql } from '../../kit/transaction.ts'
import { type BatchedVerb, bindBatchedVerb } from '../../kit/verb.ts'
import { type Difference, findEarlier, type Match, partOrWhole } from './earlier-receipt.ts'
import { type Entry, entryOf, type Recording, recordReceiptInput } from './record-input.ts'
import { type RawReceipt, receiptColumns, receiptOf } from './row.ts'

/** `matchedBy`: how an earlier receipt was found; null when there was none. `differences`: what it states otherwise. */
export type Recorded = { receipt: Receipt; matchedBy: Match | null; differences: Difference[] }

export const recordReceiptVerb: BatchedVerb<typeof recordReceiptInput, Recorded> = {
  name: 'receipt.record',
  access: 'write',
  input: recordReceiptInput,
  admit: principal => void ownProject(principal, 'A receipt'),
  check({ callbackUrl }, app) {
    if (callbackUrl != null) demandReachable(app, callbackUrl, 'callbackUrl')
  },
  runAll(sql, members, { chainAliases }) {
    return recordAll(
      sql,
      members.map(member => ({ ...member, projectId: ownProject(member.principal) })),
      chainAliases,
    )
  },
}

/** Records payments, or finds their earlier receipts. With a transaction's `sql`, rows and effects commit with it. */
export async function recordAll(sql: Sql, recordings: Recording[], aliases: ChainAliases): Promise<Recorded[]> {
  return recordEntries(
    sql,
    recordings.map(recording => entryOf(recording, aliases)),
    aliases,
  )
}

/** The same, in one statement for those that are new. */
export async function recordEntries(sql: Sql, entries: Entry[], aliases: ChainAliases): Promise<Recorded[]> {
  const made = new Map((await insert(sql, entries)).map(row => [row.id, receiptOf(row)]))
  const missing = entries.filter(entry => !made.has(entry.id))
  const earlier = missing.length > 0 ? await findEarlier(sql, missing, aliases) : null
  return entries.map(({ id }) => {
    const receipt = made.get(id)
    const recorded = receipt ? { receipt, matchedBy: null, differences: [] } : earlier?.get(id)
    if (recorded === undefined) throw new Error('a receipt was neither inserted nor found')
    return recorded
  })
}

const recordStatement = effects(
  {
    audit: `select '${recordReceiptVerb.name}', 'receipt', id::text, recorded.project_id, actor, '{}'::jsonb
      from recorded join requested using (id)`,
    events: `select ${receiptEvent('recorded')} from recorded`,
    jobs: `
      select '${jobs.screen.task}', json_build_object('receipts', json_agg(id)), null, null, 0 from recorded having count(*) > 0`,
  },
  {
    ctes: `
      requested as (
        select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::numeric[], $6::text[], $7::text[],
                             $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[],
                             $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::timestamptz[])
          as requested(id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
                   resource_hash, callback_url, actor, chain_key, tx_key, sender_key, receiver_key, first_key, last_key, origin,
                   settled_at)
        -- The limit is the list length, so all rows pass. Without it the planner assumes ten rows, and prefers to plan
        -- each single payment anew, at a third of the total time; for a limit it does not know it assumes one row.
        limit $21
      ), recorded as (
        insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet,
                              reference, resource_hash, callback_url, settled_at, chain_key, tx_key, sender_key,
                              receiver_key, origin, config_version, project_config_version)
        select id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
               resource_hash, callback_url, settled_at, chain_key, tx_key, sender_key, receiver_key, origin,
               (select max(version) from organisation_configs), (select projects.config_version from projects where projects.id = requested.project_id) from requested
        where ${partOrWhole} is null
        on conflict do nothing
        returning *
      )`,
    answer: `select ${receiptColumns} from recorded`,
  },
)

function insert(sql: Sql, entries: Entry[]) {
  // Sorted alike in every process, so that batches with common settlements wait for each other. Crossing references can
  // still deadlock; PostgreSQL then aborts one batch, whose members are retried one by one.
  const sorted = [...entries].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return sql<RawReceipt>(
    recordStatement,
    [
      sorted.map(entry => entry.id),
      sorted.map(entry => entry.projectId),
      sorted.map(entry => entry.settlementTx),
      sorted.map(entry => entry.input.chain),
      sorted.map(entry => entry.input.amount),
      sorted.map(entry => entry.input.currency),
      sorted.map(entry => entry.input.senderWallet),
      sorted.map(entry => entry.input.receiverWallet),
      sorted.map(entry => entry.input.reference),
      sorted.map(entry => entry.input.resourceHash ?? null),
      sorted.map(entry => entry.input.callbackUrl ?? null),
      sorted.map(entry => entry.actor),
      sorted.map(({ keys }) => keys.chain),
      sorted.map(({ keys }) => keys.tx),
      sorted.map(({ keys }) => keys.sender),
      sorted.map(({ keys }) => keys.receiver),
      sorted.map(({ keys }) => keys.first),
      sorted.map(({ keys }) => keys.last),
      sorted.map(entry => entry.origin),
      sorted.map(entry => entry.input.settledAt ?? null),
      sorted.length,
    ],
    'record-receipts',
  )
}

const keyOf = ({ projectId, keys, input }: Entry) => [projectId, keys.chain, keys.tx, input.reference].join('\n')

/** Errors: `unauthenticated`, `forbidden`, `project_key_required`, `validation_failed`. */
export const recordReceipt = perApp(app => bindBatchedVerb(app, recordReceiptVerb))
