// Tenant mode: the project sent the anchor transaction itself and names it; it is checked like a platform transaction.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { AppError, isChainFault, notFound } from '../../core/errors.ts'
import { owns } from '../../core/principal.ts'
import { hash32, text, uuid } from '../../core/text.ts'
import type { App, Context } from '../../kit/context.ts'
import type { Transaction } from '../../kit/transaction.ts'
import { verb } from '../../kit/verb.ts'
import type { BlockStatus, MinedTransaction } from '../../ports/chain.ts'
import { confirmJob, projectChain } from './chains.ts'
import { finalise, recordBlockStatus } from './finalise.ts'

const transactionInput = {
  anchorTx: hash32.describe('The transaction that anchors the bundle hash, 0x-prefixed.'),
  chain: text().nullish().describe('Name of the chain; needed when the bundle is to be anchored on several.'),
}
const confirmAnchorInput = z.strictObject({
  receiptId: uuid.describe('The receipt’s UUID.'),
  ...transactionInput,
})
const confirmStatementAnchorInput = z.strictObject({
  statementId: uuid.describe('The numbered statement’s UUID.'),
  ...transactionInput,
})

const confirmSettlementAnchorInput = z.strictObject({
  receiptId: uuid.describe('The UUID of the receipt whose payment was checked.'),
  ...transactionInput,
})

/** The owner of a bundle; the id of a settlement is that of its receipt. */
type Owner = { type: 'receipt' | 'statement' | 'settlement'; id: string }
type Named = { anchorTx: string; chain?: string | null | undefined }
type Known = { projectId: string; status: string; bundleHash: string | null }
type Place = { id: string; chain: string; state: string; txid: string | null; sentBy: string | null }

/** The mined transaction, or null when this same transaction is already confirmed for the anchor. */
type Inspected = {
  projectId: string
  place: Place
  contract: string
  mined: MinedTransaction
  /** The account that the contract's event names as its sender. */
  sender: string
  blockStatus: BlockStatus
} | null

/** Errors: those of `prepare`. Returns once the transaction is recorded; the anchor counts when the block is final. */
export const confirmAnchor = verb({
  name: 'receipt.confirm_anchor',
  access: 'manage',
  input: confirmAnchorInput,
  prepare: ({ receiptId: id, ...named }, context) => inspect(context, { type: 'receipt', id }, named),
  run: async (tx, { receiptId }, context, inspected) => ({
    result: { receiptId },
    audit: await storeFor(context, tx, { type: 'receipt', id: receiptId }, inspected),
  }),
})

/** The same for the bundle of a numbered statement. */
export const confirmStatementAnchor = verb({
  name: 'statement.confirm_anchor',
  access: 'manage',
  input: confirmStatementAnchorInput,
  prepare: ({ statementId: id, ...named }, context) => inspect(context, { type: 'statement', id }, named),
  run: async (tx, { statementId }, context, inspected) => ({
    result: { statementId },
    audit: await storeFor(context, tx, { type: 'statement', id: statementId }, inspected),
  }),
})

/** The same for settlement.zip, the bundle of a later result of the check of a receipt's payment. */
export const confirmSettlementAnchor = verb({
  name: 'settlement.confirm_anchor',
  access: 'manage',
  input: confirmSettlementAnchorInput,
  prepare: ({ receiptId: id, ...named }, context) => inspect(context, { type: 'settlement', id }, named),
  run: async (tx, { receiptId }, context, inspected) => ({
    result: { receiptId },
    audit: await storeFor(context, tx, { type: 'settlement', id: receiptId }, inspected),
  }),
})

async function inspect(context: Context, owner: Owner, { anchorTx: txid, chain }: Named): Promise<Inspected> {
  const known = await readOwner(context, owner)
  const place = placeOf(owner, known, await readPlaces(context, owner), chain ?? null)
  if (place.state === 'confirmed') {
    if (place.txid === txid) return null
    throw anchoredByAnother()
  }
  return inspectTransaction(context, known, place, txid)
}

/** Returns the rows of the audit trail. */
async function storeFor(context: Context, tx: Transaction, { type, id }: Owner, inspected: Inspected) {
  if (inspected === null || !(await storeTransaction(context, tx, inspected))) return 'unchanged' as const
  const { projectId, place, mined } = inspected
  const details = { chain: place.chain, txid: mined.txid }
  return [{ objectType: objectOf(type), objectId: id, projectId, details }]
}

const objectOf = (type: Owner['type']) => (type === 'settlement' ? 'receipt' : type)

// Statements that are not in a series have no status.
const owner = (table: 'receipts' | 'statements') =>
  `select project_id as "projectId", status, bundle_hash as "bundleHash" from ${table} where id = $1 and status is not null`
const owners: Record<Owner['type'], string> = {
  receipt: owner('receipts'),
  statement: owner('statements'),
  settlement: `select project_id as "projectId", status,
    (select bundle_hash from anchors where settlement_id = receipts.id limit 1) as "bundleHash" from receipts where id = $1`,
}

async function readOwner({ pool, principal }: Context, { type, id }: Owner): Promise<Known> {
  const { rows } = await pool.query<Known>(owners[type], [id])
  const [known] = rows
  if (known === undefined || !owns(principal, known.projectId)) throw notFound(objectOf(type))
  return known
}

const anchoredByAnother = () =>
  new AppError('invalid_status_transition', 'The bundle is already anchored by another transaction.')

async function readPlaces({ pool }: App, { type, id }: Owner): Promise<Place[]> {
  const { rows } = await pool.query<Place>(
    `select a.id, a.chain, a.state, t.txid, t.project_id as "sentBy" from anchors a
     left join anchor_transactions t on t.id = a.transaction_id where a.${type}_id = $1 order by a.chain`,
    [id],
  )
  return rows
}

/** Returns the anchor on the chain that the request means. */
function placeOf({ type }: Owner, { status }: Known, places: Place[], chain: string | null): Place {
  const own = places.filter(({ state, sentBy }) => state === 'external' || sentBy !== null)
  if (places.length > 0 && own.length === 0) throw new AppError('not_tenant_mode')
  if (type === 'settlement' && places.length === 0)
    throw new AppError(
      'invalid_status_transition',
      'The receipt has no later result of a check in a bundle of its own.',
    )
  if (status !== 'awaiting_anchor' && status !== 'anchored') {
    throw new AppError(
      'invalid_status_transition',
      `The ${type} is ${status}: only one that awaits its anchor can be confirmed.`,
    )
  }
  const [only, ...others] = own
  if (chain === null) {
    if (only === undefined || others.length > 0) throw new AppError('chain_required')
    return only
  }
  const named = own.find(place => place.chain === chain)
  if (named === undefined) throw new AppError('unknown_chain')
  return named
}

async function inspectTransaction(
  app: App,
  { projectId, bundleHash }: Known,
  place: Place,
  txid: string,
): Promise<Inspected> {
  const found = await projectChain(app, projectId, place.chain)
  if (found === null) throw new AppError('unknown_chain', 'The project’s configuration no longer names this chain.')
  const { chain, contract } = found
  const refuse = (why: string) => new AppError('tx_does_not_match_bundle_hash', why)
  try {
    const mined = await chain.transaction(txid)
    if (mined === null) throw new AppError('tx_not_mined')
    if (!mined.succeeded) throw refuse('The transaction failed.')
    const events = mined.events.filter(event => event.contract === contract)
    if (events.length === 0) throw refuse(`The transaction has no EvidenceAnchored event of ${contract}.`)
    const event = events.find(event => event.bundleHash === bundleHash)
    if (event === undefined) throw refuse('The transaction’s events carry other hashes.')
    const blockStatus = await chain.blockStatus(mined.blockNumber, mined.blockHash)
    if (blockStatus === 'vanished') throw new AppError('tx_not_mined', 'Its block is no longer part of the chain.')
    return { projectId, place, contract, mined, sender: event.sender, blockStatus }
  } catch (error) {
    if (isChainFault(error)) throw new AppError('anchor_lookup_unavailable', undefined, { cause: error })
    throw error
  }
}

/** Stores the transaction as the one that carries the anchor. Returns false if it was stored for this anchor before. */
async function storeTransaction(app: App, tx: Transaction, inspected: NonNullable<Inspected>): Promise<boolean> {
  const { projectId, place, contract, mined, sender, blockStatus } = inspected
  // Lock the transaction before its anchors and receipts, in the worker's order, because requests for several of its
  // receipts may arrive concurrently.
  const [carrier] = await tx.sql<{ id: string }>(
    `insert into anchor_transactions (id, project_id, chain, contract, txid, sender) values ($1::uuid, $2::uuid, $3, $4, $5, $6)
     on conflict (project_id, chain, contract, txid) do update set contract = excluded.contract returning id`,
    [randomUUID(), projectId, place.chain, contract, mined.txid, sender],
  )
  const [present] = await tx.sql<{ state: string; carrierId: string | null }>(
    `select state::text, transaction_id as "carrierId" from anchors where id = $1::uuid for no key update`,
    [place.id],
  )
  if (carrier === undefined || present === undefined) throw new Error('the transaction was not stored')
  const isKnown = present.carrierId === carrier.id
  // Another request confirmed the anchor first; keep what it wrote.
  if (present.state === 'confirmed') {
    if (isKnown) return false
    throw anchoredByAnother()
  }
  if (!isKnown) {
    await tx.sql(`update anchors set state = 'sent', transaction_id = $2::uuid where id = $1::uuid`, [
      place.id,
      carrier.id,
    ])
  }
  // The transaction may carry anchors of other receipts and be final for them already: follow it again for all of them.
  await tx.sql(`update anchor_transactions set state = 'signed' where id = $1::uuid`, [carrier.id])
  const whole = { id: carrier.id, projectId, chain: place.chain, contract }
  if (blockStatus === 'final') await finalise(app, tx, whole, mined)
  else {
    await recordBlockStatus(tx, whole, mined, blockStatus)
    tx.job(confirmJob(app, whole))
  }
  return !isKnown
}
