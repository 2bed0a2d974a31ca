"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Connection = void 0;
exports.segment = segment;
// Sends requests and repeats them.
const errors_js_1 = require("./errors.js");
const events_js_1 = require("./events.js");
const retry_js_1 = require("./retry.js");
// The service sends something every 15 seconds.
const silenceMs = 45_000;
/** Encodes a value for a path. Throws TypeError for a value that would lead to another path. */
function segment(value) {
    if (value === '' || value === '.' || value === '..')
        throw new TypeError('An id must not be empty or dots.');
    return encodeURIComponent(value);
}
/** Throws TypeError for a number that may have lost digits. */
const exact = (key, value) => {
    if (typeof value === 'number' && !Number.isSafeInteger(value))
        throw new TypeError(`${key} is a number with a fraction, or too large to be exact: amounts are decimal strings.`);
    return value;
};
class Connection {
    #options;
    #base;
    #fetch;
    constructor(options) {
        const { protocol, origin, pathname } = new URL(options.baseUrl);
        if (protocol !== 'http:' && protocol !== 'https:')
            throw new TypeError('baseUrl must be an http or https URL.');
        this.#options = options;
        this.#base = origin + pathname.replace(/\/+$/, '');
        // Browsers refuse a `fetch` that is called as a method of another object.
        this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    }
    url(path, query = {}) {
        const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
        const search = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
        return this.#base + path + (search && `?${search}`);
    }
    async json(request, options) {
        return JSON.parse(await this.text(request, options));
    }
    async text(request, options) {
        return new TextDecoder().decode(await this.bytes(request, options));
    }
    async bytes(request, options = {}) {
        const { response, bytes } = await this.#answer(request, options);
        options.onHeaders?.(response.headers);
        return bytes;
    }
    async graphql({ document, path, variables, isWrite }, options = {}) {
        const body = { query: document, variables };
        const request = { method: 'POST', path: '/graphql', body, graphql: isWrite ? 'write' : 'read' };
        const { response, bytes } = await this.#answer(request, options);
        options.onHeaders?.(response.headers);
        const { data } = JSON.parse(new TextDecoder().decode(bytes));
        const found = path.reduce((object, name) => object?.[name], data);
        if (found === null || found === undefined)
            throw (0, errors_js_1.nothingThere)(response.headers);
        return found;
    }
    async #answer(request, options) {
        const { method, path, query, body, isPaid = false, graphql } = request;
        const pay = isPaid ? this.#options.pay : undefined;
        // A paid operation is charged once for each signature. `pay` repeats it, and must not be repeated here as well.
        const isKeyed = !isPaid && graphql !== 'read' && (method === 'POST' || method === 'PUT');
        const headers = new Headers(this.#key());
        if (body !== undefined)
            headers.set('Content-Type', 'application/json');
        if (graphql)
            headers.set('Accept', 'application/graphql-response+json');
        if (isKeyed)
            headers.set('Idempotency-Key', options.idempotencyKey ?? crypto.randomUUID());
        const content = body === undefined ? null : JSON.stringify(body, exact);
        const init = { method, headers, body: content, redirect: 'manual' };
        const url = this.url(path, query);
        if (pay)
            return this.#judged(await whole(await pay(url, { ...init, ...(options.signal && { signal: options.signal }) })));
        const isIdempotent = isKeyed || method === 'GET' || graphql === 'read';
        const most = options.retries ?? this.#options.retries ?? 4;
        for (let tries = 0;; tries += 1) {
            const outcome = await this.#try(url, init, options, graphql).catch((error) => {
                options.signal?.throwIfAborted();
                if (error instanceof errors_js_1.QuittanceError)
                    return error;
                return isTimeout(error) ? new errors_js_1.TimedOut(error) : new errors_js_1.ConnectionFailed(error);
            });
            if (!(outcome instanceof Error))
                return outcome;
            const ms = tries < most ? (0, retry_js_1.pauseAfter)(outcome, isIdempotent, tries) : null;
            if (ms === null)
                throw outcome;
            await (0, retry_js_1.pause)(ms, options.signal);
        }
    }
    async #try(url, init, { signal, timeoutMs }, graphql) {
        const limit = AbortSignal.timeout(timeoutMs ?? this.#options.timeoutMs ?? 30_000);
        const response = await this.#fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
        return this.#judged(await whole(response), graphql);
    }
    #judged(got, graphql) {
        const { response, bytes } = got;
        if (response.ok && graphql === undefined)
            return got;
        const text = new TextDecoder().decode(bytes);
        const refusal = (graphql ? errors_js_1.graphqlRefusalOf : errors_js_1.refusalOf)(response, text);
        if (refusal === null)
            return got;
        throw refusal;
    }
    /** Yields each change of a receipt once, in order, over as many connections as needed. Ends after `anchored`. */
    async *events(path, { lastEventId, signal } = {}) {
        const most = this.#options.retries ?? 4;
        let last = lastEventId;
        for (let failures = 0;; failures += 1) {
            const leave = new AbortController();
            let silence = setTimeout(() => leave.abort(), silenceMs);
            let reason = 'the stream ended';
            let retryAfterMs = null;
            try {
                const headers = {
                    ...this.#key(),
                    Accept: 'text/event-stream',
                    ...(last !== undefined && { 'Last-Event-ID': last }),
                };
                const both = signal ? AbortSignal.any([signal, leave.signal]) : leave.signal;
                const response = await this.#fetch(this.url(path), { headers, redirect: 'manual', signal: both });
                if (response.status === 204)
                    return;
                const isStream = /^text\/event-stream\b/.test(response.headers.get('Content-Type') ?? '');
                if (response.status !== 200 || !isStream || response.body === null)
                    throw (0, errors_js_1.refusalOf)(response, await response.text());
                const onData = () => {
                    failures = 0;
                    clearTimeout(silence);
                    silence = setTimeout(() => leave.abort(), silenceMs);
                };
                for await (const event of (0, events_js_1.eventsIn)(response.body, onData)) {
                    last = event.id;
                    yield event;
                    if (event.data.status === 'anchored')
                        return;
                }
            }
            catch (error) {
                signal?.throwIfAborted();
                if (error instanceof errors_js_1.QuittanceError) {
                    if ((0, retry_js_1.pauseAfter)(error, true, failures) === null)
                        throw error;
                    retryAfterMs = error.retryAfterMs;
                }
                reason = error;
            }
            finally {
                clearTimeout(silence);
                leave.abort();
            }
            if (failures >= most)
                throw reason instanceof errors_js_1.QuittanceError ? reason : new errors_js_1.ConnectionFailed(reason);
            await (0, retry_js_1.pause)(retryAfterMs ?? Math.min(500 * 2 ** failures, retry_js_1.longestPauseMs) * (0.5 + Math.random() / 2), signal);
        }
    }
    #key() {
        const { apiKey } = this.#options;
        return apiKey === undefined ? {} : { 'X-API-Key': apiKey };
    }
}
exports.Connection = Connection;
const isTimeout = (error) => error instanceof Error && error.name === 'TimeoutError';
const whole = async (response) => ({
    response,
    bytes: new Uint8Array(await response.arrayBuffer()),
});
