// The limits, and their quotas unless RATE_LIMITS says otherwise.

/**
 * Each minute: `project` cost of what the keys of a project ask for, together · `address` cost of what an address asks for
 * without a key · `keys-of-address` cost of what an address asks for with keys of any projects · `sign-in` wallet signatures
 * to check for an address · `failed-keys` unknown, revoked or expired keys sent from an address · `answers-of-project` and
 * `answers-of-address` KiB of answers kept for an Idempotency-Key.
 * At once, in one process: `streams-of-project` and `streams-of-address` event streams that are open or reserved.
 */
export const defaultQuotas = {
  project: 30_000,
  address: 6_000,
  'keys-of-address': 120_000,
  'sign-in': 30,
  'failed-keys': 60,
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
