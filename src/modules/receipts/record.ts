// Records a payment that already happened. The same settlement, or the same reference, in a project returns the
// existing receipt.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { amount } from '../../core/amount.ts'
import { chainKey, knownChains, transactionKey } from '../../core/identity.ts'
import { ownProject } from '../../core/principal.ts'
import { chainText, hash32, httpUrl, settlementText, text } from '../../core/text.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import { effects, receiptEvent } from '../../kit/effects.ts'
import { jobs } from '../../kit/jobs.ts'
import { perApp } from '../../kit/per-app.ts'
import type { Sql } from '../../kit/transaction.ts'
import { type BatchedVerb, bindBatchedVerb } from '../../kit/verb.ts'
import { type RawReceipt, receiptColumns, receiptOf } from './row.ts'

export const recordReceiptInput = z.strictObject({
  settlementTx: settlementText().describe(
    'Settlement transaction hash, as the chain writes it. Hex is folded to lower-case. One of several transfers in it has its number behind it, such as `0x…#3`: the index of its log on EVM chains, of the output or operation elsewhere.',
  ),
  chain: text().describe('Chain of the payment, by the name the integration uses.'),
  amount: amount.describe(
    'Exact decimal string above zero: at most 20 integer and 18 fraction digits. Never a JSON number.',
  ),
  currency: text().describe('Asset or currency label.'),
  senderWallet: chainText().describe('Payer address.'),
  receiverWallet: chainText().describe('Recipient address.'),
  reference: text().describe('Stable business identifier: the order or invoice id. Unique in the project.'),
  resourceHash: hash32.nullish().describe('SHA-256 of the delivered bytes, 0x-prefixed.'),
  callbackUrl: httpUrl
    .nullish()
    .describe('URL that each change of the receipt is POSTed to, signed as Standard Webhooks says.'),
})
type Input = z.output<typeof recordReceiptInput>

/** How an earlier receipt was found. In `Recorded`, null means that there was none. */
export const receiptMatches = ['settlement', 'reference'] as const
export type Recorded = { receipt: Receipt; matchedBy: (typeof receiptMatches)[number] | null }

export const recordReceiptVerb: BatchedVerb<typeof recordReceiptInput, Recorded> = {
  name: 'receipt.record',
  access: 'write',
  input: recordReceiptInput,
  admit: principal => void ownProject(principal, 'A receipt'),
  runAll(sql, members) {
    return recordAll(
      sql,
      members.map(member => ({ ...member, projectId: ownProject(member.principal) })),
    )
  },
}

export type Recording = { input: Input; projectId: string; actor: string }

/** Records payments, or finds their earlier receipts. With a transaction's `sql`, rows and effects commit with it. */
export async function recordAll(sql: Sql, recordings: Recording[]): Promise<Recorded[]> {
  const entries = recordings.map(recording => ({ ...recording, id: randomUUID() }))
  const made = new Map((await insert(sql, entries)).map(row => [row.id, receiptOf(row)]))
  const earlier = new Map<string, Recorded>()
  const missing = entries.filter(entry => !made.has(entry.id))
  if (missing.length > 0) {
    for (const { asked, rank, ...row } of await findEarlier(sql, missing))
      earlier.set(asked, { receipt: receiptOf(row), matchedBy: receiptMatches[rank - 1] ?? null })
  }
  return entries.map(({ id }) => {
    const receipt = made.get(id)
    const recorded = receipt ? { receipt, matchedBy: null } : earlier.get(id)
    if (recorded === undefined) throw new Error('a receipt was neither inserted nor found')
    return recorded
  })
}

type Entry = Recording & { id: string }

const recordStatement = effects(
  {
    audit: `select '${recordReceiptVerb.name}', 'receipt', id::text, recorded.project_id, actor, '{}'::jsonb
      from recorded join asked using (id)`,
    events: `select ${receiptEvent('recorded')} from recorded`,
    jobs: `
      select '${jobs.screen.task}', json_build_object('receipts', json_agg(id)), null, null, 0 from recorded having count(*) > 0`,
  },
  {
    ctes: `
      asked as (
        select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::numeric[], $6::text[], $7::text[],
                             $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])
          as asked(id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
                   resource_hash, callback_url, actor)
        -- The limit is the list length, so all rows pass. Without it the planner assumes ten rows, and prefers to plan
        -- each single payment anew, at a third of the total time; for a limit it does not know it assumes one row.
        limit $13
      ), recorded as (
        insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet,
                              reference, resource_hash, callback_url, config_version, project_config_version)
        select id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
               resource_hash, callback_url, (select max(version) from organisation_configs),
               (select projects.config_version from projects where projects.id = asked.project_id) from asked
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
      sorted.map(entry => entry.input.settlementTx),
      sorted.map(entry => entry.input.chain),
      sorted.map(entry => entry.input.amount),
      sorted.map(entry => entry.input.currency),
      sorted.map(entry => entry.input.senderWallet),
      sorted.map(entry => entry.input.receiverWallet),
      sorted.map(entry => entry.input.reference),
      sorted.map(entry => entry.input.resourceHash ?? null),
      sorted.map(entry => entry.input.callbackUrl ?? null),
      sorted.map(entry => entry.actor),
      sorted.length,
    ],
    'record-receipts',
  )
}

const keyOf = ({ projectId, input }: Entry) =>
  [projectId, chainKey(input.chain, knownChains), transactionKey(input.settlementTx), input.reference].join('\n')

/** Finds earlier receipts: by settlement first, then by reference. */
function findEarlier(sql: Sql, entries: Entry[]) {
  return sql<RawReceipt & { asked: string; rank: 1 | 2 }>(
    `select asked.id as asked, found.* from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[])
       as asked(id, project, chain, tx, reference)
     cross join lateral (
       select ${receiptColumns}, 1 as rank from receipts
         where project_id = asked.project and chain = asked.chain and tip_tx_hash = asked.tx and refund_of_id is null
       union all
       select ${receiptColumns}, 2 as rank from receipts where project_id = asked.project and reference = asked.reference
       order by rank limit 1
     ) as found`,
    [
      entries.map(entry => entry.id),
      entries.map(entry => entry.projectId),
      entries.map(entry => entry.input.chain),
      entries.map(entry => entry.input.settlementTx),
      entries.map(entry => entry.input.reference),
    ],
  )
}

/** Errors: `unauthenticated`, `forbidden`, `project_key_required`, `validation_failed`. */
export const recordReceipt = perApp(app => bindBatchedVerb(app, recordReceiptVerb))
