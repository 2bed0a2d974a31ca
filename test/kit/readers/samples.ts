// The messages on which third-party readers are tested.
import fc from 'fast-check'
import type { Facts, ReceiptFacts } from '../../../src/modules/iso20022/facts.ts'
import { camt052 } from '../../../src/modules/iso20022/messages/camt052.ts'
import { camt053 } from '../../../src/modules/iso20022/messages/camt053.ts'
import { messageOf } from '../../../src/modules/iso20022/messages/registry.ts'
import { type AccountFacts, pagesOf, type StatementFacts } from '../../../src/modules/iso20022/messages/statement.ts'
import { accountId } from '../../../src/modules/iso20022/slots.ts'
import { anyFactsOf } from '../facts.ts'
import { accountOf } from '../messages.ts'
import {
  acceptedText,
  announcedRefund,
  booking,
  configured,
  plainEquivalent,
  plainFacts,
  plainReceipt,
  plainRefund,
  unnumbered,
} from '../receipts.ts'

const { senderWallet: customer, receiverWallet: shop } = plainReceipt

const of = (receipt: ReceiptFacts): Facts => ({ ...plainFacts, receipt })

const tiny = {
  ...plainReceipt,
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae8',
  amount: '0.123456789',
  reference: 'order 124',
  // Readers must not read the fiat equivalent as the amount.
  fiatEquivalent: plainEquivalent,
}

const inDollars = configured({ mapping: { assets: [{ label: 'USDC', currency: 'USD' }] } })

const assets: [currency: string, chain: string][] = [
  ['USDC', 'base'],
  ['EURC', 'base'],
  ['ETH', 'base'],
  ['DAI', 'base'],
  ['cbBTC', 'base'],
  ['USDC', 'polygon'],
]

/** Accounts of one wallet: five assets on one chain, one on another. */
export const accountIds = assets.map(([currency, chain]) => accountId(accountOf({ wallet: shop, chain, currency })))

/** The first account opens and closes below zero: two payments, one of them cut to 5 decimals, and a refund. */
const entriesOf = (currency: string, chain: string): Pick<AccountFacts, 'opening' | 'entries'> =>
  currency === 'USDC' && chain === 'base'
    ? {
        opening: '-3',
        entries: [booking(plainFacts, 'CRDT'), booking(of(tiny), 'CRDT'), booking(of(plainRefund), 'DBIT')],
      }
    : {
        opening: '10.5',
        entries: [booking(of({ ...plainReceipt, chain, currency }), 'CRDT')],
      }

const statement: StatementFacts = {
  ...unnumbered,
  id: '0b8f6f5e-1d1c-4c7b-9a55-2f2b8f0f9a01',
  at: new Date('2026-03-02T00:10:00.000Z'),
  from: new Date('2026-03-01T00:00:00.000Z'),
  to: new Date('2026-03-02T00:00:00.000Z'),
  organisation: plainFacts.organisation,
  accounts: assets.map(([currency, chain]) => ({
    ...accountOf({ wallet: shop, chain, currency }),
    isProven: false,
    ...entriesOf(currency, chain),
  })),
}
const empty = { ...statement, accounts: [] }
const first = { ...statement, accounts: statement.accounts.slice(0, 1) }
/** The same account under a configuration that maps its asset to a currency. */
const mapped = {
  ...first,
  organisation: inDollars,
  accounts: first.accounts.map(account => ({
    ...account,
    entries: account.entries.map(({ facts, side }) => booking({ ...facts, organisation: inDollars }, side)),
  })),
}
const smallDebit = {
  ...first,
  accounts: first.accounts.map(account => ({
    ...account,
    entries: [booking(of({ ...plainRefund, amount: '0.00005' }), 'DBIT')],
  })),
}

const built = (message: typeof camt052 | typeof camt053, facts: StatementFacts, size?: number) =>
  pagesOf(facts, size).map(message.build)

const life = (type: Parameters<typeof messageOf>[0], receipt: ReceiptFacts): string =>
  messageOf(type).build({ ...of(receipt), occasion: { ...plainFacts.occasion, id: receipt.id } })

/** The XML of each sample by its name. */
export const samples: Record<string, string> = {
  ...Object.fromEntries(
    [camt052, camt053].flatMap(message => [
      [`${message.type}`, built(message, statement)[0]],
      [`${message.type} of one account`, built(message, first)[0]],
      [`${message.type} in dollars`, built(message, mapped)[0]],
      [`${message.type} of a small debit`, built(message, smallDebit)[0]],
      [`${message.type} empty`, built(message, empty)[0]],
      ...built(message, first, 2).map((xml, index) => [`${message.type} page ${index + 1}`, xml]),
    ]),
  ),
  'camt.054 booked': life('camt.054', plainReceipt),
  'camt.054 announced': life('camt.054', announcedRefund),
  'camt.054 beyond U+FFFF': life('camt.054', { ...plainReceipt, reference: 'order 😀' }),
  'pain.001': life('pain.001', plainReceipt),
  'pain.008': life('pain.008', plainReceipt),
  'pain.002': life('pain.002', plainReceipt),
  'pain.002 announced': life('pain.002', announcedRefund),
  'pacs.002': life('pacs.002', plainReceipt),
  'pacs.002 announced': life('pacs.002', announcedRefund),
  'pacs.004': life('pacs.004', plainRefund),
}

/**
 * `count` more of each kind, with any accepted text: statements and reports over one to three accounts, notifications.
 */
export function generated(count: number): Record<string, string> {
  const many = fc.array(anyFactsOf(acceptedText), { minLength: 1, maxLength: 3 })
  const named = fc.sample(many, { numRuns: count, seed: 20_022 }).flatMap((all, index) => {
    const accounts = all.map(facts => ({
      ...accountOf({ ...facts.receipt, wallet: facts.receipt.receiverWallet }),
      isProven: false,
      opening: '0',
      entries: [booking(facts, 'CRDT')],
    }))
    const whole = { ...statement, accounts }
    return [
      [`camt.052 generated ${index}`, built(camt052, whole)[0]],
      [`camt.053 generated ${index}`, built(camt053, whole)[0]],
      [`camt.054 generated ${index}`, all.map(messageOf('camt.054').build)[0]],
    ]
  })
  return Object.fromEntries(named)
}

export { customer, shop }
