// Verifies a bundle by its id in a content store. The bytes are accepted only if they match the id.
import { z } from 'zod'
import { AppError, invalid, notFound } from '../../core/errors.ts'
import { text, uuid } from '../../core/text.ts'
import type { App, Context } from '../../kit/context.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import { signingKeys } from '../evidence/keys.ts'
import { runChecks, type Subject, type Verification } from './checks.ts'
import { portsOf } from './ports-of.ts'
import { semaphoreOf } from './semaphore.ts'

export const contentLocator = z.strictObject({
  cid: text().describe('An IPFS CID, or an Arweave transaction id.'),
  store: z
    .enum(['ipfs', 'arweave', 'auto'])
    .meta({
      graphql: 'ContentStoreKind',
      description: 'The store of a content id.',
      values: { ipfs: 'IPFS.', arweave: 'Arweave.', auto: 'Chosen by the form of the id.' },
    })
    .nullish()
    .describe('The store to query; chosen by the form of the id unless given.'),
  receiptId: uuid.nullish().describe('UUID of the receipt whose bundle it must be.'),
})

type Input = z.output<typeof contentLocator>

/**
 * Verifies the bundle of a content id. Errors: `validation_failed`, `not_found`, `conflict`, `cid_not_found`,
 * `cid_store_unavailable`, `too_many_requests`.
 */
export const verifyContent = (context: Context, input: Input): Promise<Verification> =>
  semaphoreOf(context).run(context.allowance, async () => {
    const stores = storesFor(context, input)
    const expectedHash = input.receiptId ? await hashOf(context, input.receiptId) : null
    const [bundle, keys] = await Promise.all([read(stores, input.cid), signingKeys(context)])
    return runChecks({ bundle, expectedHash, txid: null, keys }, portsOf(context))
  })

function storesFor({ contentStores }: App, { cid, store }: Input): ContentStore[] {
  const requested = contentStores.filter(({ kind }) => store == null || store === 'auto' || store === kind)
  if (requested.length === 0) throw new AppError('cid_store_unavailable')
  const fitting = requested.filter(one => one.isId(cid))
  if (fitting.length > 0) return fitting
  throw invalid([{ path: ['cid'], message: 'Not a content id that can be verified.', type: 'value_error' }])
}

async function hashOf({ db }: App, id: string): Promise<string> {
  const receipt = await db.receipt.findUnique({ where: { id }, select: { bundleHash: true } })
  if (receipt === null) throw notFound('receipt')
  if (receipt.bundleHash === null) throw new AppError('conflict', 'The receipt has no bundle yet.')
  return receipt.bundleHash
}

async function read(stores: readonly ContentStore[], cid: string): Promise<Subject['bundle']> {
  const misses = new Set<'absent' | 'unavailable' | 'mismatch'>()
  for (const store of stores) {
    const content = await store.read(cid)
    if (content.found) return content.bytes
    misses.add(content.why)
  }
  if (misses.has('mismatch')) return 'mismatching'
  if (misses.has('unavailable')) throw new AppError('cid_store_unavailable')
  throw new AppError('cid_not_found')
}
