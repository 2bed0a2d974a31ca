import type { ValidationError } from './generated/types.js';
/** The service responded with a refusal. Its subclasses are the families of refusals, by their status. */
export declare class QuittanceError extends Error {
    /**
     * The stable code: `detail` of the response, `validation_failed` for 422, `http_<status>` when a gateway responded.
     */
    readonly code: string;
    readonly status: number;
    /** Identifies the request in the service's log. */
    readonly requestId: string | null;
    /** The values that are invalid, and why; empty unless the status is 422. */
    readonly issues: readonly ValidationError[];
    /** How long to wait before the next request; null when the service did not say. */
    readonly retryAfterMs: number | null;
    /** The response body as received: JSON, or else text. */
    readonly body: unknown;
    constructor(response: Pick<Response, 'status' | 'headers'>, text: string);
}
/** 400 and 422: a value, or the request as a whole, is invalid. */
export declare class ValidationFailedError extends QuittanceError {
    name: string;
}
/** 401: the API key is missing, unknown, revoked or expired. */
export declare class AuthenticationError extends QuittanceError {
    name: string;
}
/** 402: the operation must be paid for; `body` is the challenge. */
export declare class PaymentRequiredError extends QuittanceError {
    name: string;
}
/** 403: the API key may not do this. */
export declare class PermissionDeniedError extends QuittanceError {
    name: string;
}
/** 404 and 410: there is none, or none that the API key may see. */
export declare class NotFoundError extends QuittanceError {
    name: string;
}
/** 409: it contradicts what the service has already. */
export declare class ConflictError extends QuittanceError {
    name: string;
}
/** 429: too many requests; `retryAfterMs` says how long to wait. */
export declare class RateLimitError extends QuittanceError {
    name: string;
}
/** 500 and above: the service, or a gateway before it, failed. */
export declare class ServerError extends QuittanceError {
    name: string;
}
/** Returns the error of a response, in the class of its family. */
export declare function refusalOf(response: Pick<Response, 'status' | 'headers'>, text: string): QuittanceError;
/** Returns the error of a response over GraphQL, as the same refusal over REST would be; null when there is none. */
export declare function graphqlRefusalOf(response: Pick<Response, 'status' | 'headers'>, text: string): QuittanceError | null;
/** There is nothing at the path in the answer. */
export declare const nothingThere: (headers: Headers) => QuittanceError;
/** No response arrived in any try; `cause` is the last reason. Whether the call was carried out is unknown. */
export declare class ConnectionFailed extends Error {
    constructor(cause: unknown);
}
/** No response arrived in time, in the last try. */
export declare class TimedOut extends ConnectionFailed {
    name: string;
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
