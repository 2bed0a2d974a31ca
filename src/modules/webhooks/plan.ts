// The retry plan of a delivery, and how long an endpoint may fail before it is disabled.

const seconds = 1_000
const minutes = 60 * seconds
const hours = 60 * minutes

// The waits after the first attempt and after each further attempt.
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

// Adds up to a tenth to each wait, so that deliveries that failed together are not retried together.
const jitter = 0.1

// With Retry-After, a receiver cannot delay an attempt for longer than the plan's longest wait.
const longestWait = 24 * hours

/** Returns the milliseconds until the next attempt after `attempts` attempts; null after the last attempt. */
export function waitAfter(attempts: number, retryAfter: string | null, now = Date.now()): number | null {
  const wait = waits[attempts - 1]
  if (wait === undefined) return null
  const spread = 1 + jitter * Math.random()
  return Math.round(Math.max(wait * spread, Math.min(longestWait, (secondsIn(retryAfter, now) ?? 0) * spread)))
}

/** Returns the milliseconds that a Retry-After header (seconds or a date) requests; null if absent or unreadable. */
function secondsIn(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * seconds
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** An endpoint that has failed for this long is disabled. */
export const failingDays = 5
