// Records of payments to the service: who can see them, how a payment becomes a receipt, and the revenue.
import { JsonRpcProvider, zeroPadValue } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PaymentRequirement } from '../../src/ports/payment-facilitator.ts'
import { allows, configureCompliance, denies, type FakeProvider, startFakeProvider } from '../kit/fake-provider.ts'
import { followField } from '../kit/follower.ts'
import { createPayer, dollars, type Payer, pay, random32 } from '../kit/payer.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

const fx = '/v1/x402/premium/fx-lookup'
const verify = '/v1/x402/premium/verify-bundle'
const list = '/v1/x402/payments'

let service: Service
let provider: FakeProvider
let node: JsonRpcProvider
let requirement: PaymentRequirement
let payer: Payer
let shop: { id: string; key: string }
let other: { id: string; key: string }
beforeAll(async () => {
  provider = await startFakeProvider()
  service = await startService({ COMPLIANCE_PROVIDERS: `strict=http+json:${provider.url}` })
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  const { facilitator, paymentsTo: payTo } = service.app
  if (facilitator === null) throw new Error('no facilitator')
  requirement = await facilitator.requirement({ amount: '0.001', payTo, maxTimeoutSeconds: 120 })
  payer = await createPayer(node, requirement.asset, 1_000_000n)
  shop = await service.api.project('Shop')
  other = await service.api.project('Other')
})
afterAll(async () => {
  node?.destroy()
  await service.stop()
  await provider.stop()
})

type Listed = { id: string; status: string; endpoint: string; tx_hash: string | null }

const get = (path: string, key?: string) => service.api.call('GET', path, key === undefined ? {} : { key })
const listed = async (query: string, key = shop.key): Promise<Listed[]> => (await get(list + query, key)).json
const sql = async (text: string, values: unknown[] = []) => (await service.app.pool.query(text, values)).rows

/** Buys something; returns the id of the payment. */
async function buy(options: { key?: string; by?: Payer; path?: string } = {}): Promise<string> {
  const { key, by = payer, path = fx } = options
  const header = await pay(by, requirement)
  const body = path === fx ? {} : { bundle_hash: random32() }
  const answer = await service.api.call('POST', path, {
    body,
    headers: { 'PAYMENT-SIGNATURE': header },
    ...(key && { key }),
  })
  expect(answer.status).toBe(200)
  const [newest] = await sql('select id from payments where payer = $1 order by verified_at desc limit 1', [by.address])
  return newest.id
}

/** Copies the payment with changes; no job processes the copy. */
async function copyOf(id: string, change: object): Promise<string> {
  const [copy] = await sql(
    `insert into payments select (jsonb_populate_record(p, $2)).* from payments p where id = $1 returning id`,
    [
      id,
      {
        id: crypto.randomUUID(),
        nonce: `\\${random32().slice(1)}`,
        signer_nonce: null,
        lease_until: '2999-01-01T00:00:00Z',
        ...change,
      },
    ],
  )
  return copy.id
}
const unsettled = { settled_at: null, answered_at: null, delivered_at: null }

const record = (id: string, key = shop.key, body?: object) =>
  service.api.call('POST', `${list}/${id}/receipt`, { key, body })
const trail = async (id: string): Promise<string[]> =>
  (await sql('select action from audit_events where object_id = $1 order by id', [id])).map(({ action }) => action)

describe('a payment belongs', () => {
  const projectOf = async (id: string) =>
    (await sql('select project_id from payments where id = $1', [id]))[0].project_id
  const link = (address: string, project: string) =>
    sql('insert into linked_wallets (address, project_id) values ($1, $2)', [address, project])

  it('to the project whose key was sent with it', async () => {
    expect(await projectOf(await buy({ key: other.key }))).toBe(other.id)
  })

  it('without a key to the only project that its wallet is linked to; to none if there are two or none', async () => {
    const by = await createPayer(node, requirement.asset, 100_000n)
    expect(await projectOf(await buy({ by }))).toBeNull()
    await link(by.address, shop.id)
    expect(await projectOf(await buy({ by }))).toBe(shop.id)
    expect(await projectOf(await buy({ by, key: other.key }))).toBe(other.id)
    await link(by.address, other.id)
    const nobodys = await buy({ by })
    expect(await projectOf(nobodys)).toBeNull()
    for (const { key } of [shop, other]) expect((await get(`${list}/${nobodys}`, key)).status).toBe(404)
    expect((await get(`${list}/${nobodys}`, adminKey)).status).toBe(200)
  })
})

describe('the list', () => {
  it('shows each project its own payments, an administrator all, the newest first', async () => {
    const mine = [await buy({ key: shop.key }), await buy({ key: shop.key, path: verify })]
    const theirs = await buy({ key: other.key })
    const [newest, second] = await listed('')
    expect([newest?.id, second?.id]).toEqual(mine.toReversed())
    const ids = async (key: string) => (await listed('?limit=200', key)).map(({ id }) => id)
    expect(await ids(shop.key)).not.toContain(theirs)
    expect(await ids(other.key)).toEqual(expect.arrayContaining([theirs]))
    const all = await ids(adminKey)
    expect(all.slice(0, 3)).toEqual([theirs, ...mine.toReversed()])
    expect(new Set(all)).toEqual(new Set((await sql('select id from payments')).map(({ id }) => id)))
  })

  it('states for each what was bought, by whom, and how it was paid', async () => {
    const id = await buy({ key: shop.key, path: verify })
    const [{ txid, verified_at, settled_at }] = await sql('select * from payments where id = $1', [id])
    const newest = async () => (await listed('?limit=1'))[0]
    await expect.poll(newest).toEqual({
      id,
      status: 'delivered',
      payment_type: 'verify_bundle',
      tx_hash: txid,
      amount: '0.001',
      currency: 'TESTUSD',
      chain: 'eip155:31337',
      payer: payer.address,
      recipient: service.app.paymentsTo,
      endpoint: verify,
      receipt_id: null,
      verified_at: verified_at.toISOString(),
      settled_at: settled_at.toISOString(),
    })
    const { logs } = (await node.getTransactionReceipt(txid)) ?? {}
    expect(logs?.some(({ topics }) => topics[2] === zeroPadValue(service.app.paymentsTo, 32))).toBe(true)
  })

  it('is filtered by each filter, and by all of them together', async () => {
    const one = await buy({ key: shop.key })
    await copyOf(one, { ...unsettled, status: 'settling', currency: 'OTHERUSD' })
    await copyOf(one, { ...unsettled, status: 'verified', txid: null, network: 'eip155:1' })
    await copyOf(one, { ...unsettled, status: 'failed', failure_reason: 'settlement_reverted' })
    await copyOf(one, { ...unsettled, status: 'verified', txid: null, network: 'eip155:1', endpoint: verify })
    const all = await listed('?limit=200')
    const filters = {
      status: ['verified', 'settling', 'settled', 'delivered', 'failed'],
      currency: ['TESTUSD', 'OTHERUSD', 'NOSUCH', 'TESTUS'],
      chain: ['eip155:31337', 'eip155:1', 'eip155:3'],
      payment_type: ['fx_lookup', 'verify_bundle', 'iso_message'],
    }
    for (const [name, values] of Object.entries(filters)) {
      for (const value of values) {
        const fitting = all.filter(payment => new Map(Object.entries(payment)).get(name) === value)
        expect([name, value, await listed(`?limit=200&${name}=${value}`)]).toEqual([name, value, fitting])
      }
    }
    const together = await listed('?status=verified&chain=eip155:1&currency=TESTUSD&payment_type=verify_bundle')
    expect(together.map(({ endpoint }) => endpoint)).toEqual([verify])
    // A pending transaction may still be replaced by another.
    expect(all.find(({ status }) => status === 'settling')?.tx_hash).toBeNull()
    const failed = `payments(filter: { statuses: [FAILED] }) { totalCount nodes { failureReason settlementTx deliveredAt receipt { id } } }`
    const { data } = await service.api.graphql(`{ ${failed} }`, { key: shop.key })
    expect(data.payments).toEqual({
      totalCount: 1,
      nodes: [{ failureReason: 'settlement_reverted', settlementTx: null, deliveredAt: null, receipt: null }],
    })
  })

  it('is paged by limit and offset, and by cursor, without loss', async () => {
    const ids = (payments: Listed[]) => payments.map(({ id }) => id)
    const all = ids(await listed('?limit=200'))
    const parts: string[] = []
    for (let offset = 0; offset < all.length + 2; offset += 2)
      parts.push(...ids(await listed(`?limit=2&offset=${offset}`)))
    expect(parts).toEqual(all)
    const pages: string[] = []
    for (let after: string | null = null; ; ) {
      const query = `query ($after: String) { payments(first: 2, after: $after) { totalCount nodes { id } pageInfo { hasNextPage endCursor } } }`
      const { data } = await service.api.graphql(query, { key: shop.key, variables: { after } })
      expect(data.payments.totalCount).toBe(all.length)
      pages.push(...ids(data.payments.nodes))
      if (!data.payments.pageInfo.hasNextPage) break
      after = data.payments.pageInfo.endCursor
    }
    expect(pages).toEqual(all)
  })

  it.each(['status=paid', 'payment_type=fxLookup', 'limit=0', 'limit=201', 'offset=-1', 'page=2'])(
    'refuses %s',
    async query => {
      const { status, json } = await get(`${list}?${query}`, shop.key)
      expect([status, json.detail[0].loc]).toEqual([422, ['query', query.replace(/=.*/, '')]])
    },
  )
})

it('the live list tells when a payment leaves it, and nothing of other payers and projects', async () => {
  const own = await createPayer(node, requirement.asset, 1_000_000n)
  const { eventCursor } = (await service.api.graphql('{ eventCursor }', { key: shop.key })).data
  const filter = `filter: { payers: ["${own.address.toLowerCase()}"], hasReceipt: false }`
  const changes = followField(service.base, shop.key, 'paymentChanged', filter, 'type matches payment { id }')
  await buy({ key: shop.key })
  await buy({ key: other.key, by: own })
  const id = await buy({ key: shop.key, by: own })
  const moved = ['VERIFIED', 'SETTLING', 'SETTLED', 'DELIVERED'].map(change => [`PAYMENT_${change}`, true, { id }])
  const seen = () => changes.seen.map(({ data }) => [data.type, data.matches, data.payment])
  await expect.poll(seen).toEqual(moved)
  expect((await record(id)).status).toBe(200)
  await expect.poll(seen).toEqual([...moved, ['PAYMENT_RECORDED', false, { id }]])
  expect(changes.seen.every(change => BigInt(change.id) > BigInt(eventCursor))).toBe(true)
  await changes.stop()
  // A payment that joins a project joins its list.
  const nobodys = await buy()
  const joined = followField(service.base, shop.key, 'paymentChanged', '', 'type paymentId occurredAt')
  expect((await record(nobodys, adminKey, { project_id: shop.id })).status).toBe(200)
  await expect
    .poll(() => joined.seen.map(({ data }) => data))
    .toContainEqual(
      expect.objectContaining({ type: 'PAYMENT_RECORDED', paymentId: nobodys, occurredAt: expect.any(String) }),
    )
  await joined.stop()
})

describe('recording a payment', () => {
  const receiptOf = async (id: string) => {
    const query = `query ($id: ID!) { receipt(id: $id) { settlementTx chain amount currency senderWallet receiverWallet reference project { id } } }`
    return (await service.api.graphql(query, { key: adminKey, variables: { id } })).data.receipt
  }
  /** The receipt that a client would record by hand. */
  const tipOf = async (id: string) => {
    const [{ txid, payer, pay_to }] = await sql('select * from payments where id = $1', [id])
    return {
      tip_tx_hash: `0x${txid.slice(2).toUpperCase()}`,
      chain: 'eip155:31337',
      amount: '0.0010',
      currency: 'TESTUSD',
      sender_wallet: payer,
      receiver_wallet: pay_to,
    }
  }
  const linkOf = async (id: string) => (await get(`${list}/${id}`, shop.key)).json.receipt_id

  it('makes a receipt of its settlement, which goes through the whole pipeline and can be verified', async () => {
    const id = await buy({ key: shop.key })
    const shown = async () => (await get(`${list}/${id}`, shop.key)).json
    await expect.poll(shown).toMatchObject({ status: 'delivered' })
    const before = await shown()
    expect(before).toMatchObject({ receipt_id: null, receipt_status: null, bundle_hash: null, ledger_txid: null })
    const checksOf = async () => (await get(`${list}/${id}/compliance-checks`, shop.key)).json
    expect(await checksOf()).toEqual({ payment_id: id, receipt_id: null, decision: 'unavailable', checks: [] })

    const { status, json } = await record(id)
    const { receipt_id } = json
    expect([status, json]).toEqual([200, { payment_id: id, receipt_id, status: 'pending', created: true }])
    expect(await receiptOf(receipt_id)).toEqual({
      settlementTx: before.tx_hash,
      chain: 'eip155:31337',
      amount: '0.001',
      currency: 'TESTUSD',
      senderWallet: payer.address,
      receiverWallet: service.app.paymentsTo,
      reference: `x402:${id}`,
      project: { id: shop.id },
    })
    const { bundle_hash, bundle_url, ledger_txid } = await service.api.anchored(receipt_id)
    expect((await get(`${list}/${id}`, shop.key)).json).toEqual({
      ...before,
      ...{ receipt_id, receipt_status: 'anchored', bundle_hash, ledger_txid, flare_txid: ledger_txid },
    })
    const types = async () =>
      (await get(`/v1/iso/messages/${receipt_id}`)).json.map(({ type }: { type: string }) => type)
    await expect.poll(types).toEqual(expect.arrayContaining(['pain.001', 'pain.002', 'camt.054']))
    const { json: verdict } = await service.api.call('POST', '/v1/iso/verify', { body: { bundle_url } })
    expect(verdict).toMatchObject({ matches_onchain: true, bundle_hash, errors: [] })
    const { json: report } = await get(`/v1/receipts/${receipt_id}/compliance-checks`, shop.key)
    expect(await checksOf()).toEqual({ payment_id: id, ...report })
    const unavailable = { decision: 'unavailable', provider: 'none' }
    const settlement = { type: 'settlement', decision: 'allow', provider: 'eip155:31337' }
    expect(report).toMatchObject({ decision: 'unavailable', checks: [unavailable, unavailable, settlement] })
    expect((await trail(id)).at(-1)).toBe('payment.record')
    expect(await trail(receipt_id)).toEqual(['receipt.record', 'receipt.anchor'])
    expect((await record(id)).json).toEqual({ payment_id: id, receipt_id, status: 'anchored', created: false })
  })

  it('happens once, however many callers request it at the same time, and one of them creates it', async () => {
    const id = await buy({ key: shop.key })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => record(id, n % 2 === 0 ? shop.key : adminKey)),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ json }) => json.receipt_id)).size).toBe(1)
    expect(answers.filter(({ json }) => json.created)).toHaveLength(1)
    expect(await sql('select id from receipts where reference = $1', [`x402:${id}`])).toHaveLength(1)
    expect((await trail(id)).filter(action => action === 'payment.record')).toHaveLength(1)
    await service.api.anchored(answers[0]?.json.receipt_id)
  })

  it('whose receipt failed retries the receipt once, however many callers request it at the same time', async () => {
    const id = await buy({ key: shop.key })
    provider.answers(denies)
    await configureCompliance(service.api, { sanctions_provider: 'strict', sanctions_enforce: true })
    const { json } = await record(id)
    const state = async () => (await get(`${list}/${id}`, shop.key)).json.receipt_status
    await expect.poll(state).toBe('failed')
    const { json: report } = await get(`${list}/${id}/compliance-checks`, shop.key)
    expect(report).toMatchObject({ receipt_id: json.receipt_id, decision: 'deny' })
    expect(report.checks).toMatchObject([{ type: 'travel_rule' }, { type: 'sanctions', reason: 'on a list' }])
    provider.answers(allows)
    await configureCompliance(service.api, {})
    const answers = await Promise.all(Array.from({ length: 20 }, () => record(id)))
    for (const answer of answers) expect(answer.json).toMatchObject({ receipt_id: json.receipt_id, created: false })
    expect(answers.filter(answer => answer.json.status === 'failed')).toEqual([])
    await service.api.anchored(json.receipt_id)
    expect((await trail(json.receipt_id)).filter(action => action === 'receipt.retry')).toHaveLength(1)
  })

  it('links the receipt that the project recorded itself, if its values are the same', async () => {
    const id = await buy({ key: shop.key })
    const { json: tip } = await service.api.record(shop.key, await tipOf(id))
    const { json } = await record(id)
    expect(json).toMatchObject({ receipt_id: tip.receipt_id, created: false })
    expect(await linkOf(id)).toBe(tip.receipt_id)
    expect(await trail(tip.receipt_id)).toContain('receipt.record')
    expect((await trail(id)).at(-1)).toBe('payment.record')
  })

  it.each([
    { amount: '0.002' },
    { currency: 'USDC' },
    { sender_wallet: `0x${'12'.repeat(20)}` },
    { receiver_wallet: `0x${'12'.repeat(20)}` },
  ])('does not link a receipt with different values: %o', async change => {
    const id = await buy({ key: shop.key })
    await service.api.record(shop.key, { ...(await tipOf(id)), ...change })
    const { status, json } = await record(id)
    expect([status, json.detail, await linkOf(id)]).toEqual([409, 'conflict', null])
  })

  it('does not link another settlement with its reference', async () => {
    const id = await buy({ key: shop.key })
    await service.api.record(shop.key, { ...(await tipOf(id)), tip_tx_hash: random32(), reference: `x402:${id}` })
    expect([(await record(id)).status, await linkOf(id)]).toEqual([409, null])
  })

  it('links no receipt of another payment, even if the same transaction settled both', async () => {
    const id = await buy({ key: shop.key })
    const { json: tip } = await service.api.record(shop.key, await tipOf(id))
    const twin = await copyOf(id, {})
    const answers = await Promise.all([id, twin].map(each => record(each)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const links = await sql('select id from payments where receipt_id = $1', [tip.receipt_id])
    expect(links).toHaveLength(1)
    // The copy never paid, so the revenue must not count it.
    await sql(`update payments set status = 'failed', settled_at = null where id = $1`, [twin])
  })

  it('ignores receipts of the same settlement in other projects', async () => {
    const id = await buy({ key: shop.key })
    const { json: theirs } = await service.api.record(other.key, await tipOf(id))
    const { json } = await record(id)
    expect(json.created).toBe(true)
    expect(json.receipt_id).not.toBe(theirs.receipt_id)
  })

  it('requires a settled payment', async () => {
    const id = await buy({ key: shop.key })
    for (const status of ['verified', 'settling', 'failed']) {
      const { status: code, json } = await record(await copyOf(id, { ...unsettled, status }))
      expect([status, code, json.detail]).toEqual([status, 409, 'payment_not_settled'])
    }
    await sql(`update payments set status = 'settled', delivered_at = null where id = $1`, [id])
    expect((await record(id)).json.created).toBe(true)
    await sql(`update payments set status = 'delivered', delivered_at = now() where id = $1`, [id])
  })

  it('of a payment without project adds it to the project that an administrator names', async () => {
    const id = await buy()
    const unnamed = await record(id, adminKey)
    expect([unnamed.status, unnamed.json.detail]).toEqual([
      422,
      [{ loc: ['body', 'project_id'], msg: expect.stringContaining('no project'), type: 'missing' }],
    ])
    expect((await record(id, adminKey, { project_id: crypto.randomUUID() })).status).toBe(404)
    expect((await record(id, adminKey, { project_id: 'mine' })).status).toBe(422)
    expect((await record(id, shop.key, { project_id: shop.id })).status).toBe(404)
    const { status, json } = await record(id, adminKey, { project_id: shop.id })
    const { receipt_id } = json
    expect([status, json]).toEqual([200, { payment_id: id, receipt_id, status: 'pending', created: true }])
    expect(await receiptOf(receipt_id)).toMatchObject({ reference: `x402:${id}`, project: { id: shop.id } })
    expect(await linkOf(id)).toBe(receipt_id)
    expect((await trail(id)).at(-1)).toBe('payment.record')
    for (const again of [
      await record(id),
      await record(id, adminKey),
      await record(id, adminKey, { project_id: shop.id }),
    ])
      expect(again.json).toMatchObject({ receipt_id, created: false })
    expect((await get(`${list}/${id}`, other.key)).status).toBe(404)
    await service.api.anchored(receipt_id)
  })

  it('of a payment without project adds it to the only house project, where none is named', async () => {
    const house = await service.api.project('House')
    const mark = async (projectId: string, isHouse: boolean) =>
      service.api.graphql(
        'mutation ($input: MarkHouseProjectInput!) { markHouseProject(input: $input) { project { id } } }',
        {
          key: adminKey,
          variables: { input: { projectId, isHouse } },
        },
      )
    await mark(house.id, true)
    const { json } = await record(await buy(), adminKey)
    expect(await receiptOf(json.receipt_id)).toMatchObject({ project: { id: house.id } })
    // Between two house projects the choice is ambiguous.
    await mark(other.id, true)
    expect((await record(await buy(), adminKey)).status).toBe(422)
    await mark(other.id, false)
    await mark(house.id, false)
  })

  it('of a project’s payment is refused for any other project', async () => {
    const id = await buy({ key: shop.key })
    const { status, json } = await record(id, adminKey, { project_id: other.id })
    expect([status, json.detail, await linkOf(id)]).toEqual([409, 'conflict', null])
    expect((await record(id, adminKey, { project_id: shop.id })).json.created).toBe(true)
  })

  it('of a payment without project happens once, whatever projects are named at the same time', async () => {
    const id = await buy()
    const named = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? shop.id : other.id))
    const answers = await Promise.all(named.map(project_id => record(id, adminKey, { project_id })))
    expect(answers.filter(({ json }) => json.created === true)).toHaveLength(1)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200, 200, 200, 200, 200, 200, 409, 409, 409, 409, 409, 409,
    ])
    expect(await sql('select id from receipts where reference = $1', [`x402:${id}`])).toHaveLength(1)
  })

  it('is for callers who may write; for other projects the payment is absent', async () => {
    const id = await buy({ key: shop.key })
    const viewer = await service.api.key(shop.key, 'viewer')
    const writer = await service.api.key(shop.key, 'project')
    expect((await record(id, viewer)).status).toBe(403)
    const plain = ({ text, status }: { text: string; status: number }) => [
      status,
      text.replace(/"request_id":"[^"]*"/, ''),
    ]
    for (const path of ['', '/compliance-checks']) {
      const absent = await get(`${list}/${crypto.randomUUID()}${path}`, other.key)
      expect(absent.status).toBe(404)
      expect(plain(await get(`${list}/${id}${path}`, other.key))).toEqual(plain(absent))
    }
    expect(plain(await record(id, other.key))).toEqual(plain(await record(crypto.randomUUID(), other.key)))
    expect(await linkOf(id)).toBeNull()
    expect((await record(id, writer)).json.created).toBe(true)
  })
})

describe('the revenue', () => {
  const revenue = async (days?: number) =>
    (await get(`/v1/x402/revenue${days === undefined ? '' : `?days=${days}`}`, adminKey)).json
  type Part = { count: number; revenue: string }
  const units = (amount: string) => {
    const [whole = '', fraction = ''] = amount.split('.')
    return BigInt(whole + fraction.padEnd(6, '0'))
  }
  const sumOf = (parts: Part[]) => ({
    count: parts.reduce((sum, { count }) => sum + count, 0),
    units: parts.reduce((sum, part) => sum + units(part.revenue), 0n),
  })

  it('is the sum of the token’s transfers, and its parts add up', async () => {
    const filter = dollars(requirement.asset, node).filters.Transfer?.(null, service.app.paymentsTo)
    const transfers = await node.getLogs({
      fromBlock: 0,
      topics: (await filter?.getTopicFilter()) ?? [],
      address: requirement.asset,
    })
    const onChain = transfers.reduce((sum, { data }) => sum + BigInt(data), 0n)
    const found = await revenue()
    expect(found).toMatchObject({ days: 7, currency: 'TESTUSD', payment_count: transfers.length })
    expect(transfers.length).toBeGreaterThan(10)
    expect(units(found.total_revenue)).toBe(onChain)
    const whole = { count: transfers.length, units: onChain }
    expect([sumOf(found.by_endpoint), sumOf(found.by_day)]).toEqual([whole, whole])
    expect(found.by_endpoint.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([fx, verify])
    expect(found.by_day).toHaveLength(7)
    expect(found.by_day[0]).toMatchObject({ count: 0, revenue: '0' })
  })

  it('covers whole days in UTC, from midnight on', async () => {
    const first = await buy()
    const last = await buy()
    const midnight = `date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '3 days'`
    await sql(`update payments set settled_at = ${midnight} where id = $1`, [first])
    await sql(`update payments set settled_at = ${midnight} - interval '1 millisecond' where id = $1`, [last])
    const [three, four, five] = [await revenue(3), await revenue(4), await revenue(5)]
    expect([four.payment_count - three.payment_count, five.payment_count - four.payment_count]).toEqual([1, 1])
    expect(four.by_day[0]).toMatchObject({ count: 1, revenue: '0.001' })
    expect(five.by_day.slice(1)).toEqual(four.by_day)
    expect(new Set(five.by_day.map(({ date }: { date: string }) => date)).size).toBe(5)
  })

  it('excludes payments in another token', async () => {
    const before = await revenue()
    await copyOf(await buy(), { asset: `0x${'12'.repeat(20)}`, amount: '1000000' })
    const after = await revenue()
    expect(after.payment_count - before.payment_count).toBe(1)
    expect(units(after.total_revenue) - units(before.total_revenue)).toBe(1_000n)
  })

  it.each(['0', '366', 'x'])('is refused for %s days', async days => {
    const { status, json } = await get(`/v1/x402/revenue?days=${days}`, adminKey)
    expect([status, json.detail[0].loc]).toEqual([422, ['query', 'days']])
  })
})
