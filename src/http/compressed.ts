// Sends a text that is the same for everybody. It is compressed once, at the first request.
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { RequestHandler } from 'express'

export function compressed(type: string, read: () => string | Promise<string>): RequestHandler {
  let text: Promise<Buffer> | null = null
  const compress = async () => promisify(gzip)(await read(), { level: 9 })
  return async (req, res) => {
    text ??= compress()
    const bytes = await text
    res.type(type).vary('Accept-Encoding')
    if (!req.acceptsEncodings('gzip')) return void res.send(await promisify(gunzip)(bytes))
    res.setHeader('Content-Encoding', 'gzip')
    res.send(bytes)
  }
}
