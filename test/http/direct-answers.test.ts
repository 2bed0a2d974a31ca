// An ordinary POST of GraphQL is answered without yoga: status, headers and body must be those that yoga would send.
// Each case is sent to a service twice, by two callers that differ in nothing else. With `charset=utf-8` in `Accept`,
// which means the same, yoga answers.
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { windowMs } from '../../src/limits/policy.ts'
import { roomForAll, type Service, startService, tipOf } from '../kit/service.ts'

type Caller = { key: string; viewer: string; tip: Record<string, string> }
type Sent = { body: unknown; as?: 'key' | 'viewer' | 'nobody'; headers?: Record<string, string> }

let service: Service
let callers: Caller[]
let receipt: string
beforeAll(async () => {
  service = await startService({
    ROLES: 'api',
    TRUST_PROXY: '1',
    RATE_LIMITS: `${roomForAll},project=5000,address=5000,sign-in=3`,
  })
  const caller = async (): Promise<Caller> => {
    const { key } = await service.api.project()
    const { tip_tx_hash, sender_wallet, receiver_wallet, ...tip } = tipOf()
    const { chain, amount, currency } = tip
    const wallets = { senderWallet: sender_wallet, receiverWallet: receiver_wallet }
    const own = { settlementTx: tip_tx_hash, chain, amount, currency, reference: 'own', ...wallets }
    return { key, viewer: await service.api.key(key, 'viewer'), tip: own }
  }
  callers = await Promise.all([caller(), caller(), caller()])
  const recorded = await Promise.all(callers.map(({ key }) => service.api.record(key, { reference: 'same' })))
  receipt = recorded[0]?.json.receipt_id
})
afterAll(() => service?.stop())

let addresses = 0
const address = () => `192.0.${Math.floor(++addresses / 200)}.${(addresses % 200) + 1}`

/** Sends with exactly these headers. */
async function send({ key, viewer }: Caller, from: string, sent: Sent) {
  const { as = 'nobody', headers } = sent
  const req = request(`${service.base}/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': from,
      'X-Request-ID': 'one',
      ...(as !== 'nobody' && { 'X-API-Key': as === 'key' ? key : viewer }),
      ...headers,
    },
  })
  const answered = new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    req.on('response', resolve).on('error', reject)
  })
  req.end(typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body))
  const res = await answered
  const body = await text(res)
  const { date: _, 'content-length': length, ...fields } = res.headers
  expect(Number(length ?? 0)).toBe(Buffer.byteLength(body))
  return {
    status: res.statusCode,
    headers: { ...fields, ratelimit: String(fields.ratelimit).replace(/t=\d+/g, 't') },
    names: res.rawHeaders.filter((_, index) => index % 2 === 0),
    body: alike(body),
  }
}

type Answer = Awaited<ReturnType<typeof send>>

/** Without the ids, times and secrets that no two requests have in common. */
const alike = (body: string) =>
  body
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/"resetSeconds":\d+/g, '"resetSeconds":0')
    .replace(/qt_[A-Za-z0-9_-]+/g, 'key')

/** Sends the requests one after the other: once so that their documents are known, directly, and through yoga. */
async function bothWays(accept: string, sent: (caller: Caller) => Sent[]) {
  // A minute that ends between the two would change what is left of a limit.
  if (windowMs - (Date.now() % windowMs) < 5_000) await sleep(5_000)
  const byYoga = accept.replace(/^[^;,]+/, '$&;charset=utf-8')
  const answers: Answer[][] = []
  for (const [index, caller] of callers.entries()) {
    const headers = { Accept: index === 2 ? byYoga : accept }
    const from = address()
    const own: Answer[] = []
    for (const one of sent(caller))
      own.push(await send(caller, from, { ...one, headers: { ...headers, ...one.headers } }))
    answers.push(own)
  }
  const [, direct = [], yoga = []] = answers
  return { direct, yoga }
}

const comparable = (answers: Answer[]) => answers.map(({ names: _, ...answer }) => answer)

// Yoga writes this name in lower case.
const isDirect = (answers: Answer[]) => answers.map(({ names }) => names.includes('Content-Length'))

const types = [
  '*/*',
  'application/json',
  'application/graphql-response+json',
  'application/graphql-response+json, application/json;q=0.9',
  'text/event-stream, application/json',
]

const byId = 'query ($id: ID!) { receipt(id: $id) { id status amount createdAt xmlUrl } }'
const two = 'query A { __typename } query B { receipts(first: 1) { nodes { reference } } }'
const record = 'mutation ($i: RecordReceiptInput!) { recordReceipt(input: $i) { receipt { id status reference } } }'
const list = 'query ($f: ReceiptFilter, $n: Int) { receipts(filter: $f, first: $n) { totalCount nodes { reference } } }'
const costly = `{ ${Array.from({ length: 40 }, (_, n) => `a${n}: verifyEvidence(bundleHash: "0x${'1'.repeat(64)}") { errors }`).join(' ')} }`
const none = '11111111-2222-4333-8444-555555555555'

describe('data', () => {
  it.each<[string, (caller: Caller) => Sent[]]>([
    ['one field', () => [{ body: { query: '{ __typename }' } }]],
    ['a receipt, twice', () => Array(2).fill({ body: { query: byId, variables: { id: receipt } } })],
    ['a receipt with a key', () => [{ body: { query: byId, variables: { id: receipt } }, as: 'viewer' }]],
    ['aliases and several roots', () => [{ body: { query: `{ a: receipt(id: "${receipt}") { id } b: __typename }` } }]],
    ['null members', () => [{ body: { query: two, operationName: 'A', variables: null, extensions: null, x: null } }]],
    ['one of two operations', () => [{ body: { query: two, operationName: 'B' }, as: 'key' }]],
    ['a list', () => [{ body: { query: list, variables: { n: 5, f: { reference: 'same' } } }, as: 'key' }]],
    ['a list within variables', () => [{ body: { query: list, variables: { n: 1 } }, as: 'viewer' }]],
    [
      'a trusted document',
      () => [
        { body: { documentId: 'x-quittance:receipt-page', operationName: 'ReceiptCard', variables: { id: receipt } } },
      ],
    ],
    ['a mutation', ({ tip }) => [{ body: { query: record, variables: { i: tip } }, as: 'key' }]],
    [
      'a charset',
      () => [{ body: { query: '{ __typename }' }, headers: { 'Content-Type': 'application/json; charset=utf-8' } }],
    ],
    ['another member of extensions', () => [{ body: { query: '{ __typename }', extensions: { client: 'x' } } }]],
    [
      'introspection',
      () => [{ body: { query: '{ __schema { queryType { name } } __type(name: "Receipt") { name } }' } }],
    ],
  ])('of %s', async (_, sent) => {
    for (const accept of types) {
      const { direct, yoga } = await bothWays(accept, sent)
      expect([accept, comparable(direct)]).toEqual([accept, comparable(yoga)])
      expect(direct.map(({ body }) => JSON.parse(body))).toEqual(
        direct.map(() => expect.objectContaining({ data: expect.anything() })),
      )
      expect(direct.map(({ body }) => body)).not.toContainEqual(expect.stringContaining('"errors"'))
      expect([isDirect(direct), isDirect(yoga)]).toEqual([direct.map(() => true), yoga.map(() => false)])
    }
  })
})

describe('what yoga refuses or executes', () => {
  it.each<[string, (caller: Caller) => Sent[]]>([
    [
      'a skipped field',
      () => [
        {
          body: {
            query: 'query ($s: Boolean!) { __typename receipt(id: "x") @skip(if: $s) { id } }',
            variables: { s: true },
          },
        },
      ],
    ],
    ['a syntax error', () => [{ body: { query: '{ receipt(' } }]],
    ['an unknown field', () => [{ body: { query: '{ nothing }' } }]],
    ['a wrong id', () => [{ body: { query: byId, variables: { id: 'x' } } }]],
    ['an absent receipt', () => [{ body: { query: byId, variables: { id: none } } }]],
    ['a missing variable', () => [{ body: { query: byId } }]],
    ['a variable of another type', () => [{ body: { query: byId, variables: { id: {} } } }]],
    ['variables that are a list', () => [{ body: { query: byId, variables: [1] } }]],
    ['variables that are a text', () => [{ body: { query: byId, variables: 'x' } }]],
    ['extensions that are a list', () => [{ body: { query: '{ __typename }', extensions: [] } }]],
    ['an unknown parameter', () => [{ body: { query: '{ __typename }', key: 1 } }]],
    ['an unknown operation', () => [{ body: { query: two, operationName: 'C' } }]],
    ['no operation of two', () => [{ body: { query: two } }]],
    ['an empty name', () => [{ body: { query: '{ __typename }', operationName: '' } }]],
    ['a name that is a number', () => [{ body: { query: '{ __typename }', operationName: 5 } }]],
    ['a batch', () => [{ body: [{ query: '{ __typename }' }, { query: '{ __typename }' }] }]],
    ['a text', () => [{ body: '"x"' }, { body: '{' }, { body: '' }]],
    [
      'other content types',
      () =>
        ['application/graphql+json', 'application/x+json', 'text/plain', 'application/graphql'].map(type => ({
          body: { query: '{ __typename }' },
          headers: { 'Content-Type': type },
        })),
    ],
    ['without a key', () => [{ body: { query: '{ receipts(first: 1) { nodes { id } } }' } }]],
    ['without a key, beside data', () => [{ body: { query: '{ __typename receipts(first: 1) { nodes { id } } }' } }]],
    ['with a wrong key', () => [{ body: { query: '{ __typename }' }, headers: { 'X-API-Key': 'x' } }]],
    ['of a viewer', ({ tip }) => [{ body: { query: record, variables: { i: tip } }, as: 'viewer' }]],
    [
      'a mutation with wrong input',
      ({ tip }) => [{ body: { query: record, variables: { i: { ...tip, amount: '-1' } } }, as: 'key' }],
    ],
    [
      'a filter with wrong values',
      () => [{ body: { query: list, variables: { f: { amount: { min: 5 } } } }, as: 'key' }],
    ],
    [
      'variables with many values',
      () => [{ body: { query: list, variables: { f: { currencies: Array(600).fill('x') } } }, as: 'key' }],
    ],
    [
      'one operation too costly',
      () => [{ body: { query: `{ ${costly} b: __typename ${costly.slice(1).replaceAll(/\ba/g, 'c')}` } }],
    ],
    ['more than the limit', () => Array(10).fill({ body: { query: costly } })],
    [
      'more signatures than the limit',
      () => Array(4).fill({ body: { query: 'mutation { signIn(message: "x", signature: "0x00") { token } }' } }),
    ],
    ['a subscription', () => [{ body: { query: 'subscription { nothing }' } }]],
    ['an unknown document', () => [{ body: { documentId: 'none' } }]],
    [
      'an unknown document of Apollo',
      () => [{ body: { extensions: { persistedQuery: { version: 1, sha256Hash: 'f'.repeat(64) } } } }],
    ],
    [
      'an Idempotency-Key of another request',
      ({ tip }) =>
        ['same', 'other'].map(reference => ({
          body: { query: record, variables: { i: { ...tip, settlementTx: `0x${'7'.repeat(64)}`, reference } } },
          as: 'key' as const,
          headers: { 'Idempotency-Key': 'direct-answers' },
        })),
    ],
  ])('%s', async (_, sent) => {
    for (const accept of types.slice(0, 4)) {
      const { direct, yoga } = await bothWays(accept, sent)
      expect([accept, comparable(direct)]).toEqual([accept, comparable(yoga)])
    }
  })
})
