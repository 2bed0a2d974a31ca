// Reads one file of a receipt or a statement. A message is also available as an HTML page.
import JSZip from 'jszip'
import { AppError } from '../../core/errors.ts'
import { sha256 } from '../../core/hash.ts'
import type { App } from '../../kit/context.ts'
import { messagePage } from '../pages/page.ts'
import { fileUrl } from '../receipts/urls.ts'
import { storedFile } from './deflated.ts'

export type ArtifactFile = { name: string; mediaType: string; sha256: string; content: Buffer }

type Row = Omit<ArtifactFile, 'content'> & {
  bytes: Buffer | null
  isDeflated: boolean
  size: number | null
  isErased: boolean
}

/** Returns the stored file; null when there is none of this name. */
async function stored(app: App, owner: string, name: string): Promise<ArtifactFile | null> {
  const { rows } = await app.pool.query<Row>({
    name: 'artifact-file',
    text: `select a.name, a.media_type as "mediaType", a.sha256, b.bytes, b.is_deflated as "isDeflated", b.size,
             b.erased_at is not null as "isErased" from (
             select * from artifacts where receipt_id = $1 and name = $2
             union all select * from artifacts where statement_id = $1 and name = $2
           ) as a join blobs b using (sha256)`,
    values: [owner, name],
  })
  const [row] = rows
  if (row === undefined) return null
  const { bytes, isDeflated, size, isErased, ...file } = row
  if (isErased) throw new AppError('content_erased')
  try {
    const content =
      bytes === null
        ? await outside(app, file.sha256, size ?? 0)
        : await storedFile({ sha256: file.sha256, bytes, isDeflated })
    return { ...file, content }
  } catch (error) {
    const where = { owner, name, sha256: file.sha256 }
    if (isDamage(error)) app.log.error({ err: error, ...where }, 'ALARM: a stored file is missing or changed')
    throw error
  }
}

async function outside({ blobStore }: App, sha256: string, size: number): Promise<Buffer> {
  if (blobStore !== null) return blobStore.read(sha256, size)
  const cause = new Error('the file is in an object store, but this process has none configured: set S3_ENDPOINT')
  throw new AppError('file_store_unavailable', undefined, { cause })
}

/** Returns whether the content was erased on request: nothing is wrong with it. */
export const isErasure = (error: unknown): boolean => error instanceof AppError && error.code === 'content_erased'

/** Returns whether the stored bytes are missing or differ from the recorded hash; an unavailable store is no damage. */
export const isDamage = (error: unknown): boolean => error instanceof AppError && error.code === 'file_damaged'

function pageOf({ publicBaseUrl }: App, owner: string, file: ArtifactFile): ArtifactFile {
  const downloadUrl = fileUrl(publicBaseUrl, owner, file.name)
  const page = messagePage({ xml: file.content.toString('utf8'), name: file.name, sha256: file.sha256, downloadUrl })
  const content = Buffer.from(page, 'utf8')
  const name = file.name.replace(/xml$/, 'html')
  return { name, mediaType: 'text/html; charset=utf-8', sha256: sha256(content), content }
}

const memberTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  pem: 'application/x-pem-file',
  sig: 'application/octet-stream',
}

/** Returns a file of the bundle, which is stored only as a part of it; null when there is none. */
async function inBundle(app: App, owner: string, name: string): Promise<ArtifactFile | null> {
  const mediaType = memberTypes[name.split('.').at(-1) ?? '']
  const bundle = mediaType === undefined ? null : await stored(app, owner, 'evidence.zip')
  if (bundle === null || mediaType === undefined) return null
  const content = await (await JSZip.loadAsync(bundle.content)).file(name)?.async('nodebuffer')
  return content ? { name, mediaType, sha256: sha256(content), content } : null
}

/**
 * Returns a file; null when there is none. `pain001.html` is `pain001.xml` as a page, because with content negotiation
 * a browser could never download the XML, whose hash is recorded. Throws `file_store_unavailable`, `file_damaged`,
 * `content_erased`.
 */
export async function readFile(app: App, owner: string, name: string): Promise<ArtifactFile | null> {
  if (!name.endsWith('.html')) return (await stored(app, owner, name)) ?? inBundle(app, owner, name)
  const file = await stored(app, owner, name.replace(/html$/, 'xml'))
  return file && pageOf(app, owner, file)
}
