// POSTs to an address that an untrusted caller named, and keeps the beginning of the response body.
import http from 'node:http'
import https from 'node:https'
import type { PostAnswer, PostFailure, PublicPost } from '../ports/public-post.ts'
import { answerTo } from './answer-to.ts'
import { guardOf } from './public-fetch.ts'

// Only the status is acted upon; the body is only displayed.
const bodyPatienceMs = 1_000

export function createPublicPost(options: { allowPrivate: boolean }): PublicPost {
  return async (text, { headers, body, timeoutMs, maxAnswerBytes, signal }) => {
    const url = URL.canParse(text) ? new URL(text) : null
    const guard = url && guardOf(url, options.allowPrivate)
    if (url === null || guard === null) return { failure: 'no_public_address' }
    const timeout = AbortSignal.timeout(timeoutMs)
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      ...guard,
      agent: false,
      method: 'POST',
      headers: { 'User-Agent': 'quittance', ...headers, 'Content-Length': Buffer.byteLength(body) },
      signal: AbortSignal.any([timeout, signal]),
    })
    try {
      const answered = answerTo(request)
      request.end(body)
      return await beginningOf(await answered, maxAnswerBytes)
    } catch (error) {
      return { failure: timeout.aborted ? 'timeout' : signal.aborted ? 'cancelled' : failureOf(error) }
    } finally {
      request.destroy()
    }
  }
}

async function beginningOf(response: http.IncomingMessage, maxBytes: number): Promise<PostAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  const patience = setTimeout(() => response.destroy(), bodyPatienceMs)
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxBytes) break
    }
  } catch {
    // A body that breaks off does not invalidate the status.
  } finally {
    clearTimeout(patience)
  }
  return {
    statusCode: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'] ?? null,
    answerStart: Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8'),
  }
}

const failures: readonly [PostFailure, RegExp][] = [
  ['no_public_address', /^(query|ENOTFOUND|ERR_INVALID_IP_ADDRESS)|not a public address/],
  ['connection_refused', /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)/],
  ['connection_reset', /^(ECONNRESET|EPIPE|HPE_)/],
  ['certificate', /CERT|SIGNED|^(ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO)/],
]

function failureOf(error: unknown): PostFailure {
  const words = error instanceof Error ? [('code' in error && error.code) || '', error.message] : []
  return failures.find(([, known]) => words.some(word => known.test(String(word))))?.[0] ?? 'no_answer'
}
