// Reads from the database the facts that messages state about receipts and their anchors.
import { plainAmount } from '../../core/amount.ts'
import type { ReceiptStatus } from '../../core/states.ts'
import type { FiatEquivalentState } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import type { Sql } from '../../kit/transaction.ts'
import type { WalletProof } from '../control/file.ts'
import {
  type AnchorFacts,
  type FiatEquivalent,
  isAnnounced,
  type ReceiptFacts,
  type SettlementFacts,
} from '../iso20022/facts.ts'
import type { Configuration } from '../settings/organisation.ts'
import { configurationAt } from '../settings/read.ts'

/** A receipt, and the configuration under which it was recorded. */
export type RecordedFacts = {
  receipt: ReceiptFacts
  organisation: Configuration
  /** The configuration requires a fiat equivalent that is not computed yet: the receipt is sealed only after it is. */
  lacksEquivalent: boolean
  /** The signature of the receiver that the bundle states; null where none is kept. */
  receiverProof: (WalletProof & { id: string }) | null
  /** Its payment is to be checked on its own chain, and was not, or a payment that must be confirmed is not. */
  lacksSettlement: boolean
  /** How often a check of its payment changed, after it was anchored, whether it is booked. */
  rebookings: number
}

type Row = Omit<ReceiptFacts, 'refundOf' | 'project' | 'fiatEquivalent' | 'settlement'> & {
  status: ReceiptStatus
  configVersion: number | null
  projectConfigVersion: number | null
  projectId: string
  ownerWallet: string | null
  refundOf:
    | (Omit<NonNullable<ReceiptFacts['refundOf']>, 'createdAt' | 'paidAt'> & {
        createdAt: string
        paidAt: string | null
      })
    | null
  equivalentState: FiatEquivalentState | null
  rebookings: number
  fiatEquivalent: (Omit<FiatEquivalent, 'asOf'> & { asOf: string }) | null
  receiverProof: (Omit<WalletProof, 'linkedAt'> & { id: string; linkedAt: string }) | null
  settlement:
    | (Omit<SettlementFacts, 'checkedAt' | 'blockTime'> & { checkedAt: string; blockTime: string | null })
    | null
}

// A sealed receipt keeps what its message states; before, the present links count.
const proven = (side: 'sender' | 'receiver') => `coalesce(r.${side}_proven, exists (
  select from linked_wallets w where w.project_id = r.project_id and w.address = r.${side}_key))`

// The same of the signature that its bundle states. At the same address of another chain there may be another contract.
const receiverProof = `case when r.bundle_hash is not null then r.receiver_proof_id else (
  select w.proof_id from linked_wallets w where w.project_id = r.project_id and w.address = r.receiver_key) end`

/** Returns the facts in the order of the ids; ids of receipts that do not exist are left out. */
export async function readFacts(
  app: App,
  sql: Sql,
  receiptIds: string[],
): Promise<(RecordedFacts & { status: ReceiptStatus })[]> {
  const rows = await sql<Row>(
    `select r.id, r.reference, r.chain, r.tip_tx_hash as "tipTxHash", r.amount::text, r.currency,
       r.sender_wallet as "senderWallet", r.receiver_wallet as "receiverWallet",
       r.chain_key as "chainKey", r.sender_key as "senderKey", r.receiver_key as "receiverKey",
       ${proven('sender')} as "senderProven", ${proven('receiver')} as "receiverProven", r.resource_hash as "resourceHash",
       r.created_at as "createdAt", r.status, r.config_version as "configVersion", r.refund_reason as "refundReason",
       r.project_config_version as "projectConfigVersion", r.refund_tx_hash as "refundTxHash",
       p.id as "projectId", p.owner_wallet as "ownerWallet",
       case when o.id is not null then json_build_object(
         'id', o.id, 'reference', o.reference, 'tipTxHash', o.tip_tx_hash,
         'amount', o.amount::text, 'createdAt', o.created_at,
         'paidAt', case when os.grade <> 'stated' then os.block_time end) end as "refundOf",
       f.state as "equivalentState", case when f.state = 'known' then json_build_object(
         'amount', f.amount, 'currency', f.currency, 'rate', f.rate, 'rateOf', f.rate_of, 'source', f.source,
         'asOf', f.as_of) end as "fiatEquivalent", r.settled_at as "statedAt",
       case when s.receipt_id is not null then json_build_object(
         'status', s.status, 'grade', s.grade, 'checkedAt', s.checked_at, 'assetId', s.asset_id,
         'blockNumber', s.block_number, 'blockHash', s.block_hash, 'blockTime', s.block_time, 'sentBy', s.sent_by,
         'fee', s.fee, 'legIndex', s.leg_index, 'differences', s.differences) end as settlement,
       coalesce(s.rebookings, 0) as rebookings,
       case when c.id is not null then json_build_object(
         'id', c.id, 'address', c.address, 'message', c.message, 'signature', c.signature, 'method', c.method,
         'network', c.network, 'blockNumber', c.block_number, 'blockHash', c.block_hash,
         'linkedAt', c.created_at) end as "receiverProof"
     from unnest($1::uuid[]) with ordinality as requested(id, place) join receipts r using (id)
       join projects p on p.id = r.project_id
       left join receipts o on o.id = r.refund_of_id
       left join settlements os on os.receipt_id = o.id
       left join fiat_equivalents f on f.receipt_id = r.id
       left join wallet_proofs c on c.id = ${receiverProof} and (c.method = 'eip191' or c.network = r.chain_key)
       left join settlements s on s.receipt_id = r.id
     order by requested.place`,
    [receiptIds],
    // Planned anew, it would take longer to plan than to run.
    'read-facts',
  )
  return Promise.all(rows.map(row => factsOf(app, sql, row)))
}

async function factsOf(app: App, sql: Sql, row: Row): Promise<RecordedFacts & { status: ReceiptStatus }> {
  const {
    status,
    configVersion,
    projectConfigVersion,
    projectId,
    ownerWallet,
    equivalentState,
    receiverProof,
    rebookings,
    ...rest
  } = row
  const { refundOf, fiatEquivalent, settlement } = rest
  const organisation = await configurationAt(app, sql, { organisation: configVersion, project: projectConfigVersion })
  const isOpen = equivalentState === null || equivalentState === 'waiting'
  return {
    receipt: {
      ...rest,
      project: { id: projectId, ownerWallet },
      amount: plainAmount(rest.amount),
      refundOf: refundOf && {
        ...refundOf,
        amount: plainAmount(refundOf.amount),
        createdAt: new Date(refundOf.createdAt),
        paidAt: refundOf.paidAt === null ? null : new Date(refundOf.paidAt),
      },
      fiatEquivalent: fiatEquivalent && { ...fiatEquivalent, asOf: new Date(fiatEquivalent.asOf) },
      settlement: settlement && {
        ...settlement,
        checkedAt: new Date(settlement.checkedAt),
        blockTime: settlement.blockTime === null ? null : new Date(settlement.blockTime),
      },
    },
    organisation,
    receiverProof: receiverProof && { ...receiverProof, linkedAt: new Date(receiverProof.linkedAt) },
    lacksEquivalent: isOpen && organisation.fxPolicy.baseCurrency !== null,
    rebookings,
    lacksSettlement: !isAnnounced(rest) && isUnchecked(app, organisation, rest),
    status,
  }
}

/** Returns the keys of the wallets that are linked to the project by a signature. */
export async function readProvenWallets(sql: Sql, projectId: string): Promise<ReadonlySet<string>> {
  const rows = await sql<{ address: string }>('select address from linked_wallets where project_id = $1::uuid', [
    projectId,
  ])
  return new Set(rows.map(({ address }) => address))
}

/** Returns the earliest confirmed anchor of each anchored receipt, by receipt id. */
export async function readAnchors(sql: Sql, receiptIds: string[]): Promise<Map<string, AnchorFacts>> {
  const rows = await sql<AnchorFacts & { receiptId: string }>(
    `select distinct on (a.receipt_id) a.receipt_id as "receiptId", a.chain, t.txid, t.block_number::int as "blockNumber",
       t.block_time as "anchoredAt", r.booked_at as "bookedAt", a.bundle_hash as "bundleHash"
     from anchors a join anchor_transactions t on t.id = a.transaction_id join receipts r on r.id = a.receipt_id
     where a.receipt_id = any($1::uuid[]) and a.state = 'confirmed' and r.status = 'anchored' order by a.receipt_id, t.block_time, t.txid`,
    [receiptIds],
  )
  return new Map(rows.map(({ receiptId, ...anchor }) => [receiptId, anchor]))
}

/** Returns whether a payment has to be checked before its receipt is sealed. */
function isUnchecked(
  { paymentChains }: Pick<App, 'paymentChains'>,
  { checks: { policy } }: Configuration,
  { chainKey, settlement }: Pick<Row, 'chainKey' | 'settlement'>,
): boolean {
  if (policy === 'off') return false
  if (policy === 'require') return settlement?.status !== 'confirmed'
  return settlement === null && paymentChains.has(chainKey)
}
