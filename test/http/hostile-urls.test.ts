// Whatever URL an untrusted client names, the service never connects to its own network, and the same answer to every
// such URL reveals nothing.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import dns from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPublicFetch } from '../../src/adapters/public-fetch.ts'
import { httpUrl } from '../../src/core/text.ts'
import {
  forgetQueriedNames,
  hostileForms,
  hostileUrls,
  publicAddress,
  queriedNames,
  resolverStandIn,
  standInFor,
} from '../kit/hostile-urls.ts'
import { type Service, startService } from '../kit/service.ts'

type Listening = { port: number; connections: () => number; close: () => Promise<void> }

/** Starts a server on every address of this host, of both families where it has two, that counts connections. */
async function listen(answer: RequestListener): Promise<Listening> {
  let connections = 0
  const server: Server = createServer(answer).on('connection', () => (connections += 1))
  await new Promise<void>(resolve => server.listen(0, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    connections: () => connections,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Replaces `lookup` also in modules that imported it by name. */
function setLookup(lookup: unknown): void {
  Object.assign(dns, { lookup })
  syncBuiltinESMExports()
}

const { lookup } = dns
const { resolve4, resolve6 } = Resolver.prototype
beforeAll(() => {
  setLookup(standInFor(lookup))
  Object.assign(Resolver.prototype, resolverStandIn)
})
afterAll(() => {
  setLookup(lookup)
  Object.assign(Resolver.prototype, { resolve4, resolve6 })
})

let target: Listening
beforeAll(async () => {
  target = await listen((_, response) => response.end('secret'))
})
afterAll(() => target.close())
beforeEach(forgetQueriedNames)

test('the list has enough forms without duplicates, and the validator accepts exactly the http URLs', () => {
  const accepted = hostileForms.filter(({ kind }) => kind !== 'malformed')
  expect(accepted.length).toBeGreaterThanOrEqual(100)
  expect(new Set(hostileForms.map(({ url }) => url)).size).toBe(hostileForms.length)
  const taken = hostileUrls(target.port).filter(({ url }) => httpUrl.safeParse(url).success)
  expect(taken).toEqual(hostileUrls(target.port).filter(({ kind }) => kind !== 'malformed'))
})

describe('the guarded client', () => {
  const limits = { maxBytes: 1024, timeoutMs: 2_000 }
  const guarded = createPublicFetch({ allowPrivate: false })
  const open = createPublicFetch({ allowPrivate: true })

  /** The addresses to which this process began to connect. */
  const attempts: string[] = []
  const onSocket = (event: unknown) => {
    if (typeof event !== 'object' || event === null || !('socket' in event) || !(event.socket instanceof Socket)) return
    // Connections that other test files of this process left behind use ports of their own.
    event.socket.on('connectionAttempt', (address, port) => {
      if (port === target.port || port < 1_024) attempts.push(address)
    })
  }
  beforeAll(() => subscribe('net.client.socket', onSocket))
  afterAll(() => void unsubscribe('net.client.socket', onSocket))
  beforeEach(() => void attempts.splice(0))

  test('the forms are effective: without the guard they lead to the forbidden server', async () => {
    for (const { url } of hostileUrls(target.port).filter(({ kind }) => kind === 'reaches')) {
      const before = target.connections()
      attempts.splice(0)
      await open(url, limits)
      expect([url, target.connections() > before, attempts.length > 0]).toEqual([url, true, true])
    }
  })

  test('refuses every form before it begins to connect', async () => {
    const before = target.connections()
    const urls = hostileUrls(target.port)
    const results = await Promise.all(urls.map(({ url }) => guarded(url, limits)))
    expect(urls.filter((_, i) => results[i] !== null)).toEqual([])
    expect(attempts.filter(address => !address.startsWith('2d00::'))).toEqual([])
    // Only URLs with user name and password contain that host.
    expect(queriedNames).not.toContain('public.test')
    expect(target.connections()).toBe(before)
  })

  test('connects to the very address that was checked, whatever the name resolves to a moment later', async () => {
    const before = target.connections()
    const url = `http://rebinding.test:${target.port}/`
    expect(await guarded(url, limits)).toBeNull()
    expect([queriedNames, attempts]).toEqual([['rebinding.test'], [publicAddress]])
    expect(await guarded(url, limits)).toBeNull()
    expect([queriedNames, attempts]).toEqual([['rebinding.test', 'rebinding.test'], [publicAddress]])
    expect(target.connections()).toBe(before)
  })

  test.each(['mixed.test', 'mixed-first.test', 'mixed-families.test', 'mixed-last-of-many.test'])(
    'uses no address of %s, because one private address among them disqualifies the name',
    async name => {
      expect(await guarded(`http://${name}:${target.port}/`, limits)).toBeNull()
      expect([queriedNames, attempts]).toEqual([[name], []])
    },
  )

  test('connects to a name with only public addresses, which proves that the guard refuses the others', async () => {
    expect(await guarded(`http://public.test:${target.port}/`, { ...limits, timeoutMs: 500 })).toBeNull()
    expect(attempts).toEqual([publicAddress])
  })

  describe('with private targets allowed', () => {
    const servers: Listening[] = []
    afterEach(async () => {
      for (const server of servers.splice(0)) await server.close()
    })
    const serving = async (answer: RequestListener) => {
      const server = await listen(answer)
      servers.push(server)
      return `http://127.0.0.1:${server.port}/`
    }

    test('reads the content', async () => {
      expect((await open(`http://127.0.0.1:${target.port}/`, limits))?.toString()).toBe('secret')
    })

    test.each([300, 301, 302, 303, 307, 308])(
      'follows no redirect (%i), because the next address was never checked',
      async status => {
        const before = target.connections()
        for (const location of [
          `http://127.0.0.1:${target.port}/`,
          `//localhost:${target.port}/`,
          `http://[::1]:${target.port}/`,
        ]) {
          const refresh = { Location: location, Refresh: `0; url=${location}` }
          const url = await serving((_, response) => response.writeHead(status, refresh).end('moved'))
          expect(await open(url, limits)).toBeNull()
          expect(await open(url, { ...limits, json: {} })).toBeNull()
        }
        expect(target.connections()).toBe(before)
      },
    )

    test.each<[string, RequestListener]>([
      ['never answers', () => undefined],
      ['never ends', (_, response) => void response.write('a')],
      [
        'sends a byte now and then',
        (_, response) => {
          const timer = setInterval(() => response.write('a'), 20)
          response.on('close', () => clearInterval(timer))
        },
      ],
    ])('aborts a server that %s at the time limit', async (_, answer) => {
      const url = await serving(answer)
      expect(await open(url, { maxBytes: 1 << 20, timeoutMs: 300 })).toBeNull()
    })

    // A truncated body would pass for the whole one: sent in one piece, in two, shorter than announced, or without end.
    test.each<[string, RequestListener]>([
      ['too much at once', (_, response) => response.end(Buffer.alloc(limits.maxBytes + 1))],
      [
        'too much in the end',
        (_, response) => {
          response.write(Buffer.alloc(limits.maxBytes))
          setTimeout(() => response.end('a'), 50)
        },
      ],
      [
        'less than its Content-Length says',
        (_, response) => response.writeHead(200, { 'Content-Length': 9 }).end('a', () => response.destroy()),
      ],
      ['chunks without a last', (_, response) => void response.write('a', () => response.destroy())],
    ])('accepts nothing from a server that sends %s', async (_, answer) => {
      expect(await open(await serving(answer), limits)).toBeNull()
    })

    test('accepts exactly the permitted size', async () => {
      const exact = await serving((_, response) => response.end(Buffer.alloc(limits.maxBytes)))
      expect(await open(exact, limits)).toHaveLength(limits.maxBytes)
    })
  })

  test('aborts a name lookup without an answer at the time limit', async () => {
    expect(await guarded('http://silent.test/', { ...limits, timeoutMs: 300 })).toBeNull()
    expect(queriedNames).toEqual(['silent.test'])
  })
})

describe('through the service', () => {
  type Answer = Awaited<ReturnType<Service['api']['call']>>
  type Sink = {
    name: string
    /** The service's own timeout, plus time for the rest of the request on a busy machine. */
    mostMs: number
    ask(url: string): Promise<Answer>
    /** The one answer to every valid URL: status and body. */
    refusal: [number, object]
    /** The place that the validator reports for an invalid URL. */
    loc: (string | number)[]
  }

  let service: Service
  let project: { id: string; key: string }
  const path = () => `/v1/projects/${project.id}/config`
  beforeAll(async () => {
    service = await startService()
    project = await service.api.project()
  })
  afterAll(() => service.stop())

  const chain = { name: 'mine', contract: `0x${'12'.repeat(20)}` }
  const sinks: Sink[] = [
    {
      name: 'bundle_url of POST /v1/iso/verify',
      mostMs: 12_000,
      ask: url => service.api.call('POST', '/v1/iso/verify', { body: { bundle_url: url } }),
      refusal: [
        200,
        { matches_onchain: false, anchored_at: null, errors: expect.arrayContaining(['bundle_unavailable']) },
      ],
      loc: ['body', 'bundle_url'],
    },
    {
      name: 'rpc_url of PUT /v1/projects/{id}/config',
      mostMs: 7_000,
      ask: url =>
        service.api.call('PUT', path(), {
          key: project.key,
          body: { anchoring: { execution_mode: 'tenant', chains: [{ ...chain, rpc_url: url }] } },
        }),
      refusal: [422, { detail: [{ loc: ['body', 'anchoring', 'chains', 0, 'rpc_url'], type: 'value_error' }] }],
      loc: ['body', 'anchoring', 'chains', 0, 'rpc_url'],
    },
  ]

  // Fewer than the number of concurrent verifications.
  const atOnce = 8

  describe.each(sinks)('$name', ({ ask, mostMs, refusal, loc }) => {
    test('returns one answer for every form, in time, and connects to nothing', { timeout: 60_000 }, async () => {
      const before = target.connections()
      const waiting = hostileUrls(target.port)
      const late: unknown[] = []
      const pointed: [string, number, unknown][] = []
      const refusals = new Map<string, string[]>()
      const work = async () => {
        for (let form = waiting.pop(); form !== undefined; form = waiting.pop()) {
          const started = performance.now()
          const { status, json } = await ask(form.url)
          const ms = performance.now() - started
          if (ms > mostMs) late.push({ ...form, ms })
          const said = JSON.stringify([status, json])
          if (form.kind === 'malformed') pointed.push([form.url, status, json.detail?.[0].loc])
          else refusals.set(said, [...(refusals.get(said) ?? []), form.url])
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      const [[answer, urls] = ['null', []], ...others] = refusals
      expect(others).toEqual([])
      expect(JSON.parse(answer)).toMatchObject(refusal)
      expect(urls.length).toBeGreaterThanOrEqual(100)
      expect(pointed).toEqual(pointed.map(([url]) => [url, 422, loc]))
      expect(late).toEqual([])
      expect(target.connections()).toBe(before)
      expect(queriedNames).toContain('rebinding.test')
    })
  })

  test('refused URLs leave the project’s configuration unchanged', async () => {
    const { json } = await service.api.call('GET', path(), { key: project.key })
    expect(json.anchoring).toEqual({ execution_mode: 'platform', chains: [] })
  })
})
