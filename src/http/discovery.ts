// Routes for machine discovery: /llms.txt for language models, and /.well-known/x402 with the paid endpoints.
import { createHash } from 'node:crypto'
import { type RequestHandler, type Response, Router } from 'express'
import { llmsText } from '../discovery/llms.ts'
import { x402Document } from '../discovery/well-known.ts'
import type { App } from '../kit/context.ts'
import { presentOffers } from '../modules/x402/offers.ts'
import { isEtagIn, jsonType } from '../rest/answer.ts'
import { sendFailure } from '../rest/failure.ts'

// In units of the rate limits. Covers reading the prices from the database.
const offersCost = 5

/** `charged(cost)` returns middleware that charges the cost to the caller's rate limit. */
export function discoveryRoutes(
  app: App,
  charged: (cost: number) => RequestHandler,
  isIntrospectable: boolean,
): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const llms = llmsText(app.publicBaseUrl, isIntrospectable)
  router.get('/llms.txt', charged(1), (_, res) => sendCached(res, 'text/plain; charset=utf-8', llms, 3_600))
  router.get(['/.well-known/x402', '/.well-known/x402.json'], charged(offersCost), async (req, res) => {
    try {
      const document = JSON.stringify(x402Document(await presentOffers(app), app.publicBaseUrl))
      sendCached(res, jsonType, document, 60)
    } catch (error) {
      sendFailure(req, res, error, app.log)
    }
  })
  return router
}

function sendCached(res: Response, type: string, text: string, seconds: number): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  res.setHeader('ETag', etag)
  res.setHeader('Cache-Control', `public, max-age=${seconds}`)
  if (isEtagIn(res.req.headers['if-none-match'], etag)) return void res.status(304).end()
  res.type(type).send(text)
}
