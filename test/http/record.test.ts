// Recording a payment: what is accepted, what is refused with which error, and that a repeated payment is one receipt.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { adminKey, type Service, startService, type Tip, tipOf } from '../kit/service.ts'
import { it, proof, sized } from '../kit/size.ts'

let service: Service
let project: { id: string; key: string }

beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
  project = await service.api.project()
})
afterAll(() => service.stop())

const count = async () => Number((await service.app.pool.query('select count(*) from receipts')).rows[0].count)

describe('a valid payment', () => {
  it('becomes one pending receipt, stored together with its audit row, event and job', async () => {
    const { status, json } = await service.api.record(project.key)
    expect(status).toBe(200)
    expect(json).toEqual({
      receipt_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      status: 'pending',
    })
    const one = async (sql: string) => Number((await service.app.pool.query(sql, [json.receipt_id])).rows[0].count)
    expect(await one(`select count(*) from audit_events where object_id = $1 and action = 'receipt.record'`)).toBe(1)
    expect(await one('select count(*) from events where receipt_id = $1::uuid')).toBe(1)
    expect(await one(`select count(*) from graphile_worker._private_jobs where payload::jsonb->'receipts' ? $1`)).toBe(
      1,
    )
  })

  it.each([
    ['the smallest amount', { amount: '0.000000000000000001' }, '0.000000000000000001'],
    [
      'the largest amount',
      { amount: '99999999999999999999.999999999999999999' },
      '99999999999999999999.999999999999999999',
    ],
    ['an amount with zeros around it', { amount: '0012.500' }, '12.5'],
  ])('keeps %s exactly', async (_, tip, expected) => {
    const { json } = await service.api.record(project.key, tip)
    const { data } = await service.api.graphql('query ($id: ID!) { receipt(id: $id) { amount } }', {
      variables: { id: json.receipt_id },
    })
    expect(data.receipt.amount).toBe(expected)
  })

  it('keeps a reference of 255 emoji and trims white space', async () => {
    const reference = '🧾'.repeat(255)
    const { json } = await service.api.record(project.key, { reference: `  ${reference} ` })
    const { data } = await service.api.graphql('query ($id: ID!) { receipt(id: $id) { reference } }', {
      variables: { id: json.receipt_id },
    })
    expect(data.receipt.reference).toBe(reference)
  })

  it('lower-cases hex, and keeps the case of other chains’ ids', async () => {
    const { json } = await service.api.record(project.key, {
      tip_tx_hash: `0x${'AB'.repeat(32)}`,
      sender_wallet: 'DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy',
    })
    const { data } = await service.api.graphql('query ($id: ID!) { receipt(id: $id) { settlementTx senderWallet } }', {
      variables: { id: json.receipt_id },
    })
    expect(data.receipt).toEqual({
      settlementTx: `0x${'ab'.repeat(32)}`,
      senderWallet: 'DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy',
    })
  })
})

describe('a payment recorded again', () => {
  it('is the same receipt: by chain and transaction first, then by reference', async () => {
    const first = tipOf()
    const second = tipOf()
    const [a, b] = [await service.api.record(project.key, first), await service.api.record(project.key, second)]
    const before = await count()
    const byTransaction = await service.api.record(project.key, {
      ...tipOf(),
      tip_tx_hash: first.tip_tx_hash.toUpperCase().replace('0X', '0x'),
      reference: second.reference,
    })
    const byReference = await service.api.record(project.key, { reference: second.reference })
    expect(byTransaction.json.receipt_id).toBe(a.json.receipt_id)
    expect(byReference.json.receipt_id).toBe(b.json.receipt_id)
    expect(await count()).toBe(before)
  })

  it.each<[string, (tip: Tip) => Partial<Tip>]>([
    ['reference, with another settlement', ({ reference }) => ({ reference })],
    ['settlement, with another reference', ({ chain, tip_tx_hash }) => ({ chain, tip_tx_hash })],
  ])('is never the receipt of another project with the same %s', async (_, told) => {
    const keys = await Promise.all(['One', 'Two'].map(async name => (await service.api.project(name)).key))
    const tip = tipOf()
    const first = await Promise.all(keys.map(key => service.api.record(key, tip)))
    const again = await Promise.all(keys.map(key => service.api.record(key, told(tip))))
    expect(new Set(first.map(({ json }) => json.receipt_id)).size).toBe(2)
    expect(again.map(({ json }) => json.receipt_id)).toEqual(first.map(({ json }) => json.receipt_id))
  })

  it('reports how the earlier receipt was matched, and nothing for a new one', async () => {
    const tip = tipOf()
    const told = async (more: Partial<Tip>, headers: Record<string, string> = {}) => {
      const body = { ...tip, ...more }
      const answer = await service.api.call('POST', '/v1/iso/record-tip', { key: project.key, body, headers })
      expect(Object.keys(answer.json)).toEqual(['receipt_id', 'status'])
      return [answer.json.receipt_id, answer.headers.get('receipt-matched-by')]
    }
    const [id, first] = await told({})
    expect(first).toBeNull()
    expect(await told({})).toEqual([id, 'settlement'])
    expect(await told({ reference: 'another' })).toEqual([id, 'settlement'])
    const byReference = { tip_tx_hash: `0x${'cd'.repeat(32)}` }
    // Also in a replayed response.
    for (const _ of [1, 2]) expect(await told(byReference, { 'Idempotency-Key': 'matched' })).toEqual([id, 'reference'])
  })

  it('reports it over GraphQL as well, for each of several in one document', async () => {
    const { tip_tx_hash, sender_wallet, receiver_wallet, ...rest } = tipOf()
    const input = { ...rest, settlementTx: tip_tx_hash, senderWallet: sender_wallet, receiverWallet: receiver_wallet }
    const fields = 'matchedBy receipt { id status reference project { id } }'
    const { data } = await service.api.graphql(
      `mutation ($one: RecordReceiptInput!, $two: RecordReceiptInput!) {
        new: recordReceipt(input: $one) { ${fields} }
        settled: recordReceipt(input: $one) { ${fields} }
        referred: recordReceipt(input: $two) { ${fields} }
      }`,
      { key: project.key, variables: { one: input, two: { ...input, settlementTx: `0x${'ef'.repeat(32)}` } } },
    )
    const { id } = data.new.receipt
    const receipt = { id, status: 'PENDING', reference: input.reference, project: { id: project.id } }
    expect(data).toEqual({
      new: { receipt, matchedBy: null },
      settled: { receipt, matchedBy: 'SETTLEMENT' },
      referred: { receipt, matchedBy: 'REFERENCE' },
    })
  })

  it('is another receipt on another chain', async () => {
    const tip = tipOf()
    const a = await service.api.record(project.key, tip)
    const b = await service.api.record(project.key, { ...tip, chain: 'polygon', reference: `${tip.reference}-2` })
    expect(b.json.receipt_id).not.toBe(a.json.receipt_id)
  })

  proof(
    '200 times at once, in several rounds, with the keys of two projects: one receipt per project and no failure',
    async () => {
      const other = await service.api.project('Other')
      for (let round = 0; round < sized(5, 20); round++) {
        const tip = tipOf()
        const answers = await Promise.all(
          Array.from({ length: 200 }, (_, n) => service.api.record(n % 2 ? project.key : other.key, tip)),
        )
        expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([200]))
        const matches = answers.map(({ headers }) => headers.get('receipt-matched-by'))
        expect(matches.toSorted()).toEqual([...Array(198).fill('settlement'), null, null].toSorted())
        const ids = (remainder: number) =>
          new Set(answers.filter((_, n) => n % 2 === remainder).map(({ json }) => json.receipt_id))
        expect([ids(0).size, ids(1).size]).toEqual([1, 1])
        expect([...ids(0)]).not.toEqual([...ids(1)])
      }
    },
  )
})

const at = (field: string, type?: unknown) => ({
  loc: ['body', field],
  msg: expect.any(String),
  type: type ?? expect.any(String),
})

describe('a payment that is refused with 422', () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    ['an amount that is a JSON number', { amount: 12.5 }, at('amount', 'string_type')],
    ['a negative amount', { amount: '-1' }, at('amount')],
    ['an amount of zero', { amount: '0.000' }, at('amount')],
    ['an amount in exponent form', { amount: '1e400' }, at('amount')],
    ['an amount with 19 decimals', { amount: `0.${'1'.repeat(19)}` }, at('amount')],
    ['an amount with 21 integer digits', { amount: '1'.repeat(21) }, at('amount')],
    ['an amount in another script', { amount: '१२' }, at('amount')],
    ['an empty amount', { amount: '' }, at('amount')],
    ['an unknown field', { memo: 'x' }, at('memo', 'extra_forbidden')],
    ['a blank reference', { reference: '   ' }, at('reference', 'string_too_short')],
    ['a reference of 10,000 characters', { reference: 'x'.repeat(10_000) }, at('reference', 'string_too_long')],
    ['a NUL', { reference: 'a\u0000b' }, at('reference')],
    ['a lone surrogate', { currency: '\ud800' }, at('currency')],
    ['a line break', { chain: 'ba\nse' }, at('chain')],
    ['null where text is needed', { chain: null }, at('chain')],
    ['a list where text is needed', { chain: ['base'] }, at('chain', 'string_type')],
    ['a resource hash that is none', { resource_hash: '0x12' }, at('resource_hash')],
    ['a callback that is no web address', { callback_url: 'ftp://example.com' }, at('callback_url')],
  ])('%s', async (_, change, expected) => {
    const before = await count()
    const { status, json } = await service.api.call('POST', '/v1/iso/record-tip', {
      key: project.key,
      body: { ...tipOf(), ...change },
    })
    expect({ status, json }).toEqual({ status: 422, json: { detail: [expected] } })
    expect(await count()).toBe(before)
  })

  it('reports every fault at once, including missing fields', async () => {
    const { json } = await service.api.call('POST', '/v1/iso/record-tip', {
      key: project.key,
      body: { chain: 'base', amount: '1' },
    })
    expect(json.detail.map((issue: { loc: string[] }) => issue.loc[1]).sort()).toEqual([
      'currency',
      'receiver_wallet',
      'reference',
      'sender_wallet',
      'tip_tx_hash',
    ])
  })
})

describe('an unreadable body', () => {
  const send = (raw: BodyInit, headers: Record<string, string> = { 'Content-Type': 'application/json' }) =>
    service.api.call('POST', '/v1/iso/record-tip', { key: project.key, raw, headers })

  it.each<[string, BodyInit, Record<string, string> | undefined, number, string]>([
    ['no JSON', '{"chain":', undefined, 400, 'invalid_json'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), undefined, 400, 'invalid_json'],
    ['too large', JSON.stringify(tipOf({ reference: 'x'.repeat(300_000) })), undefined, 413, 'payload_too_large'],
    [
      'another content type',
      'chain=base',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
  ])('%s', async (_, raw, headers, status, code) => {
    const answer = await send(raw, headers)
    expect(answer.status).toBe(status)
    expect(answer.json).toEqual({
      detail: code,
      message: expect.any(String),
      request_id: answer.headers.get('x-request-id'),
    })
  })

  it.each([
    ['a list', '[]'],
    ['a word', '"x"'],
    ['null', 'null'],
    ['nothing', ''],
  ])('%s is 422', async (_, raw) => {
    const { status, json } = await send(raw)
    expect(status).toBe(422)
    expect(json.detail[0].loc[0]).toBe('body')
  })
})

describe('permission to record', () => {
  it.each([
    ['nobody', undefined, 401, 'unauthenticated'],
    ['a key that never was', 'qtk_nonsense', 401, 'unauthenticated'],
    ['a service administrator, who has no project', adminKey, 403, 'project_key_required'],
  ])('is refused for %s', async (_, key, status, code) => {
    const answer = await service.api.call('POST', '/v1/iso/record-tip', { ...(key && { key }), body: tipOf() })
    expect([answer.status, answer.json.detail]).toEqual([status, code])
  })

  it('is refused for a service administrator, with the reason that a receipt belongs to a project', async () => {
    const { json } = await service.api.call('POST', '/v1/iso/record-tip', { key: adminKey, body: tipOf() })
    expect(json.message).toMatch(/^A receipt belongs to a project, and a service administrator has none\. Use a key/)
  })

  it('is refused for a viewer, and granted to a project key', async () => {
    const [viewer, writer] = [
      await service.api.key(project.key, 'viewer'),
      await service.api.key(project.key, 'project'),
    ]
    expect((await service.api.record(viewer)).json.detail).toBe('forbidden')
    expect((await service.api.record(writer)).status).toBe(200)
  })

  it('is refused for a revoked key, within a second', async () => {
    const writer = await service.api.key(project.key, 'project')
    expect((await service.api.record(writer)).status).toBe(200)
    const { data } = await service.api.graphql('{ apiKeys { nodes { id role } } }', { key: project.key })
    const { id } = data.apiKeys.nodes[0]
    await service.api.graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { revokedAt } } }', {
      key: project.key,
      variables: { id },
    })
    await new Promise(resolve => setTimeout(resolve, 1_000))
    expect((await service.api.record(writer)).status).toBe(401)
  })
})
