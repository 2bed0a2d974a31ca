// The service on databases whose settings change the meaning of times and texts, and in a process of another time zone.
// What it stores is compared with the database's own clock, because an answer that is read back as it was written would
// hide that both are wrong.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { runCommand } from '../kit/command.ts'
import { asHostile, hostile } from '../kit/hostile-role.ts'
import { pgBouncer, startPgBouncer } from '../kit/pgbouncer.ts'
import { freshDatabase, type Service, startService } from '../kit/service.ts'
import { sessionOf, statusOf } from '../kit/sessions.ts'

const hourMs = 3_600_000
// Columns of times that may lie ahead.
const mayBeAhead = /^(expires_at|lease_until|answer_until|next_attempt_at|retry_at|valid_to|to)$/
/** Columns of the beginnings of days, which are days of UTC here. */
const beginsDay = /^(series_from|closed_to|closes_at)$/

/** `reach` returns the URL by which the service reaches the database of this URL. */
function tests(settings: Record<string, string>, reach: (url: string) => Promise<string>): void {
  const processZone = process.env.TZ
  let service: Service
  let neutral: pg.Client
  let project: { id: string; key: string }

  beforeAll(async () => {
    process.env.TZ = settings.TimeZone
    neutral = new pg.Client({ connectionString: await freshDatabase() })
    await neutral.connect()
    const database = `/${neutral.database}`
    const url = Object.assign(new URL(await asHostile(inject('postgresUrl'), settings)), { pathname: database })
    service = await startService({ DATABASE_URL: await reach(url.toString()) })
    project = await service.api.project()
  })
  afterAll(async () => {
    await service.stop()
    await neutral.end()
    if (processZone === undefined) delete process.env.TZ
    else process.env.TZ = processZone
  })

  /** Milliseconds from the database's present until this moment of a row. */
  const ahead = async (column: string, table: string, id: string): Promise<number> => {
    const text = `select (extract(epoch from ${column} - now()) * 1000)::float8 as ms from ${table} where id = $1`
    return (await neutral.query(text, [id])).rows[0].ms
  }
  const within = (ms: number, from: number, to: number) => expect([ms > from, ms <= to, ms]).toEqual([true, true, ms])
  const graphql = async (query: string, variables: Record<string, unknown> = {}) => {
    const { data, errors } = await service.api.graphql(query, { key: project.key, variables })
    expect(errors).toBeUndefined()
    return data
  }

  it('a new key is accepted until the moment that was asked for', async () => {
    const input = { label: 'an hour', expiresAt: new Date(Date.now() + hourMs).toISOString() }
    const create = `mutation ($input: CreateApiKeyInput!) {
      createApiKey(input: $input) { key apiKey { id createdAt expiresAt } } }`
    const { key, apiKey } = (await graphql(create, { input })).createApiKey
    expect(await statusOf(service, key)).toBe(200)
    expect(apiKey.expiresAt).toBe(input.expiresAt)
    within(await ahead('expires_at', 'api_keys', apiKey.id), hourMs - 120_000, hourMs)
    within(Date.parse(apiKey.createdAt) - Date.now(), -120_000, 1_000)
    await neutral.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [apiKey.id])
    const { rows } = await neutral.query('select expires_at < now() as "isOver" from api_keys where id = $1', [
      apiKey.id,
    ])
    expect(rows).toEqual([{ isOver: true }])
  })

  it('a session ends when it says', async () => {
    const { id, token, session } = await sessionOf(service, project.key)
    expect(await statusOf(service, token)).toBe(200)
    within(await ahead('expires_at', 'sessions', id), 13 * 60_000, 15 * 60_000)
    within(Date.parse(session.expiresAt ?? '') - Date.now(), 13 * 60_000, 15 * 60_000 + 1_000)
  })

  it('a receipt is sealed, anchored and verified, and its key is valid from now on', async () => {
    const { json } = await service.api.record(project.key, { amount: '0.123456789012345678' })
    const { bundle_hash, anchored_at } = await service.api.anchored(json.receipt_id)
    within(Date.parse(anchored_at) - Date.now(), -120_000, 5_000)
    const { key } = project
    const bundle_url = `${service.base}/files/${json.receipt_id}/evidence.zip`
    const verified = await service.api.call('POST', '/v1/iso/verify', { key, body: { bundle_url } })
    expect(verified.json).toMatchObject({ matches_onchain: true, bundle_hash, errors: [] })
    const keys = (await service.api.call('GET', '/.well-known/evidence-keys.json')).json.keys
    within(Date.parse(keys[0].valid_from) - Date.now(), -240_000, 1_000)
  })

  it('times of projects, agents, endpoints and receipts are answered as they are stored', async () => {
    const wallet = `0x${'ab'.repeat(20)}`
    await graphql(`mutation { createAgent(input: { name: "a", walletAddress: "${wallet}" }) { agent { id } } }`)
    await graphql(
      `mutation { createWebhookEndpoint(input: { url: "https://example.com/hook" }) { webhookEndpoint { id } } }`,
    )
    const { me } = await graphql(`{ me { project { createdAt
      agents(first: 1) { nodes { createdAt } } webhookEndpoints(first: 1) { nodes { createdAt } }
      receipts(first: 1) { nodes { createdAt } } } } }`)
    const { createdAt, agents, webhookEndpoints, receipts } = me.project
    const answered = [createdAt, ...[agents, webhookEndpoints, receipts].map(({ nodes }) => nodes[0].createdAt)]
    for (const time of answered) within(Date.parse(time) - Date.now(), -240_000, 1_000)
  })

  it('the hash chains of the audit trail are intact for the command line', async () => {
    const { code, out } = await runCommand(['audit'], { DATABASE_URL: service.databaseUrl })
    expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(`^ok +${project.id}: [1-9]`, 'm'))])
  })

  it('no stored time lies outside of this test', async () => {
    const { rows: columns } = await neutral.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema in ('public', 'graphile_worker') and data_type like 'timestamp%'
         and table_name in (select tablename from pg_tables)`,
    )
    expect(columns.length).toBeGreaterThan(40)
    const wrong: string[] = []
    for (const { table, column } of columns) {
      const latest =
        mayBeAhead.test(column) || table === '_private_jobs' ? `interval '40 days'` : `interval '10 seconds'`
      const schema = table.startsWith('_private') || table === 'migrations' ? 'graphile_worker' : 'public'
      const { rows } = await neutral.query(
        `select "${column}"::text as value from ${schema}."${table}"
         where ("${column}" < now() - interval '20 minutes' or "${column}" > now() + ${latest})
           and not ($1 and "${column}" = date_trunc('day', "${column}", 'UTC') and abs(extract(epoch from "${column}" - now())) < 90000)`,
        [beginsDay.test(column)],
      )
      // The template of the run's databases was migrated at its start.
      if (table !== '_prisma_migrations' && table !== 'migrations')
        wrong.push(...rows.map(({ value }) => `${table}.${column} ${value}`))
    }
    expect(wrong).toEqual([])
  })
}

describe.each(Object.entries(hostile))('with the settings of %s', (_, settings) => {
  tests(settings, async url => url)
})

const bouncers: Awaited<ReturnType<typeof startPgBouncer>>[] = []
async function through(mode: 'session' | 'transaction', url: string): Promise<string> {
  const bouncer = await startPgBouncer(url, mode)
  bouncers.push(bouncer)
  return bouncer.url
}

const title = pgBouncer === null ? 'through PgBouncer, which this machine does not have' : `through ${pgBouncer}`
describe.skipIf(pgBouncer === null)(title, () => {
  afterAll(async () => {
    for (const bouncer of bouncers) await bouncer.stop()
  })

  describe('with the settings of Lord Howe', () => tests(hostile['Lord Howe'], url => through('session', url)))

  it('a pool of transactions is refused by the start and by the doctor, which say what to set', async () => {
    const database = new URL(await freshDatabase())
    const role = new URL(await asHostile(inject('postgresUrl'), hostile.Kolkata))
    const DATABASE_URL = await through('transaction', Object.assign(role, { pathname: database.pathname }).toString())
    await expect(startService({ DATABASE_URL, ROLES: 'api' })).rejects.toThrow('pool_mode = session')
    const { code, out } = await runCommand(['doctor'], { DATABASE_URL })
    expect([code, out]).toEqual([1, expect.stringMatching(/^FAIL +database .*pool_mode = session/m)])
  })
})

it('the doctor names the settings that the service overrides, and no others', async () => {
  const database = new URL(await freshDatabase())
  const lines = async (settings: Record<string, string>) => {
    const role = new URL(await asHostile(inject('postgresUrl'), settings))
    const DATABASE_URL = Object.assign(role, { pathname: database.pathname }).toString()
    const { out } = await runCommand(['doctor'], { DATABASE_URL })
    expect(out).toMatch(/^ok +database .*clock/m)
    return /overrides .*: (.*)\.$/m.exec(out)?.[1]
  }
  expect(await lines(hostile.Kolkata)).toBe('TimeZone = Asia/Kolkata; DateStyle = ISO, DMY; search_path = elsewhere')
  expect(await lines({ TimeZone: 'Etc/UTC', search_path: '"$user", public' })).toBeUndefined()
})
