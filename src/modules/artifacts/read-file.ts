// The bytes of one file of a receipt.
import type { App } from '../../kit/context.ts'

export type ArtifactFile = { name: string; mediaType: string; sha256: string; content: Buffer }

export async function readFile(app: Pick<App, 'pool'>, receiptId: string, name: string): Promise<ArtifactFile | null> {
  const { rows } = await app.pool.query<ArtifactFile>({
    name: 'artifact-file',
    text: `select a.name, a.media_type as "mediaType", a.sha256, b.bytes as content
           from artifacts a join blobs b using (sha256) where a.receipt_id = $1 and a.name = $2`,
    values: [receiptId, name],
  })
  return rows[0] ?? null
}
