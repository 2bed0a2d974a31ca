// Tests what proxies, scrapers, caches and programs of other systems expect of the HTTP server itself.
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keptPort } from '../kit/kept-port.ts'
import { adminKey, type Service, startService, tipOf } from '../kit/service.ts'

let service: Service
let key: string
let receipt: string
beforeAll(async () => {
  const port = await keptPort()
  service = await startService({ PORT: String(port), PUBLIC_BASE_URL: `http://127.0.0.1:${port}/pay` })
  key = (await service.api.project('Shop')).key
  receipt = (await service.api.record(key)).json.receipt_id
  await service.api.anchored(receipt)
})
afterAll(() => service?.stop())

const mark = '\uFEFF'

/** The answer as it was sent: `fetch` would decompress it. */
async function raw(method: string, path: string, headers: Record<string, string> = {}, body = '') {
  const sent = request(service.base + path, { method, headers }).end(body)
  const [response] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return {
    status: Number(response.statusCode),
    headers: response.headers as Record<string, string | undefined>,
    body: Buffer.concat(chunks),
  }
}

describe('below the path of PUBLIC_BASE_URL', () => {
  it.each(['/v1/ping', '/livez', '/openapi.json', '/.well-known/x402'])(
    '%s is answered alike whether the proxy passes the path on or removes it',
    async path => {
      const [passed, removed] = await Promise.all([raw('GET', `/pay${path}`), raw('GET', path)])
      expect([passed.status, passed.body]).toEqual([200, removed.body])
    },
  )

  it('a path that only begins alike is no part of it', async () => {
    expect((await raw('GET', '/payroll')).status).toBe(404)
    expect((await raw('GET', '/pay')).status).toBe(200)
  })

  it('every link leads below it', async () => {
    const page = await raw('GET', '/pay/', { Accept: 'text/html' })
    const links = [...page.body.toString().matchAll(/ (?:href|src|action)="(\/[^"]*)"/g)].map(([, link]) => link ?? '')
    expect(links.length).toBeGreaterThan(5)
    expect(links.filter(link => !link.startsWith('/pay/'))).toEqual([])
    for (const link of links)
      expect([link, (await raw('GET', link, { Accept: 'text/html,*/*' })).status]).toEqual([link, 200])
    const { headers } = await raw('GET', '/pay/receipt/nothing', { Accept: 'text/html' })
    expect(headers.location).toBe('/pay/ui/receipt.html?rid=nothing')
    expect((await raw('GET', `/pay/receipt/${receipt}`)).headers.location).toBe(
      `${service.base}/pay/ui/receipt.html?rid=${receipt}`,
    )
  })

  it('the URLs of files can be read, and GraphQL is there', async () => {
    const { json } = await service.api.call('GET', `/pay/v1/iso/receipts/${receipt}`)
    expect(json.xml_url).toBe(`${service.base}/pay/files/${receipt}/pain001.xml`)
    expect((await fetch(json.xml_url)).status).toBe(200)
    const { json: answer } = await service.api.call('POST', '/pay/graphql', { body: { query: '{ __typename }' } })
    expect(answer.data).toEqual({ __typename: 'Query' })
  })
})

describe('a byte order mark', () => {
  it('before a body is no part of it', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const rest = await service.api.call('POST', '/v1/iso/record-tip', {
      key,
      headers,
      raw: mark + JSON.stringify(tipOf({ reference: 'with a mark' })),
    })
    expect(rest.status).toBe(200)
    const graphql = await service.api.call('POST', '/graphql', { headers, raw: `${mark}{"query":"{ __typename }"}` })
    expect(graphql.json.data).toEqual({ __typename: 'Query' })
    const inside = await service.api.call('POST', '/graphql', { headers, raw: `{${mark}"query":"{ __typename }"}` })
    expect([inside.status, inside.text]).toEqual([400, expect.stringContaining('invalid_json')])
  })
})

describe('/metrics', () => {
  const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const asked = async (headers: Record<string, string>) => (await raw('GET', '/metrics', headers)).status

  it('takes the key as Prometheus can send it', async () => {
    expect(await asked({ 'X-API-Key': adminKey })).toBe(200)
    expect(await asked({ Authorization: `Bearer ${adminKey}` })).toBe(200)
    expect(await asked({ Authorization: basic('prometheus', adminKey) })).toBe(200)
  })

  it('refuses every other', async () => {
    expect(await asked({})).toBe(401)
    expect(await asked({ Authorization: basic(adminKey, '') })).toBe(401)
    expect(await asked({ Authorization: `Bearer ${adminKey}x` })).toBe(401)
    expect(await asked({ Authorization: `Basic ${adminKey}` })).toBe(401)
    expect(await asked({ Authorization: basic('shop', key) })).toBe(403)
    // Basic is for scrapers alone: a browser would send it with every page that some other site opens.
    expect((await raw('GET', '/v1/auth/api-keys', { Authorization: basic('shop', key) })).status).toBe(401)
  })
})

describe('compression', () => {
  const plain = { br: brotliDecompressSync, gzip: gunzipSync }
  const list =
    '{ receipts(first: 50) { nodes { id status amount currency chain reference senderWallet receiverWallet } } }'
  const asked = (query: string) => JSON.stringify({ query })
  // The cost of a query says what is left afterwards.
  const withoutCost = (body: Buffer) => body.toString().replace(/,"extensions":.*$/, '')
  const post = { 'Content-Type': 'application/json', 'Content-Length': '0' }
  const large: [string, string, string, string?][] = [
    ['a list over REST', 'GET', '/v1/receipts'],
    ['a list over GraphQL', 'POST', '/graphql', asked(list)],
    ['a message', 'GET', ''],
    ['the OpenAPI document', 'GET', '/openapi.json'],
    ['a script', 'GET', '/ui/receipt.js'],
  ]
  beforeAll(async () => {
    const orders = await Promise.all(
      Array.from({ length: 12 }, (_, n) => service.api.record(key, { reference: `order ${n}` })),
    )
    // An answer changes no more once they are anchored.
    await Promise.all(orders.map(({ json }) => service.api.anchored(json.receipt_id)))
  })
  const ask = (method: string, path: string, encoding: string | null, body = '') =>
    raw(
      method,
      path || `/files/${receipt}/pain001.xml`,
      {
        'X-API-Key': key,
        ...(body && { ...post, 'Content-Length': String(Buffer.byteLength(body)) }),
        ...(encoding && { 'Accept-Encoding': encoding }),
      },
      body,
    )

  it.each(large)('%s is sent compressed to who accepts it, and says so to caches', async (_, method, path, body) => {
    const identity = await ask(method, path, null, body)
    for (const encoding of ['br', 'gzip'] as const) {
      const { status, headers, body: bytes } = await ask(method, path, encoding, body)
      expect([status, headers['content-encoding'], headers.vary]).toEqual([
        200,
        encoding,
        expect.stringMatching(/accept-encoding/i),
      ])
      expect(bytes.length).toBeLessThan(identity.body.length)
      expect(withoutCost(plain[encoding](bytes))).toBe(withoutCost(identity.body))
    }
    expect(identity.headers['content-encoding']).toBeUndefined()
    // A client that accepts none can continue a download, for which a tag must stand for the bytes themselves.
    const { headers } = await ask(method, path, 'identity;q=1, *;q=0', body)
    expect([headers['content-encoding'], headers.etag]).toEqual([undefined, identity.headers.etag])
  })

  it('what is small, compressed already, a stream or a new secret is sent as it is', async () => {
    const secret = `mutation { createApiKey(input: { label: "${'long '.repeat(40)}" }) { key apiKey { label } } }`
    const padded = secret.replace(
      'label }',
      `label ${Array.from({ length: 20 }, (_, n) => `label${n}: label`).join(' ')} }`,
    )
    const events = await fetch(`${service.base}/v1/iso/events/${receipt}`, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(events.headers.get('content-encoding')).toBeNull()
    await events.body?.cancel()
    for (const { headers, body, status } of [
      await ask('GET', '/v1/ping', 'gzip'),
      await ask('GET', `/files/${receipt}/evidence.zip`, 'gzip'),
      await ask('POST', '/graphql', 'gzip', asked(padded)),
    ]) {
      expect([status, headers['content-encoding']]).toEqual([200, undefined])
      expect(Number(headers['content-length'])).toBe(body.length)
    }
  })
})

describe('what does not change is not sent again', () => {
  it.each(['/openapi.json', '/graphql/schema.graphql', '/docs/docs.js', '/ui/page.css', '/llms.txt', 'a message'])(
    '%s',
    async path => {
      const at = path.startsWith('/') ? path : `/files/${receipt}/pain001.xml`
      for (const encoding of ['identity', 'gzip', 'br']) {
        const { headers } = await raw('GET', at, { 'Accept-Encoding': encoding })
        expect(headers.etag).toBeTruthy()
        const again = await raw('GET', at, { 'Accept-Encoding': encoding, 'If-None-Match': String(headers.etag) })
        expect([again.status, again.body.length]).toEqual([304, 0])
        expect((await raw('GET', at, { 'If-None-Match': '"other"' })).status).toBe(200)
      }
    },
  )
})

describe('framing that two servers may read differently is refused', () => {
  async function said(head: string[], body = '') {
    const socket = connect(Number(new URL(service.base).port), '127.0.0.1')
    let text = ''
    socket.on('data', chunk => (text += chunk)).on('error', () => {})
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    await once(socket, 'end')
    socket.destroy()
    return [Number(text.split(' ')[1]), /"detail":"(\w+)"/.exec(text)?.[1]]
  }
  const json = 'Content-Type: application/json'
  const chunk = '2\r\n{}\r\n0\r\n\r\n'

  it('several hosts', async () => {
    expect(await said(['GET /v1/ping HTTP/1.1', 'Host: a', 'Host: b'])).toEqual([400, 'malformed_request'])
    expect(await said(['GET /v1/ping HTTP/1.1', 'Host: a', 'host: a'])).toEqual([400, 'malformed_request'])
    expect(await said(['GET /graphql?query={ping} HTTP/1.0', 'Host: a', 'Host: b'])).toEqual([400, 'malformed_request'])
  })

  it('a transfer coding besides `chunked`', async () => {
    const coded = (coding: string, version = '1.1') =>
      said([`POST /v1/iso/verify HTTP/${version}`, 'Host: a', json, `Transfer-Encoding: ${coding}`], chunk)
    expect(await coded('gzip, chunked')).toEqual([501, 'transfer_coding_unknown'])
    expect(await coded('identity, chunked')).toEqual([501, 'transfer_coding_unknown'])
    expect(await coded('chunked, chunked')).toEqual([400, 'malformed_request'])
    expect(await coded('chunked', '1.0')).toEqual([400, 'malformed_request'])
  })

  it('`chunked` alone is read', async () => {
    const head = ['POST /v1/iso/verify HTTP/1.1', 'Host: a', json, 'Connection: close', 'Transfer-Encoding: Chunked']
    expect((await said(head, chunk))[0]).toBe(422)
  })
})

describe('numbers that others see', () => {
  it('do not count what other projects do', async () => {
    const stranger = async () => {
      const answer = await fetch(`${service.base}/v1/iso/events/${receipt}`)
      return BigInt(/^id: (\d+)$/m.exec(await answer.text())?.[1] ?? '')
    }
    const { key: other } = await service.api.project('Other')
    const own = async () => {
      const { json } = await service.api.record(other, { reference: `own ${Math.random()}` })
      const { data } = await service.api.graphql(
        `{ eventCursor auditTrail(first: 1) { nodes { number } }
           receipt(id: "${json.receipt_id}") { events(first: 1) { nodes { cursor } } } }`,
        { key: other },
      )
      return [data.eventCursor, data.auditTrail.nodes[0].number, data.receipt.events.nodes[0].cursor].map(BigInt)
    }
    const before = await own()
    // Each of these would be a step of a number that counts.
    await Promise.all(Array.from({ length: 20 }, (_, n) => service.api.record(key, { reference: `busy ${n}` })))
    const after = await own()
    expect(await stranger()).toBeGreaterThan(10n ** 9n)
    // The numbers of one project differ by units of time, and so by a multiple of the 256 locks.
    for (const [index, number] of after.entries()) expect((number - (before[index] ?? 0n)) % 256n).toBe(0n)
    for (const [index, number] of after.entries()) expect(number).toBeGreaterThan(before[index] ?? 0n)
  })
})
