// Official clients that give up before a slow chain has settled their payment, and sign anew for each try: they are
// charged once and get one answer. A client that got the answer and pays again buys again.
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { wrapFetchWithPayment } from '@x402/fetch'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type Child, startChild } from '../kit/child.ts'
import { keptPort } from '../kit/kept-port.ts'
import { type PaidChain, startPaidChain } from '../kit/paid-chain.ts'
import { createPaidWorld, fxPath, fxQuestion, type PaidWorld } from '../kit/paid-world.ts'
import { answerTo, clientOf, createPayer, type Payer } from '../kit/payer.ts'
import { apiOf } from '../kit/service.ts'
import { it, sized } from '../kit/size.ts'

const tries = sized(4, 24)
const patienceMs = 600
const price = 1_000n

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
afterEach(() => chain.rpc('evm_setAutomine', true))
afterAll(async () => {
  for (const child of running ?? []) await child.end('SIGKILL')
  await world?.end()
  await chain?.stop()
})

const rowsOf = async ({ address }: Payer) =>
  (
    await world.database.query<{ status: string; isWritten: boolean; told: string[] }>(
      `select status, delivered_at is not null as "isWritten",
         array(select type::text from events where payment_id = p.id order by id) as told
       from payments p where payer = $1 order by verified_at`,
      [address],
    )
  ).rows
const statusesOf = async (payer: Payer) => (await rowsOf(payer)).map(({ status }) => status)
const buyer = (money = 10_000n) => createPayer(chain.node, chain.asset, money)

/** One call of the official client, which knows nothing of earlier ones. Null when it gave up. */
async function attempt(payer: Payer, { at = world.api, body = fxQuestion, path = fxPath, patience = patienceMs } = {}) {
  const { network, asset } = await terms()
  const paying = wrapFetchWithPayment(fetch, clientOf(payer, { network, asset }))
  try {
    const answer = await paying(`${at.base}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
    })
    const settlement = answer.headers.get('payment-response')
    return { status: answer.status, text: await answer.text(), settlement }
  } catch (error) {
    if (error instanceof Error && /abort|timeout/i.test(`${error.name} ${error.message}`)) return null
    throw error
  }
}

/** Pays, and breaks the connection once the payment is being settled. */
async function leave(payer: Payer, path = fxPath, body: object = fxQuestion) {
  const { headers } = await world.send(path, body)
  const header = await answerTo(payer, headers.get('payment-required'))
  const asking = request(`${world.api.base}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'PAYMENT-SIGNATURE': header },
  })
  asking.on('error', () => undefined).end(JSON.stringify(body))
  await expect.poll(() => statusesOf(payer)).toEqual(['settling'])
  asking.destroy()
}

async function terms() {
  const { json } = await world.send(fxPath, fxQuestion)
  return json.accepts[0]
}

it(`a client that gives up after ${patienceMs} ms and tries again ${tries} times is charged once, and answered once the chain is`, async () => {
  const payer = await buyer()
  await chain.rpc('evm_setAutomine', false)
  for (let index = 0; index < tries; index++)
    // Node may lose the signal of a request that was copied. Its client then waits for a refusal that passes.
    expect([undefined, 503]).toContain((await attempt(payer, { at: index % 2 === 0 ? world.api : other }))?.status)
  expect(await statusesOf(payer)).toEqual(['settling'])
  await chain.rpc('evm_setAutomine', true)
  await chain.rpc('evm_mine')
  const answer = await attempt(payer, { at: other, patience: 20_000 })
  expect(answer?.status).toBe(200)
  await expect.poll(() => statusesOf(payer)).toEqual(['delivered'])
  expect(await world.balance(payer)).toBe(10_000n - price)

  const again = await attempt(payer, { patience: 20_000 })
  expect(again?.status).toBe(200)
  expect(again?.text).not.toBe(answer?.text)
  await expect.poll(() => statusesOf(payer)).toEqual(['delivered', 'delivered'])
  expect(await world.balance(payer)).toBe(10_000n - 2n * price)
})

it('an answer that its client did not wait for is kept for the next try, and is not said to be delivered', async () => {
  const payer = await buyer()
  await chain.rpc('evm_setAutomine', false)
  await leave(payer)
  await chain.rpc('evm_setAutomine', true)
  await chain.rpc('evm_mine')
  const answered = 'select answer is not null as has from payments where payer = $1'
  await expect.poll(async () => (await world.database.query(answered, [payer.address])).rows).toEqual([{ has: true }])
  expect(await rowsOf(payer)).toEqual([
    { status: 'settled', isWritten: false, told: ['payment.verified', 'payment.settling', 'payment.settled'] },
  ])
  // Nobody else gets it, and it answers nothing else.
  const stranger = await buyer()
  const elsewhere = await attempt(payer, { body: { base_ccy: 'EUR', quote_ccy: 'EUR' }, patience: 20_000 })
  const theirs = await attempt(stranger, { patience: 20_000 })
  expect([elsewhere?.status, theirs?.status]).toEqual([200, 200])
  expect([await world.balance(payer), await world.balance(stranger)]).toEqual([10_000n - 2n * price, 10_000n - price])

  const kept = await attempt(payer, { at: other, patience: 20_000 })
  expect(kept?.status).toBe(200)
  expect(kept?.text).not.toBe(theirs?.text)
  expect(await world.balance(payer)).toBe(10_000n - 2n * price)
  await expect.poll(() => statusesOf(payer)).toEqual(['delivered', 'delivered'])
})

it('a client that leaves before its payment is taken up is not charged for it', async () => {
  const payer = await buyer()
  const header = await world.header(payer)
  let open = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  world.node.requests.length = 0
  world.node.fault = async () => {
    await gate
    return { kind: 'honest' }
  }
  const asking = request(`${world.api.base}${fxPath}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'PAYMENT-SIGNATURE': header },
  })
  asking.on('error', () => undefined).end(JSON.stringify(fxQuestion))
  await expect.poll(() => world.node.requests.length).toBeGreaterThan(0)
  asking.destroy()
  world.node.fault = null
  const answer = await attempt(payer, { at: other, patience: 20_000 })
  expect(answer?.status).toBe(200)
  open()
  await sleep(1_000)
  expect(await statusesOf(payer)).toEqual(['delivered'])
  expect(await world.balance(payer)).toBe(10_000n - price)
})

it('two purchases of the same at the same time are two', async () => {
  const payer = await buyer()
  await chain.rpc('evm_setAutomine', false)
  const both = [attempt(payer, { patience: 20_000 }), attempt(payer, { patience: 20_000 })]
  await expect.poll(() => statusesOf(payer)).toEqual(['settling', 'settling'])
  await chain.rpc('evm_setAutomine', true)
  await chain.rpc('evm_mine')
  const [one, two] = await Promise.all(both)
  expect([one?.status, two?.status]).toEqual([200, 200])
  // Their answers are the same where both were made in one millisecond.
  expect(one?.settlement).not.toBe(two?.settlement)
  expect(await world.balance(payer)).toBe(10_000n - 2n * price)
})

it('a client whose connection breaks while the answer is produced is answered by its next try, also over GraphQL', async () => {
  const payer = await buyer()
  const asked = { query: 'query { premiumFxRate(baseCurrency: "USD", quoteCurrency: "USD") { rate } }' }
  await chain.rpc('evm_setAutomine', false)
  await leave(payer, '/graphql', asked)
  await chain.rpc('evm_setAutomine', true)
  await chain.rpc('evm_mine')
  await expect
    .poll(
      async () => (await world.database.query('select left_at from payments where payer = $1', [payer.address])).rows,
    )
    .toEqual([{ left_at: expect.any(Date) }])
  const answer = await world.buy(await world.header(payer, '/graphql', asked), '/graphql', asked)
  expect([answer.status, answer.json.data.premiumFxRate.rate]).toEqual([200, '1'])
  await expect.poll(() => statusesOf(payer)).toEqual(['delivered'])
  expect(await world.balance(payer)).toBe(10_000n - price)
})

it('an answer over a reserved stream is delivered, though the request that paid for it has its response before', async () => {
  const payer = await buyer()
  const url = `${world.api.base}/graphql/stream`
  const token = await (await fetch(url, { method: 'PUT' })).text()
  const own = { 'X-GraphQL-Event-Stream-Token': token }
  const { body } = await fetch(url, { headers: { ...own, Accept: 'text/event-stream' } })
  const query = '{ premiumFxRate(baseCurrency: "USD", quoteCurrency: "USD") { rate } }'
  const challenged = await world.api.call('POST', '/graphql', { body: { query } })
  const accepted = await fetch(url, {
    method: 'POST',
    headers: {
      ...own,
      'Content-Type': 'application/json',
      'PAYMENT-SIGNATURE': await answerTo(payer, challenged.headers.get('payment-required')),
    },
    body: JSON.stringify({ query, extensions: { operationId: 'paid' } }),
  })
  expect(accepted.status).toBe(202)
  let told = ''
  for await (const chunk of body ?? []) {
    told += Buffer.from(chunk).toString()
    if (told.includes('"rate":"1"')) break
  }
  await expect.poll(() => statusesOf(payer)).toEqual(['delivered'])
})

it('finally the payments table equals the chain', async () => {
  await expect.poll(() => world.audit()).toEqual([])
})
