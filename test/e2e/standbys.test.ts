// Reads on hot standbys: what any caller was told is in every answer, and a standby that fails shows to nobody.
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openStandby } from '../../src/adapters/pg-standby.ts'
import { inspectStandbys } from '../../src/cli/doctor/standbys.ts'
import { freePort } from '../../src/embedded/process.ts'
import { readEnv } from '../../src/env.ts'
import { createStandbys } from '../../src/kit/standbys.ts'
import { inTransaction } from '../../src/kit/transaction.ts'
import { followReceipt } from '../kit/follower.ts'
import { onDatabase } from '../kit/global-setup.ts'
import { adminKey, apiBeside, type Service, startService } from '../kit/service.ts'
import { sessionOf } from '../kit/sessions.ts'
import { startServers } from '../kit/standby.ts'

type Servers = Awaited<ReturnType<typeof startServers>>
type Server = Servers['primary']

let servers: Servers
let standbys: [Server, Server]
let one: Service
let two: Service
let project: { id: string; key: string }
let otherKey: string

const quiet = { ROLES: 'api', LOG_LEVEL: 'silent' }

beforeAll(async () => {
  // The log of its statements proves from outside which server has answered.
  servers = await startServers({ log_statement: 'all' })
  const { primary } = servers
  standbys = await Promise.all([servers.addStandby('one'), servers.addStandby('two')])
  const urls = { DATABASE_URL: primary.url, DATABASE_READ_URLS: standbys.map(({ url }) => url).join() }
  one = await startService({ ...quiet, ...urls })
  two = await startService({ ...quiet, ...apiBeside(one), ...urls })
  project = await one.api.project()
  otherKey = await one.api.key(project.key, 'viewer')
})
afterAll(async () => {
  await two?.stop()
  await one?.stop()
  await servers?.stop()
})
beforeEach(() => allUsed())

const faultsOf = ({ app }: Service) => [...(app.standbys?.faults().values() ?? [])]
const areUsed = (...used: boolean[]) =>
  vi.waitFor(
    () => {
      for (const service of [one, two]) expect(faultsOf(service).map(fault => fault === null)).toEqual(used)
    },
    { timeout: 30_000 },
  )
const allUsed = () => areUsed(true, true)

/** How many statements the server has carried out that are compiled from queries. */
const readsOf = async (server: Server) => (await server.said()).split('as answers').length - 1

/** Returns how many of these statements the primary and each of its standbys carry out during `work`. */
async function readsDuring(work: () => Promise<unknown>): Promise<number[]> {
  const all = [servers.primary, ...standbys]
  const before = await Promise.all(all.map(readsOf))
  await work()
  return (await Promise.all(all.map(readsOf))).map((count, index) => count - (before[index] ?? 0))
}

const newest = '{ eventCursor receipts(first: 1) { totalCount nodes { id status reference } } }'
async function newestOf(service: Service, key: string) {
  const { data, errors } = await service.api.graphql(newest, { key })
  expect(errors).toBeUndefined()
  const { totalCount, nodes } = data.receipts
  return { ...nodes[0], totalCount, cursor: Number(data.eventCursor) }
}
async function restOf(service: Service, key: string): Promise<string> {
  const { status, json } = await service.api.call('GET', '/v1/receipts?page_size=1', { key })
  expect(status).toBe(200)
  return json.items[0].id
}
const record = async (service = one): Promise<string> => (await service.api.record(project.key)).json.receipt_id

/** Records and reads, by every key and both processes. */
async function readOwn(times: number): Promise<void> {
  const session = (await sessionOf(one, project.key)).token
  let before = await newestOf(one, project.key)
  for (let round = 0; round < times; round++) {
    const id = await record(round % 2 === 0 ? one : two)
    const all = [one, two].flatMap(service => [project.key, otherKey, session].map(key => ({ service, key })))
    const byGraphql = await Promise.all(all.map(({ service, key }) => newestOf(service, key)))
    const [first = before] = byGraphql
    expect(first).toMatchObject({ id, totalCount: before.totalCount + 1 })
    expect(first.cursor).toBeGreaterThan(before.cursor)
    expect(byGraphql).toEqual(all.map(() => first))
    before = first
    const byRest = await Promise.all(all.map(({ service, key }) => restOf(service, key)))
    expect(byRest).toEqual(all.map(() => id))
  }
}

async function whilePaused<Result>(paused: readonly Server[], work: () => Promise<Result>): Promise<Result> {
  for (const standby of paused) await standby.sql('select pg_wal_replay_pause()')
  try {
    return await work()
  } finally {
    for (const standby of paused) await standby.sql('select pg_wal_replay_resume()')
  }
}

test('standbys answer in turn, and the primary does not', async () => {
  await record()
  for (const standby of standbys) await standby.caughtUp(servers.primary)
  const counts = await readsDuring(async () => {
    for (let count = 0; count < 20; count++) await newestOf(one, project.key)
  })
  expect(counts).toEqual([0, 10, 10])
})

test('each write is seen at once, by every key, session and process', async () => {
  const [, ...byStandbys] = await readsDuring(() => readOwn(20))
  expect(Math.min(...byStandbys)).toBeGreaterThan(0)
})

test('metrics tell the reads that each standby answered, and how far one lags that does not replay', async () => {
  const values = async (metric: string) => {
    const { text } = await one.api.call('GET', '/metrics', { key: adminKey })
    const lines = [...text.matchAll(new RegExp(`^${metric}\\{([^}]*)\\} (.*)$`, 'gm'))]
    return Object.fromEntries(lines.map(([, labels, value]) => [labels, Number(value)]))
  }
  const [first, second] = standbys.map(({ port, url }) => `standby="127.0.0.1:${port}${new URL(url).pathname}"`)
  const reads = async (standby = '', outcome = 'answered') =>
    (await values('quittance_standby_reads_total'))[`${standby},outcome="${outcome}"`] ?? 0
  const before = [await reads(first), await reads(second)]
  for (let count = 0; count < 10; count++) await newestOf(one, project.key)
  expect([await reads(first), await reads(second)]).toEqual(before.map(count => count + 5))
  const behind = await reads(first, 'behind')
  await whilePaused(standbys.slice(0, 1), async () => {
    await record()
    for (let count = 0; count < 2; count++) await newestOf(one, project.key)
    await areUsed(false, true)
    expect((await values('quittance_standby_lag_bytes'))[first ?? '']).toBeGreaterThan(0)
    expect((await values('quittance_standby_used'))[first ?? '']).toBe(0)
  })
  expect(await reads(first, 'behind')).toBeGreaterThan(behind)
  await allUsed()
  await vi.waitFor(async () => expect((await values('quittance_standby_lag_bytes'))[first ?? '']).toBe(0))
})

test('a standby that is out of reach is a line with its name and the reason, and no outage of the database', async () => {
  const lines: object[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const own = createStandbys(one.app.reads, [openStandby(`postgres://127.0.0.1:${await freePort()}/quittance`, 1)], log)
  await vi.waitFor(() => expect(lines).toHaveLength(1), 10_000)
  await own.close()
  expect(lines).toMatchObject([
    {
      standby: expect.stringMatching(/^127\.0\.0\.1:\d+\/quittance$/),
      reason: expect.stringContaining('ECONNREFUSED'),
    },
  ])
  expect(lines[0]).not.toHaveProperty('err')
})

test('each write is seen at once while a standby does not replay, and it is used again afterwards', async () => {
  await whilePaused(standbys.slice(0, 1), async () => {
    await readOwn(10)
    await areUsed(false, true)
  })
})

test('what an event told is in the next read by another process', async () => {
  const id = await record()
  const follower = followReceipt(one.base, id)
  try {
    await whilePaused(standbys, async () => {
      await inTransaction(one.app, async tx => {
        await tx.sql(`update receipts set status = 'failed', failure_reason = 'denied' where id = $1`, [id])
        tx.changed(id)
      })
      await vi.waitFor(() => expect(follower.seen.at(-1)?.data).toMatchObject({ status: 'failed' }), 10_000)
      expect(await newestOf(two, otherKey)).toMatchObject({ id, status: 'FAILED' })
    })
  } finally {
    await follower.stop()
  }
})

test('a standby that is killed or stands still fails no request, and returns', async () => {
  const [dying] = standbys
  let isOver = false
  let answers = 0
  const load = Array.from({ length: 8 }, async (_, index) => {
    for (; !isOver; answers++) await newestOf(index % 2 === 0 ? one : two, project.key)
  })
  const more = async () => {
    const before = answers
    await vi.waitFor(() => expect(answers).toBeGreaterThan(before + 40), { timeout: 30_000 })
  }
  try {
    await more()
    await dying.kill()
    await areUsed(false, true)
    await more()
    await dying.start()
    await allUsed()
    // Its connections stay open, and say nothing.
    const sessions = await dying.sql<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    for (const { pid } of sessions) process.kill(pid, 'SIGSTOP')
    try {
      await more()
    } finally {
      for (const { pid } of sessions) process.kill(pid, 'SIGCONT')
    }
    await allUsed()
  } finally {
    isOver = true
    await Promise.all(load)
  }
})

test('a read that is in the way of the replay is answered by the primary', async () => {
  const { primary } = servers
  for (const standby of standbys) {
    await standby.sql(`alter system set max_standby_streaming_delay = '10ms'`)
    await standby.sql('select pg_reload_conf()')
  }
  const before = await conflicts()
  // The WAL of a lock is sent with that of the next commit.
  const commit = () => primary.sql(`comment on database quittance is 'noted'`)
  const id = await record()
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  try {
    // The read waits on a standby for the first lock, until the second is replayed.
    await client.query('begin; lock table artifacts')
    await commit()
    const query = '{ receipts(first: 1) { nodes { id artifacts { nodes { name } } } } }'
    const answer = one.api.graphql(query, { key: project.key })
    const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and backend_type = 'client backend'`
    await vi.waitFor(
      async () => {
        const waiting = await Promise.all(standbys.map(standby => standby.sql(waits)))
        expect(waiting.flat()).toHaveLength(1)
      },
      { timeout: 20_000 },
    )
    await client.query('lock table receipts')
    await commit()
    await vi.waitFor(async () => expect(await conflicts()).toBeGreaterThan(before), { timeout: 20_000 })
    await client.query('commit')
    expect(await answer).toMatchObject({ data: { receipts: { nodes: [{ id, artifacts: { nodes: [] } }] } } })
  } finally {
    await client.end()
  }
})

/** How many statements of clients the standbys have ended, because they were in the way of the replay. */
async function conflicts(): Promise<number> {
  const logs = await Promise.all(standbys.map(standby => standby.said()))
  return logs.join('').split('canceling statement due to conflict with recovery').length - 1
}

test('a process starts and reads though none of its read URLs can be used, and says why', async () => {
  const [standby] = standbys
  await servers.primary.sql(`create role nobody_reads login password 'none'`)
  await standby.caughtUp(servers.primary)
  const urls = {
    ECONNREFUSED: `postgres://quittance@127.0.0.1:${await freePort()}/quittance`,
    'it is no standby': servers.primary.url,
    'it is no copy': onDatabase(standby.url, 'postgres'),
    'its role may not read': standby.url.replace(/\/\/[^@]+@/, '//nobody_reads:none@'),
  }
  const service = await startService({
    ...quiet,
    ...apiBeside(one),
    DATABASE_READ_URLS: Object.values(urls).join(),
  })
  try {
    const id = await record(service)
    expect(await newestOf(service, project.key)).toMatchObject({ id })
    const why = Object.keys(urls).map(words => expect.stringContaining(words))
    await vi.waitFor(() => expect(faultsOf(service)).toEqual(why), { timeout: 20_000 })
    const { text } = await service.api.call('GET', '/metrics', { key: adminKey })
    expect([...text.matchAll(/^quittance_standby_used{.*} (\d)$/gm)].map(([, used]) => used)).toEqual(
      why.map(() => '0'),
    )
  } finally {
    await service.stop()
  }
})

test('the doctor says of each standby whether it can be read', async () => {
  const [standby, other] = standbys
  await other.caughtUp(servers.primary)
  const urls = [other.url, servers.primary.url, onDatabase(standby.url, 'postgres')]
  const findings = await inspectStandbys(
    readEnv({ DATABASE_URL: servers.primary.url, DATABASE_READ_URLS: urls.join() }),
  )
  expect(findings.map(({ status, text }) => `${status} ${text}`)).toEqual([
    expect.stringMatching(/^(ok|warn) .* follows the primary/),
    expect.stringMatching(/^warn .* it is no standby/),
    expect.stringMatching(/^warn .* it is no copy of the database/),
  ])
})

test('a standby that was promoted is not read', async () => {
  const [promoted] = standbys
  const id = await record()
  await promoted.caughtUp(servers.primary)
  await promoted.promote()
  await promoted.sql(`update receipts set reference = reference || ' elsewhere'`)
  for (let round = 0; round < 20; round++) {
    for (const service of [one, two])
      expect(await newestOf(service, project.key)).toMatchObject({
        id,
        reference: expect.stringMatching(/^order-[0-9a-f]+$/),
      })
  }
  await areUsed(false, true)
  await vi.waitFor(() => expect(faultsOf(one)[0]).toMatch('it was promoted'), { timeout: 20_000 })
  // Two servers that went different ways may each be the primary of some process.
  const service = await startService({
    ...quiet,
    ...apiBeside(one),
    DATABASE_URL: promoted.url,
    DATABASE_READ_URLS: standbys[1].url,
  })
  try {
    await vi.waitFor(() => expect(faultsOf(service)).toEqual(['it is on timeline 1, and the primary on 2']), {
      timeout: 20_000,
    })
  } finally {
    await service.stop()
  }
})
