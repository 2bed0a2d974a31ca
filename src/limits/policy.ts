// The rate limit policies and their default quotas, which RATE_LIMITS overrides.

/**
 * Per minute: `project` cost of the requests with any key of a project · `credential` cost of the requests with one key
 * or session, within that of its project · `address` cost of the requests of an address
 * without a key · `keys-of-address` cost of the requests of an address with keys of any project · `sign-in` wallet
 * signatures checked for an address · `failed-keys` unknown, revoked or expired keys sent from an address · `network`
 * cost of the requests of an IPv6 network (/48) without a key · `answers-of-project` and `answers-of-address` KiB of
 * responses stored for an Idempotency-Key.
 * Percent: `reads` how much of `project`, `credential` and `address` reads may use; the rest is kept for writes and
 * payments.
 * Per minute, in one process: `strangers` milliseconds of processor time for documents of all callers without
 * credentials. At once, in one process: `streams-of-project` and `streams-of-address` event streams that are open or
 * reserved.
 */
export const defaultQuotas = {
  project: 30_000,
  credential: 20_000,
  address: 6_000,
  'keys-of-address': 120_000,
  'sign-in': 30,
  'failed-keys': 60,
  network: 24_000,
  reads: 80,
  strangers: 1_500,
  'answers-of-project': 6_000,
  'answers-of-address': 60,
  'streams-of-project': 500,
  'streams-of-address': 100,
}

export type Policy = keyof typeof defaultQuotas
/** Zero switches a policy off. */
export type Quotas = Readonly<Record<Policy, number>>

export const windowMs = 60_000

export const isPolicy = (name: string): name is Policy => Object.hasOwn(defaultQuotas, name)
