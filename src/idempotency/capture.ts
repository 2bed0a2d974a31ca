// Holds an answer back until it is kept, so that nobody has one that a retry would not get.
import type { Response } from 'express'

const bytesOf = (chunk: unknown, encoding: unknown): Buffer => {
  if (typeof chunk === 'string')
    return Buffer.from(chunk, typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8')
  return chunk instanceof Uint8Array ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.alloc(0)
}

/**
 * `settle` is given the whole body before any of it is sent, or null when the answer comes in pieces: the doors write
 * only streams that way. It does not throw. That the caller is gone by then makes no difference.
 */
export function capture(res: Response, settle: (body: Buffer | null) => Promise<void>): void {
  const { write, end } = res
  const letGo = () => Object.assign(res, { write, end })
  res.write = (...chunk: unknown[]) => {
    letGo()
    void settle(null)
    return Reflect.apply(write, res, chunk)
  }
  res.end = (chunk?: unknown, encoding?: unknown) => {
    letGo()
    const body = bytesOf(chunk, encoding)
    void settle(body).then(() => res.end(body))
    return res
  }
}
