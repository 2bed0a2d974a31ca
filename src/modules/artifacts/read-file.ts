// The bytes of one file of a receipt or a statement. A message can also be had as a page for people.
import { sha256 } from '../../core/hash.ts'
import type { App } from '../../kit/context.ts'
import { fileUrl } from '../receipts/urls.ts'
import { messagePage } from './page/page.ts'

export type ArtifactFile = { name: string; mediaType: string; sha256: string; content: Buffer }

/** The stored bytes. */
async function stored({ pool }: Pick<App, 'pool'>, owner: string, name: string): Promise<ArtifactFile | null> {
  const { rows } = await pool.query<ArtifactFile>({
    name: 'artifact-file',
    text: `select a.name, a.media_type as "mediaType", a.sha256, b.bytes as content from (
             select * from artifacts where receipt_id = $1 and name = $2
             union all select * from artifacts where statement_id = $1 and name = $2
           ) as a join blobs b using (sha256)`,
    values: [owner, name],
  })
  return rows[0] ?? null
}

function pageOf({ publicBaseUrl }: App, owner: string, file: ArtifactFile): ArtifactFile {
  const downloadUrl = fileUrl(publicBaseUrl, owner, file.name)
  const page = messagePage({ xml: file.content.toString('utf8'), name: file.name, sha256: file.sha256, downloadUrl })
  const content = Buffer.from(page, 'utf8')
  const name = file.name.replace(/xml$/, 'html')
  return { name, mediaType: 'text/html; charset=utf-8', sha256: sha256(content), content }
}

/**
 * `pain001.html` is `pain001.xml` as a page. Not by content negotiation: a browser would never get at the XML then, whose
 * hash the records name.
 */
export async function readFile(app: App, owner: string, name: string): Promise<ArtifactFile | null> {
  if (!name.endsWith('.html')) return stored(app, owner, name)
  const file = await stored(app, owner, name.replace(/html$/, 'xml'))
  return file && pageOf(app, owner, file)
}
