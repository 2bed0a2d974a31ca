// Verifies many bundles for one payment: a few at a time, equal ones once, each answered for itself and in the order asked.
import { z } from 'zod'
import { httpUrl } from '../../core/text.ts'
import { appErrorIn } from '../../kit/app-error-in.ts'
import type { Context } from '../../kit/context.ts'
import type { Verification } from './checks.ts'
import { atOnce } from './places.ts'
import { type Locators, oneAtLeast, verify } from './verify.ts'

const most = 100

export const manyLocators = z.strictObject({
  items: z.array(oneAtLeast).min(1).max(most).nullish().describe('What is to be verified, in this order.'),
  bundleUrls: z
    .array(httpUrl)
    .min(1)
    .max(most)
    .nullish()
    .describe('Instead of `items`, where nothing but the URLs of the ZIPs is known.'),
})

type Input = z.output<typeof manyLocators>

export const oneOfBoth = manyLocators.superRefine(({ items, bundleUrls }, { addIssue }) => {
  const params = (type: string) => ({ code: 'custom' as const, params: { type } })
  if (items && bundleUrls) {
    addIssue({ ...params('value_error'), path: ['bundleUrls'], message: 'Give items or bundle_urls, not both.' })
  }
  if (!items && !bundleUrls) addIssue({ ...params('missing'), message: 'Give items or bundle_urls.' })
})

/** `error` is the code of why it could not be carried out. */
type Outcome = { result: Verification } | { error: string }

export type Entry = { input: Locators } & Outcome

/** `verified` counts what is proven: anchored, and without errors. */
export type VerifiedMany = { verified: number; results: Entry[] }

const isProven = (entry: Entry) => 'result' in entry && entry.result.matchesOnchain && entry.result.errors.length === 0

/** Errors: what may pass soon, such as `database_unavailable`; it is then to be done again as a whole. */
export async function verifyMany(context: Context, { items, bundleUrls }: Input): Promise<VerifiedMany> {
  const asked: Locators[] = items ?? bundleUrls?.map(bundleUrl => ({ bundleUrl })) ?? []
  const results: Entry[] = []
  const left = equalOnes(asked)
  const work = async () => {
    // Shared by all: when one of them throws, it is at its end for the others too.
    for (const { input, indexes } of left) {
      const outcome = await outcomeOf(context, input)
      for (const index of indexes) results[index] = { input, ...outcome }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { verified: results.filter(isProven).length, results }
}

/** Each distinct entry, with where it stands. */
function* equalOnes(asked: readonly Locators[]): Generator<{ input: Locators; indexes: number[] }> {
  const groups = new Map<string, { input: Locators; indexes: number[] }>()
  for (const [index, input] of asked.entries()) {
    const { bundleUrl = null, bundleHash = null, txid = null } = input
    const key = JSON.stringify([bundleUrl, bundleHash, txid])
    const group = groups.get(key) ?? { input, indexes: [] }
    group.indexes.push(index)
    groups.set(key, group)
  }
  yield* groups.values()
}

/** One that trips over a fault of ours does not take the others with it. */
async function outcomeOf(context: Context, input: Locators): Promise<Outcome> {
  try {
    return { result: await verify(context, input) }
  } catch (error) {
    const known = appErrorIn(error)
    if (known?.status === 503) throw error
    context.log.error({ err: error }, 'an entry could not be verified')
    return { error: known?.code ?? 'internal_error' }
  }
}
