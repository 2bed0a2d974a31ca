// Receipts for tests: a plain one, and arbitraries of everything that the API accepts and of any text at all.
import fc from 'fast-check'
import type { z } from 'zod'
import { plainAmount } from '../../src/core/amount.ts'
import { addressKey, chainKey, knownChains } from '../../src/core/identity.ts'
import { settlementStatusNames } from '../../src/core/settlement.ts'
import { text } from '../../src/core/text.ts'
import {
  type AnchorFacts,
  type Facts,
  type FiatEquivalent,
  inLife,
  type ReceiptFacts,
  type SettlementFacts,
} from '../../src/modules/iso20022/facts.ts'
import type { Side } from '../../src/modules/iso20022/messages/entry.ts'
import type { Booking } from '../../src/modules/iso20022/messages/statement-sums.ts'
import { configOf } from '../../src/modules/projects/config.ts'
import { type Configuration, configurationOf, organisationConfig } from '../../src/modules/settings/organisation.ts'

type Keys = 'chainKey' | 'senderKey' | 'receiverKey'

/** Adds the keys that the database has beside these values. */
const withKeys = <RawSettings extends Omit<ReceiptFacts, Keys>>(receipt: RawSettings): RawSettings & ReceiptFacts => ({
  ...receipt,
  chainKey: chainKey(receipt.chain, knownChains),
  senderKey: addressKey(receipt.senderWallet),
  receiverKey: addressKey(receipt.receiverWallet),
})

export const plainReceipt: ReceiptFacts = withKeys({
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  reference: 'order-2026-000123',
  chain: 'base',
  tipTxHash: `0x${'ab12'.repeat(16)}`,
  amount: '12.5',
  currency: 'USDC',
  senderWallet: '0x52908400098527886e0f7030069857d2e4169ee7',
  receiverWallet: '0xde709f2102306220921060314715629080e2fb77',
  senderProven: false,
  receiverProven: false,
  resourceHash: `0x${'5e'.repeat(32)}`,
  createdAt: new Date('2026-03-01T12:34:56.789Z'),
  fiatEquivalent: null,
  project: {
    id: '16fd2706-8baf-433b-82eb-8c7fada847da',
    ownerWallet: '0xde709f2102306220921060314715629080e2fb77',
  },
  refundOf: null,
  refundTxHash: null,
  refundReason: null,
  statedAt: null,
  settlement: null,
})

/** The fiat equivalent of the plain receipt. */
export const plainEquivalent: FiatEquivalent = {
  amount: '11.6344005956813105',
  currency: 'EUR',
  rate: '0.93075204765450484',
  rateOf: 'USDC',
  source: 'http rates.example.com',
  asOf: new Date('2026-03-01T12:34:00.000Z'),
}

export const plainAnchor: AnchorFacts = {
  chain: 'flare',
  txid: `0x${'cd34'.repeat(16)}`,
  blockNumber: 1234567,
  anchoredAt: new Date('2026-03-01T12:35:10.000Z'),
  bookedAt: new Date('2026-03-01T12:35:22.500Z'),
  bundleHash: `0x${'9f'.repeat(32)}`,
}

/** Returns the organisation's configuration as it applies to its own projects. */
export const configured = (input: z.input<typeof organisationConfig>): Configuration =>
  configurationOf(organisationConfig.parse(input), { ...configOf(null), isHouse: true }, knownChains)

/** The facts of the plain receipt: anchored, default configuration, no options requested. */
export const plainFacts: Facts = {
  receipt: plainReceipt,
  anchor: plainAnchor,
  organisation: configured({}),
  occasion: inLife(plainReceipt, plainAnchor.anchoredAt),
}

/** An entry of a statement. */
export const booking = (facts: Facts, side: Side): Booking => ({
  facts,
  side,
  bookedAt: facts.anchor?.bookedAt ?? facts.receipt.createdAt,
})

/** The part that statements outside a series have in common. */
export const unnumbered = { timeZone: 'UTC', number: null, isProvisional: false }

const returned = `0x${'77'.repeat(32)}`

/** The refund of the plain receipt, with its own transaction from the start. */
export const plainRefund: ReceiptFacts = withKeys({
  ...plainReceipt,
  id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  tipTxHash: returned,
  refundTxHash: returned,
  reference: `refund:${plainReceipt.id}`,
  senderWallet: plainReceipt.receiverWallet,
  receiverWallet: plainReceipt.senderWallet,
  refundReason: 'FOCR',
  resourceHash: null,
  createdAt: new Date('2026-03-02T08:00:00.000Z'),
  refundOf: {
    id: plainReceipt.id,
    reference: plainReceipt.reference,
    tipTxHash: plainReceipt.tipTxHash,
    amount: plainReceipt.amount,
    createdAt: plainReceipt.createdAt,
  },
})

/** The refund of a part of the plain receipt. */
export const partialRefund: ReceiptFacts = { ...plainRefund, amount: '4.000000000000000001' }

/** The same refund, announced only. */
export const announcedRefund: ReceiptFacts = { ...plainRefund, tipTxHash: plainReceipt.tipTxHash, refundTxHash: null }

/** Strings that have broken XML writers, schema limits or each other's escaping. */
export const hostileTexts = [
  'AT&T;',
  '&foo;',
  '&amp;',
  '&amp;lt;',
  '&#0;',
  '&#13;',
  '<x a="1">',
  '</Ustrd>',
  ']]>',
  '<![CDATA[x]]>',
  '<!--',
  '<?pi?>',
  `"'\``,
  '\r',
  '\r\n',
  '\n',
  '\t',
  '\0',
  '\u0001',
  '\u001f',
  '\u0085',
  '\u2028',
  '\u007f',
  '\ud800',
  '\udfff',
  '\udc00\ud800',
  '\ufeff',
  '\ufffe',
  '\uffff',
  '\ufffd',
  '\u{1ffff}',
  '\u{10ffff}',
  '😀',
  '👩‍👩‍👧‍👦',
  'e\u0301',
  '\u202e',
  ' ',
  '   ',
  '//',
  '/',
  'RH-0123456789abcdef0123456789abcdef',
  'addr1',
  'x'.repeat(34),
  'x'.repeat(35),
  'x'.repeat(139),
]

/** Any text: hostile pieces and random UTF-16 units, joined; up to about a thousand units. */
export const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...hostileTexts),
      fc.string({ unit: 'binary' }),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map(units => String.fromCharCode(...units)),
    ),
    { maxLength: 9 },
  )
  .map(pieces => pieces.join(''))

const accepted = text()

/** Text as the API stores it: refused characters removed, trimmed, at most 255 characters. */
export const acceptedText = anyText.map(raw => {
  const printable = [...raw.replace(/[\p{Cc}\p{Surrogate}]/gu, '')].slice(0, 255).join('')
  const kept = accepted.safeParse(printable)
  return kept.success ? kept.data : 'x'
})

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const word = (letters: string, length: number) =>
  fc.array(fc.constantFrom(...letters), { minLength: length, maxLength: length }).map(list => list.join(''))

const wallet = (any: fc.Arbitrary<string>) =>
  fc.oneof(
    any,
    word('0123456789abcdef', 40).map(hex => `0x${hex}`),
    word(base58, 34),
    word(base58, 44),
    word('qpzry9x8gf2tvdw0s3jn54khce6mua7l', 98).map(rest => `addr1${rest}`),
  )

const digits = (max: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: max })
export const anyAmount = fc
  .oneof(
    fc.constantFrom('99999999999999999999.999999999999999999', '0.000000000000000001', '999999999999999999.99999', '1'),
    fc.tuple(digits(20), digits(18)).map(([integer, fraction]) => `${integer.join('')}.${fraction.join('')}`),
    digits(20).map(integer => integer.join('')),
  )
  .filter(amount => /[1-9]/.test(amount))
  .map(plainAmount)

const hash32 = word('0123456789abcdef', 64).map(hex => `0x${hex}`)
const time = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
})

/** A payment, an announced refund, a refund settled from the start, and a refund settled later. */
export const receiptsOf = (any: fc.Arbitrary<string>): fc.Arbitrary<ReceiptFacts> =>
  fc
    .tuple(paymentsOf(any), fc.option(refundedOf(any), { freq: 4 }), any, fc.boolean())
    .map(([payment, refundOf, tx, later]) => {
      if (refundOf === null) return payment
      const tipTxHash = later ? refundOf.tipTxHash : payment.tipTxHash
      const refundTxHash = later ? (tx === '' ? null : tx) : payment.tipTxHash
      return withKeys({ ...payment, refundOf, tipTxHash, refundTxHash })
    })

const refundedOf = (any: fc.Arbitrary<string>) =>
  fc.record({
    id: fc.uuid({ version: 4 }),
    reference: any,
    tipTxHash: fc.oneof(hash32, any),
    amount: anyAmount,
    createdAt: time,
  })

const equivalentsOf = (any: fc.Arbitrary<string>): fc.Arbitrary<FiatEquivalent> =>
  fc.record({
    amount: fc.oneof(anyAmount, fc.constant('0')),
    currency: fc.constantFrom('EUR', 'USD', 'JPY'),
    rate: fc
      .tuple(digits(60), digits(80))
      .map(([integer, fraction]) => plainAmount(`${integer.join('')}.${fraction.join('')}`)),
    rateOf: fc.oneof(fc.constantFrom('USD', 'ETH'), any),
    source: any,
    asOf: time,
  })

const wholeNumbers = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String)
const inBlock = fc.record({
  blockNumber: fc.maxSafeNat(),
  blockHash: hash32,
  blockTime: time,
  sentBy: word('0123456789abcdef', 40),
  fee: fc.option(wholeNumbers),
  legIndex: fc.option(fc.nat()),
})
const notInBlock = { blockNumber: null, blockHash: null, blockTime: null, sentBy: null, fee: null, legIndex: null }
const settlementsOf: fc.Arbitrary<SettlementFacts> = fc
  .record({
    status: fc.constantFrom(...settlementStatusNames),
    grade: fc.constantFrom('stated' as const, 'observed' as const, 'proved' as const),
    checkedAt: time,
    assetId: fc.option(
      fc.constantFrom('eip155:1/slip44:60', 'eip155:8453/erc20:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'),
    ),
    block: fc.option(inBlock),
    differences: fc.array(
      fc.record({
        field: fc.constantFrom('amount', 'sender_wallet', 'receiver_wallet'),
        stated: fc.string(),
        found: fc.option(fc.string()),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ block, ...rest }) => ({ ...rest, ...notInBlock, ...block }))

const paymentsOf = (any: fc.Arbitrary<string>): fc.Arbitrary<ReceiptFacts> =>
  fc
    .record({
      id: fc.uuid({ version: 4 }),
      reference: any,
      chain: any,
      tipTxHash: fc.oneof(hash32, any),
      amount: anyAmount,
      currency: fc.oneof(fc.constantFrom('USDC', 'ETH', 'TOP', 'EUR'), any),
      senderWallet: wallet(any),
      receiverWallet: wallet(any),
      senderProven: fc.boolean(),
      receiverProven: fc.boolean(),
      resourceHash: fc.option(hash32),
      createdAt: time,
      fiatEquivalent: fc.option(equivalentsOf(any)),
      project: fc.record({ id: fc.uuid({ version: 4 }), ownerWallet: fc.option(word('0123456789abcdef', 40)) }),
      refundOf: fc.constant(null),
      refundTxHash: fc.constant(null),
      refundReason: fc.constant(null),
      statedAt: fc.option(time),
      settlement: fc.option(settlementsOf),
    })
    .map(withKeys)

const anchorsOf = (any: fc.Arbitrary<string>): fc.Arbitrary<AnchorFacts | null> =>
  fc.option(
    fc.record({
      chain: any,
      txid: fc.oneof(hash32, any),
      blockNumber: fc.maxSafeNat(),
      anchoredAt: time,
      bookedAt: time,
      bundleHash: hash32,
    }),
  )

/** Facts under the default configuration, for an occasion in the receipt's lifecycle. */
export const factsOf = (any: fc.Arbitrary<string>): fc.Arbitrary<Facts> =>
  fc.tuple(receiptsOf(any), anchorsOf(any)).map(([receipt, anchor]) => ({
    receipt,
    anchor,
    organisation: plainFacts.organisation,
    occasion: inLife(receipt, anchor?.anchoredAt ?? receipt.createdAt),
  }))
