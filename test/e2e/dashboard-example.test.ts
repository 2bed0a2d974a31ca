// The example dashboard, as it is built and served, in a real browser, against a service of another origin that lists
// its trusted documents.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { skipWithoutBrowser, startBrowser } from '../kit/browser.ts'
import { run } from '../kit/clients.ts'
import { apiBeside, type Service, startService } from '../kit/service.ts'

const folder = fileURLToPath(new URL('../../examples/dashboard', import.meta.url))
const bin = (name: string) => fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url))

describe.skipIf(skipWithoutBrowser)('the example dashboard', () => {
  let service: Service
  /** Executes trusted documents alone. */
  let closed: Service
  let key: string
  let site: ReturnType<typeof spawn>
  let address: string
  let browser: Browser
  let page: Page
  const asked: { path: string; body: string }[] = []
  const faults: string[] = []

  const record = async (reference: string, amount = '1.25', currency = 'USDC') =>
    (await service.api.record(key, { reference, amount, currency })).json.receipt_id as string

  beforeAll(async () => {
    for (const command of [
      [bin('@graphql-codegen/cli/cjs/bin.js')],
      [bin('typescript/bin/tsc'), '-p', '.'],
      [bin('vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    ]) {
      const { code, stderr, stdout } = await run(process.execPath, command, { NODE_ENV: 'production' }, folder)
      expect([code, code === 0 ? '' : stderr + stdout]).toEqual([0, ''])
    }
    service = await startService()
    closed = await startService({
      ...apiBeside(service),
      GRAPHQL_DOCUMENTS: 'trusted',
      GRAPHQL_DOCUMENTS_FILE: `${folder}/src/gql/persisted-documents.json`,
    })
    const project = await service.api.project('Corner shop')
    key = project.key
    await service.api.anchored(await record('first order', '10.50'))
    await record('<b>second</b> Счёт 7', '2', 'EURC')
    for (let n = 0; n < 30; n++) await record(`bulk-${n}`)
    site = spawn(process.execPath, ['server.ts'], {
      cwd: folder,
      env: { ...process.env, QUITTANCE_URL: closed.base, QUITTANCE_KEY: key, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (site.stdout === null) throw new Error('no output')
    const lines = createInterface(site.stdout)
    const [line] = await once(lines, 'line')
    address = String(line)
    browser = await startBrowser()
    page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    page.on('console', message => {
      if (message.type() === 'error') faults.push(message.text())
    })
    page.on('pageerror', error => faults.push(String(error)))
    page.on('request', request => {
      if (request.url().startsWith(closed.base) && request.method() === 'POST')
        asked.push({ path: new URL(request.url()).pathname, body: request.postData() ?? '' })
    })
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    if (site?.exitCode === null) {
      site.kill()
      await once(site, 'exit')
    }
    await closed?.stop()
    await service?.stop()
  })

  const list = () => page.getByRole('region', { name: 'Receipts' }).getByRole('row')
  const row = (reference: string) => list().filter({ hasText: reference })
  const tile = (word: string) => page.getByRole('button', { name: word })

  it('paints first with at most 4 requests and 300 units, all by the hash of a trusted document', async () => {
    await page.goto(address)
    await row('bulk-29').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await expect.poll(() => asked.filter(({ path }) => path.endsWith('/stream')).length).toBe(2)
    expect(asked.length).toBeLessThanOrEqual(4)
    const texts = JSON.parse(await readFile(`${folder}/src/gql/persisted-documents.json`, 'utf8'))
    let units = 0
    for (const { body } of asked) {
      const { documentId, variables, query } = JSON.parse(body)
      expect([typeof texts[documentId], query]).toEqual(['string', undefined])
      const dry = { query: texts[documentId], variables, extensions: { dryRun: true } }
      units += (await service.api.call('POST', '/graphql', { key, body: dry })).json.extensions.cost.requested
    }
    console.log(`first paint: ${asked.length} requests, ${units} units`)
    expect(units).toBeLessThanOrEqual(300)
    await expect(page.title()).resolves.toBe('Receipts')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Corner shop')
  })

  it('shows texts of strangers as texts', async () => {
    await page.getByRole('searchbox', { name: 'reference' }).fill('счёт')
    await row('<b>second</b> Счёт 7').waitFor()
    await expect.poll(() => list().count()).toBe(2)
    await page.getByRole('searchbox', { name: 'reference' }).fill('')
    await row('bulk-29').waitFor()
  })

  it('follows what happens, in the list and in the sums', async () => {
    const id = await record('live order', '7')
    await row('live order').waitFor()
    await service.api.anchored(id)
    await row('live order').filter({ hasText: 'anchored' }).waitFor()
    await expect.poll(() => tile('anchored').textContent()).toMatch(/^33/)
    const month = page.getByRole('table', { name: 'USDC by day' })
    await month.getByRole('cell', { name: '55', exact: true }).waitFor()
  })

  it('shows the days of another zone by one request', async () => {
    const before = asked.length
    await page.getByRole('combobox').selectOption('Asia/Kathmandu')
    await expect.poll(() => asked.slice(before).some(({ body }) => body.includes('Asia/Kathmandu'))).toBe(true)
    expect(asked.slice(before).filter(({ path }) => path === '/graphql')).toHaveLength(1)
    const variables = { since: '2026-01-31T18:15:00Z', until: '2026-02-28T18:14:59.999Z' }
    const { extensions } = await service.api.graphql(
      `query ($since: DateTime, $until: DateTime) {
         receiptStats(
           filter: { createdAt: { since: $since, until: $until } }
           by: [{ time: { unit: DAY, timeZone: "Asia/Kathmandu", fill: true } }, { currency: true }], first: 100
         ) { nodes { key { currency time { date } } count sums { gross } } } }`,
      { key, variables },
    )
    expect(extensions.cost.requested).toBeLessThan(100)
  })

  it('filters by status, and reads further pages, from which nothing is lost when receipts are added', async () => {
    await page.getByRole('button', { name: 'Older receipts' }).click()
    await row('first order').waitFor()
    for (let n = 0; n < 4; n++) await record(`later-${n}`)
    await row('later-3').waitFor()
    await expect.poll(() => list().count()).toBe(38)
    await tile('anchored').click()
    await expect.poll(() => list().count()).toBe(26)
    await tile('denied').click()
    await page.getByText('No receipt matches.').waitFor()
    await tile('denied').click()
  })

  it('finds a receipt and shows its details', async () => {
    await page.getByRole('searchbox', { name: 'Search' }).fill('first order')
    await page
      .getByRole('link', { name: /^first order/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'first order' }).waitFor()
    await dialog.getByRole('link', { name: 'evidence.zip' }).waitFor()
    await dialog.getByText('receipt anchored').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('exports what is filtered', async () => {
    await page.getByRole('searchbox', { name: 'reference' }).fill('bulk-')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const text = await readFile(await (await download).path(), 'utf8')
    expect(text.trimEnd().split('\r\n')).toHaveLength(31)
    expect(text).not.toContain('first order')
  })

  it('keeps neither key nor token where another script finds it, and has no fault', async () => {
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(stored).toBe('[{},{},""]')
    expect(await page.content()).not.toMatch(/qt[ks]_/)
    expect(faults).toEqual([])
  })
})
