// Verifies many bundles for one payment: a few at a time, equal entries once, with one outcome for each entry, in
// order.
import { z } from 'zod'
import { httpUrl } from '../../core/text.ts'
import { appErrorIn } from '../../kit/app-error-in.ts'
import type { Context } from '../../kit/context.ts'
import { semaphoreLimits } from '../../kit/semaphore-limits.ts'
import type { Verification } from './checks.ts'

import { type Locators, oneAtLeast, verify } from './verify.ts'

const most = 100

export const manyLocators = z.strictObject({
  items: z.array(oneAtLeast).min(1).max(most).nullish().describe('The entries to verify; results keep this order.'),
  bundleUrls: z
    .array(httpUrl)
    .min(1)
    .max(most)
    .nullish()
    .describe('URLs of evidence ZIPs, instead of `items` when only the URLs are known.'),
})

type Input = z.output<typeof manyLocators>

export const exactlyOneList = manyLocators.superRefine(({ items, bundleUrls }, { addIssue }) => {
  const params = (type: string) => ({ code: 'custom' as const, params: { type } })
  if (items && bundleUrls) {
    addIssue({ ...params('value_error'), path: ['bundleUrls'], message: 'Give items or bundle_urls, not both.' })
  }
  if (!items && !bundleUrls) addIssue({ ...params('missing'), message: 'Give items or bundle_urls.' })
})

/** `error` is the error code of a verification that could not be carried out. */
type Outcome = { result: Verification } | { error: string }

export type Entry = { input: Locators } & Outcome

/** `verified` counts the proven entries: anchored, and without errors. */
export type VerifiedMany = { verified: number; results: Entry[] }

const isProven = (entry: Entry) => 'result' in entry && entry.result.matchesOnchain && entry.result.errors.length === 0

/** Throws only temporary errors such as `database_unavailable`; the whole request must then be repeated. */
export async function verifyMany(context: Context, { items, bundleUrls }: Input): Promise<VerifiedMany> {
  const requested: Locators[] = items ?? bundleUrls?.map(bundleUrl => ({ bundleUrl })) ?? []
  const results: Entry[] = []
  const left = equalOnes(requested)
  const work = async () => {
    // All workers share the generator: when one worker throws, the generator ends for the others too.
    for (const { input, indexes } of left) {
      const outcome = await outcomeOf(context, input)
      for (const index of indexes) results[index] = { input, ...outcome }
    }
  }
  await Promise.all(Array.from({ length: semaphoreLimits.verifications.eachAtOnce }, work))
  return { verified: results.filter(isProven).length, results }
}

/** Yields each distinct entry with its positions in the request. */
function* equalOnes(requested: readonly Locators[]): Generator<{ input: Locators; indexes: number[] }> {
  const groups = new Map<string, { input: Locators; indexes: number[] }>()
  for (const [index, input] of requested.entries()) {
    const { bundleUrl = null, bundleHash = null, anchorTx = null } = input
    const key = JSON.stringify([bundleUrl, bundleHash, anchorTx])
    const group = groups.get(key) ?? { input, indexes: [] }
    group.indexes.push(index)
    groups.set(key, group)
  }
  yield* groups.values()
}

/** Verifies one entry. An internal error becomes its outcome, so that the other entries are still verified. */
async function outcomeOf(context: Context, input: Locators): Promise<Outcome> {
  try {
    return { result: await verify(context, input) }
  } catch (error) {
    const known = appErrorIn(error)
    if (known?.status === 503) throw error
    context.log.error({ err: error }, 'an entry of a bulk verification could not be verified')
    return { error: known?.code ?? 'internal_error' }
  }
}
