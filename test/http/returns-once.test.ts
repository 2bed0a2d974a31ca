// A return that is recorded as a payment and as a refund: one entry in accounts, and never more refunds than it moved.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readOnChainStatement } from '../../src/modules/iso20022/reader.ts'
import { type Service, startService, type Tip } from '../kit/service.ts'

let service: Service
let shop: { id: string; key: string }
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const hash = () => `0x${randomBytes(32).toString('hex')}`
const merchant = `0x${'aa'.repeat(20)}`
const customer = `0x${'bb'.repeat(20)}`

const recorded = async (tip: Partial<Tip>): Promise<string> =>
  (await service.api.record(shop.key, { sender_wallet: customer, receiver_wallet: merchant, amount: '10', ...tip }))
    .json.receipt_id
const paid = async (tip: Partial<Tip> = {}) => (await service.api.anchored(await recorded(tip))).id
const returned = { sender_wallet: merchant, receiver_wallet: customer }
const refund = (original_receipt_id: string, body: object) =>
  service.api.call('POST', '/v1/iso/refund', { body: { original_receipt_id, ...body }, key: shop.key })
const refunded = async (original: string, body: object): Promise<string> =>
  (await refund(original, body)).json.refund_receipt_id

/** Returns what the account on which the shop is paid holds, and by how many entries. */
async function books() {
  const { data } = await service.api.graphql('mutation { generateStatement(input: {}) { statement { url } } }', {
    key: shop.key,
  })
  const accounts = readOnChainStatement(await (await fetch(data.generateStatement.statement.url)).text())?.accounts
  const { entries, closing } = accounts?.find(({ wallet }) => wallet === merchant) ?? {}
  return { entries, closing }
}
const countedAs = async (id: string) =>
  (await service.api.graphql(`{ receipt(id: "${id}") { countedAs { id } } }`, { key: shop.key })).data.receipt.countedAs
const filesOf = async (id: string) =>
  ((await service.api.call('GET', `/v1/iso/messages/${id}`)).json as { type: string }[])
    .map(({ type }) => type)
    .toSorted()

describe('a return that is recorded twice is one entry:', () => {
  it('that of the refund, where it was booked first', async () => {
    shop = await service.api.project()
    const original = await paid()
    const tx = hash()
    const id = await refunded(original, { amount: '4', refund_tx_hash: tx })
    await service.api.anchored(id)
    expect(await books()).toEqual({ entries: 2, closing: '6' })
    const payment = await paid({ ...returned, tip_tx_hash: tx, amount: '4' })
    expect(await books()).toEqual({ entries: 2, closing: '6' })
    expect([await countedAs(payment), await countedAs(id)]).toEqual([{ id }, null])
    // A notification is imported as an entry too.
    await expect.poll(() => filesOf(payment)).toEqual(['pain.001', 'pain.002'])
    await expect.poll(() => filesOf(id)).toEqual(['camt.054', 'pacs.002', 'pacs.004'])
    const seen = await service.api.graphql(`{ receipt(id: "${payment}") { id countedAs { id } } }`)
    expect([seen.data.receipt.countedAs, seen.errors[0].extensions.code]).toEqual([null, 'unauthenticated'])
  })

  it('that of the payment, where it was booked first, however the transaction is written', async () => {
    shop = await service.api.project()
    const original = await paid()
    const tx = hash()
    const payment = await paid({ ...returned, tip_tx_hash: tx, amount: '4' })
    expect(await books()).toEqual({ entries: 2, closing: '6' })
    const id = await refunded(original, { amount: '4', refund_tx_hash: tx.slice(2).toUpperCase() })
    await service.api.anchored(id)
    expect(await books()).toEqual({ entries: 2, closing: '6' })
    expect([await countedAs(payment), await countedAs(id)]).toEqual([null, { id: payment }])
  })

  it('that of the payment, where an announced refund is settled by it', async () => {
    shop = await service.api.project()
    const original = await paid()
    const tx = hash()
    const id = await refunded(original, { amount: '4' })
    await service.api.anchored(id)
    const payment = await paid({ ...returned, tip_tx_hash: tx, amount: '4' })
    const confirm = `mutation { confirmRefund(input: { receiptId: "${id}", refundTx: "${tx}" }) { refund { isSettled countedAs { id } } } }`
    const { data } = await service.api.graphql(confirm, { key: shop.key })
    expect(data.confirmRefund.refund).toEqual({ isSettled: true, countedAs: { id: payment } })
    expect(await books()).toEqual({ entries: 2, closing: '6' })
    await expect.poll(async () => (await fetch(`${service.base}/files/${id}/pacs002-settled.xml`)).status).toBe(200)
    expect((await fetch(`${service.base}/files/${id}/camt054-settled.xml`)).status).toBe(404)
  })

  it('one of them, where both are recorded at the same time', async () => {
    shop = await service.api.project()
    const original = await paid()
    const txs = Array.from({ length: 10 }, hash)
    const told = await Promise.all(
      txs.flatMap(tx => [
        refunded(original, { amount: '0.4', refund_tx_hash: tx }),
        recorded({ ...returned, tip_tx_hash: tx, amount: '0.4' }),
      ]),
    )
    for (const id of told) await service.api.anchored(id)
    expect(await books()).toEqual({ entries: 11, closing: '6' })
  })

  it('that of what was booked first, where one names the transaction and the other the transfer in it', async () => {
    shop = await service.api.project()
    const original = await paid()
    for (const [index, [ofPayment, ofRefund]] of [
      ['', '#3'],
      ['#3', ''],
    ].entries()) {
      const [first, second] = [hash(), hash()]
      const payment = await paid({ ...returned, tip_tx_hash: first + ofPayment, amount: '1' })
      const id = await refunded(original, { amount: '1', refund_tx_hash: first + ofRefund })
      await service.api.anchored(id)
      const booked = await refunded(original, { amount: '1', refund_tx_hash: second + ofRefund })
      await service.api.anchored(booked)
      const later = await paid({ ...returned, tip_tx_hash: second + ofPayment, amount: '1' })
      expect(await Promise.all([payment, id, booked, later].map(countedAs))).toEqual([
        null,
        { id: payment },
        null,
        { id: booked },
      ])
      expect(await books()).toEqual({ entries: 3 + 2 * index, closing: `${8 - 2 * index}` })
    }
  })

  it('and two, where two transfers in one transaction moved the same amount', async () => {
    shop = await service.api.project()
    const original = await paid()
    const [first, second] = [hash(), hash()]
    const leg = await paid({ ...returned, tip_tx_hash: `${first}#1`, amount: '1' })
    const id = await refunded(original, { amount: '1', refund_tx_hash: `${first}#2` })
    await service.api.anchored(id)
    expect(await Promise.all([leg, id].map(countedAs))).toEqual([null, null])
    // A refund of the whole transaction is one of the two transfers in it, and not both.
    const whole = await refunded(original, { amount: '2', refund_tx_hash: second })
    await service.api.anchored(whole)
    const legs = [
      await paid({ ...returned, tip_tx_hash: `${second}#1`, amount: '2' }),
      await paid({ ...returned, tip_tx_hash: `${second}#2`, amount: '2' }),
    ]
    expect(await Promise.all([whole, ...legs].map(countedAs))).toEqual([null, { id: whole }, null])
    expect(await books()).toEqual({ entries: 5, closing: '4' })
    // And so with a payment that is told as the whole transaction.
    const third = hash()
    const payment = await paid({ ...returned, tip_tx_hash: third, amount: '0.5' })
    const parts = [
      await refunded(original, { amount: '0.5', refund_tx_hash: `${third}#1` }),
      await refunded(original, { amount: '0.5', refund_tx_hash: `${third}#2` }),
    ]
    for (const part of parts) await service.api.anchored(part)
    const counted = await Promise.all([payment, ...parts].map(countedAs))
    expect(counted.filter(entry => entry?.id === payment)).toHaveLength(1)
    expect(await books()).toEqual({ entries: 7, closing: '3' })
  })

  it('that of the payment, where a part of it was booked as a refund before: nothing of it is lost', async () => {
    shop = await service.api.project()
    const [first, second] = [await paid(), await paid()]
    const tx = hash()
    const part = await refunded(first, { amount: '4', refund_tx_hash: tx })
    await service.api.anchored(part)
    await expect.poll(() => filesOf(part)).toContain('camt.054')
    const { pool } = service.app
    const ofPart = `select sha256 from artifacts where receipt_id = $1 and type = 'camt.054'`
    const { rows: notification } = await pool.query(ofPart, [part])
    const payment = await paid({ ...returned, tip_tx_hash: tx, amount: '10' })
    expect(await Promise.all([part, payment].map(countedAs))).toEqual([{ id: payment }, null])
    expect(await books()).toEqual({ entries: 3, closing: '10' })
    await expect.poll(() => filesOf(payment)).toContain('camt.054')
    expect(await filesOf(part)).toEqual(['pacs.002', 'pacs.004'])
    // An erasure of the receipt could not find its content any more.
    const left = 'select from blobs where sha256 = $1 and erased_at is null'
    expect((await pool.query(left, [notification[0].sha256])).rowCount).toBe(0)
    // The rest is no further movement.
    const rest = await refunded(second, { amount: '6', refund_tx_hash: tx })
    await service.api.anchored(rest)
    expect(await countedAs(rest)).toEqual({ id: payment })
    expect(await books()).toEqual({ entries: 3, closing: '10' })
  })

  it('those of the refunds, where they make up the payment together', async () => {
    shop = await service.api.project()
    const [first, second] = [await paid(), await paid()]
    const tx = hash()
    const parts = [
      await refunded(first, { amount: '4', refund_tx_hash: tx }),
      await refunded(second, { amount: '6', refund_tx_hash: tx }),
    ]
    for (const part of parts) await service.api.anchored(part)
    const payment = await paid({ ...returned, tip_tx_hash: tx, amount: '10' })
    expect(parts).toContain((await countedAs(payment))?.id)
    expect(await Promise.all(parts.map(countedAs))).toEqual([null, null])
    expect(await books()).toEqual({ entries: 4, closing: '10' })
  })

  it('that of a refund, where a statement has it: past statements stay, and the rest is booked by what states it', async () => {
    shop = await service.api.project()
    const [first, second] = [await paid(), await paid()]
    const tx = hash()
    const part = await refunded(first, { amount: '4', refund_tx_hash: tx })
    await service.api.anchored(part)
    // The first statement of the series opens with it.
    await service.app.pool.query('update projects set series_from = now() where id = $1', [shop.id])
    const payment = await paid({ ...returned, tip_tx_hash: tx, amount: '10' })
    expect(await Promise.all([part, payment].map(countedAs))).toEqual([null, { id: part }])
    const rest = await refunded(second, { amount: '6', refund_tx_hash: tx })
    await service.api.anchored(rest)
    const { rows } = await service.app.pool.query(
      'select id from receipts where id = any($1::uuid[]) and booked_at is not null order by created_at',
      [[part, payment, rest]],
    )
    expect(rows.map(({ id }) => id)).toEqual([part, rest])
  })

  it('and two, where one transaction paid two wallets, or gave two payments back', async () => {
    shop = await service.api.project()
    const [first, second] = [await paid(), await paid()]
    const tx = hash()
    const ids = [
      await refunded(first, { amount: '1', refund_tx_hash: tx }),
      await refunded(second, { amount: '1', refund_tx_hash: tx }),
      await recorded({ ...returned, receiver_wallet: `0x${'dd'.repeat(20)}`, tip_tx_hash: tx, amount: '1' }),
    ]
    for (const id of ids) await service.api.anchored(id)
    expect(await Promise.all(ids.map(countedAs))).toEqual([null, null, null])
    expect(await books()).toEqual({ entries: 5, closing: '17' })
  })
})

describe('refunds by one transaction', () => {
  it('are at most what it moved, where the project recorded that', async () => {
    shop = await service.api.project()
    const [first, second] = [await paid(), await paid()]
    const tx = hash()
    await paid({ ...returned, tip_tx_hash: tx, amount: '6' })
    const whole = await refund(first, { refund_tx_hash: tx })
    expect([whole.status, whole.json]).toMatchObject([409, { detail: 'refund_too_large', left: '6' }])
    expect(whole.json.message).toMatch(/^`amount` is 10 USDC, .* recorded as a payment of 6 USDC, .* 6 are left/)
    const id = await refunded(first, { amount: '4', refund_tx_hash: tx })
    expect((await refund(second, { amount: '3', refund_tx_hash: tx })).json).toMatchObject({
      detail: 'refund_too_large',
      left: '2',
    })
    const announced = await refunded(second, { amount: '3' })
    expect((await refund(second, { amount: '3', refund_tx_hash: tx })).json.left).toBe('2')
    const confirm = `mutation { confirmRefund(input: { receiptId: "${announced}", refundTx: "${tx}" }) { refund { id } } }`
    const { errors } = await service.api.graphql(confirm, { key: shop.key })
    expect(errors[0].extensions).toEqual({ code: 'refund_too_large', left: '2' })
    expect((await refund(second, { amount: '2', refund_tx_hash: tx })).status).toBe(200)
    // The first is repeated, though nothing is left.
    expect(await refunded(first, { amount: '4', refund_tx_hash: tx })).toBe(id)
  })

  it('are at most what it moved, however many payments are refunded by it at the same time', async () => {
    shop = await service.api.project()
    const originals = await Promise.all(Array.from({ length: 12 }, () => paid()))
    const tx = hash()
    await paid({ ...returned, tip_tx_hash: tx, amount: '5' })
    const answers = await Promise.all(originals.map(id => refund(id, { amount: '1', refund_tx_hash: tx })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ json }) => json.detail === 'refund_too_large')).toHaveLength(7)
  })

  it('are at most what it moved, also where one names the transaction and the other the transfer in it', async () => {
    shop = await service.api.project()
    const [first, second] = [await paid(), await paid()]
    for (const [ofPayment, ofRefund] of [
      ['', '#3'],
      ['#3', ''],
    ] as const) {
      const tx = hash()
      await paid({ ...returned, tip_tx_hash: tx + ofPayment, amount: '2' })
      expect((await refund(first, { amount: '2', refund_tx_hash: tx + ofRefund })).status).toBe(200)
      const again = await refund(second, { amount: '2', refund_tx_hash: tx + ofRefund })
      expect([again.status, again.json]).toMatchObject([409, { detail: 'refund_too_large', left: '0' }])
      // Another transfer in the transaction moved its own amount.
      const other = await refund(second, { amount: '2', refund_tx_hash: `${tx}#4` })
      expect(other.status).toBe(200)
    }
  })

  it('are not limited by what another project recorded', async () => {
    shop = await service.api.project('Another')
    const tx = hash()
    await paid({ ...returned, tip_tx_hash: tx, amount: '1' })
    shop = await service.api.project()
    const original = await paid()
    const id = await refunded(original, { refund_tx_hash: tx })
    await service.api.anchored(id)
    expect(await countedAs(id)).toBeNull()
  })
})
