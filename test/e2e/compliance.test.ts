// Compliance screening: which provider receives which query, how each answer affects receipts and payments, and what
// happens while a provider is down. Providers are real HTTP servers and real files.
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JsonRpcProvider } from 'ethers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { jobs } from '../../src/kit/jobs.ts'
import { inTransaction } from '../../src/kit/transaction.ts'
import type { PaymentRequirement } from '../../src/ports/payment-facilitator.ts'
import {
  allows,
  configureCompliance,
  denies,
  type FakeProvider,
  isDown,
  startFakeProvider,
} from '../kit/fake-provider.ts'
import { createPayer, dollars, type Payer, pay } from '../kit/payer.ts'
import { adminKey, type Service, startService, type Tip } from '../kit/service.ts'

const fx = '/v1/x402/premium/fx-lookup'
const listed = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'

let folder: string
let file: string
let service: Service
let acme: FakeProvider
let rules: FakeProvider
let shop: { id: string; key: string }
let other: { id: string; key: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-compliance-'))
  file = join(folder, 'eu.txt')
  await writeFile(file, `# EU\n${listed}\tEU.77\nDOE, Jöhn\tEU.78\n`)
  acme = await startFakeProvider()
  rules = await startFakeProvider()
  service = await startService({
    COMPLIANCE_PROVIDERS: `acme=http+json:${acme.url},rules=http+json:${rules.url},eu=list:${file},nod=fixed:allow`,
    COMPLIANCE_AUTHORIZATION: 'acme=Bearer s3cret',
    LOG_LEVEL: 'silent',
  })
  shop = await service.api.project('Shop')
  other = await service.api.project('Other')
})
beforeEach(() => {
  for (const provider of [acme, rules]) {
    provider.answers(allows)
    provider.questions.length = 0
  }
})
afterAll(async () => {
  await service?.stop()
  for (const provider of [acme, rules]) await provider?.stop()
  await rm(folder, { recursive: true, force: true })
})

type Check = { type: string; decision: string; reason: string | null; provider: string }
type Report = { decision: string; checks: Check[] }

const configure = (compliance: object, more: object = {}) => configureCompliance(service.api, compliance, more)
const get = (path: string, key = shop.key) => service.api.call('GET', path, { key })
const sql = async (text: string, values: unknown[] = []) => (await service.app.pool.query(text, values)).rows
const record = async (tip: Partial<Tip> = {}, key = shop.key): Promise<string> =>
  (await service.api.record(key, tip)).json.receipt_id
const statusOf = async (id: string): Promise<string> => (await get(`/v1/iso/receipts/${id}`)).json.status
// Longer than the longest delay between two attempts.
const sealed = (id: string) => expect.poll(() => statusOf(id), { timeout: 30_000 }).toMatch(/awaiting_anchor|anchored/)
const failed = (id: string) => expect.poll(() => statusOf(id)).toBe('failed')
const reportOf = async (id: string): Promise<Report> => (await get(`/v1/receipts/${id}/compliance-checks`)).json
const sanctionsOf = async (id: string) => (await reportOf(id)).checks.find(({ type }) => type === 'sanctions')
const travelRuleOf = async (id: string) => (await reportOf(id)).checks.find(({ type }) => type === 'travel_rule')
const failureOf = async (id: string) => {
  const query = 'query ($id: ID!) { receipt(id: $id) { failureReason } }'
  return (await service.api.graphql(query, { key: shop.key, variables: { id } })).data.receipt.failureReason
}

describe('a configuration', () => {
  it.each([
    [{ sanctions_provider: 'elsewhere' }, 'sanctions_provider'],
    [{ travel_rule_provider: 'elsewhere', travel_rule_enforce: true }, 'travel_rule_provider'],
    [{ sanctions_enforce: true }, 'sanctions_enforce'],
    [{ travel_rule_enforce: true }, 'travel_rule_enforce'],
    [{ travel_rule_threshold: '1000' }, 'travel_rule_threshold'],
    [{ sanctions_provider: 'http+json:http://169.254.169.254/' }, 'sanctions_provider'],
    [{ sanctions_provider: 'list:/etc/passwd' }, 'sanctions_provider'],
  ])('that cannot be carried out is refused: %o', async (compliance, member) => {
    const answer = await service.api.call('PUT', '/v1/config', { key: adminKey, body: { compliance } })
    expect([answer.status, answer.json.detail[0].loc]).toEqual([422, ['body', 'compliance', member]])
  })

  it('returns the settings in force, and is for service administrators', async () => {
    const compliance = {
      travel_rule_threshold: '1000',
      travel_rule_provider: 'rules',
      travel_rule_enforce: true,
      sanctions_provider: 'eu',
      sanctions_enforce: false,
    }
    const refused = await service.api.call('PUT', '/v1/config', { key: shop.key, body: { compliance } })
    expect(refused.status).toBe(403)
    await configure({ ...compliance, travel_rule_threshold: '1000.00' })
    expect((await get('/v1/config')).json.compliance).toEqual(compliance)
  })
})

describe('a provider over HTTP', () => {
  it('receives the payment, the stated names and its own secret, once for each check', async () => {
    const parties = { debtor: { name: 'Payer Ltd', country: 'GB', wallets: [{ address: '0x01' }] } }
    await service.api.call('PUT', `/v1/projects/${shop.id}/config`, {
      key: shop.key,
      body: { anchoring: { execution_mode: 'platform', chains: [] }, parties },
    })
    await configure({ sanctions_provider: 'acme', travel_rule_provider: 'acme' })
    const id = await record({ amount: '012.50', tip_tx_hash: '0xAB', sender_wallet: '0x01', receiver_wallet: '0x02' })
    await sealed(id)
    expect(acme.questions.toSorted((a, b) => (a.check < b.check ? -1 : 1))).toEqual(
      ['sanctions', 'travel_rule'].map(check => ({
        check,
        kind: 'receipt',
        id,
        tx_hash: '0xab',
        chain: 'base',
        amount: '12.5',
        currency: 'USDC',
        sender: { wallet: '0x01', name: 'Payer Ltd', country: 'GB', lei: null },
        receiver: { wallet: '0x02', name: null, country: null, lei: null },
      })),
    )
    expect(acme.headers[0]?.authorization).toBe('Bearer s3cret')
    expect(await reportOf(id)).toMatchObject({
      decision: 'allow',
      checks: ['travel_rule', 'sanctions'].map(type => ({ type, decision: 'allow', reason: null, provider: 'acme' })),
    })
    expect(JSON.stringify(await sql('select * from compliance_checks'))).not.toContain('s3cret')
  })

  it('that denies or flags affects only the report, unless the check is enforced', async () => {
    acme.answers(({ currency }) => ({
      decision: currency === 'FLAG' ? 'flag' : 'deny',
      reason: `seen\n${'x'.repeat(900)}`,
    }))
    await configure({ sanctions_provider: 'acme' })
    const [flagged, denied] = [await record({ currency: 'FLAG' }), await record()]
    await sealed(flagged)
    await sealed(denied)
    expect(await sanctionsOf(flagged)).toMatchObject({ decision: 'flag', provider: 'acme' })
    expect(await sanctionsOf(denied)).toMatchObject({ decision: 'deny', reason: `seen ${'x'.repeat(495)}` })
    await configure({ sanctions_provider: 'acme', sanctions_enforce: true })
    const again = await record({ currency: 'FLAG' })
    await sealed(again)
  })

  it('that denies fails an enforced receipt with its reason, an event and an audit row, visible to its project alone', async () => {
    acme.answers(denies)
    rules.answers(isDown)
    const enforced = {
      travel_rule_provider: 'rules',
      travel_rule_enforce: true,
      sanctions_provider: 'acme',
      sanctions_enforce: true,
    }
    await configure(enforced)
    const id = await record()
    await failed(id)
    expect(await failureOf(id)).toBe('compliance_denied: sanctions by acme: on a list')
    expect(await sanctionsOf(id)).toMatchObject({ decision: 'deny', reason: 'on a list', provider: 'acme' })
    expect((await sql('select status from events where receipt_id = $1 order by id', [id])).at(-1)).toEqual({
      status: 'failed',
    })
    const { json: trail } = await get('/v1/audit/events?action=receipt.deny')
    expect(trail[0]).toMatchObject({
      object_id: id,
      details: { type: 'sanctions', provider: 'acme' },
    })
    // The trail is never erased, and the provider's reason may speak of a person.
    expect(JSON.stringify(trail)).not.toContain('on a list')
    expect((await get('/v1/audit/events?action=receipt.deny', other.key)).json).toEqual([])
    expect((await get(`/v1/receipts/${id}/compliance-checks`, other.key)).status).toBe(404)
    expect((await service.api.call('GET', `/v1/receipts/${id}/compliance-checks`)).status).toBe(401)
    // The provider that is down is not retried for this receipt any more.
    expect(await sql('select from compliance_checks where receipt_id = $1 and retry_at is not null', [id])).toEqual([])
  })

  it('with an unreadable answer counts as unavailable', async () => {
    const junk: Record<string, object | string | number> = {
      TEXT: 'allow',
      OTHER: { decision: 'ALLOW' },
      NOTHING: {},
      DEEP: '['.repeat(9_000),
      LARGE: { decision: 'allow', reason: 'x'.repeat(20_000) },
      FAULT: 500,
      MOVED: 302,
    }
    acme.answers(({ currency }) => junk[currency] ?? { decision: 'deny' })
    await configure({ sanctions_provider: 'acme' })
    const ids = await Promise.all(Object.keys(junk).map(currency => record({ currency })))
    for (const id of ids) {
      await sealed(id)
      expect(await sanctionsOf(id)).toMatchObject({ decision: 'unavailable', provider: 'acme' })
    }
  })
})

describe('a provider that is down', () => {
  it('is queried again until it answers; only receipts recorded while it is enforced wait', async () => {
    acme.answers(isDown)
    await configure({ sanctions_provider: 'acme', sanctions_enforce: true })
    const waiting = await record()
    // As many attempts as a check that is not enforced gets before the receipt continues.
    await expect
      .poll(() => sql('select from compliance_checks where receipt_id = $1 and attempts >= 3', [waiting]))
      .toHaveLength(1)
    await configure({ sanctions_provider: 'eu', sanctions_enforce: true })
    const next = await record()
    await sealed(next)
    expect(await statusOf(waiting)).toBe('pending')
    expect(await sanctionsOf(waiting)).toMatchObject({
      decision: 'unavailable',
      reason: 'the provider acme gave no answer',
    })
    await expect
      .poll(async () => (await get('/metrics', adminKey)).text)
      .toMatch(/^quittance_compliance_waiting\{provider="acme"\} 1$/m)
    const { text } = await get('/metrics', adminKey)
    expect(text).toMatch(/^quittance_compliance_faults\{provider="acme"\} 1$/m)
    expect(text).toMatch(
      /^quittance_oldest_waiting_seconds\{stage="compliance"\} [1-9]\d*(\.\d+)?$|stage="compliance"\} 0\.\d/m,
    )
    acme.answers(allows)
    await sealed(waiting)
    expect(await sanctionsOf(waiting)).toMatchObject({ decision: 'allow' })
    await expect
      .poll(async () => (await get('/metrics', adminKey)).text)
      .toMatch(/^quittance_compliance_waiting\{provider="acme"\} 0$/m)
  })

  it('for one receipt delays no other, and is never sent too many queries at once', async () => {
    const release = Promise.withResolvers<void>()
    acme.answers(async ({ currency }) => {
      if (currency === 'SLOW') await release.promise
      return { decision: 'allow' }
    })
    await configure({ sanctions_provider: 'acme', sanctions_enforce: true })
    const ids = await Promise.all(Array.from({ length: 41 }, (_, n) => record(n === 0 ? { currency: 'SLOW' } : {})))
    const [slow = '', ...rest] = ids
    for (const id of rest) await sealed(id)
    expect(await statusOf(slow)).toBe('pending')
    release.resolve()
    await sealed(slow)
    expect(acme.mostOpen()).toBeLessThanOrEqual(16)
  })

  it('is queried for projects in turn: a project with many receipts does not delay another', async () => {
    await configure({ sanctions_provider: 'acme', sanctions_enforce: true })
    const { compliance } = service.app
    service.app.compliance = new Map()
    await Promise.all(Array.from({ length: 60 }, () => record()))
    const theirs = await record({}, other.key)
    await expect
      .poll(() => sql('select from compliance_checks where attempts > 0 and retry_at is not null'))
      .toHaveLength(61)
    await sql(`update compliance_checks set retry_at = now() + interval '1 hour' where retry_at is not null`)
    service.app.compliance = compliance
    await sql(
      `update compliance_checks set retry_at = now() - case when receipt_id = $1 then interval '1 second' else interval '1 minute' end
       where retry_at is not null`,
      [theirs],
    )
    await inTransaction(service.app, async tx => tx.job(jobs.askCompliance({ provider: 'acme' }, { key: null })))
    await sealed(theirs)
    expect(acme.questions.findIndex(({ id }) => id === theirs)).toBeLessThan(20)
    await expect.poll(() => acme.questions.length).toBe(61)
  })

  it('and was removed from the settings keeps enforced receipts waiting, and no others', async () => {
    await configure({ sanctions_provider: 'nod', sanctions_enforce: true })
    const { compliance } = service.app
    service.app.compliance = new Map([...compliance].filter(([name]) => name !== 'nod'))
    const waiting = await record()
    await expect
      .poll(() => sanctionsOf(waiting))
      .toMatchObject({
        decision: 'unavailable',
        reason: 'the service is not set up with the provider nod',
      })
    expect(await statusOf(waiting)).toBe('pending')
    service.app.compliance = compliance
    await sealed(waiting)
  })
})

describe('a list', () => {
  const replace = async (content: string | Buffer) => {
    await writeFile(join(folder, 'new'), content)
    await rename(join(folder, 'new'), file)
  }

  it('denies a wallet on it however it is written, and a stated name', async () => {
    await configure({ sanctions_provider: 'eu', sanctions_enforce: true })
    const written = `eip155:1:0X${listed.slice(2).toUpperCase()}\u200b`
    for (const tip of [{ sender_wallet: listed }, { receiver_wallet: written }]) {
      const id = await record(tip)
      await failed(id)
      expect((await sanctionsOf(id))?.reason).toMatch(/wallet .* \(entry EU\.77\) is on the list eu$/)
    }
    const doe = `0x${'d0'.repeat(20)}`
    const named = await service.api.project('Named')
    await service.api.call('PUT', `/v1/projects/${named.id}/config`, {
      key: named.key,
      body: {
        anchoring: { execution_mode: 'platform', chains: [] },
        parties: { creditor: { name: 'Doe John', wallets: [{ address: doe }] } },
      },
    })
    await failed(await record({ receiver_wallet: doe }, named.key))
    await failed(await record({ sender_wallet: doe }, named.key))
    await sealed(await record({}, named.key))
    await sealed(await record())
  })

  it('applies at once when it changes; a broken one changes nothing, and is reported', async () => {
    const fresh = `0x${'ab'.repeat(20)}`
    await configure({ sanctions_provider: 'eu', sanctions_enforce: true })
    await sealed(await record({ sender_wallet: fresh }))
    await replace(`${fresh}\n`)
    await expect
      .poll(async () => {
        const id = await record({ sender_wallet: fresh })
        await expect.poll(() => statusOf(id)).not.toBe('pending')
        return statusOf(id)
      })
      .toBe('failed')
    await replace(Buffer.from([0xff, 0xfe, 0x0a]))
    const faulty = async () => {
      await record()
      return (await get('/metrics', adminKey)).text
    }
    await expect.poll(faulty).toMatch(/^quittance_compliance_faults\{provider="eu"\} 1$/m)
    await failed(await record({ sender_wallet: fresh }))
    await replace(`${listed}\tEU.77\n`)
    await expect.poll(faulty).toMatch(/^quittance_compliance_faults\{provider="eu"\} 0$/m)
  })
})

describe('the travel rule threshold', () => {
  it('exempts smaller payments of assets with a known currency, and no others', async () => {
    const assets = [{ label: 'USDC', chain: 'base', currency: 'USD' }]
    await configure({ travel_rule_threshold: '1000', travel_rule_provider: 'rules' }, { mapping: { assets } })
    const below = await record({ amount: '999.999999999999999999' })
    const at = await record({ amount: '1000' })
    const unknown = await record({ amount: '0.5', currency: 'WBTC' })
    const elsewhere = await record({ amount: '1', chain: 'polygon' })
    for (const id of [below, at, unknown, elsewhere]) await sealed(id)
    expect(await travelRuleOf(below)).toMatchObject({
      decision: 'allow',
      provider: 'threshold',
      reason: 'below the threshold of 1000 USD',
    })
    expect(new Set(rules.questions.map(({ id }) => id))).toEqual(new Set([at, unknown, elsewhere]))
  })
})

describe('a payment to the service', () => {
  let node: JsonRpcProvider
  let requirement: PaymentRequirement
  let payer: Payer
  beforeAll(async () => {
    node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
    const { facilitator, paymentsTo: payTo } = service.app
    if (facilitator === null) throw new Error('no facilitator')
    requirement = await facilitator.requirement({ amount: '0.001', payTo, maxTimeoutSeconds: 120 })
    payer = await createPayer(node, requirement.asset, 1_000_000n)
  })
  afterAll(() => node?.destroy())

  const buy = async (header: string) =>
    service.api.call('POST', fx, { body: {}, headers: { 'PAYMENT-SIGNATURE': header }, key: shop.key })
  const balance = (): Promise<bigint> => dollars(requirement.asset, node).getFunction('balanceOf')(payer.address)
  const newest = async (): Promise<string | undefined> =>
    (await sql('select id from payments where payer = $1 order by verified_at desc limit 1', [payer.address]))[0]?.id
  const checksOf = async (id: string): Promise<Report> => (await get(`/v1/x402/payments/${id}/compliance-checks`)).json

  it('is checked before it is charged where the check is enforced', async () => {
    await configure({ sanctions_provider: 'acme', sanctions_enforce: true })
    const before = await balance()
    const header = await pay(payer, requirement)
    acme.answers(isDown)
    const away = await buy(header)
    expect([away.status, away.json.detail, Number(away.headers.get('retry-after')) > 0]).toEqual([
      503,
      'compliance_unavailable',
      true,
    ])
    acme.answers(denies)
    const refused = await buy(header)
    expect([refused.status, refused.json.detail]).toEqual([403, 'compliance_denied'])
    // The answer must not reveal what is known about the payer.
    expect(refused.text).not.toMatch(/on a list|acme|sanctions/)
    expect([await balance(), await newest()]).toEqual([before, undefined])
    const { json: trail } = await get('/v1/audit/events?action=payment.deny')
    expect(trail[0]).toMatchObject({
      actor: `payer:${payer.address}`,
      details: { endpoint: fx, type: 'sanctions', provider: 'acme', reason: 'on a list' },
    })
    expect((await get('/v1/audit/events?action=payment.deny', other.key)).json).toEqual([])
    acme.answers(allows)
    expect((await buy(header)).status).toBe(200)
    expect(await balance()).toBe(before - 1_000n)
    const id = (await newest()) ?? ''
    expect(await checksOf(id)).toMatchObject({
      decision: 'unavailable',
      checks: [
        { type: 'travel_rule', decision: 'unavailable', provider: 'none' },
        { type: 'sanctions', decision: 'allow', provider: 'acme' },
      ],
    })
    expect((await get(`/v1/x402/payments/${id}/compliance-checks`, other.key)).status).toBe(404)
    const { kind, tx_hash, sender, receiver } = acme.questions.at(-1) ?? {}
    expect([kind, tx_hash, sender?.wallet, receiver?.wallet]).toEqual([
      'payment',
      null,
      payer.address,
      service.app.paymentsTo,
    ])
  })

  it('is checked afterwards where the check is not enforced, without delay for the payer', async () => {
    await configure({ sanctions_provider: 'acme' })
    const asked = Promise.withResolvers<void>()
    acme.answers(async () => {
      await asked.promise
      return { decision: 'deny', reason: 'on a list' }
    })
    expect((await buy(await pay(payer, requirement))).status).toBe(200)
    const id = (await newest()) ?? ''
    expect((await checksOf(id)).decision).toBe('unavailable')
    asked.resolve()
    await expect.poll(async () => (await checksOf(id)).decision).toBe('deny')
  })

  it('is not charged when its payer is on an enforced list', async () => {
    await configure({ sanctions_provider: 'eu', sanctions_enforce: true })
    await writeFile(join(folder, 'new'), `${payer.address}\n`)
    await rename(join(folder, 'new'), file)
    const before = await balance()
    await expect
      .poll(async () => (await buy(await pay(payer, requirement))).json.detail, { interval: 300 })
      .toBe('compliance_denied')
    const charged = before - (await balance())
    expect((await buy(await pay(payer, requirement))).status).toBe(403)
    expect(before - (await balance())).toBe(charged)
  })
})
