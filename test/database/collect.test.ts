// The accounts of statements, their movements, and the balances with which they open.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { chainKey, knownChains } from '../../src/core/identity.ts'
import { type Sql, sqlOf } from '../../src/kit/transaction.ts'
import { collect, countListed, type Owner } from '../../src/modules/statements/collect.ts'
import { anyAmount } from '../kit/receipts.ts'
import { freshDatabase } from '../kit/service.ts'

let pool: pg.Pool
beforeAll(async () => {
  pool = openPool(await freshDatabase(), 4, console)
})
afterAll(() => pool.end())

const day = (number: number, hour = 0) => new Date(Date.UTC(2026, 2, number, hour))
const whole = (number: number) => ({ from: day(number), to: day(number + 1), isWholeDay: true })
const shop = 'shop'

type Row = {
  amount?: string
  sender?: string
  receiver?: string
  chain?: string
  currency?: string
  /** The payment's transaction, where several receipts share it. */
  tx?: string
  at?: Date | null
  refundOf?: string
  /** The transaction of a refund that was settled after its announcement. */
  refundTx?: string
  status?: string
}

async function project(): Promise<string> {
  const id = randomUUID()
  await pool.query(`insert into projects (id, name) values ($1, 'p')`, [id])
  return id
}

async function receipt(projectId: string, row: Row = {}): Promise<string> {
  const id = randomUUID()
  const { amount = '1', sender = 'customer', receiver = shop, at = day(1, 12), refundOf = null } = row
  const { chain = 'base', currency = 'USDC', tx = id, status = 'anchored' } = row
  await pool.query(
    `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
       refund_of_id, status, booked_at, refund_tx_hash)
     values ($1::uuid, $2, $9, $10, $3, $11, $4, $5, $1::text, $6, $7::receipt_status, $8, $12)`,
    [id, projectId, amount, sender, receiver, refundOf, status, at, tx, chain, currency, row.refundTx ?? null],
  )
  return id
}

/** The accounts without their keys and the times of their movements. */
async function collected(owner: Owner, from: Date, to: Date) {
  const accounts = await collect(sqlOf(pool), owner, { from, to, isWholeDay: true })
  return accounts.map(({ walletKey, chainKey, ...account }) => ({
    ...account,
    movements: account.movements.map(({ id, side }) => ({ id, side })),
  }))
}

const of = (projectId: string, from: Date, to: Date) => collected({ projectId, account: null }, from, to)

const scale = 10n ** 18n
const units = (text: string): bigint => {
  const [integer = '0', fraction = ''] = text.replace('-', '').split('.')
  const size = BigInt(integer) * scale + BigInt(fraction.padEnd(18, '0'))
  return text.startsWith('-') ? -size : size
}

it('opens with the exact sum of the amounts of the days before', async () => {
  const projectId = await project()
  const amounts = fc.sample(anyAmount, 400)
  for (const amount of amounts) await receipt(projectId, { amount })
  const last = await receipt(projectId, { at: day(2, 9) })
  const [account] = await of(projectId, day(2), day(3))
  expect(units(account?.opening ?? '')).toBe(amounts.reduce((total, text) => total + units(text), 0n))
  expect(account?.movements).toEqual([{ id: last, side: 'CRDT' }])
})

it('books a payment on the payee’s account, and its refund on the account that refunds', async () => {
  const projectId = await project()
  const paid = await receipt(projectId, { amount: '5', at: day(1, 9) })
  const refund = await receipt(projectId, {
    amount: '5',
    at: day(1, 10),
    sender: shop,
    receiver: 'customer',
    refundOf: paid,
  })
  expect(await of(projectId, day(1), day(2))).toEqual([
    {
      wallet: shop,
      chain: 'base',
      currency: 'USDC',
      opening: '0',
      movements: [
        { id: paid, side: 'CRDT' },
        { id: refund, side: 'DBIT' },
      ],
    },
  ])
})

it('counts each moment in one window only: a window includes its start and excludes its end', async () => {
  const projectId = await project()
  for (const at of [day(1), day(2), day(3)]) await receipt(projectId, { at })
  const counts = await Promise.all([1, 2, 3].map(number => of(projectId, day(number), day(number + 1))))
  expect(counts.map(([account]) => [Number(account?.opening), account?.movements.length])).toEqual([
    [0, 1],
    [1, 1],
    [2, 1],
  ])
})

it('ignores receipts that are not anchored, and receipts of other projects', async () => {
  const [mine, other] = [await project(), await project()]
  await receipt(other)
  await receipt(mine, { status: 'awaiting_anchor', at: null })
  await receipt(mine, { status: 'failed', at: null })
  expect(await of(mine, day(1), day(2))).toEqual([])
})

it('opens an account at zero, because payments that a wallet made before its first incoming payment are in no statement', async () => {
  const projectId = await project()
  await receipt(projectId, { amount: '100', sender: 'alice', receiver: 'bob', at: day(1, 9) })
  await receipt(projectId, { amount: '5', sender: 'carol', receiver: 'alice', at: day(2, 9) })
  const [alice] = await of(projectId, day(2), day(3))
  expect([alice?.wallet, alice?.opening, alice?.movements.length]).toEqual(['alice', '0', 1])
})

it('lists accounts that move or hold a balance, and no other', async () => {
  const projectId = await project()
  for (const receiver of ['a', 'b', 'c']) await receipt(projectId, { receiver })
  await receipt(projectId, { receiver: 'b', at: day(2, 1) })
  await receipt(projectId, { sender: 'c', receiver: 'a', at: day(1, 13) })
  const brief = (await of(projectId, day(2), day(3))).map(({ wallet, opening, movements }) => [
    wallet,
    Number(opening),
    movements.length,
  ])
  expect(brief).toEqual([
    ['a', 2, 0],
    ['b', 1, 1],
  ])
})

it('lists one account alone when it is asked for', async () => {
  const projectId = await project()
  for (const receiver of ['a', 'b']) await receipt(projectId, { receiver })
  const account = { walletKey: 'b', chainKey: chainKey('base', knownChains), currency: 'USDC' }
  const one = await collect(sqlOf(pool), { projectId, account }, whole(1))
  expect(one.map(({ wallet, movements }) => [wallet, movements.map(({ bookedAt }) => bookedAt)])).toEqual([
    ['b', [day(1, 12)]],
  ])
})

describe('a wallet', () => {
  const ofWallet = (wallet: string, from: Date, to: Date) => collected({ wallet }, from, to)

  it('has an account for each chain and asset from its first payment on, whichever project recorded it', async () => {
    const wallet = randomUUID()
    const [one, two] = [await project(), await project()]
    await receipt(one, { amount: '7', sender: wallet })
    await receipt(two, { amount: '10.5', receiver: wallet })
    const spent = await receipt(one, { amount: '2', sender: wallet, at: day(2, 1) })
    const got = await receipt(two, { amount: '1', receiver: wallet, at: day(2, 2) })
    const own = await receipt(two, { amount: '3', sender: wallet, receiver: wallet, at: day(2, 3) })
    const euro = await receipt(one, { receiver: wallet, currency: 'EURC', at: day(2, 4) })
    const elsewhere = await receipt(one, { sender: wallet, chain: 'flare', at: day(2, 5) })
    await receipt(one, { sender: 'others', receiver: 'others', at: day(2, 6) })
    await receipt(one, { sender: wallet, status: 'awaiting_anchor', at: day(2, 7) })
    await receipt(one, { receiver: wallet, at: day(3) })
    const nothing = { opening: '0' }
    expect(await ofWallet(wallet, day(2), day(3))).toEqual([
      { wallet, chain: 'base', currency: 'EURC', ...nothing, movements: [{ id: euro, side: 'CRDT' }] },
      {
        wallet,
        chain: 'base',
        currency: 'USDC',
        opening: '3.500000000000000000',
        movements: [
          { id: spent, side: 'DBIT' },
          { id: got, side: 'CRDT' },
          { id: own, side: 'CRDT' },
          { id: own, side: 'DBIT' },
        ],
      },
      { wallet, chain: 'flare', currency: 'USDC', ...nothing, movements: [{ id: elsewhere, side: 'DBIT' }] },
    ])
  })

  it('has a payment once, on the day of its first booking, if payer and payee both recorded it; and its refund', async () => {
    const wallet = randomUUID()
    const [payers, payees] = [await project(), await project()]
    const payment = { tx: randomUUID(), amount: '5', sender: shop, receiver: wallet }
    const later = await receipt(payers, { ...payment, at: day(1, 9) })
    const first = await receipt(payees, { ...payment, at: day(1, 8) })
    await receipt(await project(), { ...payment, at: day(2, 1) })
    const swapped = { ...payment, sender: wallet, receiver: shop }
    // One project recorded the refund with its transaction, the other settled it later.
    const refundTx = randomUUID()
    const refund = await receipt(payers, { ...swapped, refundTx, refundOf: later, at: day(2, 2) })
    await receipt(payees, { ...swapped, tx: refundTx, refundTx, refundOf: first, at: day(2, 3) })
    const another = await receipt(await project(), { ...payment, amount: '6', at: day(2, 4) })
    const movements = async (number: number) =>
      (await ofWallet(wallet, day(number), day(number + 1))).map(({ opening, movements }) => [
        Number(opening),
        movements,
      ])
    expect(await movements(1)).toEqual([[0, [{ id: first, side: 'CRDT' }]]])
    expect(await movements(2)).toEqual([
      [
        5,
        [
          { id: refund, side: 'DBIT' },
          { id: another, side: 'CRDT' },
        ],
      ],
    ])
  })

  it('has a return once, if one project recorded it as a refund and another as a payment; and each refund by it', async () => {
    const wallet = randomUUID()
    const [payers, payees] = [await project(), await project()]
    const back = { tx: randomUUID(), amount: '4', sender: shop, receiver: wallet }
    const originals = [
      await receipt(payees, { amount: '4', at: null }),
      await receipt(payees, { amount: '4', at: null }),
    ]
    const refunds: string[] = []
    for (const [index, refundOf] of originals.entries())
      refunds.push(await receipt(payees, { ...back, refundOf, refundTx: back.tx, at: day(1, index + 1) }))
    await receipt(payers, { ...back, at: day(1, 5) })
    const [account] = await ofWallet(wallet, day(1), day(2))
    expect(account?.movements).toEqual(refunds.map(id => ({ id, side: 'CRDT' })))
  })

  it('has its entries counted before a statement is built, each payment once and at most to the given limit', async () => {
    const [wallet, projectId] = [randomUUID(), await project()]
    const count = (owner: { wallet: string } | { projectId: string }, most = 100, isWholeDay = false) =>
      countListed(sqlOf(pool), { account: null, ...owner }, { ...whole(2), isWholeDay }, most)
    const tx = randomUUID()
    for (const at of [day(1), day(2), day(2, 5), day(3)]) await receipt(projectId, { sender: wallet, at })
    await receipt(projectId, { tx, receiver: wallet, at: day(2, 6) })
    await receipt(await project(), { tx, receiver: wallet, at: day(2, 7) })
    expect([await count({ wallet }), await count({ projectId }), await count({ projectId }, 2)]).toEqual([3, 3, 2])
    // And the accounts that a statement of the whole day lists too.
    await pool.query(
      `insert into statement_accounts (id, project_id, wallet_key, chain_key, currency, wallet, chain, since, balance)
       select gen_random_uuid(), $1, n, 'base', 'USDC', n, 'base', now(), n - 1 from generate_series(1, 5) as n`,
      [projectId],
    )
    expect([await count({ wallet }, 100, true), await count({ projectId }, 100, true)]).toEqual([4, 7])
  })

  it('is read through the indexes, without reading the receipts of other wallets', async () => {
    const [wallet, projectId] = [randomUUID(), await project()]
    await pool.query(
      `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference, status, booked_at)
       select gen_random_uuid(), $1, n, 'base', 1, 'USDC', 'payer ' || n % 5000, 'payee ' || n % 5000, n, 'anchored',
         '2026-03-01'::timestamptz + n * interval '1 second' from generate_series(1, 20000) as n`,
      [projectId],
    )
    for (let number = 0; number < 20; number += 1) await receipt(projectId, { sender: wallet })
    await pool.query('analyze receipts')
    const plans: string[] = []
    const explained: Sql = async (text, values) => {
      plans.push(JSON.stringify(await sqlOf(pool)(`explain ${text}`, values)))
      return sqlOf(pool)(text, values)
    }
    const [account] = await collect(explained, { wallet }, whole(1))
    expect(account?.movements.length).toBe(20)
    expect(await countListed(explained, { wallet }, whole(1), 100)).toBe(21)
    expect(plans.length).toBe(2)
    for (const plan of plans) {
      expect(plan).toMatch(/receipts_sent.*receipts_received/)
      expect(plan).not.toContain('Seq Scan on receipts')
    }
  })
})
