// What verification has to judge: the question, and everything that bundle and chains had to say about it.
import type { BlockStanding, Chain, MinedTransaction } from '../../ports/chain.ts'
import type { BundleResult } from '../evidence/bundle.ts'
import type { Manifest } from '../evidence/manifest.ts'

/** A key that has signed bundles. It counts from `validFrom` to `validTo`; null while in use. */
export type TrustedKey = { keyId: string; publicKeyPem: string; validFrom: Date; validTo: Date | null }

/** The question. Locators are null when not given; all that are given must agree. */
export type Subject = {
  /** `mismatching`: what was sent for a content id is not what the id names. */
  bundle: Buffer | null | 'unavailable' | 'mismatching'
  expectedHash: string | null
  txid: string | null
  /** Our own key set, never the copy in the ZIP. */
  keys: readonly TrustedKey[]
}

export type Ports = {
  chains: readonly Chain[]
  /**
   * Where our records say this hash is anchored, or this transaction is, and by which contract. Only hints of where to look
   * first; may be empty.
   */
  anchorsOf(locator: { bundleHash: string } | { txid: string }): Promise<Hint[]>
  /** Whether our records hold this anchor: then it is one of ours, or of a project of ours. Anyone can anchor any hash. */
  isRecorded(anchor: { chain: string; txid: string; bundleHash: string }): Promise<boolean>
}

export type Hint = { chain: string; txid: string; contract: string }

/** One chain asked about one transaction, or about any transaction with the hash (`txid` null). */
export type Sighting =
  | { kind: Silence; chain: string; txid: string | null }
  /** `contracts` are those whose events count: the chain's, and the one a project anchors with there. */
  | {
      kind: 'seen'
      chain: Chain
      contracts: readonly string[]
      transaction: MinedTransaction
      standing: BlockStanding
    }

/**
 * unavailable: not enough nodes answered · disagreeing: they contradict each other · unserved: a project's own chain, of
 * which only the project's node could tell · absent: they agree that it is not there.
 */
export type Silence = 'unavailable' | 'disagreeing' | 'unserved' | 'absent'

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
  /** False when there was no chain to ask: a bundle is then judged by itself. */
  hasChains: boolean
  /** The transaction that got furthest, the earliest among equals; null when none was seen. */
  best: { step: Step; chain: string; transaction: MinedTransaction } | null
  /** Whether our records hold the anchor; null where there is a bundle, whose signature tells, or nothing is proven. */
  isRecorded: boolean | null
}
