// A small request for a large answer is refused by its cost, or when its answer becomes too large, and occupies neither
// the process nor the database for long.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Service, startService } from '../kit/service.ts'
import { isFull } from '../kit/size.ts'

let service: Service
let shop: { id: string; key: string }
let receiptId: string

beforeAll(async () => {
  service = await startService({ NODE_ENV: 'test' })
  shop = await service.api.project('Shop')
  const { json } = await service.api.record(shop.key)
  receiptId = json.receipt_id
  await service.api.anchored(receiptId)
  // 255 characters of four bytes each, which is the longest reference.
  await service.app.pool.query(
    `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference)
     select gen_random_uuid(), $1, 'tx' || n, 'base', 1, 'USDC', 'a', 'b', repeat('🧾', 250) || n
     from generate_series(1000, 1199) as n`,
    [shop.id],
  )
})
afterAll(() => service.stop())

const ask = (query: string, key?: string) => service.api.graphql(query, key === undefined ? {} : { key })
const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code
const costOf = ({ extensions }: { extensions: { cost: { requested: number } } }) => extensions.cost.requested
const aliases = (count: number, field: string) => Array.from({ length: count }, (_, n) => `a${n}: ${field}`).join(' ')
const references = `{ receipts(first: 200) { nodes { ${aliases(97, 'reference')} } } me { role } }`

describe('an answer of more than 16 MiB', () => {
  it('is refused for its root field alone, and the process goes on', async () => {
    const answer = await ask(references, shop.key)
    expect(answer.data).toEqual({ receipts: null, me: { role: 'PROJECT_ADMIN' } })
    expect(answer.errors).toMatchObject([{ path: ['receipts'], extensions: { code: 'answer_too_large' } }])
    const less = await ask(references.replace('200', '100'), shop.key)
    expect(less.data.receipts.nodes).toHaveLength(100)
  })

  it('is charged beside its operation, because it does not tell what it counted', async () => {
    // The clock is held, because each minute has its own quota.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    const left = async () => (await ask('{ me { role } }', shop.key)).extensions.cost.remaining
    // Reading a document costs, the first time.
    await ask(references, shop.key)
    const before = await left()
    const answer = await ask(references, shop.key)
    // The last request costs 1.
    const charged = before - (await left()) - 1
    clock.mockRestore()
    expect(charged).toBe(costOf(answer) + 1_000)
  })

  it.runIf(isFull)('or of less, is not kept for a client that does not take it', async () => {
    const { hostname, port } = new URL(service.base)
    const socket = connect(Number(port), hostname)
    // The service closes its side half a minute or a minute after it has written the answer.
    const cut = Promise.withResolvers<void>()
    const watch = (message: unknown) => {
      const { socket: accepted } = message as { socket: Socket }
      if (accepted.remotePort === socket.localPort) accepted.once('close', () => cut.resolve())
    }
    subscribe('http.server.request.start', watch)
    const body = JSON.stringify({ query: references.replace('200', '150') })
    const head = [
      'POST /graphql HTTP/1.1',
      'Host: localhost',
      `X-API-Key: ${shop.key}`,
      'Content-Type: application/json',
    ]
    socket.write([...head, `Content-Length: ${body.length}`, '', body].join('\r\n'))
    socket.pause()
    await cut.promise
    unsubscribe('http.server.request.start', watch)
    const chunks: Buffer[] = []
    socket.on('data', chunk => chunks.push(chunk)).on('error', () => undefined)
    socket.resume()
    await once(socket, 'close')
    const taken = Buffer.concat(chunks)
    expect(taken.subarray(0, 12).toString()).toBe('HTTP/1.1 200')
    expect(taken.length).toBeGreaterThan(100_000)
    expect(taken.length).toBeLessThan(14_000_000)
  })
})

describe('a field that takes more than 10 seconds to read', () => {
  it.runIf(isFull)('is not read again by its resolver, and the small fields beside it are answered', async () => {
    const holder = await service.app.pool.connect()
    await holder.query('begin; lock table receipts in access exclusive mode')
    const answer = ask('{ receiptStats(by: { sender: true }) { totalCount } me { role } }', shop.key)
    const { data, errors } = await answer.finally(async () => {
      await holder.query('rollback')
      holder.release()
    })
    expect(data).toEqual({ receiptStats: null, me: { role: 'PROJECT_ADMIN' } })
    expect(errors).toMatchObject([{ path: ['receiptStats'], extensions: { code: 'answer_too_large' } }])
  })
})

describe('the files of a receipt', () => {
  it('that its receipt repeats cost what a receipt with many files causes', async () => {
    const nested = (depth: number, page = ''): string =>
      `artifacts${page} { nodes { id ${depth > 1 ? `receipt { ${nested(depth - 1, page)} }` : ''} } }`
    const of = (depth: number, page = '') => `{ receipt(id: "${receiptId}") { ${nested(depth, page)} } }`
    expect(costOf(await ask(of(1)))).toBeLessThan(5)
    // Ten files each, which is all that a page has unless it is asked for more.
    expect(costOf(await ask(of(3)))).toBeGreaterThan(200)
    expect(costOf(await ask(of(2, '(first: 100)')))).toBeGreaterThan(720)
    expect(codeOf(await ask(of(3, '(first: 100)')))).toBe('document_too_costly')
  })

  it('are limited in number, also for concurrent requests', async () => {
    // Its last files are made after it is anchored.
    const names = async () => {
      const { data } = await ask(`{ receipt(id: "${receiptId}") { artifacts(first: 100) { nodes { name } } } }`)
      return data.receipt.artifacts.nodes.map(({ name }: { name: string }) => name)
    }
    await expect.poll(names).toContain('camt054.xml')
    await service.app.pool.query(
      `insert into artifacts (id, receipt_id, type, version, name, sha256, media_type)
       select gen_random_uuid(), $1, type, version, name || n, sha256, media_type
       from (select * from artifacts where receipt_id = $1 limit 1) as one,
         generate_series(1, 48 - (select count(*)::int from artifacts where receipt_id = $1)) as n`,
      [receiptId],
    )
    const input = `{ receiptId: "${receiptId}", type: PACS_008 }`
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => ask(`mutation { generateMessage(input: ${input}) { messageId } }`, shop.key)),
    )
    expect(tries.map(codeOf).sort()).toEqual([...Array(3).fill('too_many_files'), undefined, undefined])
  })
})

describe('a list of no entries', () => {
  it('costs its selection, which is compiled and planned all the same', async () => {
    const list = (first: number) =>
      `{ receipts(first: ${first}) { nodes { ${aliases(90, 'refundOf { anchors { anchorTx } }')} } } }`
    const [none, one] = [await ask(list(0), shop.key), await ask(list(1), shop.key)]
    expect([none.data.receipts.nodes, costOf(none)]).toEqual([[], costOf(one)])
    expect(costOf(one)).toBeGreaterThan(50)
  })

  it('pays for the values of its filter', async () => {
    const list = aliases(30, 'receipts(first: 0, filter: $filter) { nodes { id } }')
    const currencies = Array.from({ length: 50 }, (_, n) => `C${n}`)
    const answer = await service.api.graphql(`query ($filter: ReceiptFilter) { ${list} }`, {
      key: shop.key,
      variables: { filter: { currencies } },
    })
    expect(costOf(answer)).toBeGreaterThan(1_000)
  })
})

describe('a GET', () => {
  it.each(['variables={', 'variables=[', 'variables=1', 'extensions={', 'extensions=[]'])(
    'with %s is refused',
    async text => {
      const response = await fetch(`${service.base}/graphql?query={me{role}}&${text}`, {
        headers: { 'X-API-Key': shop.key },
      })
      expect(response.status).toBe(400)
      expect(codeOf(await response.json())).toBe('invalid_graphql')
    },
  )
})

it('a range of days that ends before it begins is refused', async () => {
  const range = (since: string, until: string) =>
    ask(`{ receipts(filter: { createdAt: { since: "${since}", until: "${until}" } }) { totalCount } }`, shop.key)
  expect(codeOf(await range('2027-01-01', '2026-12-31'))).toBe('validation_failed')
  expect(codeOf(await range('2027-01-01T00:00:00Z', '2026-12-31'))).toBe('validation_failed')
  expect((await range('2026-12-31T23:59:59Z', '2026-12-31')).data.receipts.totalCount).toBe(0)
})
