// Writes and reads the signed manifest of a bundle: RFC 8785 canonical JSON, so equal contents are equal bytes.
import { z } from 'zod'
import { canonicalJson } from '../../core/canonical.ts'
import { sha256 } from '../../core/hash.ts'
import { writtenKeyId } from '../../core/key-id.ts'
import type { ReceiptFacts } from '../iso20022/facts.ts'
import type { ZipEntry } from './zip.ts'

const first = z.strictObject({
  version: z.literal(1),
  receipt_id: z.guid(),
  reference: z.string(),
  created_at: z.iso.datetime({ precision: 3 }),
  key_id: z.string().regex(/^[0-9a-f]{16}$/),
  /** In name order; every file of the bundle but the manifest and its signature. */
  files: z.array(
    z.strictObject({
      name: z.string(),
      sha256: z.string().regex(/^0x[0-9a-f]{64}$/),
      size: z.number().int().nonnegative(),
    }),
  ),
})

const second = first.extend({
  version: z.literal(2),
  algorithm: z.literal('ed25519'),
  /** Whole; its first 16 digits in bundles that were made before ids were whole. */
  key_id: z.string().regex(writtenKeyId),
  /** The project that recorded the receipt. */
  project: z.strictObject({ id: z.guid(), owner_wallet: z.string().nullable() }),
})

const ofStatement = second.omit({ receipt_id: true, reference: true }).extend({ statement_id: z.guid() })

/** Bundles of version 1, which name no project, stay valid. */
const manifestSchema = z.union([first, second, ofStatement])

export type Manifest = z.infer<typeof manifestSchema>

type Subject = { receipt_id: string; reference: string } | { statement_id: string }
type Made = Pick<ReceiptFacts, 'id' | 'createdAt' | 'project'>

/** The bytes to sign. `files` may come in any order. */
export const writeManifest = (receipt: ReceiptFacts, keyId: string, files: readonly ZipEntry[]): Buffer =>
  written({ receipt_id: receipt.id, reference: receipt.reference }, receipt, keyId, files)

/** The same of the bundle of a statement. */
export const writeStatementManifest = (statement: Made, keyId: string, files: readonly ZipEntry[]): Buffer =>
  written({ statement_id: statement.id }, statement, keyId, files)

function written(subject: Subject, { createdAt, project }: Made, keyId: string, files: readonly ZipEntry[]): Buffer {
  const manifest: Manifest = {
    ...subject,
    version: 2,
    created_at: createdAt.toISOString(),
    project: { id: project.id, owner_wallet: project.ownerWallet },
    algorithm: 'ed25519',
    key_id: keyId,
    files: files
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, bytes }) => ({ name, sha256: sha256(bytes), size: bytes.length })),
  }
  return canonicalJson(manifest)
}

// A receipt with the longest texts makes a manifest of 2 KiB. The author of a manifest is not verified yet, and the
// parser keeps an issue for every wrong item: 4 MiB of `{},` would use gigabytes.
const maxManifestBytes = 8 * 1024

/** The manifest in these bytes, or null when they are not one in canonical form. Never throws. */
export function readManifest(bytes: Buffer): Manifest | null {
  if (bytes.length > maxManifestBytes) return null
  try {
    const manifest = manifestSchema.parse(JSON.parse(bytes.toString('utf8')))
    return canonicalJson(manifest).equals(bytes) ? manifest : null
  } catch {
    return null
  }
}
