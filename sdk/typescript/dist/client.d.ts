import { type ConnectionOptions, type StreamOptions } from './connection.js';
import { Operations } from './generated/operations.js';
import type { ReceiptResponse } from './generated/types.js';
export type ClientOptions = Omit<ConnectionOptions, 'baseUrl'> & {
    baseUrl?: string | undefined;
};
export type WaitOptions = StreamOptions & {
    /** How long to wait; two minutes unless given. */
    timeoutMs?: number;
};
export declare class Quittance extends Operations {
    constructor({ baseUrl, ...options }?: ClientOptions);
    /**
     * Follows a receipt until it is anchored, and answers with it. Throws ReceiptFailed when it never will be, and a
     * DOMException named TimeoutError when that is not known in time.
     */
    waitForAnchored(receiptId: string, { timeoutMs, signal, ...from }?: WaitOptions): Promise<ReceiptResponse>;
    /** The bytes of the evidence ZIP, whose SHA-256 is the receipt's `bundle_hash`. Throws BundleMismatch otherwise. */
    downloadBundle(receiptId: string): Promise<Uint8Array<ArrayBuffer>>;
}
