import type { AgentAnchoredWebhook, EndpointTestWebhook, PaymentSettledWebhook, ReceiptRefundedWebhook, ReceiptWebhook } from './generated/types.js';
/** `type` determines the form of `data`. To the `callback_url` of a receipt only the first two are sent. */
export type WebhookEvent = ReceiptWebhook | ReceiptRefundedWebhook | PaymentSettledWebhook | AgentAnchoredWebhook | EndpointTestWebhook;
export type Webhook = {
    /** `whsec_` and base64, as the service shows it. */
    secret: string;
    /** The request's headers: `Headers`, or an object with lower-case names, as in Node. */
    headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
    /** The body's bytes or text as received, because parsing and serialising it would change it. */
    body: string | Uint8Array;
    /** How many seconds its time may differ from ours; 300 by default. */
    toleranceSeconds?: number;
};
/**
 * Verifies a notification. Throws WebhookNotVerified. The same notification can arrive more than once, with the same
 * `webhook-id`.
 */
export declare function verifyWebhook({ secret, headers, body, toleranceSeconds }: Webhook): Promise<WebhookEvent>;
