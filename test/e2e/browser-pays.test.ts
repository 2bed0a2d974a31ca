// A page of another origin buys with the official clients, in a real browser that enforces CORS.
import { fileURLToPath } from 'node:url'
import { decodePaymentResponseHeader } from '@x402/core/http'
import { JsonRpcProvider } from 'ethers'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Site, skipWithoutBrowser, startBrowser, startSite } from '../kit/browser.ts'
import { createPayer, dollars, type Payer } from '../kit/payer.ts'
import { type Service, startService } from '../kit/service.ts'

const entry = fileURLToPath(new URL('../kit/browser-buyer.ts', import.meta.url))
const bundled = z.object({ output: z.tuple([z.object({ code: z.string() })]) })

/** Bundles the page's script with everything that it imports. */
async function scriptOf(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'buyer', fileName: 'buyer' } },
  })
  return bundled.parse(Array.isArray(built) ? built[0] : built).output[0].code
}

describe.skipIf(skipWithoutBrowser)('a page of another origin', () => {
  let service: Service
  let node: JsonRpcProvider
  let payer: Payer
  let site: Site
  let browser: Browser
  beforeAll(async () => {
    service = await startService()
    node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
    payer = await createPayer(node, service.app.facilitator?.asset ?? '', 1_000_000n)
    const script = (await scriptOf()).replaceAll('</script', '<\\/script')
    site = await startSite(() => `<!doctype html><script>${script}</script>`)
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.stop()
    node?.destroy()
    await service?.stop()
  })

  it.each(['fetch', 'axios'])('pays once with @x402/%s, and reads the answer and its settlement receipt', async by => {
    const page = await browser.newPage()
    const refused: string[] = []
    page.on('console', message => refused.push(message.text()))
    await page.goto(site.origin)
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
