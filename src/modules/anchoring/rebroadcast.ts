// The nonce queue of a chain's signer: which stored transactions are sent again, and the nonce of the next one.
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { inTransaction } from '../../kit/transaction.ts'
import type { AnchorAccount, Chain } from '../../ports/chain.ts'
import { type NonceQueue, noncesOf, rebroadcastAll, type Stored } from '../transactions/nonce-queue.ts'
import { storeReplacement, storeTransaction } from './store.ts'

type Outstanding = Stored & { state: 'signed' | 'confirmed' | 'reverted' | 'overtaken' }

// More transactions than a chain can lose before an operator intervenes.
const most = 1_000
// More transactions behind a stuck transaction only make it harder to see.
const mostUnmined = 16

/** Rebroadcasts; returns the nonce for the next transaction, or null while too many transactions are unmined. */
export async function rebroadcastAnchors(app: App, chain: Chain, account: AnchorAccount): Promise<number | null> {
  const nonces = await noncesOf(account)
  const rows = await outstanding(app, chain, account, nonces.mined)
  const queue: NonceQueue = {
    chain: chain.name,
    account: account,
    storeReplacement: (id, _, signed) => inTransaction(app, tx => storeReplacement(tx, id, signed)).then(() => true),
    storeFiller: (signed, id) =>
      inTransaction(app, async tx => {
        if (id === undefined) await storeTransaction(tx, chain, account, signed, account.address)
        else await storeReplacement(tx, id, signed)
      }),
  }
  await rebroadcastAll(app, queue, rows, nonces)
  // A final transaction that the nodes did not know was mined before: the block that carried it must be checked again,
  // once the transaction is sent, because until then the chain may have no block of this height.
  const vanished = rows.filter(({ state, nonce }) => state === 'confirmed' && nonce >= nonces.pending)
  if (vanished.length > 0)
    await inTransaction(app, async tx => tx.job(...vanished.map(({ id }) => jobs.reprove({ transaction: id }))))
  await rebroadcastForeign(app, chain, account)
  const last = await lastNonce(app, chain, account)
  const unmined = rows.filter(({ state }) => state === 'signed').length
  return unmined >= mostUnmined ? null : Math.max(nonces.pending, last + 1)
}

/**
 * Another transaction carries the hashes of a given-up one, whose bytes could anchor them twice: its nonce is only
 * filled. A final one is not stuck: it was mined.
 */
async function outstanding(
  { pool }: App,
  chain: Chain,
  account: AnchorAccount,
  fromNonce: number,
): Promise<Outstanding[]> {
  const { rows } = await pool.query<Outstanding>(
    `select t.id, t.nonce::int, t.state, case when t.state in ('signed', 'confirmed') then attempt.raw_transaction end as raw,
       case when t.state = 'signed' then (extract(epoch from now() - attempt.created_at) * 1000)::float8 else 0 end as "ageMs"
     from anchor_transactions t cross join lateral (
       select raw_transaction, created_at from anchor_attempts where transaction_id = t.id order by created_at desc, max_fee_per_gas desc limit 1
     ) as attempt
     where t.chain = $1 and t.signer = $2 and t.nonce >= $3 order by t.nonce limit ${most}`,
    [chain.name, account.address, fromNonce],
  )
  return rows
}

async function lastNonce({ pool }: App, chain: Chain, account: AnchorAccount): Promise<number> {
  const { rows } = await pool.query<{ last: number }>(
    `select coalesce(max(nonce), -1)::int as last from anchor_transactions where chain = $1 and signer = $2`,
    [chain.name, account.address],
  )
  return rows[0]?.last ?? -1
}

/** Rebroadcasts a former signer's transactions: the stored bytes suffice to send them again, not to replace them. */
async function rebroadcastForeign({ pool }: App, chain: Chain, account: AnchorAccount): Promise<void> {
  const { rows } = await pool.query<{ raw: string }>(
    `select a.raw_transaction as raw from anchor_transactions t join anchor_attempts a on a.transaction_id = t.id
     where t.chain = $1 and t.signer <> $2 and t.state = 'signed' order by t.signer, t.nonce, a.max_fee_per_gas limit ${mostUnmined}`,
    [chain.name, account.address],
  )
  for (const { raw } of rows) await account.broadcast(raw)
}
