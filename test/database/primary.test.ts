// Connections to several servers of which one takes writes, over failovers and with two primaries; limits of pools.
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answeredWithin, openPool } from '../../src/adapters/pg-pool.ts'
import { appErrorIn } from '../../src/kit/app-error-in.ts'
import { startServers } from '../kit/standby.ts'

type Servers = Awaited<ReturnType<typeof startServers>>
type Server = Servers['primary']

let servers: Servers
let a: Server
let b: Server
const pools: pg.Pool[] = []
beforeAll(async () => {
  servers = await startServers()
  a = servers.primary
  b = await servers.addStandby('b')
})
afterAll(async () => {
  await Promise.all(pools.map(pool => pool.end()))
  await servers?.stop()
})

/** A pool of a new name, because the pools of one URL share what they know. */
function poolOf(first: Server, ...others: Server[]): pg.Pool {
  const url = new URL(first.url)
  const hosts = [first, ...others].map(({ port }) => `127.0.0.1:${port}`).join()
  const options = `target_session_attrs=read-write&application_name=pool${pools.length}`
  const text = `postgres://${url.username}:${url.password}@${hosts}${url.pathname}?${options}`
  const pool = openPool(text, 3, { warn: () => undefined })
  pools.push(pool)
  return pool
}

const portOf = async (pool: pg.Pool): Promise<number> =>
  (await pool.query(`select current_setting('port')::int as port`)).rows[0].port
const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => null,
    error => appErrorIn(error)?.code,
  )

it('leads to the primary, whatever its place in the URL, and to no standby', async () => {
  expect(await portOf(poolOf(a, b))).toBe(a.port)
  expect(await portOf(poolOf(b, a))).toBe(a.port)
  const alone = poolOf(b)
  await expect(alone.query('select 1')).rejects.toThrow('takes no writes')
  expect(await codeOf(alone.query('select 1'))).toBe('database_unavailable')
})

it('a session that has become read-only is left, and its request is told that the database is away', async () => {
  const pool = openPool(a.url, 1, { warn: () => undefined })
  pools.push(pool)
  await pool.query('create table written (n int)')
  await pool.query('set default_transaction_read_only = on')
  expect(await codeOf(pool.query('insert into written values (1)'))).toBe('database_unavailable')
  await pool.query('insert into written values (2)')
  expect((await pool.query('select n from written')).rows).toEqual([{ n: 2 }])
})

it('has limits of its own in place of those of the role', async () => {
  await a.sql(`alter role quittance set statement_timeout = '20ms'`)
  const [patient, limited] = [{}, { deadline: answeredWithin }].map(options => {
    const pool = openPool(a.url, 1, { warn: () => undefined }, options)
    pools.push(pool)
    return pool
  })
  await patient?.query('select pg_sleep(0.2)')
  const { rows } = (await limited?.query(
    `select current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`,
  )) ?? { rows: [] }
  expect(rows).toEqual([{ lock: '15s', idle: '1min' }])
  await a.sql('alter role quittance reset statement_timeout')
})

it('follows a failover, and gives a former primary that returns no connection, nor keeps one', async () => {
  const pool = poolOf(a, b)
  const busy = await pool.connect()
  const lost = new Promise(resolve => busy.once('error', resolve))
  await b.promote()
  // Both take writes now. The connection to the former primary is as good as before, and is cut all the same.
  expect(await a.sql('select pg_is_in_recovery() as standby')).toEqual([{ standby: false }])
  await lost
  busy.release(true)
  expect(await portOf(pool)).toBe(b.port)
  await b.stop('fast')
  expect(await codeOf(pool.query('select 1'))).toBe('database_unavailable')
  await expect(pool.query('select 1')).rejects.toThrow('former primary')
  await b.start()
  expect(await portOf(pool)).toBe(b.port)
})
