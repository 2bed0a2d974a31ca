// A stream ends when its API key is revoked or expires, at every process, over REST and GraphQL.
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Service } from '../kit/service.ts'
import { startTwoProcesses, type TwoProcesses } from '../kit/two-processes.ts'

let running: TwoProcesses
let one: Service
let two: Service
let project: { id: string; key: string }
let receipt: string
beforeAll(async () => {
  running = await startTwoProcesses()
  ;({ one, two, project, receipt } = running)
})
afterAll(() => running.stop())

async function freshKey(): Promise<{ id: string; key: string }> {
  const query = 'mutation { createApiKey(input: { label: "stream", role: VIEWER }) { key apiKey { id } } }'
  const { key, apiKey } = (await one.api.graphql(query, { key: project.key })).data.createApiKey
  return { key, id: apiKey.id }
}

const rest = (service: Service, key: string) =>
  fetch(`${service.base}/v1/iso/events/${receipt}`, { headers: { 'X-API-Key': key } })
const graphql = (service: Service, key: string) =>
  fetch(`${service.base}/graphql/stream`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify({ query: `subscription { receiptEvents(receiptId: "${receipt}") { status } }` }),
  })

/** Resolves when the stream has ended, in any way. */
async function ended(response: Response): Promise<void> {
  expect(response.status).toBe(200)
  const reader = response.body?.getReader()
  for (;;) if ((await reader?.read().catch(() => ({ done: true })))?.done !== false) return
}

const open = async (key: string) => {
  const responses = await Promise.all([rest(one, key), rest(two, key), graphql(one, key), graphql(two, key)])
  const streams = responses.map(ended)
  // Open for longer than the interval at which keys are checked.
  await new Promise(resolve => setTimeout(resolve, 2_500))
  expect(await Promise.race([...streams, Promise.resolve('open')])).toBe('open')
  return streams
}

it.concurrent('a stream ends when its key is revoked, at every process', async () => {
  const { id, key } = await freshKey()
  const streams = await open(key)
  expect((await one.api.call('DELETE', `/v1/auth/api-keys/${id}`, { key: project.key })).status).toBe(200)
  await Promise.all(streams)
  expect((await rest(two, key)).status).toBe(401)
})

it.concurrent('a stream ends when its key expires', async () => {
  const { id, key } = await freshKey()
  const streams = await open(key)
  const database = new pg.Client({ connectionString: one.databaseUrl })
  await database.connect()
  await database.query(`update api_keys set expires_at = now() where id = $1`, [id])
  await database.end()
  await Promise.all(streams)
})

it.concurrent('an operation ends on a reserved stream that was opened without a key', async () => {
  const { id, key } = await freshKey()
  const at = `${one.base}/graphql/stream`
  const token = await (await fetch(at, { method: 'PUT' })).text()
  const stream = await fetch(at, { headers: { Accept: 'text/event-stream', 'X-GraphQL-Event-Stream-Token': token } })
  const over = ended(stream)
  const second = await fetch(at, { headers: { Accept: 'text/event-stream', 'X-GraphQL-Event-Stream-Token': token } })
  expect(second.status).toBe(409)
  await second.text()
  const query = `subscription { receiptEvents(receiptId: "${receipt}") { status } }`
  const asked = await fetch(at, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'X-GraphQL-Event-Stream-Token': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, extensions: { operationId: '1' } }),
  })
  expect(asked.status).toBe(202)
  await one.api.call('DELETE', `/v1/auth/api-keys/${id}`, { key: project.key })
  await over
})

it.concurrent('a stream of another key stays open', async () => {
  const [gone, stays] = [await freshKey(), await freshKey()]
  const kept = ended(await rest(one, stays.key))
  const streams = await open(gone.key)
  await one.api.call('DELETE', `/v1/auth/api-keys/${gone.id}`, { key: project.key })
  await Promise.all(streams)
  expect(await Promise.race([kept, new Promise(resolve => setTimeout(resolve, 1_500, 'open'))])).toBe('open')
})
