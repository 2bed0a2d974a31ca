"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.verifyWebhook = verifyWebhook;
// Verifies the service's notifications, which are signed as Standard Webhooks specifies.
const errors_js_1 = require("./errors.js");
/**
 * Verifies a notification. Throws WebhookNotVerified. The same notification can arrive more than once, with the same
 * `webhook-id`.
 */
async function verifyWebhook({ secret, headers, body, toleranceSeconds = 300 }) {
    const header = (name) => {
        const value = headers instanceof Headers ? headers.get(name) : headers[name];
        if (typeof value !== 'string' || value === '')
            throw new errors_js_1.WebhookNotVerified(`There is no header ${name}.`);
        return value;
    };
    const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')];
    if (!/^\d{1,12}$/.test(timestamp))
        throw new errors_js_1.WebhookNotVerified('webhook-timestamp is not a time.');
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
        throw new errors_js_1.WebhookNotVerified('webhook-timestamp is too far from now.');
    const content = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const before = new TextEncoder().encode(`${id}.${timestamp}.`);
    const signed = new Uint8Array(before.length + content.length);
    signed.set(before);
    signed.set(content, before.length);
    const raw = fromBase64(secret.replace(/^whsec_/, ''));
    if (raw === null || raw.length === 0)
        throw new TypeError('The secret is not whsec_ and base64.');
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const one of signatures.split(' ')) {
        const [version, text = ''] = one.split(',');
        const signature = version === 'v1' ? fromBase64(text) : null;
        // `verify` compares in constant time.
        if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed)))
            return JSON.parse(new TextDecoder().decode(content));
    }
    throw new errors_js_1.WebhookNotVerified('No signature is valid.');
}
function fromBase64(text) {
    try {
        return Uint8Array.from(atob(text), character => character.charCodeAt(0));
    }
    catch {
        return null;
    }
}
