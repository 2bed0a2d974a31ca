// Routes of the web pages and of the OpenAPI document.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Request, type RequestHandler, Router } from 'express'
import webhooks from '../../rest/webhooks.json' with { type: 'json' }
import { uuid } from '../core/text.ts'
import { schema } from '../graphql/schema.ts'
import { printedSchema } from '../graphql/sdl.ts'
import { constant } from './constant.ts'
import { embeddedPolicy, pagePolicy, viewerPolicy } from './security-headers.ts'

const pages = fileURLToPath(new URL('../web/', import.meta.url))
const apiPages = fileURLToPath(new URL('../api-pages/', import.meta.url))

/** False where the scripts of the pages were not made at install, because the development packages were missing. */
export const hasApiPages = existsSync(`${apiPages}dist/docs.js`)

/** `openapi`: the OpenAPI document as JSON text. `basePath`: that of PUBLIC_BASE_URL, without a slash at its end. */
export function pageRoutes(
  charged: (cost: number) => RequestHandler,
  openapi: string,
  basePath: string,
  isIntrospectable: boolean,
): Router {
  const router = Router()
  const page = pageUnder(basePath)
  router.get(
    '/openapi.json',
    charged(1),
    constant('json', () => openapi),
  )
  router.get(
    '/webhooks.json',
    charged(1),
    constant('json', () => JSON.stringify(webhooks)),
  )
  if (hasApiPages) {
    router.get('/docs', charged(1), viewerPolicy, page(`${apiPages}docs.html`))
    // Scripts are charged more than pages, because they are large and any caller may request them.
    router.get('/docs/docs.js', charged(20), bundled('docs.js'))
    router.get('/graphql/graphiql.js', charged(20), bundled('graphiql.js'))
    router.get('/graphql/graphiql.css', charged(1), bundled('graphiql.css'))
  }
  if (isIntrospectable)
    router.get(
      '/graphql/schema.graphql',
      charged(1),
      constant('text', () => printedSchema(schema)),
    )
  // A link with a wrong id opens the page too, because it says in words what is wrong.
  router.get('/receipt/:rid', ...withoutReceipt(charged(1), basePath))
  for (const name of ['receipt.html', 'landing.html', 'page.css', 'receipt.js', 'icon.svg'])
    router.get(`/ui/${name}`, charged(1), pagePolicy, page(`${pages}${name}`))
  router.get('/ui/embed.html', charged(1), ...embeddedPolicy, page(`${pages}embed.html`))
  router.get('/', charged(1), pagePolicy, page(`${pages}landing.html`))
  return router
}

/** Sends a file of the service, in whose HTML each link to the service begins with the path of PUBLIC_BASE_URL. */
const pageUnder = (basePath: string) => (file: string) =>
  constant(extname(file), async () => {
    const text = await readFile(file, 'utf8')
    return file.endsWith('.html') ? text.replace(/(?<= (?:href|src|action|spec-url)=")(?=\/)/g, basePath) : text
  })

const withoutReceipt = (charged: RequestHandler, basePath: string): RequestHandler[] => [
  (req, _, next) => next(asksForPage(req) && !uuid.safeParse(req.params.rid).success ? undefined : 'route'),
  charged,
  (req, res) => res.redirect(307, `${basePath}/ui/receipt.html?rid=${encodeURIComponent(String(req.params.rid))}`),
]

/** Sends a file that was made at install. */
const bundled = (name: string): RequestHandler[] => [
  (_, res, next) => {
    res.setHeader('Cache-Control', 'public, max-age=86400')
    next()
  },
  constant(extname(name), () => readFile(`${apiPages}dist/${name}`, 'utf8')),
]

/** Whether a request is that of a browser which opens a page. */
export const asksForPage = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false)

/** Sends the page of GraphiQL. */
export function graphiqlPage(basePath: string): RequestHandler {
  const send = pageUnder(basePath)(`${apiPages}graphiql.html`)
  return (req, res, next) => {
    res.vary('Accept').setHeader('Cache-Control', 'public, max-age=3600')
    viewerPolicy(req, res, () => send(req, res, next))
  }
}
