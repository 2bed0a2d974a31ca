// Files in an object store: the receipt lifecycle with it, its faults, and moving files there and back.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { inspectStorage } from '../../src/cli/doctor/storage.ts'
import { run as moveFiles } from '../../src/cli/move-files.ts'
import { sha256 } from '../../src/core/hash.ts'
import { readEnv } from '../../src/env.ts'
import { reproveNext } from '../../src/modules/verification/reprove.ts'
import { account, startAnvil } from '../kit/anvil.ts'
import { apiSettings, startChild, until } from '../kit/child.ts'
import { type ObjectStore, startObjectStore } from '../kit/object-store.ts'
import { startPgProxy } from '../kit/pg-proxy.ts'
import { adminKey, apiBeside, apiOf, freshDatabase, type Service, startService } from '../kit/service.ts'
import { it, onlyInFull } from '../kit/size.ts'

let store: ObjectStore
let service: Service
/** A service on the same database, without the store. */
let plain: Service
let database: pg.Client
let project: { id: string; key: string }
let receipt: Record<string, string>

const isSo = async (text: string, values: unknown[] = []) => (await database.query(text, values)).rows[0].so === true
const untilSo = (what: string, text: string, values: unknown[] = []) =>
  until(
    what,
    () => isSo(text, values),
    () => '',
  )
const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
const bundleOf = (id: string, at = service) => at.api.call('GET', `/files/${id}/evidence.zip`)
const record = async () => (await service.api.record(project.key)).json.receipt_id
const reported = (id: string) =>
  untilSo('reports', `select count(*) = 4 as so from artifacts where receipt_id = $1`, [id])

beforeAll(async () => {
  store = await startObjectStore()
  service = await startService({ ...store.settings, LOG_LEVEL: 'silent' })
  // With its own signing key.
  plain = await startService({ ...apiBeside(service), LOG_LEVEL: 'silent' })
  database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
  project = await service.api.project()
  receipt = await service.api.anchored(await record())
  await reported(receipt.id ?? '')
})
afterEach(() => store.setFault('none'))
afterAll(async () => {
  await database.end()
  await plain.stop()
  await service.stop()
  await store.stop()
})

it('keeps all bytes outside the database, and serves, verifies and adds files', async () => {
  const { data } = await service.api.graphql(
    `mutation ($id: ID!) {
      generateMessage(input: { receiptId: $id, type: PACS_008 }) { artifact { url sha256 } }
      generateStatement(input: {}) { statement { pages { nodes { url sha256 } } } }
    }`,
    { key: project.key, variables: { id: receipt.id } },
  )
  const [page] = data.generateStatement.statement.pages.nodes
  for (const { url, sha256: hash } of [page, data.generateMessage.artifact]) {
    expect(sha256(await bytesOf(url))).toBe(hash)
  }
  const bundle = await bytesOf(receipt.bundle_url ?? '')
  expect(sha256(bundle)).toBe(receipt.bundle_hash)
  const verified = await service.api.call('POST', '/v1/iso/verify', { body: { bundle_url: receipt.bundle_url } })
  expect(verified.json).toMatchObject({ matches_onchain: true, errors: [] })
  expect((await service.api.call('GET', `/files/${receipt.id}/pain001.html`)).status).toBe(200)
  const { rows } = await database.query('select sha256, bytes, size from blobs order by sha256')
  expect(rows.map(({ bytes }) => bytes)).toEqual(Array(7).fill(null))
  expect(rows.map(row => row.sha256)).toEqual((await store.names()).toSorted())
})

it('never serves a file with another hash than its row, and raises an alarm', async () => {
  const file = store.fileOf(receipt.bundle_hash ?? '')
  const bytes = await readFile(file)
  const damaged = async () => {
    const { status, json, text } = await bundleOf(receipt.id ?? '')
    expect([status, json.detail]).toEqual([500, 'file_damaged'])
    expect(text).not.toContain(receipt.bundle_hash)
    const { json: verified } = await service.api.call('POST', '/v1/iso/verify', {
      body: { bundle_url: receipt.bundle_url },
    })
    expect(verified).toMatchObject({ matches_onchain: false, errors: ['bundle_unavailable'] })
  }
  const proofFailure = async () => {
    await database.query(`update anchor_transactions set proved_at = now() - interval '2 days'`)
    await reproveNext(service.app)
    return (await database.query('select proof_failure as failure from anchor_transactions')).rows[0].failure
  }
  const changed = Buffer.from(bytes)
  changed[100] = (changed[100] ?? 0) ^ 1
  for (const other of [changed, bytes.subarray(1), Buffer.concat([bytes, bytes])]) {
    await writeFile(file, other)
    await damaged()
  }
  expect(await proofFailure()).toBe(`receipt ${receipt.id}: bundle_unavailable`)
  await rm(file)
  await damaged()
  expect(await proofFailure()).toBe(`receipt ${receipt.id}: bundle_unavailable`)
  await writeFile(file, bytes)
  expect(await proofFailure()).toBeNull()
})

it('loses nothing while the store is down, and answers 503 where a file is needed', async () => {
  store.setFault('down')
  const recorded = await Promise.all([record(), record(), record()])
  const needed = await Promise.all([
    bundleOf(receipt.id ?? ''),
    service.api.call('POST', '/v1/iso/verify', { body: { bundle_url: receipt.bundle_url } }),
    service.api.call('POST', `/v1/iso/pacs009/${receipt.id}`, { key: project.key }),
  ])
  for (const { status, json, headers } of needed) {
    expect([status, json.detail, headers.get('retry-after')]).toEqual([503, 'file_store_unavailable', '5'])
  }
  const failing = `select exists (select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'seal' and attempts > 1) as so`
  await untilSo('a step that was tried again', failing)
  expect((await service.api.call('GET', `/v1/iso/receipts/${recorded[0]}`)).json.status).toBe('pending')
  // A store that is down does not prove that a bundle is lost.
  await database.query(`update anchor_transactions set proved_at = now() - interval '2 days'`)
  await reproveNext(service.app)
  expect(await isSo('select bool_and(proof_failure is null) as so from anchor_transactions')).toBe(true)
  store.setFault('none')
  await database.query(
    `select graphile_worker.reschedule_jobs(array(select id from graphile_worker._private_jobs), run_at := now())`,
  )
  for (const id of recorded) {
    const { bundle_hash } = await service.api.anchored(id)
    expect(sha256(Buffer.from(await bytesOf(`${service.base}/files/${id}/evidence.zip`)))).toBe(bundle_hash)
  }
})

it('treats a truncated answer as no answer, and a changed one as damaged', async () => {
  store.setFault('cut')
  expect((await bundleOf(receipt.id ?? '')).json.detail).toBe('file_store_unavailable')
  store.setFault('changed')
  expect((await bundleOf(receipt.id ?? '')).json.detail).toBe('file_damaged')
  store.setFault('none')
  expect((await bundleOf(receipt.id ?? '')).status).toBe(200)
})

onlyInFull('aborts a request to a store that never answers', async () => {
  store.setFault('silent')
  expect((await bundleOf(receipt.id ?? '')).json.detail).toBe('file_store_unavailable')
})

onlyInFull(
  'keeps the same objects when the process is killed before the rows are written',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quittance-killed-'))
    const databaseUrl = await freshDatabase()
    const between = await startPgProxy(databaseUrl)
    const anvil = await startAnvil(31_377)
    const books = new pg.Client({ connectionString: databaseUrl })
    await books.connect()
    const settings = {
      ...apiSettings(between.url, folder, anvil),
      ...store.settings,
      ROLES: 'api,worker',
      LOG_LEVEL: 'error',
      ANCHOR_PRIVATE_KEY: account(1).privateKey,
      ANCHOR_CONFIRMATIONS: '1',
    }
    const hashes = async () => {
      const { rows } = await books.query('select sha256 from artifacts order by sha256')
      return rows.map(row => row.sha256)
    }
    const earlier = await store.names()
    let child = await startChild(settings)
    try {
      const victim = child
      const spring = async () => {
        await victim.end('SIGKILL')
        return 'cut' as const
      }
      between.set({ statement: 'insert into blobs', at: 'before', spring })
      const before = apiOf(child.url())
      const { key } = await before.project()
      const id = (await before.record(key)).json.receipt_id
      await until('the kill', async () => victim.process.signalCode === 'SIGKILL', victim.said)
      const unnamed = (await store.names()).filter(name => !earlier.includes(name))
      expect([unnamed.length, await hashes()]).toEqual([2, []])
      child = await startChild(settings)
      const { bundle_hash } = await apiOf(child.url()).anchored(id)
      expect(unnamed).toContain(bundle_hash)
      expect(await hashes()).toEqual(expect.arrayContaining(unnamed))
      expect((await apiOf(child.url()).call('GET', `/files/${id}/evidence.zip`)).status).toBe(200)
    } finally {
      await child.end('SIGKILL')
      await books.end()
      await between.stop()
      await anvil.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
  120_000,
)

it('is checked by the doctor with a test object that is deleted again', async () => {
  const earlier = await store.names()
  const look = async (change: Record<string, string> = {}) =>
    (await inspectStorage(readEnv({ ...store.settings, ...change })))[0]
  expect(await look()).toMatchObject({ status: 'ok' })
  expect(await store.names()).toHaveLength(earlier.length)
  const wrong = await look({ S3_SECRET_ACCESS_KEY: 'not the secret' })
  expect(wrong).toMatchObject({ status: 'FAIL', text: expect.stringMatching(/403 SignatureDoesNotMatch/) })
  expect(wrong?.text).not.toContain('not the secret')
  expect(await look({ S3_BUCKET: 'no-such-bucket' })).toMatchObject({ text: expect.stringMatching(/404 NoSuchBucket/) })
  store.setFault('down')
  expect(await look()).toMatchObject({ status: 'FAIL', text: expect.stringMatching(/gives no answer/) })
})

it('counts receipts with bundles in the store among those that prevent the retirement of a key', async () => {
  const tenant = await service.api.project('Tenant')
  const body = { anchoring: { execution_mode: 'tenant', chains: [] } }
  await service.api.call('PUT', `/v1/projects/${tenant.id}/config`, { key: tenant.key, body })
  const id = (await service.api.record(tenant.key)).json.receipt_id
  await untilSo('the seal', `select status = 'awaiting_anchor' as so from receipts where id = $1`, [id])
  const { data } = await service.api.graphql('{ evidenceKeys { keys { keyId } } }')
  const retire = 'mutation ($keyId: String!) { retireSigningKey(input: { keyId: $keyId }) { signingKey { validTo } } }'
  const variables = { keyId: data.evidenceKeys.keys[0].keyId }
  const { errors } = await plain.api.graphql(retire, { key: adminKey, variables })
  expect(errors[0].message).toMatch(/^Bundles sealed with it still wait for their anchor \(1\)/)
})

it('moves files from the database to the store and back, each file readable wherever it is', async () => {
  try {
    const { status, json } = await bundleOf(receipt.id ?? '', plain)
    expect([status, json.detail]).toEqual([503, 'file_store_unavailable'])
    const path = `/v1/iso/pacs009/${receipt.id}`
    const made = (await plain.api.call('POST', path, { key: project.key })).json
    const inDatabase = 'select count(*)::int as count from blobs where bytes is not null'
    const count = async () => (await database.query(inDatabase)).rows[0].count
    expect(await count()).toBe(1)
    const there = made.url.replace(plain.base, service.base)
    expect((await bytesOf(there)).toString()).toContain(made.message_id)

    Object.assign(process.env, store.settings, { DATABASE_URL: service.databaseUrl })
    expect(await moveFiles([])).toBe(0)
    expect([await count(), (await bytesOf(there)).toString().includes(made.message_id)]).toEqual([0, true])
    const file = store.fileOf(receipt.bundle_hash ?? '')
    const bytes = await readFile(file)
    await rm(file)
    expect(await moveFiles(['--back'])).toBe(1)
    await writeFile(file, bytes)
    expect(await moveFiles(['--back'])).toBe(0)
    expect(await isSo('select bool_and(bytes is not null) as so from blobs')).toBe(true)
    expect((await bundleOf(receipt.id ?? '', plain)).status).toBe(200)
    // The store is not needed any more.
    await rm(file)
    expect((await bundleOf(receipt.id ?? '')).status).toBe(200)
  } finally {
    for (const name of [...Object.keys(store.settings), 'DATABASE_URL']) delete process.env[name]
  }
})
