// Verification judges this: the subject, and everything that its bundle and the chains state about it.
import type { BlockStatus, Chain, MinedTransaction } from '../../ports/chain.ts'
import type { PaymentChain } from '../../ports/payment-chain.ts'
import type { BundleResult } from '../evidence/bundle.ts'
import type { Manifest } from '../evidence/manifest.ts'
import type { Judged } from '../settlement/judge.ts'

/**
 * A key whose signatures count, valid from `validFrom` to `validTo`, which is null while the key is in use. Its id is
 * computed from the key, because an id beside it may be that of another key.
 */
export type TrustedKey = { publicKeyPem: string; validFrom: Date; validTo: Date | null }

/** The evidence to verify. Locators are null when not given; all given locators must agree. */
export type Subject = {
  /** `mismatching`: the bytes that a gateway sent do not match the content id. */
  bundle: Buffer | null | 'unavailable' | 'mismatching'
  expectedHash: string | null
  txid: string | null
  /** The trusted key set, never the copy in the ZIP. */
  keys: readonly TrustedKey[]
}

export type Ports = {
  chains: readonly Chain[]
  /**
   * Returns the chain, transaction and contract that our records name for this hash or transaction: hints of where to
   * search first. May be empty.
   */
  anchorsOf(locator: { bundleHash: string } | { txid: string }): Promise<Hint[]>
  /** Returns whether our records contain this anchor, made by us or a project of ours. Anyone can anchor any hash. */
  isRecorded(anchor: { chain: string; txid: string; bundleHash: string }): Promise<boolean>
  /** Returns the chain of payments with this CAIP-2 id; null where none of its nodes is to be asked. */
  paymentChain(caip2: string): PaymentChain | null
  /** Returns those of these hashes that are of bundles of the caller's project; none without a project. */
  ownOf(hashes: readonly string[]): Promise<string[]>
}

export type Hint = { chain: string; txid: string; contract: string }

/** The answer of one chain about one transaction, or about any transaction with the hash (`txid` null). */
export type Sighting =
  | { kind: Silence; chain: string; txid: string | null }
  /** Events of `contracts` count: the contract of the chain, and the one with which a project anchors on it. */
  | {
      kind: 'seen'
      chain: Chain
      contracts: readonly string[]
      transaction: MinedTransaction
      blockStatus: BlockStatus
    }

/**
 * unavailable: not enough nodes answered · disagreeing: the nodes contradict each other · unserved: a project's own
 * chain, which only the project's node serves · absent: the nodes agree that the chain has no such transaction.
 */
export type Silence = 'unavailable' | 'disagreeing' | 'unserved' | 'absent'

/** How far a transaction meets the conditions of an anchor, in order; only the last step is proof. */
export const steps = ['failed', 'foreign', 'other_hash', 'vanished', 'not_final', 'proven'] as const
export type Step = (typeof steps)[number]

/** The nodes of the payment's chain have its block, have another at its height, or did not tell. */
export type PaymentBlock = 'unasked' | 'unavailable' | 'other' | 'not_final' | 'final'

export type Evidence = {
  subject: Subject
  /** Null when no bundle was given or the bundle could not be fetched. */
  bundle: BundleResult | null
  manifest: Manifest | null
  /** The trusted keys that the manifest's key id fits; only a single one may have signed it. */
  signers: TrustedKey[]
  /** The hash to verify; null when it could not be determined. */
  hash: string | null
  /**
   * Hashes in the events of the given transaction that count; empty unless only the transaction was given. Of several,
   * the one of the caller's project is meant, if that is one.
   */
  candidates: string[]
  sightings: Sighting[]
  /** False when there was no chain to query: the bundle is then judged without its anchor. */
  hasChains: boolean
  /**
   * The transaction that reached the furthest step, the earliest among equals; null when no chain had one. While it is
   * ambiguous which hash is meant, the step is one that it reached for all of them.
   */
  best: { step: Step; chain: string; transaction: MinedTransaction } | null
  /** Whether our records contain the anchor; null with a bundle, whose signature shows the issuer, or without proof. */
  isRecorded: boolean | null
  /** Whether the contract of control.json accepts the signature at its block; null where that is not known. */
  contractAccepts: boolean | null
  /** The sealed check of the payment, judged by itself; null where there is none. */
  settlement: Judged | null
  paymentBlock: PaymentBlock
}
