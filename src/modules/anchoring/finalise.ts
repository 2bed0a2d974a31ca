// Writes the outcome of an anchor transaction to its row, its anchors and their receipts.
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { isSealed } from '../../kit/moving.ts'
import type { Transaction } from '../../kit/transaction.ts'
import type { BlockStatus, MinedTransaction } from '../../ports/chain.ts'
import { eraseBlobs } from '../artifacts/store.ts'
import { fileName, isOfLife, settledSuffix } from '../iso20022/messages/message.ts'
import { reportTypes } from '../iso20022/messages/registry.ts'
import { bookOnce, isStated, isUncontradicted } from '../receipts/book-once.ts'
import { confirmJob } from './chains.ts'

/** A transaction that carries anchors, sent by the service or by a project. */
type Carrier = { id: string; projectId: string | null; chain: string; contract: string }

// Reports are built in groups of this many receipts.
const reportGroup = 100

/** Writes the block and finality of a transaction that is not final yet, for queries; null while it has no block. */
export const recordBlockStatus = (
  tx: Transaction,
  { id }: Carrier,
  mined: MinedTransaction | null,
  blockStatus: BlockStatus | null,
) =>
  tx.sql(
    `update anchor_transactions set finality = $2::finality, block_number = $3::bigint, block_hash = $4::text, block_time = $5::timestamptz,
       txid = coalesce($6::text, txid)
     where id = $1::uuid and state = 'signed' and (finality, block_hash) is distinct from ($2::finality, $4::text)`,
    [
      id,
      mined === null ? null : blockStatus === 'safe' ? 'safe' : 'included',
      mined?.blockNumber ?? null,
      mined?.blockHash ?? null,
      mined?.blockTime ?? null,
      mined?.txid ?? null,
    ],
  )

/** Confirms the anchors whose hashes a final, successful transaction's events carry; its other anchors wait again. */
export async function finalise(app: App, tx: Transaction, carrier: Carrier, mined: MinedTransaction): Promise<void> {
  const emitted = mined.events.filter(event => event.contract === carrier.contract).map(event => event.bundleHash)
  const moved = await tx.sql(
    `update anchor_transactions set state = 'confirmed', finality = 'final', txid = $2, block_number = $3::bigint, block_hash = $4,
       block_time = $5::timestamptz, proved_at = now(), proof_failure = null
     where id = $1::uuid and state = 'signed' returning id`,
    [carrier.id, mined.txid, mined.blockNumber, mined.blockHash, mined.blockTime],
  )
  if (moved.length === 0) return
  const confirmed = await tx.sql<MovedAnchor>(
    `update anchors set state = 'confirmed' where transaction_id = $1::uuid and state = 'sent' and bundle_hash = any($2::text[])
     returning ${movedAnchor}`,
    [carrier.id, emitted],
  )
  tx.event(...eventsOfAgents('agent.anchored', confirmed, { txid: mined.txid, anchoredAt: mined.blockTime }))
  if (await reopen(app, tx, carrier)) {
    app.log.error({ chain: carrier.chain, txid: mined.txid }, 'a mined transaction lacks events it should have')
  }
  await complete(
    tx,
    confirmed.flatMap(({ receiptId }) => receiptId ?? []),
  )
  await completeStatements(
    tx,
    confirmed.flatMap(({ statementId }) => statementId ?? []),
  )
}

// `agentProjectId` is null where no agent requested the anchor.
type MovedAnchor = {
  id: string
  receiptId: string | null
  statementId: string | null
  bundleHash: string
  agentProjectId: string | null
}
const movedAnchor = `id, receipt_id as "receiptId", statement_id as "statementId", bundle_hash as "bundleHash",
  (select project_id from agents where agents.id = anchors.agent_id) as "agentProjectId"`

const projectOfAnchor = `coalesce((select project_id from receipts where receipts.id = anchors.receipt_id),
  (select project_id from statements where statements.id = anchors.statement_id),
  (select project_id from agents where agents.id = anchors.agent_id),
  (select project_id from receipts where receipts.id = anchors.settlement_id))`

const eventsOfAgents = (
  type: 'agent.anchored' | 'agent.anchor_lost',
  anchors: readonly MovedAnchor[],
  block: { txid: string | null; anchoredAt: Date | null },
) =>
  anchors.flatMap(({ id, bundleHash, agentProjectId: projectId }) =>
    projectId === null ? [] : [{ type, projectId, anchorId: id, anchor: { bundleHash, ...block } }],
  )

/** Selects the sealed things whose anchors are all final, with the transaction and the time of the earliest block. */
const whole = (owner: 'receipt_id' | 'statement_id') => `
  select a.${owner} as id, (array_agg(t.txid order by t.block_time, t.txid))[1] as txid, min(t.block_time) as block_time
  from anchors a left join anchor_transactions t on t.id = a.transaction_id
  where a.${owner} = any($1::uuid[]) group by a.${owner} having bool_and(a.state = 'confirmed')`

/** Marks receipts anchored whose anchors are all final; the earliest block gives the transaction and the time. */
async function complete(tx: Transaction, receiptIds: string[]): Promise<void> {
  // Two chains may complete one receipt concurrently: the second transaction must see what the first wrote.
  await tx.sql(`select id from receipts where id = any($1::uuid[]) order by id for no key update`, [receiptIds])
  const rows = await tx.sql<{ id: string; projectId: string; txid: string }>(
    `with whole as (${whole('receipt_id')})
     update receipts r set status = 'anchored', ledger_txid = whole.txid, anchored_at = whole.block_time,
       booked_at = case when (r.refund_of_id is null or r.refund_tx_hash is not null) and ${isUncontradicted('r')}
         then coalesce(r.booked_at, now()) end
     from whole where r.id = whole.id and r.status = 'awaiting_anchor'
     returning r.id, r.project_id as "projectId", r.ledger_txid as txid`,
    [receiptIds],
  )
  const anchored = rows.map(({ id }) => id)
  const noEntries = await bookOnce(tx.sql, anchored)
  if (noEntries.length > 0) {
    // A notification is imported as an entry. That of a refund that was only announced stays.
    const taken = await tx.sql<{ sha256: string }>(
      `delete from artifacts a using receipts r where a.receipt_id = r.id and r.id = any($1::uuid[])
         and a.name = case when r.tip_tx_hash = r.refund_tx_hash then $2 else $3 end returning a.sha256`,
      [noEntries, fileName('camt.054'), fileName('camt.054', settledSuffix)],
    )
    // Their content too, because an erasure of the receipt would not find it any more.
    await eraseBlobs(
      tx,
      taken.map(({ sha256 }) => sha256),
    )
  }
  tx.changed(...anchored)
  tx.audit(...rows.map(({ id, projectId, txid }) => entry('receipt.anchor', id, projectId, { txid })))
  for (let start = 0; start < anchored.length; start += reportGroup) {
    tx.job(jobs.report({ receipts: anchored.slice(start, start + reportGroup) }))
  }
}

/** Marks statements anchored whose anchors are all final. */
async function completeStatements(tx: Transaction, statementIds: string[]): Promise<void> {
  if (statementIds.length === 0) return
  await tx.sql(`select id from statements where id = any($1::uuid[]) order by id for no key update`, [statementIds])
  await tx.sql(
    `with whole as (${whole('statement_id')})
     update statements s set status = 'anchored', ledger_txid = whole.txid, anchored_at = whole.block_time
     from whole where s.id = whole.id and s.status = 'awaiting_anchor'`,
    [statementIds],
  )
}

const entry = (action: string, receiptId: string, projectId: string, details: Record<string, unknown>) => ({
  action,
  objectType: 'receipt',
  objectId: receiptId,
  projectId,
  actor: 'worker',
  details,
})

/** Gives up a transaction that can never confirm its anchors. */
export async function release(
  app: App,
  tx: Transaction,
  carrier: Carrier,
  state: 'reverted' | 'overtaken',
  reason: string,
): Promise<void> {
  app.log.error({ transaction: carrier.id, chain: carrier.chain }, `an anchor transaction is given up: ${reason}`)
  await tx.sql(
    `update anchor_transactions set state = $2::anchor_transaction_state where id = $1::uuid and state = 'signed'`,
    [carrier.id, state],
  )
  await reopen(app, tx, carrier)
}

/** Reopens a transaction's unconfirmed anchors: they wait for the next transaction. False when there are none. */
async function reopen(app: App, tx: Transaction, { id, projectId, chain }: Carrier): Promise<boolean> {
  const open = await tx.sql(
    `update anchors set state = $2::anchor_state, transaction_id = null where transaction_id = $1::uuid and state = 'sent' returning id`,
    [id, projectId === null ? 'waiting' : 'external'],
  )
  if (open.length === 0) return false
  if (projectId === null) tx.job(jobs.anchor({ chain }, { afterMs: await pauseAfterFailures(app, chain) }))
  return true
}

const firstPauseMs = 5_000
const longestPauseMs = 3_600_000

/** Returns the pause before the next transaction: a failed one costs gas, so a failing one is not repeated at once. */
async function pauseAfterFailures({ pool }: App, chain: string): Promise<number> {
  const { rows } = await pool.query<{ failed: number }>(
    `select count(*)::int as failed from anchor_transactions t
     where t.chain = $1 and t.project_id is null and t.created_at > now() - interval '1 day'
       and (t.state = 'reverted'
         or t.state = 'confirmed' and t.contract <> t.signer and not exists (select from anchors where transaction_id = t.id))`,
    [chain],
  )
  return Math.min(longestPauseMs, firstPauseMs * 3 ** (rows[0]?.failed ?? 0))
}

/** Undoes a confirmation whose block left the chain: receipts wait until the transaction is final in another block. */
export async function revertConfirmation(
  app: App,
  tx: Transaction,
  carrier: Pick<Carrier, 'id' | 'projectId' | 'chain'>,
): Promise<void> {
  const { id, chain } = carrier
  const moved = await tx.sql(
    `update anchor_transactions set state = 'signed', finality = null, block_number = null, block_hash = null, block_time = null
     where id = $1::uuid and state = 'confirmed' returning id`,
    [id],
  )
  if (moved.length === 0) return
  app.log.error({ transaction: id, chain }, 'the block of a final anchor has vanished')
  // A project that was moved is corrected where it works now.
  const lost = await tx.sql<MovedAnchor>(
    `update anchors set state = 'sent' where transaction_id = $1::uuid and state = 'confirmed'
       and not ${isSealed(projectOfAnchor)} returning ${movedAnchor}`,
    [id],
  )
  tx.event(...eventsOfAgents('agent.anchor_lost', lost, { txid: null, anchoredAt: null }))
  await tx.sql(
    `update statements set status = 'awaiting_anchor', ledger_txid = null, anchored_at = null
     where id = any($1::uuid[]) and status = 'anchored'`,
    [lost.flatMap(({ statementId }) => statementId ?? [])],
  )
  // A receipt that no numbered statement has is booked again when it is anchored again, because its day may be closed
  // by then. One that was stated keeps its booking, so that it is stated once.
  const rows = await tx.sql<{ id: string; projectId: string }>(
    `update receipts set status = 'awaiting_anchor', ledger_txid = null, anchored_at = null,
       booked_at = case when ${isStated('receipts')} then booked_at end
     where id = any($1::uuid[]) and status = 'anchored' returning id, project_id as "projectId"`,
    [lost.flatMap(({ receiptId }) => receiptId ?? [])],
  )
  // These reports name the orphaned block; new ones are built when the next block is final.
  await tx.sql(
    `delete from artifacts where receipt_id = any($1::uuid[]) and type = any($2::text[]) and ${isOfLife('name')}`,
    [rows.map(row => row.id), reportTypes],
  )
  tx.changed(...rows.map(row => row.id))
  tx.audit(...rows.map(row => entry('receipt.anchor_lost', row.id, row.projectId, { chain })))
  tx.job(confirmJob(app, carrier))
}
