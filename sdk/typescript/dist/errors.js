// The errors with which a call can end.
import { statusOfCode } from './generated/codes.js';
/** The service responded with a refusal. Its subclasses are the families of refusals, by their status. */
export class QuittanceError extends Error {
    /**
     * The stable code: `detail` of the response, `validation_failed` for 422, `http_<status>` when a gateway responded.
     */
    code;
    status;
    /** Identifies the request in the service's log. */
    requestId;
    /** The values that are invalid, and why; empty unless the status is 422. */
    issues;
    /** How long to wait before the next request; null when the service did not say. */
    retryAfterMs;
    /** The response body as received: JSON, or else text. */
    body;
    constructor(response, text) {
        const body = parsed(text);
        const members = membersOf(body);
        const issues = Array.isArray(members.detail) ? members.detail : [];
        const code = typeof members.detail === 'string'
            ? members.detail
            : issues.length > 0
                ? 'validation_failed'
                : `http_${response.status}`;
        super(typeof members.message === 'string'
            ? members.message
            : sentenceOf(issues) || `The status was ${response.status}.`);
        this.name = 'QuittanceError';
        this.code = code;
        this.status = response.status;
        this.requestId = response.headers.get('X-Request-ID');
        this.issues = issues;
        this.retryAfterMs = retryAfterMs(response.headers.get('Retry-After'));
        this.body = body;
    }
}
/** 400 and 422: a value, or the request as a whole, is invalid. */
export class ValidationFailedError extends QuittanceError {
    name = 'ValidationFailedError';
}
/** 401: the API key is missing, unknown, revoked or expired. */
export class AuthenticationError extends QuittanceError {
    name = 'AuthenticationError';
}
/** 402: the operation must be paid for; `body` is the challenge. */
export class PaymentRequiredError extends QuittanceError {
    name = 'PaymentRequiredError';
}
/** 403: the API key may not do this. */
export class PermissionDeniedError extends QuittanceError {
    name = 'PermissionDeniedError';
}
/** 404 and 410: there is none, or none that the API key may see. */
export class NotFoundError extends QuittanceError {
    name = 'NotFoundError';
}
/** 409: it contradicts what the service has already. */
export class ConflictError extends QuittanceError {
    name = 'ConflictError';
}
/** 429: too many requests; `retryAfterMs` says how long to wait. */
export class RateLimitError extends QuittanceError {
    name = 'RateLimitError';
}
/** 500 and above: the service, or a gateway before it, failed. */
export class ServerError extends QuittanceError {
    name = 'ServerError';
}
const families = {
    400: ValidationFailedError,
    401: AuthenticationError,
    402: PaymentRequiredError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    422: ValidationFailedError,
    429: RateLimitError,
};
/** Returns the error of a response, in the class of its family. */
export function refusalOf(response, text) {
    const Family = response.status >= 500 ? ServerError : (families[response.status] ?? QuittanceError);
    return new Family(response, text);
}
/** Returns the error of a response over GraphQL, as the same refusal over REST would be; null when there is none. */
export function graphqlRefusalOf(response, text) {
    const body = membersOf(parsed(text));
    const [first] = (Array.isArray(body.errors) ? body.errors : []);
    if (first === undefined)
        return response.status === 200 && 'data' in body ? null : refusalOf(response, text);
    const { code = 'graphql', issues } = first.extensions ?? {};
    const status = response.status === 200 ? (statusOfCode[code] ?? 500) : response.status;
    const detail = issues ? issues.map(({ path, message, type }) => ({ loc: path, msg: message, type })) : code;
    return refusalOf({ status, headers: response.headers }, JSON.stringify({ ...body, detail, message: first.message }));
}
/** There is nothing at the path in the answer. */
export const nothingThere = (headers) => refusalOf({ status: 404, headers }, JSON.stringify({ detail: 'not_found', message: 'There is none for this key.' }));
/** No response arrived in any try; `cause` is the last reason. Whether the call was carried out is unknown. */
export class ConnectionFailed extends Error {
    constructor(cause) {
        super('No response arrived.', { cause });
        this.name = 'ConnectionFailed';
    }
}
/** No response arrived in time, in the last try. */
export class TimedOut extends ConnectionFailed {
    name = 'TimedOut';
}
/** The receipt can never be anchored. */
export class ReceiptFailed extends Error {
    receiptId;
    constructor(receiptId) {
        super(`Receipt ${receiptId} failed.`);
        this.name = 'ReceiptFailed';
        this.receiptId = receiptId;
    }
}
/** The received bytes are not those that were sealed. */
export class BundleMismatch extends Error {
    constructor(expected, found) {
        super(`The bundle’s SHA-256 is ${found}, not ${expected}.`);
        this.name = 'BundleMismatch';
    }
}
/** The sender of this request is unknown: do not act on it. */
export class WebhookNotVerified extends Error {
    constructor(reason) {
        super(reason);
        this.name = 'WebhookNotVerified';
    }
}
function parsed(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return text;
    }
}
const membersOf = (body) => typeof body === 'object' && body !== null ? { ...body } : {};
const sentenceOf = (issues) => issues.map(({ loc, msg }) => `${Array.isArray(loc) ? loc.join('.') : ''}: ${msg}`).join('; ');
/** Reads seconds or a date. */
function retryAfterMs(header) {
    if (header === null)
        return null;
    const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
    return Number.isNaN(ms) ? null : Math.max(ms, 0);
}
