// Re-verifies anchored receipts from time to time, with the checks that anyone can run. Evidence that no longer
// verifies is an alarm; receipts whose block is no longer in the chain go back to `awaiting_anchor`.
import { isChainFault } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { task } from '../../kit/task.ts'
import { inTransaction } from '../../kit/transaction.ts'
import type { Chain } from '../../ports/chain.ts'
import { projectChain, projectQueue } from '../anchoring/chains.ts'
import { revertConfirmation } from '../anchoring/finalise.ts'
import { isDamage, isErasure, readFile } from '../artifacts/read-file.ts'
import { signingKeys } from '../evidence/keys.ts'
import { runChecks } from './checks.ts'
import type { TrustedKey } from './evidence.ts'
import { portsOf } from './ports-of.ts'

// Transactions in blocks that could still be replaced are checked every few minutes, all others once a day.
const youngMinutes = 120
const everyYoungMinutes = 5
const everyHours = 24
const most = 50
// The next run continues where this run stops.
const longestRunMs = 30_000

type Proved = {
  id: string
  projectId: string | null
  chain: string
  contract: string
  txid: string
  blockNumber: number
  blockHash: string
}

const columns = `id, project_id as "projectId", chain, contract, txid, block_number::int as "blockNumber", block_hash as "blockHash"`

export const reprove = task(jobs.reprove, async (app, { transaction }) => {
  const { rows } = await app.pool.query<Proved>(
    `select ${columns} from anchor_transactions where id = $1 and state = 'confirmed'`,
    [transaction],
  )
  for (const row of rows) await (isServed(app, row) ? prove(app, row) : proveByProject(app, row))
})

/** Re-verifies the anchor transactions that are due. A chain that does not answer is left for the next run. */
export async function reproveNext(app: App): Promise<void> {
  const until = Date.now() + longestRunMs
  const silent: string[] = []
  let before: number
  do {
    before = silent.length
    for (const row of await due(app, silent)) {
      if (Date.now() > until) return
      try {
        await prove(app, row)
      } catch (error) {
        app.log.warn({ err: error, txid: row.txid, chain: row.chain }, 'an anchor could not be re-verified')
        if (!isChainFault(error)) continue
        // The rows that are left may all be on this chain, so the due rows of the other chains are read anew.
        silent.push(row.chain)
        break
      }
    }
  } while (silent.length > before)
}

// In random order, because otherwise rows that cannot be judged now would always come first.
async function due({ pool }: App, except: string[]): Promise<Proved[]> {
  const { rows } = await pool.query<Proved>(
    `select ${columns} from anchor_transactions where state = 'confirmed' and chain <> all($1::text[]) and (
       proved_at < now() - interval '${everyHours} hours'
       or block_time > now() - interval '${youngMinutes} minutes' and proved_at < now() - interval '${everyYoungMinutes} minutes')
     order by random() limit ${most}`,
    [except],
  )
  return rows
}

const isServed = ({ chains }: App, row: Proved): boolean => chains.some(({ name }) => name === row.chain)

async function prove(app: App, row: Proved): Promise<void> {
  const chain = app.chains.find(({ name }) => name === row.chain)
  if (chain === undefined) return askLater(app, row)
  if (await hasVanished(chain, row)) return inTransaction(app, tx => revertConfirmation(app, tx, row))
  await note(app, row, await firstFailure(app, row, remembering(chain)))
}

async function hasVanished(chain: Chain, { txid, blockNumber, blockHash }: Proved): Promise<boolean> {
  const mined = await chain.transaction(txid)
  const isElsewhere = mined !== null && mined.blockHash !== blockHash
  return isElsewhere || (await chain.blockStatus(blockNumber, blockHash)) === 'vanished'
}

/** Leaves an anchor on a project's own chain to a job, because only the project's node serves it, and may hang. */
async function askLater(app: App, row: Proved): Promise<void> {
  await note(app, row, null)
  const { id: transaction, projectId } = row
  if (projectId === null) return
  const options = { queue: projectQueue(projectId), key: `${jobs.reprove.task}:${transaction}` }
  await inTransaction(app, async tx => tx.job(jobs.reprove({ transaction }, options)))
}

/** If the project's node does not answer, the anchor is looked up at its next turn. */
async function proveByProject(app: App, row: Proved): Promise<void> {
  const { projectId, chain: name, txid } = row
  try {
    const own = projectId === null ? null : await projectChain(app, projectId, name)
    if (own === null || !(await hasVanished(own.chain, row))) return
  } catch (error) {
    if (!isChainFault(error)) throw error
    app.log.warn({ err: error, txid, chain: name }, 'an anchor on a chain of a project could not be looked up')
    return
  }
  await inTransaction(app, tx => revertConfirmation(app, tx, row))
}

// These checks fail when nodes do not answer, contradict each other or lag behind. They are repeated, without an alarm.
const undecided = new Set(['chain_unavailable', 'chain_disagreement', 'not_final'])

async function firstFailure(app: App, row: Proved, chain: Chain): Promise<string | null> {
  const { rows } = await app.pool.query<{ kind: string; owner: string; bundleHash: string }>(
    `select case when receipt_id is null then 'statement' else 'receipt' end as kind,
       coalesce(receipt_id, statement_id) as owner, bundle_hash as "bundleHash" from anchors
     where transaction_id = $1 and state = 'confirmed' and num_nonnulls(receipt_id, statement_id) = 1`,
    [row.id],
  )
  const keys = await signingKeys(app)
  for (const { kind, owner, bundleHash } of rows) {
    const errors = await errorsOf(app, chain, keys, row.txid, owner, bundleHash)
    if (errors.some(error => undecided.has(error))) throw new Error(`it cannot be judged now: ${errors.join(', ')}`)
    if (errors.length > 0) return `${kind} ${owner}: ${errors.join(', ')}`
  }
  return null
}

async function errorsOf(
  app: App,
  chain: Chain,
  keys: readonly TrustedKey[],
  txid: string,
  owner: string,
  bundleHash: string,
): Promise<string[]> {
  // An erased bundle leaves its hash to be proved.
  const bundle = await readFile(app, owner, 'evidence.zip').then(
    file => file?.content ?? ('unavailable' as const),
    error => {
      if (isErasure(error)) return null
      if (isDamage(error)) return 'unavailable' as const
      throw error
    },
  )
  const subject = { bundle, expectedHash: bundleHash, txid, keys }
  return (await runChecks(subject, { ...portsOf(app), chains: [chain], paymentChain: () => null })).errors
}

/** Caches the answers of the chain, because up to 500 receipts share one transaction: the chain is queried once. */
function remembering(chain: Chain): Chain {
  const transactions = new Map<string, ReturnType<Chain['transaction']>>()
  const blockStatuses = new Map<string, ReturnType<Chain['blockStatus']>>()
  const signatures = new Map<string, ReturnType<Chain['isSignedBy']>>()
  const once = <T>(known: Map<string, T>, key: string, ask: () => T): T => {
    const answer = known.get(key) ?? ask()
    known.set(key, answer)
    return answer
  }
  return {
    ...chain,
    transaction: txid => once(transactions, txid, () => chain.transaction(txid)),
    blockStatus: (number, hash) => once(blockStatuses, `${number} ${hash}`, () => chain.blockStatus(number, hash)),
    isSignedBy: (...asked) => once(signatures, JSON.stringify(asked), () => chain.isSignedBy(...asked)),
  }
}

async function note(app: App, { id, txid, chain }: Proved, failure: string | null): Promise<void> {
  if (failure !== null) app.log.error({ txid, chain, failure }, 'ALARM: anchored evidence no longer verifies')
  await app.pool.query('update anchor_transactions set proved_at = now(), proof_failure = $2 where id = $1', [
    id,
    failure,
  ])
}
