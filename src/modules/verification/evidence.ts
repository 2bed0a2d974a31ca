// What verification has to judge: the question, and everything that bundle and chains had to say about it.
import type { BlockStanding, Chain, MinedTransaction } from '../../ports/chain.ts'
import type { BundleResult } from '../evidence/bundle.ts'
import type { Manifest } from '../evidence/manifest.ts'

/** A key that has signed bundles. It counts from `validFrom` to `validTo`; null while in use. */
export type TrustedKey = { keyId: string; publicKeyPem: string; validFrom: Date; validTo: Date | null }

/** The question. Locators are null when not given; all that are given must agree. */
export type Subject = {
  bundle: Buffer | null | 'unavailable'
  expectedHash: string | null
  txid: string | null
  /** Our own key set, never the copy in the ZIP. */
  keys: readonly TrustedKey[]
}

export type Ports = {
  chains: readonly Chain[]
  /** Where our records say the hash is anchored. Only hints of where to look first; may be empty. */
  anchorsOf(bundleHash: string): Promise<{ chain: string; txid: string }[]>
}

/** One chain asked about one transaction, or about any transaction with the hash (`txid` null). */
export type Sighting =
  | { kind: 'unavailable'; chain: string; txid: string | null }
  | { kind: 'absent'; chain: string; txid: string | null }
  | { kind: 'seen'; chain: Chain; transaction: MinedTransaction; standing: BlockStanding }

/** How far the anchor could be followed; the last one is proof. */
export const steps = ['failed', 'foreign', 'other_hash', 'vanished', 'not_final', 'proven'] as const
export type Step = (typeof steps)[number]

export type Evidence = {
  subject: Subject
  /** Null when no bundle was given or it could not be had. */
  bundle: BundleResult | null
  manifest: Manifest | null
  /** The hash in question; null when it could not be settled. */
  hash: string | null
  /** Hashes in our contract's events of the named transaction, when that was all there was to go by. */
  candidates: string[]
  sightings: Sighting[]
  /** The transaction that got furthest, the earliest among equals; null when none was seen. */
  best: { step: Step; chain: string; transaction: MinedTransaction } | null
}
