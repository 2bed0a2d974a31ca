// The keys of receipts: the functions of the database have the rules of src/core/identity.ts, receipts from before get
// their keys, and so does whatever writes receipts without.
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { migrations } from '../../src/adapters/migrate.ts'
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

describe('a database from before', () => {
  let client: pg.Client
  let project: string
  let all: Awaited<ReturnType<typeof migrations>>
  let first: number
  beforeEach(async () => {
    client = new pg.Client({ connectionString: await freshDatabase() })
    await client.connect()
    await client.query('create schema older; set search_path to older, public')
    all = await migrations()
    first = all.findIndex(({ name }) => name.endsWith('_receipt_keys'))
    for (const { sql } of all.slice(0, first)) await client.query(sql)
    project = await newProject()
  })
  afterEach(() => client.end())

  async function newProject(): Promise<string> {
    const id = randomUUID()
    await client.query(`insert into projects (id, name) values ($1, 'p')`, [id])
    return id
  }

  const insert = `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet,
      reference, refund_of_id, refund_tx_hash)
    values ($1, $2, $3, $4, 1, 'USDC', $5, $6, $7, $8, $9) on conflict do nothing`
  let number = 0
  async function receipt(given: {
    tx?: string
    chain?: string
    projectId?: string
    refundOf?: string
    refundTx?: string
  }) {
    const [id, { tx = hash, chain = 'base', projectId = project, refundOf = null, refundTx = null }] = [
      randomUUID(),
      given,
    ]
    const { rowCount } = await client.query(insert, [
      id,
      projectId,
      tx,
      chain,
      wallet,
      'alice',
      `r${++number}`,
      refundOf,
      refundTx,
    ])
    return rowCount === 1 ? id : null
  }
  const migrated = async () => {
    for (const { sql } of all.slice(first)) await client.query(sql)
  }
  const rows = async () => {
    const { rows } = await client.query('select * from receipts order by created_at, reference')
    return new Map(rows.map(row => [row.id, row]))
  }

  it('keeps each receipt of one payment in several spellings, and says which is the receipt of the payment', async () => {
    const other = await newProject()
    const ids = [
      await receipt({}),
      await receipt({ chain: 'Base' }),
      await receipt({ chain: 'eip155:8453', tx: hash.slice(2) }),
      await receipt({ chain: 'polygon' }),
      await receipt({ tx: `${hash}#3` }),
      await receipt({ projectId: other, chain: 'BASE' }),
    ].map(String)
    const before = await rows()
    await migrated()
    const after = await rows()
    for (const [id, row] of before) expect(after.get(id)).toMatchObject(row)
    const key = hash.toLowerCase()
    const keys = { sender_key: wallet.toLowerCase(), receiver_key: 'alice' }
    const base = { chain_key: 'eip155:8453', tx_key: key, ...keys }
    expect(ids.map(id => after.get(id))).toMatchObject([
      { ...base, is_repeated: false },
      { ...base, is_repeated: true },
      { ...base, is_repeated: true },
      { ...base, chain_key: 'eip155:137', is_repeated: false },
      { ...base, tx_key: `${key}#3`, is_repeated: false },
      { ...base, is_repeated: false },
    ])
    // Told again, it is the first receipt.
    const pool = { query: (text: string, values: unknown[]) => client.query(text, values) }
    const again = recording(project, { settlementTx: key, chain: 'base-mainnet' })
    const [told] = await recordAll(sqlOf(pool as never), [again], knownChains)
    expect([told?.receipt.id, told?.matchedBy]).toEqual([ids[0], 'settlement'])
  })

  // A text that normalising makes longer fits into an index before it does.
  it('keeps receipts whose texts are as long as they can be', async () => {
    const long = { tx: expanding(255), chain: expanding(255) }
    const ids = [await receipt(long), await receipt({ ...long, tx: `${long.tx.slice(2)}x` })].map(String)
    await migrated()
    const after = await rows()
    expect(ids.map(id => after.get(id))).toMatchObject([{ is_repeated: false }, { is_repeated: false }])
    expect(new Set(ids.map(id => after.get(id).tx_key)).size).toBe(2)
    expect(await receipt(long)).toBeNull()
  })

  it('counts its receipts by chain, however they are written', async () => {
    for (const chain of ['base', 'Base', 'mine']) await receipt({ chain, tx: hash + chain })
    await migrated()
    const { rows } = await client.query(
      'select chain, chain_key, sum(count)::int as count from receipt_counts group by chain, chain_key having sum(count) <> 0 order by chain collate "C"',
    )
    expect(rows).toEqual([
      { chain: 'Base', chain_key: 'eip155:8453', count: 1 },
      { chain: 'base', chain_key: 'eip155:8453', count: 1 },
      { chain: 'mine', chain_key: 'mine', count: 1 },
    ])
  })

  it('gives a refund the identity of the transaction that gave the money back', async () => {
    const id = String(await receipt({}))
    const refund = String(await receipt({ refundOf: id, refundTx: `0x${'EF'.repeat(32)}` }))
    const announced = String(await receipt({ refundOf: id }))
    await migrated()
    const back = `0x${'ef'.repeat(32)}`
    expect((await rows()).get(refund)).toMatchObject({ tx_key: back, is_repeated: false })
    expect((await rows()).get(announced)).toMatchObject({ tx_key: hash.toLowerCase(), is_repeated: false })
    await client.query('update receipts set refund_tx_hash = $2 where id = $1', [announced, `${back.slice(2)}#1`])
    expect((await rows()).get(announced)).toMatchObject({ tx_key: `${back}#1` })
  })

  it('takes receipts from a process of the version before, and matches them', async () => {
    await migrated()
    const id = String(await receipt({ chain: 'Base' }))
    expect((await rows()).get(id)).toMatchObject({ chain_key: 'eip155:8453', tx_key: hash.toLowerCase() })
    expect(await receipt({ tx: hash.toLowerCase() })).toBeNull()
    // Its worker adds up counters by the names of chains alone.
    await client.query(`with taken as (delete from receipt_counts returning *)
      insert into receipt_counts (project_id, chain, currency, status, count, amount)
      select project_id, chain, currency, status, sum(count), sum(amount) from taken group by 1, 2, 3, 4`)
    await client.query('select receipt_recount()')
    const { rows: counts } = await client.query('select chain, chain_key, count::int from receipt_counts')
    expect(counts).toEqual([{ chain: 'Base', chain_key: 'eip155:8453', count: 1 }])
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
