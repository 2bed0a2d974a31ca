// The common part of the baselines: an Express application with the response headers of the service.
import { randomUUID } from 'node:crypto'
import express, { type Express } from 'express'

const browserHeaders = [
  ['Content-Security-Policy', "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'"],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
] as const

export function floorApp(): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.use((_req, res, next) => {
    res.setHeader('X-Request-ID', randomUUID())
    res.setHeader('Access-Control-Allow-Origin', '*')
    res.setHeader(
      'Access-Control-Expose-Headers',
      'X-Request-ID, Retry-After, Location, ETag, RateLimit, RateLimit-Policy, Idempotency-Replayed',
    )
    res.setHeader('RateLimit-Policy', '"address";q=1000000000;w=60')
    res.setHeader('RateLimit', '"address";r=1000000000;t=60')
    res.setHeader('Cache-Control', 'no-store')
    for (const [name, value] of browserHeaders) res.setHeader(name, value)
    next()
  })
  return app
}

/** Listens, and prints the URL that bench/kit.ts waits for. */
export function listening(app: Express): void {
  const server = app.listen(Number(process.env.PORT), '127.0.0.1', () => {
    const address = server.address()
    console.log(`REST http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  })
  process.on('SIGTERM', () => process.exit(0))
}
