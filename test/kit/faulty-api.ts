// A server that serves the API's paths, fails as networks and gateways do, and records the requests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

type ReceivedRequest = { what: string; key: string | undefined; last: string | undefined; body: unknown }

type Answer = (response: ServerResponse, tries: number, asked: ReceivedRequest) => unknown

const send = (response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
const refuse = (response: ServerResponse, status: number, detail: string, headers: Record<string, string> = {}) =>
  send(response, { detail, message: 'No.', request_id: 'r' }, status, headers)

const event = (id: number, status: string) => `id: ${id}\nevent: update\ndata: {"status":\ndata: "${status}"}\n\n`
const stream = (response: ServerResponse) => response.writeHead(200, { 'Content-Type': 'text/event-stream' })
const receipt = (status: string) => ({ status, bundle_hash: `0x${'00'.repeat(32)}` })

/** Statuses that `GET /under/v1/agents/<status>` has. */
export const refusals = [400, 401, 402, 403, 404, 409, 410, 418, 422, 429, 500]

const graphqlAnswers: Record<string, Answer> = {
  rotateWebhookSecret: (response, tries) => {
    if (tries === 1) return refuse(response, 503, 'database_unavailable', { 'Retry-After': '0' })
    if (tries === 2) return response.destroy()
    const webhookEndpoint = { id: 'e', url: 'u', event_types: [], secret: 'whsec_' }
    return send(response, { data: { rotateWebhookSecret: { webhookEndpoint } } })
  },
  webhookEndpoints: (response, _, { body }) => {
    const isFirst = !JSON.stringify(body).includes('"after":"c"')
    const items = [{ id: isFirst ? '2' : '1' }]
    return send(response, { data: { webhookEndpoints: { items, next: { cursor: 'c', exists: isFirst } } } })
  },
  webhookEndpoint: response => send(response, { data: { webhookEndpoint: null } }),
  createWebhookEndpoint: response =>
    send(response, {
      data: null,
      errors: [
        {
          message: 'url: No.',
          extensions: { code: 'validation_failed', issues: [{ path: ['url'], message: 'No.', type: 'url_parsing' }] },
        },
      ],
    }),
  // A network answers like this for the service before a guest has paid for it.
  statementAccounts: response => response.end('<html>Pay for this network</html>'),
  generateStatement: response =>
    send(response, { data: null, errors: [{ message: 'No.', extensions: { code: 'forbidden' } }] }),
}

/** Answers by method and path. `tries` counts from 1. */
const answers: Record<string, Answer> = {
  'POST /under/v1/iso/record-tip': (response, tries) => {
    if (tries === 1) return refuse(response, 503, 'database_unavailable', { 'Retry-After': '0' })
    return tries === 2 ? response.destroy() : send(response, { receipt_id: 'r', status: 'pending' })
  },
  'GET /under/v1/receipts?reference=a+b%26c': (response, tries) => {
    if (tries > 1) return send(response, { items: [], total: 7, page: 1, page_size: 20 })
    response.writeHead(200, { 'Content-Length': '100' })
    return response.write('{"items":', () => response.destroy())
  },
  'POST /under/v1/iso/refund': (response, tries) =>
    tries === 1
      ? refuse(response, 409, 'idempotency_in_progress', { 'Retry-After': '0' })
      : send(response, { refund_receipt_id: 'x', status: 'pending' }),
  'GET /under/v1/iso/events/followed': (response, tries, { last }) => {
    if (last === '3') return response.writeHead(204).end()
    if (tries === 2) return response.writeHead(502).end()
    // A byte order mark, a comment, a line break split over two chunks, and an event that is cut off.
    if (tries === 1) {
      stream(response).write(`\ufeff: hello\n\n${event(1, 'pending').replaceAll('\n', '\r\n').slice(0, -3)}`)
      return setTimeout(() => {
        response.write(`\n\r\n${event(2, 'awaiting_anchor')}id: 3\ndata: {"sta`, () => response.destroy())
      }, 50)
    }
    return stream(response).end(event(3, 'anchored'))
  },
  'GET /under/v1/iso/events/captive': response => response.end('<html>Pay for this network</html>'),
  'GET /under/v1/iso/events/moved': response => response.writeHead(307, { Location: '/stolen' }).end(),
  'POST /under/v1/auth/api-keys': response => send(response, {}, 200, { 'X-API-Key': 'raw' }),
  'DELETE /under/v1/agents/followed': response => refuse(response, 503, 'database_unavailable'),
  'GET /v1/auth/me': response => response.writeHead(502).end('<html>Bad gateway</html>'),
  'GET /v1/config': () => undefined,
  'GET /under/v1/projects': response => refuse(response, 429, 'too_many_requests', { 'Retry-After': '3600' }),
  'GET /under/v1/auth/api-keys': response => response.writeHead(307, { Location: '/stolen' }).end(),
  'GET /under/v1/iso/events/failing': response => stream(response).write(event(1, 'pending') + event(2, 'failed')),
  'GET /under/v1/iso/receipts/failing': response => send(response, receipt('failed')),
  'GET /under/v1/iso/events/late': response => stream(response).write(event(1, 'pending')),
  'GET /under/v1/iso/receipts/late': response => send(response, receipt('pending')),
  'GET /under/v1/iso/receipts/mismatch': response => send(response, receipt('anchored')),
  ...Object.fromEntries(
    refusals.map(status => [
      `GET /under/v1/agents/${status}`,
      (response: ServerResponse) => refuse(response, status, 'no', { 'Retry-After': '3600' }),
    ]),
  ),
  'GET /under/v1/ping': response => refuse(response, 503, 'no', { 'Retry-After': '0' }),
  // Meanwhile a newer entry was recorded, so the second page begins with the last entry of the first.
  ...Object.fromEntries(
    [['9', '8'], ['8', '7'], ['6']].map((ids, page) => [
      `GET /under/v1/audit/events?limit=2&offset=${page * 2}`,
      (response: ServerResponse) =>
        send(
          response,
          ids.map(id => ({ id })),
        ),
    ]),
  ),
  'GET /under/files/mismatch/evidence.zip': response => response.end('PK'),
}

export async function startFaultyApi() {
  const received: ReceivedRequest[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    const path = `${request.method} ${request.url}`
    const length = Number(request.headers['content-length'] ?? 0)
    const { 'idempotency-key': key, 'last-event-id': last } = request.headers
    const body = length > 0 ? await json(request) : undefined
    const field = /^(?:query|mutation) (\w+)/.exec(Object(body).query ?? '')?.[1] ?? ''
    const what = path === 'POST /under/graphql' ? field : path
    const one: ReceivedRequest = { what, key: key?.toString(), last: last?.toString(), body }
    received.push(one)
    const answer = answers[what] ?? graphqlAnswers[what] ?? (() => refuse(response, 404, 'not_found'))
    answer(response, received.filter(other => other.what === what).length, one)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked: received,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections()
      return new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
