import { type ConnectionOptions, type StreamOptions } from './connection.js';
import { Operations } from './generated/operations.js';
import type { ReceiptResponse } from './generated/types.js';
export type ClientOptions = Omit<ConnectionOptions, 'baseUrl'> & {
    baseUrl?: string | undefined;
};
export type WaitOptions = StreamOptions & {
    /** How long to wait; two minutes by default. */
    timeoutMs?: number;
};
export declare class Quittance extends Operations {
    constructor({ baseUrl, ...options }?: ClientOptions);
    /**
     * Follows a receipt until it is anchored, and returns it. Throws ReceiptFailed when its status is `failed`: the
     * mutation `retryReceipt` processes it again. Throws a DOMException named TimeoutError when the time is over.
     */
    waitForAnchored(receiptId: string, { timeoutMs, signal, ...from }?: WaitOptions): Promise<ReceiptResponse>;
    /**
     * Returns the bytes of the evidence ZIP. Throws BundleMismatch unless their SHA-256 is the receipt's `bundle_hash`.
     */
    downloadBundle(receiptId: string): Promise<Uint8Array<ArrayBuffer>>;
}
