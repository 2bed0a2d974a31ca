// Refunds in parts: several refunds of one payment, up to its amount, each a receipt with its own transaction and
// pacs.004.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlOf } from '../../src/kit/transaction.ts'
import { webhookBody } from '../../src/modules/events/data.ts'
import { readProjectLog } from '../../src/modules/events/log.ts'
import { readOnChainPayments, readOnChainStatement } from '../../src/modules/iso20022/reader.ts'
import { type Service, startService, type Tip } from '../kit/service.ts'
import { openIsoValidator, skipWithoutSchemas, withXml } from '../kit/xsd.ts'

let service: Service
let shop: { id: string; key: string }
beforeAll(async () => {
  service = await startService()
  shop = await service.api.project()
})
afterAll(() => service.stop())

const hash = () => `0x${randomBytes(32).toString('hex')}`
const merchant = `0x${'aa'.repeat(20)}`
const customer = `0x${'bb'.repeat(20)}`

async function paid(tip: Partial<Tip> = {}, key = shop.key): Promise<string> {
  const { json } = await service.api.record(key, {
    amount: '10',
    sender_wallet: customer,
    receiver_wallet: merchant,
    ...tip,
  })
  return (await service.api.anchored(json.receipt_id)).id
}
const refund = (original: string, body: object = {}, key: string | undefined = shop.key) =>
  service.api.call('POST', '/v1/iso/refund', {
    body: { original_receipt_id: original, ...body },
    ...(key !== undefined && { key }),
  })
const idOf = async (original: string, body: object) => (await refund(original, body)).json.refund_receipt_id
type Part = { id: string; reference: string; amount: string; isSettled: boolean; refundableAmount: string | null }
const partsOf = async (original: string, key = shop.key) => {
  const { data } = await service.api.graphql(
    `{ receipt(id: "${original}") { refundableAmount refunds(first: 100) { nodes { id reference amount isSettled refundableAmount } } } }`,
    { key },
  )
  const { refundableAmount, refunds } = data.receipt
  const parts: Part[] = refunds.nodes.toReversed()
  return { refundableAmount, refunds: parts }
}
const numbered = (xml: string, tag: string) => new RegExp(`<${tag}(?: [^>]*)?>([^<]*)`).exec(xml)?.[1]
const fetched = async (url: string) => (await fetch(url)).text()

describe('refunds in parts', () => {
  it('have a receipt each, with a pacs.004 of its own, and what is left goes down to zero', async () => {
    const original = await paid({ amount: '10.000000000000000001' })
    const validator = skipWithoutSchemas ? null : openIsoValidator('pacs.004.001.09')
    const parts = ['4', '3.5', '2.500000000000000001']
    const left = ['6.000000000000000001', '2.500000000000000001', '0']
    for (const [index, amount] of parts.entries()) {
      const refund_tx_hash = hash()
      const { status, json } = await refund(original, { amount, refund_tx_hash, reason_code: 'FOCR' })
      expect([status, json]).toEqual([200, { refund_receipt_id: expect.any(String), status: 'pending' }])
      expect((await partsOf(original)).refundableAmount).toBe(left[index])
      const { xml_url, bundle_url } = await service.api.anchored(json.refund_receipt_id)
      const xml = await fetched(xml_url)
      expect(withXml(xml, document => validator?.faults(document) ?? [])).toEqual([])
      expect(numbered(xml, 'RtrdIntrBkSttlmAmt')).toBe(amount.slice(0, 3))
      expect(numbered(xml, 'OrgnlIntrBkSttlmAmt')).toBe('10')
      const reference = `refund:${original}${index === 0 ? '' : `:${index + 1}`}`
      expect(readOnChainPayments(xml)).toMatchObject([
        {
          amount,
          reference,
          txHash: refund_tx_hash,
          refundOf: { receiptId: original, amount: '10.000000000000000001' },
        },
      ])
      const verified = await service.api.call('POST', '/v1/iso/verify', { body: { bundle_url } })
      expect(verified.json).toMatchObject({ matches_onchain: true, errors: [] })
    }
    validator?.close()
    const { refunds } = await partsOf(original)
    expect(refunds.map(({ amount }) => amount)).toEqual(parts)
    expect(refunds.map(part => part.refundableAmount)).toEqual([null, null, null])
  })

  it('are refused above what is left, which the answer says, and nothing is recorded', async () => {
    const original = await paid()
    await refund(original, { amount: '4', refund_tx_hash: hash() })
    const tooMuch = await refund(original, { amount: '6.000000000000000001', refund_tx_hash: hash() })
    expect([tooMuch.status, tooMuch.json]).toEqual([
      409,
      {
        detail: 'refund_too_large',
        left: '6',
        message: expect.stringMatching(/^`amount` is 6\.000000000000000001 USDC, .* only 6 are left/),
        request_id: expect.any(String),
      },
    ])
    // Without an amount it is the whole payment.
    expect((await refund(original, { refund_tx_hash: hash() })).json).toMatchObject({
      detail: 'refund_too_large',
      left: '6',
    })
    expect((await refund(original)).json).toMatchObject({ detail: 'refund_too_large', left: '6' })
    const { errors } = await service.api.graphql(
      `mutation { refundReceipt(input: { originalReceiptId: "${original}", amount: "7" }) { refund { id } } }`,
      { key: shop.key },
    )
    expect(errors[0].extensions).toEqual({ code: 'refund_too_large', left: '6' })
    expect(await partsOf(original)).toMatchObject({ refundableAmount: '6', refunds: [{ amount: '4' }] })
    expect((await refund(original, { amount: '6', refund_tx_hash: hash() })).status).toBe(200)
    expect((await refund(original, { amount: '0.1', refund_tx_hash: hash() })).json.left).toBe('0')
  })

  it('never exceed the payment together, however many are requested at the same time', async () => {
    const original = await paid()
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => refund(original, { amount: '0.7', refund_tx_hash: hash() })),
    )
    const made = answers.filter(({ status }) => status === 200)
    expect(made).toHaveLength(14)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ json }) => json.detail))).toEqual(
      new Set(['refund_too_large']),
    )
    const { refundableAmount, refunds } = await partsOf(original)
    expect([refundableAmount, refunds.length]).toEqual(['0.2', 14])
    expect(new Set(refunds.map(part => part.reference)).size).toBe(14)
  })

  it('are one when the same part is requested many times at once, and a part of the same size by another transaction is another', async () => {
    const original = await paid()
    const [first, second] = [hash(), hash()]
    const asked = (refund_tx_hash: string) =>
      Array.from({ length: 12 }, () => idOf(original, { amount: '4', refund_tx_hash }))
    const ids = await Promise.all([...asked(first), ...asked(second)])
    expect(new Set(ids).size).toBe(2)
    expect((await partsOf(original)).refundableAmount).toBe('2')
  })

  it('are recognised by their transaction as it is written anywhere, and each transfer in it is its own', async () => {
    const original = await paid()
    const tx = hash()
    const id = await idOf(original, { amount: '4', refund_tx_hash: tx })
    expect(await idOf(original, { amount: '4.00', refund_tx_hash: tx.slice(2).toUpperCase() })).toBe(id)
    // The amount need not be repeated; another amount is no repetition.
    expect(await idOf(original, { refund_tx_hash: tx })).toBe(id)
    const other = await refund(original, { amount: '5', refund_tx_hash: tx })
    expect([other.status, other.json.detail]).toEqual([409, 'conflict'])
    expect(other.json.message).toContain('`amount` is 5')
    const legs = [
      await idOf(original, { amount: '1', refund_tx_hash: `${tx}#1` }),
      await idOf(original, { amount: '1', refund_tx_hash: `${tx}#2` }),
    ]
    expect(await idOf(original, { amount: '1', refund_tx_hash: `${tx.toUpperCase().replace('X', 'x')}#1` })).toBe(
      legs[0],
    )
    expect(new Set([id, ...legs]).size).toBe(3)
    const wrong = await refund(original, { amount: '1', refund_tx_hash: `${tx}#x` })
    expect([wrong.status, wrong.json.detail[0].loc]).toEqual([422, ['body', 'refund_tx_hash']])
  })

  it('are one for the whole transaction and a transfer in it, if the amounts are equal', async () => {
    const original = await paid()
    const [tx, other] = [hash(), hash()]
    const id = await idOf(original, { amount: '3', refund_tx_hash: tx })
    expect(await idOf(original, { amount: '3', refund_tx_hash: `${tx}#5` })).toBe(id)
    const leg = await idOf(original, { amount: '2', refund_tx_hash: `${other}#1` })
    expect(await idOf(original, { amount: '2', refund_tx_hash: other })).toBe(leg)
    const second = await idOf(original, { amount: '2', refund_tx_hash: `${other}#2` })
    expect(await partsOf(original)).toMatchObject({
      refundableAmount: '3',
      refunds: [{ id }, { id: leg }, { id: second }],
    })
  })

  it('are settled by a transaction each: one that settled a part settles no other part of the payment', async () => {
    const original = await paid()
    const tx = hash()
    const confirmed = async (id: string, refundTx: string) => {
      const { data, errors } = await service.api.graphql(
        `mutation { confirmRefund(input: { receiptId: "${id}", refundTx: "${refundTx}" }) { refund { isSettled } } }`,
        { key: shop.key },
      )
      return errors?.[0] ?? data.confirmRefund.refund.isSettled
    }
    const first = await idOf(original, { amount: '3' })
    expect(await confirmed(first, tx)).toBe(true)
    const second = await idOf(original, { amount: '3' })
    expect(second).not.toBe(first)
    for (const told of [tx, tx.slice(2).toUpperCase(), `${tx}#4`]) {
      const { message, extensions } = await confirmed(second, told)
      expect([extensions.code, message]).toEqual(['conflict', expect.stringContaining(first)])
    }
    const other = await idOf(original, { amount: '2' })
    const { message, extensions } = await confirmed(other, tx)
    expect([extensions.code, message]).toEqual([
      'conflict',
      expect.stringContaining(`${first} of the same payment, of 3.`),
    ])
    // A transfer of another amount is another one.
    expect(await confirmed(other, `${tx}#4`)).toBe(true)
    expect(await confirmed(first, `${tx}#9`)).toBe(true)
    expect(await confirmed(second, hash())).toBe(true)
  })

  it('are not by the transaction of the payment itself, but can be by another transfer in it', async () => {
    const [tx, own] = [hash(), hash()]
    const [whole, leg] = [await paid({ tip_tx_hash: own }), await paid({ tip_tx_hash: `${tx}#3` })]
    for (const [original, refund_tx_hash] of [
      [leg, tx],
      [leg, `${tx}#3`],
      [leg, `${tx.slice(2)}#03`],
      [whole, own],
      [whole, `${own}#3`],
    ] as const) {
      const { status, json } = await refund(original, { refund_tx_hash })
      expect([refund_tx_hash, status, json.detail[0]?.loc]).toEqual([refund_tx_hash, 422, ['body', 'refund_tx_hash']])
    }
    expect((await refund(leg, { refund_tx_hash: `${tx}#4` })).status).toBe(200)
  })

  it('can be announced: a repeated request returns the part, and its transaction settles it', async () => {
    const shop = await service.api.project('Shop of parts')
    const original = await paid({}, shop.key)
    const ask = (body: object) => refund(original, body, shop.key)
    const id = (await ask({ amount: '4' })).json.refund_receipt_id
    expect((await ask({ amount: '4' })).json.refund_receipt_id).toBe(id)
    const second = (await ask({ amount: '3' })).json.refund_receipt_id
    expect(await partsOf(original, shop.key)).toMatchObject({
      refundableAmount: '3',
      refunds: [
        { id, isSettled: false },
        { id: second, isSettled: false },
      ],
    })
    await Promise.all([id, second].map(part => service.api.anchored(part)))
    const balance = async () => {
      const { data } = await service.api.graphql('mutation { generateStatement(input: {}) { statement { url } } }', {
        key: shop.key,
      })
      const [account] = readOnChainStatement(await fetched(data.generateStatement.statement.url))?.accounts ?? []
      return account?.closing
    }
    expect(await balance()).toBe('10')
    const tx = hash()
    expect((await ask({ amount: '4', refund_tx_hash: tx })).json.refund_receipt_id).toBe(id)
    expect(await balance()).toBe('6')
    // Confirmed by the id of the part, whose amount nobody repeats.
    const confirm = `mutation { confirmRefund(input: { receiptId: "${second}", refundTx: "${hash()}" }) { refund { id isSettled amount } } }`
    const { data } = await service.api.graphql(confirm, { key: shop.key })
    expect(data.confirmRefund.refund).toEqual({ id: second, isSettled: true, amount: '3' })
    expect(await balance()).toBe('3')
    // A settled part is repeated by its transaction alone: a part of this amount without one is a further part.
    const third = (await ask({ amount: '3' })).json.refund_receipt_id
    expect([id, second]).not.toContain(third)
    expect((await partsOf(original, shop.key)).refundableAmount).toBe('0')
  })

  it('take nothing from a refund of the whole payment, which is as it was', async () => {
    const original = await paid()
    const id = await idOf(original, {})
    expect(await idOf(original, { amount: '10' })).toBe(id)
    expect((await refund(original, { amount: '1' })).json).toMatchObject({ detail: 'refund_too_large', left: '0' })
    const tx = hash()
    expect(await idOf(original, { refund_tx_hash: tx })).toBe(id)
    expect(await idOf(original, {})).toBe(id)
    expect((await refund(original, { refund_tx_hash: hash() })).json.detail).toBe('conflict')
  })

  it('tell each event with its own refund and amount', async () => {
    const shop = await service.api.project('Shop with events')
    const original = await paid({}, shop.key)
    const ids: string[] = []
    for (const amount of ['1.5', '2.5'])
      ids.push((await refund(original, { amount, refund_tx_hash: hash() }, shop.key)).json.refund_receipt_id)
    const announced = (await refund(original, { amount: '6' }, shop.key)).json.refund_receipt_id
    await refund(original, { amount: '6', refund_tx_hash: hash() }, shop.key)
    const told = (await readProjectLog(sqlOf(service.app.pool), shop.id, '0'))
      .filter(({ type }) => type === 'receipt.refunded')
      .map(event => webhookBody(event, service.base)?.data)
    expect(told).toMatchObject([
      { receipt_id: original, refund_receipt_id: ids[0], refund_amount: '1.5', refund_settled: true },
      { receipt_id: original, refund_receipt_id: ids[1], refund_amount: '2.5', refund_settled: true },
      { receipt_id: original, refund_receipt_id: announced, refund_amount: '6', refund_settled: false },
      { receipt_id: original, refund_receipt_id: announced, refund_amount: '6', refund_settled: true },
    ])
    // An event from before, when a receipt had one refund, does not name it.
    await service.app.pool.query('update events set refund_id = null where receipt_id = $1', [original])
    const [old] = (await readProjectLog(sqlOf(service.app.pool), shop.id, '0')).filter(
      ({ type }) => type === 'receipt.refunded',
    )
    expect(old).toMatchObject({ refundId: ids[0] })
  })

  it('are for writers of the payment’s project, and so is what is left', async () => {
    const original = await paid()
    const other = await service.api.project('Another')
    const viewer = await service.api.key(shop.key, 'viewer')
    const body = { amount: '1', refund_tx_hash: hash() }
    const answers = [
      await refund(original, body, viewer),
      await refund(original, body, other.key),
      await service.api.call('POST', '/v1/iso/refund', { body: { original_receipt_id: original, ...body } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 404, 401])
    const asked = `{ receipt(id: "${original}") { id refundableAmount } }`
    const seen = await service.api.graphql(asked, { key: viewer })
    expect(seen.data.receipt.refundableAmount).toBe('10')
    for (const key of [other.key, undefined]) {
      const { data, errors } = await service.api.graphql(asked, { ...(key && { key }) })
      expect([data.receipt.refundableAmount, errors[0].extensions.code]).toEqual([
        null,
        key ? 'forbidden' : 'unauthenticated',
      ])
    }
  })

  it.each(['0', '-1', '1e3', '1,5', ' 1', '', 1, '0.0000000000000000001', '100000000000000000000'])(
    'need an amount that is one: %j is refused by its name',
    async amount => {
      const { status, json } = await refund('00000000-0000-4000-8000-000000000000', { amount })
      expect([status, json.detail[0].loc]).toEqual([422, ['body', 'amount']])
    },
  )

  it('do not replace a receipt that has the reference of the next part', async () => {
    const original = await paid()
    await refund(original, { amount: '1', refund_tx_hash: hash() })
    await service.api.record(shop.key, { reference: `refund:${original}:2` })
    const { status, json } = await refund(original, { amount: '1', refund_tx_hash: hash() })
    expect([status, json.detail]).toEqual([409, 'conflict'])
  })

  it('are part of the command language of agents', async () => {
    const original = await paid()
    const { json: agent } = await service.api.call('POST', '/v1/agents', {
      key: shop.key,
      body: { name: 'Clerk', wallet_address: `0x${'cc'.repeat(20)}` },
    })
    const said = async (command: string) =>
      (await service.api.call('POST', `/v1/agents/${agent.id}/test`, { key: shop.key, body: { command } })).json
        .response
    expect(await said(`refund ${original} 2.5 CUST`)).toContain(` 2.5 USDC refund:${original}`)
    expect(await said(`refund ${original} 8`)).toContain('only 7.5 are left')
  })
})
