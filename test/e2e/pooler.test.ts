// An API process whose requests go through a pooler of transactions, set up as docs/pooler.md says, before a database
// in another time zone.
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { readSettings, requestSettings, sets } from '../../src/core/database-session.ts'
import { until } from '../kit/child.ts'
import { runCommand } from '../kit/command.ts'
import { asHostile } from '../kit/hostile-role.ts'
import { carriesStatements, pgBouncer, startPgBouncer } from '../kit/pgbouncer.ts'
import { apiBeside, freshDatabase, type Service, startService } from '../kit/service.ts'

const documented = (await readFile('docs/pooler.md', 'utf8')).split('```ini\n')[1]?.split('\n```')[0] ?? ''
const [, databasesIn = '', settingsIn = ''] = documented.split(/\[databases\]\n|\[pgbouncer\]\n/)
const settingsOf = (ini: string) => Object.fromEntries(ini.split('\n').map(line => line.split(' = ')))

it('the document sets what the program needs', () => {
  const queries = databasesIn.matchAll(/^(\S+) .*connect_query='(.*)'$/gm)
  const documentedSets = Object.fromEntries(
    Array.from(queries, ([, name, query = '']) => [name, query.replaceAll("''", "'").split('; ')]),
  )
  expect(documentedSets).toEqual({
    quittance: expect.arrayContaining(sets(requestSettings).split('; ')),
    quittance_reads: expect.arrayContaining(sets({ ...requestSettings, ...readSettings }).split('; ')),
  })
})

const soon = (what: string, isSo: () => Promise<boolean>) => until(what, isSo, () => '', 30_000)
const poolSize = 3
const lacking = pgBouncer === null ? 'this machine has none' : `${pgBouncer} is too old`
describe.skipIf(!carriesStatements)(`through ${carriesStatements ? pgBouncer : `PgBouncer: ${lacking}`}`, () => {
  const bouncers: Awaited<ReturnType<typeof startPgBouncer>>[] = []
  let url: URL
  let direct: Service
  let service: Service

  /** `change` changes the lines of the document. */
  async function pooler(change: (ini: string) => string = ini => ini, port = 0) {
    const name = url.pathname.slice(1)
    const databases = databasesIn
      .trim()
      .replaceAll('host=db.example.com port=5432', `host=${url.hostname} port=${url.port}`)
      .replaceAll('quittance', name)
    const { listen_addr: _, listen_port: __, auth_file: ___, ...settings } = settingsOf(change(settingsIn.trim()))
    const bouncer = await startPgBouncer(url.toString(), 'transaction', {
      databases: change(databases).split('\n'),
      settings: { ...settings, default_pool_size: poolSize },
      port,
    })
    bouncers.push(bouncer)
    return bouncer
  }

  beforeAll(async () => {
    const { pathname } = new URL(await freshDatabase())
    url = Object.assign(new URL(await asHostile(inject('postgresUrl'), { TimeZone: 'Australia/Lord_Howe' })), {
      pathname,
    })
    direct = await startService({ DATABASE_URL: url.toString() })
    service = await startService({ ...apiBeside(direct), DATABASE_POOLER_URL: (await pooler()).url })
  })
  afterAll(async () => {
    await service?.stop()
    await direct?.stop()
    for (const bouncer of bouncers) await bouncer.stop()
  })

  it('forty callers at a time share three sessions; their receipts are anchored and verified, with right times', async () => {
    const { id, key } = await service.api.project()
    const begun = Date.now()
    const recorded = await Promise.all(Array.from({ length: 40 }, () => service.api.record(key)))
    expect(recorded.map(({ status }) => status)).toEqual(recorded.map(() => 200))
    const ids: string[] = recorded.map(({ json }) => json.receipt_id)
    await Promise.all(ids.map(one => service.api.anchored(one)))
    const camt054 = `select count(*) from artifacts join receipts r on r.id = receipt_id where name = 'camt054.xml' and project_id = '${id}'`
    await soon('the last message of each', async () => (await direct.app.pool.query(camt054)).rows[0].count === '40')
    // The same documents by each process: those through the pooler have plans and settings of the pooler's sessions.
    const documents = [
      '{ receipts(first: 40, orderBy: { field: CREATED_AT, direction: ASC }) { totalCount nodes { id amount createdAt anchoredAt artifacts(first: 9) { nodes { name sha256 createdAt } } anchors { chain anchorTx anchoredAt } } } }',
      '{ me { project { id createdAt webhookEndpoints(first: 3) { nodes { id } } } } }',
      `{ search(text: "${ids[0]}") { __typename } }`,
      '{ receiptStats(by: { status: true }) { nodes { key { status } count sums { currency gross } } } }',
    ]
    for (const query of documents) {
      const [own, others] = await Promise.all([service, direct].map(one => one.api.graphql(query, { key })))
      expect(own?.data).toEqual(others?.data)
      expect(own?.errors).toBeUndefined()
    }
    const { data } = await service.api.graphql(documents[0] ?? '', { key })
    expect(data.receipts.totalCount).toBe(40)
    for (const { createdAt, anchoredAt } of data.receipts.nodes)
      for (const time of [createdAt, anchoredAt]) expect(Math.abs(Date.parse(time) - begun)).toBeLessThan(120_000)
    // The other process has another name for the same chain, so this one cannot verify what that one anchored.
    const bundle_url = `${direct.base}/files/${ids[0]}/evidence.zip`
    const [own, theirs] = await Promise.all(
      [service, direct].map(one => one.api.call('GET', `/files/${ids[0]}/evidence.zip`)),
    )
    expect([own?.status, own?.text]).toEqual([200, theirs?.text])
    const verified = await direct.api.call('POST', '/v1/iso/verify', { key, body: { bundle_url } })
    expect(verified.json).toMatchObject({ matches_onchain: true, errors: [] })
    const { code, out } = await runCommand(['audit'], { DATABASE_URL: url.toString() })
    expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(`^ok +${id}: [1-9]`, 'm'))])
    const console = new pg.Client({ connectionString: bouncers[0]?.url.replace(url.pathname, '/pgbouncer') ?? '' })
    await console.connect()
    const { rows } = await console.query('show servers')
    await console.end()
    expect([rows.length > 0, rows.length <= 2 * poolSize]).toEqual([true, true])
  })

  it('while the pooler is away, requests are told so and streams stay', async () => {
    const { key } = await service.api.project()
    const leaving = new AbortController()
    const stream = await fetch(`${service.base}/graphql`, {
      method: 'POST',
      headers: { 'X-API-Key': key, Accept: 'text/event-stream', 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'subscription { receiptChanged { receipt { id } } }' }),
      signal: leaving.signal,
    })
    let seen = ''
    const read = (async () => {
      for await (const chunk of stream.body ?? []) seen += Buffer.from(chunk)
    })().catch(() => {})
    const first = bouncers.shift()
    await first?.stop()
    const { status, json } = await service.api.record(key)
    expect([status, json.detail]).toEqual([503, 'database_unavailable'])
    await pooler(ini => ini, first?.port)
    await soon('the pooler is used again', async () => (await service.api.record(key)).status === 200)
    await soon('the event', async () => /receiptChanged.*id/.test(seen))
    leaving.abort()
    await read
  })

  const strange: [string, (ini: string) => string, RegExp][] = [
    [
      'no settings',
      ini => ini.replace(/ connect_query=.*/g, ''),
      /have other settings \(TimeZone = Australia\/Lord_Howe; /,
    ],
    [
      'settings of requests for reads',
      ini => ini.replace(/; set plan_cache_mode.*(?=')/, ''),
      /_reads have other settings \(statement_timeout|plan_cache_mode = auto/,
    ],
    [
      'statements that stay behind',
      ini => ini.replace(/max_prepared_statements = \d+/, 'max_prepared_statements = 0'),
      /does not carry prepared statements/,
    ],
    ['another database', ini => ini.replace(/^(\S+_reads = .*dbname=)\S+/m, '$1postgres'), /leads to another database/],
    ['no second database', ini => ini.replace(/^\S+_reads = .*$/m, ''), /no such database/],
  ]
  it.each(strange)('refuses a pooler with %s', async (_, change, words) => {
    const { url: DATABASE_POOLER_URL } = await pooler(change)
    const settings = { ...apiBeside(direct), DATABASE_POOLER_URL }
    await expect(startService(settings)).rejects.toThrow(words)
    const { code, out } = await runCommand(['doctor'], settings)
    expect([code, out.match(/^FAIL +pooler .*/m)?.[0]]).toEqual([1, expect.stringMatching(words)])
  })

  it('the doctor finds no fault in the one of the document', async () => {
    const { url: DATABASE_POOLER_URL } = await pooler()
    const { out } = await runCommand(['doctor'], { ...apiBeside(direct), DATABASE_POOLER_URL })
    expect(out).toMatch(/^ok +pooler /m)
  })
})
