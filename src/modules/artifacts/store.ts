// Stores generated files: the bytes under their SHA-256 (`blobs` or the object store), the metadata in `artifacts`. A
// file that is already stored stays unchanged.
import { randomUUID } from 'node:crypto'
import { sha256 } from '../../core/hash.ts'
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import type { Transaction } from '../../kit/transaction.ts'
import type { VerbTransaction } from '../../kit/verb.ts'
import type { Signer } from '../../ports/signer.ts'
import type { Facts } from '../iso20022/facts.ts'
import { fileName, type Message } from '../iso20022/messages/message.ts'
import { deflated } from './deflated.ts'

export type NewArtifact = {
  /** The receipt or the statement it belongs to. */
  owner: { receiptId: string } | { statementId: string }
  type: string
  version: string
  name: string
  mediaType: string
  /** For a bundle: the id of the key that signed it. */
  signedBy?: string
  bytes: Buffer
}

/** A file ready for its rows: with its bytes deflated, or with `size` when the object store has the bytes already. */
export type KeptArtifact = Omit<NewArtifact, 'bytes'> & { sha256: string; deflated: Buffer | null; size: number | null }

/**
 * Writes the bytes to the object store, if there is one, or deflates them for the database. Called before the
 * transaction that inserts the rows, so that no row names a missing object. If that transaction fails, no row names the
 * object, and a retry writes the same object.
 */
export async function keepBytes(
  { blobStore }: Pick<App, 'blobStore'>,
  { bytes, ...artifact }: NewArtifact,
): Promise<KeptArtifact> {
  const hash = sha256(bytes)
  if (blobStore === null) return { ...artifact, sha256: hash, deflated: await deflated(bytes), size: null }
  await blobStore.write(hash, bytes)
  return { ...artifact, sha256: hash, deflated: null, size: bytes.length }
}

/** Gives up files that are not stored, because a receipt was erased meanwhile: the object store must not keep them. */
export function dropBytes(tx: Pick<Transaction, 'job'>, artifacts: readonly KeptArtifact[]): void {
  const sha256s = artifacts.flatMap(({ sha256, size }) => (size === null ? [] : [sha256]))
  if (sha256s.length > 0) tx.job(jobs.eraseObjects({ sha256s }))
}

/** Empties stored files; their hashes stay. Returns how many had content. */
export async function eraseBlobs(tx: Pick<Transaction, 'sql' | 'job'>, hashes: readonly string[]): Promise<number> {
  const rows = await tx.sql<{ sha256: string; isOutside: boolean }>(
    `with own as (
       select sha256, bytes is null as outside from blobs where erased_at is null and sha256 = any($1::text[])
       order by sha256 for no key update
     )
     update blobs b set bytes = '', is_deflated = false, size = null, erased_at = now() from own where b.sha256 = own.sha256
     returning b.sha256, own.outside as "isOutside"`,
    [hashes],
  )
  const sha256s = rows.flatMap(({ sha256, isOutside }) => (isOutside ? [sha256] : []))
  if (sha256s.length > 0) tx.job(jobs.eraseObjects({ sha256s }))
  return rows.length
}

/** Builds a message about a receipt as a file; `suffix` distinguishes several messages of one type. */
export const messageArtifact = (message: Message, facts: Facts, suffix = ''): NewArtifact => ({
  owner: { receiptId: facts.receipt.id },
  type: message.type,
  version: message.version,
  name: fileName(message.type, suffix),
  mediaType: 'application/xml',
  bytes: Buffer.from(message.build(facts)),
})

export const bundleArtifact = (owner: NewArtifact['owner'], { keyId }: Pick<Signer, 'keyId'>, bytes: Buffer) => ({
  owner,
  type: 'evidence',
  version: 'evidence.2',
  name: 'evidence.zip',
  mediaType: 'application/zip',
  signedBy: keyId,
  bytes,
})

export async function storeArtifacts(tx: Transaction, artifacts: KeptArtifact[]): Promise<void> {
  const contents = artifacts.map(artifact => artifact.deflated)
  const starts: (number | null)[] = []
  let length = 0
  for (const bytes of contents) {
    // SQL counts from 1.
    starts.push(bytes && length + 1)
    length += bytes?.length ?? 0
  }
  await tx.sql(
    // All bytes are one parameter, which pg sends as they are. It sends an array as text, two digits for each byte.
    `with content as (
       insert into blobs (sha256, bytes, is_deflated, size)
       select distinct on (sha256) sha256, substring($7::bytea from start for length), start is not null, size
       from unnest($6::text[], $10::int[], $12::int[], $13::int[]) as blob(sha256, size, start, length)
       -- A notification that was taken away is made again with the same bytes.
       on conflict (sha256) do update set bytes = excluded.bytes, is_deflated = excluded.is_deflated, size = excluded.size,
         erased_at = null where blobs.erased_at is not null
     )
     insert into artifacts (id, receipt_id, type, version, name, sha256, media_type, statement_id, signed_by)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $8::text[], $9::uuid[], $11::text[])
     on conflict do nothing`,
    [
      artifacts.map(() => randomUUID()),
      artifacts.map(({ owner }) => ('receiptId' in owner ? owner.receiptId : null)),
      artifacts.map(artifact => artifact.type),
      artifacts.map(artifact => artifact.version),
      artifacts.map(artifact => artifact.name),
      artifacts.map(artifact => artifact.sha256),
      Buffer.concat(contents.filter(bytes => bytes !== null)),
      artifacts.map(artifact => artifact.mediaType),
      artifacts.map(({ owner }) => ('statementId' in owner ? owner.statementId : null)),
      artifacts.map(artifact => artifact.size),
      artifacts.map(artifact => artifact.signedBy ?? null),
      starts,
      contents.map(bytes => bytes?.length),
    ],
    'store-artifacts',
  )
}

/** Stores one file in the transaction of a mutation. */
export async function storeArtifact({ db }: VerbTransaction, { owner, deflated, size, ...artifact }: KeptArtifact) {
  const bytes = deflated && new Uint8Array(deflated)
  const blob = { sha256: artifact.sha256, bytes, isDeflated: bytes !== null, size }
  await db.blob.createMany({ data: [blob], skipDuplicates: true })
  return db.artifact.create({ data: { ...artifact, ...owner } })
}
