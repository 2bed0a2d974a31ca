// Verification as the service does it: gets the bundle, then runs the checks against our key set and the chains.
import type { App } from '../../kit/context.ts'
import { readFile } from '../artifacts/read-file.ts'
import { signingKeys } from '../evidence/keys.ts'
import { runChecks, type Verification } from './checks.ts'
import { oneOfFew } from './one-of-few.ts'
import { portsOf } from './ports-of.ts'

type Locators = {
  bundleUrl?: string | null | undefined
  bundleHash?: string | null | undefined
  txid?: string | null | undefined
}

// A bundle is a few kilobytes; its longest texts make it some tens.
const limits = { maxBytes: 4 * 1024 * 1024, timeoutMs: 10_000 }
const ownFile = /^\/files\/([0-9a-f-]{36})\/([A-Za-z0-9._-]{1,100})$/i

/** Errors: `too_many_requests`. */
export const verify = (app: App, { bundleUrl, bundleHash, txid }: Locators): Promise<Verification> =>
  oneOfFew(async () => {
    const [bundle, keys] = await Promise.all([bundleUrl ? readBundle(app, bundleUrl) : null, signingKeys(app)])
    const subject = { bundle, expectedHash: bundleHash ?? null, txid: txid ?? null, keys }
    return runChecks(subject, portsOf(app))
  })

/** Our own files are read directly; anything else is fetched with care. */
async function readBundle(app: App, url: string): Promise<Buffer | 'unavailable'> {
  if (url.startsWith(`${app.publicBaseUrl}/`)) {
    const [, receiptId, name] = ownFile.exec(url.slice(app.publicBaseUrl.length)) ?? []
    const file = receiptId && name ? await readFile(app, receiptId.toLowerCase(), name).catch(() => null) : null
    return file?.content ?? 'unavailable'
  }
  return (await app.fetchPublic(url, limits)) ?? 'unavailable'
}
