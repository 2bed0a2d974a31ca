// Compresses answers above 1 KB that become smaller by it, for clients that accept it.
import compression from 'compression'
import type { Request, RequestHandler, Response } from 'express'
import { isReadAnswer } from '../rest/answer.ts'

// Streams would be held back by it. A part of a file is a part of the bytes as they are stored.
const neverCompressed = /^(?:text\/event-stream|multipart\/)/

function isWorthwhile(req: Request, res: Response): boolean {
  if (!isReadAnswer(req, res) || res.statusCode === 206) return false
  if (/\bno-transform\b/.test(String(res.getHeader('Cache-Control')))) return false
  if (neverCompressed.test(String(res.getHeader('Content-Type'))) || !compression.filter(req, res)) return false
  const etag = res.getHeader('ETag')
  // A strong tag stands for the same bytes, and so for one encoding only.
  if (typeof etag === 'string' && etag.startsWith('"') && req.headers.range === undefined)
    res.setHeader('ETag', `W/${etag}`)
  return true
}

const compressing = compression({ filter: isWorthwhile })

export const compressed: RequestHandler = (req, res, next) => {
  // Without the header, any would be acceptable to the letter of the standard, but such clients decompress none.
  if (req.headers['accept-encoding'] === undefined || !req.acceptsEncodings('br', 'gzip')) return next()
  compressing(req, res, next)
}
