// The message and the extensions of an error in GraphQL: its code, and for a limit the figures and how to ask for less.
import type { AppError } from '../core/errors.ts'
import { withoutCredentials } from '../core/principal.ts'

const smaller = 'Send fewer or shorter values, or several requests.'
const cheaper =
  'Ask for less in one operation (`extensions.cost` of an answer says what it cost), or wait as long as `Retry-After` says.'
const later = 'Wait as long as `Retry-After` says.'

/** For the limits that GraphQL has in common with REST, whose message does not say it. */
const advice: Readonly<Record<string, string>> = {
  bytes: smaller,
  values: smaller,
  project: cheaper,
  credential: cheaper,
  address: cheaper,
  'keys-of-address': cheaper,
  'sign-in': `Ask for fewer signatures in one document, or wait as long as \`Retry-After\` says.`,
  'failed-keys': later,
  'answers-of-project': later,
  'answers-of-address': later,
}

/** Returns the message and the extensions of an error. */
export function errorFields({ code, message, body, issues, exceeded }: AppError) {
  const hint = exceeded && advice[exceeded.limit]
  const reason = exceeded?.limit === 'bytes' ? `The body has more than ${exceeded.maximum} bytes.` : said(message)
  return {
    message: hint ? `${reason} ${hint}` : reason,
    extensions: { code, ...exceeded, ...body, ...(issues.length > 0 && { issues }) },
  }
}

const said = (message: string): string =>
  message === withoutCredentials
    ? 'Send an API key in `X-API-Key`, or the token of a session as `Authorization: Bearer`.'
    : message
