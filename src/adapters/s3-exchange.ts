// One request and its answer, of which no more is kept than is expected.
import type { ClientRequest } from 'node:http'

export type Answer = { status: number; body: Buffer }

// What a store says of a refusal.
const mostOfRefusal = 16 * 1024

/**
 * At most `most` bytes and one more are kept of a good answer, so that a longer one can be told. Rejects when an answer is
 * cut, and when nothing comes for as long as the request's `timeout` says.
 */
export const exchange = (request: ClientRequest, body: Uint8Array | null, most: number): Promise<Answer> =>
  new Promise((done, failed) => {
    request.on('error', failed)
    // After 101 the connection ends without an answer and without an error. Once it is settled, this says nothing.
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
