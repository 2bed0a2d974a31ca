// Ensures that the chain has every unmined transaction of an account, whatever its purpose: broadcasts those that the
// nodes do not know (after a crash of the service or a reorg), replaces a stuck one, and fills nonce gaps. Sends only
// the stored bytes, a replacement at the same nonce, or an empty transaction, so nothing is carried out twice.
import { AppError, isChainFault } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import type { Account, BroadcastOutcome, SignedTransaction } from '../../ports/chain.ts'

/** `raw` is null if the transaction must not be sent again: a filler takes its nonce. `ageMs`: how long it waits. */
export type Stored = { id: string; nonce: number; raw: string | null; ageMs: number }

/** One account on one chain, and the table that stores its transactions. */
export type NonceQueue = {
  /** Name of the chain in the log. */
  chain: string
  account: Account
  /** Stores a replacement of `raw`. Returns false if the stored transaction is no longer `raw`. */
  storeReplacement(id: string, raw: string, replacement: SignedTransaction): Promise<boolean>
  /** Stores a filler for the transaction `id`, or for a gap if `id` is undefined. Queues without it store no filler. */
  storeFiller?(filler: SignedTransaction, id: string | undefined): Promise<void>
}

const mostFillers = 16
const mostRaises = 10

/** Broadcasts a stored transaction. It is no error if a node already has the transaction, or has mined its nonce. */
export async function broadcastStored({ log }: App, account: Account, raw: string): Promise<BroadcastOutcome> {
  const outcome = await account.broadcast(raw)
  if (outcome === 'unfunded') log.error({ signer: account.address }, 'ALARM: the account cannot pay for gas')
  return outcome
}

/** The account's first nonce that is not mined, and the first that is not pending either, as the nodes count. */
type Nonces = { mined: number; pending: number }

export async function noncesOf({ minedNonce, pendingNonce }: Account): Promise<Nonces> {
  const [mined, pending] = await Promise.all([minedNonce(), pendingNonce()])
  return { mined, pending }
}

/**
 * `rows`: the stored transactions from the nonce `mined` on, in the order of their nonces. Throws `chain_unavailable`
 * if the account cannot pay.
 */
export async function rebroadcastAll(
  app: App,
  queue: NonceQueue,
  rows: readonly Stored[],
  { mined, pending }: Nonces,
): Promise<void> {
  const { account, chain } = queue
  let next = pending
  let filled = 0
  for (const { id, nonce, raw, ageMs } of rows) {
    // In the order of the nonces, because some nodes accept no transaction above a gap, and none mines it.
    for (; next < nonce && filled < mostFillers; next++, filled++) await fill(app, queue, next)
    next = Math.max(next, nonce + 1)
    if (raw === null) {
      if (nonce >= pending) await fill(app, queue, nonce, id)
      continue
    }
    // Only the first unmined transaction can be stuck: later nonces wait for it, not for a higher fee.
    const isStuck = nonce === mined && ageMs >= account.replaceAfterMs
    // The nodes have all transactions below `pending`.
    const outcome = nonce < pending ? 'accepted' : await rebroadcast(app, account, raw, isStuck)
    if (outcome === 'unfunded')
      throw new AppError('chain_unavailable', `${account.address} cannot pay for transactions on chain ${chain}.`)
    if (outcome === 'underpriced' || isStuck) await replace(app, queue, { id, nonce, raw })
  }
}

const rebroadcast = (app: App, account: Account, raw: string, isStuck: boolean) =>
  broadcastStored(app, account, raw).catch(error => {
    // No node accepts this transaction, for whatever reason, but a node may accept its replacement.
    if (isStuck && isChainFault(error)) return 'refused'
    throw error
  })

/** Replaces a transaction by the same with a higher fee, until a node accepts the fee. */
async function replace(app: App, queue: NonceQueue, { id, nonce, raw }: { id: string; nonce: number; raw: string }) {
  const { chain, account, storeReplacement } = queue
  let last = raw
  for (let raises = 0; raises < mostRaises; raises++) {
    const signed = await account.signReplacement(last)
    if (signed === null) {
      app.log.error({ chain, nonce }, 'ALARM: a transaction is stuck at the highest fee that is allowed')
      // The process that stored it may have died before it broadcast it.
      await broadcastStored(app, account, last)
      return
    }
    if (!(await storeReplacement(id, last, signed))) return
    const { txid, maxFeePerGas } = signed
    app.log.warn({ chain, nonce, txid, maxFeePerGas: `${maxFeePerGas}` }, 'a transaction is replaced by a dearer one')
    if ((await broadcastStored(app, account, signed.raw)) !== 'underpriced') return
    last = signed.raw
  }
}

async function fill(app: App, { account, chain, storeFiller }: NonceQueue, nonce: number, id?: string) {
  const filler = await account.signFiller(nonce)
  await storeFiller?.(filler, id)
  app.log.warn({ chain, nonce, txid: filler.txid }, 'a gap of nonces is filled')
  await broadcastStored(app, account, filler.raw)
}
