// Looks up an asset label in the organisation's configuration.
import { chainKey as keyOf } from '../../core/identity.ts'
import type { MessageConfiguration } from './configuration.ts'

type Configured = Pick<MessageConfiguration, 'mapping' | 'aliases'>

/** Returns the first mapping of the label that applies to the chain, however it is written; null if there is none. */
export const meaningOf = (
  { currency, chainKey }: { currency: string; chainKey: string },
  { mapping, aliases }: Configured,
) =>
  mapping.assets.find(
    ({ label, chain }) => label === currency && (chain === null || keyOf(chain, aliases) === chainKey),
  ) ?? null
