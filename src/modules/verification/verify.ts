// Verification as the service does it: gets the bundle, then runs the checks against our key set and the chains.
import { z } from 'zod'
import { hash32, httpUrl } from '../../core/text.ts'
import type { App } from '../../kit/context.ts'
import { readFile } from '../artifacts/read-file.ts'
import { signingKeys } from '../evidence/keys.ts'
import { runChecks, type Verification } from './checks.ts'
import { placesOf } from './places.ts'
import { portsOf } from './ports-of.ts'

export const locators = z
  .strictObject({
    bundleUrl: httpUrl.nullish().describe('Where the evidence ZIP is.'),
    bundleHash: hash32.nullish().describe('The expected SHA-256 of the ZIP, 0x-prefixed.'),
    txid: hash32.nullish().describe('The anchor transaction, 0x-prefixed.'),
  })
  .meta({
    graphql: 'VerifyLocator',
    description: 'What is to be verified: at least one of its members, which must agree.',
  })

export type Locators = z.output<typeof locators>

export const oneAtLeast = locators.refine(({ bundleUrl, bundleHash, txid }) => bundleUrl || bundleHash || txid, {
  error: 'Give at least one of bundle_url, bundle_hash and txid.',
  params: { type: 'missing' },
})

// A bundle is a few kilobytes; its longest texts make it some tens.
const limits = { maxBytes: 4 * 1024 * 1024, timeoutMs: 10_000 }
const ownFile = /^\/files\/([0-9a-f-]{36})\/([A-Za-z0-9._-]{1,100})$/i

async function run(app: App, { bundleUrl, bundleHash, txid }: Locators): Promise<Verification> {
  const [bundle, keys] = await Promise.all([bundleUrl ? readBundle(app, bundleUrl) : null, signingKeys(app)])
  const subject = { bundle, expectedHash: bundleHash ?? null, txid: txid ?? null, keys }
  return runChecks(subject, portsOf(app))
}

/** Errors: `too_many_requests`. */
export const verify = (app: App, given: Locators): Promise<Verification> => placesOf(app).now(() => run(app, given))

/** The same for whoever has paid: it waits for a place. */
export const verifyInTurn = (app: App, given: Locators): Promise<Verification> =>
  placesOf(app).inTurn(() => run(app, given))

/** Our own files are read directly; anything else is fetched with care. */
async function readBundle(app: App, url: string): Promise<Buffer | 'unavailable'> {
  if (url.startsWith(`${app.publicBaseUrl}/`)) {
    const [, receiptId, name] = ownFile.exec(url.slice(app.publicBaseUrl.length)) ?? []
    const file = receiptId && name ? await readFile(app, receiptId.toLowerCase(), name).catch(() => null) : null
    return file?.content ?? 'unavailable'
  }
  return (await app.fetchPublic(url, limits)) ?? 'unavailable'
}
