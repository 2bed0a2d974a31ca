// A dashboard that asks without end, and a hundred open lists, beside a shop that records payments: nothing of the shop
// is refused, and no list ends.
import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect } from 'vitest'
import { credentials, type Service, startService, tipOf } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

const seconds = 60

let service: Service
let shop: { id: string; key: string }
beforeAll(async () => {
  service = await startService({ ROLES: 'api', RATE_LIMITS: '' })
  shop = await service.api.project()
})
afterAll(() => service?.stop())

const list =
  '{ receipts(first: 50) { totalCount nodes { id status artifacts { nodes { type url } } anchors { anchorTx } } } }'

/** Asks as fast as the answers come. Returns how often each status came. */
async function refresh(
  key: string,
  until: number,
  query = list,
  headers: Record<string, string> = {},
): Promise<Map<number, number>> {
  const seen = new Map<number, number>()
  const one = async () => {
    while (Date.now() < until) {
      const { status } = await service.api.call('POST', '/graphql', { key, headers, body: { query } })
      seen.set(status, (seen.get(status) ?? 0) + 1)
      // A browser does not ask again at once either.
      if (status === 429) await sleep(5)
    }
  }
  await Promise.all([one(), one(), one(), one()])
  return seen
}

/** Records a payment a second. Returns the statuses. */
async function record(key: string, until: number): Promise<number[]> {
  const seen: number[] = []
  while (Date.now() < until) {
    seen.push((await service.api.record(key, tipOf())).status)
    await sleep(1_000)
  }
  return seen
}

async function follow(key: string) {
  const query = 'subscription { receiptChanged { cursor receipt { id status artifacts { nodes { type } } } } }'
  const request = http.request(`${service.base}/graphql/stream`, {
    method: 'POST',
    headers: { Accept: 'text/event-stream', 'Content-Type': 'application/json', ...credentials(key) },
  })
  request.on('error', () => undefined).end(JSON.stringify({ query }))
  const [response]: [http.IncomingMessage] = (await once(request, 'response')) as never
  const stream = { status: response.statusCode, text: '', isOver: false, close: () => request.destroy() }
  response
    .setEncoding('utf8')
    .on('data', chunk => (stream.text += chunk))
    .on('close', () => (stream.isOver = true))
    .on('error', () => undefined)
  return stream
}

const session = async (key = shop.key) => {
  const query = 'mutation { createSession(input: { role: VIEWER }) { token } }'
  return (await service.api.graphql(query, { key })).data.createSession.token as string
}

it(
  'a viewer that refreshes at full speed takes nothing of what the shop writes with',
  async () => {
    const tokens = [await session(), await session()]
    const until = Date.now() + seconds * 1_000
    const [recorded, ...refreshed] = await Promise.all([
      record(shop.key, until),
      ...tokens.map(token => refresh(token, until)),
    ])
    expect(recorded.length).toBeGreaterThan(seconds * 0.6)
    expect(new Set(recorded)).toEqual(new Set([200]))
    // They did use up what reads may use.
    for (const seen of refreshed) expect(seen.get(429) ?? 0).toBeGreaterThan(0)
    expect([...new Set(refreshed.flatMap(seen => [...seen.keys()]))].sort()).toEqual([200, 429])
    expect((await service.api.graphql(list, { key: shop.key })).errors?.[0].extensions.limit ?? 'project').toBe(
      'project',
    )
  },
  seconds * 1_000 + 60_000,
)

it(
  'nor does a viewer that pretends to pay',
  async () => {
    const owner = await service.api.project()
    const tokens = [await session(owner.key), await session(owner.key)]
    const dear = list.replace('{ ', '{ premiumFxRate(baseCurrency: "USD", quoteCurrency: "USD") { rate } ')
    const until = Date.now() + seconds * 1_000
    const [recorded, ...pretended] = await Promise.all([
      record(owner.key, until),
      ...tokens.map(token => refresh(token, until, dear, { 'PAYMENT-SIGNATURE': 'e30' })),
    ])
    expect(new Set(recorded)).toEqual(new Set([200]))
    for (const seen of pretended) expect(seen.get(429) ?? 0).toBeGreaterThan(0)
  },
  seconds * 1_000 + 60_000,
)

it(
  'a hundred open lists beside a shop that records a payment a second: no write is refused, and no list ends',
  async () => {
    const other = await service.api.project()
    const streams = await Promise.all(Array.from({ length: 100 }, () => follow(other.key)))
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    const recorded = await record(other.key, Date.now() + seconds * 1_000)
    expect(new Set(recorded)).toEqual(new Set([200]))
    expect(streams.filter(({ isOver, text }) => isOver || /too_many_requests|event: complete/.test(text))).toEqual([])
    expect(streams.filter(({ text }) => text.includes('event: next')).length).toBeGreaterThan(0)
    for (const { close } of streams) close()
  },
  seconds * 1_000 + 60_000,
)
