// Paid statements: of the payer's wallet over all projects, or of the project whose key is sent; exact to the last
// digit, charged once, and never charged when one cannot be delivered.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { wrapFetchWithPayment } from '@x402/fetch'
import { JsonRpcProvider } from 'ethers'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { unlimited } from '../../src/kit/allowance.ts'
import { readOnChainPayments, readOnChainStatement } from '../../src/modules/iso20022/reader.ts'
import { statementSemaphore } from '../../src/modules/statements/build.ts'
import type { PaymentRequirement } from '../../src/ports/payment-facilitator.ts'
import { clientOf, createPayer, dollars, type Payer, pay, random32 } from '../kit/payer.ts'
import { adminKey, type Service, startService, type Tip } from '../kit/service.ts'
import { openIsoValidator, skipWithoutSchemas, withXml } from '../kit/xsd.ts'

const path = '/v1/x402/premium/generate-statement'
const price = 5_000n
const shop = `0x${'5a'.repeat(20)}`
const day = '2025-03-01'
const quietDay = '2020-02-29'
const dayBefore = (date: string) => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10)

let service: Service
let node: JsonRpcProvider
let payer: Payer
let requirement: PaymentRequirement
let buyers: { id: string; key: string }
let sellers: { id: string; key: string }
let tips: Record<'bought' | 'sold' | 'own' | 'elsewhere' | 'refund', string>

const anchored = async (key: string, tip: Partial<Tip>): Promise<string> =>
  (await service.api.anchored((await service.api.record(key, tip)).json.receipt_id)).id

beforeAll(async () => {
  service = await startService()
  const { facilitator, paymentsTo: payTo } = service.app
  if (facilitator === null) throw new Error('no facilitator')
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  payer = await createPayer(node, facilitator.asset, 10_000_000n)
  requirement = await facilitator.requirement({ amount: '0.005', payTo, maxTimeoutSeconds: 120 })
  const body = {
    org: { name: 'Acme Group' },
    mapping: { creditor_defaults: { name: 'Acme Ltd', wallets: [{ address: shop }] } },
  }
  expect((await service.api.call('PUT', '/v1/config', { key: adminKey, body })).status).toBe(200)
  buyers = await service.api.project('Buyers')
  sellers = await service.api.project('Sellers')
  for (const { id: projectId } of [buyers, sellers]) {
    const mark = 'mutation ($input: MarkHouseProjectInput!) { markHouseProject(input: $input) { project { isHouse } } }'
    await service.api.graphql(mark, { key: adminKey, variables: { input: { projectId, isHouse: true } } })
  }
  const buying = { tip_tx_hash: random32(), amount: '12.5', receiver_wallet: shop }
  const bought = await anchored(buyers.key, { ...buying, sender_wallet: payer.wallet.address })
  await anchored(sellers.key, { ...buying, sender_wallet: payer.address })
  const [sold, own, elsewhere] = await Promise.all([
    anchored(sellers.key, { amount: '20.000000000000000001', receiver_wallet: payer.address, sender_wallet: shop }),
    anchored(sellers.key, { amount: '1', receiver_wallet: payer.address, sender_wallet: payer.address }),
    anchored(buyers.key, { amount: '7', sender_wallet: payer.address, receiver_wallet: shop, chain: 'flare' }),
    anchored(buyers.key, { receiver_wallet: shop }),
  ])
  const given = { key: sellers.key, body: { original_receipt_id: sold, refund_tx_hash: random32() } }
  const { refund_receipt_id: refund } = (await service.api.call('POST', '/v1/iso/refund', given)).json
  await service.api.anchored(refund)
  tips = { bought, sold, own, elsewhere, refund }
  // Booked in this order, on a day that does not end while the tests run.
  await service.app.pool.query(
    'update receipts set booked_at = $1::timestamptz + (booked_at - (select min(booked_at) from receipts))',
    [`${day}T12:00:00Z`],
  )
})
afterAll(async () => {
  node?.destroy()
  await service.stop()
})

const balance = (): Promise<bigint> =>
  dollars(service.app.facilitator?.asset ?? '', node).getFunction('balanceOf')(payer.address)

const ask = (query = '', header?: string, key?: string) =>
  service.api.call('POST', path + query, {
    ...(key !== undefined && { key }),
    headers: header === undefined ? {} : { 'PAYMENT-SIGNATURE': header },
  })

/** Buys a statement with the official client; returns the answer and the first file. */
async function buy(query = `?date=${day}`, key?: string) {
  const before = await balance()
  const client = wrapFetchWithPayment(fetch, clientOf(payer, requirement))
  const headers: Record<string, string> = key === undefined ? {} : { 'X-API-Key': key }
  const response = await client(service.base + path + query, { method: 'POST', headers })
  expect(response.status).toBe(200)
  expect(decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')).toMatchObject({
    success: true,
    payer: payer.address,
  })
  expect(before - (await balance())).toBe(price)
  const { url, sha256, ...statement } = await response.json()
  const xml = await (await fetch(url)).text()
  expect(`0x${createHash('sha256').update(xml).digest('hex')}`).toBe(sha256)
  return { statement, xml }
}

function faultsOf(version: string, xml: string): string[] {
  if (skipWithoutSchemas) return []
  const validator = openIsoValidator(version)
  try {
    return withXml(xml, document => validator.faults(document))
  } finally {
    validator.close()
  }
}

const idsIn = (xml: string) => readOnChainPayments(xml).map(({ receiptId }) => receiptId)

/** Parses what an application without our own elements reads: each account with its balances and signed entries. */
function bankView(xml: string) {
  const signed = (part: string) => {
    const [, amount = '', side] = /<Amt Ccy="XXX">([^<]*)<\/Amt><CdtDbtInd>(\w+)</.exec(part) ?? []
    const [integer = '', fraction = ''] = amount.split('.')
    return BigInt(integer + fraction.padEnd(5, '0')) * (side === 'DBIT' ? -1n : 1n)
  }
  const flat = xml.replaceAll(/>\s+</g, '><')
  return [...flat.matchAll(/<(Stmt|Rpt)>.*?<\/\1>/g)].map(([part]) => {
    const balances = [...part.matchAll(/<Bal>.*?<\/Bal>/g)].map(([text]) => signed(text))
    const entries = [...part.matchAll(/<Ntry>.*?<\/Ntry>/g)].map(([text]) => signed(text))
    return { opening: balances[0] ?? -1n, closing: balances[1] ?? -1n, entries }
  })
}

describe('the statement of a wallet', () => {
  it('is bought with the official client: its payments in and out in every project, each once even if recorded by two', async () => {
    const challenge = decodePaymentRequiredHeader((await ask()).headers.get('payment-required') ?? '')
    expect(challenge).toMatchObject({ accepts: [requirement], resource: { url: service.base + path } })
    const { statement, xml } = await buy()
    expect(statement).toEqual({ type: 'camt.053', date: day, window: '00:00-23:59', count: 6 })
    expect(faultsOf('camt.053.001.08', xml)).toEqual([])
    expect(idsIn(xml).toSorted()).toEqual([...Object.values(tips), tips.own].toSorted())
    expect(readOnChainStatement(xml)?.accounts).toMatchObject([
      {
        wallet: payer.address,
        chain: 'base',
        opening: '0',
        credits: '21.000000000000000001',
        debits: '33.500000000000000001',
        closing: '-12.5',
        entries: 5,
      },
      { wallet: payer.address, chain: 'flare', opening: '0', credits: '0', debits: '7', closing: '-7', entries: 1 },
    ])
  })

  it('opens with the movements of the days before, and closes with those plus its entries', async () => {
    // Other days than those of the other tests, because the statement of a day that has ended never changes.
    const move = (days: number) =>
      service.app.pool.query(
        `update receipts set booked_at = booked_at + make_interval(days => $1::int - case id when $2::uuid then sign($1::int)::int else 0 end)`,
        [days, tips.bought],
      )
    await move(31)
    const [before, after] = [await buy('?date=2025-03-31'), await buy('?date=2025-04-01')]
    await move(-31)
    // The seller recorded the same payment a day later, which is no second payment.
    expect(idsIn(before.xml)).toEqual([tips.bought])
    expect(after.statement.count).toBe(5)
    const [first, [second]] = [bankView(before.xml), bankView(after.xml)]
    expect(first).toEqual([{ opening: 0n, closing: -1_250_000n, entries: [-1_250_000n] }])
    expect([second?.opening, second?.closing]).toEqual([-1_250_000n, -1_250_000n])
    for (const { opening, closing, entries } of [...first, ...bankView(after.xml)])
      expect(entries.reduce((sum, entry) => sum + entry, opening)).toBe(closing)
  })

  it('of a day that has ended is a report outside any series, and the same bytes each time', async () => {
    const [first, second] = [await buy(), await buy()]
    expect(second.xml).toBe(first.xml)
    expect(first.xml).toContain('A report: not in the numbered series of statements.')
    expect(first.xml).not.toContain('SeqNb')
  })

  it('of part of a day is a camt.052', async () => {
    const { statement, xml } = await buy(`?date=${day}&window=00:00-23:58`)
    expect(statement).toEqual({ type: 'camt.052', date: day, window: '00:00-23:58', count: 6 })
    expect(faultsOf('camt.052.001.08', xml)).toEqual([])
  })

  it('of a day without bookings is empty', async () => {
    const { statement, xml } = await buy(`?date=${quietDay}`)
    expect(statement).toEqual({ type: 'camt.053', date: quietDay, window: '00:00-23:59', count: 0 })
    expect(faultsOf('camt.053.001.08', xml)).toEqual([])
    expect(idsIn(xml)).toEqual([])
  })

  it('never names the organisation: its owner and all parties are named by their wallets', async () => {
    const { xml } = await buy()
    expect(xml).toContain(`<Nm>${payer.address}</Nm>`)
    expect(xml).not.toContain('Acme')
    expect((await buy(undefined, sellers.key)).xml).toContain('Acme')
  })

  it('is audited as the payer’s, belongs to no project, and administrators find it', async () => {
    const { xml } = await buy()
    const statementId = readOnChainStatement(xml)?.statementId
    const { json } = await service.api.call('GET', `/v1/audit/events?object_id=${statementId}`, { key: adminKey })
    expect(json).toMatchObject([
      { action: 'statement.generate', actor: `payer:${payer.address}`, project_id: null, object_type: 'statement' },
    ])
    const query = `{ statement(id: "${statementId}") { id } }`
    expect((await service.api.graphql(query, { key: buyers.key })).data.statement).toBeNull()
    expect((await service.api.graphql(query, { key: adminKey })).data.statement.id).toBe(statementId)
  })
})

describe('with the key of a project', () => {
  it('it is the project’s, whoever pays, for every role; with a service administrator’s key it is the payer’s', async () => {
    const viewer = await service.api.key(buyers.key, 'viewer')
    const { statement, xml } = await buy(undefined, viewer)
    expect(statement).toMatchObject({ type: 'camt.053', count: 3 })
    expect(idsIn(xml)).toEqual(expect.arrayContaining([tips.bought, tips.elsewhere]))
    expect(idsIn(xml)).not.toContain(tips.sold)
    const query = `{ statement(id: "${readOnChainStatement(xml)?.statementId}") { count } }`
    expect((await service.api.graphql(query, { key: buyers.key })).data.statement.count).toBe(3)
    expect((await buy(undefined, adminKey)).statement.count).toBe(6)
  })

  it('a payment buys the statement of that project alone: with another key, or without, it is a conflict', async () => {
    const header = await pay(payer, requirement)
    expect((await ask(`?date=${day}`, header, buyers.key)).json.count).toBe(3)
    for (const key of [sellers.key, undefined]) {
      const { status, text, json } = await ask(`?date=${day}`, header, key)
      expect([status, json.detail, text.includes('/files/')]).toEqual([409, 'payment_conflict', false])
    }
  })
})

describe('an unavailable statement', () => {
  it.each([
    ['a day that does not exist', '?date=2026-02-30', 'date'],
    ['a window that ends before it begins', '?window=10:00-09:59', 'window'],
    ['what it does not take', '?day=2026-01-01', 'day'],
  ])('(%s) is a 422 for a payer, and is not charged for', async (_, query, name) => {
    const [header, before] = [await pay(payer, requirement), await balance()]
    expect((await ask(query, undefined)).status).toBe(402)
    const { status, json } = await ask(query, header)
    expect([status, json.detail[0].loc]).toEqual([422, ['query', name]])
    expect(await balance()).toBe(before)
    expect((await ask('', header)).status).toBe(200)
  })

  it('(a future day) is a 422, and is not charged for', async () => {
    const [header, before] = [await pay(payer, requirement), await balance()]
    const { status, json } = await ask('?date=9999-12-31', header)
    expect([status, json.detail[0].loc]).toEqual([422, ['query', 'date']])
    expect(await balance()).toBe(before)
  })

  it('(too many entries) is a 409, and is not charged for, of a wallet as of a project', async () => {
    const crowd = await service.api.project('Crowd')
    const [header, before] = [await pay(payer, requirement), await balance()]
    await service.app.pool.query(
      `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference, status, booked_at)
       select gen_random_uuid(), $1, n, 'base', 1, 'USDC', $2, 'shop', n, 'anchored', '2021-03-01T12:00:00Z'
       from generate_series(1, 10001) as n`,
      [crowd.id, payer.address],
    )
    for (const key of [undefined, crowd.key]) {
      const { status, json } = await ask('?date=2021-03-01', header, key)
      expect([status, json.detail]).toEqual([409, 'statement_too_large'])
    }
    expect(await balance()).toBe(before)
    expect((await ask('?date=2021-03-02', header)).json.count).toBe(0)
  })

  describe('while the queue for statements is full', () => {
    let holder: PoolClient
    let waiting: ReturnType<typeof service.api.graphql>[]
    /** Blocks every statement until `letGo`. */
    async function fill() {
      holder = await service.app.pool.connect()
      await holder.query('begin')
      await holder.query('lock table organisation_configs in access exclusive mode')
      const projects = await Promise.all(Array.from({ length: 4 }, () => service.api.project()))
      const query = `mutation { generateStatement(input: { date: "${quietDay}" }) { statement { id } } }`
      // One is built and 64 wait, 16 of each project.
      const keys = [buyers.key, ...projects.flatMap(project => Array.from({ length: 16 }, () => project.key))]
      waiting = keys.map(one => service.api.graphql(query, { key: one }))
      const another = { ...unlimited('project:another'), isPaid: false }
      // The default timeout is one second.
      const patience = { timeout: 20_000 }
      await vi.waitFor(() => expect(() => statementSemaphore(service.app).admit(another)).toThrow(), patience)
    }
    async function letGo() {
      await holder.query('rollback')
      holder.release()
      expect((await Promise.all(waiting)).map(({ errors }) => errors)).toEqual(waiting.map(() => undefined))
    }

    it('the answer is 429, and nothing is charged', async () => {
      const [header, before] = [await pay(payer, requirement), await balance()]
      await fill()
      expect((await ask('', header)).status).toBe(429)
      await letGo()
      expect(await balance()).toBe(before)
      expect((await ask('', header)).status).toBe(200)
    })

    it('a charged request still waits, and gets its statement', async () => {
      const [header, before] = [await pay(payer, requirement), await balance()]
      const isAt = (status: string) => async () =>
        (await service.app.pool.query('select from payments where status = $1::payment_status', [status])).rowCount
      await node.send('evm_setAutomine', [false])
      const answer = ask('', header)
      await expect.poll(isAt('settling')).toBe(1)
      await fill()
      await node.send('evm_setAutomine', [true])
      await node.send('evm_mine', [])
      await expect.poll(isAt('settled')).toBe(1)
      // A refusal would arrive within this time.
      await Promise.race([answer, sleep(300)])
      await letGo()
      expect((await answer).status).toBe(200)
      expect(before - (await balance())).toBe(price)
    })
  })
})

describe('the same payment', () => {
  const over = (header: string, given = '') =>
    service.api.call('POST', '/graphql', {
      body: {
        query: `mutation { premiumStatement(input: { ${given} }) { statement { id type date window count url sha256 pages { nodes { name } } } } }`,
      },
      headers: { 'PAYMENT-SIGNATURE': header },
    })

  it('buys it over GraphQL too, and again gets the same statement, over every API and with explicit defaults', async () => {
    const [header, before] = [await pay(payer, requirement), await balance()]
    const now = () => new Date().toISOString().slice(0, 10)
    const asked = now()
    const { status, headers, json } = await over(header)
    const { id, pages, ...first } = json.data.premiumStatement.statement
    expect([status, first.type, pages.nodes]).toEqual([200, 'CAMT_053', [{ name: 'camt053.xml' }]])
    expect(first.url).toContain(id)
    expect([asked, now()]).toContain(first.date)
    expect(decodePaymentResponseHeader(headers.get('payment-response') ?? '').success).toBe(true)
    for (const query of ['', '?window=00:00-23:59']) {
      const { status, json } = await ask(query, header)
      expect([status, json]).toEqual([200, { ...first, type: 'camt.053' }])
    }
    expect((await over(header, 'window: null')).json.data.premiumStatement.statement.url).toBe(first.url)
    expect((await ask('?window=00:00-23:58', header)).status).toBe(409)
    expect(before - (await balance())).toBe(price)
  })

  it('that could not be delivered before midnight still buys the day of the payment', async () => {
    const header = await pay(payer, requirement)
    const { date } = (await ask('', header)).json
    const { rowCount } = await service.app.pool.query(
      `update payments set status = 'settled', answered_at = null, delivered_at = null, answer = null, answer_until = null, verified_at = verified_at - interval '1 day'
       where id = (select id from payments where payer = $1 order by verified_at desc limit 1)`,
      [payer.address],
    )
    expect(rowCount).toBe(1)
    expect((await ask('', header)).json).toMatchObject({ date: dayBefore(date), window: '00:00-23:59', count: 0 })
  })
})
