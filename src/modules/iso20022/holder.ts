// Finds what is stated of the wallets of a payment. A name belongs to a wallet, not to a side: who pays today is paid
// tomorrow.
import type { NamedWallet } from '../projects/party.ts'
import type { MessageConfiguration } from './configuration.ts'
import type { Facts } from './facts.ts'

/**
 * Returns what the configuration states of this wallet on this chain; null where it lists no such wallet. A project's
 * own statement comes before one of the organisation.
 */
export const partyOf = (
  { names }: Pick<MessageConfiguration, 'names'>,
  { walletKey, chainKey }: { walletKey: string; chainKey: string },
): NamedWallet | null => names.find(name => name.address === walletKey && (name.chain ?? chainKey) === chainKey) ?? null

/** A wallet with what the configuration states of it, and whether a signature proved that it is the project's. */
export type Holder = { wallet: string; stated: NamedWallet | null; isProven: boolean }

export type Recorded = Pick<Facts, 'receipt' | 'organisation'>

export const sender = ({ receipt, organisation }: Recorded): Holder => {
  const { senderWallet: wallet, senderKey: walletKey, chainKey, senderProven: isProven } = receipt
  return { wallet, stated: partyOf(organisation, { walletKey, chainKey }), isProven }
}
export const receiver = ({ receipt, organisation }: Recorded): Holder => {
  const { receiverWallet: wallet, receiverKey: walletKey, chainKey, receiverProven: isProven } = receipt
  return { wallet, stated: partyOf(organisation, { walletKey, chainKey }), isProven }
}
