// Looks up an asset label in the organisation's configuration.
import type { ByChain } from './configuration.ts'

/** Returns the first mapping of the label that applies to the chain, however it is written; null if there is none. */
export const meaningOf = (
  { currency, chainKey }: { currency: string; chainKey: string },
  { assets }: Pick<ByChain, 'assets'>,
) => assets.find(asset => asset.label === currency && (asset.chainKey ?? chainKey) === chainKey) ?? null
