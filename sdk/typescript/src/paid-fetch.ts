// A fetch that pays by x402 and keeps asking until it has what it paid for. One file without imports, for Node 20 and later
// and for browsers: it may be copied as it is.

/** PAYMENT-REQUIRED, decoded and otherwise unchecked. Amounts are in the token's smallest units, decimal. */
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
  /** Makes PAYMENT-SIGNATURE; throws when this is not to be paid. Called at most once a request. */
  sign(required: PaymentRequired): Promise<string>
  /** How long to ask for what is paid; two minutes unless given. */
  patienceMs?: number
  /** Waited for before the header is first sent: whoever keeps it, with the request, can `resume` after a crash. */
  onPayment?(header: string, url: string): void | Promise<void>
}

/** Patience is over, and it may be charged: `resume` with `header`, never pay again for the same. */
export class PaymentUnanswered extends Error {
  readonly header: string

  /** `cause` is what came last: an error of the network, or a Response. */
  constructor(header: string, cause: unknown) {
    super('No answer yet to what may be paid already: resume with the header of this error.', { cause })
    this.name = 'PaymentUnanswered'
    this.header = header
  }
}

type Fetch = typeof globalThis.fetch
type Input = Parameters<Fetch>[0]

/** Of one try: a connection that died without a word is not waited for longer. */
const tryMs = 45_000
const longestPauseMs = 8_000

/**
 * `fetch` for what is paid for, with `resume` for a header that was kept. The official client makes the header:
 *
 *     const client = new x402Client()                                            // @x402/core/client
 *       .register('eip155:8453', new ExactEvmScheme(account))                    // @x402/evm/exact/client
 *       .setSpendControls({ allowedAssets: [{ network: 'eip155:8453', asset, maxAmountPerPayment: '5000' }] })
 *     const buy = paidFetch({                                                    // below: @x402/core/http
 *       sign: async required => encodePaymentSignatureHeader(await client.createPaymentPayload(required)),
 *     })
 *
 * The same header is charged once however often it is sent, so it is sent again after a lost answer, a fault of the
 * server's (5xx), and whenever the service says when to come again. All else is final and returned. So is a 402, the reason in its PAYMENT-REQUIRED: what
 * is signed a second time could be paid twice, and that is for the caller to decide. Throws what `sign` and `onPayment`
 * throw, the reason of an abort, `PaymentUnanswered`, and before anything is sent TypeError for a body that is a stream.
 */
export function paidFetch({ fetch: send = globalThis.fetch, sign, patienceMs = 120_000, onPayment }: PaidFetchOptions) {
  async function pay(input: Input, init?: RequestInit): Promise<Response> {
    const request = requestOf(input, init)
    const first = await send(request.clone())
    const challenge = first.headers.get('PAYMENT-REQUIRED')
    if (first.status !== 402 || challenge === null || request.headers.has('PAYMENT-SIGNATURE')) return first
    if (first.redirected)
      throw new Error(`A redirect asks for payment. If it is to be trusted, ask ${first.url} itself.`)
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
        // Not followed, to no origin: whoever has the header can have what it pays for.
        last = await send(request.clone(), { signal, redirect: 'manual' })
        // One that breaks off is no answer.
        await last.clone().arrayBuffer()
        if (!isPassing(last)) return last
        came = last
      } catch (error) {
        request.signal.throwIfAborted()
        // That we stopped waiting says less than what came before.
        if (came === undefined || !limit.signal.aborted) came = error
      } finally {
        clearTimeout(timer)
      }
      const ms = askedPauseMs(last?.headers.get('Retry-After')) ?? pauseMs * (0.5 + Math.random() / 2)
      if (Date.now() + ms >= until) throw new PaymentUnanswered(header, came)
      await pause(ms, request.signal)
    }
  }

  /** Asks for what `header` pays: with the same method, URL and body that it was made for. Signs nothing. */
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

/** Whether the same may be answered otherwise later. */
function isPassing({ status, headers }: Response): boolean {
  // From 500 on, whoever answers cannot say whether it was charged.
  return status >= 400 && status !== 402 && (headers.has('Retry-After') || status === 429 || status >= 500)
}

/** Seconds or a date; null when there is none. */
function askedPauseMs(retryAfter: string | null | undefined): number | null {
  if (!retryAfter) return null
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(ms, 100)
}

/** Ends early when it is aborted. */
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
