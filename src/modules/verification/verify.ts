// Verification in the service: fetches the bundle, then runs the checks against our key set and the chains.
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { hash32, httpUrl } from '../../core/text.ts'
import type { Context } from '../../kit/context.ts'
import { readFile } from '../artifacts/read-file.ts'
import { signingKeys } from '../evidence/keys.ts'
import { runChecks, type Verification } from './checks.ts'
import { portsOf } from './ports-of.ts'
import { semaphoreOf } from './semaphore.ts'

export const locators = z
  .strictObject({
    bundleUrl: httpUrl.nullish().describe('URL of the evidence ZIP.'),
    bundleHash: hash32.nullish().describe('The expected SHA-256 of the ZIP, 0x-prefixed.'),
    anchorTx: hash32
      .nullish()
      .describe(
        'The anchor transaction, 0x-prefixed. Given alone, it means the bundle of the caller’s project in it; `bundle_hash_ambiguous` unless that is one.',
      ),
  })
  .meta({
    graphql: 'VerifyLocator',
    minProperties: 1,
    description: 'The evidence to verify: at least one of the members; all given members must agree.',
  })

export type Locators = z.output<typeof locators>

export const oneAtLeast = locators.refine(
  ({ bundleUrl, bundleHash, anchorTx }) => bundleUrl || bundleHash || anchorTx,
  {
    error: 'Give at least one of bundle_url, bundle_hash and txid.',
    params: { type: 'missing' },
  },
)

// A bundle has a few kilobytes; with the longest texts it has some tens of kilobytes.
const limits = { maxBytes: 4 * 1024 * 1024, timeoutMs: 10_000 }
const ownFile = /^\/files\/([0-9a-f-]{36})\/([A-Za-z0-9._-]{1,100})$/i

async function run(context: Context, { bundleUrl, bundleHash, anchorTx }: Locators): Promise<Verification> {
  const [bundle, keys] = await Promise.all([bundleUrl ? readBundle(context, bundleUrl) : null, signingKeys(context)])
  const subject = { bundle, expectedHash: bundleHash ?? null, txid: anchorTx ?? null, keys }
  return runChecks(subject, portsOf(context))
}

/** Errors: `too_many_requests`, `caller_gone`, `file_store_unavailable`. */
export const verify = (context: Context, requested: Locators): Promise<Verification> =>
  semaphoreOf(context).run(context.allowance, () => run(context, requested))

/** Reads our own files directly; fetches any other URL through the guarded client for untrusted addresses. */
async function readBundle(context: Context, url: string): Promise<Buffer | 'unavailable'> {
  if (url.startsWith(`${context.publicBaseUrl}/`)) {
    const [, receiptId, name] = ownFile.exec(url.slice(context.publicBaseUrl.length)) ?? []
    const file = receiptId && name ? await readFile(context, receiptId.toLowerCase(), name).catch(unlessItPasses) : null
    return file?.content ?? 'unavailable'
  }
  const { signal } = context.allowance
  return (await context.fetchPublic(url, { ...limits, signal })) ?? 'unavailable'
}

/** Rethrows `file_store_unavailable`, because a store that is down says nothing about the file. */
function unlessItPasses(error: unknown): null {
  if (error instanceof AppError && error.code === 'file_store_unavailable') throw error
  return null
}
