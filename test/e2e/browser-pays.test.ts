// A page of another origin buys with the official clients, in a real browser with its real rules for other origins.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { decodePaymentResponseHeader } from '@x402/core/http'
import { JsonRpcProvider } from 'ethers'
import { type Browser, chromium } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createPayer, dollars, type Payer } from '../kit/payer.ts'
import { type Service, startService } from '../kit/service.ts'

const browsers = ['chromium', 'chromium-browser', 'google-chrome']
const found = browsers.find(name => spawnSync(name, ['--version']).status === 0)
if (found === undefined) console.warn(`SKIPPED: no browser here (${browsers.join(', ')}).`)

const entry = fileURLToPath(new URL('../kit/browser-buyer.ts', import.meta.url))
const bundled = z.object({ output: z.tuple([z.object({ code: z.string() })]) })

/** The page's script, of everything that it imports. */
async function scriptOf(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'buyer', fileName: 'buyer' } },
  })
  return bundled.parse(Array.isArray(built) ? built[0] : built).output[0].code
}

describe.skipIf(found === undefined)('a page of another origin', () => {
  let service: Service
  let node: JsonRpcProvider
  let payer: Payer
  let site: http.Server
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    service = await startService()
    node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
    payer = await createPayer(node, service.app.facilitator?.asset ?? '', 1_000_000n)
    const script = await scriptOf()
    site = http.createServer(({ url }, res) => {
      if (url === '/buyer.js') res.writeHead(200, { 'Content-Type': 'text/javascript; charset=utf-8' }).end(script)
      else res.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><script src="/buyer.js"></script>')
    })
    await once(site.listen(0, '127.0.0.1'), 'listening')
    const { port } = site.address() as AddressInfo
    origin = `http://127.0.0.1:${port}`
    const path = spawnSync('sh', ['-c', `command -v ${found}`], { encoding: 'utf8' }).stdout.trim()
    // It asks nobody but this machine.
    const hosts = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'
    const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', hosts]
    browser = await chromium.launch({ executablePath: path, args })
  })
  afterAll(async () => {
    await browser?.close()
    site?.close()
    node?.destroy()
    await service?.stop()
  })

  it.each(['fetch', 'axios'])('pays once with @x402/%s, and reads the answer and its receipt', async by => {
    const page = await browser.newPage()
    const refused: string[] = []
    page.on('console', message => refused.push(message.text()))
    await page.goto(origin)
    const { network = 'eip155:0', asset = '' } = service.app.facilitator ?? {}
    const order = {
      url: `${service.base}/v1/x402/premium/fx-lookup`,
      body: {},
      ...{ network, asset, privateKey: payer.wallet.privateKey },
    }
    const balance = (): Promise<bigint> => dollars(asset, node).getFunction('balanceOf')(payer.address)
    const before = await balance()
    const bought = await page.evaluate(`buy(${JSON.stringify(by)}, ${JSON.stringify(order)})`).catch(error => {
      throw new Error(`${error} ${refused.join('\n')}`)
    })
    expect(bought).toMatchObject({ status: 200, answer: { rate: '50' }, receipt: expect.any(String) })
    const { receipt } = z.object({ receipt: z.string() }).parse(bought)
    expect(decodePaymentResponseHeader(receipt)).toMatchObject({ success: true, payer: expect.any(String) })
    expect(before - (await balance())).toBe(1_000n)
  })
})
