// Finds what is stated of the wallets of a payment. A name belongs to a wallet, not to a side: who pays today is paid
// tomorrow.
import { addressKey, chainKey, knownChains } from '../../core/identity.ts'
import type { NamedWallet } from '../projects/party.ts'
import type { MessageConfiguration } from './configuration.ts'
import type { Facts } from './facts.ts'

/**
 * Returns what the configuration states of this wallet on this chain; null where it lists no such wallet. A project's
 * own statement comes before one of the organisation.
 */
export function partyOf(
  { names }: Pick<MessageConfiguration, 'names'>,
  { wallet, chain }: { wallet: string; chain: string },
): NamedWallet | null {
  if (names.length === 0) return null
  const [address, on] = [addressKey(wallet), chainKey(chain, knownChains)]
  return names.find(name => name.address === address && (name.chain ?? on) === on) ?? null
}

/** A wallet with what the configuration states of it, and whether a signature proved that it is the project's. */
export type Holder = { wallet: string; stated: NamedWallet | null; isProven: boolean }

export type Recorded = Pick<Facts, 'receipt' | 'organisation'>

export const sender = ({ receipt, organisation }: Recorded): Holder => {
  const { senderWallet: wallet, chain, senderProven: isProven } = receipt
  return { wallet, stated: partyOf(organisation, { wallet, chain }), isProven }
}
export const receiver = ({ receipt, organisation }: Recorded): Holder => {
  const { receiverWallet: wallet, chain, receiverProven: isProven } = receipt
  return { wallet, stated: partyOf(organisation, { wallet, chain }), isProven }
}
