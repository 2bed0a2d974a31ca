// Paid refunds: only for the parties of the receipt, and charged only when they can be created.
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { wrapFetchWithPayment } from '@x402/fetch'
import { JsonRpcProvider } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PaymentRequirement } from '../../src/ports/payment-facilitator.ts'
import { clientOf, createPayer, dollars, type Payer, pay } from '../kit/payer.ts'
import { adminKey, type Service, startService, type Tip } from '../kit/service.ts'

const path = '/v1/x402/premium/refund'

let service: Service
let node: JsonRpcProvider
let requirement: PaymentRequirement
let payer: Payer
let shop: { id: string; key: string }
/** Anchored receipts of which the payer is a party. */
let own: string[]
beforeAll(async () => {
  service = await startService()
  node = new JsonRpcProvider(service.localChain ?? '', 31337, { staticNetwork: true, cacheTimeout: -1 })
  const { facilitator, paymentsTo: payTo } = service.app
  if (facilitator === null) throw new Error('no facilitator')
  requirement = await facilitator.requirement({ amount: '0.003', payTo, maxTimeoutSeconds: 120 })
  payer = await createPayer(node, requirement.asset, 1_000_000n)
  shop = await service.api.project()
  own = await Promise.all(Array.from({ length: 5 }, () => anchored({ sender_wallet: payer.address })))
})
afterAll(async () => {
  node?.destroy()
  await service.stop()
})

const post = (receipt: string, header?: string, more: object = {}) =>
  service.api.call('POST', path, {
    body: { original_receipt_id: receipt, ...more },
    headers: header === undefined ? {} : { 'PAYMENT-SIGNATURE': header },
  })
const balance = (): Promise<bigint> => dollars(requirement.asset, node).getFunction('balanceOf')(payer.address)
const recorded = async (tip: Partial<Tip> = {}): Promise<string> =>
  (await service.api.record(shop.key, tip)).json.receipt_id
const anchored = async (tip: Partial<Tip> = {}): Promise<string> => (await service.api.anchored(await recorded(tip))).id

describe('a party of the receipt', () => {
  it('buys a refund with the official client, which goes through the whole pipeline; a second one returns the first', async () => {
    const original = await anchored({ sender_wallet: payer.wallet.address, amount: '7.25' })
    const challenge = decodePaymentRequiredHeader((await post(original)).headers.get('payment-required') ?? '')
    expect(challenge).toMatchObject({ accepts: [requirement], resource: { url: service.base + path } })
    const before = await balance()
    const buy = wrapFetchWithPayment(fetch, clientOf(payer, requirement))
    const response = await buy(service.base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ original_receipt_id: original, reason_code: 'FOCR' }),
    })
    expect(response.status).toBe(200)
    expect(decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')).toMatchObject({
      success: true,
      payer: payer.address,
    })
    expect(before - (await balance())).toBe(3_000n)
    const { refund_receipt_id, status } = await response.json()
    // The worker may already have processed it.
    expect(status).toMatch(/^(pending|awaiting_anchor)$/)
    await service.api.anchored(refund_receipt_id)
    const { data } = await service.api.graphql(
      `{ receipt(id: "${refund_receipt_id}") { amount senderWallet receiverWallet reference refundOf { id senderWallet receiverWallet } artifacts { nodes { type } } } }`,
      { key: shop.key },
    )
    const { refundOf, artifacts, ...refund } = data.receipt
    expect(refund).toEqual({
      amount: '7.25',
      senderWallet: refundOf.receiverWallet,
      receiverWallet: payer.address,
      reference: `refund:${original}`,
    })
    expect(refundOf).toMatchObject({ id: original, senderWallet: payer.address })
    expect(artifacts.nodes.map(({ type }: { type: string }) => type)).toContain('PACS_004')
    const again = await post(original, await pay(payer, requirement))
    expect([again.status, again.json]).toEqual([200, { refund_receipt_id, status: 'anchored' }])
    const { json: trail } = await service.api.call('GET', `/v1/audit/events?object_id=${refund_receipt_id}`, {
      key: shop.key,
    })
    expect(trail.find(({ action }: { action: string }) => action === 'receipt.refund').actor).toBe(
      `payer:${payer.address}`,
    )
  })

  it('gets the stored answer for the same payment, whatever became of the refund', async () => {
    const original = await anchored({ sender_wallet: payer.wallet.address })
    const header = await pay(payer, requirement)
    const first = await post(original, header)
    expect(first.status).toBe(200)
    await service.api.anchored(first.json.refund_receipt_id)
    expect((await post(original, header)).text).toBe(first.text)
  })

  it('may be its receiver, and may pay over GraphQL', async () => {
    const original = await anchored({ receiver_wallet: payer.address })
    const header = await pay(payer, requirement)
    const ask = (selection: string) =>
      service.api.call('POST', '/graphql', {
        body: {
          query: `mutation { premiumRefund(input: { originalReceiptId: "${original}" }) { refund { ${selection} } } }`,
        },
        headers: { 'PAYMENT-SIGNATURE': header },
      })
    // The payer sees nothing of the project, like any caller without a key, but can still get the refund that it paid
    // for.
    expect((await ask('id project { id }')).json.errors[0].extensions.code).toBe('unauthenticated')
    const { status, json } = await ask('status refundOf { id }')
    const refund = { status: expect.any(String), refundOf: { id: original } }
    expect([status, json.data.premiumRefund]).toEqual([200, { refund }])
  })
})

it('a wallet that is linked to the receipt’s project may refund it, a wallet of another project may not', async () => {
  const other = await service.api.project()
  const link = (project: string) =>
    service.app.db.linkedWallet.create({ data: { projectId: project, address: payer.address } })
  await link(other.id)
  const original = await anchored()
  const header = await pay(payer, requirement)
  const before = await balance()
  expect((await post(original, header)).status).toBe(403)
  expect(await balance()).toBe(before)
  await link(shop.id)
  expect((await post(original, header)).status).toBe(200)
  await service.app.db.linkedWallet.deleteMany({ where: { address: payer.address } })
})

it('a copy that is no longer admitted, because the wallet was unlinked meanwhile, gets what the payment bought', async () => {
  const { facilitator } = service.app
  if (facilitator === null) throw new Error('no facilitator')
  const where = { projectId: shop.id, address: payer.address }
  await service.app.db.linkedWallet.create({ data: where })
  const original = await anchored()
  const header = await pay(payer, requirement)
  const before = await balance()
  const [verified, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  service.app.facilitator = {
    ...facilitator,
    async verify(...asked) {
      const answer = await facilitator.verify(...asked)
      verified.resolve()
      await released.promise
      return answer
    },
  }
  const late = post(original, header)
  await verified.promise
  service.app.facilitator = facilitator
  const first = await post(original, header)
  await service.app.db.linkedWallet.deleteMany({ where })
  released.resolve()
  const copy = await late
  expect([first.status, copy.status]).toEqual([200, 200])
  expect(copy.json.refund_receipt_id).toBe(first.json.refund_receipt_id)
  expect(before - (await balance())).toBe(3_000n)
})

describe('a refund is refused, and nothing is charged, for', () => {
  let before: bigint
  const refused = async (receipt: string, more: object = {}) => {
    before = await balance()
    const { status, json } = await post(receipt, await pay(payer, requirement), more)
    expect(await balance()).toBe(before)
    return [status, json.detail]
  }

  it('a wallet without relation to the receipt, even with the key of another project', async () => {
    const original = await anchored()
    expect(await refused(original)).toEqual([403, 'forbidden'])
    const { key } = await service.api.project()
    const header = await pay(payer, requirement)
    const { status } = await service.api.call('POST', path, {
      key,
      body: { original_receipt_id: original },
      headers: { 'PAYMENT-SIGNATURE': header },
    })
    expect(status).toBe(403)
    expect(await balance()).toBe(before)
  })

  it('the payment’s sender who states the transaction of the refund', async () => {
    const original = await anchored({ sender_wallet: payer.address })
    const refund_tx_hash = `0x${'77'.repeat(32)}`
    expect(await refused(original, { refund_tx_hash })).toEqual([403, 'forbidden'])
    // The receiver, who refunds, may state it, but not with the payment's own transaction.
    const sold = await anchored({ receiver_wallet: payer.address, tip_tx_hash: refund_tx_hash })
    const { status } = await post(sold, await pay(payer, requirement), { refund_tx_hash })
    expect(status).toBe(422)
    const returned = { refund_tx_hash: `0x${'78'.repeat(32)}` }
    const { json } = await post(sold, await pay(payer, requirement), returned)
    const { data } = await service.api.graphql(`{ receipt(id: "${json.refund_receipt_id}") { refundTx isSettled } }`)
    expect(data.receipt).toEqual({ refundTx: returned.refund_tx_hash, isSettled: true })
  })

  it('a missing receipt', async () => {
    expect(await refused('00000000-0000-4000-8000-000000000000')).toEqual([404, 'not_found'])
  })

  it('a receipt that is not anchored', async () => {
    const id = await recorded({ sender_wallet: payer.address })
    await service.app.pool.query(`update receipts set status = 'failed' where id = $1`, [id])
    expect(await refused(id)).toEqual([409, 'not_anchored'])
  })

  it('a refund', async () => {
    const original = own.pop() ?? ''
    const { json } = await post(original, await pay(payer, requirement))
    await service.api.anchored(json.refund_receipt_id)
    expect(await refused(json.refund_receipt_id)).toEqual([409, 'conflict'])
  })

  it('a receipt whose refund reference is in use', async () => {
    const original = own.pop() ?? ''
    await recorded({ reference: `refund:${original}` })
    expect(await refused(original)).toEqual([409, 'conflict'])
  })

  it('an unknown reason code', async () => {
    const original = own.pop() ?? ''
    const before = await balance()
    const { status, json } = await post(original, await pay(payer, requirement), { reason_code: 'NOPE' })
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 'reason_code']])
    expect(await balance()).toBe(before)
  })

  it('every receipt, while returns are disabled', async () => {
    const original = own.pop() ?? ''
    const set = (enable_returns: boolean) =>
      service.api.call('PUT', '/v1/config', { key: adminKey, body: { status: { enable_returns } } })
    expect((await set(false)).status).toBe(200)
    expect(await refused(original)).toEqual([403, 'disabled_by_configuration'])
    await set(true)
  })
})

describe('in parts', () => {
  const buy = async (receipt: string, more: object) => (await post(receipt, await pay(payer, requirement), more)).json
  const left = async (receipt: string) =>
    (await service.api.graphql(`{ receipt(id: "${receipt}") { refundableAmount } }`, { key: shop.key })).data.receipt
      .refundableAmount
  const refund = (original_receipt_id: string, more: object) =>
    service.api.call('POST', '/v1/iso/refund', { key: shop.key, body: { original_receipt_id, ...more } })

  it('the payment’s receiver buys parts with their transactions, and is not charged for more than what is left', async () => {
    const original = await anchored({ receiver_wallet: payer.address, amount: '10' })
    for (const [amount, byte] of [
      ['4', 'a1'],
      ['5', 'a2'],
    ] as const)
      await buy(original, { amount, refund_tx_hash: `0x${byte.repeat(32)}` })
    expect(await left(original)).toBe('1')
    const before = await balance()
    const refused = await buy(original, { amount: '2', refund_tx_hash: `0x${'a3'.repeat(32)}` })
    expect([refused.detail, refused.left]).toEqual(['refund_too_large', '1'])
    expect(await balance()).toBe(before)
  })

  it('the payment’s sender announces parts up to the payment, which take nothing from what the project can refund', async () => {
    const original = await anchored({ sender_wallet: payer.address, amount: '10' })
    const claimed: string = (await buy(original, { amount: '7' })).refund_receipt_id
    expect((await buy(original, { amount: '7' })).refund_receipt_id).toBe(claimed)
    const before = await balance()
    expect(await buy(original, { amount: '4' })).toMatchObject({ detail: 'refund_too_large', left: '3' })
    expect(await balance()).toBe(before)
    expect(await left(original)).toBe('10')

    const own = await refund(original, { amount: '4', refund_tx_hash: `0x${'b1'.repeat(32)}` })
    expect(own.status).toBe(200)
    expect(await left(original)).toBe('6')
    // The claim was for more than is left now.
    for (const more of [{}, { refund_tx_hash: `0x${'b2'.repeat(32)}` }])
      expect((await refund(original, { amount: '7', ...more })).json).toMatchObject({
        detail: 'refund_too_large',
        left: '6',
      })
  })

  it('what the sender announced counts once the project announces it too, or settles it', async () => {
    const original = await anchored({ sender_wallet: payer.address, amount: '10' })
    const ids: string[] = []
    for (const amount of ['3', '5']) ids.push((await buy(original, { amount })).refund_receipt_id)
    expect((await refund(original, { amount: '3' })).json.refund_receipt_id).toBe(ids[0])
    expect(await left(original)).toBe('7')
    const { json: trail } = await service.api.call(
      'GET',
      `/v1/audit/events?object_id=${ids[0]}&action=receipt.refund`,
      {
        key: shop.key,
      },
    )
    expect(trail.map(({ actor }: { actor: string }) => actor.split(':')[0])).toEqual(['key', 'payer'])
    const settled = await refund(original, { amount: '5', refund_tx_hash: `0x${'c1'.repeat(32)}` })
    expect(settled.json.refund_receipt_id).toBe(ids[1])
    expect(await left(original)).toBe('2')
  })

  it('what the sender announced for another reason than the project’s stays apart, and does not block the project’s', async () => {
    const original = await anchored({ sender_wallet: payer.address, amount: '10' })
    const claimed: string = (await buy(original, { reason_code: 'FR01' })).refund_receipt_id
    const own = (await refund(original, { reason_code: 'CUST' })).json.refund_receipt_id
    expect([claimed, own]).toEqual([expect.any(String), expect.any(String)])
    expect(own).not.toBe(claimed)
    expect(await left(original)).toBe('0')
    expect((await refund(original, { reason_code: 'CUST' })).json.refund_receipt_id).toBe(own)
    const settled = await refund(original, { reason_code: 'CUST', refund_tx_hash: `0x${'d1'.repeat(32)}` })
    expect(settled.json.refund_receipt_id).toBe(own)
    const { bundle_url } = await service.api.anchored(own)
    expect(await (await fetch(bundle_url.replace(/[^/]*$/, 'pacs004.xml'))).text()).toContain('<Cd>CUST</Cd>')

    const another = await anchored({ sender_wallet: payer.address, amount: '10' })
    const ids: string[] = []
    for (const amount of ['2', '3']) ids.push((await buy(another, { amount, reason_code: 'CUST' })).refund_receipt_id)
    // The same reason, or none, is no other reason.
    expect((await refund(another, { amount: '2', reason_code: 'CUST' })).json.refund_receipt_id).toBe(ids[0])
    expect((await refund(another, { amount: '3' })).json.refund_receipt_id).toBe(ids[1])
  })
})

it('a party’s wallet is compared by identity, however the receipt has it', async () => {
  const digits = payer.address.slice(2)
  for (const receiver_wallet of [`eip155:8453:0x${digits.toUpperCase()}`, digits])
    expect((await post(await anchored({ receiver_wallet }), await pay(payer, requirement))).status).toBe(200)
  const sold = await anchored({ sender_wallet: `eip155:8453:${payer.address}` })
  expect((await post(sold, await pay(payer, requirement))).status).toBe(200)
})

it('several payments for one refund at the same time create one refund', async () => {
  const original = own.pop() ?? ''
  const headers = await Promise.all(Array.from({ length: 8 }, () => pay(payer, requirement)))
  const answers = await Promise.all(headers.map(header => post(original, header)))
  expect(answers.map(({ status }) => status)).toEqual(headers.map(() => 200))
  expect(new Set(answers.map(({ json }) => json.refund_receipt_id)).size).toBe(1)
})
