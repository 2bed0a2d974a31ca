// Routes of the web pages and of the OpenAPI document.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import express, { type RequestHandler, type Response, Router } from 'express'

const pages = fileURLToPath(new URL('../web/', import.meta.url))
const scalar = createRequire(import.meta.url)
  .resolve('@scalar/api-reference')
  .replace(/dist\/.*$/, 'dist/browser/standalone.js')

// A receipt contains text from untrusted clients, so a page may run and load only the service's own files.
const ownFiles = "default-src 'self'"

/** Forbids other sites to show this page in a frame, where people would take it for a part of that site. */
export function withoutFrames(res: Response, policy?: string): void {
  res.setHeader('Content-Security-Policy', [...(policy ? [policy] : []), "frame-ancestors 'none'"].join('; '))
  res.setHeader('X-Frame-Options', 'DENY')
}

/** `openapi`: the OpenAPI document as JSON text. */
export function pageRoutes(charged: (cost: number) => RequestHandler, openapi: string): Router {
  const router = Router()
  router.get('/openapi.json', charged(1), (_, res) => void res.type('json').send(openapi))
  router.get('/docs', charged(1), (_, res) => {
    withoutFrames(res)
    res.type('html').send(docsPage)
  })
  router.get('/docs/scalar.js', charged(20), (_, res) => res.sendFile(scalar, { maxAge: '1d' }))
  const setHeaders = (res: Response, path: string) => {
    if (path.endsWith('/embed.html')) res.setHeader('Content-Security-Policy', ownFiles)
    else withoutFrames(res, ownFiles)
  }
  router.use('/ui', charged(1), express.static(pages, { index: false, redirect: false, setHeaders }))
  router.get('/', charged(1), (_, res) => {
    withoutFrames(res, ownFiles)
    res.sendFile('landing.html', { root: pages })
  })
  return router
}

// Features that call the cloud of Scalar, which makes these pages, stay off.
const docsSettings = {
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
}

const docsPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Quittance API</title></head>
<body><script id="api-reference" data-url="/openapi.json" data-configuration='${JSON.stringify(docsSettings)}'></script><script src="/docs/scalar.js"></script></body></html>
`
