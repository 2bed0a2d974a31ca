// Links to the file of an export. A link is signed, so that a browser or another program can follow it without the key.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { uuid } from '../../core/text.ts'
import type { Export } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import { fileNameOf } from './file.ts'

export const linkMinutes = 60

const signatureOf = ({ id, secret }: Pick<Export, 'id' | 'secret'>, expires: number): Buffer =>
  createHmac('sha256', secret).update(`${id}\n${expires}`).digest()

/** Returns a link that ends an hour from now. */
export function linkTo({ publicBaseUrl }: Pick<App, 'publicBaseUrl'>, of: Export): string {
  const expires = Math.floor(Date.now() / 1_000) + linkMinutes * 60
  const signature = signatureOf(of, expires).toString('base64url')
  return `${publicBaseUrl}/exports/${of.id}/${fileNameOf(of)}?expires=${expires}&signature=${signature}`
}

const link = z.object({
  id: uuid,
  expires: z.string().regex(/^\d{1,12}$/),
  signature: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
})

/**
 * Returns the export of a link. Throws `link_expired`; `not_found` for a link that this service did not make, and for
 * one to an export that is deleted or not finished.
 */
export async function linkedExport({ db }: Pick<App, 'db'>, given: object): Promise<Export> {
  const { data } = link.safeParse(given)
  const found = data && (await db.export.findUnique({ where: { id: data.id } }))
  if (!found || found.finishedAt === null) throw notFound('export')
  const expires = Number(data.expires)
  if (!timingSafeEqual(signatureOf(found, expires), Buffer.from(data.signature, 'base64url'))) throw notFound('export')
  if (expires * 1_000 < Date.now()) throw new AppError('link_expired')
  return found
}
