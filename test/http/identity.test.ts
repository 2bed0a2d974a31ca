// One payment in several spellings is one receipt, several transfers of one transaction are several, and an answer with
// an earlier receipt says what that states otherwise.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Service, startService, type Tip, tipOf } from '../kit/service.ts'
import { it, proof, sized } from '../kit/size.ts'

let service: Service
let key: string
let other: string
beforeAll(async () => {
  service = await startService({ ROLES: 'api', CHAIN_ALIASES: 'acme=eip155:99999, Acme Main=eip155:99999' })
  key = (await service.api.project()).key
  other = (await service.api.project('Other')).key
})
afterAll(() => service.stop())

it('a service whose configuration gives a name to two chains does not start', async () => {
  // The embedded chain is called local.
  const CHAIN_ALIASES = 'Local=eip155:1'
  await expect(startService({ ROLES: 'api', CHAIN_ALIASES })).rejects.toThrow('give local to two chains')
})

it('a name that the configuration gives to a chain is known before the service serves', async () => {
  const tip = tipOf({ chain: 'Ledger Seven' })
  const [id] = await tell(tip)
  const CHAIN_ALIASES = 'ledger-seven=eip155:77777'
  const later = await startService({ ROLES: 'api', DATABASE_URL: service.databaseUrl, CHAIN_ALIASES })
  const body = { ...tip, chain: 'eip155:77777', reference: hex(8) }
  const { json } = await later.api.call('POST', '/v1/iso/record-tip', { key, body })
  await later.stop()
  expect(json.receipt_id).toBe(id)
})

const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`
const upper = (text: string) => text.toUpperCase().replace('0X', '0x')

/** Returns the id, how it was matched, and what differs. */
async function tell(tip: Partial<Tip>, caller = key) {
  const { status, json, headers } = await service.api.call('POST', '/v1/iso/record-tip', { key: caller, body: tip })
  expect([status, json.detail]).toEqual([200, undefined])
  return [json.receipt_id, headers.get('receipt-matched-by'), headers.get('receipt-differs')]
}

const spellings: [string, Partial<Tip>, Partial<Tip>[]][] = [
  [
    'an EVM chain',
    { chain: 'base', tip_tx_hash: hex(32), sender_wallet: hex(20), receiver_wallet: hex(20) },
    [{ chain: 'Base' }, { chain: 'eip155:8453' }, { chain: 'base-mainnet' }, { chain: '8453' }],
  ],
  ['a testnet, as x402 names it', { chain: 'base-sepolia' }, [{ chain: 'eip155:84532' }, { chain: 'Base Sepolia' }]],
  [
    'Bitcoin',
    { chain: 'bitcoin', tip_tx_hash: randomBytes(32).toString('hex'), sender_wallet: `bc1q${'q'.repeat(38)}` },
    [{ chain: 'BTC', sender_wallet: `BC1Q${'Q'.repeat(38)}` }, { chain: 'bip122:000000000019d6689c085ae165831e93' }],
  ],
  [
    'XRPL',
    {
      chain: 'xrpl',
      tip_tx_hash: randomBytes(32).toString('hex').toUpperCase(),
      sender_wallet: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH',
    },
    [{ chain: 'XRPL' }, { chain: 'xrpl:0' }],
  ],
  ['a configured name', { chain: 'acme' }, [{ chain: 'eip155:99999' }, { chain: 'acme-main' }]],
  ['a name that nobody lists', { chain: 'House Ledger' }, [{ chain: 'house ledger' }]],
]

describe('one payment', () => {
  it.each(spellings)('of %s in several spellings is one receipt', async (_, change, others) => {
    const tip = tipOf(change)
    const [id] = await tell(tip)
    for (const other of others)
      expect(await tell({ ...tip, reference: hex(8), ...other })).toEqual([id, 'settlement', 'reference'])
    const { tip_tx_hash, sender_wallet, receiver_wallet } = tip
    const bare = (text: string) => text.replace(/^0x/, '')
    const swapped = (text: string) => (/^(0x)?[0-9a-f]+$/i.test(text) ? upper(bare(text)) : text)
    const written = {
      tip_tx_hash: swapped(tip_tx_hash),
      sender_wallet: swapped(sender_wallet),
      receiver_wallet: swapped(receiver_wallet),
    }
    expect(await tell({ ...tip, ...written })).toEqual([id, 'settlement', null])
    expect(await tell({ ...tip, sender_wallet: `eip155:8453:${sender_wallet}` })).toEqual([id, 'settlement', null])
  })

  proof('of which each client tells another spelling, all at once, is one receipt in each project', async () => {
    for (let round = 0; round < sized(4, 20); round++) {
      const tip = tipOf({ chain: 'base' })
      const { tip_tx_hash: hash } = tip
      const told = Array.from({ length: 96 }, (_, n) => ({
        ...tip,
        chain: ['base', 'Base', 'eip155:8453', '8453'][n % 4],
        tip_tx_hash: [hash, hash.slice(2), upper(hash)][n % 3],
        reference: `${tip.reference}-${n}`,
      }))
      const answers = await Promise.all(told.map((body, n) => tell(body as Tip, n % 2 ? key : other)))
      for (const remainder of [0, 1]) {
        const own = answers.filter((_, n) => n % 2 === remainder)
        expect(new Set(own.map(([id]) => id)).size).toBe(1)
        expect(own.filter(([, matchedBy]) => matchedBy === null)).toHaveLength(1)
      }
      expect(answers[0]?.[0]).not.toBe(answers[1]?.[0])
    }
  })

  it('is answered as it was written', async () => {
    const written = {
      chain: 'Base',
      sender_wallet: `eip155:8453:${hex(20)}`,
      tip_tx_hash: `${randomBytes(32).toString('hex').toUpperCase()}#03`,
    }
    const [id] = await tell(tipOf(written))
    const { data } = await service.api.graphql(
      'query ($id: ID!) { receipt(id: $id) { chain senderWallet settlementTx transferIndex } }',
      { variables: { id } },
    )
    expect(data.receipt).toEqual({
      chain: 'Base',
      senderWallet: written.sender_wallet,
      settlementTx: written.tip_tx_hash,
      transferIndex: 3,
    })
  })

  it('whose base58 has other letters is another payment', async () => {
    const tip = tipOf({
      chain: 'solana',
      tip_tx_hash: '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
    })
    const [id] = await tell(tip)
    const [another, matchedBy] = await tell({ ...tip, tip_tx_hash: tip.tip_tx_hash.toLowerCase(), reference: hex(8) })
    expect([another === id, matchedBy]).toEqual([false, null])
  })
})

describe('the transfers of one transaction', () => {
  it('are one receipt each, however often and at once they are told', async () => {
    const tip = tipOf()
    const legs = [0, 1, 10, 3].map(leg => ({ ...tip, tip_tx_hash: `${tip.tip_tx_hash}#${leg}`, reference: hex(8) }))
    const told = await Promise.all(Array.from({ length: 80 }, (_, n) => tell(legs[n % 4] as Tip)))
    expect(new Set(told.map(([id]) => id)).size).toBe(4)
    expect(told.filter(([, matchedBy]) => matchedBy === null)).toHaveLength(4)
    expect(new Set(told.map(([, , differs]) => differs))).toEqual(new Set([null]))
  })

  it('what differs is in the replay of an idempotent request, too', async () => {
    const tip = tipOf()
    await tell(tip)
    const body = { ...tip, amount: '2', reference: hex(8) }
    const headers = { 'Idempotency-Key': hex(16) }
    const send = () => service.api.call('POST', '/v1/iso/record-tip', { key, body, headers })
    const said = [await send(), await send()].map(({ headers }) =>
      ['receipt-differs', 'idempotency-replayed'].map(name => headers.get(name)),
    )
    expect(said).toEqual([
      ['amount, reference', null],
      ['amount, reference', 'true'],
    ])
  })

  it('are one receipt with the whole transaction, if all state the same at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const tip = tipOf()
      const told = Array.from({ length: 8 }, (_, n) => ({
        ...tip,
        tip_tx_hash: tip.tip_tx_hash + (n % 2 ? '#3' : ''),
        reference: hex(8),
      }))
      const ids = await Promise.all(told.map(async body => (await tell(body))[0]))
      expect(new Set(ids).size).toBe(1)
    }
  })

  it('are not the receipt of the whole transaction, unless that states the same', async () => {
    const tip = tipOf({ amount: '5' })
    const leg = (n: number, change: Partial<Tip> = {}) => ({
      ...tip,
      tip_tx_hash: `${upper(tip.tip_tx_hash)}#${n}`,
      reference: hex(8),
      ...change,
    })
    const [whole] = await tell(tip)
    expect(await tell(leg(2, { amount: '5.000', chain: 'eip155:8453' }))).toEqual([
      whole,
      'settlement',
      'tip_tx_hash, reference',
    ])
    const [second, , differs] = await tell(leg(3, { amount: '7' }))
    expect([second === whole, differs]).toEqual([false, null])
    // The other way round.
    expect(await tell({ ...tip, amount: '7', reference: hex(8) })).toEqual([whole, 'settlement', 'amount, reference'])
    const later = tipOf()
    const [first] = await tell({ ...later, tip_tx_hash: `${later.tip_tx_hash}#4` })
    expect(await tell({ ...later, reference: hex(8) })).toEqual([first, 'settlement', 'tip_tx_hash, reference'])
    const [third] = await tell({ ...later, amount: '99', reference: hex(8) })
    expect(third).not.toBe(first)
    const [ofOther, matchedBy] = await tell(leg(2), other)
    expect([ofOther === whole, matchedBy]).toEqual([false, null])
  })

  it.each(['#', '#x', '#-1', '#1.0', '#0x1', '#1#2', '#2147483648'])(
    'have a number: %s is refused, and nothing is recorded',
    async leg => {
      const tip = tipOf()
      const { status, json } = await service.api.call('POST', '/v1/iso/record-tip', {
        key,
        body: { ...tip, tip_tx_hash: tip.tip_tx_hash + leg },
      })
      const fault = {
        loc: ['body', 'tip_tx_hash'],
        msg: expect.stringMatching(/^After # must be the number/),
        type: 'value_error',
      }
      expect([status, json.detail]).toEqual([422, [fault]])
      const { total } = (await service.api.call('GET', `/v1/receipts?reference=${tip.reference}`, { key })).json
      expect(total).toBe(0)
    },
  )
})

const recordDocument = `mutation ($input: RecordReceiptInput!) {
  recordReceipt(input: $input) { matchedBy differences receipt { id settlementTx transferIndex } } }`
const inputOf = ({ tip_tx_hash, sender_wallet, receiver_wallet, ...rest }: Tip) => ({
  ...rest,
  settlementTx: tip_tx_hash,
  senderWallet: sender_wallet,
  receiverWallet: receiver_wallet,
})
const record = (input: object, caller = key) =>
  service.api.graphql(recordDocument, { key: caller, variables: { input } })

describe('over GraphQL', () => {
  it('the number of a transfer can stand beside the transaction', async () => {
    const input = inputOf(tipOf())
    const { settlementTx } = input
    const first = (await record({ ...input, transferIndex: 7 })).data.recordReceipt
    expect(first).toEqual({
      matchedBy: null,
      differences: [],
      receipt: { id: expect.any(String), settlementTx: `${settlementTx}#7`, transferIndex: 7 },
    })
    const again = (await record({ ...input, settlementTx: `${settlementTx}#7`, transferIndex: 7 })).data.recordReceipt
    expect([again.receipt.id, again.matchedBy]).toEqual([first.receipt.id, 'SETTLEMENT'])
    const { errors } = await record({ ...input, settlementTx: `${settlementTx}#7`, transferIndex: 8 })
    expect(errors[0].extensions).toMatchObject({ code: 'validation_failed' })
    expect(JSON.stringify(errors[0])).toContain('transferIndex')
    expect((await record({ ...input, transferIndex: -1 })).errors[0].extensions.code).toBe('validation_failed')
  })

  it('each fact that differs is named, of a payment found by its settlement or by its reference', async () => {
    const tip = tipOf()
    const input = { ...inputOf(tip), resourceHash: hex(32), callbackUrl: 'https://a.example/hook' }
    const [{ id }] = [(await record(input)).data.recordReceipt.receipt]
    const differing = async (change: object, caller = key) => {
      const { receipt, matchedBy, differences } = (await record({ ...input, ...change }, caller)).data.recordReceipt
      return [receipt.id === id, matchedBy, differences]
    }
    expect(await differing({})).toEqual([true, 'SETTLEMENT', []])
    expect(await differing({ amount: `${input.amount}.0`.replace('.50.0', '.500') })).toEqual([true, 'SETTLEMENT', []])
    expect(await differing({ resourceHash: null, callbackUrl: undefined })).toEqual([true, 'SETTLEMENT', []])
    const all = {
      amount: '77',
      currency: input.currency.toLowerCase(),
      senderWallet: hex(20),
      receiverWallet: hex(20),
      reference: hex(8),
      resourceHash: hex(32),
      callbackUrl: 'https://b.example/hook',
    }
    const names = [
      'AMOUNT',
      'CURRENCY',
      'SENDER_WALLET',
      'RECEIVER_WALLET',
      'REFERENCE',
      'RESOURCE_HASH',
      'CALLBACK_URL',
    ]
    expect(await differing(all)).toEqual([true, 'SETTLEMENT', names])
    expect(await differing({ settlementTx: hex(32), chain: 'polygon' })).toEqual([
      true,
      'REFERENCE',
      ['SETTLEMENT_TX', 'CHAIN'],
    ])
    // Another tenant's receipt is no earlier one.
    expect(await differing(all, other)).toEqual([false, null, []])
  })
})

describe('a filter', () => {
  const find = async (filter: object, caller = key) => {
    const { data } = await service.api.graphql(
      'query ($filter: ReceiptFilter) { receipts(filter: $filter) { totalCount nodes { id } } }',
      {
        key: caller,
        variables: { filter },
      },
    )
    const ids = data.receipts.nodes.map(({ id }: { id: string }) => id)
    expect(data.receipts.totalCount).toBe(ids.length)
    return ids.sort()
  }

  it('finds receipts by any spelling of a chain, a wallet and a transaction, those of the own project alone', async () => {
    const caller = (await service.api.project('Filtering')).key
    const [sender, receiver, hash] = [hex(20), hex(20), hex(32)]
    const tip = (change: Partial<Tip>) =>
      tipOf({ sender_wallet: sender, receiver_wallet: receiver, chain: 'base', ...change })
    const all = [
      tip({ tip_tx_hash: `${hash}#1` }),
      tip({ tip_tx_hash: `${hash.slice(2)}#2`, chain: 'Base' }),
      tip({ chain: 'polygon', sender_wallet: upper(sender) }),
    ]
    const ids: string[] = []
    for (const one of all) ids.push(String((await tell(one, caller))[0]))
    const [one, two, three] = ids as [string, string, string]
    for (const chain of ['base', 'Base', 'eip155:8453'])
      expect(await find({ chains: [chain] }, caller)).toEqual([one, two].sort())
    expect(await find({ chains: ['base', 'Base', '137'] }, caller)).toEqual([...ids].sort())
    for (const wallet of [sender, upper(sender).slice(2), `base:${sender}`]) {
      expect(await find({ wallets: [wallet] }, caller)).toEqual([...ids].sort())
      expect(await find({ senderWallets: [wallet] }, caller)).toEqual([...ids].sort())
      expect(await find({ receiverWallets: [wallet] }, caller)).toEqual([])
    }
    expect(await find({ settlementTx: upper(hash) }, caller)).toEqual([one, two].sort())
    expect(await find({ settlementTx: `${hash}#2` }, caller)).toEqual([two])
    expect(await find({ settlementTx: `${hash}#3` }, caller)).toEqual([])
    expect(await find({ settlementTx: hash.slice(0, -1) }, caller)).toEqual([])
    for (const filter of [{ chains: ['base'], senderWallets: [sender] }, { wallets: [sender] }, { settlementTx: hash }])
      expect(await find(filter, other)).toEqual([])
    const rest = await service.api.call('GET', '/v1/receipts?chain=EIP155:8453', { key: caller })
    expect([rest.json.total, rest.json.items.map(({ chain }: { chain: string }) => chain).sort()]).toEqual([
      2,
      ['Base', 'base'],
    ])

    const { data } = await service.api.graphql(
      `query ($by: [ReceiptGrouping!] = [{ chain: true }]) {
        counted: receiptStats(by: $by) { nodes { key { chain network } count } }
        read: receiptStats(by: $by) { nodes { key { chain network } count anchoring { p50 } } }
      }`,
      { key: caller },
    )
    expect(data.counted.nodes).toEqual([
      { key: { chain: 'polygon', network: 'eip155:137' }, count: 1 },
      { key: { chain: 'base', network: 'eip155:8453' }, count: 2 },
    ])
    expect(data.read.nodes).toMatchObject(data.counted.nodes)
    expect(three).toBeDefined()
  })
})
