"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.WebhookNotVerified = exports.BundleMismatch = exports.ReceiptFailed = exports.TimedOut = exports.ConnectionFailed = exports.nothingThere = exports.ServerError = exports.RateLimitError = exports.ConflictError = exports.NotFoundError = exports.PermissionDeniedError = exports.PaymentRequiredError = exports.AuthenticationError = exports.ValidationFailedError = exports.QuittanceError = void 0;
exports.refusalOf = refusalOf;
exports.graphqlRefusalOf = graphqlRefusalOf;
// The errors with which a call can end.
const codes_js_1 = require("./generated/codes.js");
/** The service responded with a refusal. Its subclasses are the families of refusals, by their status. */
class QuittanceError extends Error {
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
exports.QuittanceError = QuittanceError;
/** 400 and 422: a value, or the request as a whole, is invalid. */
class ValidationFailedError extends QuittanceError {
    name = 'ValidationFailedError';
}
exports.ValidationFailedError = ValidationFailedError;
/** 401: the API key is missing, unknown, revoked or expired. */
class AuthenticationError extends QuittanceError {
    name = 'AuthenticationError';
}
exports.AuthenticationError = AuthenticationError;
/** 402: the operation must be paid for; `body` is the challenge. */
class PaymentRequiredError extends QuittanceError {
    name = 'PaymentRequiredError';
}
exports.PaymentRequiredError = PaymentRequiredError;
/** 403: the API key may not do this. */
class PermissionDeniedError extends QuittanceError {
    name = 'PermissionDeniedError';
}
exports.PermissionDeniedError = PermissionDeniedError;
/** 404 and 410: there is none, or none that the API key may see. */
class NotFoundError extends QuittanceError {
    name = 'NotFoundError';
}
exports.NotFoundError = NotFoundError;
/** 409: it contradicts what the service has already. */
class ConflictError extends QuittanceError {
    name = 'ConflictError';
}
exports.ConflictError = ConflictError;
/** 429: too many requests; `retryAfterMs` says how long to wait. */
class RateLimitError extends QuittanceError {
    name = 'RateLimitError';
}
exports.RateLimitError = RateLimitError;
/** 500 and above: the service, or a gateway before it, failed. */
class ServerError extends QuittanceError {
    name = 'ServerError';
}
exports.ServerError = ServerError;
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
function refusalOf(response, text) {
    const Family = response.status >= 500 ? ServerError : (families[response.status] ?? QuittanceError);
    return new Family(response, text);
}
/** Returns the error of a response over GraphQL, as the same refusal over REST would be; null when there is none. */
function graphqlRefusalOf(response, text) {
    const body = membersOf(parsed(text));
    const [first] = (Array.isArray(body.errors) ? body.errors : []);
    if (first === undefined)
        return response.status === 200 && 'data' in body ? null : refusalOf(response, text);
    const { code = 'graphql', issues } = first.extensions ?? {};
    const status = response.status === 200 ? (codes_js_1.statusOfCode[code] ?? 500) : response.status;
    const detail = issues ? issues.map(({ path, message, type }) => ({ loc: path, msg: message, type })) : code;
    return refusalOf({ status, headers: response.headers }, JSON.stringify({ ...body, detail, message: first.message }));
}
/** There is nothing at the path in the answer. */
const nothingThere = (headers) => refusalOf({ status: 404, headers }, JSON.stringify({ detail: 'not_found', message: 'There is none for this key.' }));
exports.nothingThere = nothingThere;
/** No response arrived in any try; `cause` is the last reason. Whether the call was carried out is unknown. */
class ConnectionFailed extends Error {
    constructor(cause) {
        super('No response arrived.', { cause });
        this.name = 'ConnectionFailed';
    }
}
exports.ConnectionFailed = ConnectionFailed;
/** No response arrived in time, in the last try. */
class TimedOut extends ConnectionFailed {
    name = 'TimedOut';
}
exports.TimedOut = TimedOut;
/** The receipt can never be anchored. */
class ReceiptFailed extends Error {
    receiptId;
    constructor(receiptId) {
        super(`Receipt ${receiptId} failed.`);
        this.name = 'ReceiptFailed';
        this.receiptId = receiptId;
    }
}
exports.ReceiptFailed = ReceiptFailed;
/** The received bytes are not those that were sealed. */
class BundleMismatch extends Error {
    constructor(expected, found) {
        super(`The bundle’s SHA-256 is ${found}, not ${expected}.`);
        this.name = 'BundleMismatch';
    }
}
exports.BundleMismatch = BundleMismatch;
/** The sender of this request is unknown: do not act on it. */
class WebhookNotVerified extends Error {
    constructor(reason) {
        super(reason);
        this.name = 'WebhookNotVerified';
    }
}
exports.WebhookNotVerified = WebhookNotVerified;
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
