// Sends a text that is the same for everybody, compressed where the client accepts it. Each form is made once.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { RequestHandler } from 'express'
import { isEtagIn } from '../rest/answer.ts'

type Forms = { identity: Buffer; gzip: Buffer; br: Buffer; etag: string }

export function constant(type: string, read: () => string | Promise<string>): RequestHandler {
  let made: Promise<Forms> | null = null

  async function make(): Promise<Forms> {
    const text = Buffer.from(await read())
    // Brotli's default level is its smallest form. The page of GraphiQL takes two seconds once, in another thread.
    const [zipped, br] = await Promise.all([
      promisify(gzip)(text, { level: 9 }),
      promisify<Buffer, Buffer>(brotliCompress)(text),
    ])
    const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
    return { identity: text, gzip: zipped, br, etag }
  }

  async function forms(): Promise<Forms> {
    made ??= make()
    try {
      return await made
    } catch (error) {
      // The next request tries again.
      made = null
      throw error
    }
  }

  return async (req, res) => {
    const all = await forms()
    // Weak, because it stands for all forms.
    res.setHeader('ETag', `W/${all.etag}`)
    if (isEtagIn(req.headers['if-none-match'], all.etag)) return void res.vary('Accept-Encoding').status(304).end()
    // One after the other, because browsers name gzip first and accept both alike.
    const encoding = req.acceptsEncodings('br') || req.acceptsEncodings('gzip') || 'identity'
    res.type(type).vary('Accept-Encoding')
    if (encoding !== 'identity') res.setHeader('Content-Encoding', encoding)
    res.send(encoding === 'br' ? all.br : encoding === 'gzip' ? all.gzip : all.identity)
  }
}
