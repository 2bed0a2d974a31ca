// The client: every operation of the API, and functions that combine several operations.
import { Connection, type ConnectionOptions, type StreamOptions } from './connection.js'
import { BundleMismatch, ReceiptFailed } from './errors.js'
import { Operations } from './generated/operations.js'
import { defaultBaseUrl } from './generated/settings.js'
import type { ReceiptResponse } from './generated/types.js'

export type ClientOptions = Omit<ConnectionOptions, 'baseUrl'> & { baseUrl?: string | undefined }
export type WaitOptions = StreamOptions & {
  /** How long to wait; two minutes by default. */
  timeoutMs?: number
}

export class Quittance extends Operations {
  constructor({ baseUrl = defaultBaseUrl ?? undefined, ...options }: ClientOptions = {}) {
    if (baseUrl === undefined) throw new TypeError('baseUrl is missing.')
    super(new Connection({ ...options, baseUrl }))
  }

  /**
   * Follows a receipt until it is anchored, and returns it. Throws ReceiptFailed when its status is `failed`: the
   * mutation `retryReceipt` processes it again. Throws a DOMException named TimeoutError when the time is over.
   */
  async waitForAnchored(
    receiptId: string,
    { timeoutMs = 120_000, signal, ...from }: WaitOptions = {},
  ): Promise<ReceiptResponse> {
    const limit = AbortSignal.timeout(timeoutMs)
    const both = signal ? AbortSignal.any([signal, limit]) : limit
    for await (const { data } of this.events(receiptId, { ...from, signal: both })) {
      if (data.status === 'failed') throw new ReceiptFailed(receiptId)
    }
    return this.receipt(receiptId, { signal: both })
  }

  /**
   * Returns the bytes of the evidence ZIP. Throws BundleMismatch unless their SHA-256 is the receipt's `bundle_hash`.
   */
  async downloadBundle(receiptId: string): Promise<Uint8Array<ArrayBuffer>> {
    const { bundle_hash: expected } = await this.receipt(receiptId)
    if (expected === null) throw new Error(`Receipt ${receiptId} has no bundle yet.`)
    const bytes = await this.file(receiptId, 'evidence.zip')
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    const found = `0x${Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')}`
    if (found !== expected) throw new BundleMismatch(expected, found)
    return bytes
  }
}
