// Looks up an exchange rate, from the requested provider or from the first provider that knows the pair.
import { z } from 'zod'
import { AppError, invalid } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import { parse } from '../../kit/parse.ts'
import { perApp } from '../../kit/per-app.ts'
import type { FxRates, Rate } from '../../ports/fx-rates.ts'

const code = z
  .string()
  .regex(/^[A-Za-z0-9]{2,12}$/, 'Must be 2 to 12 letters or digits.')
  .transform(text => text.toUpperCase())
  .meta({ graphql: 'String', minLength: 2, maxLength: 12, pattern: '^[A-Za-z0-9]{2,12}$' })
const codeOr = (usual: string) => code.nullish().transform(input => input ?? usual)

export const ratePair = z.strictObject({
  baseCurrency: codeOr('USD').describe('The base currency, of which one unit is valued; USD unless given. Any case.'),
  quoteCurrency: codeOr('FLR').describe('The quote currency, in which the rate is stated; FLR unless given. Any case.'),
  provider: z
    .string()
    .max(64)
    .nullish()
    .meta({ graphql: 'String', maxLength: 64 })
    .describe('The only provider to query; unless given, each is queried in order until one knows the pair.'),
})

/** `rate`: units of `quoteCurrency` for one unit of `baseCurrency`, a plain decimal above zero. */
export type LookedUpRate = Rate & { baseCurrency: string; quoteCurrency: string }

/** How long equal queries share an answer, to spare the providers; far shorter than the maximum age of a rate. */
const keptMs = 5_000
// An untrusted caller can invent any number of codes.
const mostKept = 1_000
type Answers = Map<string, { until: number; answer: Promise<Rate | null> }>
const answersOf = perApp((): Answers => new Map())

/** Returns the rate of a pair. Errors: `validation_failed`, `fx_pair_unknown`, `fx_unavailable`. */
export async function lookUpRate(app: App, input: z.input<typeof ratePair> = {}): Promise<LookedUpRate> {
  const { baseCurrency, quoteCurrency, provider } = parse(ratePair, input)
  const providers = providersFor(app, provider ?? null)
  if (baseCurrency === quoteCurrency)
    return { baseCurrency, quoteCurrency, rate: '1', source: 'the same currency', asOf: new Date() }
  let fault: AppError | null = null
  for (const one of providers) {
    try {
      const answer = await ask(app, one, baseCurrency, quoteCurrency)
      if (answer !== null) return { baseCurrency, quoteCurrency, ...answer }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      app.log.warn(
        { err: error, provider: one.name, baseCurrency, quoteCurrency },
        'an FX rate provider could not be queried',
      )
      fault ??= error
    }
  }
  throw (
    fault ??
    new AppError('fx_pair_unknown', `No configured provider has a rate of ${baseCurrency} in ${quoteCurrency}.`)
  )
}

function providersFor({ fxRates }: App, name: string | null): readonly FxRates[] {
  if (name === null) return fxRates
  const named = fxRates.filter(one => one.name === name)
  if (named.length > 0) return named
  const known = fxRates.map(one => one.name).join(', ')
  const message = known === '' ? 'No provider is configured.' : `Must be one of: ${known}.`
  throw invalid([{ path: ['provider'], message, type: 'enum' }])
}

function ask(app: App, provider: FxRates, base: string, quote: string): Promise<Rate | null> {
  const answers = answersOf(app)
  const key = `${provider.name} ${base}/${quote}`
  const kept = answers.get(key)
  const now = performance.now()
  if (kept !== undefined && kept.until > now) return kept.answer
  if (answers.size >= mostKept) answers.clear()
  const answer = provider.rate(base, quote)
  answers.set(key, { until: now + keptMs, answer })
  // A failure is not reused, because the next query may succeed.
  answer.catch(() => answers.delete(key))
  return answer
}
