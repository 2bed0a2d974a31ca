// A replacement for `fetch` in the client of graphql-sse, which reads as fast as it can and buffers everything: passes
// a message on only after the previous one was taken, refuses one that is too large, and gives up a silent connection.
import { boundedFetch, streamOf } from '../../adapters/bounded-fetch.ts'
import { CommandError } from '../command.ts'
import { jsonIn, reasonOf, refused } from '../service/refusal.ts'

/** The connection could not be made, or was lost. A new connection may succeed later. */
export class ConnectionLost extends Error {}

// An event has about a kilobyte.
const maxMessageBytes = 262_144
const maxRefusalBytes = 65_536
// The service writes a comment every 12 seconds.
const silenceMs = 60_000

const unlimited = boundedFetch({ maxBytes: Number.POSITIVE_INFINITY, allowPrivate: true })
// Two messages are separated by an empty line.
const boundary = '\n\n'

/** Returns the functions for one connection. `url` is the service's, for error messages. */
export function pacedFetch(url: string) {
  let fault: Error | null = null
  let untaken = 0
  let isClosed = false
  let release = () => {}
  let timer: NodeJS.Timeout | undefined
  const silence = new AbortController()

  const fail = (reason: Error): never => {
    fault = reason
    throw reason
  }

  async function* messages(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    try {
      let rest = Buffer.alloc(0)
      for await (const chunk of body) {
        timer?.refresh()
        rest = Buffer.concat([rest, chunk])
        for (let end = rest.indexOf(boundary); end !== -1; end = rest.indexOf(boundary)) {
          const message = rest.subarray(0, end + boundary.length)
          rest = rest.subarray(message.length)
          if (message.includes('event: next')) untaken++
          yield new Uint8Array(message)
          while (untaken > 0 && !isClosed) await new Promise<void>(resolve => (release = resolve))
          if (isClosed) return
          timer?.refresh()
        }
        if (rest.length > maxMessageBytes) fail(new CommandError(`${url} sends a message that is too large.`))
      }
    } finally {
      clearTimeout(timer)
    }
  }

  async function open(address: string, init: RequestInit): Promise<Response> {
    const signals = init.signal ? [init.signal, silence.signal] : [silence.signal]
    timer = setTimeout(() => {
      fault = new ConnectionLost(`nothing was received for ${silenceMs / 1_000} seconds`)
      silence.abort()
    }, silenceMs)
    const response = await unlimited(address, { ...init, signal: AbortSignal.any(signals) }).catch(error =>
      fail(fault ?? new ConnectionLost(reasonOf(error))),
    )
    const { status, headers, body } = response
    if (status === 200 && body !== null) return new Response(streamOf(messages(body)), { headers })
    const isPassing = status === 408 || status === 429 || status >= 500
    if (isPassing) fail(new ConnectionLost(`it answers ${status}`))
    return fail(refused(url, status, jsonIn(await beginningOf(body))))
  }

  return {
    open,
    /** Reports that the last message was processed, so that the next can be passed on. */
    taken() {
      untaken = 0
      release()
    },
    /** Ends the connection. */
    close() {
      isClosed = true
      clearTimeout(timer)
      release()
    },
    /** Returns why the connection ended, when more is known than the fact itself. */
    fault: () => fault,
  }
}

async function beginningOf(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  let beginning = Buffer.alloc(0)
  for await (const chunk of body ?? []) {
    beginning = Buffer.concat([beginning, chunk])
    if (beginning.length > maxRefusalBytes) break
  }
  return beginning.toString('utf8')
}
