// Every message type in one list, for tests that apply to all of them.
import { addressKey, chainKey, knownChains } from '../../src/core/identity.ts'
import type { Facts } from '../../src/modules/iso20022/facts.ts'
import { messages, statementMessages } from '../../src/modules/iso20022/messages/registry.ts'
import { type Page, pagesOf } from '../../src/modules/iso20022/messages/statement.ts'
import { booking, plainRefund, unnumbered } from './receipts.ts'

/** Returns the facts of a refund, also for a receipt that is none. */
export const refunding = (facts: Facts): Facts => ({
  ...facts,
  receipt: { ...facts.receipt, refundOf: facts.receipt.refundOf ?? { ...plainRefund, id: facts.occasion.id } },
})

/** Returns a statement over one receipt. */
function pageOf(facts: Facts): Page {
  const { receipt, organisation, occasion } = facts
  const { chain, currency } = receipt
  const account = {
    ...accountOf({ wallet: receipt.receiverWallet, chain, currency }),
    isProven: receipt.receiverProven,
    opening: '0',
  }
  const accounts = [{ ...account, entries: [booking(facts, 'CRDT')] }]
  const { id, at } = occasion
  const window = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-03-02T00:00:00Z') }
  const [page] = pagesOf({ ...unnumbered, id, at, ...window, organisation, accounts })
  if (page === undefined) throw new Error('a statement has a page')
  return page
}

/** The account of a wallet, with what identifies it. */
export const accountOf = ({ wallet, chain, currency }: { wallet: string; chain: string; currency: string }) => ({
  wallet,
  chain,
  walletKey: addressKey(wallet),
  chainKey: chainKey(chain, knownChains),
  currency,
})

/** The messages inside the bundle, which are built before anchoring. */
export const sealedTypes: readonly string[] = ['pain.001', 'pacs.004']
/**
 * Every message type, built from the facts of one receipt: a statement has that receipt as its only entry.
 */
export const allMessages = [
  ...messages.map(message => {
    // A pacs.004 return needs a payment that is returned.
    const of = (facts: Facts) => (message.type === 'pacs.004' ? refunding(facts) : facts)
    return {
      ...message,
      document: (facts: Facts) => message.document(of(facts)),
      build: (facts: Facts) => message.build(of(facts)),
    }
  }),
  ...statementMessages.map(message => ({
    ...message,
    document: (facts: Facts) => message.document(pageOf(facts)),
    build: (facts: Facts) => message.build(pageOf(facts)),
  })),
]
