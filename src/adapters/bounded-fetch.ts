// In place of `fetch` for the AI SDK: follows no redirect, ends an answer that is too large, and, where a stranger named the
// address, connects to public ones only. The built-in fetch can do none of this.
import http from 'node:http'
import https from 'node:https'
import { answerTo } from './answer-to.ts'
import { guardOf } from './public-fetch.ts'

export type BoundedOptions = {
  maxBytes: number
  /** False for addresses that strangers name. */
  allowPrivate: boolean
}

const withoutBody = [204, 205, 304]

/** For requests whose body is text. Rejects when the connection fails or is refused. */
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

/** Takes a chunk when it is asked for one. */
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
