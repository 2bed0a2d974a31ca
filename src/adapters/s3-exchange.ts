// Sends one request and keeps no more of the response than is expected.
import type { ClientRequest } from 'node:http'

export type Answer = { status: number; body: Buffer }

// The size of a store's error document.
const mostOfRefusal = 16 * 1024

/**
 * Keeps at most `most` bytes and one more of a response with status 200, so that the caller can detect a longer one.
 * Rejects when a response is cut off, and when nothing arrives for as long as the request's `timeout`.
 */
export const exchange = (request: ClientRequest, body: Uint8Array | null, most: number): Promise<Answer> =>
  new Promise((done, failed) => {
    request.on('error', failed)
    // After 101 the connection closes without a response or an error. Once the promise is settled, this has no effect.
    request.on('close', () => failed(new Error('no answer')))
    request.on('timeout', () => request.destroy(new Error('silent for too long')))
    request.on('response', response => {
      const status = response.statusCode ?? 0
      const limit = status === 200 ? most + 1 : mostOfRefusal
      const chunks: Buffer[] = []
      let size = 0
      const end = () => done({ status, body: Buffer.concat(chunks).subarray(0, limit) })
      response.on('error', failed)
      response.on('end', end)
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size < limit) return
        end()
        response.destroy()
      })
    })
    if (body !== null) request.setHeader('Content-Length', body.length)
    request.end(body ?? undefined)
  })
