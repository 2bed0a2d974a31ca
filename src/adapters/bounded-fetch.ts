// A replacement for `fetch` in the AI SDK and the command line: it follows no redirect, aborts a response that is too
// large and, for the URL of an untrusted caller, connects to public addresses only. The built-in fetch limits neither
// size nor address.
import http from 'node:http'
import https from 'node:https'
import { answerTo } from './answer-to.ts'
import { guardOf } from './public-fetch.ts'

export type BoundedOptions = {
  maxBytes: number
  /** Must be false for addresses that untrusted callers supply. */
  allowPrivate: boolean
}

const withoutBody = [204, 205, 304]

/**
 * Returns a `fetch` for requests whose body is text. It rejects when the connection fails or the address is refused.
 */
export const boundedFetch =
  ({ maxBytes, allowPrivate }: BoundedOptions): typeof fetch =>
  async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const guard = guardOf(url, allowPrivate)
    if (guard === null) throw new Error('not a public address')
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      ...guard,
      agent: false,
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.signal && { signal: init.signal }),
    })
    const answered = answerTo(request)
    request.end(typeof init.body === 'string' ? init.body : undefined)
    const response = await answered
    const status = response.statusCode ?? 0
    const body = withoutBody.includes(status) ? null : streamOf(bounded(response, maxBytes))
    return new Response(body, { status, headers: headersOf(response) })
  }

async function* bounded(response: http.IncomingMessage, maxBytes: number) {
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > maxBytes) throw new Error('the answer is too large')
    yield new Uint8Array<ArrayBuffer>(chunk)
  }
}

/** Returns a stream that requests the next chunk only when its consumer does. */
export const streamOf = (chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>) =>
  new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await chunks.return(undefined)),
  })

const headersOf = ({ headers }: http.IncomingMessage): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
