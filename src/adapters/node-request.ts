// How one node is asked over HTTP, and what is told of it when that failed.
import http from 'node:http'
import https from 'node:https'
import { type FetchGetUrlFunc, FetchRequest } from 'ethers'
import { z } from 'zod'
import type { PublicFetch } from '../ports/public-fetch.ts'
import { answerTo } from './answer-to.ts'

const requestTimeoutMs = 10_000
const mostBytes = 8 << 20

/** Nothing came back, or only that it is too busy or not for us: asking it for less does not help. */
export class NoAnswer extends Error {}

const refusing = [401, 403, 429]

// In place of the request of ethers, which after its timeout leaves the connection open, and with it the process, and which
// waits for ever for an answer that trickles.
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
    if (refusing.includes(statusCode)) throw new NoAnswer(`it answers ${statusCode} ${statusMessage}`)
    return { statusCode, statusMessage, headers: {}, body: await read(response) }
  } catch (error) {
    request.destroy()
    throw error instanceof RangeError ? error : new NoAnswer(reason(error))
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

/** What every request to the node at this URL is made from. */
export function requestTo(url: string, fetchPublic?: PublicFetch): FetchRequest {
  const request = new FetchRequest(url)
  // Another node is asked sooner than one that is busy would answer.
  request.setThrottleParams({ maxAttempts: 1 })
  request.getUrlFunc =
    fetchPublic === undefined
      ? post
      : async ({ url: address, body }) => {
          const json: unknown = JSON.parse(Buffer.from(body ?? []).toString('utf8'))
          const bytes = await fetchPublic(address, { maxBytes: mostBytes, timeoutMs: requestTimeoutMs, json })
          if (bytes === null) throw new NoAnswer('no answer')
          return { statusCode: 200, statusMessage: 'OK', headers: {}, body: bytes }
        }
  return request
}

const saying = z
  .union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)])
  .optional()
  .catch(undefined)
const text = z.string().optional().catch(undefined)
const info = z.object({ error: saying, responseBody: text }).optional().catch(undefined)
const known = z.object({ shortMessage: text, code: text, error: saying, info }).catch({})

/** Of an answer with another status than 200. */
function wordsIn(body: string | undefined): string | undefined {
  try {
    return z.object({ error: saying }).parse(JSON.parse(body ?? '')).error
  } catch {
    return undefined
  }
}

// A tenant's node may say megabytes, and what is searched in them takes time that grows with their square.
const mostWords = 2_000

/** What the node itself said of a question that failed, its beginning; null where it said nothing. */
export function wordsOf(thrown: unknown): string | null {
  const { error, info } = known.parse(thrown)
  return (error ?? info?.error ?? wordsIn(info?.responseBody))?.slice(0, mostWords) ?? null
}

/** What went wrong, for the log: with the node's own words, without the request, which holds URL and payload. */
export function reason(thrown: unknown): string {
  const { shortMessage, code } = known.parse(thrown)
  const what = shortMessage ?? (thrown instanceof Error ? thrown.message || code || thrown.name : String(thrown))
  const words = wordsOf(thrown)
  const told = (words === null ? what : `${what}: ${words}`).slice(0, mostWords)
  return told.replace(/\w+:\/\/\S+/g, '[url]').slice(0, 500)
}
