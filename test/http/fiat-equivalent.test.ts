// Fiat equivalents in a whole Quittance with a rate provider that answers, has no rate, or is down: each receipt with a
// fiat policy gets its equivalent once, before it is sealed, and none is lost.
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { value } from '../../src/modules/fx/tasks.ts'
import { valuationsOf } from '../../src/modules/fx/valuation.ts'
import { configured, plainReceipt } from '../kit/receipts.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

/** Rates by pair; an absent pair is unknown to the provider, and a number is the status of its failure. */
let rates: Record<string, string | number> = {}
const asked: string[] = []
/** Delays the next answer for this pair. */
let held: { pair: string; until: Promise<unknown>; rate: string } | null = null
const provider = createServer(async (request, response) => {
  const pair = (request.url ?? '').slice(1)
  asked.push(pair)
  let rate = rates[pair]
  if (held?.pair === pair) {
    const { until } = held
    rate = held.rate
    held = null
    await until
  }
  if (typeof rate === 'string') return response.end(`{"rate":${rate},"at":"${at}"}`)
  response.writeHead(rate ?? 404).end()
})
// Recent enough for the age limit, and a time that the service could not invent.
const at = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString()

let service: Service
let project: { id: string; key: string }
beforeAll(async () => {
  await new Promise<void>(done => provider.listen(0, '127.0.0.1', done))
  const address = provider.address()
  const port = typeof address === 'object' ? address?.port : 0
  service = await startService({
    FX_HTTP_URL: `http://127.0.0.1:${port}/{base}/{quote}`,
    FX_HTTP_RATE_POINTER: '/rate',
    FX_HTTP_TIME_POINTER: '/at',
    LOG_LEVEL: 'silent',
  })
  const assets = [{ label: 'EURC', currency: 'EUR' }]
  expect((await configure({ mode: 'at_record', base_ccy: 'EUR' }, { mapping: { assets } })).status).toBe(200)
  project = await service.api.project()
})
afterAll(async () => {
  provider.closeAllConnections()
  provider.close()
  await service?.stop()
})
beforeEach(() => {
  rates = { 'USDC/EUR': '0.930752047654504840', 'USDC/JPY': '150.25' }
})

const configure = (fxPolicy: object, more: object = {}) =>
  service.api.call('PUT', '/v1/config', { key: adminKey, body: { fx_policy: fxPolicy, ...more } })
const configureProject = (fxPolicy?: object) =>
  service.api.call('PUT', `/v1/projects/${project.id}/config`, {
    key: project.key,
    body: { anchoring: { execution_mode: 'platform', chains: [] }, ...(fxPolicy && { fx_policy: fxPolicy }) },
  })

async function record(currency: string, amount = '12.50'): Promise<string> {
  const { json } = await service.api.record(project.key, { currency, amount })
  return json.receipt_id
}
async function equivalentOf(id: string) {
  const query = `{ receipt(id: "${id}") { fiatEquivalent { status currency amount rate rateOf source asOf } } }`
  return (await service.api.graphql(query)).data.receipt.fiatEquivalent
}
const none = { amount: null, rate: null, source: null, asOf: null }

/** Waits until the receipt is sealed and anchored, and returns its equivalent. */
async function anchored(id: string) {
  await service.api.anchored(id)
  return equivalentOf(id)
}
const textOf = async (id: string, name: string) => (await service.api.call('GET', `/files/${id}/${name}`)).text

describe('a receipt', () => {
  it('gets its equivalent once: the sealed file, the reports and later answers agree, whatever the rate is by then', async () => {
    const id = await record('USDC')
    const worth = await anchored(id)
    expect(worth).toEqual({
      status: 'KNOWN',
      currency: 'EUR',
      amount: '11.6344005956813105',
      rate: '0.93075204765450484',
      rateOf: 'USDC',
      source: expect.stringMatching(/^http 127\.0\.0\.1:\d+$/),
      asOf: at,
    })
    rates['USDC/EUR'] = '2'
    await value.run(service.app, { receipts: [id] })
    await service.api.call('POST', `/v1/iso/pacs009/${id}`, { key: project.key })
    const { json } = await service.api.call('GET', `/v1/iso/messages/${id}`)
    const messages: { type: string; url: string }[] = json
    expect(messages.map(({ type }) => type).toSorted()).toEqual(['camt.054', 'pacs.009', 'pain.001', 'pain.002'])
    for (const { url } of messages) {
      const xml = (await service.api.call('GET', new URL(url).pathname)).text
      expect(xml).toContain('<o:Amount>11.6344005956813105</o:Amount>')
      expect(xml).toContain('<o:Amount inBand="exact">12.5</o:Amount>')
    }
    const camt = await textOf(id, 'camt054.xml')
    expect(camt).toMatch(/<CntrValAmt>\s*<Amt Ccy="EUR">11\.63<\/Amt>/)
    expect(camt).toMatch(/<Ntry>\s*<NtryRef>[^<]*<\/NtryRef>\s*<Amt Ccy="XXX">12\.5<\/Amt>/)
    expect(await textOf(id, 'pain001.html')).toContain('11.6344005956813105 EUR')
    expect(await equivalentOf(id)).toEqual(worth)
  })

  it('has none where no rate is known, with the reason; a label counts as currency only where it is mapped', async () => {
    const labels = ['DOGGY', 'Doggy coin', 'USD', 'EURC']
    const ids = await Promise.all(labels.map(label => record(label)))
    const [unknown, noCode, ambiguous, mapped] = await Promise.all(ids.map(anchored))
    expect(unknown).toEqual({ ...none, status: 'UNKNOWN', currency: 'EUR', rateOf: 'DOGGY' })
    expect(noCode).toEqual({ ...none, status: 'UNKNOWN', currency: 'EUR', rateOf: null })
    expect(ambiguous).toEqual({ ...none, status: 'AMBIGUOUS', currency: 'EUR', rateOf: null })
    expect(mapped).toMatchObject({ status: 'KNOWN', amount: '12.5', rate: '1', rateOf: 'EUR' })
    expect(asked.filter(pair => /Doggy|^USD\//.test(pair))).toEqual([])
    expect(await textOf(ids[0] ?? '', 'pain001.xml')).not.toContain('FiatEquivalent')
  })

  it('waits for a provider that is down, gets its equivalent once it is back, and continues without after an hour of queries', async () => {
    const told = vi.spyOn(service.app.log, 'error')
    rates['DOWN/EUR'] = 503
    const [back, late] = [await record('DOWN'), await record('DOWN', '3')]
    const state = async (id: string) => (await equivalentOf(id))?.status
    for (const id of [back, late]) await expect.poll(() => state(id), { timeout: 20_000 }).toBe('WAITING')
    const { pool } = service.app
    const asked = (times: number) =>
      pool.query('update fiat_equivalents set asked = $2 where receipt_id = $1', [late, times])
    await asked(19)
    // A worker that was stopped for hours has asked no more often.
    await pool.query(`update fiat_equivalents set created_at = now() - interval '5 hours' where receipt_id = $1`, [
      late,
    ])
    await value.run(service.app, { receipts: [late] })
    expect(await state(late)).toBe('WAITING')
    expect(told).toHaveBeenCalledWith({ receipts: 1 }, expect.stringMatching(/^ALARM: .*five minutes/))
    const metrics = await service.api.call('GET', '/metrics', { key: adminKey })
    expect(metrics.text).toMatch(/^quittance_fiat_equivalents\{state="waiting"\} 2$/m)
    await asked(239)
    await value.run(service.app, { receipts: [late] })
    expect(told).toHaveBeenCalledWith({ receipts: [late] }, expect.stringMatching(/^ALARM: .*without a fiat/))
    told.mockRestore()
    expect(await anchored(late)).toEqual({ ...none, status: 'UNAVAILABLE', currency: 'EUR', rateOf: 'DOWN' })
    expect((await service.api.call('GET', `/v1/iso/receipts/${back}`)).json.status).toBe('pending')
    rates['DOWN/EUR'] = '4'
    // Several workers at the same time, as when one was taken for dead.
    await Promise.all(Array.from({ length: 3 }, () => value.run(service.app, { receipts: [back, late] })))
    expect(await anchored(back)).toMatchObject({ status: 'KNOWN', amount: '50' })
    expect(await state(late)).toBe('UNAVAILABLE')
  })

  it('keeps its first equivalent when another worker, taken for dead, is late with a newer rate', async () => {
    rates['RACE/EUR'] = 503
    const id = await record('RACE')
    await expect.poll(async () => (await equivalentOf(id))?.status, { timeout: 20_000 }).toBe('WAITING')
    rates['RACE/EUR'] = '4'
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    held = { pair: 'RACE/EUR', until, rate: '5' }
    // Another process has a cache of its own.
    const pool = openPool(service.databaseUrl, 2, service.app.log)
    const late = value.run({ ...service.app, pool }, { receipts: [id] })
    await expect.poll(() => held, { timeout: 20_000 }).toBeNull()
    await value.run(service.app, { receipts: [id] })
    release()
    await late
    await pool.end()
    expect(await anchored(id)).toMatchObject({ status: 'KNOWN', rate: '4' })
    expect(await textOf(id, 'pain001.xml')).toContain('<o:Rate>4</o:Rate>')
  })

  it('follows the policy of its project at the time of recording; a refund follows its payment', async () => {
    const first = await record('USDC', '100')
    await anchored(first)
    expect((await configureProject({ mode: 'at_record', base_ccy: 'JPY' })).json.fx_policy).toEqual({
      mode: 'at_record',
      base_ccy: 'JPY',
    })
    // A client that does not know the policy leaves it unchanged.
    expect((await configureProject()).json.fx_policy.base_ccy).toBe('JPY')
    const yen = await record('USDC')
    await configureProject({ mode: 'none' })
    const off = await record('USDC')
    expect(await anchored(yen)).toMatchObject({ currency: 'JPY', amount: '1878.125' })
    expect(await anchored(off)).toBeNull()
    const refund = await service.api.call('POST', '/v1/iso/refund', {
      key: project.key,
      body: { original_receipt_id: first },
    })
    rates['USDC/EUR'] = '0.5'
    expect(await anchored(refund.json.refund_receipt_id)).toMatchObject({ currency: 'EUR' })
    await configureProject({ mode: 'organisation' })
    const again = await record('USDC')
    expect(await anchored(again)).toMatchObject({ currency: 'EUR' })
  })

  it('looks up at most a hundred new labels of a project per hour, because some providers charge for each', async () => {
    const organisation = configured({ fxPolicy: { mode: 'at_record', baseCurrency: 'EUR' } })
    const facts = Array.from({ length: 130 }, (_, index) => ({
      receipt: { ...plainReceipt, id: `r${index}`, currency: `SPAM${index}` },
      organisation,
      refundReason: null,
      receiverProof: null,
      lacksEquivalent: true,
      lacksSettlement: false,
      rebookings: 0,
    }))
    const rest = new Set(facts)
    asked.length = 0
    const most: number[] = []
    while (rest.size > 0) {
      const before = asked.length
      const { valued, later } = await valuationsOf(service.app, [...rest])
      most.push(asked.length - before)
      for (const one of [...rest]) if (!later.includes(one.receipt.id)) rest.delete(one)
      expect(valued.every(({ state }) => state === 'unknown')).toBe(true)
    }
    expect(asked).toHaveLength(100)
    expect(Math.max(...most)).toBeLessThanOrEqual(20)
    // The limit does not apply to another project.
    const [other] = facts.slice(-1)
    if (other === undefined) throw new Error('no facts')
    const ofAnother = { ...other, receipt: { ...other.receipt, project: { id: 'another', ownerWallet: null } } }
    await valuationsOf(service.app, [ofAnother])
    expect(asked).toHaveLength(101)
  })
})

it.each<[string, object, string]>([
  ['a provider that is not configured', { mode: 'at_record', base_ccy: 'EUR', provider: 'oracle' }, 'provider'],
  ['valuing without a currency', { mode: 'at_record' }, 'base_ccy'],
  ['a currency without valuing', { base_ccy: 'EUR' }, 'base_ccy'],
  ['a mode that is none', { mode: 'organisation' }, 'mode'],
])('the organisation’s policy refuses %s', async (_, policy, member) => {
  const { status, json } = await configure(policy)
  expect([status, json.detail[0].loc]).toEqual([422, ['body', 'fx_policy', member]])
})

it('a project cannot choose a provider, because the organisation pays for the answers', async () => {
  const { status, json } = await configureProject({ mode: 'at_record', base_ccy: 'EUR', provider: 'http' })
  expect([status, json.detail[0].loc]).toEqual([422, ['body', 'fx_policy', 'provider']])
})
