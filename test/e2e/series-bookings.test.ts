// Tests what one statement of a series states, where receipts repeat each other, a chain gets another name, or the
// process dies while it writes.
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aliasesWith } from '../../src/core/identity.ts'
import { addUpCounters } from '../../src/modules/receipts/counters.ts'
import { renameChains } from '../../src/modules/receipts/rename-chains.ts'
import { closeDays } from '../../src/modules/statements/close.ts'
import { writeNumbered } from '../../src/modules/statements/write.ts'
import { dyingPool } from '../kit/dying-pool.ts'
import { auditSeries, type Booked, beginSeries, book, writeAll } from '../kit/series.ts'
import { type Service, startService } from '../kit/service.ts'

let service: Service
let pool: pg.Pool
beforeAll(async () => {
  // Without a worker: these tests number and write statements of days that have not begun.
  service = await startService({ ROLES: 'api' })
  pool = service.app.pool
})
afterAll(() => service.stop())

const at = (day: number, hour = 12) => new Date(Date.UTC(2031, 2, 1 + day, hour))

async function project() {
  const { id } = await service.api.project('Shop')
  await beginSeries(pool, id, at(0, 0))
  return { id, book: (row: Booked) => book(pool, id, row) }
}

const close = (id: string, day: number) => closeDays(service.app, id, at(day, 0))

/** The written series of the project, without faults. */
async function written(id: string) {
  await writeAll(service.app, id)
  const { faults, statements, files } = await auditSeries(service.app, id)
  expect(faults).toEqual([])
  const brief = statements.map(({ number, day, count, closing }) => [number, day, count, Number(closing)])
  return { brief, files, statements }
}

it('a return that is recorded as a refund and as a payment is stated once, as it was booked first', async () => {
  const shop = await project()
  const pay = () => shop.book({ at: at(0), amount: '10' })
  const back = { sender: 'shop', receiver: 'customer', amount: '10' }
  const [first, second] = [randomUUID(), randomUUID()]
  await shop.book({ ...back, at: at(1), refundOf: await pay(), tx: first })
  await shop.book({ ...back, at: at(2), tx: first })
  // On one day, too.
  await shop.book({ ...back, at: at(1, 14), refundOf: await pay(), tx: second })
  await shop.book({ ...back, at: at(1, 15), tx: second })
  await close(shop.id, 3)
  const { brief } = await written(shop.id)
  expect(brief).toEqual([
    [1, '2031-03-01', 2, 20],
    [2, '2031-03-02', 2, 0],
  ])
})

it('receipts of one payment in several spellings are stated once', async () => {
  const shop = await project()
  const tx = `0x${'ab'.repeat(32)}`
  await shop.book({ at: at(0), amount: '10', tx, sender: `0x${'c1'.repeat(20)}` })
  await shop.book({
    at: at(0, 13),
    amount: '10',
    tx: tx.slice(2).toUpperCase(),
    sender: `0x${'C1'.repeat(20)}`,
    chain: 'Base',
    isRepeated: true,
  })
  await close(shop.id, 2)
  expect((await written(shop.id)).brief).toEqual([[1, '2031-03-01', 1, 10]])
})

it('an account whose chain gets another name keeps its series', async () => {
  const shop = await project()
  await shop.book({ at: at(0), chain: 'acme', amount: '10' })
  await close(shop.id, 1)
  await writeAll(service.app, shop.id)
  const { aliases } = aliasesWith([['acme', 'eip155:99999']])
  await renameChains({ ...service.app, chainAliases: aliases })
  await shop.book({ at: at(1), chain: 'eip155:99999', amount: '1' })
  await close(shop.id, 2)
  const { brief, statements } = await written(shop.id)
  expect(brief).toEqual([
    [1, '2031-03-01', 1, 10],
    [2, '2031-03-02', 1, 11],
  ])
  expect(new Set(statements.map(({ account }) => account)).size).toBe(1)
})

/** A pool that calls `first` before each of its statements that change receipts or accounts of the project. */
function poolBefore(projectId: string, first: () => Promise<unknown>): pg.Pool {
  const before =
    (of: pg.Pool | pg.PoolClient) =>
    async (text: string | { text: string; values?: unknown[] }, values: unknown[] = []) => {
      const asked = typeof text === 'string' ? { text, values } : text
      if (/update (receipts|statement_accounts)/.test(asked.text) && asked.values?.[0] === projectId) await first()
      return of.query(asked)
    }
  const connect = async () => {
    const client = await pool.connect()
    return Object.assign(Object.create(client), { query: before(client), release: () => client.release() })
  }
  return Object.assign(Object.create(pool), { query: before(pool), connect })
}

const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

it.each([
  ['of which each receipt has one spelling', 'ledger one', 'ledger one', 2],
  ['of which two spellings get the name one after the other', 'ledger two', 'LEDGER TWO', 3],
])('an account %s keeps its series while a day is closed', async (_, first, second, statement) => {
  const shop = await project()
  await shop.book({ at: at(0), chain: first, amount: '10' })
  await close(shop.id, 1)
  await writeAll(service.app, shop.id)
  await shop.book({ at: at(1), chain: second, amount: '1' })
  let closing: Promise<void> | null = null
  let count = 0
  const closeMeanwhile = async () => {
    count += 1
    if (count !== statement) return
    closing = close(shop.id, 2)
    // Without the lock it closes the day at once.
    await Promise.race([closing, expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1)])
  }
  const { aliases } = aliasesWith([[first, 'eip155:88888888']])
  await renameChains({ ...service.app, pool: poolBefore(shop.id, closeMeanwhile), chainAliases: aliases })
  expect(closing).not.toBeNull()
  await closing
  await shop.book({ at: at(2), chain: 'eip155:88888888', amount: '2' })
  await close(shop.id, 3)
  const { brief, statements } = await written(shop.id)
  expect(brief).toEqual([
    [1, '2031-03-01', 1, 10],
    [2, '2031-03-02', 1, 11],
    [3, '2031-03-03', 1, 13],
  ])
  expect(new Set(statements.map(({ account }) => account)).size).toBe(1)
})

it('an account keeps its series, at whatever statement of SQL the process dies that renames its chain', async () => {
  const shop = await project()
  await shop.book({ at: at(0), chain: 'ledger three', amount: '10' })
  await close(shop.id, 1)
  const { aliases } = aliasesWith([['ledger three', 'eip155:88888889']])
  let deaths = 0
  for (let isDead = true; isDead; deaths += 1) {
    const pool = dyingPool(service.app.pool, deaths)
    isDead = await renameChains({ ...service.app, pool, chainAliases: aliases }).then(
      () => false,
      error => String(error).includes('killed') || Promise.reject(error),
    )
    await addUpCounters(service.app)
  }
  expect(deaths).toBeGreaterThan(5)
  await shop.book({ at: at(1), chain: 'eip155:88888889', amount: '1' })
  await close(shop.id, 2)
  const { brief, statements } = await written(shop.id)
  expect(brief).toEqual([
    [1, '2031-03-01', 1, 10],
    [2, '2031-03-02', 1, 11],
  ])
  expect(new Set(statements.map(({ account }) => account)).size).toBe(1)
})

// One account of such texts would otherwise stop all statements of the project.
it('an account of the longest names has a series', async () => {
  const shop = await project()
  const long = (letter: number) =>
    Array.from({ length: 255 }, (_, n) => String.fromCodePoint(0x20000 + letter + n * 7)).join('')
  const account = { receiver: long(1), chain: long(3), currency: long(5) }
  await shop.book({ ...account, at: at(0), amount: '10' })
  await shop.book({ ...account, at: at(1), amount: '1', currency: long(6) })
  await shop.book({ ...account, at: at(2), amount: '2' })
  await close(shop.id, 3)
  const { rows } = await pool.query(
    'select number, day, closing::int from statements where project_id = $1 order by day',
    [shop.id],
  )
  expect(rows).toEqual([
    { number: 1, day: '2031-03-01', closing: 10 },
    { number: 1, day: '2031-03-02', closing: 1 },
    { number: 2, day: '2031-03-03', closing: 12 },
  ])
})

it('a statement is written once, whole or not at all, at whatever statement of SQL the process dies', async () => {
  const shop = await project()
  await shop.book({ at: at(0) })
  await shop.book({ at: at(0, 13), amount: '2' })
  await close(shop.id, 1)
  const { rows } = await pool.query('select id from statements where project_id = $1', [shop.id])
  const { id } = rows[0]
  let deaths = 0
  for (let left = 0; ; left += 1) {
    const isDead = await writeNumbered({ ...service.app, pool: dyingPool(pool, left) }, id).then(
      () => false,
      error => String(error).includes('killed') || Promise.reject(error),
    )
    const kept = await pool.query('select name from artifacts where statement_id = $1', [id])
    const anchors = await pool.query('select from anchors where statement_id = $1', [id])
    const states = await pool.query('select status, bundle_hash is not null as sealed from statements where id = $1', [
      id,
    ])
    expect([kept.rowCount, anchors.rowCount, states.rows]).toEqual(
      isDead ? [0, 0, [{ status: 'pending', sealed: false }]] : [2, 1, [{ status: 'awaiting_anchor', sealed: true }]],
    )
    if (!isDead) break
    deaths += 1
  }
  expect(deaths).toBeGreaterThan(5)
  const { files } = await written(shop.id)
  await writeNumbered(service.app, id)
  expect((await written(shop.id)).files).toEqual(files)
})
