// Seals pending receipts: writes their ISO message and signed bundle, and requests their anchors.
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { receiptTask } from '../../kit/receipt-task.ts'
import { inTransaction, sqlOf, type Transaction } from '../../kit/transaction.ts'
import { type RecordedFacts, readFacts } from '../artifacts/read-facts.ts'
import { bundleArtifact, type KeptArtifact, keepBytes, messageArtifact, storeArtifacts } from '../artifacts/store.ts'
import { controlFile } from '../control/file.ts'
import { asRecorded, inLife, type ReceiptFacts } from '../iso20022/facts.ts'
import { sealedMessage } from '../iso20022/messages/sealed.ts'
import { configOf, type ProjectConfig } from '../projects/config.ts'
import type { Organisation } from '../settings/organisation.ts'
import { anchoringOf, projectConfigs } from './anchoring-of.ts'
import { buildBundle, settlementFile } from './bundle.ts'
import { demandLiveKey } from './keys.ts'
import { type NeededAnchor, openAnchors } from './open-anchors.ts'
import type { ZipEntry } from './zip.ts'

// Delays the anchor job, so that the receipts sealed within a second share one transaction.
const anchorWindowMs = 1_000

type Sealed = {
  receiptId: string
  bundleHash: string
  receipt: ReceiptFacts
  proofId: string | null
  artifacts: KeptArtifact[]
  organisation: Organisation
  project: ProjectConfig
}

export const seal = receiptTask(jobs.seal, async (app, receiptIds) => {
  const open = (await readFacts(app, sqlOf(app.pool), receiptIds)).filter(({ status }) => status === 'pending')
  const pending = open.filter(({ lacksEquivalent, lacksSettlement }) => !lacksEquivalent && !lacksSettlement)
  const unvalued = open.filter(({ lacksEquivalent }) => lacksEquivalent).map(({ receipt }) => receipt.id)
  const unchecked = open.filter(one => one.lacksSettlement && !one.lacksEquivalent).map(({ receipt }) => receipt.id)
  const documents = await settlementsOf(app, pending)
  const projects = await projectConfigs(
    app,
    pending.map(({ receipt }) => receipt.id),
  )
  const sealed = await Promise.all(
    pending.map(facts =>
      sealOne(app, facts, projects.get(facts.receipt.id) ?? configOf(null), documents.get(facts.receipt.id) ?? []),
    ),
  )
  await inTransaction(app, async tx => {
    // The fiat equivalent is sealed with the receipt, so the `value` task determines it first and then enqueues `seal`.
    if (unvalued.length > 0) tx.job(jobs.value({ receipts: unvalued }))
    // So is the check of the payment on its own chain.
    if (unchecked.length > 0) tx.job(jobs.checkSettlement({ receipts: unchecked }))
    await demandLiveKey(tx, app.signer)
    const moved = new Set(await move(tx, sealed))
    const fresh = sealed.filter(({ receiptId }) => moved.has(receiptId))
    if (fresh.length === 0) return
    await storeArtifacts(
      tx,
      fresh.flatMap(({ artifacts }) => artifacts),
    )
    await openAnchors(
      tx,
      fresh.flatMap(one => anchorsOf(app, one)),
      anchorWindowMs,
    )
    tx.changed(...moved)
  })
})

const anchorsOf = (app: App, { receiptId, bundleHash, organisation, project }: Sealed): NeededAnchor[] => {
  const { isTenant, chains } = anchoringOf(app, project, organisation)
  return chains.map(chain => ({ owner: { receiptId }, bundleHash, chain, isTenant }))
}

/** Returns the checks of payments as files of their bundles, by receipt. */
async function settlementsOf({ pool }: App, pending: readonly RecordedFacts[]): Promise<Map<string, ZipEntry[]>> {
  const checked = pending.flatMap(({ receipt: { id, settlement } }) => (settlement === null ? [] : [id]))
  if (checked.length === 0) return new Map()
  const { rows } = await pool.query<{ id: string; document: unknown }>(
    'select receipt_id as id, document from settlements where receipt_id = any($1::uuid[])',
    [checked],
  )
  return new Map(rows.map(({ id, document }) => [id, [settlementFile(document)]]))
}

async function sealOne(
  app: App,
  facts: RecordedFacts,
  project: ProjectConfig,
  settlement: readonly ZipEntry[],
): Promise<Sealed> {
  const { receipt, organisation, receiverProof } = facts
  const recorded = asRecorded(receipt)
  const occasion = inLife(recorded, recorded.createdAt, recorded.refundReason)
  const message = messageArtifact(sealedMessage(recorded), { receipt: recorded, organisation, anchor: null, occasion })
  const control = receiverProof === null ? [] : [controlFile(receipt.project.id, receiverProof)]
  const { bytes, bundleHash } = await buildBundle(recorded, message, app.signer, [...control, ...settlement])
  const receiptId = receipt.id
  const artifacts = await Promise.all(
    [message, bundleArtifact({ receiptId }, app.signer, bytes)].map(artifact => keepBytes(app, artifact)),
  )
  return { receiptId, bundleHash, receipt, proofId: receiverProof?.id ?? null, artifacts, organisation, project }
}

async function move(tx: Transaction, sealed: Sealed[]): Promise<string[]> {
  const rows = await tx.sql<{ id: string }>(
    // With the proofs of the wallets that the bundle states, so that all later messages state the same. The lock makes
    // whoever unlinks the wallet wait; a proof that was deleted meanwhile fails the statement, and the job is repeated.
    `with stated as materialized (select id from wallet_proofs where id = any($5::uuid[]) order by id for share)
     update receipts set status = 'awaiting_anchor', bundle_hash = s.hash, sender_proven = s.sender,
       receiver_proven = s.receiver, receiver_proof_id = coalesce(stated.id, s.proof),
       settlement_status = s.settlement::settlement_status
     from unnest($1::uuid[], $2::text[], $3::bool[], $4::bool[], $5::uuid[], $6::text[])
       as s(id, hash, sender, receiver, proof, settlement) left join stated on stated.id = s.proof
     where receipts.id = s.id and status = 'pending' returning receipts.id`,
    [
      sealed.map(s => s.receiptId),
      sealed.map(s => s.bundleHash),
      sealed.map(s => s.receipt.senderProven),
      sealed.map(s => s.receipt.receiverProven),
      sealed.map(s => s.proofId),
      sealed.map(s => s.receipt.settlement?.status ?? null),
    ],
  )
  return rows.map(({ id }) => id)
}
