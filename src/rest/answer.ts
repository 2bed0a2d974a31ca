// Writes the response of a route: JSON, text, a redirect or a file. Independent of GraphQL.
import type { Request, Response } from 'express'
import { z } from 'zod'
import { AppError } from '../core/errors.ts'

/** Declares that this answers a read. It holds no secret: only writes return one, when it is new. */
export function isRead(res: Response): void {
  res.locals.isRead = true
}

/** Answers with a secret are not compressed, because their size would tell of it. */
export const isReadAnswer = ({ method }: Request, { locals }: Response): boolean =>
  method === 'GET' || method === 'HEAD' || locals.isRead === true

/** `fields`: additional headers. */
export function sendText(res: Response, status: number, type: string, text: string, fields?: Record<string, string>) {
  // Content-Length is set, because `writeHead` would otherwise choose chunked encoding.
  res.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text), ...fields })
  res.end(text)
}

export const jsonType = 'application/json; charset=utf-8'

/** Not for caches: the value is the state of a moment, or meant for one caller only. */
export const sendJson = (res: Response, status: number, value: unknown, fields?: Record<string, string>) =>
  sendText(res, status, jsonType, JSON.stringify(value), { 'Cache-Control': 'no-store', ...fields })

export function sendRedirect(res: Response, status: number, url: string): void {
  res.location(url)
  res.writeHead(status, { 'Content-Length': 0 })
  res.end()
}

/** The value of a route that answers with a file; the generator ensures that all four fields are selected. */
const file = z.object({ name: z.string(), media_type: z.string(), sha256: z.string(), content: z.string() })

// A browser would show it as text, or ask.
const savedTypes = new Set(['application/zip'])

const disposition = (name: string, mediaType: string): string => {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = ascii === name ? '' : `; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, percent)}`
  return `${savedTypes.has(mediaType) ? 'attachment' : 'inline'}; filename="${ascii}"${exact}`
}

const percent = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`

/** Whether If-None-Match lists `etag`. Not `req.fresh`, which obeys a `Cache-Control` that `fetch` adds by itself. */
export const isEtagIn = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some(tag => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ?? false

const anyFile = 'application/octet-stream'

export function sendFile(req: Request, res: Response, status: number, value: unknown): void {
  const { name, media_type, sha256, content } = file.parse(value)
  const etag = `"${sha256}"`
  res.setHeader('ETag', etag)
  res.setHeader('Cache-Control', 'no-cache')
  // The content may quote an untrusted client; opened in a browser, it must not run as this site.
  res.setHeader(
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  )
  if (isEtagIn(req.headers['if-none-match'], etag)) {
    res.writeHead(304)
    res.end()
    return
  }
  const bytes = Buffer.from(content, 'base64')
  const part = partOf(req, etag, bytes.length)
  res.vary('Accept')
  res.writeHead(part === null ? status : 206, {
    'Accept-Ranges': 'bytes',
    'Content-Type': !req.accepts(media_type) && req.accepts(anyFile) ? anyFile : media_type,
    'Content-Length': part === null ? bytes.length : part.end - part.start + 1,
    'Content-Disposition': disposition(name, media_type),
    ...(part && { 'Content-Range': `bytes ${part.start}-${part.end}/${bytes.length}` }),
  })
  res.end(part === null ? bytes : bytes.subarray(part.start, part.end + 1))
}

/**
 * Returns the one part of a file that a request asks for; null for all of it. Throws `range_not_satisfiable` for a part
 * beyond its end.
 */
export function partOf(req: Request, etag: string, size: number): { start: number; end: number } | null {
  const known = req.headers['if-range']
  if (req.method !== 'GET' || (known !== undefined && known !== etag)) return null
  const ranges = req.range(size)
  if (ranges === -1)
    throw new AppError('range_not_satisfiable', undefined, { headers: { 'Content-Range': `bytes */${size}` } })
  // Several parts would need a multipart answer, in place of which a server may send everything (RFC 9110, 14.2).
  if (!Array.isArray(ranges) || ranges.type !== 'bytes' || ranges.length !== 1) return null
  return ranges[0] ?? null
}
