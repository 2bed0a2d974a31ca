// Headers that tell browsers what an answer may do, as helmet writes them.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { RequestHandler } from 'express'
import helmet, { contentSecurityPolicy, crossOriginResourcePolicy } from 'helmet'

const policy = (directives: Record<string, string[]>) => contentSecurityPolicy({ useDefaults: false, directives })

const self = ["'self'"]
const none = ["'none'"]
// A receipt contains text from untrusted clients, so a page may run and load only the service's own files.
const page = { defaultSrc: self, objectSrc: none, baseUri: none, formAction: self, frameAncestors: none }

export const pagePolicy: RequestHandler = policy(page)

/** The viewers write styles into their pages, and show pictures that they carry as data. */
export const viewerPolicy: RequestHandler = policy({
  ...page,
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
})

const embedded = [policy({ ...page, frameAncestors: ['*'] }), crossOriginResourcePolicy({ policy: 'cross-origin' })]

/** Lets pages of other sites show this one in a frame. */
export const embeddedPolicy: RequestHandler[] = [
  ...embedded,
  (_, res, next) => {
    res.removeHeader('X-Frame-Options')
    next()
  },
]

/**
 * Returns the headers of every answer; a page has another policy of its own. Helmet is asked once, because its handlers
 * would run with every request. `hasTls`: whether browsers may be told to use TLS alone.
 */
export function securityHeaders(hasTls: boolean): readonly (readonly [name: string, value: string])[] {
  const res = new ServerResponse(new IncomingMessage(new Socket()))
  const handle = helmet({
    // Data and errors need nothing. The policy counts where a browser shows them.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: none, baseUri: none, formAction: none, frameAncestors: none },
    },
    xFrameOptions: { action: 'deny' },
    // Programs in browsers call by CORS, to which this does not apply.
    crossOriginResourcePolicy: { policy: 'same-origin' },
    // The host may have other services.
    strictTransportSecurity: hasTls && { includeSubDomains: false },
    // For browsers that nobody uses any more, or without an effect here.
    ...{ originAgentCluster: false, xDnsPrefetchControl: false, xDownloadOptions: false },
    ...{ xPermittedCrossDomainPolicies: false, xXssProtection: false },
  })
  handle(res.req, res, () => undefined)
  return Object.entries(res.getHeaders()).map(([name, value]) => [name, String(value)] as const)
}
