// Ten tabs of one browser follow receipts over one connection, by the SharedWorker of docs/graphql.md, over HTTP/1.1
// and with two processes behind a proxy: with a connection for each tab, the seventh would get no answer.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { skipWithoutBrowser, startBrowser } from '../kit/browser.ts'
import { type RoundRobin, startRoundRobin } from '../kit/round-robin.ts'
import { startTwoProcesses, type TwoProcesses } from '../kit/two-processes.ts'

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }

let world: TwoProcesses
let proxy: RoundRobin
let folder: string
let site: Server
let browser: Browser
let context: BrowserContext
let sessions = 0

beforeAll(async () => {
  if (skipWithoutBrowser) return
  world = await startTwoProcesses()
  proxy = await startRoundRobin([world.one.base, world.two.base])
  folder = await mkdtemp(join(tmpdir(), 'quittance-tabs-'))
  site = createServer(async ({ url = '' }, res) => {
    if (url === '/session') {
      sessions += 1
      const query = 'mutation { createSession(input: { role: VIEWER }) { token session { id expiresIn } } }'
      const { data } = await world.one.api.graphql(query, { key: world.project.key })
      return res.end(JSON.stringify(data.createSession))
    }
    const content = await readFile(join(folder, url)).catch(() => null)
    res.writeHead(content ? 200 : 404, { 'Content-Type': types[extname(url)] ?? 'text/plain' }).end(content)
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  await build({
    root: fileURLToPath(new URL('../clients/dashboard', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    define: {
      'process.env.QUITTANCE_URL': JSON.stringify(proxy.url),
      'process.env.SITE_URL': JSON.stringify(origin()),
    },
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, target: 'esnext', rolldownOptions: { input: 'tab-page.html' } },
  })
  browser = await startBrowser()
  context = await browser.newContext()
})
afterAll(async () => {
  await browser?.close()
  site?.closeAllConnections()
  site?.close()
  await proxy?.stop()
  await world?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const origin = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}`
const record = (reference: string) => world.one.api.record(world.project.key, { reference })
const count = (method: string) => proxy.sent.filter(each => each.method === method).length
const titles = (tabs: Page[]) => Promise.all(tabs.map(tab => tab.title()))

it.skipIf(skipWithoutBrowser)('ten tabs share one connection, and each ends its subscriptions', async () => {
  const tabs: Page[] = []
  for (let index = 0; index < 10; index++) {
    const tab = await context.newPage()
    await tab.goto(`${origin()}/tab-page.html`)
    tabs.push(tab)
  }
  // Each tab has read its list.
  await expect.poll(() => titles(tabs)).toEqual(Array(10).fill('1'))
  await record('first')
  await expect.poll(() => titles(tabs)).toEqual(Array(10).fill('1 first'))
  expect([count('PUT'), count('GET')]).toEqual([1, 1])

  // The tab that the worker would ask for the next session is among them.
  for (const tab of tabs.splice(6)) await tab.close()
  await expect.poll(() => count('DELETE')).toBe(4)

  // The connection is cut, and the worker asks a tab that is left.
  const before = sessions
  const opened = count('GET')
  await world.one.app.pool.query('update sessions set revoked_at = now()')
  await expect.poll(() => sessions).toBeGreaterThan(before)
  await expect.poll(() => count('GET') - opened).toBe(1)
  await record('second')
  await expect.poll(() => titles(tabs)).toEqual(Array(6).fill('1 first second'))
  expect(count('GET') - opened).toBe(1)
})
