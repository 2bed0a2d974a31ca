// Many payments in one call: all or none, as if each had been recorded alone after the one before it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService, type Tip, tipOf } from '../kit/service.ts'

let service: Service
let key: string
let other: string
beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
  key = (await service.api.project('Mine')).key
  other = (await service.api.project('Theirs')).key
})
afterAll(() => service.stop())

const result = `matchedBy differences
  receipt { id settlementTx transferIndex chain amount currency senderWallet receiverWallet reference resourceHash callbackUrl settledAt }`
const many = `mutation ($receipts: [RecordReceiptInput!]!) { recordReceipts(input: { receipts: $receipts }) { results { ${result} } } }`
const single = `mutation ($input: RecordReceiptInput!) { recordReceipt(input: $input) { ${result} } }`

type Input = Record<string, unknown>
const inputOf = ({
  tip_tx_hash,
  sender_wallet,
  receiver_wallet,
  resource_hash,
  callback_url,
  ...rest
}: Tip): Input => ({
  ...rest,
  settlementTx: tip_tx_hash,
  senderWallet: sender_wallet,
  receiverWallet: receiver_wallet,
  ...(resource_hash && { resourceHash: resource_hash }),
  ...(callback_url && { callbackUrl: callback_url }),
})
const payment = (change: Input = {}): Input => ({ ...inputOf(tipOf()), ...change })
const payments = (length: number) => Array.from({ length }, () => payment())

const send = (receipts: unknown, caller = key) => service.api.graphql(many, { key: caller, variables: { receipts } })
async function recorded(receipts: unknown, caller = key) {
  const { data, errors } = await send(receipts, caller)
  expect(errors).toBeUndefined()
  return data.recordReceipts.results
}
async function refusal(receipts: unknown, caller = key) {
  const { errors } = await send(receipts, caller)
  const { code, issues } = errors[0].extensions
  return { code, at: issues?.map(({ path }: { path: unknown[] }) => path.join('.')) }
}
const count = async (table = 'receipts') =>
  Number((await service.app.pool.query(`select count(*) from ${table}`)).rows[0].count)

describe('500 payments', () => {
  it('are recorded at once, in their order, each with its audit row, event and job', async () => {
    const sent = payments(500)
    const before = await Promise.all(['receipts', 'audit_events', 'events'].map(count))
    const results = await recorded(sent)
    expect(results.map(({ receipt }: { receipt: Input }) => receipt.reference)).toEqual(
      sent.map(({ reference }) => reference),
    )
    expect(new Set(results.map(({ matchedBy }: { matchedBy: unknown }) => matchedBy))).toEqual(new Set([null]))
    const after = await Promise.all(['receipts', 'audit_events', 'events'].map(count))
    expect(after).toEqual(before.map(count => count + 500))
    const ids = results.map(({ receipt }: { receipt: Input }) => receipt.id)
    const { rows } = await service.app.pool.query(
      `select count(distinct id.value)::int from graphile_worker._private_jobs jobs
       cross join lateral json_array_elements_text(jobs.payload->'receipts') as id(value) where id.value = any($1)`,
      [ids],
    )
    expect(rows[0].count).toBe(500)
  })

  it('fit with all their members, and are all told again as they are', async () => {
    const sent = payments(500).map(input => ({
      ...input,
      transferIndex: 3,
      resourceHash: `0x${'5e'.repeat(32)}`,
      callbackUrl: 'https://shop.example/webhooks/quittance/payments',
      settledAt: '2026-01-31T13:00:00.1239+01:00',
    }))
    const first = await recorded(sent)
    expect(first[499].receipt).toMatchObject({
      transferIndex: 3,
      resourceHash: `0x${'5e'.repeat(32)}`,
      callbackUrl: 'https://shop.example/webhooks/quittance/payments',
      settledAt: '2026-01-31T12:00:00.123Z',
    })
    const again = await recorded(sent)
    expect(again).toEqual(first.map((result: Input) => ({ ...result, matchedBy: 'SETTLEMENT' })))
  })

  it('and one more are refused, and so are none', async () => {
    const before = await count()
    expect(await refusal(payments(501))).toEqual({ code: 'validation_failed', at: ['input.receipts'] })
    expect(await refusal([])).toEqual({ code: 'validation_failed', at: ['input.receipts'] })
    expect(await count()).toBe(before)
  })
})

describe('a payment that is not acceptable', () => {
  it('is named by its index, and nothing is recorded', async () => {
    const before = await count()
    const sent = payments(20)
    sent[3] = payment({ amount: '0' })
    sent[17] = payment({ reference: ' ', currency: 'x'.repeat(256) })
    sent[18] = payment({ callbackUrl: 'ftp://a.example' })
    expect(await refusal(sent)).toEqual({
      code: 'validation_failed',
      at: [
        'input.receipts.3.amount',
        'input.receipts.17.currency',
        'input.receipts.17.reference',
        'input.receipts.18.callbackUrl',
      ],
    })
    expect(await count()).toBe(before)
  })

  it('is named also where all 500 have many faults', async () => {
    const wrong = { amount: 'x', currency: '', reference: '', settlementTx: '', chain: '', senderWallet: '' }
    const { at } = await refusal(payments(500).map(input => ({ ...input, ...wrong })))
    expect(new Set(at.map((path: string) => path.split('.')[2])).size).toBe(500)
    expect(at.length).toBe(600)
  })

  it.each([
    ['before all blockchains', '2009-01-02T23:59:59Z', 'settledAt'],
    ['in the future', new Date(Date.now() + 16 * 60_000).toISOString(), 'settledAt'],
    ['without a time zone', '2026-01-31T12:00:00', 'settledAt'],
    ['of a day alone', '2026-01-31', 'settledAt'],
    ['that no clock shows', '2026-02-30T12:00:00Z', 'settledAt'],
  ])('has a time %s', async (_, settledAt, member) => {
    expect((await refusal([payment(), payment({ settledAt })])).at).toEqual([`input.receipts.1.${member}`])
  })

  it('has no time: a blank stands for none, as in a single one, and a clock may be ahead', async () => {
    const ahead = new Date(Date.now() + 14 * 60_000).toISOString()
    const results = await recorded([
      payment({ settledAt: null, resourceHash: '', callbackUrl: '' }),
      payment({ settledAt: ahead }),
    ])
    expect(results.map(({ receipt }: { receipt: Input }) => receipt.settledAt)).toEqual([null, ahead])
  })
})

describe('payments that are one', () => {
  it('are one receipt, by transaction or by reference, and say what differs', async () => {
    const [a, b] = [payment(), payment()]
    const results = await recorded([
      a,
      b,
      { ...a, amount: '77' },
      payment({ reference: b.reference }),
      { ...a, settledAt: '2026-01-31T12:00:00Z' },
    ])
    const ids = results.map(({ receipt }: { receipt: Input }) => receipt.id)
    expect(ids).toEqual([ids[0], ids[1], ids[0], ids[1], ids[0]])
    expect(results.slice(2).map(({ matchedBy, differences }: Input) => [matchedBy, differences])).toEqual([
      ['SETTLEMENT', ['AMOUNT']],
      ['REFERENCE', ['SETTLEMENT_TX', 'SENDER_WALLET', 'RECEIVER_WALLET']],
      ['SETTLEMENT', ['SETTLED_AT']],
    ])
  })

  it('have the results of single calls, whatever they have in common', async () => {
    // Few transactions, legs, amounts and references, so that most payments meet an earlier one.
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((seed / 2 ** 31) * below)
    }
    const [sender, receiver] = [tipOf().sender_wallet, tipOf().receiver_wallet]
    const world = Array.from({ length: 400 }, () => ({
      settlementTx: `0x${String(random(40)).padStart(64, '0')}`,
      ...(random(2) === 1 && { transferIndex: random(3) }),
      chain: ['base', 'eip155:8453', 'polygon'][random(3)],
      amount: ['1', '2'][random(2)],
      currency: 'USDC',
      senderWallet: sender,
      receiverWallet: receiver,
      reference: `r${random(120)}`,
    }))
    const [one, two] = [await service.api.project('At once'), await service.api.project('One by one')]
    const atOnce = await recorded(world, one.key)
    const alone = []
    for (const input of world) {
      const { data } = await service.api.graphql(single, { key: two.key, variables: { input } })
      alone.push(data.recordReceipt)
    }
    const shown = (results: { receipt: Input }[]) => {
      const ids = [...new Set(results.map(({ receipt }) => receipt.id))]
      return results.map(({ receipt: { id, ...receipt }, ...rest }) => ({
        ...rest,
        ...receipt,
        number: ids.indexOf(id),
      }))
    }
    expect(shown(atOnce)).toEqual(shown(alone))
    expect(new Set(alone.map(({ receipt }) => receipt.id)).size).toBeLessThan(200)
  })

  it('are one receipt beside single calls and other lists that record them at the same time', async () => {
    const sent = payments(120)
    const before = await count()
    const shuffled = [sent, sent.toReversed(), [...sent.slice(60), ...sent.slice(0, 60)]]
    const [lists, alone] = await Promise.all([
      Promise.all(shuffled.map(list => recorded(list))),
      Promise.all(
        sent.slice(0, 40).map(async input => {
          const { data } = await service.api.graphql(single, { key, variables: { input } })
          return data.recordReceipt
        }),
      ),
    ])
    expect(await count()).toBe(before + 120)
    const idOf = new Map(lists[0]?.map(({ receipt }: { receipt: Input }) => [receipt.reference, receipt.id]))
    const all = [...lists.flat(), ...alone]
    for (const { receipt, differences } of all)
      expect([receipt.id, differences]).toEqual([idOf.get(receipt.reference), []])
    expect(all.filter(({ matchedBy }) => matchedBy === null)).toHaveLength(120)
  })

  it('are two where two projects record them', async () => {
    const sent = payments(3)
    const mine = await recorded(sent)
    const theirs = await recorded(sent, other)
    expect(theirs.map(({ matchedBy }: Input) => matchedBy)).toEqual([null, null, null])
    const ids = [...mine, ...theirs].map(({ receipt }: { receipt: Input }) => receipt.id)
    expect(new Set(ids).size).toBe(6)
  })
})

describe('the cost', () => {
  const costOf = async (receipts: Input[], selection = 'results { matchedBy }') => {
    const body = {
      query: `mutation ($receipts: [RecordReceiptInput!]!) { recordReceipts(input: { receipts: $receipts }) { ${selection} } }`,
      variables: { receipts },
      extensions: { dryRun: true },
    }
    const { json } = await service.api.call('POST', '/graphql', { key, body })
    return json.extensions.cost.requested
  }

  it('grows with the entries, whatever is selected', async () => {
    const [one, ten, all] = [await costOf(payments(1)), await costOf(payments(10)), await costOf(payments(500))]
    expect(ten - one).toBeGreaterThanOrEqual(9 * 2)
    expect(all - one).toBeGreaterThanOrEqual(499 * 2)
    expect(
      (await costOf(payments(500), '__typename')) - (await costOf(payments(1), '__typename')),
    ).toBeGreaterThanOrEqual(499 * 2)
  })
})

describe('an Idempotency-Key', () => {
  it('gives a repeated call the first answer', async () => {
    const body = { query: many, variables: { receipts: payments(50) } }
    const call = () => service.api.call('POST', '/graphql', { key, body, headers: { 'Idempotency-Key': 'list-1' } })
    const [first, again] = [await call(), await call()]
    expect(again.json).toEqual(first.json)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(first.json.data.recordReceipts.results).toHaveLength(50)
  })
})

it('a caller without a key has the smaller limit of a body', async () => {
  const body = { query: many, variables: { receipts: payments(500) } }
  const { status, json } = await service.api.call('POST', '/graphql', { body })
  expect([status, json.errors[0].extensions]).toMatchObject([413, { code: 'payload_too_large', maximum: 2_500 }])
})
