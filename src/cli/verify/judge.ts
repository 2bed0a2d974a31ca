// Judges a bundle with the checks of the service but without its data: the caller supplies keys and nodes.
import { readBundle } from '../../modules/evidence/bundle.ts'
import { type Manifest, readManifest } from '../../modules/evidence/manifest.ts'
import { runChecks, type TrustedKey, type Verification } from '../../modules/verification/checks.ts'
import type { AskedChain } from './chain.ts'

export type Judgement = Verification & {
  /** All requested checks have passed. */
  isGood: boolean
  asked: AskedChain | null
  /** The bundle's manifest; null unless a trusted key has signed it. */
  manifest: Manifest | null
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
  bundle: Buffer,
  keys: readonly TrustedKey[],
  asked: AskedChain | null,
  txid: string | null,
): Promise<Judgement> {
  const chains = asked === null ? [] : [asked.chain]
  const subject = { bundle, expectedHash: null, txid, keys }
  const verification = await runChecks(subject, {
    chains,
    anchorsOf: async () => [],
    isRecorded: async () => false,
  })
  const { errors, checks, matchesOnchain, anchoredAt } = verification
  const hasPassed = (id: string) => checks.some(check => check.id === id && check.status === 'passed')
  const isSigned = hasPassed('unknown_signing_key') && hasPassed('signature_invalid')
  const manifest = isSigned ? await manifestOf(bundle) : null
  const validTo = keys.find(({ keyId }) => keyId === manifest?.key_id)?.validTo ?? null
  return {
    ...verification,
    isGood: errors.length === 0 && ofEveryBundle.every(hasPassed) && (asked === null || matchesOnchain),
    asked,
    manifest,
    retiredAt: anchoredAt !== null && validTo !== null && anchoredAt <= validTo ? null : validTo,
  }
}

async function manifestOf(bundle: Buffer): Promise<Manifest | null> {
  const read = await readBundle(bundle)
  return read.ok ? readManifest(read.parts.manifest) : null
}
