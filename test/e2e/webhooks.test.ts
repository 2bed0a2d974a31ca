// Events reach the configured URLs, signed, and each answer of a receiver has its documented effect.
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guardedLookup } from '../../src/adapters/public-fetch.ts'
import { createPublicPost } from '../../src/adapters/public-post.ts'
import { type Behaviour, type Received, startReceiver, verified } from '../kit/receiver.ts'
import { selfSigned } from '../kit/self-signed.ts'
import { apiBeside, type Service, startService } from '../kit/service.ts'

let service: Service
let project: { id: string; key: string }

beforeAll(async () => {
  service = await startService({ ALLOW_PRIVATE_TARGETS: 'true' })
  project = await service.api.project()
})
afterAll(() => service.stop())

const sql = async (text: string, values: unknown[] = []) => (await service.app.pool.query(text, values)).rows
/** Makes every waiting delivery due now. */
const timePasses = () =>
  sql(`update webhook_deliveries set next_attempt_at = now() where id in (
    select id from webhook_deliveries where state = 'waiting' and lease_id is null for no key update skip locked)`)

async function ask(query: string, variables: Record<string, unknown> = {}, key = project.key) {
  const { data, errors } = await service.api.graphql(query, { key, variables })
  if (errors) throw Object.assign(new Error(errors[0].message), { code: errors[0].extensions.code })
  return data
}

const facts = 'id url isEnabled disabledReason failingSince secret eventTypes'
async function endpointAt(url: string, eventTypes: string[] | null = null) {
  const { createWebhookEndpoint } = await ask(
    `mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { webhookEndpoint { ${facts} } } }`,
    { input: { url, eventTypes } },
  )
  return createWebhookEndpoint.webhookEndpoint
}
const endpoint = async (id: string) =>
  (await ask(`query ($id: ID!) { webhookEndpoint(id: $id) { ${facts} } }`, { id })).webhookEndpoint
const deliveriesOf = async (endpointId: string) =>
  (
    await ask(
      `query ($id: ID!) { webhookDeliveries(filter: { endpointId: $id }, first: 100) { nodes {
         id webhookId type status attemptCount nextAttemptAt attempts { number statusCode error answerStart durationMs } } } }`,
      { id: endpointId },
    )
  ).webhookDeliveries.nodes
const remove = (id: string) =>
  ask('mutation ($id: ID!) { deleteWebhookEndpoint(input: { id: $id }) { deletedWebhookEndpointId } }', { id })

/** Fails the first attempt; the next is due in an hour. */
const failsFirst: Behaviour = (res, _, nth) => void (nth === 1 && res.writeHead(500, { 'retry-after': '3600' }).end())
const failedOnce = (id: string) =>
  expect.poll(async () => (await deliveriesOf(id))[0]?.attempts[0]?.statusCode).toBe(500)

describe('a receipt', () => {
  it('notifies its callback_url and the project’s endpoint of each status, with one webhook-id and valid signatures', async () => {
    const receiver = await startReceiver()
    const { id, secret } = await endpointAt(`${receiver.url}/endpoint`)
    const { json } = await service.api.record(project.key, { callback_url: `${receiver.url}/callback?order=1` })
    await service.api.anchored(json.receipt_id)
    const life = ['receipt.pending', 'receipt.awaiting_anchor', 'receipt.anchored']
    await expect.poll(() => receiver.types('/callback?order=1')).toEqual(life)
    await expect.poll(() => receiver.types('/endpoint')).toEqual(life)
    const { me } = await ask('{ me { project { callbackSecret } } }')
    for (const one of receiver.received) {
      expect(one.headers['content-type']).toBe('application/json')
      expect(verified(one.path === '/endpoint' ? secret : me.project.callbackSecret, one)).toEqual(one.body)
    }
    const ids = (path: string) => new Set(receiver.received.filter(one => one.path === path).map(one => one.id))
    expect(ids('/endpoint')).toEqual(ids('/callback?order=1'))
    // The same object as in the receipt's event stream.
    const stream = await (await fetch(`${service.base}/v1/iso/events/${json.receipt_id}`)).text()
    const [, streamed = ''] = /^data: (.*)$/m.exec(stream) ?? []
    const anchored = receiver.received.find(one => one.body.type === 'receipt.anchored')
    expect(anchored?.body.data).toEqual(JSON.parse(streamed))
    await remove(id)
    await receiver.stop()
  })

  it('notifies a callback_url without slashes after the scheme, which is a valid URL too', async () => {
    const receiver = await startReceiver()
    const { status, json } = await service.api.record(project.key, {
      callback_url: `${receiver.url.replace('//', '')}/callback`,
    })
    expect(status).toBe(200)
    await service.api.anchored(json.receipt_id)
    await expect.poll(() => receiver.types('/callback').at(-1)).toBe('receipt.anchored')
    await receiver.stop()
  })
})

it('an Express server that accepts any POST gets every status of its receipts, to the last', async () => {
  const heard = new Map<string, string[]>()
  const app = express().use(express.json())
  app.post(/.*/, ({ body }, res) => {
    const { receipt_id: id, status } = body.data
    heard.set(id, [...(heard.get(id) ?? []), status])
    res.json({ ok: true })
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const callback = { callback_url: `http://127.0.0.1:${port}/callbacks/quittance` }
  const made = await Promise.all(Array.from({ length: 20 }, () => service.api.record(project.key, callback)))
  const ids = made.map(({ json }) => json.receipt_id)
  for (const id of ids) await service.api.anchored(id)
  const whole = () => ids.filter(id => heard.get(id)?.toSorted().join() === 'anchored,awaiting_anchor,pending').length
  await expect.poll(whole).toBe(ids.length)
  await new Promise(resolve => server.close(resolve))
})

describe('an answer', () => {
  /** Starts a receiver with its own endpoint, and sends it one test event. */
  async function tested(behaviour: Behaviour) {
    const receiver = await startReceiver(behaviour)
    const { id, secret } = await endpointAt(receiver.url)
    await send(id)
    const attempts = async () => (await deliveriesOf(id))[0]
    /** Resolves when the attempt with this number has ended. */
    const ended = async (number: number) => {
      const last = async () => (await attempts()).attempts[0]
      await expect
        .poll(async () => [(await last())?.number, (await last())?.durationMs !== null])
        .toEqual([number, true])
      return attempts()
    }
    const end = async () => {
      await remove(id)
      await receiver.stop()
    }
    return { receiver, id, secret, ended, end }
  }
  const send = (id: string) =>
    ask('mutation ($id: ID!) { testWebhookEndpoint(input: { id: $id }) { webhookDelivery { id } } }', { id })
  const until = (delivery: { nextAttemptAt: string }) => (Date.parse(delivery.nextAttemptAt) - Date.now()) / 1_000

  it.each([200, 201, 204, 299])('of %i is success', async status => {
    const { ended, end } = await tested(res => void res.writeHead(status).end())
    expect(await ended(1)).toMatchObject({ status: 'DELIVERED', attemptCount: 1, nextAttemptAt: null })
    await end()
  })

  it.each([301, 302, 307, 400, 404, 500, 503])('of %i is retried; a redirect is not followed', async status => {
    const { receiver, ended, end } = await tested(
      (res, { path }) => void res.writeHead(status, { location: `${path}elsewhere` }).end('no'),
    )
    const delivery = await ended(1)
    expect(delivery).toMatchObject({
      status: 'WAITING',
      attempts: [{ statusCode: status, error: null, answerStart: 'no' }],
    })
    expect(until(delivery)).toBeLessThan(6)
    expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/']))
    await end()
  })

  it('of 500 three times and then 200 delivers with the fourth attempt, all with the same webhook-id', async () => {
    const { receiver, secret, ended, end } = await tested((res, _, nth) => void (nth < 4 && res.writeHead(500).end()))
    for (const attempt of [1, 2, 3]) {
      expect(await ended(attempt)).toMatchObject({ status: 'WAITING', attemptCount: attempt })
      await timePasses()
    }
    const delivery = await ended(4)
    expect(delivery).toMatchObject({
      status: 'DELIVERED',
      attempts: [200, 500, 500, 500].map(statusCode => ({ statusCode })),
    })
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([delivery.webhookId]))
    for (const one of receiver.received) verified(secret, one)
    await end()
  })

  it('of 500 to the tenth attempt fails the delivery', async () => {
    const { id, ended, end } = await tested(res => void res.writeHead(500).end())
    await ended(1)
    await sql('update webhook_deliveries set attempts = 9, next_attempt_at = now() where endpoint_id = $1', [id])
    await ended(2)
    expect((await deliveriesOf(id))[0]).toMatchObject({ status: 'FAILED', nextAttemptAt: null, attemptCount: 10 })
    await end()
  })

  it('of 429 with Retry-After delays the next attempt as requested', async () => {
    const { ended, end } = await tested(res => void res.writeHead(429, { 'retry-after': '100' }).end())
    expect(until(await ended(1))).toBeGreaterThan(90)
    await end()
  })

  it('of 410 disables the endpoint and cancels its waiting deliveries, which the project can see', async () => {
    const { id, ended, end } = await tested(res => void res.writeHead(410).end())
    expect(await ended(1)).toMatchObject({ status: 'GONE' })
    expect(await endpoint(id)).toMatchObject({ isEnabled: false, disabledReason: 'GONE' })
    const { json } = await service.api.record(project.key)
    await service.api.anchored(json.receipt_id)
    expect((await deliveriesOf(id)).map(({ type }: { type: string }) => type)).toEqual(['WEBHOOK_TEST'])
    const listed = 'auditTrail(filter: { objectIds: [$id] }) { nodes { action actor { name } details } }'
    const { auditTrail } = await ask(`query ($id: String!) { ${listed} }`, { id })
    expect(auditTrail.nodes[0]).toEqual({
      action: 'webhook_endpoint.disable',
      actor: { name: 'worker' },
      details: { reason: 'gone' },
    })
    // After it is enabled again, missed events can be sent on request.
    const again = await ask(
      'mutation ($id: ID!) { enableWebhookEndpoint(input: { id: $id }) { webhookEndpoint { isEnabled } } }',
      { id },
    )
    expect(again.enableWebhookEndpoint.webhookEndpoint).toEqual({ isEnabled: true })
    await end()
  })

  it('of 410 several times at once disables the endpoint once, and each attempt shows it', async () => {
    const all = Promise.withResolvers<void>()
    let open = 0
    const receiver = await startReceiver(async res => {
      open += 1
      if (open === 6) all.resolve()
      await all.promise
      res.writeHead(410).end()
    })
    const { id } = await endpointAt(receiver.url)
    await Promise.all(Array.from({ length: 6 }, () => send(id)))
    const answered = async () =>
      (await deliveriesOf(id)).map(
        ({ status, attempts: [last] }: { status: string; attempts: { statusCode: number }[] }) => [
          /^(GONE|CANCELLED)$/.test(status),
          last?.statusCode,
        ],
      )
    await expect.poll(answered).toEqual(Array.from({ length: 6 }, () => [true, 410]))
    expect(await endpoint(id)).toMatchObject({ isEnabled: false, disabledReason: 'GONE' })
    const listed = 'auditTrail(filter: { objectIds: [$id] }) { nodes { action } }'
    const { auditTrail } = await ask(`query ($id: String!) { ${listed} }`, { id })
    expect(
      auditTrail.nodes.filter(({ action }: { action: string }) => action === 'webhook_endpoint.disable'),
    ).toHaveLength(1)
    await remove(id)
    await receiver.stop()
  })

  it('of 410 from a callback_url ends the callbacks of that receipt alone', async () => {
    const receiver = await startReceiver((res, { path }) => void (path === '/gone' && res.writeHead(410).end()))
    const [gone, other] = await Promise.all(
      ['/gone', '/other'].map(async path => {
        const { json } = await service.api.record(project.key, { callback_url: receiver.url + path })
        return json.receipt_id
      }),
    )
    await service.api.anchored(gone)
    await service.api.anchored(other)
    await expect.poll(() => receiver.types('/other').at(-1)).toBe('receipt.anchored')
    expect(receiver.types('/gone').length).toBeLessThan(3)
    await receiver.stop()
  })

  it('of 500 for five days disables the endpoint at the next failure', async () => {
    const { id, ended, end } = await tested(res => void res.writeHead(500).end())
    await ended(1)
    expect((await endpoint(id)).failingSince).not.toBeNull()
    await sql(`update webhook_endpoints set failing_since = now() - interval '5 days 1 minute' where id = $1`, [id])
    await timePasses()
    await ended(2)
    expect(await endpoint(id)).toMatchObject({ isEnabled: false, disabledReason: 'FAILING' })
    expect((await deliveriesOf(id))[0]).toMatchObject({ status: 'CANCELLED' })
    await end()
  })

  it.each<[string, Behaviour, { statusCode: number | null; error: string | null }]>([
    ['resets the connection', res => void res.destroy(), { statusCode: null, error: 'CONNECTION_RESET' }],
    [
      'begins an answer of a gigabyte',
      res => {
        const chunk = Buffer.alloc(65_536, 'a')
        const more = () => {
          while (!res.destroyed && res.write(chunk));
        }
        res.writeHead(200).on('drain', more)
        more()
      },
      { statusCode: 200, error: null },
    ],
    [
      'closes after the head',
      res => void res.writeHead(200, { 'content-length': 100 }).write('a', () => res.destroy()),
      { statusCode: 200, error: null },
    ],
    ['never ends its answer', res => void res.writeHead(200).write('b'), { statusCode: 200, error: null }],
    [
      'answers with another protocol',
      res => void res.socket?.end('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      { statusCode: null, error: 'NO_ANSWER' },
    ],
    ['answers with bytes that nobody sees', res => void res.end('a\0\u202eb'), { statusCode: 200, error: null }],
  ])('of a receiver that %s is reported as such', async (_, behaviour, outcome) => {
    const { ended, end } = await tested(behaviour)
    const delivery = await ended(1)
    expect(delivery.attempts[0]).toMatchObject(outcome)
    expect(delivery.status).toBe(outcome.statusCode === 200 ? 'DELIVERED' : 'WAITING')
    expect(delivery.attempts[0].answerStart ?? '').toMatch(/^(a{1024}|a|b|a\ufffd\ufffdb|)$/)
    await end()
  })

  it('that never comes is given up after 15 seconds', async () => {
    const { ended, end } = await tested(() => new Promise(() => undefined))
    const { attempts, status } = await ended(1)
    expect([attempts[0].error, status]).toEqual(['TIMEOUT', 'WAITING'])
    expect(attempts[0].durationMs).toBeGreaterThan(14_000)
    await end()
  })

  it('that fails because no server listens, or its certificate is self-signed, is reported as such', async () => {
    const server = https.createServer(selfSigned, (_, res) => res.end())
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { id } = await endpointAt(`https://localhost:${port}`)
    await send(id)
    await expect.poll(async () => (await deliveriesOf(id))[0].attempts[0]?.error).toBe('CERTIFICATE')
    await new Promise(resolve => server.close(resolve))
    await timePasses()
    await expect.poll(async () => (await deliveriesOf(id))[0].attempts[0]?.error).toBe('CONNECTION_REFUSED')
    await remove(id)
  })
})

describe('overdue retries of callbacks', () => {
  it('do not delay the first callback of another receipt at the same origin', async () => {
    const failed = new Set<string>()
    const receiver = await startReceiver((res, { path, id }) => {
      if (path === '/new') return
      // A retry hangs, so that it keeps its place.
      if (failed.has(id)) return new Promise(() => undefined)
      failed.add(id)
      res.writeHead(500).end()
    })
    const record = (path: string) => service.api.record(project.key, { callback_url: receiver.url + path })
    await Promise.all(Array.from({ length: 12 }, (_, index) => record(`/old/${index}`)))
    const waiting = () =>
      sql(
        `select from webhook_deliveries where url like $1 and state = 'waiting' and attempts > 0 and lease_id is null`,
        [`${receiver.url}/old/%`],
      )
    await expect.poll(async () => (await waiting()).length).toBeGreaterThanOrEqual(12)
    await timePasses()
    await record('/new')
    await expect.poll(() => receiver.types('/new'), { timeout: 10_000 }).toContain('receipt.pending')
    await receiver.stop()
  })
})

describe('events of the past', () => {
  it('are sent again on request: one delivery, or all since one, delivered events only if requested', async () => {
    const receiver = await startReceiver()
    const { id } = await endpointAt(receiver.url, ['RECEIPT_PENDING'])
    const { eventCursor } = await ask('{ eventCursor }')
    const record = async () => (await service.api.record(project.key)).json.receipt_id
    const heard = () => receiver.received.map(({ body }) => body.data.receipt_id)
    // A request that the receiver has answered is still being sent until its outcome is stored.
    const allDelivered = () =>
      expect
        .poll(async () => (await deliveriesOf(id)).map(({ status }: { status: string }) => status))
        .not.toContain('WAITING')
    const first = await record()
    await expect.poll(heard).toEqual([first])
    const switched = (verb: string) =>
      ask(`mutation ($id: ID!) { ${verb}WebhookEndpoint(input: { id: $id }) { webhookEndpoint { isEnabled } } }`, {
        id,
      })
    await switched('disable')
    const second = await record()
    await expect(replay({ endpointId: id, after: eventCursor })).rejects.toMatchObject({ code: 'conflict' })
    await switched('enable')
    expect(await replay({ endpointId: id, after: eventCursor })).toEqual({ count: 1, next: null })
    await expect.poll(heard).toEqual([first, second])
    await allDelivered()
    expect(await replay({ endpointId: id, after: eventCursor, includeDelivered: true })).toEqual({
      count: 2,
      next: null,
    })
    await expect.poll(() => heard().length).toBe(4)
    await allDelivered()
    const [newest] = await deliveriesOf(id)
    const again = await ask(
      'mutation ($id: ID!) { replayWebhookDelivery(input: { id: $id }) { webhookDelivery { status attemptCount webhookId } } }',
      { id: newest.id },
    )
    const { webhookDelivery } = again.replayWebhookDelivery
    expect(webhookDelivery).toEqual({ status: 'WAITING', attemptCount: 0, webhookId: newest.webhookId })
    await expect.poll(() => receiver.received.filter(one => one.id === newest.webhookId).length).toBe(3)
    await remove(id)
    await receiver.stop()
  })

  it('that wait for a retry are sent at once, with a new retry plan', async () => {
    const receiver = await startReceiver(failsFirst)
    const { id } = await endpointAt(receiver.url, ['RECEIPT_PENDING'])
    const { eventCursor } = await ask('{ eventCursor }')
    await service.api.record(project.key)
    await failedOnce(id)
    expect(await replay({ endpointId: id, after: eventCursor })).toEqual({ count: 1, next: null })
    await expect.poll(async () => (await deliveriesOf(id))[0].status).toBe('DELIVERED')
    expect((await deliveriesOf(id))[0]).toMatchObject({
      attemptCount: 1,
      attempts: [
        { number: 2, statusCode: 200 },
        { number: 1, statusCode: 500 },
      ],
    })
    await remove(id)
    await receiver.stop()
  })

  it('to a callback_url are sent again for their own project only', async () => {
    const receiver = await startReceiver()
    const { json } = await service.api.record(project.key, { callback_url: receiver.url })
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
    const { rows } = await service.app.pool.query('select id from webhook_deliveries where receipt_id = $1 limit 1', [
      json.receipt_id,
    ])
    const { key } = await service.api.project('Elsewhere')
    const mutation = `mutation { replayWebhookDelivery(input: { id: "${rows[0].id}" }) { webhookDelivery { id } } }`
    const refused = await service.api.graphql(mutation, { key })
    const { data, errors } = refused
    expect([data, errors?.[0]?.extensions.code]).toEqual([{ replayWebhookDelivery: null }, 'not_found'])
    await receiver.stop()
  })
  const replay = async (input: Record<string, unknown>) =>
    (
      await ask('mutation ($input: ReplayWebhookEventsInput!) { replayWebhookEvents(input: $input) { count next } }', {
        input,
      })
    ).replayWebhookEvents
})

describe('a new secret', () => {
  const rotated = async (id: string, overlapHours: number) =>
    (
      await ask(
        'mutation ($input: RotateWebhookSecretInput!) { rotateWebhookSecret(input: $input) { webhookEndpoint { secret } } }',
        { input: { id, overlapHours } },
      )
    ).rotateWebhookSecret.webhookEndpoint.secret

  it('signs beside the earlier secret for the requested time, and then alone', async () => {
    const receiver = await startReceiver()
    // Test events are sent whatever the types; receipts of earlier tests may still cause others.
    const { id, secret } = await endpointAt(receiver.url, ['RECEIPT_FAILED'])
    const send = async () => {
      const count = receiver.received.length
      await ask('mutation ($id: ID!) { testWebhookEndpoint(input: { id: $id }) { webhookDelivery { id } } }', { id })
      await expect.poll(() => receiver.received.length).toBe(count + 1)
      return receiver.received[count] as Received
    }
    const rotate = (overlapHours: number) => rotated(id, overlapHours)
    const second = await rotate(1)
    const both = await send()
    for (const one of [secret, second]) verified(one, both)
    const third = await rotate(0)
    const later = await send()
    for (const one of [secret, third]) verified(one, later)
    expect(() => verified(second, later)).toThrow('No matching signature')
    await sql(`update webhook_secrets set expires_at = now() where endpoint_id = $1 and expires_at is not null`, [id])
    const last = await send()
    verified(third, last)
    expect(() => verified(secret, last)).toThrow('No matching signature')
    await remove(id)
    await receiver.stop()
  })

  it('without overlap replaces a leaked one at once: for waiting retries too, and however many are valid', async () => {
    const receiver = await startReceiver(failsFirst)
    const { id, secret: leaked } = await endpointAt(receiver.url, ['RECEIPT_PENDING'])
    await service.api.record(project.key)
    await failedOnce(id)
    const fresh = await rotated(id, 0)
    await timePasses()
    await expect.poll(() => receiver.received.length).toBe(2)
    const [first, retried] = receiver.received as [Received, Received]
    verified(leaked, first)
    verified(fresh, retried)
    expect(() => verified(leaked, retried)).toThrow('No matching signature')
    for (let count = 0; count < 4; count++) await rotated(id, 1)
    await expect(rotated(id, 1)).rejects.toMatchObject({ code: 'conflict' })
    expect(await rotated(id, 0)).toMatch(/^whsec_/)
    await remove(id)
    await receiver.stop()
  })
})

describe('a URL that is not public', () => {
  const post = (url: string, ask: Parameters<typeof guardedLookup>[0]) => ({ url, lookup: guardedLookup(ask) })

  it('is refused when connecting, whatever the name resolved to before', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1'], ['93.184.216.34', '10.0.0.1']]
    const { lookup } = post('http://changes.example', async () =>
      (answers.shift() ?? []).map(address => ({ address, family: 4 as const })),
    )
    const looked = () =>
      new Promise((resolve, reject) =>
        lookup('changes.example', { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
      )
    expect(await looked()).toEqual([{ address: '93.184.216.34', family: 4 }])
    await expect(looked()).rejects.toThrow('not a public address')
    await expect(looked()).rejects.toThrow('not a public address')
  })

  it('gets no connection, and no endpoint can be created with it', async () => {
    let connections = 0
    const server = http.createServer((_, res) => res.end()).on('connection', () => connections++)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const send = createPublicPost({ allowPrivate: false })
    const request = {
      headers: {},
      body: '{}',
      timeoutMs: 15_000,
      maxAnswerBytes: 10,
      signal: new AbortController().signal,
    }
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])
      expect([host, await send(`http://${host}:${port}/`, request)]).toEqual([host, { failure: 'no_public_address' }])
    expect(connections).toBe(0)
    server.close()
    const careful = await startService({ ...apiBeside(service), ALLOW_PRIVATE_TARGETS: 'false' })
    for (const url of [`http://127.0.0.1:${port}`, 'https://user:word@example.com', 'http://169.254.169.254/latest']) {
      const { json } = await careful.api.call('POST', '/graphql', {
        key: project.key,
        body: { query: `mutation { createWebhookEndpoint(input: { url: "${url}" }) { webhookEndpoint { id } } }` },
      })
      expect([url, json.errors[0].extensions.code]).toEqual([url, 'validation_failed'])
    }
    await careful.stop()
  })
})
