// An ordinary POST of GraphQL is answered without yoga: status, headers and body are those that yoga would send.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bothWays, type Caller, type Sent } from '../kit/both-ways.ts'
import { roomForAll, type Service, startService } from '../kit/service.ts'

let service: Service
let callers: Caller[]
let receipt: string
beforeAll(async () => {
  const RATE_LIMITS = `${roomForAll},project=5000,address=5000,sign-in=3`
  service = await startService({ ROLES: 'api', TRUST_PROXY: '1', RATE_LIMITS })
  const caller = async () => {
    const { key } = await service.api.project()
    return { key, viewer: await service.api.key(key, 'viewer') }
  }
  callers = await Promise.all([caller(), caller(), caller()])
  const recorded = await Promise.all(callers.map(({ key }) => service.api.record(key, { reference: 'same' })))
  receipt = recorded[0]?.json.receipt_id
})
afterAll(() => service?.stop())

const types = [
  '*/*',
  'application/json',
  'application/graphql-response+json',
  'application/graphql-response+json, application/json;q=0.9',
  'text/event-stream, application/json',
]

const ask = (query: string, variables?: unknown, as?: keyof Caller, more: object = {}): Sent[] => [
  { body: { query, variables, ...more }, ...(as && { as }) },
]
const times = (count: number, sent: Sent[]): Sent[] => Array.from({ length: count }, () => sent).flat()

const one = '{ __typename }'
const byId = 'query ($id: ID!) { receipt(id: $id) { id status amount createdAt xmlUrl } }'
const two = 'query A { __typename } query B { receipts(first: 1) { nodes { reference } } }'
const list = 'query ($f: ReceiptFilter, $n: Int) { receipts(filter: $f, first: $n) { totalCount nodes { reference } } }'
const listing = '{ __typename receipts(first: 1) { nodes { id } } }'
const skipping = 'query ($s: Boolean!) { __typename receipt(id: "x") @skip(if: $s) { id } }'
const schema = '{ __schema { queryType { name } } __type(name: "Receipt") { name } }'
const signIn = 'mutation { signIn(input: { message: "x", signature: "0x00" }) { token } }'
const checking = (count: number) => {
  const fields = Array.from({ length: count }, (_, n) => `a${n}: verifyEvidence(bundleHash: "0x${'1'.repeat(64)}")`)
  return `{ ${fields.map(field => `${field} { errors }`).join(' ')} }`
}
const record = 'mutation ($i: RecordReceiptInput!) { recordReceipt(input: $i) { receipt { id status reference } } }'
const tip = {
  settlementTx: `0x${'5'.repeat(64)}`,
  chain: 'base',
  amount: '12.5',
  currency: 'USDC',
  senderWallet: `0x${'6'.repeat(40)}`,
  receiverWallet: `0x${'7'.repeat(40)}`,
  reference: 'own',
}
const absent = '11111111-2222-4333-8444-555555555555'

describe('data', () => {
  it.each<[string, () => Sent[]]>([
    ['one field', () => ask(one)],
    ['a receipt, twice', () => times(2, ask(byId, { id: receipt }))],
    ['a receipt with a key', () => ask(byId, { id: receipt }, 'viewer')],
    ['no receipt', () => ask(byId, { id: absent })],
    ['aliases and several roots', () => ask(`{ a: receipt(id: "${receipt}") { id } b: __typename }`)],
    ['parameters that are null', () => ask(two, null, undefined, { operationName: 'A', extensions: null, x: null })],
    ['one of two operations', () => ask(two, {}, 'key', { operationName: 'B' })],
    ['a list', () => ask(list, { n: 5, f: { reference: { eq: 'same' } } }, 'key')],
    ['a list for a viewer', () => ask(list, { n: 1 }, 'viewer')],
    ['a list too long for compiled code', () => ask(list, { n: 1, f: null, x: Array(400).fill(1) }, 'viewer')],
    ['a mutation', () => ask(record, { i: tip }, 'key')],
    ['the schema', () => ask(schema)],
    ['a request with other extensions', () => ask(one, {}, undefined, { extensions: { client: 'x' } })],
    [
      'a trusted document',
      () => [
        {
          body: {
            documentId: 'x-quittance:receipt-page',
            operationName: 'ReceiptCard',
            variables: { id: receipt },
          },
        },
      ],
    ],
    [
      'a body with a charset',
      () => [{ body: { query: one }, headers: { 'Content-Type': 'application/json; charset=utf-8' } }],
    ],
  ])('of %s', async (_, sent) => {
    for (const accept of types) {
      const { direct, yoga } = await bothWays(service, callers, accept, sent())
      expect([accept, direct.map(({ shown }) => shown)]).toEqual([accept, yoga.map(({ shown }) => shown)])
      for (const { isDirect, hasRightLength, body } of direct) {
        expect({ accept, isDirect, hasRightLength }).toEqual({ accept, isDirect: true, hasRightLength: true })
        expect(body).toMatch(/^\{"data":(?!.*"errors":\[\{)/)
      }
      expect(yoga.map(({ isDirect }) => isDirect)).toEqual(yoga.map(() => false))
    }
  })
})

/** The text that the last answer must contain, and the requests. */
const refused: [string, string, () => Sent[]][] = [
  ['variables in directives', '"data":{"__typename":"Query"}', () => ask(skipping, { s: true })],
  ['many variables', 'At most 50 values', () => ask(list, { f: { currencies: Array(600).fill('x') } }, 'key')],
  ['a syntax error', 'invalid_graphql', () => ask('{ receipt(')],
  ['an unknown field', 'invalid_graphql', () => ask('{ nothing }')],
  ['a wrong id', 'validation_failed', () => ask(byId, { id: 'x' })],
  ['a missing variable', 'was not provided', () => ask(byId)],
  ['a variable of another type', 'got invalid value', () => ask(byId, { id: {} })],
  ['a wrong value inside a variable', 'f.amount.min', () => ask(list, { f: { amount: { min: 5 } } }, 'key')],
  ['variables that are a list', 'given array', () => ask(byId, [1])],
  ['variables that are a text', 'given string', () => ask(byId, 'x')],
  ['extensions that are a list', 'given array', () => ask(one, {}, undefined, { extensions: [] })],
  ['an unknown parameter', 'Unexpected parameter', () => ask(one, {}, undefined, { key: 1 })],
  ['an unknown operation', 'what operation', () => ask(two, {}, undefined, { operationName: 'C' })],
  ['no name of two operations', 'what operation', () => ask(two)],
  ['an empty name', 'what operation', () => ask(one, {}, undefined, { operationName: '' })],
  ['a name that is a number', 'what operation', () => ask(one, {}, undefined, { operationName: 5 })],
  ['a batch', 'invalid_graphql', () => [{ body: [{ query: one }, { query: one }] }]],
  ['bodies that are no object', 'invalid_graphql', () => [{ body: '{' }, { body: '"x"' }, { body: '' }]],
  ['no key', 'unauthenticated', () => ask('{ receipts(first: 1) { nodes { id } } }')],
  ['no key, beside data', 'unauthenticated', () => ask(listing)],
  ['a wrong key', 'unauthenticated', () => [{ body: { query: one }, headers: { 'X-API-Key': 'x' } }]],
  ['the key of a viewer', 'forbidden', () => ask(record, { i: tip }, 'viewer')],
  ['a wrong amount', 'validation_failed', () => ask(record, { i: { ...tip, amount: '-1' } }, 'key')],
  ['a high cost', 'document_too_costly', () => ask(checking(60))],
  ['more than the limit', 'too_many_requests', () => times(5, ask(checking(30)))],
  ['more signatures than the limit', 'too_many_requests', () => times(4, ask(signIn))],
  ['a subscription', 'errors', () => ask('subscription { nothing }')],
  ['an unknown document', 'document_not_found', () => [{ body: { documentId: 'none' } }]],
  [
    'a document that Apollo is to send',
    'PERSISTED_QUERY_NOT_FOUND',
    () => [{ body: { extensions: { persistedQuery: { version: 1, sha256Hash: 'f'.repeat(64) } } } }],
  ],
  [
    'an Idempotency-Key of another request',
    'Choose a new one',
    () =>
      ['x', 'y'].flatMap(reference =>
        ask(record, { i: { ...tip, reference } }, 'key').map(one => ({ ...one, headers: { 'Idempotency-Key': 'k' } })),
      ),
  ],
  ...['application/graphql+json', 'application/x+json', 'text/plain'].map((type): [string, string, () => Sent[]] => [
    type,
    '',
    () => [{ body: { query: one }, headers: { 'Content-Type': type } }],
  ]),
]

it.each(refused)('what yoga refuses or executes: %s', async (_, expected, sent) => {
  for (const accept of types.slice(0, 4)) {
    const { direct, yoga } = await bothWays(service, callers, accept, sent())
    expect([accept, direct.map(({ shown }) => shown)]).toEqual([accept, yoga.map(({ shown }) => shown)])
    expect(direct.at(-1)?.body).toContain(expected)
  }
})
