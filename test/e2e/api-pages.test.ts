// GraphiQL and the viewer of the OpenAPI document: how much their first paint loads, and in a real browser what they
// do.
import { get } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { skipWithoutBrowser, startBrowser } from '../kit/browser.ts'
import { type Service, startService } from '../kit/service.ts'

/** The bytes that a browser loads for the first paint of each page. */
const loaded = {
  '/graphql': ['/graphql', '/graphql/graphiql.css', '/graphql/graphiql.js', '/graphql/schema.graphql', '/ui/icon.svg'],
  '/docs': ['/docs', '/docs/docs.js', '/openapi.json', '/ui/icon.svg'],
}
const most = 400_000

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

/** Returns the size of a body as it is sent to a browser. */
const sent = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { Accept: 'text/html,*/*', 'Accept-Encoding': 'gzip, deflate, br' }
    get(service.base + path, { headers }, response => {
      let bytes = 0
      response.on('data', chunk => (bytes += chunk.length))
      response.on('end', () => (response.statusCode === 200 ? resolve(bytes) : reject(response.statusCode)))
    }).on('error', reject)
  })

it.each(Object.entries(loaded))('the first paint of %s loads less than 400 KB', async (_, paths) => {
  const sizes = await Promise.all(paths.map(sent))
  expect(sizes.reduce((sum, bytes) => sum + bytes)).toBeLessThan(most)
})

it('a client that cannot decompress gets the same script', async () => {
  const asked = async (encoding: string) => {
    const headers = { 'Accept-Encoding': encoding }
    const response = await fetch(`${service.base}/graphql/graphiql.css`, { headers })
    return [response.headers.get('content-encoding'), await response.text()]
  }
  const [, plain] = await asked('gzip')
  expect([await asked('br'), await asked('identity')]).toEqual([
    ['br', plain],
    [null, plain],
  ])
})

describe.skipIf(skipWithoutBrowser)('in Chromium', () => {
  let browser: Browser
  let page: Page
  let requested: Set<string>
  let errors: string[]
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    page = await browser.newPage()
    requested = new Set()
    errors = []
    page.on('request', request => requested.add(request.url().replace(service.base, '')))
    page.on('pageerror', error => errors.push(error.message))
    page.on('console', message => {
      if (/content security policy/i.test(message.text())) errors.push(message.text())
    })
    return () => page.close()
  })

  it.each(Object.entries(loaded))('%s loads these files and no other', async (path, paths) => {
    await page.goto(service.base + path, { waitUntil: 'networkidle' })
    // A slow machine runs the page's script for longer than the network has to be idle.
    await expect.poll(() => [...requested].filter(url => !url.startsWith('data:')).sort()).toEqual(paths)
    expect(errors).toEqual([])
  })

  it('GraphiQL sends the key, follows a subscription, and finds a type by its name', async () => {
    const { key } = await service.api.project()
    await page.goto(`${service.base}/graphql`)
    const editor = (name: string) => page.locator(`section[aria-label="${name}"] .CodeMirror:visible`)
    const write = async (name: string, text: string) => {
      await editor(name).click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(text)
    }
    const execute = page.getByRole('button', { name: /^(Execute|Stop)/ })
    const result = editor('Result Window')
    await page.getByRole('button', { name: 'Headers' }).click()
    await write('Headers', JSON.stringify({ 'X-API-Key': key }))
    // Named like the example: GraphiQL notices only after a moment that the operation has another name.
    await write('Query Editor', 'query Receipts { me { role } }')
    await execute.click()
    await result.getByText('"project_admin"').waitFor()
    await write('Query Editor', 'subscription Receipts { receiptChanged { receipt { id } } }')
    const [stream] = await Promise.all([page.waitForResponse(/\/graphql\/stream$/), execute.click()])
    expect(stream.headers()['content-type']).toContain('text/event-stream')
    const { json } = await service.api.record(key)
    await result.getByText(json.receipt_id).waitFor()
    await execute.click()
    await page.getByRole('button', { name: /Documentation Explorer/ }).click()
    await page.getByRole('combobox').pressSequentially('anchor')
    await page.getByRole('option', { name: 'AnchorStatus', exact: true }).click()
    await page.getByText('external').first().waitFor()
    expect(errors).toEqual([])
  })

  it('/docs shows the curl line of an operation', async () => {
    await page.goto(`${service.base}/docs#?route=post-/v1/iso/verify`)
    await page.getByText(`curl -X POST "${service.base}/v1/iso/verify"`).waitFor()
    expect(errors).toEqual([])
  })
})
