// Reads a request body as JSON, within its size limits. Does not check what the JSON contains.
import { isUtf8 } from 'node:buffer'
import { parse } from 'content-type'
import express, { type Request, type Response } from 'express'
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import { isLargerThan } from '../core/json-size.ts'
import { type BodyLimits, bodyLimits, keyedBodyLimits } from '../core/request-limits.ts'
import { withoutMark } from '../core/text.ts'

/** `given: false` is an absent or empty body, which is not the same as `{}`. */
export type Body = { isPresent: false } | { isPresent: true; value: unknown }

const readers = new Map(
  [bodyLimits, keyedBodyLimits].map(limits => [limits, express.raw({ type: () => true, limit: limits.bytes })]),
)
const jsonType = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json$/
const utf8 = /^utf-?8$/i

const readerError = z.object({ type: z.string().optional(), status: z.number() }).catch({ status: 500 })

function refuseOtherTypes(header: string | undefined): void {
  const { type, parameters } = parse(header ?? '')
  if (!jsonType.test(type)) throw new AppError('unsupported_media_type')
  if (parameters.charset !== undefined && !utf8.test(parameters.charset))
    throw new AppError('unsupported_media_type', 'The body must be encoded as UTF-8.')
}

function appErrorOf(error: unknown, limits: BodyLimits): AppError {
  const { type, status } = readerError.parse(error)
  const options = { cause: error }
  if (type === 'entity.too.large')
    return new AppError('payload_too_large', `The body is larger than ${limits.bytes / 1024} KiB.`, {
      ...options,
      exceeded: { limit: 'bytes', maximum: limits.bytes },
    })
  if (type === 'encoding.unsupported') {
    return new AppError('unsupported_media_type', 'The content encoding is not supported.', options)
  }
  if (status >= 500) return new AppError('internal_error', undefined, options)
  return new AppError('invalid_json', 'The body is not valid for its Content-Encoding.', options)
}

const receive = (req: Request, res: Response, limits: BodyLimits): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(appErrorOf(error, limits))
    if (isPlain(req, limits)) return receivePlain(req, resolve, fail)
    readers.get(limits)?.(req, res, (error?: unknown) => (error ? fail(error) : resolve(req.body)))
  })

const isPlain = ({ headers }: Request, limits: BodyLimits): boolean =>
  headers['content-encoding'] === undefined && Number(headers['content-length']) <= limits.bytes

// Needs no limit, because node delivers no more than Content-Length. With the reader of Express, 5 % fewer requests for
// one receipt are answered in a second.
function receivePlain(req: Request, resolve: (body: Buffer) => void, fail: (error: unknown) => void): void {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('error', error => fail({ status: 400, error }))
  req.on('end', () => {
    req.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
    resolve(req.body)
  })
}

/** Throws `unsupported_media_type`, `payload_too_large` or `invalid_json`. */
export async function readBody(req: Request, res: Response, limits = bodyLimits): Promise<Body> {
  const length = req.headers['content-length']
  if (req.headers['transfer-encoding'] === undefined && (length === undefined || length === '0'))
    return { isPresent: false }
  const received = await receive(req, res, limits)
  if (!Buffer.isBuffer(received) || received.length === 0) return { isPresent: false }
  refuseOtherTypes(req.headers['content-type'])
  if (!isUtf8(received)) throw new AppError('invalid_json')
  const value = parsed(received.toString('utf8'))
  if (isLargerThan(value, { values: limits.values, levels: Number.POSITIVE_INFINITY }))
    throw new AppError('payload_too_large', `The body holds more than ${limits.values} values.`, {
      exceeded: { limit: 'values', maximum: limits.values },
    })
  return { isPresent: true, value }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(withoutMark(text))
  } catch (error) {
    throw new AppError('invalid_json', undefined, { cause: error })
  }
}
