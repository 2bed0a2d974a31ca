export { type ClientOptions, Quittance, type WaitOptions } from './client.js';
export type { CallOptions, StreamEvent, StreamOptions } from './connection.js';
export { AuthenticationError, BundleMismatch, ConflictError, ConnectionFailed, NotFoundError, PaymentRequiredError, PermissionDeniedError, QuittanceError, RateLimitError, ReceiptFailed, ServerError, TimedOut, ValidationFailedError, WebhookNotVerified, } from './errors.js';
export type * from './generated/types.js';
export { verifyWebhook, type Webhook, type WebhookEvent } from './webhooks.js';
