// Routes of the web pages and of the OpenAPI document.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import { printSchema } from 'graphql'
import { uuid } from '../core/text.ts'
import { schema } from '../graphql/schema.ts'
import { compressed } from './compressed.ts'

const pages = fileURLToPath(new URL('../web/', import.meta.url))
const apiPages = fileURLToPath(new URL('../api-pages/', import.meta.url))

// A receipt contains text from untrusted clients, so a page may run and load only the service's own files.
const ownFiles = "default-src 'self'"

/** Forbids other sites to show this page in a frame, where people would take it for a part of that site. */
function withoutFrames(res: Response, policy?: string): void {
  res.setHeader('Content-Security-Policy', [...(policy ? [policy] : []), "frame-ancestors 'none'"].join('; '))
  res.setHeader('X-Frame-Options', 'DENY')
}

/** False where the scripts of the pages were not made at install, because the development packages were missing. */
export const hasApiPages = existsSync(`${apiPages}dist/docs.js`)

/** `openapi`: the OpenAPI document as JSON text. */
export function pageRoutes(
  charged: (cost: number) => RequestHandler,
  openapi: string,
  isIntrospectable: boolean,
): Router {
  const router = Router()
  router.get(
    '/openapi.json',
    charged(1),
    compressed('json', () => openapi),
  )
  if (hasApiPages) {
    router.get('/docs', charged(1), (_, res) => {
      withoutFrames(res)
      res.sendFile('docs.html', { root: apiPages })
    })
    // Scripts are charged more than pages, because they are large and any caller may request them.
    router.get('/docs/docs.js', charged(20), bundled('docs.js'))
    router.get('/graphql/graphiql.js', charged(20), bundled('graphiql.js'))
    router.get('/graphql/graphiql.css', charged(1), bundled('graphiql.css'))
  }
  if (isIntrospectable)
    router.get(
      '/graphql/schema.graphql',
      charged(1),
      compressed('text', () => printSchema(schema)),
    )
  // A link with a wrong id opens the page too, because it says in words what is wrong.
  router.get('/receipt/:rid', ...withoutReceipt(charged(1)))
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

const withoutReceipt = (charged: RequestHandler): RequestHandler[] => [
  (req, _, next) => next(asksForPage(req) && !uuid.safeParse(req.params.rid).success ? undefined : 'route'),
  charged,
  (req, res) => res.redirect(307, `/ui/receipt.html?rid=${encodeURIComponent(String(req.params.rid))}`),
]

/** Sends a file that was made at install. */
const bundled = (name: string): RequestHandler[] => [
  (_, res, next) => {
    res.setHeader('Cache-Control', 'public, max-age=86400')
    next()
  },
  compressed(extname(name), () => readFile(`${apiPages}dist/${name}`, 'utf8')),
]

/** Whether a request is that of a browser which opens a page. */
export const asksForPage = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false)

export function sendGraphiql(res: Response): void {
  withoutFrames(res)
  res.vary('Accept').sendFile('graphiql.html', { root: apiPages, maxAge: '1h' })
}
