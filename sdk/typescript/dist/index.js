export { Quittance } from './client.js';
export { BundleMismatch, ConnectionFailed, QuittanceError, ReceiptFailed, WebhookNotVerified } from './errors.js';
export { verifyWebhook } from './webhooks.js';
