// What is limited, and how often a minute unless RATE_LIMITS says otherwise.

/**
 * `key` requests of an API key · `address` requests without credentials from an address · `sign-in` wallet signatures to
 * check for an address · `failed-keys` unknown, revoked or expired keys sent from an address.
 */
export const defaultQuotas = { key: 6000, address: 1200, 'sign-in': 30, 'failed-keys': 60 }

export type Policy = keyof typeof defaultQuotas
/** Zero switches a policy off. */
export type Quotas = Readonly<Record<Policy, number>>

export const windowMs = 60_000

export const isPolicy = (name: string): name is Policy => Object.hasOwn(defaultQuotas, name)
