// Sends a text that is the same for everybody, compressed where the client accepts it. Both forms are made once.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { RequestHandler } from 'express'

type Forms = { plain: Buffer; zipped: Buffer }

export function compressed(type: string, read: () => string | Promise<string>): RequestHandler {
  let made: Promise<Forms> | null = null

  async function make(): Promise<Forms> {
    const plain = Buffer.from(await read())
    return { plain, zipped: await promisify(gzip)(plain, { level: 9 }) }
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
    const { plain, zipped } = await forms()
    res.type(type).vary('Accept-Encoding')
    if (!req.acceptsEncodings('gzip')) return void res.send(plain)
    res.setHeader('Content-Encoding', 'gzip')
    res.send(zipped)
  }
}
