// A client computes the cost of an operation from schema.graphql before it sends it.
import { globSync, readFileSync } from 'node:fs'
import { Kind, parse, print, separateOperations } from 'graphql'
import { expect, it } from 'vitest'
import { schema } from '../../src/graphql/schema.ts'
import { costOf } from '../../src/kit/operation-cost.ts'
import { tariffOf } from '../kit/tariff.ts'

const tariff = tariffOf(readFileSync('schema.graphql', 'utf8'))
const charged = (source: string, variables = {}) => costOf(schema, parse(source), undefined, variables).total
const lists = 'query ($filter: ReceiptFilter, $orderBy: ReceiptOrder, $first: Int) {'
const page = `${lists} receipts(filter: $filter, orderBy: $orderBy, first: $first) { totalCount nodes { id status } } }`

it.each<[string, Record<string, unknown>?]>([
  ['{ me { role project { id name } } }'],
  [page, { first: 200 }],
  [page, { first: 0, filter: { reference: { contains: 'a' } } }],
  [page, { filter: { chains: ['base'], currencies: ['DAI', 'USDC', 'EURC'] } }],
  [page, { filter: { amount: { min: '1' } }, orderBy: { field: 'AMOUNT' } }],
  [page, { filter: { chains: ['base'] }, orderBy: { field: 'AMOUNT' } }],
  ['{ payments(filter: { verifiedAt: {}, payers: ["0x1"] }) { nodes { id payer } } }'],
  ['{ auditTrail(last: 7, filter: { actors: ["a", "b"] }) { edges { cursor node { action } } } }'],
  [
    '{ receipts { edges { node { ...R } } } } fragment R on Receipt { artifacts { nodes { type receipt { artifacts { nodes { url } } } } } }',
  ],
  ['{ nodes(ids: ["a", "b", "c"]) { id ... on Receipt { status events(first: 3) { edges { cursor } } } } }'],
  [
    '{ receiptStats(by: { status: true }) { nodes { key { status } sums { currency gross } } } me { project { receiptStats(first: 7) { edges { node { count } } } } } }',
  ],
  ['{ linkedWallets(first: 1000) { nodes { address } } projects(first: 1000) { nodes { id } } }'],
  ['{ me { project { configHistory(first: 9) { nodes { version changes { path } omittedChanges } } } } }'],
  [
    'mutation ($receipts: [RecordReceiptInput!]!) { recordReceipts(input: { receipts: $receipts }) { results { differences receipt { id } } } }',
    { receipts: [{}, {}, {}] },
  ],
  ['mutation { recordReceipts(input: { receipts: [{ chain: "a" }, { chain: "b" }] }) { __typename } }'],
  ['mutation { a: revokeSession(input: { id: "x" }) { session { id } } }'],
])('costs what it says: %s %j', (source, variables) => {
  expect(tariff(source, variables)).toBe(charged(source, variables))
})

it('costs what it says, of every operation of the clients', () => {
  const sources = globSync('sdk/*.graphql').map(path => parse(readFileSync(path, 'utf8')))
  const operations = sources.flatMap(source => Object.values(separateOperations(source)))
  expect(operations.length).toBeGreaterThan(5)
  for (const document of operations) {
    const [operation] = document.definitions
    const name = operation?.kind === Kind.OPERATION_DEFINITION ? operation.name?.value : undefined
    expect([name, tariff(print(document))]).toEqual([name, charged(print(document))])
  }
})
