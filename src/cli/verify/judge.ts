// Judges a bundle with the checks of the service but without its data: the caller supplies keys and nodes.
import { keyIdOf, keysWrittenAs } from '../../core/key-id.ts'
import { readBundle } from '../../modules/evidence/bundle.ts'
import { type Manifest, readManifest } from '../../modules/evidence/manifest.ts'
import { runChecks, type TrustedKey, type Verification } from '../../modules/verification/checks.ts'
import type { PaymentChain } from '../../ports/payment-chain.ts'
import type { QueriedChain } from './chain.ts'
import type { InputBundle } from './input-bundle.ts'
import { checkPages } from './statement-pages.ts'

export type Judgement = Verification & {
  /** All requested checks have passed. */
  isGood: boolean
  queried: QueriedChain | null
  /** The bundle's manifest; null unless a trusted key has signed it. */
  manifest: Manifest | null
  /** The whole id of that key. */
  keyId: string | null
  input: InputBundle
  /** When its key was retired; null if the key was not, or if an earlier anchor was found. */
  retiredAt: Date | null
}

const ofEveryBundle = [
  'bundle_malformed',
  'manifest_invalid',
  'unknown_signing_key',
  'signature_invalid',
  'file_hash_mismatch',
]

export async function judge(
  input: InputBundle,
  keys: readonly TrustedKey[],
  queried: QueriedChain | null,
  txid: string | null,
  payments: PaymentChain | null = null,
): Promise<Judgement> {
  const chains = queried === null ? [] : [queried.chain]
  const subject = { bundle: input.bytes, expectedHash: null, txid, keys }
  const verification = await runChecks(subject, {
    chains,
    anchorsOf: async () => [],
    isRecorded: async () => false,
    ownOf: async () => [],
    paymentChain: caip2 => (payments?.caip2 === caip2 ? payments : null),
  })
  const { errors, checks, matchesOnchain, anchoredAt } = verification
  const hasPassed = (id: string) => checks.some(check => check.id === id && check.status === 'passed')
  const isSigned = hasPassed('unknown_signing_key') && hasPassed('signature_invalid')
  const read = isSigned ? await readBundle(input.bytes) : null
  const parts = read?.ok ? read.parts : null
  const manifest = parts && readManifest(parts.manifest)
  const pages = parts && hasPassed('file_hash_mismatch') ? checkPages(parts, input.pages) : null
  const [signer] = manifest === null ? [] : keysWrittenAs(manifest.key_id, keys)
  const validTo = signer?.validTo ?? null
  return {
    ...verification,
    checks: pages === null ? checks : [...checks, pages],
    errors: pages?.status === 'failed' ? [...errors, pages.id] : errors,
    isGood:
      errors.length === 0 &&
      pages?.status !== 'failed' &&
      ofEveryBundle.every(hasPassed) &&
      (queried === null || matchesOnchain),
    queried,
    manifest,
    keyId: signer === undefined ? null : keyIdOf(signer.publicKeyPem),
    input,
    retiredAt: anchoredAt !== null && validTo !== null && anchoredAt <= validTo ? null : validTo,
  }
}
