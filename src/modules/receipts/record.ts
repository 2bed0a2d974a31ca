// Records a payment that already happened. The same settlement, or the same reference, in a project returns the
// existing receipt.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { amount } from '../../core/amount.ts'
import { addressKey, type ChainAliases, chainKey, settlementOf, transactionKey } from '../../core/identity.ts'
import { ownProject } from '../../core/principal.ts'
import { chainText, hash32, httpUrl, settlementText, text } from '../../core/text.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import { effects, receiptEvent } from '../../kit/effects.ts'
import { jobs } from '../../kit/jobs.ts'
import { perApp } from '../../kit/per-app.ts'
import type { Sql } from '../../kit/transaction.ts'
import { type BatchedVerb, bindBatchedVerb } from '../../kit/verb.ts'
import { type RawReceipt, receiptColumns, receiptOf } from './row.ts'
import { type Difference, findEarlier, isPartOrWhole, type Match } from './told-again.ts'

const members = z.strictObject({
  settlementTx: settlementText().describe(
    'Settlement transaction hash, as the chain writes it. Hex is folded to lower-case. One of several transfers in it has its number behind it, such as `0x…#3`.',
  ),
  transferIndex: z
    .int32()
    .min(0)
    .nullish()
    .meta({ graphql: 'Int' })
    .describe(
      'Number of one transfer in the transaction, where it has several: the index of its log on EVM chains, of the output or operation elsewhere. The same as `#3` behind `settlementTx`.',
    ),
  chain: text().describe(
    'Chain of the payment, by the name the integration uses, or its CAIP-2 id. All names of a chain are one chain.',
  ),
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

/** Two numbers of one transfer contradict each other. */
export const recordReceiptInput = members.superRefine(({ settlementTx, transferIndex }, { addIssue }) => {
  const leg = settlementOf(settlementTx)?.leg ?? null
  if (transferIndex == null || leg === transferIndex) return
  const message = leg === null ? 'Too long with the number of the transfer.' : `settlementTx has the number ${leg}.`
  if (leg !== null || settlementTx.length > 240) addIssue({ code: 'custom', path: ['transferIndex'], message })
})
type Input = z.output<typeof recordReceiptInput>

/** `matchedBy`: how an earlier receipt was found; null when there was none. `differences`: what it states otherwise. */
export type Recorded = { receipt: Receipt; matchedBy: Match | null; differences: Difference[] }

export const recordReceiptVerb: BatchedVerb<typeof recordReceiptInput, Recorded> = {
  name: 'receipt.record',
  access: 'write',
  input: recordReceiptInput,
  admit: principal => void ownProject(principal, 'A receipt'),
  runAll(sql, members, { chainAliases }) {
    return recordAll(
      sql,
      members.map(member => ({ ...member, projectId: ownProject(member.principal) })),
      chainAliases,
    )
  },
}

export type Recording = { input: Input; projectId: string; actor: string }

/** Records payments, or finds their earlier receipts. With a transaction's `sql`, rows and effects commit with it. */
export async function recordAll(sql: Sql, recordings: Recording[], aliases: ChainAliases): Promise<Recorded[]> {
  const entries = recordings.map(recording => entryOf(recording, aliases))
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

/** Keys of src/core/identity.ts. `first` and `last` enclose the whole transaction of a leg, or the legs of a whole one. */
type Keys = { chain: string; tx: string; first: string; last: string; sender: string; receiver: string }
/** `settlementTx`: the transaction, with its leg behind it. */
export type Entry = Recording & { id: string; settlementTx: string; keys: Keys }

function entryOf(recording: Recording, aliases: ChainAliases): Entry {
  const { settlementTx: written, transferIndex, chain, senderWallet, receiverWallet } = recording.input
  const isWhole = settlementOf(written)?.leg == null
  const settlementTx = isWhole && transferIndex != null ? `${written}#${transferIndex}` : written
  const tx = transactionKey(settlementTx)
  const whole = transactionKey(settlementOf(settlementTx)?.transaction ?? settlementTx)
  const [first, last] = tx === whole ? [`${whole}#0`, `${whole}#:`] : [whole, whole]
  const [sender, receiver] = [addressKey(senderWallet), addressKey(receiverWallet)]
  return {
    ...recording,
    id: randomUUID(),
    settlementTx,
    keys: { chain: chainKey(chain, aliases), tx, first, last, sender, receiver },
  }
}

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
                             $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[],
                             $15::text[], $16::text[], $17::text[], $18::text[])
          as asked(id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
                   resource_hash, callback_url, actor, chain_key, tx_key, sender_key, receiver_key, first_key, last_key)
        -- The limit is the list length, so all rows pass. Without it the planner assumes ten rows, and prefers to plan
        -- each single payment anew, at a third of the total time; for a limit it does not know it assumes one row.
        limit $19
      ), recorded as (
        insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet,
                              reference, resource_hash, callback_url, chain_key, tx_key, sender_key, receiver_key,
                              config_version, project_config_version)
        select id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
               resource_hash, callback_url, chain_key, tx_key, sender_key, receiver_key, (select max(version) from organisation_configs),
               (select projects.config_version from projects where projects.id = asked.project_id) from asked
        -- Not joined, so that it is an index lookup for each payment in whatever plan is kept.
        where not exists (select from receipts r where ${isPartOrWhole} offset 0)
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
      sorted.length,
    ],
    'record-receipts',
  )
}

const keyOf = ({ projectId, keys, input }: Entry) => [projectId, keys.chain, keys.tx, input.reference].join('\n')

/** Errors: `unauthenticated`, `forbidden`, `project_key_required`, `validation_failed`. */
export const recordReceipt = perApp(app => bindBatchedVerb(app, recordReceiptVerb))
