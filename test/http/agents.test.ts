// Agents: their records, their spending limits, what is anchored for them, and that no other project sees any of it.
import { JsonRpcProvider } from 'ethers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordAgentPayments } from '../../src/modules/agents/record-payments.ts'
import type { PaymentRequirement } from '../../src/ports/payment-facilitator.ts'
import { createPayer, dollars, type Payer, pay, random32 } from '../kit/payer.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

const path = '/v1/agents'
const fx = '/v1/x402/premium/fx-lookup'

let service: Service
let node: JsonRpcProvider
let requirement: PaymentRequirement
let payer: Payer
let shop: { id: string; key: string }
let other: { id: string; key: string }
beforeAll(async () => {
  service = await startService()
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  const { facilitator, paymentsTo: payTo } = service.app
  if (facilitator === null) throw new Error('no facilitator')
  requirement = await facilitator.requirement({ amount: '0.001', payTo, maxTimeoutSeconds: 120 })
})
beforeEach(async () => {
  payer = await createPayer(node, requirement.asset, 1_000_000n)
  shop = await service.api.project('Shop')
  other = await service.api.project('Other')
})
afterAll(async () => {
  node?.destroy()
  await service?.stop()
})

const call = (method: string, at: string, body?: unknown, key = shop.key) =>
  service.api.call(method, path + at, { key, ...(body !== undefined && { body }) })

async function agent(more: object = {}, key = shop.key): Promise<string> {
  const { status, json } = await call('POST', '', { name: 'Buyer', wallet_address: payer.address, ...more }, key)
  expect(status, JSON.stringify(json)).toBe(200)
  return json.id
}

async function buy(key = shop.key) {
  const header = await pay(payer, requirement)
  return service.api.call('POST', fx, { body: {}, headers: { 'PAYMENT-SIGNATURE': header }, key })
}

const balance = (): Promise<bigint> => dollars(requirement.asset, node).getFunction('balanceOf')(payer.address)
const actions = async (id: string): Promise<string[]> =>
  (await service.app.pool.query('select action from audit_events where object_id = $1 order by id', [id])).rows.map(
    ({ action }) => action,
  )

describe('the record of an agent', () => {
  it('is created, read, listed, changed and deleted, each with its audit row', async () => {
    const wallet = `0x${'AB'.repeat(20)}`
    const created = await call('POST', '', {
      name: ' Buyer ',
      wallet_address: wallet,
      xmtp_address: wallet,
      pricing_rules: { max_per_call: '0.0100', max_per_day: null },
    })
    expect(created).toMatchObject({ status: 200 })
    const { id } = created.json
    expect(created.json).toEqual({
      id,
      name: 'Buyer',
      wallet_address: wallet.toLowerCase(),
      xmtp_address: wallet.toLowerCase(),
      pricing_rules: { max_per_call: '0.01', max_per_day: null },
      status: 'active',
      project_id: shop.id,
      ai_mode: 'simple',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    expect((await call('GET', `/${id}`)).json).toEqual(created.json)
    const changed = await call('PUT', `/${id}`, { name: 'Seller', status: 'paused', pricing_rules: {} })
    expect(changed.json).toMatchObject({
      name: 'Seller',
      status: 'paused',
      pricing_rules: null,
      wallet_address: wallet.toLowerCase(),
    })
    expect((await call('GET', '')).json).toEqual([changed.json])
    for (const at of ['', '/anchoring-config']) expect((await call('PUT', `/${id}${at}`, {})).status).toBe(422)
    expect((await call('DELETE', `/${id}`)).json).toEqual({ id, status: 'deleted' })
    expect((await call('GET', `/${id}`)).status).toBe(404)
    expect((await call('GET', '')).json).toEqual([])
    expect(await actions(id)).toEqual(['agent.create', 'agent.update', 'agent.delete'])
  })

  it.each([
    ['a private key', { name: 'x', wallet_address: '0x1', private_key: random32() }, 'private_key'],
    [
      'rules that are a book',
      { name: 'x', wallet_address: '0x1', pricing_rules: { a: 'x'.repeat(5_000) } },
      'pricing_rules',
    ],
    ['a limit of nothing', { name: 'x', wallet_address: '0x1', pricing_rules: { max_per_day: '0' } }, 'max_per_day'],
    ['no wallet', { name: 'x' }, 'wallet_address'],
  ])('with %s is refused', async (_, body, member) => {
    const { status, json } = await call('POST', '', body)
    expect(status).toBe(422)
    expect(json.detail[0].loc.at(-1)).toBe(member)
  })

  it('is invisible to other projects, and read-only for a viewer', async () => {
    const id = await agent()
    const viewer = await service.api.key(shop.key, 'viewer')
    const hash = { bundle_hash: random32() }
    const routes: [string, string, unknown?][] = [
      ['GET', ''],
      ['GET', '/stats'],
      ['GET', '/anchors'],
      ['GET', '/activity-unified'],
      ['GET', '/anchoring-config'],
      ['PUT', '', { name: 'x' }],
      ['PUT', '/anchoring-config', { anchor_on_payment: true }],
      ['POST', '/anchor', hash],
      ['DELETE', ''],
    ]
    for (const [method, at, body] of routes) {
      const statuses = [other.key, viewer, adminKey].map(
        async key => (await call(method, `/${id}${at}`, body, key)).status,
      )
      expect(await Promise.all(statuses), `${method} ${at}`).toEqual([404, method === 'GET' ? 200 : 403, 200])
    }
    expect((await call('POST', '', { name: 'x', wallet_address: '0x1' }, adminKey)).json.detail).toBe(
      'project_key_required',
    )
  })

  it('is limited to 200 per project', async () => {
    await service.app.pool.query(
      `insert into agents (id, project_id, name, wallet_address, updated_at)
       select gen_random_uuid(), $1, 'x', '0x1', now() from generate_series(1, 199)`,
      [shop.id],
    )
    const tries = await Promise.all([1, 2, 3].map(() => call('POST', '', { name: 'x', wallet_address: '0x1' })))
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(tries.find(({ status }) => status === 409)?.json.detail).toBe('too_many_agents')
  })
})

describe('the spending limit of an agent', () => {
  it('is checked before anything is charged: per call, per day, and while paused', async () => {
    const id = await agent({ pricing_rules: { max_per_call: '0.0009' } })
    const before = await balance()
    const tooMuch = await buy()
    expect(tooMuch).toMatchObject({ status: 403, json: { detail: 'agent_not_allowed' } })
    expect(tooMuch.json.message).toBe('The agent Buyer may spend 0.0009 a call.')
    await call('PUT', `/${id}`, { pricing_rules: { max_per_call: '0.001', max_per_day: '0.002' } })
    expect([await buy(), await buy(), await buy()].map(({ status }) => status)).toEqual([200, 200, 403])
    await call('PUT', `/${id}`, { pricing_rules: {}, status: 'paused' })
    expect((await buy()).json.message).toBe('The agent Buyer is paused.')
    expect(before - (await balance())).toBe(2_000n)
    await call('PUT', `/${id}`, { status: 'active' })
    expect((await buy()).status).toBe(200)
  })

  it('applies to concurrent payments', async () => {
    await agent({ pricing_rules: { max_per_day: '0.003' } })
    // Each claim takes a while between its insert and its commit, so that claims overlap however busy the machine is.
    await service.app.pool.query(`
      create function claim_slowly() returns trigger language plpgsql as 'begin perform pg_sleep(0.1); return null; end';
      create trigger claim_slowly after insert on payments for each row execute function claim_slowly()`)
    const bought = await Promise.all(Array.from({ length: 8 }, () => buy()))
    await service.app.pool.query('drop function claim_slowly cascade')
    expect(bought.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(bought.filter(({ status }) => status === 403)).toHaveLength(5)
  })

  it('counts copies of one payment once: each copy gets the answer, and one is charged', async () => {
    await agent({ pricing_rules: { max_per_day: '0.001' } })
    const before = await balance()
    const headers = { 'PAYMENT-SIGNATURE': await pay(payer, requirement) }
    const copies = await Promise.all(
      Array.from({ length: 8 }, () => service.api.call('POST', fx, { body: {}, headers, key: shop.key })),
    )
    expect(copies.map(({ status }) => status)).toEqual(copies.map(() => 200))
    expect(before - (await balance())).toBe(1_000n)
  })

  it('cannot be set by another project', async () => {
    await agent({ pricing_rules: { max_per_call: '0.0001' } }, other.key)
    expect((await buy()).status).toBe(200)
  })
})

describe('the statistics of an agent', () => {
  it('count what its wallet paid with its project’s key, and nothing that it paid elsewhere', async () => {
    const id = await agent()
    const spy = await agent({}, other.key)
    await buy()
    await buy()
    const { json } = await call('GET', `/${id}/stats`)
    expect(json).toEqual({
      agent_id: id,
      agent_name: 'Buyer',
      days: 7,
      payment_count: 2,
      total_spent: '0.002',
      payments: [expect.anything(), expect.anything()],
    })
    expect(json.payments[0]).toEqual({
      tx_hash: expect.stringMatching(/^0x/),
      amount: '0.001',
      endpoint: fx,
      verified_at: expect.any(String),
    })
    expect((await call('GET', `/${spy}/stats?days=365`, undefined, other.key)).json).toMatchObject({
      payment_count: 0,
      total_spent: '0',
      payments: [],
    })
    expect((await call('GET', `/${id}/stats?days=366`)).status).toBe(422)
  })
})

describe('the command language', () => {
  const run = async (id: string, command?: string, key = shop.key) => {
    const { status, json } = await call('POST', `/${id}/test`, command === undefined ? {} : { command }, key)
    expect(status, JSON.stringify(json)).toBe(200)
    return json
  }
  const said = async (id: string, command: string, key = shop.key) => (await run(id, command, key)).response

  it('answers with the results of the operations', async () => {
    const id = await agent()
    expect(await run(id)).toEqual({
      agent_id: id,
      agent_name: 'Buyer',
      command_received: 'help',
      response: expect.stringMatching(/^help .*\nlist .*\nget .*\nverify .*\nstatement .*\nrefund /),
      timestamp: expect.stringMatching(/Z$/),
    })
    expect(await said(id, 'list')).toBe('There are no receipts yet.')
    const { json } = await service.api.record(shop.key, { reference: 'order-7' })
    const receipt = json.receipt_id
    const { bundle_hash, bundle_url } = await service.api.anchored(receipt)
    for (const command of ['list', `GET ${receipt}`]) expect(await said(id, command)).toContain(`${receipt} anchored`)
    for (const what of [receipt, bundle_hash, bundle_url]) {
      expect(await said(id, `verify ${what}`)).toMatch(/^The anchor is on chain, in 0x.* Verified\.$/)
    }
    expect(await said(id, `verify ${random32()}`)).toBe('The anchor is not confirmed. Not verified: anchor_not_found.')
    expect(await said(id, 'statement')).toMatch(/^camt.053 with 1 entries: http/)
    expect(await said(id, `refund ${receipt} CUST`)).toContain(`refund:${receipt}`)
  })

  it('reports what is wrong, and does nothing', async () => {
    const id = await agent()
    expect(await said(id, 'transfer everything')).toBe('There is no command transfer. Try help.')
    expect(await said(id, 'constructor')).toBe('There is no command constructor. Try help.')
    expect(await said(id, 'get x')).toMatch(/^not_found: .*\nUsage: get <receipt id>$/s)
    expect(await said(id, 'statement yesterday')).toMatch(/^validation_failed: .*date: Must be a date/s)
    expect((await call('POST', `/${id}/test`, { command: 'x'.repeat(501) })).status).toBe(422)
  })

  it('reaches no other project, even for a service administrator', async () => {
    const id = await agent()
    const { json } = await service.api.record(other.key, { reference: 'secret' })
    await service.api.anchored(json.receipt_id)
    for (const key of [shop.key, adminKey]) {
      expect(await said(id, 'list', key)).toBe('There are no receipts yet.')
      for (const name of ['get', 'refund', 'verify']) {
        expect(await said(id, `${name} ${json.receipt_id}`, key)).toMatch(/^not_found/)
      }
    }
  })
})

describe('anchoring for an agent', () => {
  it('anchors a hash once, however often it is requested, and never confirms it as a bundle of ours', async () => {
    const id = await agent()
    const bundle_hash = random32()
    const asked = await Promise.all([1, 2, 3].map(() => call('POST', `/${id}/anchor`, { bundle_hash })))
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(asked.map(({ json }) => json.anchor_id)).size).toBe(1)
    expect(asked[0]?.json).toMatchObject({ bundle_hash, status: 'pending', message: expect.stringContaining('local') })
    const anchors = async () => (await call('GET', `/${id}/anchors?status=confirmed`)).json
    await expect.poll(anchors).toHaveLength(1)
    expect((await anchors())[0]).toMatchObject({
      id: asked[0]?.json.anchor_id,
      bundle_hash,
      anchor_txid: expect.stringMatching(/^0x/),
      chain: 'local',
      anchored_at: expect.any(String),
    })
    expect((await call('GET', `/${id}/anchors?status=pending`)).json).toEqual([])
    const verdict = await service.api.call('POST', '/v1/iso/verify', { body: { bundle_hash } })
    expect(verdict.json).toMatchObject({ matches_onchain: true, errors: ['issuer_unchecked'] })
  })

  it('does not anchor the hash of a receipt’s bundle again, nor a hash that does not match the receipt', async () => {
    const id = await agent()
    const { json } = await service.api.record(shop.key)
    const { bundle_hash } = await service.api.anchored(json.receipt_id)
    const receipt_id = json.receipt_id
    const own = await call('POST', `/${id}/anchor`, { bundle_hash, receipt_id })
    expect(own).toMatchObject({ status: 200, json: { status: 'confirmed' } })
    const { rows } = await service.app.pool.query('select id from anchors where bundle_hash = $1', [bundle_hash])
    expect(rows).toEqual([{ id: own.json.anchor_id }])
    expect((await call('POST', `/${id}/anchor`, { bundle_hash: random32(), receipt_id })).status).toBe(409)
    const spy = await agent({}, other.key)
    expect((await call('POST', `/${spy}/anchor`, { bundle_hash, receipt_id }, other.key)).status).toBe(404)
  })

  it('records and anchors each payment since it was enabled, or all payments', async () => {
    const id = await agent()
    await buy()
    expect((await call('GET', `/${id}/anchoring-config`)).json).toEqual({
      id,
      auto_anchor_enabled: false,
      anchor_on_payment: false,
      anchor_wallet: null,
    })
    await call('PUT', `/${id}/anchoring-config`, { anchor_on_payment: true })
    await buy()
    await recordAgentPayments(service.app)
    const done = async () => (await call('GET', `/${id}/activity-unified`)).json.summary
    await expect.poll(done).toEqual({ total_payments: 2, total_anchors: 1, anchored_payments: 1 })
    await call('PUT', `/${id}/anchoring-config`, { auto_anchor_enabled: true })
    await recordAgentPayments(service.app)
    await recordAgentPayments(service.app)
    await expect.poll(done).toEqual({ total_payments: 2, total_anchors: 2, anchored_payments: 2 })
    const { activities } = (await call('GET', `/${id}/activity-unified`)).json
    expect(activities.map(({ type }: { type: string }) => type).sort()).toEqual([
      'anchor',
      'anchor',
      'payment',
      'payment',
    ])
  })

  it('does not record what the wallet pays with another project’s key for that project', async () => {
    const id = await agent()
    await call('PUT', `/${id}/anchoring-config`, { auto_anchor_enabled: true })
    await buy(other.key)
    await recordAgentPayments(service.app)
    const newest = async () => (await service.api.call('GET', '/v1/x402/payments', { key: other.key })).json[0]
    await expect.poll(newest).toMatchObject({ status: 'delivered', receipt_id: null })
  })

  it('reports a payment that cannot be recorded once, and continues with the next', async () => {
    const id = await agent()
    await call('PUT', `/${id}/anchoring-config`, { auto_anchor_enabled: true })
    await buy()
    const [payment] = (await service.api.call('GET', '/v1/x402/payments', { key: shop.key })).json
    await service.api.record(shop.key, { tip_tx_hash: payment.tx_hash, chain: payment.chain, amount: '7' })
    await buy()
    await recordAgentPayments(service.app)
    const query = '{ payments { nodes { recordFailure receipt { id } } } }'
    const said = async () => (await service.api.graphql(query, { key: shop.key })).data.payments.nodes
    expect(await said()).toEqual([
      { recordFailure: null, receipt: { id: expect.any(String) } },
      { recordFailure: expect.stringContaining('contradicts the payment'), receipt: null },
    ])
    await service.app.pool.query(`update payments set record_failure = 'as it was' where record_failure is not null`)
    await recordAgentPayments(service.app)
    expect((await said())[1].recordFailure).toBe('as it was')
  })
})
