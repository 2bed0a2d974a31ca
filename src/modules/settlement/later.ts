// Seals a later result of a check: a bundle of its own, beside that of the receipt, which never changes.
import type { App } from '../../kit/context.ts'
import { sqlOf, type Transaction } from '../../kit/transaction.ts'
import { readFacts } from '../artifacts/read-facts.ts'
import { dropBytes, type KeptArtifact, keepBytes, storeArtifacts } from '../artifacts/store.ts'
import { anchoringOf, projectConfigs } from '../evidence/anchoring-of.ts'
import { demandLiveKey } from '../evidence/keys.ts'
import { openAnchors } from '../evidence/open-anchors.ts'
import { buildSettlementBundle } from '../evidence/settlement-bundle.ts'
import { configOf } from '../projects/config.ts'
import type { SettlementDocument } from './document.ts'
import type { Checked } from './open.ts'
import { pauseAfter, type Stored } from './store.ts'

const anchorWindowMs = 1_000

type Bundle = {
  receiptId: string
  artifact: KeptArtifact
  bundleHash: string
  document: SettlementDocument
  chains: readonly string[]
  isTenant: boolean
}

/** Builds the bundles of definitive results that differ from what was sealed. `store` writes them with the results. */
export async function keepLater(app: App, checked: readonly Checked[]) {
  const due = checked.filter(
    one =>
      one.receipt.status !== 'pending' &&
      pauseAfter(one) === null &&
      (one.receipt.before?.status !== one.finding.status || one.receipt.before.grade !== one.finding.grade),
  )
  const kept = await bundlesOf(app, due)
  return {
    async store(tx: Transaction, stored: readonly Stored[]): Promise<void> {
      const still = new Set(stored.flatMap(({ isSealed, receipt }) => (isSealed ? [receipt.id] : [])))
      const [fresh = [], gone = []] = [
        kept.filter(one => still.has(one.receiptId)),
        kept.filter(one => !still.has(one.receiptId)),
      ]
      dropBytes(
        tx,
        gone.map(({ artifact }) => artifact),
      )
      if (fresh.length === 0) return
      await demandLiveKey(tx, app.signer)
      await storeArtifacts(
        tx,
        fresh.map(({ artifact }) => artifact),
      )
      await tx.sql(
        `update settlements set later = result.document from unnest($1::uuid[], $2::jsonb[]) as result(id, document)
         where receipt_id = result.id`,
        [fresh.map(({ receiptId }) => receiptId), fresh.map(({ document }) => JSON.stringify(document))],
      )
      const needed = fresh.flatMap(({ receiptId, bundleHash, chains, isTenant }) =>
        chains.map(chain => ({ owner: { settlementId: receiptId }, bundleHash, chain, isTenant })),
      )
      await openAnchors(tx, needed, anchorWindowMs)
    },
  }
}

async function bundlesOf(app: App, due: readonly Checked[]): Promise<Bundle[]> {
  const documents = new Map(due.map(({ receipt: { id }, document }) => [id, document]))
  const ids = [...documents.keys()]
  if (ids.length === 0) return []
  const [facts, projects] = await Promise.all([readFacts(app, sqlOf(app.pool), ids), projectConfigs(app, ids)])
  return Promise.all(
    facts.map(async ({ receipt, organisation }) => {
      const document = documents.get(receipt.id) as SettlementDocument
      const { isTenant, chains } = anchoringOf(app, projects.get(receipt.id) ?? configOf(null), organisation)
      const { artifact, bundleHash } = await buildSettlementBundle(receipt, document, app.signer)
      const kept = await keepBytes(app, artifact)
      return { receiptId: receipt.id, artifact: kept, bundleHash, document, chains, isTenant }
    }),
  )
}
