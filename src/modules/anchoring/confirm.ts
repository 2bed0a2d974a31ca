// Follows one stored transaction to its end: final, and its receipts are anchored; reverted, and they wait again.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { App } from '../../kit/context.ts'
import { task } from '../../kit/task.ts'
import { inTransaction, type Transaction } from '../../kit/transaction.ts'
import type { Chain, MinedTransaction } from '../../ports/chain.ts'
import { chainNamed } from './anchor.ts'
import { resend } from './resend.ts'

const patienceMs = 2_000
const pollMs = 100
// Reports are built in groups of this many receipts.
const reportGroup = 100

type Stored = { id: string; chain: string; txid: string }

export const confirm = task({
  name: 'confirm',
  payload: z.strictObject({ transaction: z.guid() }),
  async run(app, payload) {
    const { rows } = await app.pool.query<Stored>(
      `select id, chain, txid from anchor_transactions where id = $1 and state = 'signed'`,
      [payload.transaction],
    )
    const [stored] = rows
    if (stored === undefined) return
    const chain = chainNamed(app, stored.chain)
    const mined = await settled(app, chain, stored)
    if (mined === null) return later(app, stored)
    if (!mined.succeeded) return release(app, stored, 'the anchor transaction reverted')
    await finish(app, chain, stored, mined)
  },
})

/** The transaction once it is final, or null when it is not within a moment. */
async function settled(app: App, chain: Chain, stored: Stored): Promise<MinedTransaction | null> {
  const until = Date.now() + patienceMs
  for (let sent = false; Date.now() < until; await sleep(pollMs)) {
    const mined = await chain.transaction(stored.txid)
    if (mined !== null) {
      const standing = await chain.standing(mined.blockNumber, mined.blockHash)
      if (standing === 'final') return mined
    } else if (!sent) {
      await resend(app, chain)
      sent = true
    }
  }
  return null
}

const later = (app: App, { id }: Stored) =>
  inTransaction(app, async tx =>
    tx.job({ task: 'confirm', payload: { transaction: id }, key: `confirm:${id}`, afterMs: 1_000 }),
  )

async function finish(app: App, chain: Chain, stored: Stored, mined: MinedTransaction): Promise<void> {
  const emitted = new Set(
    mined.events.filter(event => event.contract === chain.contract).map(event => event.bundleHash),
  )
  await inTransaction(app, async tx => {
    const moved = await tx.sql(
      `update anchor_transactions set state = 'confirmed', block_number = $2, block_hash = $3, block_time = $4
       where id = $1 and state = 'signed' returning id`,
      [stored.id, mined.blockNumber, mined.blockHash, mined.blockTime],
    )
    if (moved.length === 0) return
    const confirmed = await tx.sql<{ receiptId: string }>(
      `update anchors set state = 'confirmed' where transaction_id = $1 and state = 'sent' and bundle_hash = any($2::text[])
       returning receipt_id as "receiptId"`,
      [stored.id, [...emitted]],
    )
    await again(tx, stored)
    const anchored = await complete(
      tx,
      confirmed.map(({ receiptId }) => receiptId),
      stored.txid,
      mined.blockTime,
    )
    tx.changed(...anchored)
    for (let start = 0; start < anchored.length; start += reportGroup) {
      tx.job({ task: 'report', payload: { receipts: anchored.slice(start, start + reportGroup) } })
    }
  })
}

/** A receipt is anchored when none of its anchors is open any more. */
async function complete(tx: Transaction, receiptIds: string[], txid: string, blockTime: Date): Promise<string[]> {
  const rows = await tx.sql<{ id: string; projectId: string }>(
    `update receipts r set status = 'anchored', ledger_txid = $2, anchored_at = $3, booked_at = now()
     where id = any($1::uuid[]) and status = 'awaiting_anchor'
       and not exists (select from anchors a where a.receipt_id = r.id and a.state <> 'confirmed')
     returning id, project_id as "projectId"`,
    [receiptIds, txid, blockTime],
  )
  tx.audit(
    ...rows.map(({ id, projectId }) => ({
      action: 'receipt.anchor',
      objectType: 'receipt',
      objectId: id,
      projectId,
      actor: 'worker',
      details: { txid },
    })),
  )
  return rows.map(({ id }) => id)
}

const release = (app: App, stored: Stored, reason: string) =>
  inTransaction(app, async tx => {
    app.log.error({ txid: stored.txid, chain: stored.chain }, reason)
    await tx.sql(`update anchor_transactions set state = 'reverted' where id = $1 and state = 'signed'`, [stored.id])
    await again(tx, stored)
  })

/** What this transaction did not anchor waits for the next. */
async function again(tx: Transaction, stored: Stored): Promise<void> {
  const open = await tx.sql(
    `update anchors set state = 'waiting', transaction_id = null where transaction_id = $1 and state = 'sent' returning id`,
    [stored.id],
  )
  if (open.length === 0) return
  const lane = `anchor:${stored.chain}`
  tx.job({ task: 'anchor', payload: { chain: stored.chain }, queue: lane, key: lane, afterMs: 5_000 })
}
