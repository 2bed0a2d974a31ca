// The balances of statements: the database cuts amounts exactly as the messages do, so that one day's closing balance is
// the next day's opening balance, whatever the amounts.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { sqlOf } from '../../src/kit/transaction.ts'
import { inBandAmount } from '../../src/modules/artifacts/slots.ts'
import { collect } from '../../src/modules/statements/collect.ts'
import { anyAmount } from '../kit/receipts.ts'
import { freshDatabase } from '../kit/service.ts'

let pool: pg.Pool
beforeAll(async () => {
  pool = openPool(await freshDatabase(), 4, console)
})
afterAll(() => pool.end())

const day = (number: number, hour = 0) => new Date(Date.UTC(2026, 2, number, hour))
const shop = 'shop'

type Row = { amount?: string; sender?: string; receiver?: string; at?: Date | null; refundOf?: string; status?: string }

async function project(): Promise<string> {
  const id = randomUUID()
  await pool.query(`insert into projects (id, name) values ($1, 'p')`, [id])
  return id
}

async function receipt(projectId: string, row: Row = {}): Promise<string> {
  const id = randomUUID()
  const { amount = '1', sender = 'customer', receiver = shop, at = day(1, 12), refundOf = null } = row
  const status = row.status ?? 'anchored'
  await pool.query(
    `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
       refund_of_id, status, booked_at)
     values ($1::uuid, $2, $1::text, 'base', $3, 'USDC', $4, $5, $1::text, $6, $7::receipt_status, $8)`,
    [id, projectId, amount, sender, receiver, refundOf, status, at],
  )
  return id
}

const of = (projectId: string, from: Date, to: Date) => collect(sqlOf(pool), projectId, from, to)

const scale = 10n ** 18n
const units = (text: string): bigint => {
  const [integer = '0', fraction = ''] = text.replace('-', '').split('.')
  const size = BigInt(integer) * scale + BigInt(fraction.padEnd(18, '0'))
  return text.startsWith('-') ? -size : size
}

it('opens with the sum of what the messages of the days before said, to the last digit', async () => {
  const projectId = await project()
  const amounts = fc.sample(anyAmount, 400)
  for (const amount of amounts) await receipt(projectId, { amount })
  const last = await receipt(projectId, { at: day(2, 9) })
  const [account] = await of(projectId, day(2), day(3))
  const sum = (texts: string[]) => texts.reduce((total, text) => total + units(text), 0n)
  expect(units(account?.exact ?? '')).toBe(sum(amounts))
  expect(units(account?.inBand ?? '')).toBe(sum(amounts.map(amount => inBandAmount(amount).text)))
  expect(account?.movements).toEqual([{ id: last, side: 'CRDT' }])
})

it('puts a payment on the account it was paid to, and a refund on the account it came from', async () => {
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
      exact: '0',
      inBand: '0',
      movements: [
        { id: paid, side: 'CRDT' },
        { id: refund, side: 'DBIT' },
      ],
    },
  ])
})

it('counts each moment once: a window begins with its first and ends before its last', async () => {
  const projectId = await project()
  for (const at of [day(1), day(2), day(3)]) await receipt(projectId, { at })
  const counts = await Promise.all([1, 2, 3].map(number => of(projectId, day(number), day(number + 1))))
  expect(counts.map(([account]) => [Number(account?.exact), account?.movements.length])).toEqual([
    [0, 1],
    [1, 1],
    [2, 1],
  ])
})

it('knows nothing of receipts that are not anchored, or another project’s', async () => {
  const [mine, other] = [await project(), await project()]
  await receipt(other)
  await receipt(mine, { status: 'awaiting_anchor', at: null })
  await receipt(mine, { status: 'failed', at: null })
  expect(await of(mine, day(1), day(2))).toEqual([])
})

it('opens an account with nothing: what its wallet paid before it was paid itself stands in no statement', async () => {
  const projectId = await project()
  await receipt(projectId, { amount: '100', sender: 'alice', receiver: 'bob', at: day(1, 9) })
  await receipt(projectId, { amount: '5', sender: 'carol', receiver: 'alice', at: day(2, 9) })
  const [alice] = await of(projectId, day(2), day(3))
  expect([alice?.wallet, alice?.exact, alice?.movements.length]).toEqual(['alice', '0', 1])
})

it('lists accounts that moved, and no others', async () => {
  const projectId = await project()
  for (const receiver of ['a', 'b', 'c']) await receipt(projectId, { receiver })
  await receipt(projectId, { receiver: 'b', at: day(2, 1) })
  expect((await of(projectId, day(2), day(3))).map(({ wallet }) => wallet)).toEqual(['b'])
})
