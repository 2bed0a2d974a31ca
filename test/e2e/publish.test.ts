// Bundles are published on IPFS where the organisation configures it, and found there by their CID.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createIpfsNode } from '../../src/adapters/ipfs-node.ts'
import { until } from '../kit/child.ts'
import { authorization, type IpfsNode, startIpfsNode } from '../kit/ipfs-node.ts'
import { adminKey, apiBeside, type Service, startService } from '../kit/service.ts'

let node: IpfsNode
let service: Service
let database: pg.Client
let key: string

const configure = (mode?: string) =>
  service.api.call('PUT', '/v1/config', {
    key: adminKey,
    body: mode === undefined ? {} : { evidence: { store: { mode } } },
  })
const anchored = async () => service.api.anchored((await service.api.record(key)).json.receipt_id)
const cidOf = async (id: string): Promise<string | null> => {
  const query = 'query ($id: ID!) { receipt(id: $id) { bundleCid } }'
  return (await service.api.graphql(query, { variables: { id } })).data.receipt.bundleCid
}
const published = async (id: string): Promise<string> => {
  await until(
    'publishing',
    async () => (await cidOf(id)) !== null,
    () => '',
  )
  return (await cidOf(id)) ?? ''
}
const isSo = async (text: string) => (await database.query(text)).rows[0].so === true
const jobs = `from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where t.identifier = 'publish'`

beforeAll(async () => {
  node = await startIpfsNode()
  service = await startService({
    IPFS_API: node.url,
    IPFS_API_AUTHORIZATION: authorization,
    IPFS_GATEWAY: node.url,
    ALLOW_PRIVATE_TARGETS: 'true',
    LOG_LEVEL: 'silent',
  })
  database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
  key = (await service.api.project()).key
})
afterEach(() => {
  node.fault = 'none'
})
afterAll(async () => {
  await database.end()
  await service.stop()
  await node.stop()
})

it('publishes each bundle recorded with the mode ipfs once, and verifies it by its CID', async () => {
  const before = await anchored()
  expect((await configure('ipfs')).json.evidence).toEqual({ store: { mode: 'ipfs' } })
  const receipt = await anchored()
  const cid = await published(receipt.id)
  const { json } = await service.api.call('POST', '/v1/iso/verify-cid', { body: { cid, receipt_id: receipt.id } })
  expect(json).toMatchObject({ matches_onchain: true, bundle_hash: receipt.bundle_hash, errors: [] })
  const { rows } = await database.query(
    `select details from audit_events where action = 'receipt.publish' and object_id = $1`,
    [receipt.id],
  )
  expect(rows).toEqual([{ details: { cid } }])
  // The job is enqueued again, as after a crash.
  await database.query(`select graphile_worker.add_job('publish', $1::json)`, [
    JSON.stringify({ receipts: [before.id, receipt.id] }),
  ])
  await until(
    'the second telling',
    () => isSo(`select not exists (select ${jobs}) as so`),
    () => '',
  )
  expect(node.added.filter(root => root === cid)).toHaveLength(1)
})

it('delays only the publication while the node is down, silent, or returns another file’s CID', async () => {
  await configure('ipfs')
  const waiting: string[] = []
  for (const fault of ['down', 'other', 'silent'] as const) {
    node.fault = fault
    const { id } = await anchored()
    waiting.push(id)
    if (fault === 'silent') continue
    await until(
      'an attempt for each',
      () => isSo(`select count(*) = ${waiting.length} as so ${jobs} and last_error is not null`),
      () => '',
    )
    expect(await cidOf(id)).toBeNull()
  }
  node.fault = 'none'
  await configure('local')
  const reschedule = `select graphile_worker.reschedule_jobs(array(select j.id ${jobs} and locked_at is null), run_at := now())`
  await database.query(reschedule)
  // The silent node's request ends when its connection is closed.
  node.drop()
  for (const id of waiting) expect(await published(id)).toMatch(/^bafkrei/)
})

it('publishes nothing that was recorded with the mode local, and refuses ipfs where no node is configured', async () => {
  await configure()
  const { id } = await anchored()
  await sleep(500)
  expect(await cidOf(id)).toBeNull()
  const without = await startService(apiBeside(service))
  const body = { evidence: { store: { mode: 'ipfs' } } }
  const { status, json } = await without.api.call('PUT', '/v1/config', { key: adminKey, body })
  await without.stop()
  expect([status, json.detail[0].loc]).toEqual([422, ['body', 'evidence', 'store', 'mode']])
})

it.each([1, 300_000])('computes the same CID for a file of %i bytes as IPFS’s importer', async size => {
  const { publish } = createIpfsNode({ url: node.url, authorization })
  expect(await publish(randomBytes(size))).toBe(node.added.at(-1))
})

it('sends no file to a node that requires another Authorization', async () => {
  const { publish } = createIpfsNode({ url: node.url, authorization: null })
  await expect(publish(randomBytes(10))).rejects.toThrow(/^the IPFS node at 127\.0\.0\.1:\d+ answers 403$/)
})
