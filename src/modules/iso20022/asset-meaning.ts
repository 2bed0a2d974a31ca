// Looks up an asset label in the organisation's configuration.
import type { MessageConfiguration } from './configuration.ts'

/** Returns the first mapping of the label that applies to the chain; null if there is none. */
export const meaningOf = (
  { currency, chain }: { currency: string; chain: string },
  { mapping }: Pick<MessageConfiguration, 'mapping'>,
) => mapping.assets.find(asset => asset.label === currency && (asset.chain ?? chain) === chain) ?? null
