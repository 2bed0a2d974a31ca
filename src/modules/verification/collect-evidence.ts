// Collects, once, what the checks judge: reads the bundle, determines the hash to verify, queries the chains about it.
import { sha256 } from '../../core/hash.ts'
import { keysWrittenAs } from '../../core/key-id.ts'
import { readBundle } from '../evidence/bundle.ts'
import { readManifest } from '../evidence/manifest.ts'
import { askContract } from './control-check.ts'
import { type Evidence, type Ports, type Sighting, type Subject, steps } from './evidence.ts'
import { furthest, hashesIn, lookForHash, lookForTransaction } from './lookup.ts'
import { askPaymentBlock, settlementIn } from './settlement-checks.ts'

/** Returns the hash of the bundle, else the expected hash, else null: then the only hash in the transaction counts. */
function expectedHashOf({ bundle, expectedHash }: Subject): string | null {
  if (Buffer.isBuffer(bundle)) return sha256(bundle)
  return expectedHash
}

async function ask(ports: Ports, hash: string | null, txid: string | null, since?: Date): Promise<Sighting[]> {
  if (txid !== null) return lookForTransaction(ports, txid)
  return hash === null ? [] : lookForHash(ports, hash, since)
}

/** Returns how far a transaction got for the hash; without one, for the candidate with which it got least far. */
function bestFor(hash: string | null, candidates: readonly string[], sightings: readonly Sighting[]): Evidence['best'] {
  if (hash !== null || candidates.length === 0) return furthest(sightings, hash)
  const each = candidates.map(candidate => furthest(sightings, candidate))
  return each.reduce((least, best) => (stepAt(best) < stepAt(least) ? best : least))
}

const stepAt = (best: Evidence['best']) => (best === null ? -1 : steps.indexOf(best.step))

const lower = (text: string | null) => text?.toLowerCase() ?? null

export async function collectEvidence(input: Subject, ports: Ports): Promise<Evidence> {
  const subject = { ...input, expectedHash: lower(input.expectedHash), txid: lower(input.txid) }
  const bundle = Buffer.isBuffer(subject.bundle) ? await readBundle(subject.bundle) : null
  const manifest = bundle?.ok ? readManifest(bundle.parts.manifest) : null
  const signers = manifest === null ? [] : keysWrittenAs(manifest.key_id, subject.keys)
  const expected = expectedHashOf(subject)
  const sightings = await ask(ports, expected, subject.txid, manifest ? new Date(manifest.created_at) : undefined)
  const candidates = expected === null ? hashesIn(sightings) : []
  const own = candidates.length > 1 ? await ports.ownOf(candidates) : candidates
  const hash = expected ?? (own.length === 1 ? (own[0] ?? null) : null)
  const hasChains = ports.chains.length > 0
  const best = bestFor(hash, candidates, sightings)
  const isRecorded =
    subject.bundle === null && hash !== null && best?.step === 'proven'
      ? await ports.isRecorded({ chain: best.chain, txid: best.transaction.txid, bundleHash: hash })
      : null
  const settlement = bundle?.ok ? settlementIn(bundle.parts) : null
  const paymentBlock = await askPaymentBlock(settlement, ports)
  const known = {
    ...{ subject, bundle, manifest, signers, hash, candidates, sightings, hasChains, best, isRecorded },
    ...{ settlement, paymentBlock },
  }
  return { ...known, contractAccepts: await askContract({ ...known, contractAccepts: null }, ports.chains) }
}
