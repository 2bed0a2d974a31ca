// The dates of messages: a payment is dated by its block, else by the time that its project stated, else by the
// recording; it is booked on the day on which it became known.
import { expect, test } from 'vitest'
import type { ReceiptFacts, SettlementFacts } from '../../src/modules/iso20022/facts.ts'
import { messageOf } from '../../src/modules/iso20022/messages/registry.ts'
import { readXml, type XmlNode } from '../../src/modules/iso20022/read-xml.ts'
import { plainFacts, plainReceipt } from '../kit/receipts.ts'

const found: SettlementFacts = {
  status: 'confirmed',
  grade: 'proved',
  checkedAt: new Date('2026-03-01T12:34:57Z'),
  assetId: 'eip155:8453/erc20:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  blockNumber: 7,
  blockHash: `0x${'7'.repeat(64)}`,
  blockTime: new Date('2026-02-27T22:30:00Z'),
  sentBy: plainReceipt.senderWallet,
  fee: '21000',
  legIndex: 3,
  differences: [],
}
const statedAt = new Date('2026-02-26T10:00:00Z')

const valuesOf = (node: XmlNode, name: string): string[] =>
  node.children.flatMap(child => (child.name === name ? [textOf(child)] : valuesOf(child, name)))
const textOf = (node: XmlNode): string => (node.children.length === 0 ? node.text : node.children.map(textOf).join(''))
const dates = (type: Parameters<typeof messageOf>[0], name: string, change: Partial<ReceiptFacts>) =>
  valuesOf(readXml(messageOf(type).build({ ...plainFacts, receipt: { ...plainReceipt, ...change } })), name)

test.each([
  ['its block', { settlement: found, statedAt }, '2026-02-27T22:30:00.000Z'],
  ['the time that the project stated', { statedAt }, '2026-02-26T10:00:00.000Z'],
  [
    'the same, where the block is of no such payment',
    { settlement: { ...found, grade: 'stated' as const, status: 'mismatch' as const }, statedAt },
    '2026-02-26T10:00:00.000Z',
  ],
  ['the recording', {}, plainReceipt.createdAt.toISOString()],
])('a payment is dated by %s', (_, change, at) => {
  const day = at.slice(0, 10)
  expect(dates('pain.001', 'ReqdExctnDt', change)).toEqual([at])
  expect(dates('remt.001', 'ReqdExctnDt', change)).toEqual([at])
  for (const type of ['pacs.008', 'pacs.009'] as const) expect(dates(type, 'IntrBkSttlmDt', change)).toEqual([day])
  expect(dates('camt.056', 'OrgnlIntrBkSttlmDt', change)).toEqual([day])
  const isBooked = !('settlement' in change) || change.settlement?.status === 'confirmed'
  expect(dates('camt.054', 'ValDt', change)).toEqual(isBooked ? [day] : [])
  expect(dates('camt.054', 'BookgDt', change)).toEqual(isBooked ? ['2026-03-01'] : [])
})
