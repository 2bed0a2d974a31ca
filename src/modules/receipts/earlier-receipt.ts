// Finds the earlier receipts of payments that are recorded again, and what these state otherwise.
import { addressKey, type ChainAliases, chainKey, transactionKey } from '../../core/identity.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import type { Sql } from '../../kit/transaction.ts'
import type { Entry } from './record-input.ts'
import { type RawReceipt, receiptColumns, receiptOf } from './row.ts'

/** How an earlier receipt was found. */
export type Match = 'settlement' | 'reference'

/** SQL: the id of the receipt of the whole transaction that `requested` is one transfer of, or the other way round. */
export const partOrWhole = `part_or_whole(requested.project_id, requested.chain_key, requested.tx_key, requested.first_key, requested.last_key,
  requested.amount, requested.currency, requested.sender_key, requested.receiver_key)`

/** Finds earlier receipts, by the ids of the entries: by settlement first, then by reference. */
export async function findEarlier(
  sql: Sql,
  entries: Entry[],
  aliases: ChainAliases,
): Promise<Map<string, { receipt: Receipt; matchedBy: Match; differences: Difference[] }>> {
  // No index serves `is not distinct from`: while the table has no statistics, the planner would take an index by
  // chain, and read all receipts of the project for each payment.
  const rows = await sql<RawReceipt & { requested: string; rank: 1 | 2 | 3 }>(
    `select requested.id as requested, found.* from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[],
       $7::numeric[], $8::text[], $9::text[], $10::text[], $11::text[])
       as requested(id, project_id, chain_key, tx_key, first_key, last_key, amount, currency, sender_key, receiver_key, reference)
     cross join lateral (
       select ${receiptColumns}, 1 as rank from receipts
         where project_id = requested.project_id and tx_key = requested.tx_key
           and chain_key is not distinct from requested.chain_key and refund_of_id is null and is_repeated = false
       union all
       select ${receiptColumns}, 2 as rank from (select ${partOrWhole} as id offset 0) as other join receipts using (id)
       union all
       select ${receiptColumns}, 3 as rank from receipts where project_id = requested.project_id and reference = requested.reference
       order by rank limit 1
     ) as found`,
    [
      entries.map(({ id }) => id),
      entries.map(({ projectId }) => projectId),
      entries.map(({ keys }) => keys.chain),
      entries.map(({ keys }) => keys.tx),
      entries.map(({ keys }) => keys.first),
      entries.map(({ keys }) => keys.last),
      entries.map(({ input }) => input.amount),
      entries.map(({ input }) => input.currency),
      entries.map(({ keys }) => keys.sender),
      entries.map(({ keys }) => keys.receiver),
      entries.map(({ input }) => input.reference),
    ],
  )
  const requested = new Map(entries.map(entry => [entry.id, entry]))
  return new Map(
    rows.flatMap(({ requested: id, rank, ...row }) => {
      const [entry, receipt] = [requested.get(id), receiptOf(row)]
      const matchedBy = rank === 3 ? 'reference' : 'settlement'
      return entry ? [[id, { receipt, matchedBy, differences: differencesOf(receipt, entry, aliases) }]] : []
    }),
  )
}

/** The members that can differ between an earlier receipt and what is recorded again. */
const differing = [
  'settlement_tx',
  'chain',
  'amount',
  'currency',
  'sender_wallet',
  'receiver_wallet',
  'reference',
  'resource_hash',
  'callback_url',
  'settled_at',
] as const
export type Difference = (typeof differing)[number]

/** Compares by identity and exact value, not by spelling. What was not sent this time does not differ. */
function differencesOf(receipt: Receipt, { input, settlementTx }: Entry, aliases: ChainAliases): Difference[] {
  const { chain, amount, currency, senderWallet, receiverWallet, reference, resourceHash, callbackUrl, settledAt } =
    input
  const isOther: Record<Difference, boolean> = {
    settlement_tx: transactionKey(receipt.tipTxHash) !== transactionKey(settlementTx),
    chain: chainKey(receipt.chain, aliases) !== chainKey(chain, aliases),
    amount: !receipt.amount.equals(amount),
    currency: receipt.currency !== currency,
    sender_wallet: addressKey(receipt.senderWallet) !== addressKey(senderWallet),
    receiver_wallet: addressKey(receipt.receiverWallet) !== addressKey(receiverWallet),
    reference: receipt.reference !== reference,
    resource_hash: resourceHash != null && receipt.resourceHash !== resourceHash,
    callback_url: callbackUrl != null && receipt.callbackUrl !== callbackUrl,
    settled_at: settledAt != null && receipt.settledAt?.getTime() !== settledAt.getTime(),
  }
  return differing.filter(name => isOther[name])
}
