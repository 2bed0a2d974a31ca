import type { AgentAnchoredWebhook, EndpointTestWebhook, PaymentSettledWebhook, ReceiptRefundedWebhook, ReceiptWebhook } from './generated/types.js';
/** `type` says what `data` holds. To the `callback_url` of a receipt only the first two are sent. */
export type WebhookEvent = ReceiptWebhook | ReceiptRefundedWebhook | PaymentSettledWebhook | AgentAnchoredWebhook | EndpointTestWebhook;
export type Webhook = {
    /** `whsec_` and base64, as the service has it. */
    secret: string;
    /** Of the request: `Headers`, or an object with names in lower case, as Node has them. */
    headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
    /** The bytes or text as they came: parsed and written again they would differ. */
    body: string | Uint8Array;
    /** How far its time may be from ours; 300 unless given. */
    toleranceSeconds?: number;
};
/** Throws WebhookNotVerified. The same notification can come more than once, with the same `webhook-id`. */
export declare function verifyWebhook({ secret, headers, body, toleranceSeconds }: Webhook): Promise<WebhookEvent>;
