// Purchases with a `payment-identifier`: another signature with the same identifier is no second charge, at whichever
// process, and the identifier gives other payers no access.
import { randomBytes } from 'node:crypto'
import { decodePaymentRequiredHeader, decodePaymentSignatureHeader } from '@x402/core/http'
import { declarePaymentIdentifierExtension, generatePaymentId } from '@x402/extensions/payment-identifier'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Child, startChild } from '../kit/child.ts'
import { keptPort } from '../kit/kept-port.ts'
import { type PaidChain, startPaidChain } from '../kit/paid-chain.ts'
import { createPaidWorld, fxPath, fxQuestion, type PaidWorld } from '../kit/paid-world.ts'
import { answerTo, argumentsOf, createPayer, dollars, type Payer, signCancel, signTransfer } from '../kit/payer.ts'
import { apiOf } from '../kit/service.ts'
import { it, proof, sized } from '../kit/size.ts'

const signatures = sized(12, 100)

let chain: PaidChain
let world: PaidWorld
let running: Child[]
let other: ReturnType<typeof apiOf>
beforeAll(async () => {
  chain = await startPaidChain()
  world = await createPaidWorld(chain)
  const port = await keptPort()
  other = apiOf(`http://127.0.0.1:${port}`)
  running = [await startChild(world.settings), await startChild({ ...world.settings, PORT: `${port}` })]
})
afterAll(async () => {
  for (const child of running ?? []) await child.end('SIGKILL')
  await world?.end()
  await chain?.stop()
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const required = async (body: object = fxQuestion) =>
  (await world.send(fxPath, body)).headers.get('payment-required') ?? ''
/** Signs a new payment with this identifier. */
const signed = async (id: string, by: Payer = world.payer, body?: object) => answerTo(by, await required(body), id)
const reasonIn = ({ headers }: { headers: Headers }) =>
  decodePaymentRequiredHeader(headers.get('payment-required') ?? '').error
const statusOf = async (id: string) =>
  (await world.database.query('select status from payments where identifier = $1', [id])).rows.map(row => row.status)

it('the challenge offers payment-identifier as the official package declares it', async () => {
  const { extensions } = decodePaymentRequiredHeader(await required())
  expect(extensions?.['payment-identifier']).toEqual(declarePaymentIdentifierExtension())
})

it('another signature with the same identifier gets the same answer, also at another process and without any money left', async () => {
  const payer = await createPayer(chain.node, chain.asset, 1_000n)
  const id = generatePaymentId()
  const bought = await world.buy(await signed(id, payer))
  expect([bought.status, await world.balance(payer)]).toEqual([200, 0n])
  for (const at of [world.api, other]) {
    const again = await world.send(fxPath, fxQuestion, await signed(id, payer), at)
    expect([again.status, again.text]).toEqual([200, bought.text])
    expect(again.headers.get('payment-response')).toBe(bought.headers.get('payment-response'))
  }
})

it('another request with the same identifier is refused, and not charged', async () => {
  const id = generatePaymentId()
  expect((await world.buy(await signed(id))).status).toBe(200)
  const money = await world.balance()
  const question = { base_ccy: 'USD', quote_ccy: 'FLR' }
  const answer = await world.buy(await signed(id, world.payer, question), fxPath, question)
  expect([answer.status, answer.json.detail]).toEqual([409, 'payment_conflict'])
  expect(await world.balance()).toBe(money)
})

it('the same identifier of another payer is another purchase, which that payer pays for', async () => {
  const id = generatePaymentId()
  const stranger = await createPayer(chain.node, chain.asset, 5_000n)
  const mine = await world.buy(await signed(id))
  const his = await world.buy(await signed(id, stranger))
  expect([his.status, await world.balance(stranger)]).toEqual([200, 4_000n])
  expect(his.text).not.toBe(mine.text)
})

it('an identifier gives no access without a valid signature, nor with a signature copied from a block', async () => {
  const id = generatePaymentId()
  expect((await world.buy(await signed(id))).status).toBe(200)
  const header = decodePaymentSignatureHeader(await signed(id))
  const forged = { ...header.payload, signature: `0x${'12'.repeat(64)}1b` }
  const unsigned = await world.buy(encode({ ...header, payload: forged }))
  expect([unsigned.status, reasonIn(unsigned)]).toEqual([402, 'invalid_exact_evm_signature'])

  const [accepted] = decodePaymentRequiredHeader(await required()).accepts
  const authorization = {
    from: world.payer.address,
    to: accepted?.payTo ?? '',
    value: accepted?.amount ?? '',
    validAfter: '0',
    validBefore: `${Math.floor(Date.now() / 1_000) + 600}`,
    nonce: `0x${randomBytes(32).toString('hex')}`,
  }
  const signature = await signTransfer(world.payer.wallet, chain.asset, authorization)
  const collect = dollars(chain.asset, world.payer.wallet).getFunction(
    'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
  )
  await (await collect(...argumentsOf(authorization), signature)).wait()
  gifts.push((await chain.node.getBlock('latest'))?.transactions[0] ?? '')
  const copied = await world.buy(encode({ ...header, payload: { signature, authorization } }))
  expect([copied.status, reasonIn(copied)]).toEqual([402, 'invalid_exact_evm_nonce_already_used'])
})
const gifts: string[] = []

it('while a payment is in progress, another signature with its identifier gets Retry-After, and is not settled', async () => {
  const id = generatePaymentId()
  const money = await world.balance()
  const headers = [await signed(id), await signed(id), await signed(id)]
  await chain.rpc('evm_setAutomine', false)
  const first = world.buy(headers[0] ?? '')
  await expect.poll(() => statusOf(id)).toEqual(['settling'])
  const [here, there] = await Promise.all([
    world.buy(headers[1] ?? ''),
    world.send(fxPath, fxQuestion, headers[2], other),
  ])
  for (const answer of [here, there]) {
    expect([answer.status, answer.json.detail]).toEqual([503, 'settlement_pending'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  await chain.rpc('evm_setAutomine', true)
  await chain.rpc('evm_mine')
  const bought = await first
  for (const header of headers) expect((await world.buy(header)).text).toBe(bought.text)
  expect(money - (await world.balance())).toBe(1_000n)
})

it('after the first payment has failed for good, another signature pays', async () => {
  const id = generatePaymentId()
  const { wallet } = world.payer
  const cancel = dollars(chain.asset, wallet).getFunction('cancelAuthorization(address,bytes32,bytes)')
  const money = await world.balance()
  const header = await signed(id)
  const { nonce } = decodePaymentSignatureHeader(header).payload.authorization as { nonce: string }
  const proof = await signCancel(wallet, chain.asset, wallet.address, nonce)
  const spring = async () => {
    await (await cancel(wallet.address, nonce, proof)).wait()
    return 'pass' as const
  }
  world.between.set({ statement: 'insert into payments', at: 'committed', spring })
  const first = await world.buy(header)
  expect([first.status, reasonIn(first)]).toEqual([402, 'settlement_failed'])
  expect((await world.buy(await signed(id))).status).toBe(200)
  expect((await world.buy(await signed(id))).status).toBe(200)
  expect(money - (await world.balance())).toBe(1_000n)
})

it.each([
  ['expired', () => 1_000],
  ['has just expired, by the time of the newest block,', () => Date.now() / 1_000 - 10],
])('the next signature replaces at once an authorization that %s before it was sent', async (_, validBefore) => {
  const id = generatePaymentId()
  expect((await world.buy(await signed(id))).status).toBe(200)
  // The state that a process leaves that dies after the claim, two minutes later.
  const unsent = `status = 'verified', txid = null, raw_transaction = null, signer = null, signer_nonce = null, answer = null,
    settled_at = null, answered_at = null, delivered_at = null, answer_until = null`
  const later = generatePaymentId()
  await world.database.query(
    'insert into payments select (jsonb_populate_record(p, $2)).* from payments p where identifier = $1',
    [
      id,
      {
        id: crypto.randomUUID(),
        identifier: later,
        nonce: `\\x${randomBytes(32).toString('hex')}`,
        signer_nonce: null,
      },
    ],
  )
  await world.database.query(
    `update payments set ${unsent}, payload = jsonb_set(jsonb_set(payload, '{authorization,validBefore}', to_jsonb($2::text)), '{authorization,nonce}', to_jsonb('0x' || encode(nonce, 'hex')))
     where identifier = $1`,
    [later, `${Math.floor(validBefore())}`],
  )
  await world.database.query(
    `insert into events (type, project_id, payment_id)
     select 'payment.verified', project_id, id from payments where identifier = $1`,
    [later],
  )
  const money = await world.balance()
  await chain.rpc('evm_mine')
  expect((await world.buy(await signed(later))).status).toBe(200)
  expect(money - (await world.balance())).toBe(1_000n)
})

proof(
  `${signatures} concurrent signatures with one identifier at two processes are charged once, with one answer`,
  async () => {
    const id = generatePaymentId()
    const money = await world.balance()
    const headers: string[] = []
    for (let index = 0; index < signatures; index++) headers.push(await signed(id))
    const ask = (header: string, index: number) =>
      world.send(fxPath, fxQuestion, header, index % 2 === 0 ? world.api : other)
    const answers = await Promise.all(headers.map(ask))
    const good = answers.filter(({ status }) => status === 200)
    expect(good.length).toBeGreaterThan(0)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect([409, 503]).toContain(answer.status)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const later = await Promise.all(headers.map(ask))
    expect(later.map(({ status }) => status)).toEqual(later.map(() => 200))
    expect(new Set([...good, ...later].map(({ text }) => text)).size).toBe(1)
    expect(money - (await world.balance())).toBe(1_000n)
  },
)

it.each(['short', 'x'.repeat(129), 'with a space in it', 'ümlaut-ümlaut-ümlaut', 7])(
  'an invalid identifier (%j) is malformed',
  async id => {
    const header = decodePaymentSignatureHeader(await world.header())
    const extensions = { ...header.extensions, 'payment-identifier': { info: { required: false, id } } }
    const { status, json } = await world.buy(encode({ ...header, extensions }))
    expect([status, json.detail]).toEqual([400, 'payment_malformed'])
  },
)

proof('finally the payments table equals the chain', async () => {
  await expect.poll(() => world.audit(gifts)).toEqual([])
})
