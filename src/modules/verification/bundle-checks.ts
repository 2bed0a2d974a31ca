// The checks of the bundle itself: complete, in our layout, listed in a manifest that one of our keys has signed.
import { createPublicKey, verify } from 'node:crypto'
import { sha256 } from '../../core/hash.ts'
import { keyIdOf } from '../../core/key-id.ts'
import type { BundleParts } from '../evidence/bundle.ts'
import type { Manifest } from '../evidence/manifest.ts'
import { type Check, type Finding, failed, passed, skipped } from './check.ts'
import type { Evidence, TrustedKey } from './evidence.ts'

const noBundle = skipped('There is no readable bundle.')

/** Returns a check that judges a readable bundle with a valid manifest, and is skipped without them. */
const onManifest =
  (judge: (parts: BundleParts, manifest: Manifest, evidence: Evidence) => Finding) =>
  (evidence: Evidence): Finding => {
    const { bundle, manifest } = evidence
    if (!bundle?.ok) return noBundle
    return manifest === null ? skipped('There is no valid manifest.') : judge(bundle.parts, manifest, evidence)
  }

/** Returns the key that must have signed the manifest; null when no trusted key has its id, or several fit. */
const signerIn = ({ signers: [signer, ...others] }: Evidence): TrustedKey | null =>
  others.length === 0 ? (signer ?? null) : null

// A chain's clock and ours differ, and a block's time may be minutes behind.
const clockSkewMs = 15 * 60_000

function trust(parts: BundleParts, manifest: Manifest, evidence: Evidence): Finding {
  const key = signerIn(evidence)
  if (key === null) {
    const what = evidence.signers.length === 0 ? 'is not in the key set' : 'fits several keys of the key set'
    return failed(`Key ${manifest.key_id} ${what}.`)
  }
  const keyId = keyIdOf(key.publicKeyPem)
  if (parts.publicKeyPem !== key.publicKeyPem) return failed('The public key in the bundle is not the key of that id.')
  // The signer writes `created_at`, so a thief of the key can backdate it. Nobody can backdate a block: a bundle that
  // was anchored only after the key's end may be forged.
  if (key.validTo !== null && new Date(manifest.created_at) > key.validTo) {
    return failed(`Key ${keyId} was no longer valid when the receipt was made.`)
  }
  if (evidence.best?.step !== 'proven') return passed(`Key ${keyId}.`)
  const anchoredAt = evidence.best.transaction.blockTime.getTime()
  if (anchoredAt + clockSkewMs < key.validFrom.getTime()) {
    return failed(`Key ${keyId} was not valid yet when the bundle was anchored.`)
  }
  if (key.validTo !== null && anchoredAt - clockSkewMs > key.validTo.getTime()) {
    return failed(`Key ${keyId} was no longer valid when the bundle was anchored.`)
  }
  return passed(`Key ${keyId}.`)
}

function signature(parts: BundleParts, _manifest: Manifest, evidence: Evidence): Finding {
  const key = signerIn(evidence)
  if (key === null) return skipped('The signing key is not known.')
  const isValid = verify(null, parts.manifest, createPublicKey(key.publicKeyPem), parts.signature)
  return isValid ? passed() : failed('The signature does not match this manifest and that key.')
}

function files(parts: BundleParts, manifest: Manifest): Finding {
  const listed = new Map(manifest.files.map(file => [file.name, file]))
  const wrong = parts.files.find(({ name, bytes }) => {
    const entry = listed.get(name)
    return entry?.size !== bytes.length || entry.sha256 !== sha256(bytes)
  })
  if (wrong !== undefined) return failed(`${wrong.name} differs from its manifest entry.`)
  if (manifest.files.length !== parts.files.length) return failed('The manifest lists other files than the bundle has.')
  return passed()
}

export const bundleChecks: Check[] = [
  {
    id: 'bundle_unavailable',
    title: 'The bundle could be read',
    run({ subject: { bundle } }) {
      if (bundle === null) return skipped('No bundle was given.')
      return bundle === 'unavailable' ? failed('The bundle could not be fetched.') : passed()
    },
  },
  {
    id: 'cid_mismatch',
    title: 'The bytes match the content id, where one was given',
    run({ subject: { bundle } }) {
      if (bundle === 'mismatching') return failed('The gateway sent bytes that do not match the content id.')
      return Buffer.isBuffer(bundle) ? passed() : noBundle
    },
  },
  {
    id: 'bundle_malformed',
    title: 'The bundle is a ZIP of the one canonical layout',
    run({ bundle }) {
      if (bundle === null) return noBundle
      return bundle.ok ? passed() : failed(bundle.reason)
    },
  },
  {
    id: 'bundle_hash_mismatch',
    title: 'The bundle has the expected hash',
    run({ subject: { bundle, expectedHash }, hash }) {
      if (!Buffer.isBuffer(bundle)) return noBundle
      if (expectedHash === null) return skipped('No hash was given.')
      return hash === expectedHash ? passed() : failed(`The hash of the bundle is ${hash}.`)
    },
  },
  {
    id: 'manifest_invalid',
    title: 'The manifest is valid and canonical',
    run({ bundle, manifest }) {
      if (!bundle?.ok) return noBundle
      return manifest === null ? failed('manifest.json is not a canonical manifest of version 1 or 2.') : passed()
    },
  },
  { id: 'unknown_signing_key', title: 'The signing key is trusted, and was valid', run: onManifest(trust) },
  { id: 'signature_invalid', title: 'The signature is valid', run: onManifest(signature) },
  { id: 'file_hash_mismatch', title: 'The files are as the manifest says', run: onManifest(files) },
]
