// What the configuration says of an asset label.
import type { Organisation } from './organisation.ts'

/** Null when nothing. */
export const meaningOf = (
  { currency, chain }: { currency: string; chain: string },
  { mapping }: Pick<Organisation, 'mapping'>,
) => mapping.assets.find(asset => asset.label === currency && (asset.chain ?? chain) === chain) ?? null
