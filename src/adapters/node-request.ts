// Sends JSON-RPC requests to one node over HTTP, and extracts what may be logged when a request fails.
import http from 'node:http'
import https from 'node:https'
import { type FetchGetUrlFunc, FetchRequest } from 'ethers'
import { z } from 'zod'
import type { PublicFetch } from '../ports/public-fetch.ts'
import { answerTo } from './answer-to.ts'

const requestTimeoutMs = 10_000
const mostBytes = 8 << 20

/**
 * The node sent no response, or refused because it is too busy or requires authorisation: a smaller request does not
 * help.
 */
export class NodeUnusable extends Error {}

/** `retryAfterMs` is 0 unless the node says when to come back. */
export class NodeBusy extends NodeUnusable {
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

const refusing = [401, 403]

// Replaces the request function of ethers, which after its timeout leaves the connection open and so keeps the process
// alive, and which waits indefinitely for a response that trickles.
const post: FetchGetUrlFunc = async ({ url, body }) => {
  const request = (url.startsWith('https:') ? https : http).request(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(requestTimeoutMs),
  })
  try {
    const answered = answerTo(request)
    request.end(body)
    const response = await answered
    const { statusCode = 0, statusMessage = '' } = response
    const answers = `it answers ${statusCode} ${statusMessage}`
    if (statusCode === 429) throw new NodeBusy(answers, 1_000 * (Number(response.headers['retry-after']) || 0))
    if (refusing.includes(statusCode)) throw new NodeUnusable(answers)
    return { statusCode, statusMessage, headers: {}, body: await read(response) }
  } catch (error) {
    request.destroy()
    throw error instanceof RangeError || error instanceof NodeUnusable ? error : new NodeUnusable(reason(error))
  }
}

async function read(response: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > mostBytes) throw new RangeError('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns the template of every request to the node at this URL. */
export function requestTo(url: string, fetchPublic?: PublicFetch): FetchRequest {
  const request = new FetchRequest(url)
  // No retries: another node answers sooner than a busy one.
  request.setThrottleParams({ maxAttempts: 1 })
  request.getUrlFunc =
    fetchPublic === undefined
      ? post
      : async ({ url: address, body }) => {
          const json: unknown = JSON.parse(Buffer.from(body ?? []).toString('utf8'))
          const bytes = await fetchPublic(address, { maxBytes: mostBytes, timeoutMs: requestTimeoutMs, json })
          if (bytes === null) throw new NodeUnusable('no answer')
          return { statusCode: 200, statusMessage: 'OK', headers: {}, body: bytes }
        }
  return request
}

const errorText = z
  .union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)])
  .optional()
  .catch(undefined)
const text = z.string().optional().catch(undefined)
const info = z.object({ error: errorText, responseBody: text }).optional().catch(undefined)
const known = z.object({ shortMessage: text, code: text, error: errorText, info }).catch({})

/** Returns the error message in the body of a response whose status is not 200. */
function errorInBody(body: string | undefined): string | undefined {
  try {
    return z.object({ error: errorText }).parse(JSON.parse(body ?? '')).error
  } catch {
    return undefined
  }
}

// A tenant's node may return megabytes, and searching them takes time that grows with their square.
const mostWords = 2_000

/** Returns the beginning of the node's own error message; null when the node sent none. */
export function nodeMessageOf(thrown: unknown): string | null {
  const { error, info } = known.parse(thrown)
  return (error ?? info?.error ?? errorInBody(info?.responseBody))?.slice(0, mostWords) ?? null
}

/**
 * Returns the reason of a failure for the log: with the node's own message, but without the request, which contains URL
 * and payload.
 */
export function reason(thrown: unknown): string {
  const { shortMessage, code } = known.parse(thrown)
  const what = shortMessage ?? (thrown instanceof Error ? thrown.message || code || thrown.name : String(thrown))
  const words = nodeMessageOf(thrown)
  const message = (words === null ? what : `${what}: ${words}`).slice(0, mostWords)
  return message.replace(/\w+:\/\/\S+/g, '[url]').slice(0, 500)
}
