// Identifiers of ISO standards other than 20022, as zod types.
import { z } from 'zod'

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** ISO 3166-1 alpha-2. */
export const country = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: 'Must be an ISO 3166-1 alpha-2 country code.', abort: true })
  .refine(code => countryNames.of(code) !== undefined, 'Must be an ISO 3166-1 alpha-2 country code.')
  .meta({ graphql: 'String', pattern: '^[A-Z]{2}$' })

/** ISO 7064 mod 97-10, letters as 10 to 35. */
const mod97 = (code: string) => BigInt([...code].map(char => Number.parseInt(char, 36)).join('')) % 97n

/** Legal entity identifier, ISO 17442, with its check digits. */
export const lei = z
  .string()
  .regex(/^[A-Z0-9]{18}[0-9]{2}$/, { error: 'Must be an ISO 17442 LEI of 20 characters.', abort: true })
  .refine(code => mod97(code) === 1n, 'The check digits of this LEI are wrong.')
  .meta({ graphql: 'String', pattern: '^[A-Z0-9]{18}[0-9]{2}$' })

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** ISO 4217, as far as the runtime knows it. */
export const currencyCode = z
  .string()
  .refine(code => currencies.has(code), 'Must be an ISO 4217 currency code.')
  .meta({ graphql: 'String', pattern: '^[A-Z]{3}$' })

/** Digital token identifier, ISO 24165. */
export const dti = z
  .string()
  .regex(/^[1-9B-DF-HJ-NP-TV-XZ][0-9B-DF-HJ-NP-TV-XZ]{8}$/, 'Must be an ISO 24165 DTI of 9 characters.')
  .meta({ graphql: 'String', pattern: '^[1-9B-DF-HJ-NP-TV-XZ][0-9B-DF-HJ-NP-TV-XZ]{8}$' })
