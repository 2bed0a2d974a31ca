// In a real browser: every page works where a proxy serves this service below a path, together with others.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { skipWithoutBrowser, startBrowser } from '../kit/browser.ts'
import { keptPort } from '../kit/kept-port.ts'
import { type Service, startService } from '../kit/service.ts'

const path = '/money/quittance'

/** Removes the path, as `location /money/quittance/ { proxy_pass http://…/; }` in nginx does; all else is another's. */
const startFront = async (target: number) => {
  const server = createServer((req, res) => {
    if (!req.url?.startsWith(`${path}/`)) return void res.writeHead(418).end()
    const { method, headers } = req
    const sent = request({ port: target, path: req.url.slice(path.length), method, headers }, answer => {
      res.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(res)
    })
    res.on('close', () => sent.destroy())
    sent.on('error', () => res.destroy())
    req.pipe(sent)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

describe.skipIf(skipWithoutBrowser)('behind a proxy that removes the path', () => {
  let service: Service
  let front: Awaited<ReturnType<typeof startFront>>
  let browser: Browser
  let base: string
  let receipt: string
  let troubles: string[]
  beforeAll(async () => {
    const port = await keptPort()
    front = await startFront(port)
    base = `http://127.0.0.1:${(front.address() as AddressInfo).port}${path}`
    service = await startService({ PORT: String(port), PUBLIC_BASE_URL: base })
    const { key } = await service.api.project('Shop')
    receipt = (await service.api.record(key)).json.receipt_id
    await service.api.anchored(receipt)
    browser = await startBrowser()
  })
  afterAll(async () => {
    await Promise.all([browser?.close(), service?.stop()])
    front?.closeAllConnections()
    front?.close()
  })

  async function opened(at: string): Promise<Page> {
    const page = await browser.newPage()
    troubles = []
    // A browser reports what a page’s policy forbids as an error of its console.
    page.on('console', message => message.type() === 'error' && troubles.push(message.text()))
    page.on('pageerror', error => troubles.push(error.message))
    page.on('response', response => response.status() >= 400 && troubles.push(`${response.status()} ${response.url()}`))
    await page.goto(base + at, { waitUntil: 'load' })
    return page
  }

  it('the landing page leads to a receipt', async () => {
    const page = await opened('/')
    await page.getByRole('textbox').fill(receipt)
    await page.keyboard.press('Enter')
    await page.getByText('Complete: anchored').first().waitFor()
    expect(page.url()).toBe(`${base}/ui/receipt.html?rid=${receipt}`)
    expect(troubles).toEqual([])
    await page.close()
  })

  it('a message leads to the file', async () => {
    const page = await opened(`/files/${receipt}/pain001.html`)
    expect(await page.getByRole('link', { name: 'pain001.xml' }).getAttribute('href')).toBe(
      `${base}/files/${receipt}/pain001.xml`,
    )
    await page.getByRole('link', { name: 'Quittance', exact: true }).click()
    await page.waitForURL(`${base}/`)
    expect(troubles).toEqual([])
    await page.close()
  })

  it('GraphiQL knows the schema and gets an answer', async () => {
    const page = await opened('/graphql')
    const editor = page.locator('section[aria-label="Query Editor"] .CodeMirror')
    await editor.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText('query Receipts { __typename }')
    await page.getByRole('button', { name: /^Execute/ }).click()
    await page.getByText('"Query"').waitFor()
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.getByText('Receipt', { exact: false }).first().waitFor()
    expect(troubles).toEqual([])
    await page.close()
  })

  it('the viewer of the OpenAPI document shows and calls it', async () => {
    const page = await opened('/docs')
    await page.getByText('Create an agent of the caller').first().waitFor()
    expect(await page.locator('openapi-explorer').getAttribute('spec-url')).toBe(`${path}/openapi.json`)
    expect(troubles).toEqual([])
    await page.close()
  })
})
