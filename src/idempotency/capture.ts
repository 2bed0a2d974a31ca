// Holds a response back until it is stored, so that no client receives a response that its retry would not receive.
import type { Response } from 'express'

const bytesOf = (chunk: unknown, encoding: unknown): Buffer => {
  if (typeof chunk === 'string')
    return Buffer.from(chunk, typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8')
  return chunk instanceof Uint8Array ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.alloc(0)
}

/**
 * Calls `settle` with the whole body before any of it is sent, or with null when the response is written in pieces, as
 * only streams are. `settle` does not throw. It is called even if the client has disconnected.
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
