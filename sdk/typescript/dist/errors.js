/** The service responded with a refusal. */
export class QuittanceError extends Error {
    /**
     * The stable code: `detail` of the response, `validation_failed` for 422, `http_<status>` when a gateway responded.
     */
    code;
    status;
    /** Identifies the request in the service's log. */
    requestId;
    /** Which value is invalid and why; empty unless the status is 422. */
    issues;
    /** How long to wait before the next request; null when the service did not say. */
    retryAfterMs;
    /** The response body as received: JSON, or else text. */
    body;
    constructor(response, text) {
        const body = parsed(text);
        const told = membersOf(body);
        const issues = Array.isArray(told.detail) ? told.detail : [];
        const code = typeof told.detail === 'string'
            ? told.detail
            : issues.length > 0
                ? 'validation_failed'
                : `http_${response.status}`;
        super(typeof told.message === 'string' ? told.message : sentenceOf(issues) || `The status was ${response.status}.`);
        this.name = 'QuittanceError';
        this.code = code;
        this.status = response.status;
        this.requestId = response.headers.get('X-Request-ID');
        this.issues = issues;
        this.retryAfterMs = retryAfterMs(response.headers.get('Retry-After'));
        this.body = body;
    }
}
/** No response arrived in any try; `cause` is the last reason. Whether the call was carried out is unknown. */
export class ConnectionFailed extends Error {
    constructor(cause) {
        super('No response arrived.', { cause });
        this.name = 'ConnectionFailed';
    }
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
