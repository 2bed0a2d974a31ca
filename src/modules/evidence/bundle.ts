// The evidence bundle: evidence.zip, byte for byte the same whenever it is built again from the same receipt and key.
import { canonicalJson } from '../../core/canonical.ts'
import { sha256 } from '../../core/hash.ts'
import type { Signer } from '../../ports/signer.ts'
import type { ReceiptFacts } from '../artifacts/facts.ts'
import { writeManifest } from './manifest.ts'
import { readZip, writeZip, type ZipEntry } from './zip.ts'

/** The message in a bundle: a refund has its own. */
const messageFiles = ['pain001.xml', 'pacs004.xml']

const namesWith = (message: string) =>
  ['manifest.json', 'manifest.sig', message, 'public_key.pem', 'receipt.json', 'tip.json'].toSorted()

const layouts = messageFiles.map(namesWith)

/** The record as it stays: nothing that changes later, such as the status. */
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
 * The values of the request, without the callback URL: it may hold a secret and proves nothing. The transaction of a refund
 * that is only announced is that of the payment it gives back.
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

/** Builds and signs; `bundleHash` is 0x and the SHA-256 of the bytes. */
export async function buildBundle(
  receipt: ReceiptFacts,
  message: ZipEntry,
  signer: Signer,
): Promise<{ bytes: Buffer; bundleHash: string }> {
  const files: ZipEntry[] = [
    { name: message.name, bytes: message.bytes },
    { name: 'public_key.pem', bytes: Buffer.from(signer.publicKeyPem, 'utf8') },
    { name: 'receipt.json', bytes: receiptJson(receipt) },
    { name: 'tip.json', bytes: tipJson(receipt) },
  ]
  const manifest = writeManifest(receipt, signer.keyId, files)
  const bytes = await writeZip([
    { name: 'manifest.json', bytes: manifest },
    { name: 'manifest.sig', bytes: signer.sign(manifest) },
    ...files,
  ])
  return { bytes, bundleHash: sha256(bytes) }
}

/** A bundle taken apart: sound as a ZIP, nothing inside believed yet. */
export type BundleParts = {
  manifest: Buffer
  signature: Buffer
  publicKeyPem: string
  /** What the manifest must list, in name order. */
  files: ZipEntry[]
}

export type BundleResult = { ok: true; parts: BundleParts } | { ok: false; reason: string }

/** Takes a bundle apart, or says why it is none. Never throws. */
export async function readBundle(bytes: Buffer): Promise<BundleResult> {
  const zip = await readZip(bytes, layouts)
  if (!zip.ok) return zip
  const { 'manifest.json': manifest, 'manifest.sig': signature, ...rest } = Object.fromEntries(zip.files)
  const publicKey = rest['public_key.pem']
  if (manifest === undefined || signature === undefined || publicKey === undefined) {
    return { ok: false, reason: 'A file is missing.' }
  }
  const files = Object.entries(rest).map(([name, content]) => ({ name, bytes: content }))
  return { ok: true, parts: { manifest, signature, publicKeyPem: publicKey.toString('utf8'), files } }
}
