// The settings of the assistant, and of the keys that encrypt stored secrets.
import { z } from 'zod'
import { isAboveZero } from '../core/decimal.ts'
import { type ModelConfig, modelProviders } from '../ports/model.ts'
import { secret, secretUrl } from './secret.ts'
import { baseUrl, isAnyOf, missing, namedKeys, natural, orNull, type RawSettings } from './values.ts'

const price = z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a decimal such as 0.25')

export const assistantVariables = {
  AI_PROVIDER: z.enum(modelProviders, { error: `must be ${modelProviders.join(', ')}` }).optional(),
  AI_MODEL: z.string().max(200).optional(),
  AI_BASE_URL: secretUrl(baseUrl),
  AI_API_KEY: secret(orNull(z.string())),
  /** For a million tokens. */
  AI_INPUT_PRICE: price.default('0'),
  AI_OUTPUT_PRICE: price.default('0'),
  AI_DAILY_BUDGET: price.refine(isAboveZero, 'must be above zero').default('0'),
  AI_TIMEOUT_SECONDS: natural.refine(n => n >= 1 && n <= 600, 'must be 1 to 600').default(60),
  /** The limit of each step. */
  AI_MAX_OUTPUT_TOKENS: natural.refine(n => n >= 16 && n <= 32_768, 'must be 16 to 32768').default(1_024),
  AI_MAX_STEPS: natural.refine(n => n >= 1 && n <= 20, 'must be 1 to 20').default(6),
  AI_TRANSCRIPT_DAYS: natural.refine(n => n <= 3_650, 'must be at most 3650').default(0),
  /** Keys that encrypt stored secrets; the first encrypts new ones. Null: no secrets are stored. */
  SECRETS_KEY: secret(orNull(namedKeys)),
}
const variables = z.object(assistantVariables)

const together = ['AI_PROVIDER', 'AI_MODEL', 'AI_INPUT_PRICE', 'AI_OUTPUT_PRICE', 'AI_DAILY_BUDGET']

export function assistantFaults(raw: RawSettings): string[] {
  if (!isAnyOf(raw, [...together, 'AI_BASE_URL', 'AI_API_KEY'])) return []
  const where = raw.AI_PROVIDER === 'openai-compatible' ? 'AI_BASE_URL' : 'AI_API_KEY'
  return [
    ...missing(raw, together, 'the assistant needs all of these; the prices of a model of your own may be 0'),
    ...missing(raw, [where], 'this provider needs it'),
  ]
}

/** Returns the model of the assistant; null: the assistant is off. */
export const readModel = (data: z.output<typeof variables>): ModelConfig | null =>
  data.AI_PROVIDER && data.AI_MODEL
    ? { provider: data.AI_PROVIDER, name: data.AI_MODEL, baseUrl: data.AI_BASE_URL, apiKey: data.AI_API_KEY }
    : null
