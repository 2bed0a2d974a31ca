// The setting of which requests get a line in the log.
import { z } from 'zod'

const share = /^(\d{1,2}(?:\.\d{1,3})?|100)%$/

/** `all`, `errors`, `off`, or the part of the successes that gets a line beside all errors, such as `5%`. */
export const requestLogging = z.string().transform((text, { addIssue }) => {
  if (text === 'off') return { successes: 0, errors: false }
  const successes = text === 'all' ? 1 : text === 'errors' ? 0 : Number(share.exec(text)?.[1]) / 100
  if (Number.isNaN(successes)) addIssue('must be all, errors, off, or a part of the successes such as 5%')
  return { successes, errors: true }
})
