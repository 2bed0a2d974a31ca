// Exports: the file has each row once and exactly, can be resumed, and is for nobody without the link.
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanExports } from '../../src/modules/exports/clean.ts'
import { writeExport } from '../../src/modules/exports/tasks.ts'
import { csvRows } from '../kit/csv.ts'
import { adminKey, apiBeside, roomForAll, type Service, startService } from '../kit/service.ts'

let service: Service
let db: pg.Pool
let shop: { id: string; key: string }
let other: { id: string; key: string }

/** More than two parts of a file. Many have the same time, also where a part ends. */
const count = 4_500
const references = [
  '=HYPERLINK("http://x")',
  '+1',
  '-1',
  '@SUM(A1)',
  'x;=1+1;y',
  'a,b',
  'say "x"',
  'two\nlines',
  'return\rhere',
  'Счёт 7',
  '注文',
]

beforeAll(async () => {
  service = await startService()
  db = service.app.pool
  shop = await service.api.project('Shop')
  other = await service.api.project('Other')
  for (const [project, number] of [
    [shop, count],
    [other, 3],
  ] as const)
    await db.query(
      `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet,
         chain_key, tx_key, sender_key, receiver_key, reference, status, created_at)
       select gen_random_uuid(), $1::uuid, '0x' || n, 'base', (n + 1) * 0.000001, case n % 2 when 0 then 'USDC' else 'EURC' end,
         '0xa', '0xb', 'eip155:8453', '0x' || n, '0xa', '0xb', coalesce(($3::text[])[n + 1], 'order-' || n),
         'failed', timestamptz '2026-01-01T00:00Z' + (n / 300) * interval '1 hour'
       from generate_series(0, $2::int - 1) as n`,
      [project.id, number, references],
    )
})
afterAll(async () => {
  await service?.stop()
})

const fields = 'id status progress rowCount finishedAt downloadUrl project { id }'

async function start(key: string, input: string) {
  const { data, errors } = await service.api.graphql(
    `mutation { startExport(input: { ${input} }) { export { ${fields} } } }`,
    { key },
  )
  return { of: data?.startExport?.export, errors }
}

async function finished(key: string, id: string) {
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(50)) {
    const { data } = await service.api.graphql(`{ export(id: "${id}") { ${fields} } }`, { key })
    if (data.export.status === 'FINISHED') return data.export
    expect(data.export).toMatchObject({ downloadUrl: null, finishedAt: null })
    expect(data.export.progress).toBeLessThanOrEqual(1)
  }
  throw new Error('the export was not finished')
}

async function exported(key: string, input: string) {
  const { of, errors } = await start(key, input)
  expect(errors).toBeUndefined()
  return finished(key, of.id)
}

async function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(url, { method, headers })
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) }
}

async function recorded(): Promise<Record<string, string | null>[]> {
  const { rows } = await db.query(
    `select id, reference, trim_scale(amount)::text as amount, currency from receipts where project_id = $1
     order by created_at, id`,
    [shop.id],
  )
  return rows
}

describe('the file', () => {
  it('is JSON lines with each receipt once, in order, with exact amounts', async () => {
    const { downloadUrl, rowCount, progress } = await exported(shop.key, 'kind: RECEIPTS, format: JSONL')
    expect({ rowCount, progress }).toEqual({ rowCount: count, progress: 1 })
    const { status, headers, body } = await get(downloadUrl)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/jsonl; charset=utf-8'])
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="receipts-\d{4}-\d\d-\d\d\.jsonl"$/)
    const rows = body
      .toString()
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(rows.map(({ id, reference, amount, currency }) => ({ id, reference, amount, currency }))).toEqual(
      await recorded(),
    )
    expect(rows[0]).toEqual({
      ...{ id: rows[0].id, project_id: shop.id, reference: rows[0].reference, status: 'failed', kind: 'payment' },
      ...{ refund_of_id: null, chain: 'base', network: 'eip155:8453', settlement_tx: rows[0].settlement_tx },
      ...{
        refund_tx: null,
        amount: rows[0].amount,
        currency: rows[0].currency,
        fiat_amount: null,
        fiat_currency: null,
      },
      ...{ sender_wallet: '0xa', receiver_wallet: '0xb', bundle_hash: null, anchor_tx: null },
      ...{ created_at: '2026-01-01T00:00:00.000Z', anchored_at: null, booked_at: null, settled_at: null },
    })
  })

  it('is CSV that a spreadsheet reads as texts, with the names of the columns once', async () => {
    const { downloadUrl } = await exported(shop.key, 'kind: RECEIPTS, format: CSV')
    const text = (await get(downloadUrl)).body.toString()
    expect(text.startsWith('\uFEFFid,project_id,reference,status,')).toBe(true)
    const [names = [], ...rows] = csvRows(text.slice(1))
    expect(rows).toHaveLength(count)
    const seen = rows.map(row => Object.fromEntries(names.map((name, index) => [name, row[index]])))
    const guarded = (reference: string) => reference.replace(/(^|;)([=+\-@])/g, "$1'$2")
    expect(seen.map(({ id, reference, amount }) => ({ id, reference, amount }))).toEqual(
      (await recorded()).map(({ id, reference, amount }) => ({ id, reference: guarded(reference ?? ''), amount })),
    )
  })

  it('has what its filter selects, and is a file without rows where that is nothing', async () => {
    const some = await exported(
      shop.key,
      'kind: RECEIPTS, format: JSONL, receiptFilter: { currencies: ["EURC"], amount: { min: "0.000101", max: "0.0002" } }',
    )
    expect(some.rowCount).toBe(50)
    const none = await exported(shop.key, 'kind: RECEIPTS, format: CSV, receiptFilter: { currencies: ["NONE"] }')
    expect(csvRows((await get(none.downloadUrl)).body.toString().slice(1))).toHaveLength(1)
    const empty = await exported(shop.key, 'kind: PAYMENTS, format: JSONL')
    const { status, headers, body } = await get(empty.downloadUrl)
    expect([status, headers.get('content-length'), body.length]).toEqual([200, '0', 0])
  })

  it('does not have what was recorded after the export was started', async () => {
    const { of } = await start(shop.key, 'kind: RECEIPTS, format: JSONL')
    await service.api.record(shop.key)
    expect((await finished(shop.key, of.id)).rowCount).toBe(count)
    expect((await exported(shop.key, 'kind: RECEIPTS, format: JSONL')).rowCount).toBe(count + 1)
    await db.query(
      `update receipts set created_at = now() + interval '1 hour' where tip_tx_hash like '0x____________%'`,
    )
  })

  it('has no part twice when two workers write it', async () => {
    const { of } = await start(shop.key, 'kind: RECEIPTS, format: JSONL')
    await Promise.all([1, 2, 3].map(() => writeExport.run(service.app, { export: of.id })))
    const { downloadUrl, rowCount } = await finished(shop.key, of.id)
    const lines = (await get(downloadUrl)).body.toString().trimEnd().split('\n')
    expect([rowCount, lines.length, new Set(lines).size]).toEqual([count, count, count])
  })
})

describe('a download', () => {
  let url: string
  let whole: Buffer
  beforeAll(async () => {
    url = (await exported(shop.key, 'kind: RECEIPTS, format: CSV')).downloadUrl
    whole = (await get(url)).body
  })

  it.each(['0-0', '100-899999', '700000-', '-1000', '1-99999999'])('of bytes %s', async range => {
    const { status, headers, body } = await get(url, { Range: `bytes=${range}` })
    const [from = '', to = ''] = range.split('-')
    const first = from === '' ? whole.length - Number(to) : Number(from)
    const last = from === '' || to === '' ? whole.length - 1 : Math.min(Number(to), whole.length - 1)
    expect([status, headers.get('content-range')]).toEqual([206, `bytes ${first}-${last}/${whole.length}`])
    expect(body.equals(whole.subarray(first, last + 1))).toBe(true)
  })

  it('is whole where the file is another one, and refused behind its end', async () => {
    expect((await get(url, { Range: 'bytes=5-9', 'If-Range': '"another"' })).status).toBe(200)
    const etag = String((await get(url, {}, 'HEAD')).headers.get('etag'))
    expect((await get(url, { Range: 'bytes=5-9', 'If-Range': etag })).status).toBe(206)
    const behind = await get(url, { Range: `bytes=${whole.length}-` })
    expect([behind.status, behind.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`])
  })

  it('says its size for HEAD, and is sent as it is to a client that would take it compressed', async () => {
    const head = await get(url, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), head.body.length]).toEqual([200, `${whole.length}`, 0])
    expect((await get(url, { 'Accept-Encoding': 'gzip, br' })).headers.get('content-encoding')).toBeNull()
  })

  it('is refused with a changed link, and with one that has ended', async () => {
    const { pathname, searchParams } = new URL(url)
    const [, , id] = pathname.split('/')
    const expires = Number(searchParams.get('expires'))
    expect(expires - Date.now() / 1_000).toBeGreaterThan(3_500)
    const { rows } = await db.query('select secret from exports where id = $1', [id])
    const signed = (at: number) => createHmac('sha256', rows[0].secret).update(`${id}\n${at}`).digest('base64url')
    const asked = async (query: string, path = pathname) => {
      const { status, body } = await get(`${service.base}${path}${query}`)
      return [status, JSON.parse(body.toString()).detail]
    }
    expect(signed(expires)).toBe(searchParams.get('signature'))
    expect(await asked(`?expires=${expires + 1}&signature=${signed(expires)}`)).toEqual([404, 'not_found'])
    expect(await asked('')).toEqual([404, 'not_found'])
    expect(await asked(`?expires=${expires}&expires=1&signature=${signed(expires)}`)).toEqual([404, 'not_found'])
    expect(await asked(`?expires=1&signature=${signed(1)}`)).toEqual([410, 'link_expired'])
    expect(await asked(`?expires=${expires}&signature=${signed(expires)}`, '/exports/x/y')).toEqual([404, 'not_found'])
  })
})

describe('when something fails', () => {
  it('loses no row behind one that vanished while it was read', async () => {
    const { id, key } = await service.api.project('Vanishing')
    await db.query(
      `insert into payments (id, network, asset, payer, nonce, amount, currency, pay_to, endpoint, fingerprint, payload,
         project_id, status, since_block, verified_at)
       select gen_random_uuid(), 'eip155:1', '0x0', '0x1', int4send(n), 1, 'USD', '0x2', '/x', '', '{}', $1, 'verified', 0,
         now() - n * interval '1 second' from generate_series(1, 4100) as n`,
      [id],
    )
    const { rows } = await db.query(
      `insert into exports (id, project_id, kind, format, filter, expires_at, secret)
       values (gen_random_uuid(), $1, 'payments', 'jsonl', '{}', now() + interval '1 day', '') returning id`,
      [id],
    )
    let isFirst = true
    const pool = new Proxy(service.app.pool, {
      get: (of, name) => {
        if (name !== 'query') return Reflect.get(of, name)
        return async (...asked: [never]) => {
          if (isFirst)
            await db.query('delete from payments where id = (select id from payments where project_id = $1 limit 1)', [
              id,
            ])
          isFirst = false
          return of.query(...asked)
        }
      },
    })
    await writeExport.run({ ...service.app, pool }, { export: rows[0].id })
    expect(await finished(key, rows[0].id)).toMatchObject({ rowCount: 4_099 })
  })

  it('is given up after some tries, and does not stand in the way of others', async () => {
    const { id, key } = await service.api.project('Broken')
    await db.query('alter view reporting.payment_rows rename to away')
    const { rows } = await db.query(
      `insert into exports (id, project_id, kind, format, filter, expires_at, secret)
       select gen_random_uuid(), $1, 'payments', 'csv', '{}', now() + interval '1 day', '' from generate_series(1, 2)
       returning id`,
      [id],
    )
    const app = { ...service.app, log: { ...service.app.log, error: () => undefined } } as never
    for (const { id } of rows)
      for (let n = 0; n < 8; n++) await writeExport.run(app, { export: id }).catch(() => undefined)
    await db.query('alter view reporting.away rename to payment_rows')
    const { data } = await service.api.graphql('{ exports { nodes { status downloadUrl } } }', { key })
    expect(data.exports.nodes).toEqual(Array(2).fill({ status: 'FAILED', downloadUrl: null }))
    expect(await exported(key, 'kind: PAYMENTS, format: CSV')).toMatchObject({ rowCount: 0 })
  })

  it('a download that its client cancelled is none of the client’s open streams', async () => {
    const few = await startService({ ...apiBeside(service), RATE_LIMITS: `${roomForAll},streams-of-address=3` })
    try {
      const { downloadUrl } = await exported(shop.key, 'kind: RECEIPTS, format: CSV')
      const url = `${few.base}${new URL(downloadUrl).pathname}${new URL(downloadUrl).search}`
      for (const afterMs of [0, 1, 2, 4, 8, 12])
        await Promise.all(
          [1, 2].map(() =>
            fetch(url, { signal: AbortSignal.timeout(afterMs) })
              .then(answer => answer.text())
              .catch(() => null),
          ),
        )
      await expect.poll(async () => (await get(url)).status).toBe(200)
      const all = await Promise.all([1, 2, 3].map(() => get(url)))
      expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
    } finally {
      await few.stop()
    }
  })
})

describe('another caller', () => {
  it('has no export of a project', async () => {
    const { id } = await exported(shop.key, 'kind: RECEIPTS, format: JSONL')
    const query = `{ export(id: "${id}") { id } node(id: "${id}") { id } exports { totalCount } }`
    const seen = await service.api.graphql(query, { key: other.key })
    expect(seen.data).toEqual({ export: null, node: null, exports: { totalCount: 0 } })
    const after = `{ exports(after: "${Buffer.from(`GPC:S:${id}`).toString('base64')}") { totalCount } }`
    expect((await service.api.graphql(after, { key: other.key })).errors[0].extensions.code).toBe('validation_failed')
    const mine = await service.api.graphql(query, { key: shop.key })
    expect(mine.data).toMatchObject({ export: { id }, node: { id } })
    expect((await service.api.graphql(query)).errors[0].extensions.code).toBe('unauthenticated')
  })

  it('gets rows of its own project alone, whatever the filter names', async () => {
    const { rowCount } = await exported(
      other.key,
      `kind: RECEIPTS, format: JSONL, receiptFilter: { projectId: "${shop.id}" }`,
    )
    expect(rowCount).toBe(0)
    expect((await exported(other.key, 'kind: RECEIPTS, format: JSONL')).rowCount).toBe(3)
    const viewer = await service.api.key(other.key, 'viewer')
    expect((await exported(viewer, 'kind: RECEIPTS, format: JSONL')).rowCount).toBe(3)
  })

  it('gets rows of all projects, or of one, as a service administrator', async () => {
    const all = await exported(adminKey, 'kind: RECEIPTS, format: JSONL')
    expect(all).toMatchObject({ rowCount: count + 3, project: null })
    const one = await exported(adminKey, `kind: RECEIPTS, format: JSONL, receiptFilter: { projectId: "${other.id}" }`)
    expect(one.rowCount).toBe(3)
    const { data } = await service.api.graphql(
      `{ exports(filter: { projectId: "${other.id}" }) { nodes { rowCount } } }`,
      {
        key: adminKey,
      },
    )
    expect(data.exports.nodes.length).toBeGreaterThan(0)
  })
})

describe('limits', () => {
  it('lets a project have two that are being written, and has its newest ten', async () => {
    const { id, key } = await service.api.project('Limits')
    await db.query(
      `insert into exports (id, project_id, kind, format, filter, expires_at, secret)
       select gen_random_uuid(), $1, 'receipts', 'csv', '{}', now() + interval '1 day', '' from generate_series(1, 2)`,
      [id],
    )
    const { errors } = await start(key, 'kind: RECEIPTS, format: CSV')
    expect(errors[0].extensions.code).toBe('conflict')
    await db.query('delete from exports where project_id = $1', [id])
    const ids: string[] = []
    for (let n = 0; n < 12; n++) ids.push((await exported(key, 'kind: RECEIPTS, format: CSV')).id)
    const { data } = await service.api.graphql('{ exports(first: 50) { totalCount nodes { id } } }', { key })
    expect(data.exports.nodes.map((node: { id: string }) => node.id)).toEqual(ids.reverse().slice(0, 10))
  })

  it('deletes exports that expired, and ends the writing of one that is gone', async () => {
    const { id, downloadUrl } = await exported(shop.key, 'kind: RECEIPTS, format: CSV')
    await db.query(`update exports set expires_at = now() - interval '1 second' where id = $1`, [id])
    await cleanExports(service.app)
    expect((await get(downloadUrl)).status).toBe(404)
    expect((await db.query('select from export_parts where export_id = $1', [id])).rowCount).toBe(0)
    await writeExport.run(service.app, { export: id })
  })

  it.each([
    ['kind: PAYMENTS, format: CSV, receiptFilter: {}', 'receiptFilter'],
    ['kind: RECEIPTS, format: CSV, paymentFilter: {}', 'paymentFilter'],
    ['kind: RECEIPTS, format: CSV, receiptFilter: { createdAt: { since: "2026-02-30" } }', 'since'],
  ])('%s is refused', async (input, member) => {
    const { errors } = await start(shop.key, input)
    expect(errors[0].extensions).toMatchObject({ code: 'validation_failed' })
    expect(errors[0].extensions.issues[0].path.at(-1)).toBe(member)
  })

  it('a client that asks REST for CSV is told where it is', async () => {
    const asked = (accept: string) =>
      service.api.call('GET', '/v1/receipts', { key: shop.key, headers: { Accept: accept } })
    const { status, text } = await asked('text/csv')
    expect(status).toBe(406)
    expect(text).toContain('startExport')
    for (const accept of ['text/csv, application/json;q=0.5', 'text/csv, */*', '*/*', 'text/html'])
      expect((await asked(accept)).status).toBe(200)
  })
})
