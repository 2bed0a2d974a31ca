// CORS: which origins may call the service and read its responses.
import type { RequestHandler } from 'express'

/** Response headers that clients read and browsers do not expose by default; a new raw API key is in a header only. */
const exposed = [
  'X-Request-ID',
  'X-API-Key',
  'Retry-After',
  'Location',
  'ETag',
  'Allow',
  'Content-Disposition',
  'WWW-Authenticate',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
  'Receipt-Matched-By',
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
].join(', ')

/**
 * `allowed`: the origins that may call; null allows any. Browser credentials are never allowed: an API key travels in a
 * header that no browser adds by itself.
 */
export function crossOrigin(allowed: readonly string[] | null): RequestHandler {
  return (req, res, next) => {
    res.setHeader('X-Content-Type-Options', 'nosniff')
    const { origin } = req.headers
    if (allowed !== null) res.vary('Origin')
    const shown = allowed === null ? '*' : allowed.find(one => one === origin)
    if (shown !== undefined) {
      res.setHeader('Access-Control-Allow-Origin', shown)
      res.setHeader('Access-Control-Expose-Headers', exposed)
    }
    if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return next()
    if (shown !== undefined) {
      res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, DELETE')
      // Access-Control-Expose-Headers is no request header, but official clients of x402 send it with a payment.
      res.setHeader(
        'Access-Control-Allow-Headers',
        'Content-Type, Authorization, X-API-Key, X-Request-ID, Idempotency-Key, Last-Event-ID, X-GraphQL-Event-Stream-Token, MCP-Protocol-Version, Mcp-Method, Mcp-Name, PAYMENT-SIGNATURE, Access-Control-Expose-Headers',
      )
      res.setHeader('Access-Control-Max-Age', '86400')
    }
    res.status(204).end()
  }
}
