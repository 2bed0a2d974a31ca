// Callers without credentials together: they wait for each other and not others for them, are refused before the work,
// and share the limit of their network.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { roomForAll, type Service, startService } from '../kit/service.ts'

const limits = (own: Record<string, number>) =>
  roomForAll.split(',').map(one => `${one.split('=')[0]}=${own[one.split('=')[0] ?? ''] ?? 999_999_999}`)

let service: Service
let key: string
beforeAll(async () => {
  // A millisecond in a minute: what waits in this test waits longer than the test.
  const RATE_LIMITS = limits({ strangers: 1, network: 40 }).join()
  service = await startService({ TRUST_PROXY: '1', LOG_LEVEL: 'silent', RATE_LIMITS })
  key = (await service.api.project()).key
})
afterAll(() => service?.stop())

const introspection = (index: number) => `query Q${index} { __schema { types { name fields { name type { name } } } } }`

const ask = (query: string, from: string, signal: AbortSignal | null = null) =>
  fetch(`${service.base}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
    body: JSON.stringify({ query }),
    signal,
  })

it('a stranger is refused before validation where the document gives it nothing else', async () => {
  const wrong = await ask('{ receipts(first: 1) { nodes { nonsense } } }', '203.0.113.250')
  expect([wrong.status, (await wrong.json()).errors]).toMatchObject([
    401,
    [{ path: ['receipts'], extensions: { code: 'unauthenticated' } }],
  ])
  const mixed = await (await ask('{ __typename receipts(first: 1) { nodes { id } } }', '203.0.113.250')).json()
  expect(mixed).toMatchObject({ data: { __typename: 'Query' }, errors: [{ extensions: { code: 'unauthenticated' } }] })
})

it('a new document that many send at the same time is read for the first, and all are answered', async () => {
  const query = '{ health { status } again: health { version } }'
  const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => ask(query, `198.51.100.${index}`)))
  expect(answers.map(({ status }) => status)).toEqual(Array(64).fill(200))
})

it('addresses of one IPv6 network have one limit together, and those of others their own', async () => {
  const answers = []
  for (let index = 0; index < 50; index++) answers.push(await ask('{ __typename }', `2001:db8:7:${index}::1`))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(10)
  const [first = expect.fail()] = refused
  expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await first.json()).errors[0].extensions).toMatchObject({ limit: 'network', maximum: 40 })
  expect((await ask('{ __typename }', '2001:db8:8::1')).status).toBe(200)
})

it('while strangers wait for their turn, callers with keys and known documents are answered, and more strangers refused', async () => {
  const leaving = new AbortController()
  const waiting = new Set<number>()
  const answers: Response[] = []
  async function come(index: number): Promise<void> {
    waiting.add(index)
    try {
      answers.push(await ask(introspection(index), `203.0.113.${index % 200}`, leaving.signal))
    } catch {
      // It left the queue below.
    }
    waiting.delete(index)
  }
  const asked: Promise<void>[] = []
  const refused = () => answers.filter(({ status }) => status === 429)
  while (refused().length < 40 && asked.length < 1_000) {
    asked.push(come(asked.length))
    // One after the other, so that no more come than have turns until the time is used up.
    expect((await ask('{ __typename }', '203.0.113.201')).status).toBe(200)
  }
  expect(refused().length).toBeGreaterThan(0)
  for (const { headers } of refused()) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  // With a key, a document that is as new.
  const { json } = await service.api.call('POST', '/graphql', { key, body: { query: introspection(1_000) } })
  expect(json.data.__schema.types.length).toBeGreaterThan(10)
  expect((await ask('{ __typename }', '203.0.113.200')).status).toBe(200)
  expect(
    (await fetch(`${service.base}/v1/x402/pricing`, { headers: { 'X-Forwarded-For': '203.0.113.201' } })).status,
  ).toBe(200)
  expect(waiting.size).toBeGreaterThan(0)
  leaving.abort()
  await Promise.all(asked)
})
