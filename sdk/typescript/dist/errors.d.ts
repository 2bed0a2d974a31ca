import type { ValidationError } from './generated/types.js';
/** The service answered, and refused. */
export declare class QuittanceError extends Error {
    /** The stable code: `detail` of the answer, `validation_failed` for 422, `http_<status>` when a gateway answered. */
    readonly code: string;
    readonly status: number;
    /** Names the request in the service's log. */
    readonly requestId: string | null;
    /** What is wrong with which value; empty unless the status is 422. */
    readonly issues: readonly ValidationError[];
    /** When it may be asked again; null when the service did not say. */
    readonly retryAfterMs: number | null;
    /** The answer as it came: JSON, or else text. */
    readonly body: unknown;
    constructor(response: Pick<Response, 'status' | 'headers'>, text: string);
}
/** No answer came, however often it was asked; `cause` is the last reason. Whether it was carried out is unknown. */
export declare class ConnectionFailed extends Error {
    constructor(cause: unknown);
}
/** The receipt can never be anchored. */
export declare class ReceiptFailed extends Error {
    readonly receiptId: string;
    constructor(receiptId: string);
}
/** The bytes that came are not those that were sealed. */
export declare class BundleMismatch extends Error {
    constructor(expected: string, found: string);
}
/** It is not known who sent this: do not act on it. */
export declare class WebhookNotVerified extends Error {
    constructor(reason: string);
}
