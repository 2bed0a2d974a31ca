// The keys of receipts: the functions of the database have the rules of src/core/identity.ts, and receipts that are
// written without keys get them.
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { addressKey, aliasesWith, chainKey, knownChains, transactionKey } from '../../src/core/identity.ts'
import { sqlOf } from '../../src/kit/transaction.ts'
import { recordAll } from '../../src/modules/receipts/record.ts'
import { renameChains } from '../../src/modules/receipts/rename-chains.ts'
import { recording } from '../kit/recording.ts'
import { freshDatabase } from '../kit/service.ts'
import { sized } from '../kit/size.ts'

const hash = `0x${'Ab'.repeat(32)}`
const wallet = `0x${'Cd'.repeat(20)}`
// The letters that normalising makes longest, in another order each time, so that PostgreSQL cannot compress them.
const longest = Array.from({ length: 0xffff }, (_, code) => String.fromCodePoint(code)).filter(
  letter => letter.isWellFormed() && Buffer.byteLength(letter.normalize('NFKC')) > 10,
)
const expanding = (length: number) => Array.from({ length }, () => longest[randomInt(longest.length)]).join('')

describe('the functions of the database', () => {
  let pool: pg.Pool
  beforeAll(async () => {
    pool = openPool(await freshDatabase(), 2, { error: () => undefined, warn: () => undefined } as never)
  })
  afterAll(() => pool.end())

  const hexes = (digits: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: digits, maxLength: digits })
  const parts = fc.oneof(
    fc.constantFrom(
      '0x',
      '0X',
      'xdc',
      '#3',
      '#',
      '#007',
      '#2147483648',
      ':',
      ' ',
      '\u200b',
      '\u202e',
      '\u00a0',
      'eip155:1:',
      'eth:',
      'EIP155:8453',
      '-',
      '_',
      'mainnet',
      '0.0.12',
      '１',
      'Ａ',
      '＃3',
      '0:',
      '-1:',
      'ton:0:',
      'xrpl:0:',
      'XRPL:',
      'hedera:mainnet:',
      'alice:',
      'bitcoincash:',
      'Starknet:SN_MAIN:',
      '12345678901234567890',
      '0x1',
      // One character becomes eighteen.
      '\ufdfa'.repeat(60),
      '\u{20000}'.repeat(255),
      '\u{20000}'.repeat(256),
      'x'.repeat(1030),
    ),
    fc.constantFrom(...knownChains.keys()),
    fc.constantFrom(...knownChains.values()),
    hexes(40),
    hexes(64),
    fc.string({ unit: fc.constantFrom(...'0123456789abcxyzABCXYZ'), maxLength: 44 }),
    fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
  )
  // The database and the runtime may know different versions of Unicode, so no other letters are drawn.
  const texts = fc
    .array(parts, { minLength: 1, maxLength: 4 })
    .map(all => all.join(''))
    .filter(text => text.trim() !== '')

  it.each([
    ['address_key', addressKey],
    ['transaction_key', transactionKey],
    ['chain_key', (text: string) => chainKey(text, knownChains)],
  ])('%s has the rule of the service', async (name, key) => {
    const given = fc.sample(texts, { numRuns: sized(20_000, 200_000), seed: 29 })
    const { rows } = await pool.query(`select v, ${name}(v) as key from unnest($1::text[]) as v`, [given])
    expect(rows.filter(row => row.key !== key(row.v)).map(row => [row.v, row.key, key(row.v)])).toEqual([])
    expect(new Set(rows.map(row => row.key)).size).toBeGreaterThan(given.length / 20)
  })

  it('make no key that does not fit into a row of an index', async () => {
    const { rows } = await pool.query(
      `select max(octet_length(key)) as most from unnest($1::text[]) as v
       cross join lateral (values (address_key(v)), (chain_key(v)), (transaction_key(v || '#2147483647'))) as keys(key)`,
      [['\ufdfa', '\u{20000}', '\u0130', '\u3250', 'Ⅷ'].map(letter => letter.repeat(255))],
    )
    expect(rows).toEqual([{ most: 1_020 + '#2147483647'.length }])
  })

  it('know each name of the kept lists', async () => {
    const { rows } = await pool.query('select v, chain_key(v) as key from unnest($1::text[]) as v', [
      [...knownChains.keys()],
    ])
    expect(new Map(rows.map(row => [row.v, row.key]))).toEqual(knownChains)
  })
})

describe('a receipt that is written without keys', () => {
  let pool: pg.Pool
  let project: string
  beforeEach(async () => {
    pool = openPool(await freshDatabase(), 2, { error: () => undefined, warn: () => undefined } as never)
    project = randomUUID()
    await pool.query(`insert into projects (id, name) values ($1, 'p')`, [project])
  })
  afterEach(() => pool.end())

  let number = 0
  async function receipt(tx: string, chain: string, refundOf: string | null = null, refundTx: string | null = null) {
    const id = randomUUID()
    const { rowCount } = await pool.query(
      `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet,
         reference, refund_of_id, refund_tx_hash)
       values ($1, $2, $3, $4, 1, 'USDC', $5, 'alice', $6, $7, $8) on conflict do nothing`,
      [id, project, tx, chain, wallet, `r${++number}`, refundOf, refundTx],
    )
    return rowCount === 1 ? id : null
  }
  const keysOf = async (id: string | null) =>
    (await pool.query('select chain_key, tx_key, sender_key, receiver_key from receipts where id = $1', [id])).rows[0]

  it('gets them, and is the receipt of its payment however that is told', async () => {
    const id = await receipt(hash, 'Base')
    const tx_key = hash.toLowerCase()
    const wallets = { sender_key: wallet.toLowerCase(), receiver_key: 'alice' }
    expect(await keysOf(id)).toEqual({ chain_key: 'eip155:8453', tx_key, ...wallets })
    expect(await receipt(tx_key, 'eip155:8453')).toBeNull()
    const again = recording(project, { settlementTx: tx_key, chain: 'base-mainnet' })
    const [told] = await recordAll(sqlOf(pool), [again], knownChains)
    expect([told?.receipt.id, told?.matchedBy]).toEqual([id, 'settlement'])
  })

  it('is counted by its chain', async () => {
    await receipt(hash, 'Base')
    const { rows } = await pool.query('select chain, chain_key, count::int from receipt_counts')
    expect(rows).toEqual([{ chain: 'Base', chain_key: 'eip155:8453', count: 1 }])
  })

  it('has, as a refund, the identity of the transaction that gave the money back', async () => {
    const [one, two] = [await receipt(hash, 'base'), await receipt(`${hash}#1`, 'base')]
    const back = `0x${'ef'.repeat(32)}`
    const refund = await receipt(hash, 'base', one, `0x${'EF'.repeat(32)}`)
    const announced = await receipt(hash, 'base', two)
    expect(await keysOf(refund)).toMatchObject({ tx_key: back })
    expect(await keysOf(announced)).toMatchObject({ tx_key: hash.toLowerCase() })
    await pool.query('update receipts set refund_tx_hash = $2 where id = $1', [announced, `${back.slice(2)}#1`])
    expect(await keysOf(announced)).toMatchObject({ tx_key: `${back}#1` })
  })
})

describe('what is told', () => {
  let pool: pg.Pool
  let project: string
  beforeEach(async () => {
    pool = openPool(await freshDatabase(), 4, { error: () => undefined, warn: () => undefined } as never)
    project = randomUUID()
    await pool.query(`insert into projects (id, name) values ($1, 'p')`, [project])
  })
  afterEach(() => pool.end())

  const tell = async (...changes: Parameters<typeof recording>[1][]) => {
    const told = changes.map(change => recording(project, change))
    return (await recordAll(sqlOf(pool), told, knownChains)).map(({ receipt }) => receipt.id)
  }
  /** The same payment, told with another reference. */
  const payment = (settlementTx = `0x${randomBytes(32).toString('hex')}`) => ({
    settlementTx,
    senderWallet: wallet,
    receiverWallet: 'alice',
  })

  it('is recorded however long its texts become, and met again', async () => {
    const texts = { settlementTx: expanding(255), chain: expanding(255), senderWallet: expanding(255) }
    const [id] = await tell(texts)
    expect(await tell(texts, { ...texts, settlementTx: texts.settlementTx.normalize('NFKC') })).toEqual([id, id])
  })

  it('of a leg and of the whole transaction in one batch is one receipt', async () => {
    const whole = payment()
    const leg = payment(`${whole.settlementTx}#3`)
    const ids = await tell(leg, whole, leg)
    expect(new Set(ids).size).toBe(1)
    const others = await tell(payment(`${whole.settlementTx}#4`), {
      ...leg,
      amount: '7',
      settlementTx: `${leg.settlementTx}1`,
    })
    expect(new Set([...ids, ...others]).size).toBe(2)
  })

  it.each([
    ['the whole', '', '#3'],
    ['a leg', '#3', ''],
  ])('of the other while %s is being recorded waits for it, and is that receipt', async (_, first, second) => {
    const { settlementTx } = payment()
    const client = await pool.connect()
    try {
      await client.query('begin')
      const [told] = await recordAll(sqlOf(client), [recording(project, payment(settlementTx + first))], knownChains)
      const again = tell(payment(settlementTx + second))
      const waiting = () =>
        pool.query(
          `select from pg_locks where locktype = 'advisory' and not granted
             and database = (select oid from pg_database where datname = current_database())`,
        )
      await expect.poll(async () => (await waiting()).rowCount, { timeout: 10_000 }).toBe(1)
      await client.query('commit')
      expect(await again).toEqual([told?.receipt.id])
    } finally {
      client.release(true)
    }
  })
})

describe('a name that stands for another chain now', () => {
  const warnings: object[] = []
  let pool: pg.Pool
  beforeEach(async () => {
    pool = openPool(await freshDatabase(), 4, { error: () => undefined, warn: () => undefined } as never)
  })
  afterEach(() => pool.end())

  it('takes its receipts along, and those that were told under both names stay', async () => {
    const [project, other] = [randomUUID(), randomUUID()]
    await pool.query(`insert into projects (id, name) select unnest($1::uuid[]), 'p'`, [[project, other]])
    const tell = async (projectId: string, chain: string, settlementTx: string, aliases = knownChains) => {
      const [told] = await recordAll(sqlOf(pool), [recording(projectId, { chain, settlementTx })], aliases)
      return told
    }
    await tell(project, 'Acme', hash)
    await tell(project, 'acme', `${hash}#1`)
    const first = await tell(project, 'eip155:99999', hash)
    await tell(other, 'acme', hash)
    await tell(other, 'base', hash)
    const { aliases: chainAliases } = aliasesWith([['acme', 'eip155:99999']])
    const log = { warn: (details: object) => warnings.push(details) }
    const app = { pool, chainAliases, log } as never
    await Promise.all([renameChains(app), renameChains(app), renameChains(app)])
    await renameChains(app)
    const { rows } = await pool.query(
      `select chain, chain_key, tx_key like '%#1' as leg, is_repeated from receipts where project_id = $1 order by chain collate "C"`,
      [project],
    )
    const chain_key = 'eip155:99999'
    expect(rows).toEqual([
      { chain: 'Acme', chain_key, leg: false, is_repeated: true },
      { chain: 'acme', chain_key, leg: true, is_repeated: false },
      { chain: 'eip155:99999', chain_key, leg: false, is_repeated: false },
    ])
    const again = await tell(project, 'acme', hash, chainAliases)
    expect(again?.receipt.id).toBe(first?.receipt.id)
    const { rows: off } = await pool.query(`select * from (
      select project_id, chain_key, sum(n) as off from (select project_id, chain_key, 1 as n from receipts
        union all select project_id, chain_key, -count from receipt_counts) as both_sides group by 1, 2) as compared where off <> 0`)
    expect(off).toEqual([])
    expect(warnings.length).toBeGreaterThan(0)
  })
})
