// Compresses answers above 1 KB that become smaller by it, for clients that accept it.
import compression from 'compression'
import type { Request, RequestHandler, Response } from 'express'
import { isReadAnswer } from '../rest/answer.ts'

// Streams would be held back by it. A part of a file is a part of the bytes as they are stored.
const neverCompressed = /^(?:text\/event-stream|multipart\/)/

function isWorthwhile(req: Request, res: Response): boolean {
  if (!isReadAnswer(req, res) || res.statusCode === 206) return false
  if (neverCompressed.test(String(res.getHeader('Content-Type'))) || !compression.filter(req, res)) return false
  const etag = res.getHeader('ETag')
  // A strong tag stands for the same bytes, and so for one encoding only.
  if (typeof etag === 'string' && etag.startsWith('"') && req.headers.range === undefined)
    res.setHeader('ETag', `W/${etag}`)
  return true
}

const compressing = compression({ filter: isWorthwhile })

export const compressed: RequestHandler = (req, res, next) => {
  // Most programs that read one receipt after the other accept no encoding, and need none of the library's wrapping.
  if (req.headers['accept-encoding'] === undefined) return next()
  compressing(req, res, next)
}
