export { type ClientOptions, Quittance, type WaitOptions } from './client.js';
export type { CallOptions, StreamEvent, StreamOptions } from './connection.js';
export { BundleMismatch, ConnectionFailed, QuittanceError, ReceiptFailed, WebhookNotVerified } from './errors.js';
export type * from './generated/types.js';
export { verifyWebhook, type Webhook, type WebhookEvent } from './webhooks.js';
