// Every reference of every message in generated payment lifecycles resolves: the named message exists, and has the ids.
// REFERENCE_LIVES=10000 sets the number of lifecycles.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAtLeast } from '../../src/core/decimal.ts'
import { isContradicting } from '../../src/core/settlement.ts'
import { asRecorded, type Facts, inLife, isSettled, type ReceiptFacts } from '../../src/modules/iso20022/facts.ts'
import { camt052 } from '../../src/modules/iso20022/messages/camt052.ts'
import { camt053 } from '../../src/modules/iso20022/messages/camt053.ts'
import { messages } from '../../src/modules/iso20022/messages/registry.ts'
import { sealedMessage } from '../../src/modules/iso20022/messages/sealed.ts'
import { pagesOf } from '../../src/modules/iso20022/messages/statement.ts'
import { readXml, textAt, type XmlNode } from '../../src/modules/iso20022/read-xml.ts'
import { readOnChainPayments } from '../../src/modules/iso20022/reader.ts'
import { occasions, organisations } from '../kit/facts.ts'
import { accountOf } from '../kit/messages.ts'
import { acceptedText, booking, factsOf, receiptsOf, unnumbered } from '../kit/receipts.ts'
import { sized } from '../kit/size.ts'

const lives = Number(process.env.REFERENCE_LIVES ?? sized(20, 500))

type Message = { type: string; version: string; root: XmlNode }

/** Returns the message's id, which other messages refer to. */
const idOf = ({ root }: Message): string | null =>
  textAt(root, 'GrpHdr', 'MsgId') ?? textAt(root, 'Assgnmt', 'Id') ?? textAt(root, 'GrpHdr', 'Id')

function valuesOf(node: XmlNode, names: readonly string[], found: string[] = []): string[] {
  if (node.children.length === 0 && names.includes(node.name)) found.push(node.text)
  for (const child of node.children) valuesOf(child, names, found)
  return found
}

const nodesOf = (node: XmlNode, names: readonly string[]): XmlNode[] =>
  node.children.flatMap(child => [...(names.includes(child.name) ? [child] : []), ...nodesOf(child, names)])

/**
 * For each reference, the elements with that id in the referenced message; a return repeats the ids of the returned
 * payment.
 */
const places: Record<string, string[]> = {
  OrgnlInstrId: ['InstrId', 'OrgnlInstrId'],
  OrgnlEndToEndId: ['EndToEndId', 'OrgnlEndToEndId'],
  OrgnlTxId: ['TxId', 'RtrId'],
  OrgnlUETR: ['UETR', 'OrgnlUETR'],
  OrgnlPmtInfId: ['PmtInfId'],
  InstrId: ['InstrId', 'OrgnlInstrId'],
  EndToEndId: ['EndToEndId', 'OrgnlEndToEndId'],
  TxId: ['TxId', 'RtrId'],
  UETR: ['UETR', 'OrgnlUETR'],
}

function faultsOf(message: Message, all: readonly Message[]): string[] {
  const faults: string[] = []
  const named = (id: string | null) => all.filter(other => idOf(other) === id)
  const check = (ids: readonly XmlNode[], target: Message) => {
    for (const { name, text } of ids) {
      if (text === 'NOTPROVIDED') continue
      if (!valuesOf(target.root, places[name] ?? []).includes(text)) {
        faults.push(`${message.type}: ${name} ${text} does not occur in ${target.type} ${idOf(target)}`)
      }
    }
  }
  for (const group of nodesOf(message.root, ['OrgnlGrpInf', 'OrgnlGrpInfAndSts'])) {
    const [target, second] = named(textAt(group, 'OrgnlMsgId'))
    if (target === undefined || second !== undefined) {
      faults.push(`${message.type}: OrgnlMsgId ${textAt(group, 'OrgnlMsgId')} names no message, or two`)
      continue
    }
    if (target.version !== textAt(group, 'OrgnlMsgNmId'))
      faults.push(`${message.type}: OrgnlMsgNmId is of another message`)
    if (textAt(target.root, 'GrpHdr', 'CreDtTm') !== textAt(group, 'OrgnlCreDtTm')) {
      faults.push(`${message.type}: OrgnlCreDtTm is not that of ${idOf(target)}`)
    }
    const ids = Object.keys(places).filter(name => name.startsWith('Orgnl'))
    check(nodesOf(message.root, ids), target)
  }
  for (const refs of nodesOf(message.root, ['Refs'])) {
    // The remainder of an account is no payment.
    if (textAt(refs, 'AcctSvcrRef')?.startsWith('RM-')) continue
    const id = textAt(refs, 'MsgId') ?? textAt(refs, 'PmtInfId')
    const [target] = id === null ? [] : named(id)
    if (target !== undefined)
      check(
        refs.children.filter(({ name }) => name in places),
        target,
      )
    // Remittance advice about a refund refers to its return by RtrId alone.
    else if (id !== null || message.type !== 'remt.001') faults.push(`${message.type}: Refs name no message`)
  }
  return faults
}

/** Checks that money is booked if and only if its payment is settled. */
function bookingFaults({ type, root }: Message): string[] {
  const settled = new Set(
    readOnChainPayments(root).map(
      ({ txHash, settlement }) => txHash !== null && !isContradicting(settlement?.status ?? null),
    ),
  )
  const statuses = valuesOf(root, ['TxSts', 'GrpSts', 'PmtInfSts'])
  const booked = nodesOf(root, ['Ntry']).map(entry => textAt(entry, 'Sts', 'Cd'))
  const hasMoved = !settled.has(false)
  const wrong = [
    ...statuses.filter(status => (status === 'ACSC') !== hasMoved),
    ...booked.filter(status => (status === 'BOOK') !== hasMoved),
  ]
  return wrong.map(status => `${type}: ${status} of what is ${hasMoved ? '' : 'not '}settled`)
}

const bodyOf = (xml: string): XmlNode => {
  const [body] = readXml(xml).children
  if (body === undefined) throw new Error('a document has a message')
  return body
}

type Life = { messages: Message[]; faults: string[] }

function add(life: Life, type: string, version: string, xml: string): void {
  const message = { type, version, root: bodyOf(xml) }
  life.messages.push(message)
  life.faults.push(...bookingFaults(message))
}

/** Builds every message about a receipt: the sealed message, its reports, and one of each type on request. */
function tell(life: Life, facts: Facts, asked: Facts['occasion']): void {
  const receipt = asRecorded(facts.receipt)
  const sealed = sealedMessage(receipt)
  add(
    life,
    sealed.type,
    sealed.version,
    sealed.build({ ...facts, receipt, anchor: null, occasion: inLife(receipt, receipt.createdAt) }),
  )
  for (const message of messages) {
    if (['pain.001', 'pacs.004'].includes(message.type)) continue
    add(life, message.type, message.version, message.build({ ...facts, occasion: asked }))
  }
}

function book(life: Life, entries: readonly Facts[], asked: Facts['occasion']): void {
  const settled = entries.filter(({ receipt }) => isSettled(receipt))
  const [first] = settled
  if (first === undefined) return
  const { receiverWallet: wallet, chain, currency } = first.receipt
  const account = { ...accountOf({ wallet, chain, currency }), isProven: false, opening: '0' }
  const bookings = settled.map(facts => booking(facts, 'CRDT'))
  const window = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-03-02T00:00:00Z') }
  const { organisation } = first
  const accounts = [{ ...account, entries: bookings }]
  for (const { type, version, build } of [camt052, camt053]) {
    for (const page of pagesOf({ ...unnumbered, ...asked, ...window, organisation, accounts }))
      add(life, type, version, build(page))
  }
}

const refundFactsOf = (payment: Facts, refund: ReceiptFacts): Facts => {
  const { id, reference, tipTxHash, amount, createdAt, senderWallet, receiverWallet } = payment.receipt
  const isSettled = refund.refundOf === null || refund.refundTxHash !== null
  const receipt = {
    ...payment.receipt,
    id: refund.id,
    reference: `refund:${id}`,
    amount: isAtLeast(amount, refund.amount) ? refund.amount : amount,
    senderKey: payment.receipt.receiverKey,
    receiverKey: payment.receipt.senderKey,
    senderWallet: receiverWallet,
    receiverWallet: senderWallet,
    createdAt: refund.createdAt,
    // A refund has its own transaction from the start, later, or never.
    tipTxHash: refund.refundOf === null ? refund.tipTxHash : tipTxHash,
    refundTxHash: isSettled ? refund.tipTxHash : null,
    refundOf: { id, reference, tipTxHash, amount, createdAt },
  }
  return { ...payment, receipt }
}

const cases = fc.record({
  facts: factsOf(acceptedText),
  organisation: organisations,
  // The whole payment, or parts of it.
  refunds: fc.uniqueArray(receiptsOf(acceptedText), { maxLength: 3, selector: ({ id }) => id }),
  asked: fc.tuple(occasions, occasions, occasions),
})

test(`every reference resolves, and nothing unsettled is booked, in ${lives} lifecycles`, () => {
  fc.assert(
    fc.property(cases, ({ facts, organisation, refunds, asked: [first, second, third] }) => {
      const life: Life = { messages: [], faults: [] }
      const receipt = { ...facts.receipt, refundOf: null, refundTxHash: null }
      const payment: Facts = { ...facts, organisation, receipt }
      tell(life, payment, first)
      const entries = [payment]
      for (const refund of refunds) {
        const returned = refundFactsOf(payment, refund)
        tell(life, returned, second)
        entries.push(returned)
      }
      book(life, entries, third)
      expect(life.messages.flatMap(message => faultsOf(message, life.messages))).toEqual([])
      expect(life.faults).toEqual([])
    }),
    { numRuns: lives },
  )
}, 3_600_000)

test('a reference to a missing message is found', () => {
  const root = bodyOf('<Document><A><OrgnlGrpInf><OrgnlMsgId>x</OrgnlMsgId></OrgnlGrpInf></A></Document>')
  expect(faultsOf({ type: 'a', version: 'b', root }, [])).toEqual(['a: OrgnlMsgId x names no message, or two'])
})
