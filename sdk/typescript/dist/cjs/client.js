"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Quittance = void 0;
// The client: every operation of the API, and functions that combine several operations.
const connection_js_1 = require("./connection.js");
const errors_js_1 = require("./errors.js");
const operations_js_1 = require("./generated/operations.js");
const settings_js_1 = require("./generated/settings.js");
class Quittance extends operations_js_1.Operations {
    constructor({ baseUrl = settings_js_1.defaultBaseUrl ?? undefined, ...options } = {}) {
        if (baseUrl === undefined)
            throw new TypeError('baseUrl is missing.');
        super(new connection_js_1.Connection({ ...options, baseUrl }));
    }
    /**
     * Follows a receipt until it is anchored, and returns it. Throws ReceiptFailed when its status is `failed`: the
     * mutation `retryReceipt` processes it again. Throws a DOMException named TimeoutError when the time is over.
     */
    async waitForAnchored(receiptId, { timeoutMs = 120_000, signal, ...from } = {}) {
        const limit = AbortSignal.timeout(timeoutMs);
        const both = signal ? AbortSignal.any([signal, limit]) : limit;
        for await (const { data } of this.events(receiptId, { ...from, signal: both })) {
            if (data.status === 'failed')
                throw new errors_js_1.ReceiptFailed(receiptId);
        }
        return this.receipt(receiptId, { signal: both });
    }
    /**
     * Returns the bytes of the evidence ZIP. Throws BundleMismatch unless their SHA-256 is the receipt's `bundle_hash`.
     */
    async downloadBundle(receiptId) {
        const { bundle_hash: expected } = await this.receipt(receiptId);
        if (expected === null)
            throw new Error(`Receipt ${receiptId} has no bundle yet.`);
        const bytes = await this.file(receiptId, 'evidence.zip');
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
        const found = `0x${Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')}`;
        if (found !== expected)
            throw new errors_js_1.BundleMismatch(expected, found);
        return bytes;
    }
}
exports.Quittance = Quittance;
