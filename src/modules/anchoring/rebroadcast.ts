// Ensures that the chain has every unmined transaction of the service: rebroadcasts those its nodes do not know (after
// a crash of the service or a reorg), fills nonce gaps, and raises the fee of a stuck transaction. Sends only the same
// bytes, a replacement at the same nonce, or an empty transaction, so no hash can be anchored twice by it.
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { inTransaction } from '../../kit/transaction.ts'
import type { Chain, Handover, Sender } from '../../ports/chain.ts'
import { storeReplacement, storeTransaction } from './store.ts'

type Outstanding = {
  id: string
  nonce: number
  state: 'signed' | 'confirmed' | 'reverted' | 'overtaken'
  raw: string
  ageMs: number
}

// More transactions than a chain can lose before an operator intervenes.
const most = 1_000
const mostFillers = 16
// More transactions behind a stuck transaction only make it harder to see.
const mostUnmined = 16
const mostRaises = 10

/** Returns the nonce for the next transaction; null while too many transactions are unmined. */
export async function rebroadcast(app: App, chain: Chain, sender: Sender): Promise<number | null> {
  const [mined, pending] = await Promise.all([sender.minedNonce(), sender.pendingNonce()])
  const rows = await outstanding(app, chain, sender, mined)
  for (const row of rows) await resendOrReplace(app, chain, sender, row, mined, pending)
  await fillGaps(app, chain, sender, rows, pending)
  await rebroadcastForeign(app, chain, sender)
  const last = await lastNonce(app, chain, sender)
  const unmined = rows.filter(({ state }) => state === 'signed').length
  return unmined >= mostUnmined ? null : Math.max(pending, last + 1)
}

async function outstanding(app: App, chain: Chain, sender: Sender, mined: number): Promise<Outstanding[]> {
  const { rows } = await app.pool.query<Outstanding>(
    `select t.id, t.nonce::int, t.state, attempt.raw_transaction as raw,
       (extract(epoch from now() - attempt.created_at) * 1000)::float8 as "ageMs"
     from anchor_transactions t cross join lateral (
       select raw_transaction, created_at from anchor_attempts where transaction_id = t.id order by created_at desc, max_fee_per_gas desc limit 1
     ) as attempt
     where t.chain = $1 and t.signer = $2 and t.nonce >= $3 order by t.nonce limit ${most}`,
    [chain.name, sender.address, mined],
  )
  return rows
}

async function lastNonce(app: App, chain: Chain, sender: Sender): Promise<number> {
  const { rows } = await app.pool.query<{ last: number }>(
    `select coalesce(max(nonce), -1)::int as last from anchor_transactions where chain = $1 and signer = $2`,
    [chain.name, sender.address],
  )
  return rows[0]?.last ?? -1
}

async function resendOrReplace(
  app: App,
  chain: Chain,
  sender: Sender,
  row: Outstanding,
  mined: number,
  pending: number,
) {
  let outcome: Handover = 'accepted'
  // Another transaction carries the hashes of a given-up one, whose bytes could anchor them twice: only fill its nonce.
  const isGivenUp = row.state === 'reverted' || row.state === 'overtaken'
  if (row.nonce >= pending && isGivenUp) return fill(app, chain, sender, row)
  if (row.nonce >= pending) {
    outcome = await sender.broadcast(row.raw)
    // The transaction was final before, so the block that carried it must be checked again.
    if (row.state === 'confirmed') {
      await inTransaction(app, async tx => tx.job(jobs.reprove({ transaction: row.id })))
    }
  }
  // Transactions behind the lowest unmined nonce wait for that nonce, not for a higher fee.
  const isStuck = row.nonce === mined && row.ageMs >= sender.replaceAfterMs
  if (row.state === 'signed' && (outcome === 'underpriced' || isStuck)) await raise(app, chain, sender, row)
}

async function fill(app: App, chain: Chain, sender: Sender, { id, nonce }: Outstanding): Promise<void> {
  const signed = await sender.signFiller(nonce)
  await inTransaction(app, tx => storeReplacement(tx, id, signed))
  app.log.warn(
    { chain: chain.name, nonce, txid: signed.txid },
    'the nonce of a transaction that was given up is filled',
  )
  await sender.broadcast(signed.raw)
}

async function raise(app: App, chain: Chain, sender: Sender, { id, raw, nonce }: Outstanding): Promise<void> {
  let last = raw
  for (let raises = 0; raises < mostRaises; raises++) {
    const signed = await sender.signReplacement(last)
    if (signed === null) {
      app.log.error({ chain: chain.name, nonce }, 'a transaction is stuck at the highest fee that is allowed')
      await sender.broadcast(last)
      return
    }
    await inTransaction(app, tx => storeReplacement(tx, id, signed))
    app.log.warn(
      { chain: chain.name, nonce, txid: signed.txid, maxFeePerGas: signed.maxFeePerGas.toString() },
      'a transaction is replaced by one with a higher fee',
    )
    if ((await sender.broadcast(signed.raw)) !== 'underpriced') return
    last = signed.raw
  }
}

/** Fills nonces that no stored transaction has, below one that has: transactions above a gap are never mined. */
async function fillGaps(app: App, chain: Chain, sender: Sender, rows: Outstanding[], pending: number): Promise<void> {
  const taken = new Set(rows.map(({ nonce }) => nonce))
  const end = rows.at(-1)?.nonce ?? pending
  let filled = 0
  for (let nonce = pending; nonce < end && filled < mostFillers; nonce++) {
    if (taken.has(nonce)) continue
    const signed = await sender.signFiller(nonce)
    await inTransaction(app, tx => storeTransaction(tx, chain, sender, signed, sender.address))
    app.log.warn({ chain: chain.name, nonce, txid: signed.txid }, 'a gap of nonces is filled')
    await sender.broadcast(signed.raw)
    filled += 1
  }
}

/** Rebroadcasts a former signer's transactions: the stored bytes suffice to send them again, not to replace them. */
async function rebroadcastForeign({ pool }: App, chain: Chain, sender: Sender): Promise<void> {
  const { rows } = await pool.query<{ raw: string }>(
    `select a.raw_transaction as raw from anchor_transactions t join anchor_attempts a on a.transaction_id = t.id
     where t.chain = $1 and t.signer <> $2 and t.state = 'signed' order by t.signer, t.nonce, a.max_fee_per_gas limit ${mostUnmined}`,
    [chain.name, sender.address],
  )
  for (const { raw } of rows) await sender.broadcast(raw)
}
