// Requests that Node's HTTP parser refuses get the same error format as all others.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { EventSource } from 'eventsource'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refuseUnreadable } from '../../src/http/refusal.ts'
import { openServer } from '../../src/http/server.ts'
import { type Service, startService } from '../kit/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
})
afterAll(() => service?.stop())

/** Returns everything that the server sends for these bytes until it closes the connection. */
async function said(base: string, bytes: string) {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  let text = ''
  socket.on('data', chunk => (text += chunk)).on('error', () => {})
  socket.write(bytes)
  await once(socket, 'end')
  socket.destroy()
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [status = '', ...fields] = head.split('\r\n')
  const headers = Object.fromEntries(fields.map(field => field.toLowerCase().split(': ')))
  return { status: Number(status.split(' ')[1]), headers, json: JSON.parse(body) }
}

const request = (fields: string) => `GET /v1/x402/pricing HTTP/1.1\r\n${fields}\r\n`

const unreadable: [string, string, number, string][] = [
  ['a line that is no request', 'hello\r\n\r\n', 400, 'malformed_request'],
  ['a header without a name', request('Host: a\r\n: b\r\n'), 400, 'malformed_request'],
  ['a length that is no number', request('Host: a\r\nContent-Length: many\r\n'), 400, 'malformed_request'],
  ['no Host', request(''), 400, 'malformed_request'],
  ['headers above 16 KiB', request(`Host: a\r\nX-Long: ${'x'.repeat(1_000_000)}\r\n`), 431, 'headers_too_large'],
  ['a path above 16 KiB', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'headers_too_large'],
  [
    'long extensions of chunks',
    `POST /v1/iso/verify HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(100_000)}\r\n{}\r\n`,
    413,
    'payload_too_large',
  ],
]

describe('an error body with a code and a request id answers', () => {
  it.each(unreadable)('%s', async (_, bytes, status, detail) => {
    const answer = await said(service.base, bytes)
    expect(answer).toMatchObject({ status, json: { detail, message: expect.any(String) } })
    expect(answer.headers['content-type']).toContain('application/json')
    expect(answer.json.request_id).toBe(answer.headers['x-request-id'])
  })

  it('a request that is not complete in time', async () => {
    const server = createServer({ headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 50 })
    refuseUnreadable(server, new Set(), () => undefined)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const answer = await said(`http://127.0.0.1:${port}`, 'GET / HTTP/1.1\r\nHost: a\r\n')
    expect(answer).toMatchObject({ status: 408, json: { detail: 'request_timeout' } })
    server.close()
  })

  it('a request during the start of the service', async () => {
    const server = await openServer({ HOST: '127.0.0.1', PORT: 0, production: false }, console, () => undefined)
    const answer = await said(`http://127.0.0.1:${server.port}`, request('Host: a\r\n'))
    expect(answer).toMatchObject({ status: 503, json: { detail: 'starting' } })
    expect(answer.headers).toHaveProperty('retry-after')
    await server.stop(0)
  })
})

it('an EventSource that connects during the start of the service reconnects until it has started', async () => {
  const server = await openServer({ HOST: '127.0.0.1', PORT: 0, production: false }, console, () => undefined)
  const source = new EventSource(`http://127.0.0.1:${server.port}`)
  const opened = once(source, 'open')
  await once(source, 'error')
  expect(source.readyState).toBe(source.CONNECTING)
  server.serve((_, res) => res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(':\n\n'))
  await opened
  source.close()
  await server.stop(1_000)
})

it('an unknown Expect header does not cause a refusal', async () => {
  const answer = await said(service.base, request('Host: a\r\nExpect: coffee\r\nConnection: close\r\n'))
  expect(answer.status).toBe(200)
})

it('an unknown path is route_not_found, which differs from a missing object', async () => {
  const { call } = service.api
  for (const path of ['/nowhere', '/v1/nowhere', '/v1/iso/receipts', '/graphql/nowhere', '/ui/nowhere.js']) {
    expect(await call('GET', path)).toMatchObject({ status: 404, json: { detail: 'route_not_found' } })
  }
  const missing = await call('GET', '/v1/iso/receipts/00000000-0000-4000-8000-000000000000')
  expect(missing).toMatchObject({ status: 404, json: { detail: 'not_found' } })
})
