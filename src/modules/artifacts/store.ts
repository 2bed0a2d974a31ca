// Writes generated files: the bytes under their hash, and what they are. A file that is there already stays as it is.
import { randomUUID } from 'node:crypto'
import { sha256 } from '../../core/hash.ts'
import type { Transaction } from '../../kit/transaction.ts'

export type NewArtifact = {
  receiptId: string
  type: string
  version: string
  name: string
  mediaType: string
  bytes: Buffer
}

export async function storeArtifacts(tx: Transaction, artifacts: NewArtifact[]): Promise<void> {
  const hashes = artifacts.map(artifact => sha256(artifact.bytes))
  await tx.sql(
    `with content as (
       insert into blobs (sha256, bytes) select * from unnest($6::text[], $7::bytea[]) on conflict do nothing
     )
     insert into artifacts (id, receipt_id, type, version, name, sha256, media_type)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $8::text[])
     on conflict do nothing`,
    [
      artifacts.map(() => randomUUID()),
      artifacts.map(artifact => artifact.receiptId),
      artifacts.map(artifact => artifact.type),
      artifacts.map(artifact => artifact.version),
      artifacts.map(artifact => artifact.name),
      hashes,
      artifacts.map(artifact => artifact.bytes),
      artifacts.map(artifact => artifact.mediaType),
    ],
  )
}
