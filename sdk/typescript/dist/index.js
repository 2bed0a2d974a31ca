export { Quittance } from './client.js';
export { AuthenticationError, BundleMismatch, ConflictError, ConnectionFailed, NotFoundError, PaymentRequiredError, PermissionDeniedError, QuittanceError, RateLimitError, ReceiptFailed, ServerError, TimedOut, ValidationFailedError, WebhookNotVerified, } from './errors.js';
export { verifyWebhook } from './webhooks.js';
