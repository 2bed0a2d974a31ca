// In a real browser: what a page of another origin may read of our API, and which of our pages it may show in a frame.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import openapi from '../../rest/openapi.json' with { type: 'json' }
import { type Site, skipWithoutBrowser, startBrowser, startSite } from '../kit/browser.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

const answer = z.object({ headers: z.record(z.string(), z.unknown()).optional() })
const operation = z.object({ responses: z.record(z.string(), answer) })
const document = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) })

let front: Site
let other: Site
/** Allows every origin, and the origin of `front` alone. */
let open: Service
let closed: Service
let receipt: string
let framed = ''

beforeAll(async () => {
  const html = () => `<!doctype html><title>Shop</title>${framed && `<iframe src="${framed}"></iframe>`}`
  ;[front, other] = await Promise.all([startSite(html), startSite(html)])
  ;[open, closed] = await Promise.all([startService(), startService({ ROLES: 'api', ALLOWED_ORIGINS: front.origin })])
  const { key } = await open.api.project('Shop')
  receipt = (await open.api.record(key)).json.receipt_id
  await open.api.anchored(receipt)
})
afterAll(async () => {
  await Promise.all([open?.stop(), closed?.stop(), front?.stop(), other?.stop()])
})

const htmlPages = () => [
  '/',
  '/docs',
  `/ui/receipt.html?rid=${receipt}`,
  `/files/${receipt}/pain001.html`,
  // Sent with a browser's Accept header.
  '/graphql',
]

describe('without a browser', () => {
  it('no page except the embed may be shown in another site’s frame', async () => {
    for (const path of htmlPages()) {
      const { headers, status } = await open.api.call('GET', path, { headers: { Accept: 'text/html' } })
      expect([path, status, headers.get('x-frame-options')]).toEqual([path, 200, 'DENY'])
      expect(headers.get('content-type')).toContain('text/html')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
    const { headers } = await open.api.call('GET', `/ui/embed.html?rid=${receipt}`)
    expect(headers.get('x-frame-options')).toBeNull()
    expect(headers.get('content-security-policy')).toContain('frame-ancestors *')
  })

  it('every header in the OpenAPI document can be read from another origin', async () => {
    const { headers } = await open.api.call('GET', '/livez')
    const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ')
    const answers = Object.values(document.parse(openapi).paths).flatMap(path =>
      Object.values(path).flatMap(({ responses }) => Object.values(responses)),
    )
    const named = new Set(answers.flatMap(({ headers = {} }) => Object.keys(headers)))
    expect(exposed).toEqual(expect.arrayContaining([...named].map(name => name.toLowerCase())))
  })

  it('OPTIONS answers a preflight; without one it names the methods of the path', async () => {
    const asked = async (headers: Record<string, string>) => {
      const answer = await open.api.call('OPTIONS', '/v1/ping', { headers })
      return [
        answer.status,
        answer.headers.get('access-control-allow-methods')?.includes('PUT'),
        answer.headers.get('allow'),
      ]
    }
    expect(await asked({ Origin: other.origin, 'Access-Control-Request-Method': 'GET' })).toEqual([204, true, null])
    expect((await asked({ Origin: other.origin })).at(-1)).toBe('GET, HEAD, OPTIONS')
  })

  it.each(['/v1/ping', '/graphql?query={ping}', '/nowhere'])('%s allows the configured origins alone', async path => {
    const asked = async (service: Service, Origin: string) => {
      const { headers } = await service.api.call('GET', path, { headers: { Origin, Accept: 'application/json' } })
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      return [headers.get('access-control-allow-origin'), headers.get('vary')?.includes('Origin') ?? false]
    }
    expect(await asked(closed, front.origin)).toEqual([front.origin, true])
    expect(await asked(closed, other.origin)).toEqual([null, true])
    expect(await asked(closed, `${front.origin}0`)).toEqual([null, true])
    expect(await asked(open, other.origin)).toEqual(['*', false])
  })
})

describe.skipIf(skipWithoutBrowser)('a page of another origin in Chromium', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await startBrowser()
    page = await browser.newPage()
  })
  afterAll(() => browser?.close())

  /** Sends a request from the page; returns the answer, or the browser's error. */
  const ask = async (
    from: Site,
    url: string,
    init: { method: string; headers: Record<string, string>; body?: string },
  ) => {
    framed = ''
    await page.goto(from.origin)
    return page.evaluate(
      async ([url, init]) => {
        try {
          const response = await fetch(url, init)
          return { status: response.status, key: response.headers.get('X-API-Key'), text: await response.text() }
        } catch (error) {
          return String(error)
        }
      },
      [url, init] as const,
    )
  }

  const mint = async (from: Site, service: Service) => {
    const { key } = await service.api.project('Front')
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() }
    return ask(from, `${service.base}/v1/auth/api-keys`, { method: 'POST', headers, body: '{"label":"front"}' })
  }
  const me = (from: Site, service: Service, key: string) =>
    ask(from, `${service.base}/v1/auth/me`, { method: 'GET', headers: { 'X-API-Key': key } })
  const viaGraphql = (from: Site, service: Service) =>
    ask(from, `${service.base}/graphql`, {
      method: 'POST',
      headers: { 'X-API-Key': adminKey, 'Content-Type': 'application/json' },
      body: '{"query":"{ me { role } }"}',
    })

  it('reads the API key that it has minted, and uses it', async () => {
    for (const service of [open, closed]) {
      const minted = await mint(front, service)
      expect(minted).toMatchObject({ status: 200, key: expect.stringMatching(/^qtk_/) })
      const key = typeof minted === 'string' ? '' : (minted.key ?? '')
      expect(await me(front, service, key)).toMatchObject({ status: 200, text: expect.stringContaining('"project"') })
      expect(await viaGraphql(front, service)).toMatchObject({ status: 200, text: expect.stringContaining('ADMIN') })
    }
  })

  it('reads nothing where another origin is configured', async () => {
    expect(await me(other, closed, adminKey)).toMatch(/^TypeError/)
    expect(await viaGraphql(other, closed)).toMatch(/^TypeError/)
    expect(await viaGraphql(other, open)).toMatchObject({ status: 200 })
  })

  it('shows the embed in a frame, and no other page', async () => {
    const shown = async (path: string) => {
      framed = open.base + path
      await page.goto(front.origin, { waitUntil: 'load' })
      const [frame] = page.mainFrame().childFrames()
      return (await frame?.locator('body').textContent()) ?? ''
    }
    await expect.poll(() => shown(`/ui/embed.html?rid=${receipt}`)).toMatch(/anchored/i)
    expect(await shown(`/ui/embed.html?rid=${receipt}`)).toContain('not checked on its chain')
    for (const path of htmlPages()) {
      await shown(path)
      expect([path, page.mainFrame().childFrames()[0]?.url()]).toEqual([path, expect.stringContaining('chrome-error:')])
    }
  })
})
