// Reserved streams of graphql-sse behind a proxy that sends each request to the next process: a stream is kept by one
// process, and its requests arrive at both.
import { once } from 'node:events'
import { type Client, createClient, NetworkError } from 'graphql-sse'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RoundRobin, startRoundRobin } from '../kit/round-robin.ts'
import { startTwoProcesses, type TwoProcesses } from '../kit/two-processes.ts'

let world: TwoProcesses
const proxies: RoundRobin[] = []
beforeAll(async () => {
  world = await startTwoProcesses()
})
afterAll(async () => {
  await Promise.all(proxies.map(proxy => proxy.stop()))
  await world?.stop()
})

async function startProxy(first = 0): Promise<RoundRobin> {
  const proxy = await startRoundRobin([world.one.base, world.two.base], first)
  proxies.push(proxy)
  return proxy
}

const clientOf = ({ url }: RoundRobin, headers: Record<string, string> = { 'X-API-Key': world.project.key }) =>
  createClient({ url: `${url}/graphql/stream`, singleConnection: true, retryAttempts: 0, headers })

/** Returns the first result and ends the operation. */
async function first(client: Client<true>, query: string): Promise<unknown> {
  try {
    for await (const { data, errors } of client.iterate({ query })) return errors ?? data
  } catch (error) {
    return error instanceof NetworkError ? error.message : error
  }
}

const operations = (): [string, unknown][] => [
  ['query { me { role } }', { me: { role: 'PROJECT_ADMIN' } }],
  [
    `mutation { recordReceipt(input: { settlementTx: "0x1", chain: "base", amount: "1", currency: "USDC", senderWallet: "0x2", receiverWallet: "0x3", reference: "one" }) { receipt { reference } } }`,
    { recordReceipt: { receipt: { reference: 'one' } } },
  ],
  [`subscription { receiptEvents(receiptId: "${world.receipt}") { status } }`, { receiptEvents: { status: 'PENDING' } }],
]

it.each([0, 1, 0, 1, 0, 1])('a client of one connection gets every result (round %#)', async start => {
  const proxy = await startProxy(start)
  const client = clientOf(proxy)
  // One connection for all: this subscription has no end.
  const open = client.iterate({ query: 'subscription { receiptChanged { cursor } }' })
  const change = open.next()
  for (const [query, expected] of operations()) expect(await first(client, query)).toEqual(expected)
  for (const [query, expected] of operations()) expect(await first(client, query)).toEqual(expected)
  await world.one.api.record(world.project.key)
  expect((await change).value).toEqual({ data: { receiptChanged: { cursor: expect.any(String) } } })
  await open.return?.()
  client.dispose()
  for (const method of ['POST', 'DELETE'])
    expect(new Set(proxy.sent.filter(each => each.method === method).map(each => each.backend)).size).toBe(2)
})
