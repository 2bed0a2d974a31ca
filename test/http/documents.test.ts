// Trusted documents: every form of a request that names one, what a closed service refuses, and what switches the
// schema off.
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JsonRpcProvider } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EnvError, readEnv } from '../../src/env.ts'
import { createPayer, dollars, pay } from '../kit/payer.ts'
import { adminKey, apiBeside, type Service, startService } from '../kit/service.ts'

const hash = (text: string, algorithm = 'sha256') => createHash(algorithm).update(text).digest('hex')

const ping = 'query Ping { __typename }'
const two = 'query Me { me { role } } query Echo($n: Int) { receipts(first: $n) { nodes { id } } }'
const create = 'mutation Create($name: String!) { createProject(input: { name: $name }) { project { id } key } }'
const paid = 'query Rate { premiumFxRate { rate } }'
const list =
  'query Receipts($n: Int) { receipts(first: $n) { nodes { id status artifacts { nodes { type url } } anchors { anchorTx } } } }'
const verify =
  'mutation Verify { a: verifyWallet(input: { message: "x", signature: "0x" }) { address } b: verifyWallet(input: { message: "x", signature: "0x" }) { address } }'
const follow = 'subscription Follow($id: ID!) { receiptEvents(receiptId: $id) { cursor } }'
const heavy = `query Heavy($n: Int) { ${Array.from({ length: 9 }, (_, at) => `a${at}: receipts(first: $n) { nodes { id artifacts { nodes { type url } } refunds { nodes { id } } } }`).join(' ')} }`
const free = '{ __typename again: __typename }'

const clientPreset = Object.fromEntries([ping, create, paid].map(text => [hash(text, 'sha1'), text]))
const relay = {
  ...Object.fromEntries([two, follow].map(text => [hash(text, 'md5'), text])),
  'receipts-v1': list,
  heavy,
}
const apollo = {
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: [{ id: hash(verify), name: 'Verify', type: 'mutation', body: verify }],
}

let folder: string
let closed: Service
let open: Service
let project: { id: string; key: string }
const fileOf = async (content: unknown) => {
  const path = join(folder, `${randomUUID()}.json`)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-documents-'))
  const files = (await Promise.all([clientPreset, relay, apollo].map(fileOf))).join()
  closed = await startService({
    GRAPHQL_DOCUMENTS: 'trusted',
    GRAPHQL_DOCUMENTS_FILE: files,
    GRAPHQL_INTROSPECTION: 'off',
    GRAPHIQL: 'off',
    LOG_LEVEL: 'silent',
  })
  const { facilitator, paymentsTo, chains } = closed.app
  open = await startService({
    ...apiBeside(closed),
    GRAPHQL_DOCUMENTS_FILE: files,
    X402_NETWORK: chains[0].caip2 ?? '',
    X402_RPC_URL: closed.localChain ?? '',
    X402_ASSET: facilitator?.asset ?? '',
    X402_PAY_TO: paymentsTo,
    X402_FACILITATOR_PRIVATE_KEY: `0x${'12'.repeat(32)}`,
  })
  project = await open.api.project()
})
afterAll(async () => {
  await open?.stop()
  await closed?.stop()
  await rm(folder, { recursive: true, force: true })
})

type Sent = { at?: Service; key?: string; headers?: Record<string, string>; path?: string }

const post = (body: unknown, { at = closed, key, headers, path = '/graphql' }: Sent = {}) =>
  at.api.call('POST', path, { body, ...(key && { key }), ...(headers && { headers }) })

/** Sends the parameters of the body in the query of the URL. */
const get = (body: Record<string, unknown>, { at = closed, key, headers, path = '/graphql' }: Sent = {}) => {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const search = new URLSearchParams(Object.entries(body).map(([name, value]) => [name, text(value)]))
  return at.api.call('GET', `${path}?${search}`, { ...(key && { key }), ...(headers && { headers }) })
}

const events = { Accept: 'text/event-stream' }
const inStream = (text: string) => JSON.parse(/^data: (\{.*\})$/m.exec(text)?.[1] ?? 'null')

/** Sends the body as one operation of a reserved stream. */
async function overReserved(body: Record<string, unknown>, { at = closed, key }: Sent = {}) {
  const withKey = key ? { key } : {}
  const { text: token } = await at.api.call('PUT', '/graphql/stream', withKey)
  const reserved = { 'X-GraphQL-Event-Stream-Token': token }
  const leaving = new AbortController()
  const stream = await fetch(`${at.base}/graphql/stream`, {
    headers: { ...events, ...reserved },
    signal: leaving.signal,
  })
  const extensions = { ...Object(body.extensions), operationId: randomUUID() }
  const accepted = await post({ ...body, extensions }, { at, headers: reserved, path: '/graphql/stream', ...withKey })
  let text = ''
  if (accepted.status === 202) {
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      if (/event: complete/.test(text)) break
    }
  }
  leaving.abort()
  const [, data = 'null'] = /^data: (\{.*"payload".*\})$/m.exec(text) ?? []
  return { status: accepted.status, json: accepted.json ?? JSON.parse(data)?.payload }
}

/** Sends the same parameters in each way in which a request can arrive. */
type Answer = Pick<Awaited<ReturnType<typeof post>>, 'json'>
const ways: [name: string, send: (body: Record<string, unknown>, sent?: Sent) => Promise<Answer>][] = [
  ['POST', post],
  ['GET', get],
  [
    'POST of a stream',
    async (body, sent) => {
      const { text, json } = await post(body, { ...sent, path: '/graphql/stream', headers: events })
      return { json: json ?? inStream(text) }
    },
  ],
  [
    'GET of a stream',
    async (body, sent) => {
      const { text, json } = await get(body, { ...sent, path: '/graphql/stream', headers: events })
      return { json: json ?? inStream(text) }
    },
  ],
  ['an operation of a reserved stream', overReserved],
]

const persisted = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } })
const codeOf = ({ errors }: { errors: { extensions: { code: string } }[] }) => errors[0]?.extensions.code

describe.each([
  ['a closed service', () => closed],
  ['an open service', () => open],
])('%s', (_, service) => {
  const forms: [name: string, body: Record<string, unknown>][] = [
    ['documentId with the prefix', { documentId: `sha256:${hash(ping)}` }],
    ['documentId without the prefix', { documentId: hash(ping) }],
    ['the id in the file', { documentId: hash(ping, 'sha1') }],
    ['documentId with its text', { documentId: `sha256:${hash(ping)}`, query: ping }],
    ['the form of Apollo', persisted(hash(ping))],
    ['the form of Apollo with its text', { ...persisted(hash(ping)), query: ping }],
    ['both ids', { documentId: hash(ping), ...persisted(hash(ping)) }],
    ['the text alone', { query: ping }],
  ]

  it.each(ways)('executes a trusted document that is named in any form, by %s', async (_, send) => {
    for (const [name, body] of forms) {
      const { json } = await send(body, { at: service() })
      expect([name, json.errors, json.data]).toEqual([name, undefined, { __typename: 'Query' }])
    }
  })

  it('executes the named operation with the variables', async () => {
    const { key } = project
    const sent = { at: service(), key }
    const named = { documentId: hash(two, 'md5'), operationName: 'Echo', variables: { n: 1 } }
    for (const [, send] of ways)
      expect((await send(named, sent)).json.data.receipts.nodes.length).toBeLessThanOrEqual(1)
    expect((await post({ documentId: hash(two, 'md5'), operationName: 'Me' }, sent)).json.data.me.role).toBeDefined()
    const neither = await post({ documentId: hash(two, 'md5') }, sent)
    expect(codeOf(neither.json)).toBe('invalid_graphql')
  })

  it.each(ways)('refuses an unknown id in the form in which it was sent, by %s', async (_, send) => {
    const sent = { at: service() }
    for (const documentId of [`sha256:${hash(free)}`, 'nothing', 'constructor', `sha256:${hash(ping, 'sha1')}`]) {
      expect(codeOf((await send({ documentId }, sent)).json)).toBe('document_not_found')
    }
    const { json } = await send(persisted(hash(free)), sent)
    expect(json.errors[0]).toMatchObject({
      message: 'PersistedQueryNotFound',
      extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
    })
  })

  it.each(ways)('refuses an id beside another text, by %s', async (_, send) => {
    const sent = { at: service() }
    for (const body of [
      { documentId: hash(ping), query: free },
      { documentId: hash(free), query: ping },
      { ...persisted(hash(ping)), query: free },
      { documentId: hash(ping), ...persisted(hash(two)) },
    ]) {
      expect(codeOf((await send(body, sent)).json)).toBe('document_mismatch')
    }
  })

  it.each<[string, Record<string, unknown>]>([
    ['a number as id', { documentId: 1 }],
    ['a list as text', { documentId: hash(ping), query: [ping] }],
    ['another version of Apollo’s form', { extensions: { persistedQuery: { version: 2, sha256Hash: hash(ping) } } }],
    ['Apollo’s form without a hash', { extensions: { persistedQuery: { version: 1 } } }],
    ['neither text nor id', { documentId: null, variables: {} }],
  ])('refuses %s', async (_, body) => {
    const { status, json } = await post(body, { at: service() })
    expect([status, codeOf(json)]).toEqual([400, 'invalid_graphql'])
  })

  it('carries out no mutation by GET', async () => {
    const body = { documentId: hash(create, 'sha1'), variables: { name: 'By GET' } }
    for (const [name, send] of ways.filter(([name]) => name.startsWith('GET'))) {
      const { json } = await send(body, { at: service(), key: adminKey })
      expect([name, codeOf(json), json.data?.createProject]).toEqual([name, 'invalid_graphql', undefined])
    }
    const { rows } = await closed.app.pool.query(`select from projects where name = 'By GET'`)
    expect(rows).toEqual([])
  })

  it('answers a subscription by its id', async () => {
    const { key } = project
    const { receipt_id: id } = (await service().api.record(key)).json
    await service().api.anchored(id)
    const body = { documentId: hash(follow, 'md5'), variables: { id } }
    for (const [name, send] of ways.filter(([name]) => name.endsWith('stream'))) {
      expect([name, (await send(body, { at: service() })).json.data.receiptEvents.cursor]).toEqual([
        name,
        expect.any(String),
      ])
    }
  })

  it('charges a trusted document its cost, and refuses it above the limit', async () => {
    const { key } = project
    const cost = async (n: number) =>
      (await post({ documentId: 'receipts-v1', variables: { n } }, { at: service(), key })).json.extensions.cost
        .requested
    expect(await cost(200)).toBeGreaterThan(9 * (await cost(20)))
    const asked = async (n: number) =>
      (await post({ documentId: 'heavy', variables: { n } }, { at: service(), key })).json
    expect((await asked(1)).errors).toBeUndefined()
    expect(codeOf(await asked(200))).toBe('document_too_costly')
  })

  it('counts the wallet signatures of a trusted document', async () => {
    const { headers } = await post({ documentId: hash(verify) }, { at: service() })
    expect(headers.get('ratelimit-policy')).toContain('"sign-in"')
  })

  it('asks for the payment of a paid field, and delivers nothing', async () => {
    const named = { documentId: hash(paid, 'sha1') }
    const posted = await post(named, { at: service(), headers: { 'Idempotency-Key': randomUUID() } })
    expect([posted.status, posted.headers.has('payment-required')]).toEqual([402, true])
    expect((await get(named, { at: service() })).status).toBe(402)
    for (const [name, send] of ways) {
      const { json } = await send(named, { at: service() })
      expect([name, codeOf(json), json.data?.premiumFxRate ?? null]).toEqual([name, 'payment_required', null])
    }
  })

  it('delivers a paid field for one payment once, in whichever form it is requested again', async () => {
    const node = new JsonRpcProvider(closed.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
    const { facilitator, paymentsTo: payTo } = closed.app
    if (facilitator === null) throw new Error('no facilitator')
    const payer = await createPayer(node, facilitator.asset, 1_000_000n)
    const requirement = await facilitator.requirement({ amount: '0.001', payTo, maxTimeoutSeconds: 120 })
    const headers = { 'PAYMENT-SIGNATURE': await pay(payer, requirement) }
    for (const body of [{ documentId: hash(paid, 'sha1') }, { query: paid }, persisted(hash(paid))]) {
      const { status, json } = await post(body, { headers })
      expect([status, json.data]).toEqual([200, { premiumFxRate: { rate: expect.any(String) } }])
    }
    expect(await dollars(facilitator.asset, node).getFunction('balanceOf')(payer.address)).toBe(999_000n)
    node.destroy()
  })

  it('binds an Idempotency-Key to the body that was sent', async () => {
    const named = { documentId: hash(create, 'sha1'), variables: { name: randomUUID() } }
    const sent = { at: service(), key: adminKey, headers: { 'Idempotency-Key': randomUUID() } }
    const first = await post(named, sent)
    const again = await post(named, sent)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.json.data.createProject.project).toEqual(first.json.data.createProject.project)
    for (const other of [
      { ...named, query: create },
      { query: create, variables: named.variables },
    ]) {
      const { status, json } = await post(other, sent)
      expect([status, codeOf(json)]).toEqual([422, 'validation_failed'])
    }
    const { rows } = await closed.app.pool.query('select from projects where name = $1', [named.variables.name])
    expect(rows).toHaveLength(1)
  })

  it('serves the receipt page, REST and MCP', async () => {
    const { key } = project
    const { receipt_id: id } = (await service().api.record(key)).json
    const page = { documentId: 'x-quittance:receipt-page', variables: { id } }
    for (const operationName of ['ReceiptPage', 'ReceiptCard']) {
      const { json } = await post({ ...page, operationName }, { at: service() })
      expect(json.data.receipt.id).toBe(id)
    }
    const answer = await service().api.call('POST', '/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_receipt', arguments: { rid: id } } },
      headers: { Accept: 'application/json, text/event-stream' },
    })
    expect(answer.text).toContain(id)
  })
})

describe('a closed service', () => {
  it.each(ways)('refuses any other text before it is parsed, by %s', async (_, send) => {
    for (const query of [
      free,
      `${ping} `,
      '{',
      '{ __schema { types { name } } }',
      `query Ping { __typename }#${'x'.repeat(5_000)}`,
    ]) {
      const { json } = await send({ query })
      expect([query.slice(0, 40), codeOf(json), json.data ?? null]).toEqual([
        query.slice(0, 40),
        'document_not_trusted',
        null,
      ])
    }
    const { json } = await send({ query: free, ...persisted(hash(free)) })
    expect(codeOf(json)).toBe('document_not_trusted')
  })

  it('says by its status what clients may read that accept the newer media type', async () => {
    const headers = { Accept: 'application/graphql-response+json' }
    expect((await post({ query: free }, { headers })).status).toBe(403)
    expect((await post({ documentId: hash(free) }, { headers })).status).toBe(404)
  })

  it.each([
    `query=${encodeURIComponent(ping)}&query=${encodeURIComponent(free)}`,
    `query=${encodeURIComponent(free)}&query=${encodeURIComponent(ping)}`,
    `documentId=${hash(ping)}&documentId=${hash(free)}&query=${encodeURIComponent(free)}`,
    `query[]=${encodeURIComponent(free)}`,
    `${'a&'.repeat(1_000)}query=${encodeURIComponent(free)}`,
    `x?query=${encodeURIComponent(free)}`,
    `%71uery=${encodeURIComponent(free)}`,
  ])('does not execute another text behind a repeated or disguised parameter: %s', async search => {
    for (const [path, headers] of [
      ['/graphql', {}],
      ['/graphql/stream', events],
    ] as const) {
      const { text } = await closed.api.call('GET', `${path}?${search}`, { headers })
      expect(text).not.toContain('again')
    }
  })

  it.each([
    'application/x-www-form-urlencoded',
    'application/graphql',
    'text/plain',
    'multipart/form-data; boundary=x',
  ])('does not read a text of the type %s', async type => {
    for (const raw of [`query=${encodeURIComponent(free)}`, free]) {
      const { status, text } = await closed.api.call('POST', '/graphql', { raw, headers: { 'Content-Type': type } })
      expect([status, text.includes('pong')]).toEqual([415, false])
    }
  })

  it('executes the last of several members, as JSON is read, or refuses it', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const raw = `{"query":${JSON.stringify(ping)},"query":${JSON.stringify(free)}}`
    expect(codeOf((await closed.api.call('POST', '/graphql', { raw, headers })).json)).toBe('document_not_trusted')
    const batch = JSON.stringify([{ query: free }])
    expect((await closed.api.call('POST', '/graphql', { raw: batch, headers })).status).toBe(400)
  })

  it('has no GraphiQL, and says so', async () => {
    const { status, json } = await closed.api.call('GET', '/graphql', { headers: { Accept: 'text/html' } })
    expect([status, codeOf(json)]).toEqual([404, 'route_not_found'])
    expect((await open.api.call('GET', '/graphql', { headers: { Accept: 'text/html' } })).status).toBe(200)
  })

  it('does not tell language models that introspection is open', async () => {
    const says = async (at: Service) => (await at.api.call('GET', '/llms.txt')).text.includes('introspection is open')
    expect([await says(closed), await says(open)]).toEqual([false, true])
  })
})

describe('an open service', () => {
  it('executes other texts, with and without their hash, and stores none under it', async () => {
    const sent = { at: open }
    for (const body of [
      { query: free },
      { query: free, ...persisted(hash(free)) },
      { query: free, documentId: hash(free) },
    ]) {
      expect((await post(body, sent)).json.data).toEqual({ __typename: 'Query', again: 'Query' })
    }
    expect(codeOf((await post(persisted(hash(free)), sent)).json)).toBe('PERSISTED_QUERY_NOT_FOUND')
  })
})

describe('GRAPHQL_INTROSPECTION=off', () => {
  let hidden: Service
  beforeAll(async () => {
    hidden = await startService({ ...apiBeside(closed), GRAPHQL_INTROSPECTION: 'off' })
  })
  afterAll(() => hidden?.stop())

  it.each([
    '{ __schema { types { name } } }',
    '{ a: __type(name: "Receipt") { name } }',
    '{ ...F } fragment F on Query { ... { __schema { queryType { name } } } }',
    '{ __typename __schema @include(if: false) { description } }',
  ])('refuses %s', async query => {
    for (const [name, send] of ways) {
      const { json } = await send({ query }, { at: hidden })
      expect([name, codeOf(json), json.data ?? null]).toEqual([name, 'introspection_disabled', null])
    }
  })

  it('answers __typename, and suggests no names', async () => {
    expect((await post({ query: '{ __typename }' }, { at: hidden })).json.data).toEqual({ __typename: 'Query' })
    const mistyped = { query: '{ receiptt(id: "x") { id } receipts(frist: 1) { nodes { id } } }' }
    expect((await post(mistyped, { at: hidden })).text).not.toContain('Did you mean')
    expect((await post(mistyped, { at: open })).text).toContain('Did you mean')
    // Not compiled, because the variable is in a directive.
    const query =
      'query ($s: ReceiptStatus!, $x: Boolean!) { __typename receipts(first: 1) { nodes { id @include(if: $x) } } }'
    const status = 'filter: { statuses: [$s] }'
    const mistaken = { query: query.replace('first: 1', status), variables: { s: 'ANCHORE', x: true } }
    expect((await post(mistaken, { at: hidden })).text).not.toContain('Did you mean')
    expect((await post(mistaken, { at: open })).text).toContain('Did you mean')
  })
})

describe('a file of documents', () => {
  /** Returns the message with which the start fails. */
  async function refusal(content: unknown, settings: Record<string, string> = {}): Promise<string> {
    const file = await fileOf(content)
    const started = startService({ ...apiBeside(closed), GRAPHQL_DOCUMENTS_FILE: file, ...settings })
    const error = await started.then(
      async service => {
        await service.stop()
        return null
      },
      (error: unknown) => error,
    )
    if (!(error instanceof EnvError)) throw error ?? new Error('it started')
    return error.message.replaceAll(file, 'FILE')
  }

  it.each<[string, unknown, string]>([
    ['that is not there or no JSON', '{', 'FILE cannot be read: Expected property name'],
    ['without documents', {}, 'FILE lists no documents'],
    ['with another value', { a: 1 }, 'FILE a Invalid input: expected string'],
    ['of a later version of Apollo', { ...apollo, version: 2 }, 'FILE version Invalid input'],
    ['with a syntax error', { a: '{' }, 'FILE a: Syntax Error: Expected Name, found <EOF>.'],
    ['with an unknown field', { a: '{ nope }' }, 'FILE a: Cannot query field "nope" on type "Query".'],
    ['with too large a document', { a: `{ ${'__typename '.repeat(501)} }` }, 'FILE a: The document has 501 fields'],
    [
      'with a document that is always too costly',
      { a: `{ ${Array.from({ length: 50 }, (_, n) => `a${n}: verifyEvidence(anchorTx: "x") { errors }`).join(' ')} }` },
      'FILE a: The operation costs',
    ],
    ['with the hash of another text', { [hash(free)]: ping }, 'is not the hash of the text'],
    ['with the MD5 of another text', { [hash(free, 'md5')]: ping }, 'is not the hash of the text'],
    [
      'with one id for two texts',
      { ...apollo, operations: [ping, free].map(body => ({ id: 'one', name: 'x', type: 'query', body })) },
      'FILE one: the id is also that of another text',
    ],
  ])('%s prevents the start, with file, id and reason', async (_, content, message) => {
    expect(await refusal(content)).toContain(`GRAPHQL_DOCUMENTS_FILE FILE`)
    expect(await refusal(content)).toContain(message)
  })

  it('is read at all, and reports every fault', async () => {
    expect(await refusal({}, { GRAPHQL_DOCUMENTS_FILE: join(folder, 'absent.json') })).toContain('ENOENT')
    const both = await refusal({ a: '{ nope }', b: '{' })
    expect(both.split('\n')).toHaveLength(2)
    const schema = await refusal({ a: '{ __schema { description } }' }, { GRAPHQL_INTROSPECTION: 'off' })
    expect(schema).toContain('FILE a: Introspection is switched off')
  })

  it('is required where only its documents are executed', () => {
    expect(() => readEnv({ GRAPHQL_DOCUMENTS: 'trusted' })).toThrow('GRAPHQL_DOCUMENTS_FILE is missing')
    expect(() => readEnv({ GRAPHQL_DOCUMENTS: 'closed' })).toThrow('GRAPHQL_DOCUMENTS must be any or trusted')
    expect(() => readEnv({ GRAPHIQL: 'false' })).toThrow('GRAPHIQL must be on or off')
  })
})
