// A project moves from one installation to another behind a router, with all its evidence, while its clients go on.
import { randomBytes } from 'node:crypto'
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { closeEnded } from '../../src/modules/statements/close.ts'
import { account } from '../kit/anvil.ts'
import { type CellRouter, startCellRouter } from '../kit/cell-router.ts'
import { runCommand } from '../kit/command.ts'
import { followField } from '../kit/follower.ts'
import { startReceiver, verified } from '../kit/receiver.ts'
import { adminKey, apiOf, type Service, startService, tipOf } from '../kit/service.ts'
import { onlyInFull } from '../kit/size.ts'

let folder: string
let router: CellRouter
let here: Service
let there: Service
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-move-'))
  router = await startCellRouter()
  receiver = await startReceiver()
  const common = {
    PUBLIC_BASE_URL: router.url,
    WEBHOOK_SECRET: `one:${randomBytes(32).toString('base64')}`,
    ALLOW_PRIVATE_TARGETS: 'true',
    LOG_LEVEL: 'silent',
  }
  here = await startService(common)
  // Its own are the database, the signing key, and the account on the chain.
  there = await startService({
    ...common,
    ANCHOR_CHAIN: here.app.chains[0].caip2 ?? '',
    ANCHOR_RPC_URL: here.localChain ?? '',
    ANCHOR_CONTRACT: here.app.chains[0].contract,
    ANCHOR_PRIVATE_KEY: account(3).privateKey,
    ANCHOR_CONFIRMATIONS: '1',
  })
  router.setCells(here.base, there.base)
})
afterAll(async () => {
  await there?.stop()
  await here?.stop()
  await receiver?.stop()
  await router?.stop()
  await rm(folder, { recursive: true, force: true })
})

const of =
  (service: Service, key: string) =>
  async (query: string, variables: Record<string, unknown> = {}) => {
    const { data, errors } = await service.api.graphql(query, { key, variables })
    if (errors) throw new Error(`${errors[0].extensions.code}: ${errors[0].message}`)
    return data
  }
/** Without the lines that tell how far the command is. */
const faultsOf = (err: string) => err.replaceAll(/^(Waiting for|.*rows and files).*\n/gm, '')
const rowsIn = async (service: Service, text: string, values: unknown[] = []) =>
  (await service.app.pool.query(text, values)).rows
const exportProject = (service: Service, ...args: string[]) =>
  runCommand(['export-project', ...args], { DATABASE_URL: service.databaseUrl })
const importProject = (service: Service, from: string) =>
  runCommand(['import-project', from], { DATABASE_URL: service.databaseUrl })

/** Each row that a project has there, counted as the tables tell, whatever their rules in the archive say. */
const counts = async (service: Service, projectId: string) => {
  const [row] = await rowsIn(
    service,
    `select (select count(*) from receipts where project_id = $1) as receipts,
       (select sum(count) from receipt_counts where project_id = $1) as counted,
       (select count(*) from artifacts a join receipts r on r.id = a.receipt_id where r.project_id = $1) as artifacts,
       (select count(*) from events where project_id = $1) as events,
       (select json_agg(e order by id) from (select id, type, receipt_id from events where project_id = $1) as e) as numbers`,
    [projectId],
  )
  return row
}

onlyInFull('moves a project with its evidence while its clients go on', async () => {
  const project = await here.api.project('Moves')
  const other = await here.api.project('Stays')
  const native = await there.api.project('Is there already')
  for (const { key } of [project, other]) router.setCell(key, here.base)
  router.setCell(native.key, there.base)
  const api = apiOf(router.url)

  // Versions of configurations have the same numbers in both databases, and other content.
  const configure = `mutation ($id: ID!, $name: String!) { configureProject(input: {
    projectId: $id, anchoring: { executionMode: PLATFORM, chains: [] }, parties: { initiator: { name: $name } } }) { notice } }`
  await of(there, native.key)(configure, { id: native.id, name: 'Native' })
  await of(here, project.key)(configure, { id: project.id, name: 'Mover' })
  const organisation = { key: adminKey, body: { org: { name: 'Organisation here' } } }
  expect((await here.api.call('PUT', '/v1/config', organisation)).status).toBe(200)

  const { createWebhookEndpoint } = await of(here, project.key)(
    `mutation ($url: URL!) { createWebhookEndpoint(input: { url: $url }) { webhookEndpoint { id secret } } }`,
    { url: `${receiver.url}/hook` },
  )
  const endpoint = createWebhookEndpoint.webhookEndpoint
  const first = await Promise.all(
    Array.from({ length: 6 }, async () => (await api.record(project.key)).json.receipt_id as string),
  )
  await api.record(other.key)
  for (const id of first) await api.anchored(id)
  const refund = await of(here, project.key)(
    'mutation ($id: ID!) { refundReceipt(input: { originalReceiptId: $id, amount: "1" }) { refund { id } } }',
    { id: first[0] },
  )
  await of(here, project.key)('mutation { generateStatement(input: {}) { statement { id } } }')

  // A client that records on and on, and repeats what is refused for now.
  const acknowledged: string[] = [...first, refund.refundReceipt.refund.id]
  const refusals = new Set<string>()
  let isOver = false
  const client = (async () => {
    while (!isOver) {
      const tip = tipOf()
      for (;;) {
        const request = { key: project.key, body: tip, headers: { 'Idempotency-Key': tip.reference } }
        // Whether a connection that was cut carried the request out is not known.
        const answer = await api.call('POST', '/v1/iso/record-tip', request).catch(() => null)
        if (answer?.status === 200) {
          acknowledged.push(answer.json.receipt_id)
          break
        }
        if (answer !== null)
          refusals.add(`${answer.status} ${answer.json?.detail} ${answer.headers.get('retry-after')}`)
        await sleep(100)
      }
      await sleep(50)
    }
  })()
  // Another one follows the changes of receipts by their cursor.
  const follower = followField(router.url, project.key, 'receiptChanged', '', '')

  const archive = join(folder, 'archive')
  const copied = await exportProject(here, project.id, join(folder, 'copy'))
  expect([copied.code, copied.out]).toEqual([0, expect.stringContaining('the project works on')])
  const refused = await importProject(there, join(folder, 'copy'))
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--move')])

  const exported = await exportProject(here, project.id, archive, '--move')
  expect([exported.code, faultsOf(exported.err)]).toEqual([0, ''])
  const before = await counts(here, project.id)
  await closeEnded(here.app)
  await sleep(1_000)
  expect(await counts(here, project.id)).toEqual(before)
  // Without the API, too, nothing is written for the project.
  await expect(
    here.app.pool.query(`insert into events (type, project_id, payment_id) values ('payment.failed', $1, $1)`, [
      project.id,
    ]),
  ).rejects.toMatchObject({ code: 'QM001' })
  await of(here, other.key)(configure, { id: other.id, name: 'Stays' })

  // An archive with another row, or another file, is refused as a whole.
  const forged = join(folder, 'forged')
  await cp(archive, forged, { recursive: true })
  await appendFile(join(forged, 'tables', 'receipts.jsonl'), await readFile(join(archive, 'tables', 'receipts.jsonl')))
  expect((await importProject(there, forged)).err).toContain('receipts.jsonl is not as its manifest says')
  await cp(join(archive, 'tables'), join(forged, 'tables'), { recursive: true, force: true })
  await writeFile(join(forged, 'files', first[0] ?? '', 'pain001.xml'), '<forged/>')
  expect((await importProject(there, forged)).err).toContain('does not have the hash')
  expect(await rowsIn(there, 'select from receipts where project_id = $1', [project.id])).toEqual([])

  const imported = await importProject(there, archive)
  expect([imported.code, faultsOf(imported.err)]).toEqual([0, ''])
  expect(imported.out).toMatch(/with \d+ bundles that verify/)
  expect(await counts(there, project.id)).toEqual(before)
  expect((await importProject(there, archive)).err).toContain('is in this database already')

  // The answers are the same, byte by byte.
  const documents = [
    '{ receipts(first: 50) { nodes { id reference amount status bundleHash anchoredAt refundableAmount project { id name } artifacts { nodes { id name sha256 url } } anchors { id chain anchorTx blockNumber } events { nodes { cursor status } } fiatEquivalent { status } complianceChecks { type decision } } } }',
    '{ projects { nodes { statements(first: 10) { nodes { id type kind date pages { nodes { sha256 url } } } } apiKeys { nodes { id label } } } } }',
    '{ webhookDeliveries(first: 100) { nodes { id webhookId type } } webhookEndpoints { nodes { id url secret } } }',
    '{ receiptStats { nodes { count } } }',
  ]
  for (const query of documents) {
    const [one, two] = await Promise.all(
      [here, there].map(({ api }) => api.call('POST', '/graphql', { key: project.key, body: { query } })),
    )
    // The rest tells what is left of the caller's limits.
    const answerOf = (text = '') => text.slice(0, text.indexOf(',"extensions"'))
    expect([one?.json?.errors, answerOf(two?.text) === answerOf(one?.text)]).toEqual([undefined, true])
  }
  const page = `/files/${first[0]}/pain001.html`
  for (const path of acknowledged.flatMap(id => [
    page,
    `/v1/iso/receipts/${id}`,
    `/v1/iso/messages/${id}`,
    `/files/${id}/evidence.zip`,
  ])) {
    const [one, two] = await Promise.all([here, there].map(({ api }) => api.call('GET', path, { key: project.key })))
    expect([path, one?.status, two?.text === one?.text]).toEqual([path, 200, true])
  }

  router.setCell(project.key, there.base)
  router.setCells(there.base, here.base)
  const told = await exportProject(here, project.id, '--moved-to', there.base)
  expect([told.code, told.err]).toEqual([0, ''])
  await sleep(1_000)
  const misled = await here.api.record(project.key)
  expect([misled.status, misled.json]).toEqual([
    503,
    expect.objectContaining({ detail: 'project_moving', location: there.base }),
  ])

  const last = (await api.record(project.key)).json.receipt_id
  acknowledged.push(last)
  await api.anchored(last, 15_000)
  isOver = true
  await client
  expect([...refusals]).toEqual(['503 project_moving 5'])
  for (const id of acknowledged.slice(-3)) await api.anchored(id)

  // Nothing that was acknowledged is lost, or there twice.
  const receipts = await rowsIn(there, 'select id from receipts where project_id = $1', [project.id])
  expect(receipts.map(({ id }) => id).toSorted()).toEqual([...new Set(acknowledged)].toSorted())
  const numbers = `select id::text from events where project_id = $1 and receipt_id is not null order by events.id`
  const all = (await rowsIn(there, numbers, [project.id])).map(({ id }) => id)
  while (follower.seen.length < all.length) await sleep(50)
  await follower.stop()
  expect(follower.seen.map(({ id }) => id)).toEqual(all)
  for (const id of [first[1], last]) {
    const { bundle_url } = await api.call('GET', `/v1/iso/receipts/${id}`).then(({ json }) => json)
    const { json } = await api.call('POST', '/v1/iso/verify', { body: { bundle_url } })
    expect(json).toMatchObject({ matches_onchain: true, errors: [] })
  }
  const anchors = await rowsIn(
    there,
    "select a.bundle_hash from anchors a join receipts r on r.id = a.receipt_id where r.project_id = $1 and a.state = 'confirmed'",
    [project.id],
  )
  expect(new Set(anchors.map(row => row.bundle_hash)).size).toBe(anchors.length)
  for (const service of [here, there]) {
    const audited = await runCommand(['audit'], { DATABASE_URL: service.databaseUrl })
    expect([audited.code, audited.out]).toEqual([0, expect.stringContaining(`ok     ${project.id}`)])
  }

  // An old event is sent again with the same secret, from the new place.
  const got = receiver.received.length
  await of(there, project.key)(
    'mutation ($id: ID!, $after: ID!) { replayWebhookEvents(input: { endpointId: $id, after: $after, includeDelivered: true }) { count } }',
    { id: endpoint.id, after: '0' },
  )
  const database = new pg.Client({ connectionString: there.databaseUrl })
  await database.connect()
  while (receiver.received.length === got) await sleep(50)
  await database.end()
  const again = receiver.received.at(-1)
  expect(() => again && verified(endpoint.secret, again)).not.toThrow()
})
