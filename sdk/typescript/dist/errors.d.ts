import type { ValidationError } from './generated/types.js';
/** The service responded with a refusal. */
export declare class QuittanceError extends Error {
    /**
     * The stable code: `detail` of the response, `validation_failed` for 422, `http_<status>` when a gateway responded.
     */
    readonly code: string;
    readonly status: number;
    /** Identifies the request in the service's log. */
    readonly requestId: string | null;
    /** Which value is invalid and why; empty unless the status is 422. */
    readonly issues: readonly ValidationError[];
    /** How long to wait before the next request; null when the service did not say. */
    readonly retryAfterMs: number | null;
    /** The response body as received: JSON, or else text. */
    readonly body: unknown;
    constructor(response: Pick<Response, 'status' | 'headers'>, text: string);
}
/** No response arrived in any try; `cause` is the last reason. Whether the call was carried out is unknown. */
export declare class ConnectionFailed extends Error {
    constructor(cause: unknown);
}
/** The receipt can never be anchored. */
export declare class ReceiptFailed extends Error {
    readonly receiptId: string;
    constructor(receiptId: string);
}
/** The received bytes are not those that were sealed. */
export declare class BundleMismatch extends Error {
    constructor(expected: string, found: string);
}
/** The sender of this request is unknown: do not act on it. */
export declare class WebhookNotVerified extends Error {
    constructor(reason: string);
}
