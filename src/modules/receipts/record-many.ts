// Records many payments of one call: all of them, or none if one is not acceptable.
import { z } from 'zod'
import { type Issue, invalid } from '../../core/errors.ts'
import { actorOf, demand, ownProject } from '../../core/principal.ts'
import { inSpan, originNow } from '../../core/scope.ts'
import type { Context } from '../../kit/context.ts'
import { demandHere } from '../../kit/moving.ts'
import { issuesIn, parse } from '../../kit/parse.ts'
import { faultsOfReceiver } from '../../kit/reachable.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { type Recorded, recordEntries, recordReceiptVerb } from './record.ts'
import { type Entry, entryOf, recordReceiptInput } from './record-input.ts'

/** A statement of this many takes some tens of milliseconds. */
export const mostReceipts = 500

const listOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.array(entry).min(1, 'At least one payment.').max(mostReceipts, `At most ${mostReceipts} payments.`)

export const recordReceiptsInput = z.strictObject({
  receipts: listOf(recordReceiptInput).describe(`The payments: at least one, and at most ${mostReceipts}.`),
})

/** The list is counted before its entries are read, so that a longer one costs no more. */
const counted = z.strictObject({ receipts: listOf(z.unknown()) })

/**
 * Returns a result for each payment, in their order, as if each had been recorded after the one before it. Nothing is
 * recorded when one of them is not acceptable. Errors: as `recordReceipt`.
 */
export async function recordReceipts(context: Context, raw: unknown): Promise<Recorded[]> {
  const { principal, pool, chainAliases } = context
  demand(principal, recordReceiptVerb.access)
  demandHere(principal)
  recordReceiptVerb.admit(principal)
  const by = { projectId: ownProject(principal), actor: actorOf(principal), origin: originNow() }
  const entries = acceptable(context, raw).map(input => entryOf({ ...by, input }, chainAliases))
  return inSpan(`verb ${recordReceiptVerb.name}`, 'internal', {}, async () => {
    const results = new Map<Entry, Recorded>()
    for (const group of oneAfterAnother(entries)) {
      const recorded = await repeatedAfterDeadlock(() => recordEntries(sqlOf(pool), group, chainAliases))
      group.forEach((entry, at) => {
        results.set(entry, recorded[at] as Recorded)
      })
    }
    return entries.map(entry => results.get(entry) as Recorded)
  })
}

const mostFurtherIssues = 100

/** Returns the payments. Throws `validation_failed`, which names each payment that is not acceptable by its index. */
function acceptable(app: Context, raw: unknown): z.output<typeof recordReceiptInput>[] {
  const { receipts } = parse(counted, raw, ['input'])
  const issues: Issue[][] = []
  const payments = receipts.flatMap((receipt, index) => {
    const at = ['input', 'receipts', index]
    const { data, error } = recordReceiptInput.safeParse(receipt)
    const url = data?.callbackUrl
    issues.push(error ? issuesIn(error, at) : url == null ? [] : faultsOfReceiver(app, url, [...at, 'callbackUrl']))
    return data ?? []
  })
  let further = mostFurtherIssues
  const told = issues.flatMap(([first, ...others]) => (first ? [first, ...others.filter(() => further-- > 0)] : []))
  if (told.length > 0) throw invalid(told)
  return payments
}

/**
 * Groups payments, so that those that can be one receipt are in several groups, in their order: of one transaction or
 * one reference, or the whole transaction and one transfer in it.
 */
function oneAfterAnother(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = []
  /** By what two payments have in common: the first group behind those that have it. */
  const behind = new Map<string, number>()
  for (const entry of entries) {
    const { chain, tx, first: whole, last } = entry.keys
    const of = (key: string) => `${chain}\n${key}`
    const reference = `\n${entry.input.reference}`
    const isLeg = whole === last
    const same = [of(tx), reference, of(isLeg ? whole : `${tx}#`)]
    const group = Math.max(...same.map(key => behind.get(key) ?? 0))
    for (const key of [of(tx), reference, ...(isLeg ? [of(`${whole}#`)] : [])])
      behind.set(key, Math.max(group + 1, behind.get(key) ?? 0))
    groups[group] = [...(groups[group] ?? []), entry]
  }
  return groups
}

const triesAtMost = 3

/** A statement that PostgreSQL aborted, because it and another one waited for each other, has changed nothing. */
async function repeatedAfterDeadlock<Result>(run: () => Promise<Result>, tries = 1): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    const isDeadlock = error instanceof Error && 'code' in error && error.code === '40P01'
    if (!isDeadlock || tries === triesAtMost) throw error
    return repeatedAfterDeadlock(run, tries + 1)
  }
}
