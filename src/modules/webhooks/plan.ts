// When a delivery is tried again, and for how long a receiver may fail.

const seconds = 1_000
const minutes = 60 * seconds
const hours = 60 * minutes

// After the first attempt, and after each further one.
const waits = [
  5 * seconds,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
]

export const mostAttempts = waits.length + 1

// Spreads what failed together over a tenth more.
const jitter = 0.1

// A receiver cannot put a delivery off for longer than the plan itself does.
const longestWait = 24 * hours

/** Milliseconds until the next attempt after `attempts` of them; null when it was the last. */
export function waitAfter(attempts: number, retryAfter: string | null, now = Date.now()): number | null {
  const wait = waits[attempts - 1]
  if (wait === undefined) return null
  const asked = Math.min(longestWait, askedFor(retryAfter, now) ?? 0)
  return Math.round(Math.max(wait, asked) * (1 + jitter * Math.random()))
}

/** The value of a header Retry-After, which is seconds or a date. */
function askedFor(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * seconds
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** An endpoint that has failed for this long is disabled. */
export const failingDays = 5
