// Sends the files of exports, whole or in parts.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { App, Context } from '../kit/context.ts'
import { bytesBetween } from '../modules/exports/download.ts'
import { fileNameOf, mediaTypeOf } from '../modules/exports/file.ts'
import { linkedExport } from '../modules/exports/link.ts'
import { partOf } from '../rest/answer.ts'
import { sendFailure } from '../rest/failure.ts'

const cost = 20
// A client that takes nothing for so long can go on later.
const unreadMs = 30_000

export function exportRoutes(app: App, enter: (req: Request, res: Response) => Context | Promise<Context>): Router {
  const download: RequestHandler = async (req, res) => {
    try {
      const { allowance } = await enter(req, res)
      allowance.spend(cost)
      const { id } = req.params
      const { expires, signature } = req.query
      const of = await linkedExport(app, { id, expires, signature })
      const size = Number(of.size)
      const etag = `"${of.id}"`
      const { start, end } = partOf(req, etag, size) ?? { start: 0, end: size - 1 }
      const isPart = end - start + 1 < size
      const release = allowance.openStream()
      // A client that left while the export was looked up has closed it already.
      if (res.closed) return release()
      res.once('close', release)
      res.setTimeout(unreadMs, () => res.destroy())
      res.status(isPart ? 206 : 200).set({
        'Accept-Ranges': 'bytes',
        // A cache would keep the file beyond the link. Compression would change what the bytes of a part are.
        'Cache-Control': 'private, no-store, no-transform',
        'Content-Disposition': `attachment; filename="${fileNameOf(of)}"`,
        'Content-Length': String(end - start + 1),
        'Content-Type': mediaTypeOf(of),
        ETag: etag,
        ...(isPart && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
      })
      if (req.method === 'HEAD') return void res.end()
      await pipeline(Readable.from(bytesBetween(app, of.id, start, end + 1), { highWaterMark: 1 }), res)
    } catch (error) {
      // The client left.
      if (res.destroyed) return
      if (!res.headersSent) return sendFailure(req, res, error, app.log)
      app.log.warn({ err: error }, 'a download ended early')
      // The client sees from the missing bytes that the file is not whole.
      res.destroy()
    }
  }
  return Router().get('/exports/:id/:name', download)
}
