// Builds and reads the evidence bundle, evidence.zip. The same receipt and key always give the same bytes.
import { canonicalJson, isCanonicalJson } from '../../core/canonical.ts'
import { sha256 } from '../../core/hash.ts'
import { maxProofBytes } from '../../core/payment-proof.ts'
import type { Signer } from '../../ports/signer.ts'
import { controlName } from '../control/file.ts'
import type { ReceiptFacts } from '../iso20022/facts.ts'
import { writeManifest } from './manifest.ts'
import { readZip, writeZip, type ZipEntry } from './zip.ts'

type Kind = { files: readonly string[]; optional?: readonly string[] }

const settlementName = 'settlement.json'

const ofReceipts = [controlName, settlementName]
/** The files of each kind of bundle, beside the manifest and its signature, and those that it may have or not. */
const kinds: Record<string, Kind> = {
  payment: { files: ['pain001.xml', 'public_key.pem', 'receipt.json', 'tip.json'], optional: ofReceipts },
  refund: { files: ['pacs004.xml', 'public_key.pem', 'receipt.json', 'tip.json'], optional: ofReceipts },
  /** A later result of the check of a payment. */
  settlement: { files: ['public_key.pem', 'receipt.json', settlementName, 'tip.json'] },
  statement: { files: ['camt053.xml', 'public_key.pem', 'statement.json'] },
  /** Several pages, or one that is too large, are beside the bundle, which names their hashes. */
  longStatement: { files: ['public_key.pem', 'statement.json'] },
}

/** Returns each choice of these names, that of none first. */
const choicesOf = ([name, ...rest]: readonly string[]): string[][] =>
  name === undefined ? [[]] : choicesOf(rest).flatMap(choice => [choice, [name, ...choice]])

/** The file names of each kind, with each choice of its optional files, in name order. */
export const layouts = Object.values(kinds).flatMap(({ files, optional = [] }) =>
  choicesOf(optional).map(chosen => ['manifest.json', 'manifest.sig', ...files, ...chosen].toSorted()),
)

// The longest texts make 8 KiB, and a page of a statement 120 bytes. The author of a file is not verified yet, and
// parsing megabytes takes long.
const maxJsonBytes = (name: string) => {
  // A proof is in hex.
  if (name === settlementName) return 2 * maxProofBytes + 128 * 1024
  return (name === 'statement.json' ? 512 : 16) * 1024
}

/** Returns the receipt without the fields that change later, such as the status. */
const receiptJson = (receipt: ReceiptFacts): Buffer =>
  canonicalJson({
    id: receipt.id,
    reference: receipt.reference,
    created_at: receipt.createdAt.toISOString(),
    project: { id: receipt.project.id, owner_wallet: receipt.project.ownerWallet },
    resource_hash: receipt.resourceHash,
    refund_of: receipt.refundOf?.id ?? null,
    refund_tx_hash: receipt.refundTxHash,
  })

/**
 * Returns the values of the request, without the callback URL, which may contain a secret and proves nothing. For a
 * refund that is only announced, the transaction is that of the refunded payment.
 */
const tipJson = (receipt: ReceiptFacts): Buffer =>
  canonicalJson({
    tip_tx_hash: receipt.tipTxHash,
    chain: receipt.chain,
    amount: receipt.amount,
    currency: receipt.currency,
    sender_wallet: receipt.senderWallet,
    receiver_wallet: receipt.receiverWallet,
    reference: receipt.reference,
    resource_hash: receipt.resourceHash,
  })

/** Returns the check of a payment as a file of its bundle. */
export const settlementFile = (settlement: unknown): ZipEntry => ({
  name: settlementName,
  bytes: canonicalJson(settlement),
})

/** Returns the files about a receipt beside its message. */
export const filesOf = (receipt: ReceiptFacts): ZipEntry[] => [
  { name: 'receipt.json', bytes: receiptJson(receipt) },
  { name: 'tip.json', bytes: tipJson(receipt) },
]

/**
 * Builds and signs a bundle with its message and these `optional` files; `bundleHash` is the 0x-prefixed SHA-256 of its
 * bytes.
 */
export async function buildBundle(
  receipt: ReceiptFacts,
  message: ZipEntry,
  signer: Signer,
  optional: readonly ZipEntry[] = [],
): Promise<{ bytes: Buffer; bundleHash: string }> {
  const files = [{ name: message.name, bytes: message.bytes }, ...filesOf(receipt), ...optional]
  return signed(files, signer, listed => writeManifest(receipt, signer.keyId, listed))
}

/** Adds the signer's key, the manifest that lists all these files, and its signature. */
export async function signed(
  content: readonly ZipEntry[],
  signer: Signer,
  manifestOf: (files: readonly ZipEntry[]) => Buffer,
): Promise<{ bytes: Buffer; bundleHash: string }> {
  const files = [...content, { name: 'public_key.pem', bytes: Buffer.from(signer.publicKeyPem, 'utf8') }]
  const manifest = manifestOf(files)
  const bytes = await writeZip([
    { name: 'manifest.json', bytes: manifest },
    { name: 'manifest.sig', bytes: signer.sign(manifest) },
    ...files,
  ])
  return { bytes, bundleHash: sha256(bytes) }
}

/** The parts of a bundle: the ZIP is well-formed, but its contents are not verified yet. */
export type BundleParts = {
  manifest: Buffer
  signature: Buffer
  publicKeyPem: string
  /** The files that the manifest must list, in name order. */
  files: ZipEntry[]
}

export type BundleResult = { ok: true; parts: BundleParts } | { ok: false; reason: string }

/** Returns the parts of a bundle, or the reason why the bytes are not a bundle. Never throws. */
export async function readBundle(bytes: Buffer): Promise<BundleResult> {
  const zip = await readZip(bytes, layouts)
  if (!zip.ok) return zip
  const { 'manifest.json': manifest, 'manifest.sig': signature, ...rest } = Object.fromEntries(zip.files)
  const publicKey = rest['public_key.pem']
  if (manifest === undefined || signature === undefined || publicKey === undefined) {
    return { ok: false, reason: 'A file is missing.' }
  }
  const files = Object.entries(rest).map(([name, content]) => ({ name, bytes: content }))
  const ambiguous = files.find(
    ({ name, bytes: json }) => name.endsWith('.json') && (json.length > maxJsonBytes(name) || !isCanonicalJson(json)),
  )
  if (ambiguous !== undefined) return { ok: false, reason: `${ambiguous.name} is not canonical JSON.` }
  return { ok: true, parts: { manifest, signature, publicKeyPem: publicKey.toString('utf8'), files } }
}
