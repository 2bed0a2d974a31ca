// Exact decimal amounts as strings: at most 20 integer and 18 fraction digits, above zero. Never a JS number.
import { z } from 'zod'

const form = /^\d{1,20}(?:\.\d{1,18})?$/

/** Converts `'0012.500'` to `'12.5'`: no leading or trailing zeros, no exponent. */
export function plainAmount(text: string): string {
  const [integer = '0', fraction = ''] = text.split('.')
  const whole = integer.replace(/^0+(?=\d)/, '')
  const rest = fraction.replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}

/** The same rule without look-ahead, which RE2 and most decoders of models lack: a digit above zero somewhere. */
const pattern = '^(0*[1-9][0-9]*([.][0-9]{1,18})?|0+[.]0*[1-9][0-9]*)$'

export const amount = z
  .string()
  .regex(form, {
    error: 'An amount is a decimal string of at most 20 integer and 18 fraction digits, such as "12.50".',
    abort: true,
  })
  .refine(text => /[1-9]/.test(text), 'An amount must be above zero.')
  .transform(plainAmount)
  .meta({ graphql: 'Decimal', examples: ['12.5'], maxLength: 39, pattern })
