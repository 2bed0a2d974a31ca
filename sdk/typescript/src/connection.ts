// Sends requests and repeats them.
import { ConnectionFailed, graphqlRefusalOf, nothingThere, QuittanceError, refusalOf, TimedOut } from './errors.js'
import { eventsIn, type StreamEvent } from './events.js'
import { longestPauseMs, pause, pauseAfter } from './retry.js'

export type ConnectionOptions = {
  /** Base URL of the service, including the path under which it is served, if any. */
  baseUrl: string
  /** API key of a project or of an administrator. API keys must not be used in browsers. */
  apiKey?: string | undefined
  fetch?: typeof globalThis.fetch | undefined
  /** A `fetch` that pays, for paid operations: `paidFetch({ sign })`. */
  pay?: typeof globalThis.fetch | undefined
  /** How often a call is repeated after its first try; 4 by default. */
  retries?: number | undefined
  /** How long one try may take; 30 seconds by default. */
  timeoutMs?: number | undefined
}

export type CallOptions = {
  /** Equal calls with the same key are carried out once. By default POST and PUT generate a key. */
  idempotencyKey?: string
  signal?: AbortSignal
  /** How long one try may take. */
  timeoutMs?: number
  /** How often the call is repeated after its first try. */
  retries?: number
  /** Receives the headers of the response: some keys are shown in `X-API-Key` alone. */
  onHeaders?(headers: Headers): void
}

export type StreamOptions = {
  /** The `id` of the last event seen: the stream continues after it. */
  lastEventId?: string
  signal?: AbortSignal
}

export type { StreamEvent }

type Request = {
  method: string
  path: string
  query?: object | undefined
  body?: unknown
  isPaid?: boolean
  /** Over GraphQL: whether it is a mutation. */
  graphql?: 'read' | 'write'
}
/** `path`: names of the fields that lead to the answer. */
type GraphqlRequest = { document: string; path: string[]; variables: object; isWrite: boolean }
type Got = { response: Response; bytes: Uint8Array<ArrayBuffer> }

// The service sends something every 15 seconds.
const silenceMs = 45_000

/** Encodes a value for a path. Throws TypeError for a value that would lead to another path. */
export function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') throw new TypeError('An id must not be empty or dots.')
  return encodeURIComponent(value)
}

/** Throws TypeError for a number that may have lost digits. */
const exact = (key: string, value: unknown) => {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new TypeError(`${key} is a number with a fraction, or too large to be exact: amounts are decimal strings.`)
  return value
}

export class Connection {
  readonly #options: ConnectionOptions
  readonly #base: string
  readonly #fetch: typeof globalThis.fetch

  constructor(options: ConnectionOptions) {
    const { protocol, origin, pathname } = new URL(options.baseUrl)
    if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('baseUrl must be an http or https URL.')
    this.#options = options
    this.#base = origin + pathname.replace(/\/+$/, '')
    // Browsers refuse a `fetch` that is called as a method of another object.
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
  }

  url(path: string, query: object = {}): string {
    const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
    const search = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()
    return this.#base + path + (search && `?${search}`)
  }

  async json<T>(request: Request, options?: CallOptions): Promise<T> {
    return JSON.parse(await this.text(request, options))
  }

  async text(request: Request, options?: CallOptions): Promise<string> {
    return new TextDecoder().decode(await this.bytes(request, options))
  }

  async bytes(request: Request, options: CallOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const { response, bytes } = await this.#answer(request, options)
    options.onHeaders?.(response.headers)
    return bytes
  }

  async graphql<T>({ document, path, variables, isWrite }: GraphqlRequest, options: CallOptions = {}): Promise<T> {
    const body = { query: document, variables }
    const request: Request = { method: 'POST', path: '/graphql', body, graphql: isWrite ? 'write' : 'read' }
    const { response, bytes } = await this.#answer(request, options)
    options.onHeaders?.(response.headers)
    const { data } = JSON.parse(new TextDecoder().decode(bytes))
    const found = path.reduce((object, name) => object?.[name], data)
    if (found === null || found === undefined) throw nothingThere(response.headers)
    return found
  }

  async #answer(request: Request, options: CallOptions): Promise<Got> {
    const { method, path, query, body, isPaid = false, graphql } = request
    const pay = isPaid ? this.#options.pay : undefined
    // A paid operation is charged once for each signature. `pay` repeats it, and must not be repeated here as well.
    const isKeyed = !isPaid && graphql !== 'read' && (method === 'POST' || method === 'PUT')
    const headers = new Headers(this.#key())
    if (body !== undefined) headers.set('Content-Type', 'application/json')
    if (graphql) headers.set('Accept', 'application/graphql-response+json')
    if (isKeyed) headers.set('Idempotency-Key', options.idempotencyKey ?? crypto.randomUUID())
    const content = body === undefined ? null : JSON.stringify(body, exact)
    const init = { method, headers, body: content, redirect: 'manual' } satisfies RequestInit
    const url = this.url(path, query)
    if (pay)
      return this.#judged(await whole(await pay(url, { ...init, ...(options.signal && { signal: options.signal }) })))
    const isIdempotent = isKeyed || method === 'GET' || graphql === 'read'
    const most = options.retries ?? this.#options.retries ?? 4
    for (let tries = 0; ; tries += 1) {
      const outcome = await this.#try(url, init, options, graphql).catch((error: unknown) => {
        options.signal?.throwIfAborted()
        if (error instanceof QuittanceError) return error
        return isTimeout(error) ? new TimedOut(error) : new ConnectionFailed(error)
      })
      if (!(outcome instanceof Error)) return outcome
      const ms = tries < most ? pauseAfter(outcome, isIdempotent, tries) : null
      if (ms === null) throw outcome
      await pause(ms, options.signal)
    }
  }

  async #try(
    url: string,
    init: RequestInit,
    { signal, timeoutMs }: CallOptions,
    graphql: Request['graphql'],
  ): Promise<Got> {
    const limit = AbortSignal.timeout(timeoutMs ?? this.#options.timeoutMs ?? 30_000)
    const response = await this.#fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit })
    return this.#judged(await whole(response), graphql)
  }

  #judged(got: Got, graphql?: Request['graphql']): Got {
    const { response, bytes } = got
    if (response.ok && graphql === undefined) return got
    const text = new TextDecoder().decode(bytes)
    const refusal = (graphql ? graphqlRefusalOf : refusalOf)(response, text)
    if (refusal === null) return got
    throw refusal
  }

  /** Yields each change of a receipt once, in order, over as many connections as needed. Ends after `anchored`. */
  async *events<T extends { status: string }>(
    path: string,
    { lastEventId, signal }: StreamOptions = {},
  ): AsyncGenerator<StreamEvent<T>, void, undefined> {
    const most = this.#options.retries ?? 4
    let last = lastEventId
    for (let failures = 0; ; failures += 1) {
      const leave = new AbortController()
      let silence = setTimeout(() => leave.abort(), silenceMs)
      let reason: unknown = 'the stream ended'
      let retryAfterMs: number | null = null
      try {
        const headers = {
          ...this.#key(),
          Accept: 'text/event-stream',
          ...(last !== undefined && { 'Last-Event-ID': last }),
        }
        const both = signal ? AbortSignal.any([signal, leave.signal]) : leave.signal
        const response = await this.#fetch(this.url(path), { headers, redirect: 'manual', signal: both })
        if (response.status === 204) return
        const isStream = /^text\/event-stream\b/.test(response.headers.get('Content-Type') ?? '')
        if (response.status !== 200 || !isStream || response.body === null)
          throw refusalOf(response, await response.text())
        const onData = () => {
          failures = 0
          clearTimeout(silence)
          silence = setTimeout(() => leave.abort(), silenceMs)
        }
        for await (const event of eventsIn<T>(response.body, onData)) {
          last = event.id
          yield event
          if (event.data.status === 'anchored') return
        }
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof QuittanceError) {
          if (pauseAfter(error, true, failures) === null) throw error
          retryAfterMs = error.retryAfterMs
        }
        reason = error
      } finally {
        clearTimeout(silence)
        leave.abort()
      }
      if (failures >= most) throw reason instanceof QuittanceError ? reason : new ConnectionFailed(reason)
      await pause(retryAfterMs ?? Math.min(500 * 2 ** failures, longestPauseMs) * (0.5 + Math.random() / 2), signal)
    }
  }

  #key(): Record<string, string> {
    const { apiKey } = this.#options
    return apiKey === undefined ? {} : { 'X-API-Key': apiKey }
  }
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'

const whole = async (response: Response): Promise<Got> => ({
  response,
  bytes: new Uint8Array(await response.arrayBuffer()),
})
