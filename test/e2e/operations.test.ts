// Operator tasks: anchor a test hash, retry a failed receipt, and change the key that signs bundles.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import JSZip from 'jszip'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anchorTopic } from '../../src/adapters/anchor-log.ts'
import { type EmbeddedChain, startChain } from '../../src/embedded/chain.ts'
import { allows, configureCompliance, denies, type FakeProvider, startFakeProvider } from '../kit/fake-provider.ts'
import { adminKey, freshDatabase, type Service, startService } from '../kit/service.ts'

let folder: string
let chain: EmbeddedChain
let settings: Record<string, string>
/** The service that signs with the old key. */
let service: Service
let provider: FakeProvider
let project: { id: string; key: string }

async function keyFile(name: string): Promise<string> {
  const file = join(folder, `${name}.pem`)
  const { privateKey } = generateKeyPairSync('ed25519')
  await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  return file
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-operations-'))
  chain = await startChain(join(folder, 'chain'), pino({ level: 'silent' }))
  const { rpcUrl, contract } = chain
  const entry = { name: 'local', caip2: 'eip155:31337', rpc_urls: [rpcUrl], contract, finality: { confirmations: 1 } }
  await writeFile(join(folder, 'chains.json'), JSON.stringify([entry]))
  provider = await startFakeProvider()
  settings = {
    COMPLIANCE_PROVIDERS: `strict=http+json:${provider.url}`,
    CHAINS_FILE: join(folder, 'chains.json'),
    ANCHOR_PRIVATE_KEY: chain.anchorPrivateKey,
    DATABASE_URL: await freshDatabase(),
    // Failing steps are part of this test.
    LOG_LEVEL: 'silent',
  }
  service = await startService({ ...settings, SIGNING_KEY_FILE: await keyFile('old') })
  project = await service.api.project()
})
afterAll(async () => {
  await service?.stop()
  await chain?.stop()
  await provider?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function rpc(method: string, ...params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'Content-Type': 'application/json' }
  return (await (await fetch(chain.rpcUrl, { method: 'POST', headers, body })).json()).result
}

const sql = async (text: string, values: unknown[] = []) => (await service.app.pool.query(text, values)).rows

type Receipt = { id: string; status: string; bundle_hash: string; bundle_url: string; created_at: string }

const read = async (id: string): Promise<Receipt> => (await service.api.call('GET', `/v1/iso/receipts/${id}`)).json
const record = async (by = project): Promise<string> => (await service.api.record(by.key)).json.receipt_id
const verify = async (body: object) => (await service.api.call('POST', '/v1/iso/verify', { body })).json
const statuses = async (id: string): Promise<string[]> =>
  (await sql('select status from events where receipt_id = $1 order by id', [id])).map(row => row.status)
const trail = async (id: string): Promise<string[]> =>
  (await sql('select action from audit_events where object_id = $1 order by id', [id])).map(row => row.action)
const until = (id: string, status: string) => expect.poll(async () => (await read(id)).status).toBe(status)

/** Retries every delayed job now. */
const hurry = () =>
  sql('update graphile_worker._private_jobs set run_at = now() where locked_at is null and attempts > 0')

async function tenant() {
  const made = await service.api.project('Tenant')
  const body = { anchoring: { execution_mode: 'tenant', chains: [] } }
  await service.api.call('PUT', `/v1/projects/${made.id}/config`, { key: made.key, body })
  return made
}

describe('anchoring a test hash', () => {
  const anchor = (bundle_hash: string, key?: string) =>
    service.api.call('POST', '/v1/debug/anchor', { body: { bundle_hash }, ...(key && { key }) })
  const hash = `0x${'ab'.repeat(32)}`

  it('returns the transaction and its block, which has the event', async () => {
    const { status, json } = await anchor(hash, adminKey)
    expect([status, json]).toEqual([
      200,
      {
        ledger_txid: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        flare_txid: json.ledger_txid,
        block_number: expect.any(Number),
      },
    ])
    const { blockNumber, logs } = await rpc('eth_getTransactionReceipt', json.ledger_txid)
    expect([Number(blockNumber), logs]).toMatchObject([
      json.block_number,
      [{ address: chain.contract, topics: [anchorTopic, hash] }],
    ])
    expect(await verify({ bundle_hash: hash })).toMatchObject({ matches_onchain: true, ledger_txid: json.ledger_txid })
  })

  it('can be repeated with the same hash in another transaction', async () => {
    const [one, other] = [await anchor(hash, adminKey), await anchor(hash, adminKey)]
    expect([one.status, other.status]).toEqual([200, 200])
    expect(other.json.ledger_txid).not.toBe(one.json.ledger_txid)
  })

  it('changes no receipt, not even one that waits with this hash', async () => {
    const id = await record(await tenant())
    await until(id, 'awaiting_anchor')
    const before = await sql('select * from receipts order by id')
    const { bundle_hash } = await read(id)
    expect((await anchor(bundle_hash, adminKey)).status).toBe(200)
    await sleep(500)
    expect(await sql('select * from receipts order by id')).toEqual(before)
    expect(await statuses(id)).toEqual(['pending', 'awaiting_anchor'])
    expect((await service.api.call('GET', `/v1/anchors/${id}`)).json).toEqual([])
  })

  it('is for administrators, and accepts only hashes', async () => {
    const sent = await rpc('eth_blockNumber')
    expect((await anchor(hash)).status).toBe(401)
    expect((await anchor(hash, project.key)).status).toBe(403)
    const { errors } = await service.api.graphql(
      'mutation ($hash: Hash32!) { debugAnchor(input: { bundleHash: $hash }) { anchorTx } }',
      { key: project.key, variables: { hash } },
    )
    expect(errors[0].extensions.code).toBe('forbidden')
    for (const wrong of ['0x12', 'nonsense', `${hash}00`]) {
      const { status, json } = await anchor(wrong, adminKey)
      expect([status, json.detail[0].loc]).toEqual([422, ['body', 'bundle_hash']])
    }
    await sleep(300)
    expect(await rpc('eth_blockNumber')).toBe(sent)
  })

  it('is recorded in the service’s audit trail', async () => {
    const { json } = await service.api.call('GET', '/v1/audit/events?action=anchor.debug', { key: adminKey })
    expect(json.at(-1)).toMatchObject({
      project_id: null,
      actor: expect.stringMatching(/^admin:/),
      details: { chain: 'local', bundle_hash: hash },
    })
  })
})

describe('a receipt that failed', () => {
  beforeAll(() => configureCompliance(service.api, { sanctions_provider: 'strict', sanctions_enforce: true }))
  afterAll(() => configureCompliance(service.api, {}))

  const retry = async (receiptId: string, key?: string) => {
    const { data, errors } = await service.api.graphql(
      'mutation ($id: ID!) { retryReceipt(input: { receiptId: $id }) { receipt { id status failureReason } } }',
      { variables: { id: receiptId }, ...(key && { key }) },
    )
    return errors === undefined ? data.retryReceipt.receipt : errors[0].extensions.code
  }
  const refused = async () => {
    provider.answers(denies)
    const id = await record()
    await until(id, 'failed')
    return id
  }
  const reasonOf = async (id: string) =>
    (
      await service.api.graphql('query ($id: ID!) { receipt(id: $id) { failureReason } }', {
        key: project.key,
        variables: { id },
      })
    ).data.receipt.failureReason

  it('states its reason, is neither sealed nor anchored, and continues when it is retried', async () => {
    const id = await refused()
    expect(await reasonOf(id)).toBe('compliance_denied: sanctions by strict: on a list')
    expect(await read(id)).toMatchObject({ status: 'failed', bundle_hash: null })
    const seen = service.api.call('GET', `/v1/iso/events/${id}`)
    provider.answers(allows)
    expect(await retry(id, project.key)).toMatchObject({ id, failureReason: null })
    await service.api.anchored(id)
    expect(await statuses(id)).toEqual(['pending', 'failed', 'pending', 'awaiting_anchor', 'anchored'])
    expect([...(await seen).text.matchAll(/"status":"(\w+)"/g)].map(([, status]) => status)).toEqual([
      'failed',
      'pending',
      'awaiting_anchor',
      'anchored',
    ])
    expect(await trail(id)).toEqual(['receipt.record', 'receipt.deny', 'receipt.retry', 'receipt.anchor'])
    const { json } = await service.api.call('GET', `/v1/receipts/${id}/compliance-checks`, { key: project.key })
    expect(json.checks).toMatchObject([
      { type: 'travel_rule', decision: 'unavailable' },
      { type: 'sanctions', decision: 'allow', reason: null, provider: 'strict' },
    ])
    expect(await retry(id, project.key)).toBe('invalid_status_transition')
  })

  it('is screened again and may fail again', async () => {
    const id = await refused()
    expect((await retry(id, adminKey)).id).toBe(id)
    await expect.poll(() => statuses(id)).toEqual(['pending', 'failed', 'pending', 'failed'])
  })

  it('continues once, however many callers retry it at the same time', async () => {
    const id = await refused()
    provider.answers(allows)
    const answers = await Promise.all(Array.from({ length: 20 }, () => retry(id, project.key)))
    expect(answers.filter(answer => answer === 'invalid_status_transition')).toHaveLength(19)
    await service.api.anchored(id)
    expect(await statuses(id)).toEqual(['pending', 'failed', 'pending', 'awaiting_anchor', 'anchored'])
    expect((await trail(id)).filter(action => action === 'receipt.retry')).toHaveLength(1)
  })

  it('can be retried by administrators of its project only', async () => {
    const id = await refused()
    const keys = [
      undefined,
      await service.api.key(project.key, 'viewer'),
      await service.api.key(project.key, 'project'),
    ]
    expect(await Promise.all(keys.map(key => retry(id, key)))).toEqual(['unauthenticated', 'forbidden', 'forbidden'])
    const stranger = await service.api.project('Stranger')
    expect(await retry(id, stranger.key)).toBe('not_found')
    expect((await read(id)).status).toBe('failed')
  })

  it('is the only kind that can be retried: a pending or waiting receipt continues by itself', async () => {
    provider.answers(allows)
    const waiting = await record(await tenant())
    await until(waiting, 'awaiting_anchor')
    expect(await retry(waiting, adminKey)).toBe('invalid_status_transition')
    let go = () => {}
    const gate = new Promise<void>(resolve => {
      go = resolve
    })
    provider.answers(() => gate.then(() => ({ decision: 'allow' })))
    const pending = await record()
    expect(await retry(pending, project.key)).toBe('invalid_status_transition')
    go()
    await service.api.anchored(pending)
    expect(await statuses(pending)).toEqual(['pending', 'awaiting_anchor', 'anchored'])
  })
})

describe('changing the key that signs bundles', () => {
  let next: Service
  let nextKeyFile: string
  const begin = () => startService({ ...settings, SIGNING_KEY_FILE: nextKeyFile })
  beforeAll(async () => {
    nextKeyFile = await keyFile('next')
    next = await begin()
  })
  afterAll(() => next?.stop())

  const asked = async (by: Service, keyId: string, validTo: string | null = null, key = adminKey) =>
    by.api.graphql(
      'mutation ($input: RetireSigningKeyInput!) { retireSigningKey(input: $input) { signingKey { keyId validTo } } }',
      { key, variables: { input: { keyId, validTo } } },
    )
  const retire = async (...input: Parameters<typeof asked>) => {
    const { data, errors } = await asked(...input)
    return errors === undefined ? data.retireSigningKey.signingKey : errors[0].extensions.code
  }
  /** The number of receipts that prevent the old key from being retired now. */
  const inTheWay = async () => Number(/\((\d+)\)/.exec((await asked(next, oldKey())).errors[0].message)?.[1])
  type Key = { key_id: string; valid_to: string | null }
  const published = async (): Promise<Key[]> =>
    (await service.api.call('GET', '/.well-known/evidence-keys.json')).json.keys
  const signedBy = async ({ bundle_url }: Receipt): Promise<string> => {
    const zip = await JSZip.loadAsync(await (await fetch(bundle_url)).arrayBuffer())
    return JSON.parse((await zip.file('manifest.json')?.async('string')) ?? '').key_id
  }
  const oldKey = () => service.app.signer.keyId

  /** Seals with the old key, because the other process is stopped meanwhile. */
  async function sealedWithOld(work: () => Promise<string>): Promise<string> {
    await next.stop()
    const id = await work()
    next = await begin()
    return id
  }

  it('both keys are published before either signs', async () => {
    expect((await published()).map(({ key_id, valid_to }) => [key_id, valid_to])).toEqual([
      [oldKey(), null],
      [next.app.signer.keyId, null],
    ])
  })

  it('a key cannot be retired if it is unknown, by the process that signs with it, ahead of time, or by other callers', async () => {
    expect(await retire(next, 'feedfeedfeedfeed')).toBe('not_found')
    for (const moment of [null, new Date().toISOString()]) {
      const { errors } = await asked(service, oldKey(), moment)
      expect([errors[0].extensions.code, errors[0].message]).toEqual([
        'conflict',
        expect.stringContaining('signs with that key'),
      ])
    }
    expect(await retire(next, oldKey(), new Date(Date.now() + 60_000).toISOString())).toBe('conflict')
    for (const moment of ['yesterday', '0000-01-01T00:00:00Z']) {
      expect(await retire(next, oldKey(), moment)).toBe('validation_failed')
    }
    expect(await retire(next, oldKey(), null, project.key)).toBe('forbidden')
    expect((await published()).map(({ valid_to }) => valid_to)).toEqual([null, null])
  })

  it('a key cannot be retired while a receipt sealed with it waits, because that receipt would not verify', async () => {
    const id = await sealedWithOld(async () => {
      const waiting = await record(await tenant())
      await until(waiting, 'awaiting_anchor')
      return waiting
    })
    expect(await signedBy(await read(id))).toBe(oldKey())
    expect(await retire(next, oldKey())).toBe('conflict')
    expect((await published())[0]?.valid_to).toBeNull()
  })

  it('retiring a key waits for receipts that are being sealed with it, and counts them', async () => {
    const before = await inTheWay()
    const database = new pg.Client({ connectionString: service.databaseUrl })
    await database.connect()
    try {
      const id = await sealedWithOld(async () => {
        await database.query('begin')
        await database.query('lock table artifacts in share mode')
        const receipt = await record(await tenant())
        const blocked = `select count(*)::int as blocked from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into artifacts%'`
        await expect.poll(() => sql(blocked)).toEqual([{ blocked: 1 }])
        return receipt
      })
      const counted = inTheWay()
      await sleep(300)
      await database.query('rollback')
      expect(await counted).toBe(before + 1)
      expect(await signedBy(await read(id))).toBe(oldKey())
    } finally {
      await database.end()
    }
  })

  describe('after a key is retired', () => {
    let kept: Receipt
    let late: Receipt
    let validTo: string
    beforeAll(async () => {
      const anchored = async () => {
        const { id } = await service.api.anchored(await record())
        return id
      }
      kept = await read(await sealedWithOld(anchored))
      await sleep(1_100)
      validTo = new Date().toISOString()
      await sleep(1_100)
      late = await read(await sealedWithOld(anchored))
    })

    it('its earlier bundles verify, and bundles that claim a later time do not', async () => {
      const { bundle_url } = late
      expect(await verify({ bundle_url })).toMatchObject({ matches_onchain: true, errors: [] })
      expect(await retire(next, oldKey(), validTo)).toEqual({ keyId: oldKey(), validTo })
      expect(await signedBy(kept)).toBe(oldKey())
      expect(await verify({ bundle_url: kept.bundle_url })).toMatchObject({ matches_onchain: true, errors: [] })
      expect(await verify({ bundle_url })).toMatchObject({ errors: ['unknown_signing_key'] })
      const { json } = await service.api.call('GET', '/v1/audit/events?action=signing_key.retire', { key: adminKey })
      expect(json).toEqual([expect.objectContaining({ object_id: oldKey(), details: { valid_to: validTo } })])
    })

    it('the time of retirement can be moved back, never forward', async () => {
      expect(await retire(next, oldKey(), new Date().toISOString())).toEqual({ keyId: oldKey(), validTo })
      const earlier = new Date(Date.parse(validTo) - 500).toISOString()
      expect(await retire(next, oldKey(), earlier)).toEqual({ keyId: oldKey(), validTo: earlier })
      expect((await published())[0]).toMatchObject({ key_id: oldKey(), valid_to: earlier })
      expect(await verify({ bundle_url: kept.bundle_url })).toMatchObject({ errors: [] })
    })

    it('a time before the key was valid counts as the begin of its validity', async () => {
      const [{ valid_from }] = (await published()) as [Key & { valid_from: string }]
      expect(await retire(next, oldKey(), '1970-01-02T00:00:00Z')).toEqual({ keyId: oldKey(), validTo: valid_from })
      expect(await verify({ bundle_url: kept.bundle_url })).toMatchObject({ errors: ['unknown_signing_key'] })
    })

    it('a process with only this key seals nothing: its receipts wait for a process with another key, and none is lost', async () => {
      await next.stop()
      const ids = await Promise.all(Array.from({ length: 5 }, () => record()))
      for (let n = 0; n < 8; n++) {
        await sleep(250)
        await hurry()
      }
      for (const id of ids) {
        expect(await read(id)).toMatchObject({ status: 'pending', bundle_hash: null })
        expect(await sql('select name from artifacts where receipt_id = $1', [id])).toEqual([])
      }
      next = await begin()
      const timer = setInterval(() => void hurry(), 200)
      try {
        for (const id of ids) {
          await service.api.anchored(id)
          const receipt = await read(id)
          expect(await signedBy(receipt)).toBe(next.app.signer.keyId)
          expect(await verify({ bundle_url: receipt.bundle_url })).toMatchObject({ matches_onchain: true, errors: [] })
        }
      } finally {
        clearInterval(timer)
      }
    })
  })
})
