// A `fetch` that pays by x402 and repeats the request until it has the paid response. One file without imports, for
// Node 20 and later and for browsers: it may be copied as it is.

/** PAYMENT-REQUIRED, decoded and not otherwise checked. Amounts are decimal, in the token's smallest units. */
export type PaymentRequired = {
  x402Version: number
  error?: string
  resource: { url: string; description?: string; mimeType?: string }
  accepts: {
    scheme: string
    network: `${string}:${string}`
    amount: string
    asset: string
    payTo: string
    maxTimeoutSeconds: number
    extra: Record<string, unknown>
  }[]
  extensions?: Record<string, unknown>
}

export type PaidFetchOptions = {
  fetch?: typeof globalThis.fetch
  /** Returns PAYMENT-SIGNATURE; throws when this must not be paid. Called at most once for each request. */
  sign(required: PaymentRequired): Promise<string>
  /** How long to repeat a paid request; two minutes by default. */
  patienceMs?: number
  /**
   * Awaited before the header is first sent: a caller that stores the header with the request can `resume` after a
   * crash.
   */
  onPayment?(header: string, url: string): void | Promise<void>
}

/** `patienceMs` has passed, and the payment may be charged: `resume` with `header`, never pay again for the same. */
export class PaymentUnanswered extends Error {
  readonly header: string

  /** `cause` is the last outcome: a network error, or a Response. */
  constructor(header: string, cause: unknown) {
    super('No response yet to a request that may be paid already: resume with the header of this error.', { cause })
    this.name = 'PaymentUnanswered'
    this.header = header
  }
}

type Fetch = typeof globalThis.fetch
type Input = Parameters<Fetch>[0]

/** For one try: a connection that died silently is not waited for longer. */
const tryMs = 45_000
const longestPauseMs = 8_000

/**
 * Returns a `fetch` for paid endpoints, with `resume` for a stored header. The official client makes the header:
 *
 *     const client = new x402Client()                                            // @x402/core/client
 *       .register('eip155:8453', new ExactEvmScheme(account))                    // @x402/evm/exact/client
 *       .setSpendControls({ allowedAssets: [{ network: 'eip155:8453', asset, maxAmountPerPayment: '5000' }] })
 *     const buy = paidFetch({                                                    // below: @x402/core/http
 *       sign: async required => encodePaymentSignatureHeader(await client.createPaymentPayload(required)),
 *     })
 *
 * The same header is charged once however often it is sent, so it is sent again after a lost response, after an error
 * of the server (5xx), and whenever the service says when to retry. Every other response is final and returned. So is a
 * 402, whose PAYMENT-REQUIRED says why: a second signature could be charged again, and only the caller can decide that.
 * Throws what `sign` and `onPayment` throw, the reason of an abort, `PaymentUnanswered`, and, before anything is sent,
 * TypeError for a body that is a stream.
 */
export function paidFetch({ fetch: send = globalThis.fetch, sign, patienceMs = 120_000, onPayment }: PaidFetchOptions) {
  async function pay(input: Input, init?: RequestInit): Promise<Response> {
    const request = requestOf(input, init)
    const first = await send(request.clone())
    const challenge = first.headers.get('PAYMENT-REQUIRED')
    if (first.status !== 402 || challenge === null || request.headers.has('PAYMENT-SIGNATURE')) return first
    if (first.redirected)
      throw new Error(`A redirect requests payment. If it can be trusted, request ${first.url} directly.`)
    await first.body?.cancel()
    const header = await sign(JSON.parse(fromBase64(challenge)))
    await onPayment?.(header, request.url)
    return insist(request, header)
  }

  async function insist(request: Request, header: string): Promise<Response> {
    request.headers.set('PAYMENT-SIGNATURE', header)
    const until = Date.now() + patienceMs
    let came: unknown
    for (let pauseMs = 500; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const limit = new AbortController()
      const timer = setTimeout(() => limit.abort(), Math.min(tryMs, until - Date.now()))
      let last: Response | undefined
      try {
        const signal = AbortSignal.any([request.signal, limit.signal])
        // Redirects are not followed to any origin, because anyone who has the header can obtain what it pays for.
        last = await send(request.clone(), { signal, redirect: 'manual' })
        // A response that breaks off does not count.
        await last.clone().arrayBuffer()
        if (!isPassing(last)) return last
        came = last
      } catch (error) {
        request.signal.throwIfAborted()
        // Our own timeout says less than the earlier outcome.
        if (came === undefined || !limit.signal.aborted) came = error
      } finally {
        clearTimeout(timer)
      }
      const ms = retryAfterMs(last?.headers.get('Retry-After')) ?? pauseMs * (0.5 + Math.random() / 2)
      if (Date.now() + ms >= until) throw new PaymentUnanswered(header, came)
      await pause(ms, request.signal)
    }
  }

  /** Requests what `header` pays: with the same method, URL and body that it was made for. Signs nothing. */
  const resume = async (input: Input, init: RequestInit | undefined, header: string): Promise<Response> =>
    insist(requestOf(input, init), header)

  return Object.assign(pay, { resume })
}

function requestOf(input: Input, init?: RequestInit): Request {
  const body: unknown = init?.body
  if (typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body))
    throw new TypeError('A body that is a stream cannot be sent twice: give text, bytes or a form.')
  return new Request(input instanceof Request ? input.clone() : input, init)
}

const fromBase64 = (text: string) =>
  new TextDecoder().decode(Uint8Array.from(atob(text), character => character.charCodeAt(0)))

/** Returns whether the same request may have another response later. */
function isPassing({ status, headers }: Response): boolean {
  // From status 500 on, the responding server cannot say whether the payment was charged.
  return status >= 400 && status !== 402 && (headers.has('Retry-After') || status === 429 || status >= 500)
}

/** Reads seconds or a date; returns null when there is neither. */
function retryAfterMs(retryAfter: string | null | undefined): number | null {
  if (!retryAfter) return null
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(ms, 100)
}

/** Ends early when `signal` aborts. */
const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const wake = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    signal.addEventListener('abort', wake)
  })
