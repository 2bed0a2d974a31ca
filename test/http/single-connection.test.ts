// The official graphql-sse client with all operations on one connection, which it closes when idle and opens again when
// needed.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient, NetworkError } from 'graphql-sse'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../kit/service.ts'
import { sized } from '../kit/size.ts'

let service: Service
let key: string
let receipt: string
beforeAll(async () => {
  process.on('warning', note)
  service = await startService({ ROLES: 'api' })
  key = (await service.api.project('Single')).key
  receipt = (await service.api.record(key)).json.receipt_id
})
afterAll(async () => {
  process.off('warning', note)
  await service.stop()
})

/** Node's warnings, for example of listeners that accumulate with every operation. */
const warnings: string[] = []
const note = ({ message }: Error) => void warnings.push(message)

const operations = [
  'query { me { role } }',
  `mutation { recordReceipt(input: { settlementTx: "0x1", chain: "base", amount: "1", currency: "USDC", senderWallet: "0x2", receiverWallet: "0x3", reference: "one" }) { receipt { reference } } }`,
  () => `subscription { receiptEvents(receiptId: "${receipt}") { status } }`,
  () => `query { receipt(id: "${receipt}") { status } }`,
].map(operation => (typeof operation === 'string' ? () => operation : operation))

/** Returns the first result and ends the operation. */
async function first(client: Client<true>, query: string): Promise<unknown> {
  for await (const { data, errors } of client.iterate({ query })) return errors ?? data
}

const outcome = (client: Client<true>, index: number) =>
  first(client, operations[index % operations.length]?.() ?? '').then(
    data => data,
    (error: unknown) => (error instanceof NetworkError ? `${error.message}` : error),
  )

// The headers object is the client's own: it writes its stream token into it.
const clientWith = (more: { lazyCloseTimeout?: number; lazy?: boolean } = {}) =>
  createClient({
    url: `${service.base}/graphql/stream`,
    singleConnection: true,
    // A retry would hide the first refusal.
    retryAttempts: 0,
    headers: { 'X-API-Key': key },
    ...more,
  })

const expected = [
  { me: { role: 'PROJECT_ADMIN' } },
  { recordReceipt: { receipt: { reference: 'one' } } },
  { receiptEvents: { status: 'PENDING' } },
  { receipt: { status: 'PENDING' } },
]
const expectedAt = (index: number) => expected[index % expected.length]

it('answers one operation after another, however soon the connection is opened again', async () => {
  const client = clientWith()
  const count = sized(40, 400)
  const seen: unknown[] = []
  for (let index = 0; index < count; index++) {
    seen.push(await outcome(client, index))
    if (index % 10 === 9) await sleep(20)
  }
  expect(seen).toEqual(Array.from({ length: count }, (_, index) => expectedAt(index)))
  client.dispose()
})

it.each([
  ['that closes its connection at once', {}],
  ['that keeps it a little', { lazyCloseTimeout: 5 }],
  ['that keeps it always', { lazy: false }],
])('answers ten operations at a time, for a client %s', async (_, more) => {
  const client = clientWith(more)
  for (let round = 0; round < sized(4, 40); round++) {
    const indexes = Array.from({ length: 10 }, (_, index) => index)
    expect(await Promise.all(indexes.map(index => outcome(client, index)))).toEqual(indexes.map(expectedAt))
    await sleep(round % 3 === 0 ? 0 : 10)
  }
  client.dispose()
  expect(warnings).toEqual([])
})
