// What receipts are worth in the currency of their configuration, as far as a provider knows a rate.
import { LRUCache } from 'lru-cache'
import { product, roundedTo } from '../../core/decimal.ts'
import { AppError } from '../../core/errors.ts'
import { isCurrencyCode } from '../../core/iso-text.ts'
import type { FiatEquivalentState } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import type { Rate } from '../../ports/fx-rates.ts'
import type { RecordedFacts } from '../artifacts/read-facts.ts'
import { meaningOf } from '../settings/asset-meaning.ts'
import { lookUpRate } from './lookup.ts'

/** `amount` and what follows are null unless `state` is `known`. */
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

// Providers are asked for so many pairs at the same moment; a step over receipts of more is cut in two.
const pairsAtOnce = 20
// Labels are whatever a project writes, and some providers charge for every question.
const newLabelsInAnHour = 100
const hourMs = 3_600_000
const labelsOf = perApp(() => new LRUCache<string, Set<string>>({ max: 10_000, ttl: hourMs }))

/** Whether this project may make us ask for this label; counted from the first one of the hour. */
function mayAsk(app: App, projectId: string, label: string): boolean {
  const labels = labelsOf(app).get(projectId) ?? new Set<string>()
  if (labels.size === 0) labelsOf(app).set(projectId, labels)
  if (labels.size >= newLabelsInAnHour && !labels.has(label)) return false
  labels.add(label)
  return true
}

/** The code whose rate counts: of the currency that the label is mapped to, or else the label itself. */
function codeOf({ receipt, organisation }: RecordedFacts): { code: string } | 'unknown' | 'ambiguous' {
  const mapped = meaningOf(receipt, organisation)?.currency
  if (mapped) return { code: mapped }
  const { currency: label } = receipt
  // `TOP` and `MNT` are tokens and currencies.
  if (isCurrencyCode(label)) return 'ambiguous'
  return /^[A-Z0-9]{2,12}$/.test(label) ? { code: label } : 'unknown'
}

type Answer = Rate | 'unknown' | 'waiting'

async function ask(app: App, baseCcy: string, quoteCcy: string, provider: string | null): Promise<Answer> {
  try {
    return await lookUpRate(app, { baseCcy, quoteCcy, provider })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // Also where the provider is not configured here any more: a process with other settings may be next.
    return error.code === 'fx_pair_unknown' ? 'unknown' : 'waiting'
  }
}

/** `later` are those whose rates were not asked for, because of the others. */
export async function valuationsOf(
  app: App,
  all: readonly RecordedFacts[],
): Promise<{ valued: Valuation[]; later: string[] }> {
  const answers = new Map<string, Promise<Answer>>()
  const valued: Promise<Valuation>[] = []
  const later: string[] = []
  for (const facts of all) {
    const { receipt, organisation } = facts
    const { baseCcy, provider } = organisation.fxPolicy
    if (baseCcy === null) throw new Error(`nothing asks for an equivalent of ${receipt.id}`)
    const found = codeOf(facts)
    if (typeof found === 'string') {
      valued.push(Promise.resolve(valuation(facts, baseCcy, null, found)))
      continue
    }
    const { code } = found
    const pair = JSON.stringify([code, baseCcy, provider])
    if (!answers.has(pair) && answers.size >= pairsAtOnce) {
      later.push(receipt.id)
      continue
    }
    const answer: Answer | Promise<Answer> =
      answers.get(pair) ?? (mayAsk(app, receipt.project.id, code) ? ask(app, code, baseCcy, provider) : 'unknown')
    if (answer instanceof Promise) answers.set(pair, answer)
    valued.push(Promise.resolve(answer).then(one => valuation(facts, baseCcy, code, one)))
  }
  return { valued: await Promise.all(valued), later }
}

// As many as an amount has.
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
