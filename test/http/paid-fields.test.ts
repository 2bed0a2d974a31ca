// Paid fields cannot be read without a payment: over any API, under any path, and in any form of a document.
import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { JsonRpcProvider } from 'ethers'
import { type GraphQLObjectType, isObjectType, Kind, print } from 'graphql'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { routes } from '../../rest/generated/routes.ts'
import openapi from '../../rest/openapi.json' with { type: 'json' }
import { schema } from '../../src/graphql/schema.ts'
import { endpoints } from '../../src/modules/x402/endpoints.ts'
import type { Route } from '../../src/rest/route.ts'
import { createPayer, dollars, type Payer, pay } from '../kit/payer.ts'
import { operationOf, requestOf, rootOf, variablesOf, type Wire } from '../kit/route-examples.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { isFull, it, proof } from '../kit/size.ts'

let service: Service
let node: JsonRpcProvider
let payer: Payer
let projectKey: string
let receipt: string
beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'silent' })
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  payer = await createPayer(node, service.app.facilitator?.asset ?? '', 1_000_000n)
  projectKey = (await service.api.project()).key
  const { json } = await service.api.record(projectKey)
  receipt = (await service.api.anchored(json.receipt_id)).id
})
afterAll(async () => {
  node?.destroy()
  await service?.stop()
})

/** The receipt in the test, in place of those in the documented requests. */
const ids = () => ({ receipt_id: receipt, original_receipt_id: receipt })

const rootTypes = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
  type => type !== null && type !== undefined,
)
const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields())
const isPaid = ({ extensions }: { extensions: { paid?: unknown } }) => extensions.paid === true
const paidFields = rootTypes.flatMap(fieldsOf).filter(isPaid)

const paidRoutes = routes.filter(route => paidFields.some(({ name }) => name === rootOf(operationOf(route)).name.value))

describe('the paid fields', () => {
  it('are the root fields that begin with `premium`, and no others', () => {
    expect(paidFields.length).toBeGreaterThan(3)
    const named = rootTypes.flatMap(fieldsOf).filter(({ name }) => /^premium/i.test(name))
    expect(paidFields.map(({ name }) => name)).toEqual(named.map(({ name }) => name))
    const others = Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .filter(type => !rootTypes.includes(type))
    expect(others.flatMap(fieldsOf).filter(field => isPaid(field) || field.name.startsWith('premium'))).toEqual([])
  })

  it('have one route and one price each, and no path below theirs is free', () => {
    const wirePath = ({ path }: Route) => path.replaceAll(/:(\w+)/g, '{$1}')
    expect(paidRoutes.map(route => rootOf(operationOf(route)).name.value).sort()).toEqual(
      paidFields.map(({ name }) => name).sort(),
    )
    const paths = Object.values(endpoints).map(({ path }) => path)
    expect(paidRoutes.map(wirePath).sort()).toEqual([...paths].sort())
    const premium = routes.filter(({ path }) => path.startsWith('/v1/x402/premium'))
    expect(premium.map(({ name }) => name)).toEqual(paidRoutes.map(({ name }) => name))
  })
})

type Answer = { status: number; headers: http.IncomingHttpHeaders; text: string }

/** Sends the path unchanged, which `fetch` would normalise. A stream is read until it is complete. */
function ask({ method, path, body }: Wire, headers: http.OutgoingHttpHeaders = {}): Promise<Answer> {
  const { hostname, port } = new URL(service.base)
  const json = body === null ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const request = http.request(
      { hostname, port, method, path, agent: false, headers: { ...json, ...headers } },
      res => {
        let text = ''
        const done = () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text })
        res.setEncoding('utf8')
        res.on('data', (chunk: string) => {
          text += chunk
          if (!text.includes('event: complete')) return
          done()
          request.destroy()
        })
        res.on('end', done)
      },
    )
    request.on('error', reject)
    request.end(body ?? undefined)
  })
}

/** Returns every JSON object of an answer of any kind. */
function objectsIn(text: string): unknown[] {
  return text.split(/\r?\n/).flatMap(line => {
    const json = line.replace(/^data: ?/, '')
    if (!json.startsWith('{')) return []
    const object = JSON.parse(json)
    return [object, ...('payload' in object ? [object.payload] : [])]
  })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether an answer has an object of a root field. */
const hasData = (text: string) =>
  objectsIn(text).some(
    object => isObject(object) && 'data' in object && Object.values(object.data ?? {}).some(isObject),
  )

const isUnpaid = ({ text }: Answer) => text.includes('payment_required') && text.includes('"x402Version":2')

describe.each(paidRoutes.map(route => [route.name, route] as const))('%s without a payment', (_, route) => {
  it('is 402 with the documented challenge, also for a project’s key and an administrator’s', async () => {
    for (const headers of [{}, { 'X-API-Key': projectKey }, { 'X-API-Key': adminKey }]) {
      const answer = await ask(requestOf(route, ids()), headers)
      expect([answer.status, answer.headers['payment-response']]).toEqual([402, undefined])
      const body = JSON.parse(answer.text)
      const { accepts, resource, x402Version, error, extensions } = body
      expect(decodePaymentRequiredHeader(String(answer.headers['payment-required']))).toEqual({
        accepts,
        resource,
        x402Version,
        error,
        extensions,
      })
      const { PaymentRequired, PaymentRequirement } = openapi.components.schemas
      expect(Object.keys(body).sort()).toEqual([...PaymentRequired.required].sort())
      expect(Object.keys(accepts[0]).sort()).toEqual([...PaymentRequirement.required].sort())
    }
  })

  it('is 402 whatever its body, also with an Idempotency-Key', async () => {
    const { method, path } = requestOf(route, ids())
    if (method === 'GET') return
    const told = async (body: string | null, headers: Record<string, string>) => {
      const { status, headers: given } = await ask({ method, path, body }, headers)
      return [status, 'payment-required' in given]
    }
    for (const named of [{}, { 'Idempotency-Key': randomUUID() }]) {
      for (const body of [null, '', '{', '[]', 'null', '"x"', '{"no_such":1}', '\u0000', '{}'])
        expect([body, ...(await told(body, named))]).toEqual([body, 402, true])
      expect(await told('a=b', { ...named, 'Content-Type': 'application/x-www-form-urlencoded' })).toEqual([402, true])
      expect(await told('{}', { ...named, 'Content-Encoding': 'br' })).toEqual([402, true])
    }
  })

  it('is not reachable with another method or another spelling of its path', async () => {
    const { method, path, body } = requestOf(route, ids())
    const [plain = '', query = ''] = path.split('?')
    const last = plain.at(-1) ?? ''
    const spellings = [
      path,
      `${plain}/${query && `?${query}`}`,
      plain.toUpperCase(),
      plain.replace('/premium/', '/Premium/'),
      `/${plain}`,
      plain.replace('/premium/', '//premium/'),
      plain.replace('/premium/', '/premium//'),
      plain.replace('/premium/', '/./premium/'),
      plain.replace('/premium/', '/x/../premium/'),
      plain.replace('/premium/', '/premium%2F'),
      plain.replace('/premium/', '/%70remium/'),
      `${plain.slice(0, -1)}%${last.charCodeAt(0).toString(16)}`,
      `${plain}?x=1`,
      `${plain}?`,
      `${plain}??`,
      `${plain};x=1`,
      `${plain}#x`,
      `${plain}.json`,
      `${plain}%00`,
      `${plain}\\`,
      `/graphql/..${plain}`,
      `/graphql/stream/..${plain}`,
      `/ui/..${plain}`,
      `${service.base}${plain}`,
    ]
    const free: unknown[] = []
    for (const spelling of spellings) {
      for (const tried of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'QUERY']) {
        const bodies = tried === method || body !== null ? [body, null] : [null, '{}']
        for (const sent of new Set(bodies)) {
          const answer = await ask({ method: tried, path: spelling, body: sent })
          const isNothing = tried === 'OPTIONS' && answer.status === 204 && answer.text === ''
          if (!isNothing && ![400, 402, 404, 405, 422].includes(answer.status)) free.push([tried, spelling, answer])
        }
      }
    }
    expect(free).toEqual([])
  })

  it('is not reachable with a header in place of a payment', async () => {
    const asked = requestOf(route, ids())
    for (const name of ['PAYMENT-SIGNATURE', 'X-PAYMENT', 'PAYMENT-RESPONSE', 'PAYMENT', 'Authorization']) {
      for (const value of ['', 'e30=', 'null', 'true', Buffer.from('{"x402Version":2}').toString('base64')]) {
        expect([400, 402]).toContain((await ask(asked, { [name]: value })).status)
      }
    }
  })
})

/** Returns the route's document with its root field in every position where it has the same meaning. */
function documentsOf(route: Route): Record<string, string> {
  const operation = operationOf(route)
  const root = rootOf(operation)
  const text = print(root).replace(/^\w+: /, '')
  const type = schema.getRootType(operation.operation)?.name
  const start = print({ ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections: [] } }).replace(
    /\s*\{\s*\}\s*$/,
    '',
  )
  const head = start.includes('(') ? start : `${operation.operation} ${operation.name?.value}`
  return {
    plain: `${head} { ${text} }`,
    'under an alias': `${head} { ping: ${text} }`,
    'in an inline fragment': `${head} { ... { ... on ${type} { ${text} } } }`,
    'in a fragment of a fragment': `${head} { ...A } fragment A on ${type} { ...B } fragment B on ${type} { x: ${text} }`,
    'under @include': `${head} { ${text.replace(/^(\w+(?:\([^)]*\))?)/, '$1 @include(if: true)')} }`,
    'twice, as one': `${head} { x: ${text} ... { x: ${text} } }`,
    'beside what is free': `${head} { __typename ${text} }`,
  }
}

describe.each(paidRoutes.map((route, offset) => [route.name, route, offset] as const))(
  '%s over GraphQL without a payment',
  (_, route, offset) => {
    const { operation } = operationOf(route)
    const accepts = [
      '*/*',
      'application/json',
      'application/graphql-response+json',
      'text/event-stream',
      'multipart/mixed',
    ]

    const documents = Object.entries(documentsOf(route)).filter((_, index) => isFull || index % 3 === offset % 3)
    proof.each(documents)('%s', async (_, query) => {
      const variables = variablesOf(route, ids())
      const body = JSON.stringify({ query, variables })
      const search = `?${new URLSearchParams({ query, variables: JSON.stringify(variables) })}`
      for (const accept of accepts) {
        const headers = { Accept: accept, 'X-API-Key': projectKey }
        const posted = await ask({ method: 'POST', path: '/graphql', body }, headers)
        expect([accept, isUnpaid(posted), hasData(posted.text)]).toEqual([accept, true, false])
        if (!/event-stream|multipart/.test(accept)) {
          expect([posted.status, 'payment-required' in posted.headers]).toEqual([402, true])
        }
        const got = await ask({ method: 'GET', path: `/graphql${search}`, body: null }, headers)
        expect([accept, hasData(got.text)]).toEqual([accept, false])
        expect([accept, isUnpaid(got)]).toEqual([accept, operation === 'query'])
        for (const path of [`/graphql/${search}`, `//graphql${search}`, `/GraphQL${search}`]) {
          const answer = await ask({ method: 'GET', path, body: null }, headers)
          expect([path, hasData(answer.text)]).toEqual([path, false])
        }
      }
      const named = await ask({ method: 'POST', path: '/graphql', body }, { 'Idempotency-Key': randomUUID() })
      expect([named.status, hasData(named.text)]).toEqual([402, false])
    })

    it('as an event stream, and as one operation of a reserved stream', async () => {
      const variables = variablesOf(route, ids())
      const events = { Accept: 'text/event-stream', 'X-API-Key': projectKey }
      for (const query of Object.values(documentsOf(route))) {
        const body = JSON.stringify({ query, variables })
        const search = new URLSearchParams({ query, variables: JSON.stringify(variables) })
        const posted = await ask({ method: 'POST', path: '/graphql/stream', body }, events)
        expect([posted.status, isUnpaid(posted), hasData(posted.text)]).toEqual([200, true, false])
        const got = await ask({ method: 'GET', path: `/graphql/stream?${search}`, body: null }, events)
        expect([hasData(got.text), isUnpaid(got)]).toEqual([false, operation === 'query'])

        const { text: token } = await ask({ method: 'PUT', path: '/graphql/stream', body: null })
        const reserved = { 'X-GraphQL-Event-Stream-Token': token }
        const stream = ask({ method: 'GET', path: '/graphql/stream', body: null }, { ...events, ...reserved })
        const extensions = { operationId: randomUUID() }
        const part = { method: 'POST', path: '/graphql/stream', body: JSON.stringify({ query, variables, extensions }) }
        expect((await ask(part, reserved)).status).toBe(202)
        const answer = await stream
        expect([isUnpaid(answer), hasData(answer.text)]).toEqual([true, false])
      }
    })
  },
)

const balance = (): Promise<bigint> =>
  dollars(service.app.facilitator?.asset ?? '', node).getFunction('balanceOf')(payer.address)
const payment = async () => {
  const { facilitator, paymentsTo: payTo } = service.app
  if (facilitator === null) throw new Error('no facilitator')
  return pay(payer, await facilitator.requirement({ amount: '0.001', payTo, maxTimeoutSeconds: 120 }))
}
const fx = '/v1/x402/premium/fx-lookup'

describe('two paid fields in one operation', () => {
  it.each([
    ['side by side', '{ a: premiumFxRate { rate } b: premiumFxRate { rate } }'],
    ['of two kinds', '{ premiumFxRate { rate } premiumVerifyEvidence(anchorTx: "x") { errors } }'],
    ['in a fragment', '{ premiumFxRate { rate } ...F } fragment F on Query { ... { b: premiumFxRate { rate } } }'],
    ['of which one is skipped', '{ a: premiumFxRate { rate } b: premiumFxRate @skip(if: true) { rate } }'],
  ])('%s are refused before anything is charged, over every API', async (_, query) => {
    const header = { 'PAYMENT-SIGNATURE': await payment() }
    const before = await balance()
    const body = JSON.stringify({ query })
    for (const asked of [
      { method: 'POST', path: '/graphql', body },
      { method: 'GET', path: `/graphql?${new URLSearchParams({ query })}`, body: null },
      { method: 'POST', path: '/graphql/stream', body },
    ]) {
      const accept = asked.path === '/graphql/stream' ? 'text/event-stream' : 'application/json'
      const answer = await ask(asked, { ...header, Accept: accept })
      expect(answer.text).toContain('One paid field an operation')
      expect(hasData(answer.text)).toBe(false)
    }
    expect(await balance()).toBe(before)
    expect((await ask({ method: 'POST', path: fx, body: '{}' }, header)).status).toBe(200)
  })

  it('are allowed in two operations of one document, of which one is executed', async () => {
    const query = 'query A { premiumFxRate { rate } } query B { premiumFxRate { source } }'
    const body = JSON.stringify({ query, operationName: 'B' })
    const asked = { method: 'POST', path: '/graphql', body }
    const { status, text } = await ask(asked, { 'PAYMENT-SIGNATURE': await payment() })
    expect([status, Object.keys(JSON.parse(text).data.premiumFxRate)]).toEqual([200, ['source']])
  })
})

describe('a payment over an event stream', () => {
  it('buys the answer with its settlement receipt', async () => {
    const asked = {
      method: 'POST',
      path: '/graphql/stream',
      body: JSON.stringify({ query: '{ premiumFxRate { rate } }' }),
    }
    const before = await balance()
    const header = await payment()
    const answer = await ask(asked, { Accept: 'text/event-stream', 'PAYMENT-SIGNATURE': header })
    expect(answer.text).toContain('"rate":"50"')
    expect(decodePaymentResponseHeader(String(answer.headers['payment-response'])).success).toBe(true)
    expect((await ask({ method: 'POST', path: fx, body: '{}' }, { 'PAYMENT-SIGNATURE': header })).status).toBe(200)
    expect(before - (await balance())).toBe(1_000n)
  })
})

describe('an Idempotency-Key', () => {
  const transports: [name: string, asked: Wire][] = [
    ['REST', { method: 'POST', path: fx, body: '{}' }],
    ['GraphQL', { method: 'POST', path: '/graphql', body: JSON.stringify({ query: '{ premiumFxRate { rate } }' }) }],
  ]

  it.each(transports)(
    'over %s stores no challenge, but the paid answer and its receipt: charged once',
    async (_, asked) => {
      const named = { 'Idempotency-Key': randomUUID(), 'X-API-Key': projectKey }
      expect((await ask(asked, named)).status).toBe(402)
      const before = await balance()
      const paying = { ...named, 'PAYMENT-SIGNATURE': await payment() }
      const first = await ask(asked, paying)
      expect([first.status, first.headers['idempotency-replayed']]).toEqual([200, undefined])
      expect(decodePaymentResponseHeader(String(first.headers['payment-response'])).success).toBe(true)
      for (const payment of [paying, named]) {
        const again = await ask(asked, payment)
        expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([200, first.text, 'true'])
        expect(again.headers['payment-response']).toBe(first.headers['payment-response'])
      }
      expect(before - (await balance())).toBe(1_000n)
      const { 'X-API-Key': _key, ...stranger } = named
      expect((await ask(asked, stranger)).status).toBe(402)
    },
  )

  it.each(transports)(
    'over %s stores nothing about a refused payment, so that the next one is tried',
    async (_, asked) => {
      const named = { 'Idempotency-Key': randomUUID(), 'X-API-Key': projectKey }
      const used = await payment()
      expect(
        (await ask({ ...asked, path: fx, body: '{"quote_ccy":"USD"}' }, { 'PAYMENT-SIGNATURE': used })).status,
      ).toBe(200)
      expect((await ask(asked, { ...named, 'PAYMENT-SIGNATURE': 'e30=' })).status).toBe(400)
      expect((await ask(asked, { ...named, 'PAYMENT-SIGNATURE': used })).status).toBe(409)
      expect((await ask(asked, { ...named, 'PAYMENT-SIGNATURE': await payment() })).status).toBe(200)
    },
  )
})
