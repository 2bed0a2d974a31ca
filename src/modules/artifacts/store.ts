// Writes generated files: the bytes under their hash, and what they are. A file that is there already stays as it is.
import { randomUUID } from 'node:crypto'
import { sha256 } from '../../core/hash.ts'
import type { Transaction } from '../../kit/transaction.ts'
import type { VerbTransaction } from '../../kit/verb.ts'
import type { Facts } from './facts.ts'
import { fileName, type Message } from './messages/message.ts'

export type NewArtifact = {
  /** The receipt or the statement it belongs to. */
  owner: { receiptId: string } | { statementId: string }
  type: string
  version: string
  name: string
  mediaType: string
  bytes: Buffer
}

/** A message of a receipt as a file; `suffix` tells apart those of which a receipt may have several. */
export const messageArtifact = (message: Message, facts: Facts, suffix = ''): NewArtifact => ({
  owner: { receiptId: facts.receipt.id },
  type: message.type,
  version: message.version,
  name: fileName(message.type, suffix),
  mediaType: 'application/xml',
  bytes: Buffer.from(message.build(facts)),
})

export async function storeArtifacts(tx: Transaction, artifacts: NewArtifact[]): Promise<void> {
  const hashes = artifacts.map(artifact => sha256(artifact.bytes))
  await tx.sql(
    `with content as (
       insert into blobs (sha256, bytes) select * from unnest($6::text[], $7::bytea[]) on conflict do nothing
     )
     insert into artifacts (id, receipt_id, type, version, name, sha256, media_type, statement_id)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $8::text[], $9::uuid[])
     on conflict do nothing`,
    [
      artifacts.map(() => randomUUID()),
      artifacts.map(({ owner }) => ('receiptId' in owner ? owner.receiptId : null)),
      artifacts.map(artifact => artifact.type),
      artifacts.map(artifact => artifact.version),
      artifacts.map(artifact => artifact.name),
      hashes,
      artifacts.map(artifact => artifact.bytes),
      artifacts.map(artifact => artifact.mediaType),
      artifacts.map(({ owner }) => ('statementId' in owner ? owner.statementId : null)),
    ],
  )
}

/** One file, in a verb's transaction. */
export async function storeArtifact({ db }: VerbTransaction, { owner, bytes, ...artifact }: NewArtifact) {
  const blob = { sha256: sha256(bytes), bytes: new Uint8Array(bytes) }
  await db.blob.createMany({ data: [blob], skipDuplicates: true })
  return db.artifact.create({ data: { ...artifact, ...owner, sha256: blob.sha256 } })
}
