// CORS: which origins may call the service and read its responses.
import cors from 'cors'
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
  'Content-Range',
  'Accept-Ranges',
  'WWW-Authenticate',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
  'Receipt-Matched-By',
  'Receipt-Differs',
  'Quittance-Notice',
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
].join(', ')

/**
 * `allowed`: the origins that may call; null allows any. Browser credentials are never allowed: an API key travels in a
 * header that no browser adds by itself.
 */
export function crossOrigin(allowed: readonly string[] | null): RequestHandler {
  const options = {
    origin: allowed === null ? '*' : [...allowed],
    methods: 'GET, HEAD, POST, PUT, DELETE',
    // Access-Control-Expose-Headers is no request header, but official clients of x402 send it with a payment.
    allowedHeaders:
      'Content-Type, Authorization, X-API-Key, X-Request-ID, Idempotency-Key, Last-Event-ID, X-GraphQL-Event-Stream-Token, MCP-Protocol-Version, Mcp-Method, Mcp-Name, PAYMENT-SIGNATURE, Access-Control-Expose-Headers',
    exposedHeaders: exposed,
    maxAge: 86_400,
  }
  const answered = cors(options)
  const passedOn = cors({ ...options, preflightContinue: true })
  return (req, res, next) => {
    if (allowed === null && req.method !== 'OPTIONS') {
      // The headers that `cors` would set, at a tenth of the time.
      res.setHeader('Access-Control-Allow-Origin', '*')
      res.setHeader('Access-Control-Expose-Headers', exposed)
      return next()
    }
    // An OPTIONS request that is no preflight asks for the methods of a path, which the router answers.
    const handle = req.headers['access-control-request-method'] === undefined ? passedOn : answered
    handle(req, res, next)
  }
}
