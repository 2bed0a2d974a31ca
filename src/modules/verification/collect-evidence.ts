// Collects, once, what the checks judge: reads the bundle, determines the hash to verify, queries the chains about it.
import { sha256 } from '../../core/hash.ts'
import { readBundle } from '../evidence/bundle.ts'
import { readManifest } from '../evidence/manifest.ts'
import type { Evidence, Ports, Sighting, Subject } from './evidence.ts'
import { furthest, hashesIn, lookForHash, lookForTransaction } from './lookup.ts'

/** Returns the hash of the bundle, else the expected hash, else null: then the only hash in the transaction counts. */
function givenHash({ bundle, expectedHash }: Subject): string | null {
  if (Buffer.isBuffer(bundle)) return sha256(bundle)
  return expectedHash
}

async function ask(ports: Ports, hash: string | null, txid: string | null): Promise<Sighting[]> {
  if (txid !== null) return lookForTransaction(ports, txid)
  return hash === null ? [] : lookForHash(ports, hash)
}

const lower = (text: string | null) => text?.toLowerCase() ?? null

export async function collectEvidence(given: Subject, ports: Ports): Promise<Evidence> {
  const subject = { ...given, expectedHash: lower(given.expectedHash), txid: lower(given.txid) }
  const bundle = Buffer.isBuffer(subject.bundle) ? await readBundle(subject.bundle) : null
  const manifest = bundle?.ok ? readManifest(bundle.parts.manifest) : null
  const known = givenHash(subject)
  const sightings = await ask(ports, known, subject.txid)
  const candidates = known === null ? hashesIn(sightings) : []
  const hash = known ?? (candidates.length === 1 ? (candidates[0] ?? null) : null)
  const hasChains = ports.chains.length > 0
  const best = furthest(sightings, hash)
  const isRecorded =
    subject.bundle === null && hash !== null && best?.step === 'proven'
      ? await ports.isRecorded({ chain: best.chain, txid: best.transaction.txid, bundleHash: hash })
      : null
  return { subject, bundle, manifest, hash, candidates, sightings, hasChains, best, isRecorded }
}
