// Messages after anchoring and on request, refunds and statements, over REST and GraphQL.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readOnChainPayments, readOnChainStatement } from '../../src/modules/iso20022/reader.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

let service: Service
let key: string
let other: string
const merchant = `0x${'aa'.repeat(20)}`
const customer = `0x${'bb'.repeat(20)}`

beforeAll(async () => {
  service = await startService()
  key = (await service.api.project()).key
  other = (await service.api.project('Another')).key
})
afterAll(() => service.stop())

const sha256 = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`
const post = (path: string, body?: unknown, apiKey: string | null = key) =>
  service.api.call('POST', path, { ...(body !== undefined && { body }), ...(apiKey && { key: apiKey }) })
const get = (path: string) => service.api.call('GET', path)
const configure = (config: unknown, apiKey = adminKey) =>
  service.api.call('PUT', '/v1/config', { key: apiKey, body: config })
const fetched = async (url: string) => (await fetch(url)).text()
const typesOf = async (rid: string) =>
  ((await get(`/v1/iso/messages/${rid}`)).json as { type: string }[]).map(({ type }) => type).toSorted()

async function paid(tip: Parameters<Service['api']['record']>[1] = {}, apiKey = key): Promise<string> {
  const { json } = await service.api.record(apiKey, { sender_wallet: customer, receiver_wallet: merchant, ...tip })
  await service.api.anchored(json.receipt_id)
  return json.receipt_id
}

/** Reports are written a moment after anchoring. */
const reported = (rid: string, types: string[]) => expect.poll(() => typesOf(rid)).toEqual(types.toSorted())

const textIn = (xml: string, tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1]

describe('messages of the receipt lifecycle', () => {
  it('are pain.001 in the bundle, then pain.002 and camt.054', async () => {
    await reported(await paid(), ['pain.001', 'pain.002', 'camt.054'])
  })

  it('are those configured when it was recorded', async () => {
    const families = ['camt.054', 'pacs.008', 'remt.001']
    const config = { org: { default_message_families: families }, status: { emit_pacs002: true } }
    expect((await configure(config)).status).toBe(200)
    const { json } = await service.api.record(key)
    expect((await configure({})).status).toBe(200)
    await service.api.anchored(json.receipt_id)
    await reported(json.receipt_id, ['pain.001', 'pacs.002', ...families])
  })

  it('each contain the receipt’s exact values', async () => {
    const rid = await paid({ reference: 'Rechnung ]]> & 😀' })
    await reported(rid, ['pain.001', 'pain.002', 'camt.054'])
    for (const { url, sha256: hash } of (await get(`/v1/iso/messages/${rid}`)).json) {
      const xml = await fetched(url)
      expect(sha256(xml)).toBe(hash)
      const [payment] = readOnChainPayments(xml)
      expect(payment).toMatchObject({ receiptId: rid, reference: 'Rechnung ]]> & 😀', amount: '12.5', payer: customer })
    }
  })

  it('can be read as a page, which shows text and runs nothing', async () => {
    const rid = await paid({ reference: '<script>alert(1)</script>' })
    const page = await get(`/files/${rid}/pain001.html`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.text).not.toContain('<script')
    expect(page.text).toContain('&lt;script&gt;')
    const xml = await get(`/files/${rid}/pain001.xml`)
    expect(xml.headers.get('content-type')).toBe('application/xml')
    expect(page.text).toContain(sha256(xml.text))
    expect((await get(`/files/${rid}/evidence.html`)).status).toBe(404)
  })
})

describe('generators of messages', () => {
  let rid: string
  beforeAll(async () => {
    rid = await paid()
  })

  it.each([
    ['camt056', 'camt.056', { reason_code: 'DUPL' }, 'Id'],
    ['camt029', 'camt.029', { resolution_code: 'RJCR', reason_code: 'LEGL' }, 'Id'],
    ['pacs007', 'pacs.007', { reason_code: 'AM09' }, 'MsgId'],
    ['pacs009', 'pacs.009', undefined, 'MsgId'],
  ])('%s makes a %s whose id is the one in the XML', async (path, type, body, tag) => {
    const { status, json } = await post(`/v1/iso/${path}/${rid}`, body)
    expect([status, json]).toEqual([
      200,
      { message_id: expect.stringMatching(/^[A-Z0-9]+-[0-9a-f]{32}$/), type, receipt_id: rid, url: expect.any(String) },
    ])
    const xml = await fetched(json.url)
    expect(xml).toContain(`urn:iso:std:iso:20022:tech:xsd:${type}`)
    expect(textIn(xml, tag)).toBe(json.message_id)
    for (const code of Object.values(body ?? {})) expect(xml).toContain(`>${code}<`)
    // The message has the payment ids of the sealed message; a new transfer repeats them.
    const sealed = await fetched(`${service.base}/files/${rid}/pain001.xml`)
    for (const id of ['InstrId', 'EndToEndId', 'UETR'])
      expect(textIn(xml, `Orgnl${id}`) ?? textIn(xml, id)).toBe(textIn(sealed, id))
    if (path !== 'pacs009') expect(textIn(xml, 'OrgnlMsgId')).toBe(textIn(sealed, 'MsgId'))
  })

  it('called twice make two files; the first keeps its bytes, and the list shows the newest', async () => {
    const first = (await post(`/v1/iso/camt056/${rid}`, {})).json
    const before = await fetched(first.url)
    const second = (await post(`/v1/iso/camt056/${rid}`, { reason_code: 'CUST' })).json
    expect(second.message_id).not.toBe(first.message_id)
    expect(await fetched(first.url)).toBe(before)
    const listed = (await get(`/v1/iso/messages/${rid}?type=camt.056`)).json
    expect(listed.map(({ url }: { url: string }) => url)).toEqual([second.url])
  })

  it('make any workflow message over GraphQL', async () => {
    const query = `mutation ($type: GeneratedMessageType!, $receiptId: ID!) {
      generateMessage(input: { type: $type, receiptId: $receiptId }) { messageId artifact { type version pageUrl } receipt { id } } }`
    for (const type of ['PAIN_007', 'PAIN_008', 'PACS_002', 'PACS_008', 'REMT_001']) {
      const { data } = await service.api.graphql(query, { key, variables: { type, receiptId: rid } })
      const { artifact, receipt } = data.generateMessage
      expect([artifact.type, receipt.id]).toEqual([type, rid])
      expect(artifact.version).toContain(type.toLowerCase().replace('_', '.'))
      expect((await fetch(artifact.pageUrl)).status).toBe(200)
    }
  })

  it.each([
    ['a code of another set', 'camt056', { reason_code: 'FOCR' }, ['body', 'reason_code']],
    ['a made-up code', 'pacs007', { reason_code: 'ZZZZ' }, ['body', 'reason_code']],
    ['a resolution where there is none', 'pacs007', { resolution_code: 'CNCL' }, ['body', 'resolution_code']],
    [
      'a refusal’s reason beside a consent',
      'camt029',
      { resolution_code: 'CNCL', reason_code: 'NOOR' },
      ['body', 'reason_code'],
    ],
    ['an unknown field', 'camt029', { reason: 'LEGL' }, ['body', 'reason']],
  ])('refuse %s', async (_, path, body, loc) => {
    const { status, json } = await post(`/v1/iso/${path}/${rid}`, body)
    expect([status, json.detail[0].loc]).toEqual([422, loc])
  })

  it('are for writers of the receipt’s own project and for administrators', async () => {
    const viewer = await service.api.key(key, 'viewer')
    const absent = '00000000-0000-4000-8000-000000000000'
    const answers = await Promise.all([
      post(`/v1/iso/pacs009/${rid}`, undefined, null),
      post(`/v1/iso/pacs009/${rid}`, undefined, viewer),
      post(`/v1/iso/pacs009/${rid}`, undefined, other),
      post(`/v1/iso/pacs009/${absent}`, undefined, key),
      post('/v1/iso/pacs009/not-a-uuid', undefined, key),
      post(`/v1/iso/pacs009/${rid}`, undefined, adminKey),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 404, 404, 422, 200])
    expect(answers[2]?.json.message).toBe(answers[3]?.json.message)
  })

  it('are disabled by configuration', async () => {
    await configure({ status: { enable_cancellation: false, enable_returns: false } })
    const answers = await Promise.all([
      post(`/v1/iso/camt056/${rid}`, {}),
      post(`/v1/iso/camt029/${rid}`, {}),
      post(`/v1/iso/pacs007/${rid}`, {}),
      post('/v1/iso/refund', { original_receipt_id: rid }),
      post(`/v1/iso/pacs009/${rid}`),
    ])
    await configure({})
    const off = { status: 403, json: expect.objectContaining({ detail: 'disabled_by_configuration' }) }
    expect(answers.slice(0, 4)).toMatchObject([off, off, off, off])
    expect(answers[4]?.status).toBe(200)
  })
})

describe('a refund', () => {
  it('is a receipt with its own lifecycle, linked both ways', async () => {
    // Later messages must have the ids of the sealed messages, whatever is configured in between.
    await configure({ id_strategy: { end_to_end_id: 'receipt_id', uetr: 'settlement' } })
    const rid = await paid({ amount: '99.000000000000000001' })
    await configure({})
    const refund_tx_hash = `0x${'77'.repeat(32)}`
    const { status, json } = await post('/v1/iso/refund', {
      original_receipt_id: rid,
      reason_code: 'FOCR',
      refund_tx_hash,
    })
    expect([status, json]).toEqual([200, { refund_receipt_id: expect.any(String), status: 'pending' }])
    const refund = await service.api.anchored(json.refund_receipt_id)
    expect(refund.xml_url).toBe(`${service.base}/files/${refund.id}/pacs004.xml`)

    const original = await fetched(`${service.base}/files/${rid}/pain001.xml`)
    const xml = await fetched(refund.xml_url)
    expect(textIn(xml, 'OrgnlEndToEndId')).toBe(textIn(original, 'EndToEndId'))
    expect(textIn(xml, 'OrgnlUETR')).toBe(textIn(original, 'UETR'))
    expect(textIn(xml, 'OrgnlMsgId')).toBe(textIn(original, 'MsgId'))
    expect(xml).toContain('<Cd>FOCR</Cd>')
    expect(readOnChainPayments(xml)).toMatchObject([
      {
        refundOf: { receiptId: rid },
        txHash: refund_tx_hash,
        payer: merchant,
        payee: customer,
        amount: '99.000000000000000001',
        reference: `refund:${rid}`,
      },
    ])
    await reported(refund.id, ['pacs.004', 'pacs.002', 'camt.054'])

    const verified = await post('/v1/iso/verify', { bundle_url: refund.bundle_url }, null)
    expect(verified.json).toMatchObject({ matches_onchain: true, bundle_hash: refund.bundle_hash, errors: [] })

    const query = `query ($id: ID!) { receipt(id: $id) { refunds { nodes { id refundOf { id } } } } }`
    const { data } = await service.api.graphql(query, { key, variables: { id: rid } })
    expect(data.receipt.refunds.nodes).toEqual([{ id: refund.id, refundOf: { id: rid } }])
    const stranger = await service.api.graphql(query, { key: other, variables: { id: rid } })
    expect(stranger.errors[0].extensions.code).toBe('forbidden')
  })

  it('is announced without its transaction, and booked only after that is recorded', async () => {
    const shop = await service.api.project('Shop')
    const rid = await paid({ amount: '4' }, shop.key)
    const refund = (body: object, apiKey = shop.key) =>
      post('/v1/iso/refund', { original_receipt_id: rid, ...body }, apiKey)
    const { refund_receipt_id: id } = (await refund({})).json
    await service.api.anchored(id)
    await reported(id, ['pacs.004', 'pacs.002', 'camt.054'])
    const file = (name: string) => fetched(`${service.base}/files/${id}/${name}`)
    expect(await file('pacs002.xml')).toContain('<TxSts>ACTC</TxSts>')
    expect(await file('camt054.xml')).toContain('<Cd>PDNG</Cd>')
    expect(await file('pacs004.xml')).not.toContain('<IntrBkSttlmDt>')
    const balance = async () => {
      const { data } = await service.api.graphql(
        'mutation { generateStatement(input: {}) { statement { count url } } }',
        {
          key: shop.key,
        },
      )
      const { count, url } = data.generateStatement.statement
      const [{ closing } = { closing: '' }] = readOnChainStatement(await fetched(url))?.accounts ?? []
      return [count, closing]
    }
    expect(await balance()).toEqual([1, '4'])

    const original = await service.api.graphql(`{ receipt(id: "${rid}") { settlementTx } }`)
    const returned = `0x${'78'.repeat(32)}`
    const refusals = await Promise.all([
      refund({ refund_tx_hash: original.data.receipt.settlementTx }),
      refund({ refund_tx_hash: returned }, other),
    ])
    expect(refusals.map(({ status }) => status)).toEqual([422, 404])
    const confirm = (refundTxHash: string, receiptId = id) =>
      service.api.graphql(
        'mutation ($input: ConfirmRefundInput!) { confirmRefund(input: $input) { refund { id settlementTx refundTx } } }',
        { key: shop.key, variables: { input: { receiptId, refundTx: refundTxHash } } },
      )
    expect((await confirm(returned, rid)).errors[0].extensions.code).toBe('conflict')
    const { data } = await confirm(returned)
    const { settlementTx } = original.data.receipt
    expect(data.confirmRefund.refund).toEqual({ id, settlementTx, refundTx: returned })
    // The same transaction again changes nothing, over REST or GraphQL; another is refused.
    expect((await refund({ refund_tx_hash: returned })).json.refund_receipt_id).toBe(id)
    expect((await refund({ refund_tx_hash: `0x${'79'.repeat(32)}` })).json.detail).toBe('conflict')
    expect((await confirm(`0x${'79'.repeat(32)}`)).errors[0].extensions.code).toBe('conflict')
    await expect.poll(async () => (await fetch(`${service.base}/files/${id}/camt054-settled.xml`)).status).toBe(200)
    expect(await file('camt054-settled.xml')).toContain('<Cd>BOOK</Cd>')
    expect(await file('pacs002-settled.xml')).toContain('<TxSts>ACSC</TxSts>')
    expect(textIn(await file('camt054-settled.xml'), 'MsgId')).not.toBe(textIn(await file('camt054.xml'), 'MsgId'))
    expect(await balance()).toEqual([2, '0'])
    // The sealed files are unchanged.
    const verified = await post('/v1/iso/verify', { bundle_url: `${service.base}/files/${id}/evidence.zip` }, null)
    expect(verified.json).toMatchObject({ matches_onchain: true, errors: [] })
  })

  it('exists once, however many callers request it at the same time', async () => {
    const rid = await paid()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('/v1/iso/refund', { original_receipt_id: rid })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ json }) => json.refund_receipt_id)).size).toBe(1)
    const { data } = await service.api.graphql('query ($id: ID!) { receipt(id: $id) { refunds { nodes { id } } } }', {
      key,
      variables: { id: rid },
    })
    expect(data.receipt.refunds.nodes).toHaveLength(1)
  })

  it('needs an anchored receipt of the caller’s project that is no refund itself, and a valid reason code', async () => {
    const rid = await paid()
    const { refund_receipt_id: refund } = (await post('/v1/iso/refund', { original_receipt_id: rid })).json
    const pending = (await service.api.record(key)).json.receipt_id
    const answers = await Promise.all([
      post('/v1/iso/refund', { original_receipt_id: pending }),
      post('/v1/iso/refund', { original_receipt_id: refund }),
      post('/v1/iso/refund', { original_receipt_id: rid }, other),
      post('/v1/iso/refund', { original_receipt_id: rid }, null),
      post('/v1/iso/refund', { original_receipt_id: rid, reason_code: 'DUPX' }),
      post('/v1/iso/refund', {}),
    ])
    expect(answers.map(({ status, json }) => [status, typeof json.detail === 'string' ? json.detail : null])).toEqual([
      [409, 'not_anchored'],
      [409, 'conflict'],
      [404, 'not_found'],
      [401, 'unauthenticated'],
      [422, null],
      [422, null],
    ])
  })

  it('does not replace a receipt that happens to have its reference', async () => {
    const rid = await paid()
    await service.api.record(key, { reference: `refund:${rid}` })
    const { status, json } = await post('/v1/iso/refund', { original_receipt_id: rid })
    expect([status, json.detail]).toEqual([409, 'conflict'])
  })

  it('does not turn the original payment, recorded again, into a new receipt', async () => {
    const tip = { tip_tx_hash: `0x${'0d'.repeat(32)}`, reference: 'settled-once' }
    const rid = await paid(tip)
    await post('/v1/iso/refund', { original_receipt_id: rid })
    expect((await service.api.record(key, tip)).json.receipt_id).toBe(rid)
  })

  it('is not matched by a payment with the refund’s transaction hash', async () => {
    const refund_tx_hash = `0x${'0e'.repeat(32)}`
    await post('/v1/iso/refund', { original_receipt_id: await paid(), refund_tx_hash })
    const reference = 'told-with-the-transaction-of-a-refund'
    const earlier = await paid({ reference })
    const told = await service.api.record(key, { tip_tx_hash: refund_tx_hash, reference })
    expect([told.json.receipt_id, told.headers.get('Receipt-Matched-By')]).toEqual([earlier, 'reference'])
  })
})

describe('a statement', () => {
  const generate = async (apiKey: string, input: Record<string, string> = {}) =>
    service.api.graphql(
      `mutation ($input: GenerateStatementInput!) { generateStatement(input: $input) { statement {
         id type date window count url sha256 pages { nodes { name sha256 url } } } } }`,
      { key: apiKey, variables: { input } },
    )

  it('lists the booked payments, and opening balance, credits, debits and closing balance agree', async () => {
    const shop = await service.api.project('Shop')
    for (const amount of ['10', '2.5', '0.000000000000000001']) await paid({ amount }, shop.key)
    const rid = await paid({ amount: '4' }, shop.key)
    const given = { original_receipt_id: rid, refund_tx_hash: `0x${'77'.repeat(32)}` }
    const { refund_receipt_id } = (await post('/v1/iso/refund', given, shop.key)).json
    await service.api.anchored(refund_receipt_id)

    const { data } = await generate(shop.key)
    const { url, sha256: hash, ...statement } = data.generateStatement.statement
    const date = new Date().toISOString().slice(0, 10)
    expect(statement).toMatchObject({ type: 'CAMT_053', date, window: '00:00-23:59', count: 5 })
    const xml = await fetched(url)
    expect(sha256(xml)).toBe(hash)
    expect(readOnChainPayments(xml)).toHaveLength(5)
    const balances = [...xml.matchAll(/<Cd>(OPBD|ITBD)<\/Cd>[\s\S]*?<Amt Ccy="XXX">([^<]*)</g)].map(
      ([, type, amount]) => [type, amount],
    )
    expect(balances).toEqual([
      ['OPBD', '0'],
      // The day has not ended.
      ['ITBD', '12.5'],
    ])
    // Our own elements have what the standard elements cannot express.
    expect(xml).toContain('12.500000000000000001')
    expect((await fetch(url.replace('.xml', '.html'))).status).toBe(200)
  })

  it('of a day without payments is a valid document', async () => {
    const { data } = await generate(other, { date: '2020-02-29' })
    expect(data.generateStatement.statement).toMatchObject({ type: 'CAMT_053', date: '2020-02-29', count: 0 })
    expect(await fetched(data.generateStatement.statement.url)).toContain('<Stmt>')
  })

  it('of a large day has pages that lose and repeat nothing', async () => {
    const busy = await service.api.project('Busy')
    const recorded = await Promise.all(
      Array.from({ length: 260 }, () => service.api.record(busy.key, { receiver_wallet: merchant })),
    )
    const ids = recorded.map(({ json }) => json.receipt_id as string)
    for (const id of ids) await service.api.anchored(id)
    const { data } = await generate(busy.key)
    const { pages, url, count } = data.generateStatement.statement
    expect(count).toBe(260)
    expect(pages.nodes.map(({ name }: { name: string }) => name)).toEqual(['camt053-0001.xml', 'camt053-0002.xml'])
    expect(url).toBe(pages.nodes[0].url)
    const files = await Promise.all(pages.nodes.map((page: { url: string }) => fetched(page.url)))
    expect(files.map(xml => readOnChainPayments(xml).length)).toEqual([250, 10])
    expect(
      files
        .flatMap(readOnChainPayments)
        .map(({ receiptId }) => receiptId)
        .toSorted(),
    ).toEqual(ids.toSorted())
    expect(files.map(xml => textIn(xml, 'LastPgInd'))).toEqual(['false', 'true'])
  })

  it('of part of a day is a camt.052', async () => {
    const { data } = await generate(other, { date: '2020-02-29', window: '09:00-17:30' })
    expect(data.generateStatement.statement).toMatchObject({ type: 'CAMT_052', window: '09:00-17:30' })
    expect(await fetched(data.generateStatement.statement.url)).toContain('<FrDtTm>2020-02-29T09:00:00.000Z</FrDtTm>')
  })

  it('is generated one at a time: concurrent requests neither fail nor delay other requests', async () => {
    const made = Promise.all(Array.from({ length: 12 }, () => generate(other, { date: '2020-02-29' })))
    const meanwhile = await service.api.call('GET', '/v1/health')
    expect(meanwhile.status).toBe(200)
    expect((await made).map(({ errors }) => errors)).toEqual(Array.from({ length: 12 }, () => undefined))
    const crowd = await Promise.all(Array.from({ length: 60 }, () => generate(other, { date: '2020-02-29' })))
    const codes = new Set(crowd.map(({ errors }) => errors?.[0]?.extensions.code ?? 'made'))
    expect([...codes].toSorted()).toEqual(['made', 'too_many_requests'])
  })

  it('is visible to its project only', async () => {
    const { id } = (await generate(other, { date: '2020-02-29' })).data.generateStatement.statement
    const seen = async (apiKey?: string) =>
      service.api.graphql('query ($id: ID!) { statement(id: $id) { id } }', {
        ...(apiKey && { key: apiKey }),
        variables: { id },
      })
    expect((await seen(other)).data.statement).toEqual({ id })
    expect((await seen(key)).data.statement).toBeNull()
    expect((await seen()).errors[0].extensions.code).toBe('unauthenticated')
    const viewer = await service.api.key(key, 'viewer')
    expect((await generate(viewer)).errors[0].extensions.code).toBe('forbidden')
    expect((await generate(adminKey)).errors[0].extensions.code).toBe('validation_failed')
  })

  it.each([
    ['a day to come', { date: '9999-12-31' }],
    ['a year that never was', { date: '0000-01-01' }],
    ['a day that does not exist', { date: '2026-02-30' }],
    ['a window that ends before it begins', { window: '10:00-09:59' }],
    ['a window of hours only', { window: '10-12' }],
  ])('is refused for %s', async (_, input) => {
    expect((await generate(key, input)).errors[0].extensions.code).toBe('validation_failed')
  })
})
