// Messages outside the receipt lifecycle are valid for every receipt, configuration and occasion, and state the amount,
// the parties, the payment and the reason.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MessageConfiguration } from '../../src/modules/iso20022/configuration.ts'
import { type Facts, inLife, type Occasion } from '../../src/modules/iso20022/facts.ts'
import { camt029 } from '../../src/modules/iso20022/messages/camt029.ts'
import { camt056 } from '../../src/modules/iso20022/messages/camt056.ts'
import type { Message } from '../../src/modules/iso20022/messages/message.ts'
import { pacs002 } from '../../src/modules/iso20022/messages/pacs002.ts'
import { pacs004 } from '../../src/modules/iso20022/messages/pacs004.ts'
import { pacs007 } from '../../src/modules/iso20022/messages/pacs007.ts'
import { pacs008 } from '../../src/modules/iso20022/messages/pacs008.ts'
import { pacs009 } from '../../src/modules/iso20022/messages/pacs009.ts'
import { pain001 } from '../../src/modules/iso20022/messages/pain001.ts'
import { pain007 } from '../../src/modules/iso20022/messages/pain007.ts'
import { pain008 } from '../../src/modules/iso20022/messages/pain008.ts'
import { messageOf, messages } from '../../src/modules/iso20022/messages/registry.ts'
import { remt001 } from '../../src/modules/iso20022/messages/remt001.ts'
import { readOnChainPayments } from '../../src/modules/iso20022/reader.ts'
import { walletId } from '../../src/modules/iso20022/slots.ts'
import { onChainPaymentNamespace } from '../../src/modules/iso20022/supplementary.ts'
import { anyFactsOf } from '../kit/facts.ts'
import { allMessages } from '../kit/messages.ts'
import { announcedRefund, anyText, configured, plainFacts, plainReceipt, plainRefund } from '../kit/receipts.ts'
import { sized } from '../kit/size.ts'
import { openIsoValidator, skipWithoutSchemas, type Validator, withXml } from '../kit/xsd.ts'

/** The paths of each message's values; the prefix `d:` is the message's own namespace. */
type Shape = {
  message: Message
  id: string
  /** The transaction: the element with the amounts, ids and parties. */
  transaction: string
  amounts: string[]
  /** The path of the parties' accounts. */
  parties: string
  /**
   * The path of the payment's ids and the prefix of their names; null in a message without a reference to an original
   * payment.
   */
  ids: { path: string; prefix: string }
  /** The path of the reason, and one code of the code set that it uses. */
  reason: { path: string; code: string } | null
  supplementary: string
}

const original = { path: '.', prefix: 'Orgnl' }
const own = { path: 'd:PmtId', prefix: '' }
const header = '/d:Document/*/d:GrpHdr/d:MsgId'
const assigned = '/d:Document/*/d:Assgnmt/d:Id'

const shapes: Shape[] = [
  {
    message: pacs002,
    id: header,
    transaction: '//d:TxInfAndSts',
    amounts: ['d:OrgnlTxRef/d:Amt/d:InstdAmt'],
    parties: 'd:OrgnlTxRef',
    ids: original,
    reason: null,
    supplementary: '//d:TxInfAndSts/d:SplmtryData',
  },
  {
    message: pacs007,
    id: header,
    transaction: '//d:TxInf',
    amounts: ['d:OrgnlIntrBkSttlmAmt', 'd:RvsdIntrBkSttlmAmt', 'd:RvsdInstdAmt', 'd:OrgnlTxRef/d:Amt/d:InstdAmt'],
    parties: 'd:OrgnlTxRef',
    ids: original,
    reason: { path: 'd:RvslRsnInf', code: 'AM09' },
    supplementary: '//d:TxInf/d:SplmtryData',
  },
  {
    message: pacs008,
    id: header,
    transaction: '//d:CdtTrfTxInf',
    amounts: ['d:IntrBkSttlmAmt', 'd:InstdAmt'],
    parties: '.',
    ids: own,
    reason: null,
    supplementary: '//d:CdtTrfTxInf/d:SplmtryData',
  },
  {
    message: pacs009,
    id: header,
    transaction: '//d:CdtTrfTxInf',
    amounts: ['d:IntrBkSttlmAmt'],
    parties: '.',
    ids: own,
    reason: null,
    supplementary: '//d:CdtTrfTxInf/d:SplmtryData',
  },
  {
    message: pain007,
    id: header,
    transaction: '//d:TxInf',
    amounts: ['d:OrgnlInstdAmt', 'd:RvsdInstdAmt', 'd:OrgnlTxRef/d:Amt/d:InstdAmt'],
    parties: 'd:OrgnlTxRef',
    ids: original,
    reason: { path: 'd:RvslRsnInf', code: 'AM09' },
    supplementary: '//d:TxInf/d:SplmtryData',
  },
  {
    message: pain008,
    id: header,
    transaction: '//d:DrctDbtTxInf',
    amounts: ['d:InstdAmt'],
    // The creditor is on the parent element.
    parties: 'ancestor-or-self::*',
    ids: own,
    reason: null,
    supplementary: '//d:DrctDbtTxInf/d:SplmtryData',
  },
  {
    message: camt029,
    id: assigned,
    transaction: '//d:CxlDtls/d:TxInfAndSts',
    amounts: ['d:OrgnlIntrBkSttlmAmt', 'd:OrgnlTxRef/d:Amt/d:InstdAmt'],
    parties: 'd:OrgnlTxRef',
    ids: original,
    reason: { path: 'd:CxlStsRsnInf', code: 'LEGL' },
    supplementary: '/d:Document/*/d:SplmtryData',
  },
  {
    message: camt056,
    id: assigned,
    transaction: '//d:Undrlyg/d:TxInf',
    amounts: ['d:OrgnlIntrBkSttlmAmt', 'd:OrgnlTxRef/d:Amt/d:InstdAmt'],
    parties: 'd:OrgnlTxRef',
    ids: original,
    reason: { path: 'd:CxlRsnInf', code: 'AM09' },
    supplementary: '//d:TxInf/d:SplmtryData',
  },
  {
    message: remt001,
    id: header,
    transaction: '//d:RmtInf/d:OrgnlPmtInf',
    amounts: ['d:Amt/d:InstdAmt'],
    parties: '.',
    ids: { path: 'd:Refs', prefix: '' },
    reason: null,
    supplementary: '/d:Document/*/d:SplmtryData',
  },
]

/** Returns the texts at an XPath in a built message. */
const at = ({ namespace }: Message, xml: string, path: string): string[] =>
  withXml(xml, document =>
    document.find(path, { d: namespace, o: onChainPaymentNamespace }).map(node => node.content.trim()),
  )

const asked: Occasion = {
  id: '11111111-2222-4333-8444-555555555555',
  at: new Date('2026-03-05T09:00:00.000Z'),
  reasonCode: 'AM09',
  resolutionCode: 'RJCR',
  statedAs: null,
  answers: null,
}
const askedFacts: Facts = { ...plainFacts, occasion: asked }
const refundFacts: Facts = { ...plainFacts, receipt: plainRefund, occasion: inLife(plainRefund, plainRefund.createdAt) }

const named = configured({
  org: { name: 'Acme & Söhne <GmbH>', jurisdiction: 'DE', lei: '529900T8BM49AURSDO55' },
  mapping: {
    chargeBearer: 'SHAR',
    purpose: 'GDDS',
    categoryPurpose: 'SUPP',
    structuredRemittance: true,
    debtorDefaults: { name: 'Payer Ltd', country: 'GB', wallets: [{ address: plainReceipt.senderWallet }] },
    creditorDefaults: {
      name: 'Payee AG',
      country: 'CH',
      lei: '529900T8BM49AURSDO55',
      wallets: [{ address: plainReceipt.receiverWallet, chain: 'Base' }],
    },
    assets: [{ label: 'USDC', currency: 'USD' }],
  },
  idStrategy: { endToEndId: 'receipt_id', uetr: 'settlement' },
})

const plain: [string, Facts][] = [
  ['anchored', plainFacts],
  ['not anchored', { ...plainFacts, anchor: null }],
  ['asked for with codes', askedFacts],
  ['asked for without codes', { ...plainFacts, occasion: { ...asked, reasonCode: null, resolutionCode: null } }],
  ['configured', { ...askedFacts, organisation: named }],
  ['a refund', refundFacts],
  ['a refund, configured', { ...refundFacts, organisation: named }],
]

describe.each(shapes)('$message.version', shape => {
  const { message, transaction, amounts, parties, ids } = shape
  const inside = (facts: Facts, path: string) => at(message, message.build(facts), `${transaction}/${path}`)

  let schema: Validator | null = null
  beforeAll(() => {
    schema = skipWithoutSchemas ? null : openIsoValidator(message.version)
  })
  afterAll(() => schema?.close())

  function check(facts: Facts): void {
    const xml = message.build(facts)
    withXml(xml, document => {
      expect(schema?.faults(document) ?? []).toEqual([])
      const names = { d: message.namespace, o: onChainPaymentNamespace }
      expect(document.find('//o:OnChainPayment', names)).toHaveLength(1)
      expect(document.find(`${shape.supplementary}/d:Envlp/o:OnChainPayment`, names)).toHaveLength(1)
    })
    // A copy of the facts proves that nothing is cached by object identity.
    expect(message.build(structuredClone(facts))).toBe(xml)
  }

  test.each(plain)('is valid for a plain receipt, %s', (_, facts) => check(facts))

  test('is valid for every receipt, configuration and occasion, also with texts that the API refuses', () => {
    fc.assert(fc.property(anyFactsOf(anyText), check), { numRuns: sized(30, 300) })
  })

  test('is in the registry, so that requests can produce it', () => {
    expect(messages).toContain(message)
  })

  test('states the amount in XXX or in the configured currency of the asset, never in the asset’s label', () => {
    for (const path of amounts) {
      expect(inside(plainFacts, path)).toEqual(['12.5'])
      expect(inside(plainFacts, `${path}/@Ccy`)).toEqual(['XXX'])
      expect(inside({ ...plainFacts, organisation: named }, `${path}/@Ccy`)).toEqual(['USD'])
    }
  })

  test('has the payer as debtor and the payee as creditor, and the reverse for a refund', () => {
    const wallets = (facts: Facts) => [
      inside(facts, `${parties}/d:DbtrAcct/d:Prxy/d:Id`),
      inside(facts, `${parties}/d:CdtrAcct/d:Prxy/d:Id`),
      inside(facts, `${parties}/d:Dbtr//d:Othr/d:Id`),
      inside(facts, `${parties}/d:Cdtr//d:Othr/d:Id`),
    ]
    const { senderWallet: payer, receiverWallet: payee } = plainReceipt
    const [payerId, payeeId] = [walletId(payer).id, walletId(payee).id]
    expect(wallets(plainFacts)).toEqual([[payer], [payee], [payerId], [payeeId]])
    expect(wallets(refundFacts)).toEqual([[payee], [payer], [payeeId], [payerId]])
  })

  test('has the ids of the sealed pain.001, so that a reader can match the two', () => {
    for (const organisation of [plainFacts.organisation, named]) {
      const facts: Facts = { ...plainFacts, organisation }
      const sealed = pain001.build(facts)
      for (const name of ['InstrId', 'EndToEndId', 'UETR']) {
        const here = inside({ ...facts, occasion: asked }, `${ids.path}/d:${ids.prefix}${name}`)
        expect(here).toEqual(at(pain001, sealed, `//d:PmtId/d:${name}`))
      }
    }
  })
})

describe.each(shapes.filter(({ ids }) => ids === original))('$message.version', ({ message }) => {
  test('names the sealed message, which for a refund is the pacs.004', () => {
    const sealedIn = (facts: Facts) => at(message, message.build(facts), '//d:OrgnlMsgId | //d:OrgnlMsgNmId')
    expect(sealedIn(askedFacts)).toEqual([...at(pain001, pain001.build(plainFacts), '//d:MsgId'), pain001.version])
    const returned = at(pacs004, pacs004.build(refundFacts), '//d:GrpHdr/d:MsgId')
    expect(sealedIn({ ...refundFacts, occasion: asked })).toEqual([...returned, pacs004.version])
  })
})

const reasoned = shapes.flatMap(({ message, transaction, reason }) =>
  reason === null ? [] : [{ message, path: `${transaction}/${reason.path}`, code: reason.code }],
)

describe.each(reasoned)('$message.version', ({ message, path, code }) => {
  const said = (reasonCode: string | null, name: string) =>
    at(message, message.build({ ...plainFacts, occasion: { ...asked, reasonCode } }), `${path}/${name}`)

  test('states the requested reason, and none without a request', () => {
    expect(said(code, 'd:Rsn/d:Cd')).toEqual([code])
    expect(said(null, 'd:Rsn')).toEqual([])
  })

  test('states that it moves no funds, because a reader could take it for an order', () => {
    expect(said(null, 'd:AddtlInf').join(' ')).toMatch(/^Record only: .*moves no funds/)
  })
})

/** The elements in which readers find how a payment is known, by message. */
const known: Record<string, string[]> = {
  'pain.001': ['InstrForDbtrAgt'],
  'pacs.004': ['AddtlInf'],
  'pain.002': ['AddtlInf'],
  'camt.054': ['AddtlTxInf', 'AddtlNtryInf', 'AddtlNtfctnInf'],
  'camt.056': ['AddtlInf'],
  'camt.029': ['AddtlInf'],
  'pacs.007': ['AddtlInf'],
  'pain.007': ['AddtlInf'],
  'pacs.002': ['AddtlInf'],
  'pacs.008': ['InstrInf'],
  'pacs.009': ['InstrInf'],
  'pain.008': ['InstrForCdtrAgt'],
  'remt.001': ['AddtlRmtInf'],
  'camt.053': ['AddtlTxInf', 'AddtlNtryInf', 'AddtlStmtInf'],
  'camt.052': ['AddtlTxInf', 'AddtlNtryInf', 'AddtlRptInf'],
}

const longest = { ...plainReceipt, chain: 'c'.repeat(255), currency: 'y'.repeat(255), tipTxHash: 'f'.repeat(255) }
const knowable: [string, Facts][] = [
  ...plain,
  ['an announced refund', { ...refundFacts, receipt: announcedRefund }],
  ['with the longest texts', { ...plainFacts, receipt: longest }],
]

describe.each(allMessages)('$version', ({ type, namespace, build }) => {
  test.each(knowable)(
    'says in a standard element that the project stated the payment and nobody checked it: %s',
    (_, facts) => {
      const xml = build(facts)
      for (const name of known[type] ?? []) {
        const texts = withXml(xml, document =>
          document.find(`//d:${name}`, { d: namespace }).map(({ content }) => content),
        )
        expect([
          name,
          texts.filter(text => /stated by the project, not checked on (its|their) chain/i.test(text)),
        ]).toEqual([name, [expect.any(String)]])
      }
      expect(readOnChainPayments(xml).map(({ grade }) => grade)).toEqual(['stated'])
    },
  )
})

test.each([pain001, pacs008, pacs009])(
  '$version is no order: what is settled, or announced only, is not to be executed',
  message => {
    const said = (facts: Facts) => at(message, message.build(facts), '//d:InstrForDbtrAgt | //d:InstrForNxtAgt')
    expect(said(plainFacts)).toEqual([
      expect.stringMatching(/^Record only: settled on chain already, do not execute\./),
    ])
    if (message === pain001) return
    const [announced] = said({ ...refundFacts, receipt: announcedRefund })
    expect(announced).toMatch(/^Record only: a refund that is only announced, do not execute\./)
  },
)

test('pain.008 of an announced refund does not say that it was paid', () => {
  const [said] = at(pain008, pain008.build({ ...refundFacts, receipt: announcedRefund }), '//d:InstrForCdtrAgt')
  expect(said).toMatch(/^Record only: nothing is to be collected\./)
})

test('every message of a receipt has a different id on each occasion', () => {
  const seen = [plainFacts, askedFacts].flatMap(facts =>
    shapes.flatMap(({ message, id }) => at(message, message.build(facts), id)),
  )
  expect(seen).toHaveLength(2 * shapes.length)
  expect(new Set(seen).size).toBe(seen.length)
})

test('pacs.002 reports the payment as settled, whether or not its evidence is anchored', () => {
  for (const anchor of [plainFacts.anchor, null]) {
    const xml = pacs002.build({ ...plainFacts, anchor })
    expect(at(pacs002, xml, '//d:GrpSts | //d:TxSts')).toEqual(['ACSC', 'ACSC'])
    const reason = anchor === null ? 'EVIDENCE-NOT-ANCHORED' : 'EVIDENCE-ANCHORED'
    expect(at(pacs002, xml, '//d:StsRsnInf/d:Rsn/d:Prtry')).toEqual([reason])
  }
})

test.each([pacs008, pacs009])('$version settles on the day of the receipt, over its chain', message => {
  const xml = message.build(askedFacts)
  expect(at(message, xml, '//d:IntrBkSttlmDt')).toEqual(['2026-03-01'])
  expect(at(message, xml, '//d:SttlmInf/d:ClrSys/d:Prtry')).toEqual(['base'])
})

test('pacs.009 has the reference as unstructured text even where structured is configured, because it has no other element', () => {
  const reference = 'x'.repeat(200)
  const facts: Facts = { ...plainFacts, receipt: { ...plainReceipt, reference }, organisation: named }
  const pieces = at(pacs009, pacs009.build(facts), '//d:RmtInf/d:Ustrd')
  expect(pieces.map(piece => piece.length)).toEqual([140, 60])
  expect(pieces.join('')).toBe(reference)
})

test('pain.008 is initiated by the collector, claims no mandate and states that nothing is to be collected', () => {
  const xml = pain008.build(plainFacts)
  expect(at(pain008, xml, '//d:InitgPty/d:Nm')).toEqual([plainReceipt.receiverWallet])
  expect(at(pain008, xml, '//d:MndtRltdInf | //d:CdtrSchmeId | //d:SeqTp')).toEqual([])
  expect(at(pain008, xml, '//d:InstrForCdtrAgt')[0]).toContain('nothing is to be collected')
})

test.each([
  ['CNCL', ['ACCR']],
  ['RJCR', ['RJCR']],
  ['PDCR', ['PDCR']],
  ['IDUP', []],
])('camt.029 with %s has the same outcome in the codes of the transaction status', (resolutionCode, expected) => {
  const xml = camt029.build({ ...plainFacts, occasion: { ...asked, resolutionCode } })
  expect(at(camt029, xml, '//d:Sts/d:Conf')).toEqual([resolutionCode])
  expect(at(camt029, xml, '//d:TxCxlSts')).toEqual(expected)
})

test('camt.029 without a resolution claims no cancellation', () => {
  const xml = camt029.build({ ...plainFacts, occasion: { ...asked, resolutionCode: null } })
  expect(at(camt029, xml, '//d:Sts/d:Conf')).toEqual(['NINF'])
  expect(at(camt029, xml, '//d:TxCxlSts')).toEqual([])
  expect(at(camt029, xml, '//d:AddtlInf')[0]).toBe('The outcome of the case was not stated.')
})

test('camt.029 names the case that its request opened, and none where there was no request', () => {
  const request = camt056.build({ ...askedFacts, organisation: named })
  const [caseId = ''] = at(camt056, request, '//d:Case/d:Id')
  const occasion = { ...asked, id: plainReceipt.id, answers: { caseId, createdAt: asked.at } }
  const answer = camt029.build({ ...plainFacts, organisation: named, occasion })
  expect(at(camt029, answer, '//d:RslvdCase/d:Id')).toEqual([caseId])
  expect(at(camt029, answer, '//d:RslvdCase//d:Nm')).toEqual(at(camt056, request, '//d:Case//d:Nm'))
  expect(at(camt029, answer, '//d:AddtlInf')).toContain(`Answers case ${caseId} of 2026-03-05T09:00:00.000Z.`)
  expect(at(camt029, camt029.build(askedFacts), '//d:RslvdCase')).toEqual([])
})

test('an entry has an id of its own, and the entry of a return states the reason and the returned transaction', () => {
  const camt054 = messageOf('camt.054')
  const xml = camt054.build(refundFacts)
  expect(at(camt054, xml, '//d:RtrInf/d:Rsn/d:Cd')).toEqual(['FOCR'])
  expect(at(camt054, xml, '//d:RtrInf/d:AddtlInf')).toEqual([`Return of transaction ${plainReceipt.tipTxHash}`])
  expect(at(camt054, camt054.build(plainFacts), '//d:RtrInf')).toEqual([])
  const ids = at(camt054, xml, '//d:AcctSvcrRef')
  expect(new Set(ids)).toEqual(new Set([`EC-${plainRefund.id.replaceAll('-', '')}`]))
  expect(ids).toHaveLength(2)
})

test.each(allMessages)('$version has a long reference whole in a standard element', ({ type, namespace, build }) => {
  const reference = `${'Rechnung 4711/'.repeat(18)}end`
  const receipt = { ...plainReceipt, reference }
  // A pacs.004 has the reference of the payment that it returns.
  const refundOf = { ...plainReceipt, reference }
  for (const organisation of [plainFacts.organisation, named]) {
    const facts = { ...plainFacts, organisation, receipt: type === 'pacs.004' ? { ...plainRefund, refundOf } : receipt }
    const texts = withXml(build(facts), document =>
      document.find('//d:Ustrd | //d:AddtlRmtInf', { d: namespace }).map(({ content }) => content),
    )
    expect([type, texts.join('').includes(reference)]).toEqual([type, true])
  }
})

test('a structured reference of the most UTF-16 units is whole', () => {
  const reference = '😀'.repeat(255)
  const xml = pacs008.build({ ...plainFacts, organisation: named, receipt: { ...plainReceipt, reference } })
  expect(at(pacs008, xml, '//d:Strd/d:AddtlRmtInf').join('')).toBe(reference)
})

test('camt.056 goes from the organisation, or else the payer, to the payee', () => {
  const namesIn = (organisation: MessageConfiguration) =>
    at(camt056, camt056.build({ ...askedFacts, organisation }), '//d:Assgnmt/*/d:Pty/d:Nm')
  expect(namesIn(plainFacts.organisation)).toEqual([plainReceipt.senderWallet, plainReceipt.receiverWallet])
  expect(namesIn(named)).toEqual(['Acme & Söhne <GmbH>', 'Payee AG'])
})

test('camt.029 goes from the organisation, or else the payee, to the payer', () => {
  const namesIn = (organisation: MessageConfiguration) =>
    at(camt029, camt029.build({ ...askedFacts, organisation }), '//d:Assgnmt/*/d:Pty/d:Nm')
  expect(namesIn(plainFacts.organisation)).toEqual([plainReceipt.receiverWallet, plainReceipt.senderWallet])
  expect(namesIn(named)).toEqual(['Acme & Söhne <GmbH>', 'Payer Ltd'])
})

test('remt.001 states the purpose of the payment, also where the reference is structured', () => {
  const advised = (organisation: MessageConfiguration, path: string) =>
    at(remt001, remt001.build({ ...plainFacts, organisation }), path)
  expect(advised(plainFacts.organisation, '//d:RmtInf/d:Ustrd')).toEqual([plainReceipt.reference])
  expect(advised(named, '//d:RmtInf/d:Strd/d:RfrdDocInf/d:Nb')).toEqual([plainReceipt.reference])
  expect(advised(named, '//d:RmtInf/d:Strd/d:RfrdDocAmt/d:RmtdAmt')).toEqual(['12.5'])
})
