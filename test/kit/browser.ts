// Starts a real browser, where the machine has one, and pages of other origins for it.
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium } from 'playwright-core'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

export const skipWithoutBrowser = executablePath === undefined
if (skipWithoutBrowser) console.warn('SKIPPED: no Chromium here (chromium or google-chrome in /usr/bin).')

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath && { executablePath }),
    args: [
      // The browser's sandbox cannot start as root.
      '--no-sandbox',
      // The browser resolves no host but this machine.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      ...['--disable-quic', '--disable-background-networking', '--disable-component-update'],
    ],
  })

export type Site = { origin: string; stop(): Promise<void> }

/** Starts an origin of its own that answers every path with this page. */
export async function startSite(html: () => string): Promise<Site> {
  const server = createServer((_, res) => res.setHeader('Content-Type', 'text/html; charset=utf-8').end(html()))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
