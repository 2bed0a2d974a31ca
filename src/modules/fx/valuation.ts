// Values receipts in the base currency of their configuration, if a provider knows a rate.
import { LRUCache } from 'lru-cache'
import { product, roundedTo } from '../../core/decimal.ts'
import { AppError } from '../../core/errors.ts'
import { isCurrencyCode } from '../../core/iso-text.ts'
import type { FiatEquivalentState } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import type { Rate } from '../../ports/fx-rates.ts'
import type { RecordedFacts } from '../artifacts/read-facts.ts'
import { meaningOf } from '../iso20022/asset-meaning.ts'
import { lookUpRate } from './lookup.ts'

/** `amount` and the members after it are null unless `state` is `known`. */
export type Valuation = {
  receiptId: string
  state: FiatEquivalentState
  currency: string
  rateOf: string | null
  amount: string | null
  rate: string | null
  source: string | null
  asOf: Date | null
}

// At most this many pairs are queried at once; a job whose receipts need more pairs is split in two.
const pairsAtOnce = 20
// Asset labels are free text of a project, and some providers charge for every query.
const newLabelsInAnHour = 100
const hourMs = 3_600_000
const labelsOf = perApp(() => new LRUCache<string, Set<string>>({ max: 10_000, ttl: hourMs }))

/** Returns whether this project may cause a query for this label; the hour begins with its first label. */
function mayAsk(app: App, projectId: string, label: string): boolean {
  const labels = labelsOf(app).get(projectId) ?? new Set<string>()
  if (labels.size === 0) labelsOf(app).set(projectId, labels)
  if (labels.size >= newLabelsInAnHour && !labels.has(label)) return false
  labels.add(label)
  return true
}

/** Returns the code whose rate is used: the currency to which the label is mapped, or else the label itself. */
function codeOf({ receipt, organisation }: RecordedFacts): { code: string } | 'unknown' | 'ambiguous' {
  const mapped = meaningOf(receipt, organisation)?.currency
  if (mapped) return { code: mapped }
  const { currency: label } = receipt
  // `TOP` and `MNT` are both tokens and currencies.
  if (isCurrencyCode(label)) return 'ambiguous'
  return /^[A-Z0-9]{2,12}$/.test(label) ? { code: label } : 'unknown'
}

type Answer = Rate | 'unknown' | 'waiting'

async function ask(app: App, baseCurrency: string, quoteCurrency: string, provider: string | null): Promise<Answer> {
  try {
    return await lookUpRate(app, { baseCurrency, quoteCurrency, provider })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // `waiting` also if the provider is no longer configured here: a process with other settings may run the next
    // attempt.
    return error.code === 'fx_pair_unknown' ? 'unknown' : 'waiting'
  }
}

/** Values receipts; `later` are the ids of those whose pairs exceed the limit of this job. */
export async function valuationsOf(
  app: App,
  all: readonly RecordedFacts[],
): Promise<{ valued: Valuation[]; later: string[] }> {
  const answers = new Map<string, Promise<Answer>>()
  const valued: Promise<Valuation>[] = []
  const later: string[] = []
  for (const facts of all) {
    const { receipt, organisation } = facts
    const { baseCurrency, provider } = organisation.fxPolicy
    if (baseCurrency === null) throw new Error(`the configuration of receipt ${receipt.id} requires no equivalent`)
    const found = codeOf(facts)
    if (typeof found === 'string') {
      valued.push(Promise.resolve(valuation(facts, baseCurrency, null, found)))
      continue
    }
    const { code } = found
    const pair = JSON.stringify([code, baseCurrency, provider])
    if (!answers.has(pair) && answers.size >= pairsAtOnce) {
      later.push(receipt.id)
      continue
    }
    const answer: Answer | Promise<Answer> =
      answers.get(pair) ?? (mayAsk(app, receipt.project.id, code) ? ask(app, code, baseCurrency, provider) : 'unknown')
    if (answer instanceof Promise) answers.set(pair, answer)
    valued.push(Promise.resolve(answer).then(one => valuation(facts, baseCurrency, code, one)))
  }
  return { valued: await Promise.all(valued), later }
}

// The digits that a receipt's amount may have.
const fractionDigits = 18
const integerDigits = 20

function valuation(
  { receipt }: RecordedFacts,
  currency: string,
  rateOf: string | null,
  answer: Answer | 'ambiguous',
): Valuation {
  const none = { receiptId: receipt.id, currency, rateOf, amount: null, rate: null, source: null, asOf: null }
  if (typeof answer === 'string') return { ...none, state: answer }
  const { rate, source, asOf } = answer
  const amount = roundedTo(product(receipt.amount, rate), fractionDigits)
  if ((amount.split('.')[0] ?? '').length > integerDigits) return { ...none, state: 'too_large' }
  return { receiptId: receipt.id, state: 'known', currency, rateOf, amount, rate, source, asOf }
}
