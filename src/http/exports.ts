// Sends the files of exports, whole or in parts.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { App, Context } from '../kit/context.ts'
import { bytesBetween, partsOf, sizeOf } from '../modules/exports/download.ts'
import { fileNameOf, mediaTypeOf } from '../modules/exports/file.ts'
import { linkedExport } from '../modules/exports/link.ts'
import { partOf } from '../rest/answer.ts'
import { sendFailure } from '../rest/failure.ts'

// One row of statistics and one of bytes are read before the first byte is sent.
const cost = 20

export function exportRoutes(app: App, enter: (req: Request, res: Response) => Context | Promise<Context>): Router {
  const download: RequestHandler = async (req, res) => {
    try {
      const { allowance } = await enter(req, res)
      allowance.spend(cost)
      const { id } = req.params
      const { expires, signature } = req.query
      const of = await linkedExport(app, { id, expires, signature })
      const parts = await partsOf(app, of.id)
      const size = sizeOf(parts)
      const etag = `"${of.id}"`
      const { start, end } = partOf(req, etag, size) ?? { start: 0, end: size - 1 }
      const isPart = end - start + 1 < size
      // A slow client keeps a part in memory for as long as it likes.
      res.once('close', allowance.openStream())
      res.writeHead(isPart ? 206 : 200, {
        'Accept-Ranges': 'bytes',
        // Whoever has the link may read the file, and no cache need keep it. Compressed, its parts would be others.
        'Cache-Control': 'private, no-store, no-transform',
        'Content-Disposition': `attachment; filename="${fileNameOf(of)}"`,
        'Content-Length': end - start + 1,
        'Content-Type': mediaTypeOf(of),
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
        ETag: etag,
        ...(isPart && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
      })
      if (req.method === 'HEAD') return void res.end()
      await pipeline(Readable.from(bytesBetween(app, of.id, parts, start, end + 1), { highWaterMark: 1 }), res)
    } catch (error) {
      if (!res.headersSent) return sendFailure(req, res, error, app.log)
      // The client sees from the missing bytes that the file is not whole.
      res.destroy()
      if (!res.closed) app.log.warn({ err: error }, 'a download ended early')
    }
  }
  return Router().get('/exports/:id/:name', download)
}
