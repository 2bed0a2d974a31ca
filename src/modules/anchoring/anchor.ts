// Anchors waiting bundle hashes: signs one transaction for up to 500 of them, stores it, and only then broadcasts it.
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { causedBy, originsOfAnchors, tell } from '../../kit/origins.ts'
import { task } from '../../kit/task.ts'
import { inTransaction } from '../../kit/transaction.ts'
import type { AnchorAccount, Chain, SignedTransaction } from '../../ports/chain.ts'
import { broadcastStored } from '../transactions/nonce-queue.ts'
import { anchorAccountOf, chainNamed } from './chains.ts'
import { rebroadcastAnchors } from './rebroadcast.ts'
import { storeTransaction } from './store.ts'

// 500 events use about 1.1 million gas, well within the block gas limit of any chain in use.
const batch = 500
const crowdedMs = 1_000

type Waiting = { id: string; bundleHash: string }

export const anchor = task(jobs.anchor, async (app, payload) => {
  const chain = chainNamed(app, payload.chain)
  const account = anchorAccountOf(chain)
  const nonce = await rebroadcastAnchors(app, chain, account)
  const { rows } = await app.pool.query<Waiting>(
    `select id, bundle_hash as "bundleHash" from anchors where chain = $1 and state = 'waiting'
       order by created_at, id limit ${batch}`,
    [chain.name],
  )
  if (rows.length === 0) return
  if (nonce === null)
    return inTransaction(app, async tx => tx.job(jobs.anchor({ chain: chain.name }, { afterMs: crowdedMs })))
  const origins = await originsOfAnchors(
    app,
    rows.map(row => row.id),
  )
  await causedBy(app, { name: 'anchor transaction', kind: 'internal', origins }, () =>
    send(app, chain, account, rows, nonce),
  )
})

async function send(app: App, chain: Chain, account: AnchorAccount, waiting: Waiting[], nonce: number): Promise<void> {
  const signed = await account.signAnchor(
    waiting.map(row => row.bundleHash),
    nonce,
  )
  await store(app, chain, account, waiting, signed)
  // If its fee is too low, the job that follows it has it replaced.
  await broadcastStored(app, account, signed.raw)
  tell(app, { chain: chain.name, txid: signed.txid, nonce, anchors: waiting.length }, 'anchor transaction sent')
}

const store = (app: App, chain: Chain, account: AnchorAccount, waiting: Waiting[], signed: SignedTransaction) =>
  inTransaction(app, async tx => {
    const id = await storeTransaction(tx, chain, account, signed)
    const claimed = await tx.sql(
      `update anchors set state = 'sent', transaction_id = $1 where id = any($2::uuid[]) and state = 'waiting' returning id`,
      [id, waiting.map(row => row.id)],
    )
    // The chain's nonce queue is serial, so no other job should have claimed these anchors. Fail if one has, because
    // nothing may be anchored twice.
    if (claimed.length !== waiting.length) throw new Error('another process claimed some of these anchors')
    if (waiting.length === batch) tx.job(jobs.anchor({ chain: chain.name }))
  })
