// Follows one stored transaction until it is final (its receipts become anchored), or reverted or overtaken (its
// anchors wait again).
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../kit/context.ts'
import { type Block, type Job, jobs } from '../../kit/jobs.ts'
import { causedBy, originsOfTransaction, tell } from '../../kit/origins.ts'
import { task } from '../../kit/task.ts'
import { inTransaction } from '../../kit/transaction.ts'
import type { BlockStatus, Chain, MinedTransaction } from '../../ports/chain.ts'
import { chainNamed, confirmJob, projectChain } from './chains.ts'
import { finalise, recordBlockStatus, release } from './finalise.ts'

// How long a run polls a young transaction: on a fast chain the transaction is final before the next run could start.
const patienceMs = 1_500
const pollMs = 100
const shortestPauseMs = 200
const longestPauseMs = 15_000

export type Stored = {
  id: string
  projectId: string | null
  chain: string
  contract: string
  /** Null when a project sent the transaction. */
  signer: string | null
  nonce: number | null
  /** Newest first. */
  txids: string[]
  ageMs: number
}

export const confirm = task(jobs.confirm, async (app, { transaction, overtakenAt }) => {
  const stored = await readStored(app, transaction)
  if (stored === null) return
  const origins = await originsOfTransaction(app, transaction)
  await causedBy(app, { name: 'confirm anchor', kind: 'internal', origins }, () => follow(app, stored, overtakenAt))
})

async function follow(app: App, stored: Stored, overtakenAt: Block | undefined): Promise<void> {
  const chain = await chainOf(app, stored)
  const seen = await inspect(chain, stored)
  if (seen === null) return absent(app, chain, stored, overtakenAt)
  if (seen.blockStatus !== 'final') {
    return inTransaction(app, async tx => {
      await recordBlockStatus(tx, stored, seen.mined, seen.blockStatus)
      tx.job(again(app, stored))
    })
  }
  const { mined } = seen
  await inTransaction(app, tx =>
    mined.succeeded ? finalise(app, tx, stored, mined) : release(app, tx, stored, 'reverted', 'it reverted'),
  )
  const { txid, blockNumber: block, succeeded } = mined
  if (succeeded) tell(app, { chain: stored.chain, txid, block }, 'anchor transaction final')
}

/** Returns null when nothing is left to follow: the project may have named another transaction for the anchors. */
async function readStored(app: App, id: string): Promise<Stored | null> {
  const { rows } = await app.pool.query<Stored>(
    `select t.id, t.project_id as "projectId", t.chain, t.contract, t.signer, t.nonce::int,
       coalesce((select array_agg(txid order by max_fee_per_gas desc) from anchor_attempts where transaction_id = t.id), array[t.txid]) as txids,
       (extract(epoch from now() - t.created_at) * 1000)::float8 as "ageMs"
     from anchor_transactions t where t.id = $1 and t.state = 'signed'
       and (t.project_id is null or exists (select from anchors where transaction_id = t.id and state = 'sent'))`,
    [id],
  )
  return rows[0] ?? null
}

async function chainOf(app: App, { projectId, chain: name }: Stored): Promise<Chain> {
  if (projectId === null) return chainNamed(app, name)
  const own = await projectChain(app, projectId, name)
  if (own === null) throw new Error(`project ${projectId} no longer names the chain ${name}`)
  return own.chain
}

type Seen = { mined: MinedTransaction; blockStatus: BlockStatus }

/** Returns the mined attempt whose block is not orphaned; polls a young transaction briefly until it is final. */
async function inspect(chain: Chain, { txids, ageMs }: Stored): Promise<Seen | null> {
  const until = ageMs < patienceMs ? Date.now() + patienceMs : 0
  for (;;) {
    const seen = await inspectOnce(chain, txids)
    if (seen?.blockStatus === 'final' || Date.now() >= until) return seen
    await sleep(pollMs)
  }
}

async function inspectOnce(chain: Chain, txids: readonly string[]): Promise<Seen | null> {
  for (const txid of txids) {
    const mined = await chain.transaction(txid)
    if (mined === null) continue
    const blockStatus = await chain.blockStatus(mined.blockNumber, mined.blockHash)
    if (blockStatus !== 'vanished') return { mined, blockStatus }
  }
  return null
}

/** Handles an unmined transaction: enqueues its rebroadcast, or gives it up once its nonce is used in a final block. */
async function absent(app: App, chain: Chain, stored: Stored, overtakenAt: Block | undefined): Promise<void> {
  const isOvertaken = await nonceIsUsed(chain, stored)
  const since = isOvertaken ? (overtakenAt ?? (await chain.head())) : undefined
  const blockStatus = since && (await chain.blockStatus(since.blockNumber, since.blockHash))
  // Query the attempts again after the nonce was seen as used: one of them could have been mined in between.
  const isLost =
    blockStatus === 'final' && overtakenAt !== undefined && (await inspectOnce(chain, stored.txids)) === null
  await inTransaction(app, async tx => {
    if (isLost) return release(app, tx, stored, 'overtaken', 'another transaction has its nonce')
    await recordBlockStatus(tx, stored, null, null)
    tx.job(again(app, stored, blockStatus === 'vanished' ? undefined : since))
    if (stored.nonce !== null) tx.job(jobs.anchor({ chain: stored.chain }))
  })
}

// The mined nonce is known for the current signer only.
const nonceIsUsed = async ({ account }: Chain, { signer, nonce }: Stored): Promise<boolean> =>
  nonce !== null && account !== null && account.address === signer && (await account.minedNonce()) > nonce

const again = (app: App, stored: Stored, overtakenAt?: Block): Job => {
  const afterMs = Math.round(Math.min(longestPauseMs, Math.max(shortestPauseMs, stored.ageMs / 10)))
  return confirmJob(app, stored, { afterMs, overtakenAt })
}
