// `quittance listen` and `quittance trigger` as developers use them: real processes, a real service and a real
// receiver.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { webhookTypes } from '../../src/core/event-types.ts'
import { startAnvil } from '../kit/anvil.ts'
import { type Child, startChild } from '../kit/child.ts'
import { type Command, runCommand, startCommand } from '../kit/command.ts'
import { keptPort } from '../kit/kept-port.ts'
import { type Behaviour, type Received, startReceiver, verified } from '../kit/receiver.ts'
import { adminKey, apiBeside, roomForAll, type Service, startService, tipOf } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

let folder: string
let service: Service
let project: { id: string; key: string }
const listeners: Command[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-listen-'))
  service = await startService({ ALLOW_PRIVATE_TARGETS: 'true' })
})
afterAll(async () => {
  await Promise.all(listeners.map(listener => listener.end('SIGKILL')))
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

const life = ['receipt.pending', 'receipt.awaiting_anchor', 'receipt.anchored']
const typesOf = (received: readonly Received[]) => received.map(({ body }) => body.type)
const idsOf = (received: readonly Received[]) => received.map(({ id }) => id)
const keyOf = ({ key }: { key: string }) => ({ QUITTANCE_API_KEY: key })
const at = (url: string, ...more: string[]) => ['--url', url, ...more]

/** Resolves when the command follows the events. */
async function listen(args: readonly string[], key = project.key) {
  const listener = startCommand(['listen', ...args], keyOf({ key }))
  listeners.push(listener)
  await listener.says('Listening')
  const secret = /^secret +(\S+)$/m.exec(listener.said.out)?.[1] ?? ''
  return { ...listener, secret }
}

const record = async (key = project.key) => (await service.api.record(key, tipOf())).json.receipt_id
async function anchored(count: number): Promise<void> {
  const ids = await Promise.all(Array.from({ length: count }, () => record()))
  await Promise.all(ids.map(id => service.api.anchored(id)))
}

/** The ids of the project's events of webhook types. */
const allIds = async (): Promise<string[]> => {
  const text = 'select id from events where project_id = $1 and type = any ($2) order by id'
  const { rows } = await service.app.pool.query(text, [project.id, webhookTypes])
  return rows.map(({ id }) => `evt_${id}`)
}

describe('listen', () => {
  beforeAll(async () => {
    project = await service.api.project()
  })

  it('forwards each event of a receipt in order, one at a time, with the body that a webhook endpoint gets', async () => {
    const endpoint = await startReceiver()
    const local = await startReceiver(() => new Promise(resolve => setTimeout(resolve, 30)))
    const query =
      'mutation ($url: URL!) { createWebhookEndpoint(input: { url: $url }) { webhookEndpoint { id secret } } }'
    const { data } = await service.api.graphql(query, { key: project.key, variables: { url: endpoint.url } })
    const listener = await listen(at(service.base, '--forward', `${local.url}/hook?from=listen`))
    await service.api.anchored(await record())
    await expect.poll(() => typesOf(local.received)).toEqual(life)
    await expect.poll(() => endpoint.received.length).toBe(life.length)
    expect(local.mostOpen()).toBe(1)
    for (const one of endpoint.received) verified(data.createWebhookEndpoint.webhookEndpoint.secret, one)
    for (const one of local.received) {
      expect(one.path).toBe('/hook?from=listen')
      expect(one.headers['content-type']).toBe('application/json')
      expect(verified(listener.secret, one)).toEqual(one.body)
      const webhook = endpoint.received.find(({ id }) => id === one.id)
      expect(one.text).toBe(webhook?.text)
      expect(Object.keys(one.headers).toSorted()).toEqual(Object.keys(webhook?.headers ?? {}).toSorted())
    }
    await expect.poll(() => listener.said.out.match(/ 200 in /g)?.length).toBe(life.length)
    const { code, out, err } = await listener.end('SIGINT')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const lines = out.split('\n').filter(line => line.includes('receipt.'))
    expect(lines.length).toBe(life.length)
    for (const [index, { id, body }] of local.received.entries()) {
      const [time, ...words] = (lines[index] ?? '').split(/ {2,}/)
      expect(time).toBe(body.timestamp)
      expect(words).toEqual([id, body.type, body.data.receipt_id, expect.stringMatching(/^200 in \d+ ms$/)])
    }
    expect(out).toContain(`--after ${idsOf(local.received).at(-1)}`)
    const remove = 'mutation ($id: ID!) { deleteWebhookEndpoint(input: { id: $id }) { deletedWebhookEndpointId } }'
    await service.api.graphql(remove, {
      key: project.key,
      variables: { id: data.createWebhookEndpoint.webhookEndpoint.id },
    })
    await Promise.all([endpoint.stop(), local.stop()])
  })

  it('starts after the given event, with the given secret and types', async () => {
    const local = await startReceiver()
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const given = ['--forward', local.url, '--secret', secret, '--types', 'receipt.failed, receipt.anchored']
    const listener = await listen(at(service.base, ...given, '--after', 'evt_0'))
    await expect.poll(() => typesOf(local.received)).toEqual(['receipt.anchored'])
    for (const one of local.received) verified(secret, one)
    expect(listener.said.out, 'it is known already').not.toContain(secret)
    const { code } = await listener.end('SIGTERM')
    expect(code).toBe(0)
    await local.stop()
  })

  it('without --forward prints the events, and accepts a viewer’s key', async () => {
    const listener = await listen(at(service.base, '--after', '0'), await service.api.key(project.key, 'viewer'))
    for (const type of life) await expect.poll(() => listener.said.out).toContain(`  ${type}  `)
    const { code, err } = await listener.end('SIGTERM')
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  it('reports a receiver that answers badly or not at all, does not retry, and continues', async () => {
    const answers: Behaviour[] = [
      res => void res.writeHead(500).end(),
      res => void res.writeHead(302, { location: '/elsewhere' }).end(),
      res => void res.destroy(),
    ]
    const local = await startReceiver((res, received, nth) => answers[nth - 1]?.(res, received, nth))
    const listener = await listen(at(service.base, '--forward', local.url))
    await anchored(2)
    await expect.poll(() => typesOf(local.received).filter(type => type === 'receipt.anchored').length).toBe(2)
    expect(new Set(idsOf(local.received)).size, 'none was sent twice').toBe(local.received.length)
    expect(local.received.map(({ path }) => path)).not.toContain('/elsewhere')
    await expect.poll(() => listener.said.out).toMatch(/200 in \d+ ms\n$/)
    await local.stop()
    await anchored(1)
    await expect.poll(() => listener.said.out).toMatch(/no answer in \d+ ms: nothing listens there; not sent again/)
    const { code, out } = await listener.end('SIGTERM')
    expect(code).toBe(0)
    expect(out).toMatch(/500 in \d+ ms: not sent again/)
    expect(out).toMatch(/302 in \d+ ms: redirects are not followed/)
    expect(out).toMatch(/no answer in \d+ ms: it broke the connection off; not sent again/)
  })

  it('ended during an answer, names the last answered event and can send the rest later', async () => {
    const local = await startReceiver((res, _, nth) => {
      if (nth === 2) return new Promise(resolve => res.on('close', resolve))
    })
    const to = at(service.base, '--forward', local.url)
    const listener = await listen(to)
    await service.api.anchored(await record())
    await expect.poll(() => local.received.length).toBe(2)
    const { code, out, err } = await listener.end('SIGINT')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/receipt\.awaiting_anchor .* interrupted$/m)
    const [first, second] = idsOf(local.received)
    expect(out).toMatch(new RegExp(`--after ${first}\n$`))
    const again = await listen([...to, '--after', first ?? ''])
    await expect.poll(() => idsOf(local.received).length).toBe(4)
    expect(idsOf(local.received)[2]).toBe(second)
    await again.end('SIGTERM')
    await local.stop()
  })

  it('continues after the API was killed, stopped and restarted, without losing or repeating an event', async () => {
    project = await service.api.project()
    const local = await startReceiver()
    const port = await keptPort()
    const settings = {
      ...apiBeside(service),
      PORT: `${port}`,
      DATA_DIR: folder,
      ADMIN_API_KEYS: adminKey,
      RATE_LIMITS: roomForAll,
      LOG_LEVEL: 'error',
      SHUTDOWN_SECONDS: '9',
    }
    let api: Child = await startChild(settings)
    const listener = await listen(at(`http://127.0.0.1:${port}`, '--forward', local.url))
    // Kills it first before any event was seen, then in the middle of many.
    for (const signal of ['SIGKILL', 'SIGKILL', 'SIGTERM'] as const) {
      const before = local.received.length
      const many = anchored(before === 0 ? 0 : 6)
      if (before > 0) await expect.poll(() => local.received.length).toBeGreaterThan(before)
      await api.end(signal)
      await many
      await anchored(2)
      api = await startChild(settings)
      await expect.poll(async () => idsOf(local.received)).toEqual(await allIds())
    }
    expect(listener.said.err).toMatch(
      /^(The connection is lost: .+\. It is tried again until it is back\.\nThe connection is back\.\n){3,}$/,
    )
    const { code } = await listener.end('SIGTERM')
    expect(code).toBe(0)
    expect(idsOf(local.received)).toEqual(await allIds())
    expect(local.received.length).toBe((2 + 8 + 8) * life.length)
    for (const one of local.received) verified(listener.secret, one)
    await api.end('SIGTERM')
    await local.stop()
  })

  it('ends with a sentence when its key is revoked', async () => {
    const { api } = service
    const create = 'mutation { createApiKey(input: { label: "brief", role: VIEWER }) { key apiKey { id } } }'
    const { data } = await api.graphql(create, { key: project.key })
    const { key, apiKey } = data.createApiKey
    const listener = await listen(at(service.base), key)
    expect((await api.call('DELETE', `/v1/auth/api-keys/${apiKey.id}`, { key: project.key })).status).toBe(200)
    const { code, err } = await listener.ended
    expect(code).toBe(1)
    expect(err).toContain(`${service.base} does not accept this key: it is unknown, revoked or expired.`)
  })

  it('aborts a message of the stream that never ends, instead of buffering it', async () => {
    const answers: Record<string, unknown> = {
      '{ me { project { id } } }': { me: { project: { id: project.id } } },
      '{ eventCursor }': { eventCursor: '1' },
    }
    const server = createServer(async (req, res) => {
      let text = ''
      for await (const chunk of req) text += chunk
      const { query } = JSON.parse(text)
      if (req.url === '/graphql') return res.end(JSON.stringify({ data: answers[query] }))
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: next\ndata: "')
      const more = () => res.write('x'.repeat(65_536)) && setImmediate(more)
      res.on('drain', more)
      more()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { code, err } = await runCommand(['listen', ...at(`http://127.0.0.1:${port}`)], keyOf(project))
    server.closeAllConnections()
    server.close()
    expect([code, err]).toEqual([1, `http://127.0.0.1:${port} sends a message that is too large.\n`])
  })
})

describe('a wrong use of listen is reported in a sentence', () => {
  const nowhere = 'http://127.0.0.1:1'
  const unaccepted = 'does not accept this key: it is unknown, revoked or expired.'
  const wrong: [string[], number, string][] = [
    [['--key', `qtk_${'x'.repeat(43)}`], 1, unaccepted],
    [['--key', adminKey], 1, 'the key of a service administrator, who has no project'],
    [['--key', 'two words'], 2, '--key must be an API key'],
    [['--url', nowhere], 1, `No service answers at ${nowhere}: connect ECONNREFUSED 127.0.0.1:1.`],
    [['--url', 'localhost:8000'], 2, '--url must be an http(s) URL'],
    [['--types', 'receipt.anchord'], 2, '--types receipt.anchord is no type of event: the nearest is receipt.anchored'],
    [['--types', ''], 2, 'is no type of event'],
    [['--forward', 'localhost:3000'], 2, '--forward must be an http(s) URL'],
    [['--after', 'yesterday'], 2, '--after must be the id of an event'],
    [['--secret', `whsec_${Buffer.alloc(32).toString('base64')}`], 2, '--secret has no effect without --forward'],
    [
      ['--forward', nowhere, '--secret', 'whsec_dG9vIHNob3J0'],
      2,
      '--secret must be whsec_ and 24 to 64 bytes in base64',
    ],
    [['receipt.anchored'], 2, 'No argument is expected.'],
  ]
  it.each(wrong)('%j', async (args, expected, sentence) => {
    const { code, out, err } = await runCommand(['listen', ...at(service.base), ...args], keyOf(project))
    expect([code, out]).toEqual([expected, ''])
    expect(err).toContain(sentence)
    expect(err, 'no stack').not.toMatch(/\n {4}at /)
  })

  it('without a key', async () => {
    expect(await runCommand(['listen', ...at(service.base)])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^--key is missing/),
    })
  })

  it('with a URL where another program answers, or that redirects', async () => {
    const other = await startReceiver((res, { path }) => {
      if (path.startsWith('/moved')) res.writeHead(301, { location: service.base }).end()
    })
    const ask = (path: string) => runCommand(['listen', ...at(`${other.url}${path}`)], keyOf(project))
    expect(await ask('')).toMatchObject({ code: 1, err: expect.stringContaining('is another program there?') })
    expect(await ask('/moved')).toMatchObject({ code: 1, err: expect.stringContaining('redirect (301)') })
    await other.stop()
  })
})

describe('trigger', () => {
  let local: Awaited<ReturnType<typeof startReceiver>>
  const trigger = (type: string, url = service.base, key = project.key) =>
    runCommand(['trigger', type, ...at(url)], keyOf({ key }))
  const fact = (out: string, name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(out)?.[1]

  beforeAll(async () => {
    project = await service.api.project()
    local = await startReceiver()
    await listen(at(service.base, '--forward', local.url))
  })
  afterAll(() => local.stop())

  it.each([...life, 'receipt.refunded'])('%s is triggered, and listen receives it', async type => {
    const { code, out, err } = await trigger(type)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const id = fact(out, 'receipt')
    const heard = () => local.received.find(({ body }) => body.type === type && body.data.receipt_id === id)?.body.data
    await expect.poll(heard).toBeDefined()
    const { data } = await service.api.graphql('query ($id: ID!) { receipt(id: $id) { reference } }', {
      key: project.key,
      variables: { id },
    })
    expect(data.receipt.reference).toMatch(/^trigger-[0-9a-f]{16}$/)
    expect(out).toContain(`/ui/receipt.html?rid=${id}`)
    if (type === 'receipt.refunded') expect(heard()).toMatchObject({ refund_receipt_id: fact(out, 'refund') })
    else expect(life.indexOf(`receipt.${fact(out, 'status')}`)).toBeGreaterThanOrEqual(life.indexOf(type))
  })

  it('agent.anchored is triggered, repeatedly for one agent', async () => {
    for (const _ of ['once', 'again']) {
      const { code, out, err } = await trigger('agent.anchored')
      expect({ code, err }).toEqual({ code: 0, err: '' })
      const anchor = { id: fact(out, 'anchor'), status: 'confirmed', anchor_txid: fact(out, 'transaction') }
      const heard = () => local.received.map(({ body }) => body.data).find(({ id }) => id === anchor.id)
      await expect.poll(heard).toMatchObject(anchor)
    }
    const { json } = await service.api.call('GET', '/v1/agents', { key: project.key })
    expect(json).toMatchObject([{ name: 'quittance trigger' }])
  })

  it.each([
    ['receipt.failed', 1, /^receipt\.failed cannot be triggered, because .+fixed:deny/s],
    ['payment.settled', 1, /^payment\.settled cannot be triggered, because .+buy\.ts/s],
    ['receipt.settled', 2, /^receipt\.settled is no type of event: use (receipt\.\w+, ){5}agent\.anchored\.$/m],
  ])('%s cannot be triggered, and the reason is printed', async (type, expected, words) => {
    const { code, out, err } = await trigger(type)
    expect([code, out]).toEqual([expected, ''])
    expect(err).toMatch(words)
  })

  it('a viewer’s key is refused in a sentence', async () => {
    const { code, err } = await trigger('receipt.pending', service.base, await service.api.key(project.key, 'viewer'))
    expect(code).toBe(1)
    expect(err).toMatch(/^http:\S+ refuses: .+\n$/)
  })

  const count = async (from: Service) => (await from.app.pool.query('select from receipts')).rowCount

  it('records nothing for a project that anchors by itself, because its chain may be public', async () => {
    const { id, key } = await service.api.project()
    const chains = [{ name: service.app.chains[0].name }]
    const body = { anchoring: { execution_mode: 'tenant', chains } }
    expect((await service.api.call('PUT', `/v1/projects/${id}/config`, { key, body })).status).toBe(200)
    const before = await count(service)
    for (const type of ['receipt.pending', 'agent.anchored']) {
      expect(await trigger(type, service.base, key)).toMatchObject({
        code: 1,
        err: expect.stringContaining('tenant mode'),
      })
    }
    expect(await count(service)).toBe(before)
  })

  it('records nothing in a service with a chain that is not local, even when another chain is the default', async () => {
    const chains = [await startAnvil(31_337), await startAnvil(31_339)]
    const file = join(folder, 'chains.json')
    const entries = chains.map(({ url, caip2, contract }, index) => {
      const name = ['near', 'far'][index]
      return { name, caip2, rpc_urls: [url], contract, finality: { confirmations: 1 } }
    })
    await writeFile(file, JSON.stringify(entries))
    const strange = await startService({ CHAINS_FILE: file, ROLES: 'api' })
    const { key } = await strange.api.project()
    for (const type of ['receipt.pending', 'agent.anchored']) {
      const { code, out, err } = await trigger(type, strange.base, key)
      expect([code, out]).toEqual([1, ''])
      expect(err).toContain(
        'anchors on far (eip155:31339): an invented payment is anchored on a local chain (eip155:31337) only.',
      )
    }
    expect(await count(strange)).toBe(0)
    await strange.stop()
    for (const chain of chains) await chain.stop()
  })
})
