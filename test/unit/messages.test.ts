// Every message of the registry is valid against its schema for every receipt, and the receipt can be read back from
// it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Facts, inLife, type SettlementFacts, settlementOf } from '../../src/modules/iso20022/facts.ts'
import { fileName } from '../../src/modules/iso20022/messages/message.ts'
import { refunded } from '../../src/modules/iso20022/messages/original.ts'
import { pacs004 } from '../../src/modules/iso20022/messages/pacs004.ts'
import { shownAmount } from '../../src/modules/iso20022/messages/parts.ts'
import { messageOf } from '../../src/modules/iso20022/messages/registry.ts'
import { readOnChainPayments } from '../../src/modules/iso20022/reader.ts'
import { onChainPaymentNamespace } from '../../src/modules/iso20022/supplementary.ts'
import { anyFactsOf } from '../kit/facts.ts'
import { allMessages, refunding, sealedTypes } from '../kit/messages.ts'
import {
  acceptedText,
  announcedRefund,
  anyText,
  configured,
  partialRefund,
  plainAnchor,
  plainEquivalent,
  plainFacts,
  plainReceipt,
  plainRefund,
} from '../kit/receipts.ts'
import { sized } from '../kit/size.ts'
import {
  onChainPaymentSchema,
  openIsoValidator,
  openValidator,
  skipWithoutSchemas,
  type Validator,
  withXml,
} from '../kit/xsd.ts'

/** The number of receipts for each kind of text and each message; `npm run prove` sets a larger number. */
const runs = Number(process.env.MESSAGE_RUNS ?? sized(50, 1_000)) / 2

const own = openValidator(onChainPaymentSchema)
afterAll(() => own.close())

/** Finds the party in what was configured, by comparison of what was written. */
function partyIn({ org, mapping }: Facts['organisation'], wallet: string, chain: string, isProven: boolean) {
  const parties = [{ ...org, country: org.jurisdiction }, mapping.debtorDefaults, mapping.creditorDefaults]
  const found = parties.find(({ wallets }) =>
    wallets.some(listed => listed.address === wallet && (listed.chain ?? chain) === chain),
  )
  return found === undefined ? null : { name: found.name, country: found.country, lei: found.lei, isProven }
}

function readBack(found: SettlementFacts) {
  const { status, checkedAt, assetId, sentBy, fee, legIndex, blockNumber, blockHash, blockTime } = found
  const block = blockNumber === null ? null : { number: String(blockNumber), hash: blockHash, time: blockTime }
  return { status, checkedAt, assetId, sentBy, fee, block, transferIndex: legIndex === null ? null : String(legIndex) }
}

function expectReadBack(type: string, xml: string, { receipt, anchor, organisation }: Facts): void {
  expect(readOnChainPayments(xml)).toEqual([
    {
      receiptId: receipt.id,
      project: receipt.project,
      reference: receipt.reference,
      chain: receipt.chain,
      txHash: settlementOf(receipt),
      amount: receipt.amount,
      // In a statement the currency and the digits are those of the account (test/unit/amounts.test.ts).
      amountInBand: /^camt.05[23]$/.test(type) ? expect.any(String) : shownAmount({ receipt, organisation }).inBand,
      asset: receipt.currency,
      payer: receipt.senderWallet,
      payerParty: partyIn(organisation, receipt.senderWallet, receipt.chain, receipt.senderProven),
      payee: receipt.receiverWallet,
      payeeParty: partyIn(organisation, receipt.receiverWallet, receipt.chain, receipt.receiverProven),
      resourceHash: receipt.resourceHash,
      grade: receipt.settlement?.grade ?? 'stated',
      statedAt: receipt.statedAt,
      settlement: receipt.settlement && readBack(receipt.settlement),
      recordedAt: receipt.createdAt,
      fiatEquivalent: receipt.fiatEquivalent,
      bookedAt: sealedTypes.includes(type) ? null : (anchor?.bookedAt ?? null),
      refundOf: receipt.refundOf && {
        receiptId: receipt.refundOf.id,
        txHash: receipt.refundOf.tipTxHash,
        amount: receipt.refundOf.amount,
      },
      anchor:
        anchor === null || sealedTypes.includes(type)
          ? null
          : {
              chain: anchor.chain,
              txHash: anchor.txid,
              blockNumber: String(anchor.blockNumber),
              anchoredAt: anchor.anchoredAt,
              bundleHash: anchor.bundleHash,
            },
    },
  ])
}

describe.each(allMessages)('$version', ({ type, version, build }) => {
  let schema: Validator | null = null
  beforeAll(() => {
    schema = skipWithoutSchemas ? null : openIsoValidator(version)
  })
  afterAll(() => schema?.close())

  function check(facts: Facts): void {
    const xml = build(facts)
    withXml(xml, document => {
      expect(schema?.faults(document) ?? []).toEqual([])
      // Each part is validated as a separate document, because the lax validation inside Envlp would accept anything.
      for (const part of document.find('//o:*[parent::*[local-name()="Envlp"]]', { o: onChainPaymentNamespace }))
        expect(withXml(part.toString(), element => own.faults(element))).toEqual([])
    })
    expectReadBack(type, xml, type === 'pacs.004' ? refunding(facts) : facts)
  }

  // Without the schemas the tests below still prove that nothing is lost; this test shows that validity was not
  // checked.
  test.skipIf(skipWithoutSchemas)('the schema of this version is available and refuses another message', () => {
    expect(withXml('<Document/>', document => schema?.faults(document).length)).toBeGreaterThan(0)
  })

  test('is valid and complete for every receipt that the API accepts, under any configuration', () => {
    fc.assert(fc.property(anyFactsOf(acceptedText), check), { numRuns: runs })
  }, 3_600_000)

  test('is valid and complete for any text at all, also one that the API refuses', () => {
    fc.assert(fc.property(anyFactsOf(anyText), check), { numRuns: runs })
  }, 3_600_000)

  test('matches the golden file', () => {
    const golden = new URL(`../golden/${fileName(type)}`, import.meta.url)
    const refund = { ...plainFacts, receipt: plainRefund, occasion: inLife(plainRefund, plainRefund.createdAt, 'FOCR') }
    const xml = build(type === 'pacs.004' ? refund : plainFacts)
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, xml)
    expect(xml).toBe(readFileSync(golden, 'utf8'))
  })
})

test('a return between configured parties matches the golden file: the paid party pays, and each party keeps its name', () => {
  const golden = new URL('../golden/pacs004-parties.xml', import.meta.url)
  const organisation = configured({
    mapping: {
      debtorDefaults: {
        name: 'Payer Ltd',
        country: 'GB',
        lei: '529900T8BM49AURSDO55',
        wallets: [{ address: plainReceipt.senderWallet }],
      },
      creditorDefaults: { name: 'Payee AG', country: 'CH', wallets: [{ address: plainReceipt.receiverWallet }] },
    },
  })
  const occasion = inLife(plainRefund, plainRefund.createdAt, 'FOCR')
  const receipt = { ...plainRefund, senderProven: true }
  const xml = pacs004.build({ receipt, anchor: null, organisation, occasion })
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, xml)
  expect(xml).toBe(readFileSync(golden, 'utf8'))
})

test.each(['pacs.002', 'pacs.004', 'camt.054'] as const)(
  '%s of a refund that is only announced matches the golden file',
  type => {
    const golden = new URL(`../golden/${fileName(type, '-announced')}`, import.meta.url)
    const occasion = inLife(announcedRefund, announcedRefund.createdAt)
    const anchor = type === 'pacs.004' ? null : { ...plainAnchor, bookedAt: null }
    const xml = messageOf(type).build({ ...plainFacts, receipt: announcedRefund, anchor, occasion })
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, xml)
    expect(xml).toBe(readFileSync(golden, 'utf8'))
  },
)

test.each(['pacs.004', 'camt.054'] as const)('%s of a refund of a part matches the golden file', type => {
  const golden = new URL(`../golden/${fileName(type, '-part')}`, import.meta.url)
  const occasion = inLife(partialRefund, partialRefund.createdAt, 'FOCR')
  const anchor = type === 'pacs.004' ? null : plainAnchor
  const xml = messageOf(type).build({ ...plainFacts, receipt: partialRefund, anchor, occasion })
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, xml)
  expect(xml).toBe(readFileSync(golden, 'utf8'))
})

test('a return of a part states its own amount as returned, and that of the payment as the original', () => {
  const occasion = inLife(partialRefund, partialRefund.createdAt)
  const xml = pacs004.build({ ...plainFacts, receipt: partialRefund, anchor: null, occasion })
  const amounts = (tag: string) => new RegExp(`<${tag}(?: [^>]*)?>([^<]*)`).exec(xml)?.[1]
  const tags = ['CtrlSum', 'OrgnlIntrBkSttlmAmt', 'RtrdIntrBkSttlmAmt', 'RtrdInstdAmt', 'InstdAmt', 'o:RefundedAmount']
  expect(tags.map(amounts)).toEqual(['4', '12.5', '4', '4', '12.5', '12.5'])
  expect(readOnChainPayments(xml)).toMatchObject([{ amount: partialRefund.amount, refundOf: { amount: '12.5' } }])
})

test.each(['pain.001', 'camt.054', 'pacs.008'] as const)(
  '%s of a receipt with a fiat equivalent matches the golden file, and differs from one without it in nothing else',
  type => {
    const golden = new URL(`../golden/${fileName(type, '-valued')}`, import.meta.url)
    const xml = messageOf(type).build({ ...plainFacts, receipt: { ...plainReceipt, fiatEquivalent: plainEquivalent } })
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, xml)
    expect(xml).toBe(readFileSync(golden, 'utf8'))
    const without = xml
      .replace(/ *<o:FiatEquivalent>.*<\/o:FiatEquivalent>\n/s, '')
      .replace(/ *<AmtDtls>.*<\/AmtDtls>\n/s, '')
    expect(without).toBe(messageOf(type).build(plainFacts))
  },
)

test.each([
  ['an amount too large for the slot is left out of it, with its rate', { amount: '1'.repeat(19) }, [[], []]],
  ['one of which nothing is left too', { amount: '0.000009' }, [[], []]],
  ['a rate too large for the slot is left out alone', { amount: '7', rate: '1'.repeat(12) }, [['7'], []]],
  ['one of which nothing is left too', { amount: '7', rate: '0.00000000001' }, [['7'], []]],
  ['what fits in part is cut', { amount: '1.234567', rate: '12.3456789019' }, [['1.23'], ['12.345678901']]],
  ['and a small rate has ten digits', { amount: '7', rate: '0.01234567899' }, [['7'], ['0.0123456789']]],
])('of a counter value %s', (_, part, expected) => {
  const receipt = { ...plainReceipt, fiatEquivalent: { ...plainEquivalent, ...part } }
  const xml = messageOf('camt.054').build({ ...plainFacts, receipt })
  const texts = (pattern: RegExp) => [...xml.matchAll(pattern)].map(([, text]) => text)
  expect([texts(/<Amt Ccy="EUR">([^<]*)/g), texts(/<XchgRate>([^<]*)/g)]).toEqual(expected)
})

test('a return states no fiat equivalent for the original payment', () => {
  const receipt = { ...plainRefund, fiatEquivalent: plainEquivalent }
  const xml = pacs004.build({ ...plainFacts, receipt, anchor: null })
  expect(xml.split('<o:FiatEquivalent>')).toHaveLength(2)
  expect(refunded({ ...plainFacts, receipt }).receipt.fiatEquivalent).toBeNull()
})

test('a refund that was settled after its announcement has the settlement day as its value date', () => {
  const bookedAt = new Date('2026-03-09T10:00:00.000Z')
  const receipt = { ...announcedRefund, refundTxHash: plainRefund.refundTxHash }
  const dates = (facts: Facts) =>
    [
      ...messageOf('camt.054')
        .build(facts)
        .matchAll(/<ValDt>\s*<Dt>([^<]*)/g),
    ].map(([, day]) => day)
  const anchor = { ...plainAnchor, bookedAt }
  expect(dates({ ...plainFacts, receipt, anchor })).toEqual(['2026-03-09'])
  expect(dates({ ...plainFacts, receipt: plainRefund, anchor })).toEqual(['2026-03-02'])
})

test('the messages of one receipt have different ids', () => {
  const ids = allMessages.map(({ messageId }) => messageId(plainReceipt))
  expect(new Set(ids).size).toBe(allMessages.length)
})

test('every message with a golden file is registered', () => {
  const folder = new URL('../golden/', import.meta.url)
  const versions = readdirSync(folder).map(
    name => /xmlns="urn:iso:std:iso:20022:tech:xsd:([^"]+)"/.exec(readFileSync(new URL(name, folder), 'utf8'))?.[1],
  )
  expect([...new Set(versions)].toSorted()).toEqual(allMessages.map(({ version }) => version).toSorted())
})

test('pain.001 is the same before and after anchoring and contains no URL', () => {
  const build = allMessages.find(({ type }) => type === 'pain.001')?.build
  const bare = build?.({ ...plainFacts, anchor: null })
  expect(build?.(plainFacts)).toBe(bare)
  expect(bare).not.toContain('http')
})
