// Many deliveries from several processes to receivers that often fail: each arrives, none is sent by two workers at
// once, and a hanging receiver delays no other.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Anvil, account, startAnvil } from '../kit/anvil.ts'
import { startReceiver, verified } from '../kit/receiver.ts'
import { type Service, startService } from '../kit/service.ts'
import { it, proof, sized } from '../kit/size.ts'

const secret = `test:${Buffer.alloc(32, 9).toString('base64')}`
let chain: Anvil
let services: Service[]
let base: Service

beforeAll(async () => {
  chain = await startAnvil(31_390)
  const settings = {
    ANCHOR_CHAIN: chain.caip2,
    ANCHOR_RPC_URL: chain.url,
    ANCHOR_CONTRACT: chain.contract,
    ANCHOR_PRIVATE_KEY: account(1).privateKey,
    ALLOW_PRIVATE_TARGETS: 'true',
    WEBHOOK_SECRET: secret,
  }
  base = await startService(settings)
  services = [base, await startService({ ...settings, DATABASE_URL: base.databaseUrl })]
})
afterAll(async () => {
  for (const service of services?.toReversed() ?? []) await service.stop()
  await chain?.stop()
})

const sql = async (text: string, values: unknown[] = []) => (await base.app.pool.query(text, values)).rows

async function endpointAt(key: string, url: string, eventTypes: string[] = ['RECEIPT_PENDING']) {
  const { data } = await base.api.graphql(
    'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { webhookEndpoint { id secret } } }',
    { key, variables: { input: { url, eventTypes } } },
  )
  return data.createWebhookEndpoint.webhookEndpoint as { id: string; secret: string }
}

const record = (key: string, count: number, callbackUrl: string | null = null) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      (services[index % 2] ?? base).api.record(key, { callback_url: callbackUrl }),
    ),
  )

describe('two API processes and two workers', () => {
  proof(
    `deliver ${sized(100, 1_000)} events of which three in ten fail: each arrives with one webhook-id, and never twice at once`,
    async () => {
      const { id: projectId, key } = await base.api.project('Load')
      const open = new Set<string>()
      const twice: string[] = []
      const accepted = new Map<string, number>()
      const failed = new Map<string, number>()
      const receiver = await startReceiver(async (res, { id }) => {
        if (open.has(id)) twice.push(id)
        open.add(id)
        await new Promise(resolve => setTimeout(resolve, 5))
        open.delete(id)
        // Few times, because a delivery that failed ten times is given up.
        const failures = failed.get(id) ?? 0
        if (failures < 5 && Math.random() < 0.3) {
          failed.set(id, failures + 1)
          return void res.writeHead(500).end()
        }
        accepted.set(id, (accepted.get(id) ?? 0) + 1)
      })
      const { secret: signs } = await endpointAt(key, receiver.url)
      const count = sized(100, 1_000)
      for (let done = 0; done < count; done += 100) await record(key, 100)
      const waiting = async () => {
        // Ends the retry delays at once. It waits for no lock, because in another order than the service's it would
        // be part of a deadlock.
        await sql(
          `update webhook_deliveries set next_attempt_at = now() where id in (
             select id from webhook_deliveries where project_id = $1 and state = 'waiting' and lease_id is null
             for no key update skip locked)`,
          [projectId],
        )
        return (
          await sql(
            `select count(*)::int as count from webhook_deliveries where project_id = $1 and state = 'waiting'`,
            [projectId],
          )
        )[0].count
      }
      await expect.poll(waiting, { timeout: sized(120_000, 600_000), interval: 200 }).toBe(0)
      const events = await sql(
        `select 'evt_' || id as id from events where project_id = $1 and type = 'receipt.pending'`,
        [projectId],
      )
      expect(events).toHaveLength(count)
      const states = await sql('select state, count(*)::int from webhook_deliveries where project_id = $1 group by 1', [
        projectId,
      ])
      expect(states).toEqual([{ state: 'delivered', count }])
      expect(new Set(accepted.keys())).toEqual(new Set(events.map(row => row.id)))
      // A 2xx answer ends the delivery.
      expect(new Set(accepted.values())).toEqual(new Set([1]))
      expect(twice).toEqual([])
      for (const one of receiver.received.slice(0, 200)) verified(signs, one)
      await receiver.stop()
    },
    sized(180_000, 900_000),
  )

  it('an event of either process reaches subscribers and receivers of both', async () => {
    const { key } = await base.api.project('Both')
    const receiver = await startReceiver()
    await endpointAt(key, receiver.url)
    const streams = services.map(async ({ base: url }) => {
      const response = await fetch(`${url}/graphql/stream`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', 'X-API-Key': key },
        body: JSON.stringify({ query: 'subscription { webhookEvents(types: [RECEIPT_PENDING]) { cursor data } }' }),
      })
      const seen: string[] = []
      void (async () => {
        for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
          seen.push(...[...chunk.matchAll(/"receipt_id":"([^"]+)"/g)].map(([, id]) => id ?? ''))
      })().catch(() => undefined)
      return seen
    })
    const seen = await Promise.all(streams)
    const made = (await record(key, 10)).map(({ json }) => json.receipt_id)
    for (const ids of seen) await expect.poll(() => ids.toSorted()).toEqual(made.toSorted())
    await expect
      .poll(() => receiver.received.map(({ body }) => body.data.receipt_id).toSorted())
      .toEqual(made.toSorted())
    await receiver.stop()
  })
})

describe('a receiver that never answers', () => {
  it('occupies few slots, and delays no other receiver of its project or of another', async () => {
    const [slow, other] = [await base.api.project('Slow'), await base.api.project('Other')]
    let open = 0
    let most = 0
    const dead = await startReceiver(async res => {
      most = Math.max(most, ++open)
      await new Promise(resolve => res.on('close', resolve))
      open--
    })
    const alive = await startReceiver()
    await endpointAt(slow.key, dead.url)
    const { id: beside } = await endpointAt(slow.key, `${alive.url}/beside`)
    await endpointAt(other.key, `${alive.url}/other`)
    await record(slow.key, 60)
    await record(other.key, 10)
    await expect.poll(() => alive.types('/beside').length).toBe(60)
    await expect.poll(() => alive.types('/other').length).toBe(10)
    // Eight per process, because each process may not see the slots of the other yet.
    expect(most).toBeLessThanOrEqual(16)
    expect(beside).toBeDefined()
    await dead.stop()
    await alive.stop()
  })

  it('delays no other callback_url of its project', async () => {
    const { key } = await base.api.project('Callbacks')
    const dead = await startReceiver(res => new Promise(resolve => res.on('close', () => resolve())))
    const alive = await startReceiver()
    await record(key, 40, `${dead.url}/hook`)
    await record(key, 10, `${alive.url}/hook`)
    await expect.poll(() => alive.types('/hook').filter(type => type === 'receipt.pending').length).toBe(10)
    await dead.stop()
    await alive.stop()
  })
})
