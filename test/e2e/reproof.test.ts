// Proved evidence is proved again: evidence that no longer proves raises an alarm, and a receipt whose block vanished
// waits until another block has it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HDNodeWallet, Interface } from 'ethers'
import { parseCrontab } from 'graphile-worker'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import { type EmbeddedChain, startChain } from '../../src/embedded/chain.ts'
import { closeDays } from '../../src/modules/statements/close.ts'
import { reproveNext } from '../../src/modules/verification/reprove.ts'
import { crontab, regularTasks } from '../../src/worker/regular.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

const functions = new Interface(evidenceAnchor.abi)
/** A project's own wallet; the service signs with account 1. */
const wallet = HDNodeWallet.fromPhrase(
  'test test test test test test test test test test test junk',
  '',
  `m/44'/60'/0'/0/5`,
).address

let folder: string
let chain: EmbeddedChain
let service: Service
let key: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-reproof-'))
  chain = await startChain(join(folder, 'chain'), pino({ level: 'silent' }))
  const common = { contract: chain.contract, finality: { confirmations: 1 } }
  const chains = [
    { ...common, name: 'local', caip2: 'eip155:31337', rpc_urls: [chain.rpcUrl] },
    { ...common, name: 'gone', caip2: 'eip155:14', rpc_urls: ['http://127.0.0.1:1'] },
  ]
  const file = join(folder, 'chains.json')
  await writeFile(file, JSON.stringify(chains))
  service = await startService({
    CHAINS_FILE: file,
    ANCHOR_PRIVATE_KEY: chain.anchorPrivateKey,
    // Alarms are part of this test; they are captured before they are logged.
    LOG_LEVEL: 'silent',
  })
  key = (await service.api.project()).key
})
afterAll(async () => {
  await service?.stop()
  await chain?.stop()
  await rm(folder, { recursive: true, force: true })
})

const logged = () => vi.spyOn(service.app.log, 'error')
let errors: ReturnType<typeof logged>
beforeEach(() => {
  errors = logged()
})
afterEach(() => errors.mockRestore())

const alarms = () =>
  errors.mock.calls.map(call => call.map(part => JSON.stringify(part)).join(' ')).filter(text => text.includes('ALARM'))

async function rpc(method: string, ...params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(chain.rpcUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const { result, error } = await answer.json()
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

const sql = async (text: string, values: unknown[] = []) => (await service.app.pool.query(text, values)).rows

type Receipt = {
  id: string
  status: string
  bundle_hash: string
  bundle_url: string
  ledger_txid: string
  anchored_at: string
}

const read = async (id: string): Promise<Receipt> => (await service.api.call('GET', `/v1/iso/receipts/${id}`)).json
const record = async (by = key): Promise<string> => (await service.api.record(by)).json.receipt_id
const anchored = async (): Promise<Receipt> => service.api.anchored(await record())
const verify = async (body: object) => (await service.api.call('POST', '/v1/iso/verify', { body })).json
const eventsOf = async (id: string): Promise<string[]> =>
  (await sql('select status from events where receipt_id = $1 order by id', [id])).map(row => row.status)
const auditOf = async (id: string): Promise<string[]> =>
  (await sql('select action from audit_events where object_id = $1 order by id', [id])).map(row => row.action)
const notification = async (id: string) => (await service.api.call('GET', `/files/${id}/camt054.xml`)).text

/** Sets the time of the last proof of this receipt's transaction. */
const lookedAt = (id: string, ago: string, blockAge = '0 seconds') =>
  sql(
    `update anchor_transactions set proved_at = now() - $2::interval, block_time = least(block_time, now() - $3::interval)
     where id = (select transaction_id from anchors where receipt_id = $1)`,
    [id, ago, blockAge],
  )
const proofOf = async (id: string): Promise<{ isFresh: boolean; failure: string | null }> => {
  const [proof] = await sql(
    `select proved_at > now() - interval '1 minute' as "isFresh", proof_failure as failure
     from anchor_transactions where id = (select transaction_id from anchors where receipt_id = $1)`,
    [id],
  )
  return proof
}

const metrics = (by?: string) => service.api.call('GET', '/metrics', by ? { key: by } : {})

/** Parses a metric from the text format, one line per sample. */
async function sample(name: string): Promise<Record<string, number>> {
  const { text } = await metrics(adminKey)
  const lines = text.split('\n').filter(line => line.startsWith(`${name}{`))
  return Object.fromEntries(
    lines.map(line => {
      const [, label = '', value] = /^\w+\{\w+="([^"]*)"\} (\S+)$/.exec(line) ?? []
      return [label, Number(value)]
    }),
  )
}

const failures = () => sample('quittance_reproof_failures')

describe('valid evidence', () => {
  it('is proved again when it is due, and not before', async () => {
    const { id } = await anchored()
    const turns: [ago: string, blockAge: string, isDue: boolean][] = [
      ['1 minute 1 second', '0 seconds', false],
      ['6 minutes', '0 seconds', true],
      ['6 minutes', '3 hours', false],
      ['23 hours', '3 hours', false],
      ['25 hours', '3 hours', true],
    ]
    for (const [ago, blockAge, isDue] of turns) {
      await lookedAt(id, ago, blockAge)
      await reproveNext(service.app)
      expect([ago, blockAge, await proofOf(id)]).toEqual([ago, blockAge, { isFresh: isDue, failure: null }])
    }
    expect(alarms()).toEqual([])
    expect(await failures()).toEqual({ local: 0, gone: 0 })
    expect(await eventsOf(id)).toEqual(['pending', 'awaiting_anchor', 'anchored'])
  })

  it('is proved although a thousand transactions are due on a chain that is down', async () => {
    const { id } = await anchored()
    await sql(
      `insert into anchor_transactions (id, chain, contract, signer, nonce, txid, state, finality, block_number, block_hash, block_time, proved_at)
       select gen_random_uuid(), 'gone', $1, 'nobody', n, '0x' || lpad(to_hex(n), 64, '0'), 'confirmed', 'final', n, 'none', now() - interval '9 days', now() - interval '9 days'
       from generate_series(1, 1000) n`,
      [chain.contract],
    )
    await lookedAt(id, '2 days')
    await reproveNext(service.app)
    expect(await proofOf(id)).toEqual({ isFresh: true, failure: null })
    // Without an answer nothing has failed, and these transactions stay due.
    expect(
      await sql(
        `select count(*)::int as proved from anchor_transactions where chain = 'gone' and proved_at > now() - interval '8 days'`,
      ),
    ).toEqual([{ proved: 0 }])
    expect(await failures()).toEqual({ local: 0, gone: 0 })
    await sql(`delete from anchor_transactions where chain = 'gone'`)
  })
})

describe('evidence that no longer proves', () => {
  const flip = (id: string) =>
    sql(
      `update blobs set bytes = set_byte(bytes, length(bytes) / 2, get_byte(bytes, length(bytes) / 2) # 1)
       where sha256 = (select sha256 from artifacts where receipt_id = $1 and name = 'evidence.zip')`,
      [id],
    )
  const rename = (from: string, to: string) => (id: string) =>
    sql('update artifacts set name = $3 where receipt_id = $1 and name = $2', [id, from, to])
  const swap = (id: string) =>
    sql(
      `update artifacts set sha256 = case sha256 when $2 then (select sha256 from artifacts where receipt_id = $1 and name = 'pain001.xml') else $2 end
       where receipt_id = $1 and name = 'evidence.zip'`,
      [id, bundleHash],
    )
  let bundleHash = ''

  it.each<[string, string, (id: string) => Promise<unknown>, (id: string) => Promise<unknown>]>([
    ['a stored bundle with one bit changed', 'bundle_unavailable', flip, flip],
    ['a stored bundle that is another file now', 'bundle_hash_mismatch', swap, swap],
    [
      'a stored bundle that is gone',
      'bundle_unavailable',
      rename('evidence.zip', 'gone.zip'),
      rename('gone.zip', 'evidence.zip'),
    ],
  ])('raises an alarm and is counted: %s; and no longer after it is repaired', async (_, check, spoil, restore) => {
    const { id, bundle_hash, ledger_txid } = await anchored()
    bundleHash = bundle_hash
    await spoil(id)
    await lookedAt(id, '2 days')
    await reproveNext(service.app)
    const proof = await proofOf(id)
    expect(proof).toEqual({ isFresh: true, failure: expect.stringContaining(`receipt ${id}: `) })
    expect(proof.failure).toContain(check)
    const ofAnchor = alarms().filter(text => text.includes(ledger_txid))
    expect(ofAnchor).toEqual([expect.stringContaining(check)])
    await expect.poll(failures).toEqual({ local: 1, gone: 0 })
    // An alarm is for operators: the receipt stays anchored, and its hash still verifies.
    expect((await read(id)).status).toBe('anchored')
    expect(await verify({ bundle_hash })).toMatchObject({ matches_onchain: true })
    await restore(id)
    await lookedAt(id, '2 days')
    await reproveNext(service.app)
    expect(await proofOf(id)).toEqual({ isFresh: true, failure: null })
    await expect.poll(failures).toEqual({ local: 0, gone: 0 })
  })
})

describe('the metrics', () => {
  it('are for administrators, because they reveal the volume of business', async () => {
    const writer = await service.api.key(key, 'project')
    expect([(await metrics()).status, (await metrics(writer)).status, (await metrics(key)).status]).toEqual([
      401, 403, 403,
    ])
    const { status, headers } = await metrics(adminKey)
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)])
  })

  it('are valid in the text format, line by line', async () => {
    const { text } = await metrics(adminKey)
    expect(text.endsWith('\n')).toBe(true)
    const described = new Set<string>()
    for (const line of text.trimEnd().split('\n')) {
      if (line === '') continue
      const [, name = ''] = /^# (?:HELP|TYPE) ([a-z_:][a-z0-9_:]*) \S/i.exec(line) ?? []
      if (name !== '') {
        described.add(name)
        continue
      }
      // Numbers as Go parses them: NaN in any case.
      expect(line).toMatch(
        /^[a-zA-Z_:][\w:]*(\{\w+="[^"\\\n]*"(,\w+="[^"\\\n]*")*\})? -?(\d+(\.\d+)?(e[+-]?\d+)?|nan|\+?inf)$/i,
      )
      const [family = ''] = /^[\w:]+/.exec(line) ?? []
      expect(described).toContain(family.replace(/_(bucket|sum|count)$/, match => (described.has(family) ? match : '')))
    }
    for (const name of ['quittance_reproof_failures', 'quittance_jobs', 'quittance_signer_balance_wei']) {
      expect(described).toContain(name)
    }
  })

  it('report a signer’s balance, and the cost of an hour of anchoring', async () => {
    expect((await sample('quittance_signer_balance_wei')).local).toBeGreaterThan(1e21)
    expect((await sample('quittance_signer_batch_cost_wei')).local).toBeGreaterThan(1e12)
  })
})

describe('a block that vanished under an anchored receipt', () => {
  const life = ['pending', 'awaiting_anchor', 'anchored']
  const trail = ['receipt.record', 'receipt.anchor', 'receipt.anchor_lost', 'receipt.anchor']

  /** Expects the receipt to be anchored in the chain's present block, consistently everywhere. */
  async function demandWhole(before: Receipt) {
    const { id, bundle_hash, bundle_url } = before
    await expect.poll(() => eventsOf(id)).toEqual([...life, 'awaiting_anchor', 'anchored'])
    const after = await read(id)
    const { blockNumber, blockHash } = await rpc('eth_getTransactionReceipt', after.ledger_txid)
    const { timestamp } = await rpc('eth_getBlockByHash', blockHash, false)
    const anchored_at = new Date(Number(timestamp) * 1000).toISOString()
    expect(after).toMatchObject({ status: 'anchored', anchored_at })
    expect(after.anchored_at).not.toBe(before.anchored_at)
    expect((await service.api.call('GET', `/v1/anchors/${id}`)).json).toEqual([
      {
        chain: 'local',
        txid: after.ledger_txid,
        anchored_at,
        block_number: Number(blockNumber),
        block_hash: blockHash,
        contract: chain.contract,
        finality: 'final',
      },
    ])
    expect(await verify({ bundle_hash, bundle_url, txid: after.ledger_txid })).toEqual({
      matches_onchain: true,
      bundle_hash,
      ledger_txid: after.ledger_txid,
      flare_txid: after.ledger_txid,
      anchored_at,
      errors: [],
    })
    // The messages state the present block.
    await expect.poll(() => notification(id)).toContain(`anchored in block ${Number(blockNumber)} at ${anchored_at}`)
    const { json } = await service.api.call('GET', `/v1/iso/messages/${id}`)
    expect(json.map((message: { type: string }) => message.type).sort()).toEqual(['camt.054', 'pain.001', 'pain.002'])
    expect((await service.api.call('GET', `/files/${id}/pain002.xml`)).text).toContain(
      `block ${Number(blockNumber)} at ${anchored_at}`,
    )
    return after
  }

  /** Reverts the chain and extends it with other blocks of other times. */
  async function forget(snapshot: string) {
    await rpc('evm_revert', snapshot)
    await rpc('evm_increaseTime', 3_600)
    await rpc('anvil_mine', '0x5')
  }

  it('returns it to awaiting_anchor with an event and an audit row, and the same transaction anchors it again', async () => {
    const snapshot = await rpc('evm_snapshot')
    const before = await anchored()
    await expect.poll(() => notification(before.id)).toContain(before.anchored_at)
    const seen = (await sql('select max(id) as last from events where receipt_id = $1', [before.id]))[0]?.last
    await forget(snapshot)
    expect(await rpc('eth_getTransactionReceipt', before.ledger_txid)).toBeNull()
    await lookedAt(before.id, '2 days')
    await reproveNext(service.app)
    const { ledger_txid } = await demandWhole(before)
    expect(ledger_txid).toBe(before.ledger_txid)
    expect(await auditOf(before.id)).toEqual(trail)
    const { text } = await service.api.call('GET', `/v1/iso/events/${before.id}`, {
      headers: { 'Last-Event-ID': seen },
    })
    const told = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))
    expect(told.map(event => [event.status, event.ledger_txid, event.anchored_at === before.anchored_at])).toEqual([
      ['awaiting_anchor', null, false],
      ['anchored', ledger_txid, false],
    ])
    // The evidence has not failed, and the next proof succeeds.
    await lookedAt(before.id, '2 days')
    await reproveNext(service.app)
    expect(await proofOf(before.id)).toEqual({ isFresh: true, failure: null })
    expect(alarms()).toEqual([])
  })

  it('books it again when it is anchored again, unless a numbered statement has it', async () => {
    const project = await service.api.project('Booked')
    const bookings = async () => {
      const rows = await sql('select id, booked_at from receipts where project_id = $1', [project.id])
      return new Map(rows.map(({ id, booked_at }) => [id, booked_at]))
    }
    const snapshot = await rpc('evm_snapshot')
    const stated = await service.api.anchored(await record(project.key))
    await closeDays(service.app, project.id, new Date(Date.now() + 86_400_000))
    const open = await service.api.anchored(await record(project.key))
    const before = await bookings()
    await forget(snapshot)
    await lookedAt(stated.id, '2 days')
    await lookedAt(open.id, '2 days')
    await reproveNext(service.app)
    expect(await bookings()).toEqual(new Map([...before, [open.id, null]]))
    for (const { id } of [stated, open]) await service.api.anchored(id)
    const after = await bookings()
    expect(after.get(stated.id)).toEqual(before.get(stated.id))
    expect(after.get(open.id)?.getTime()).toBeGreaterThan(before.get(open.id)?.getTime())
  })

  it('is noticed when the next receipt is anchored, before its proof is due', async () => {
    const snapshot = await rpc('evm_snapshot')
    const lost = [await anchored(), await anchored(), await anchored()]
    await rpc('evm_revert', snapshot)
    await rpc('evm_increaseTime', 3_600)
    await anchored()
    for (const before of lost) {
      expect((await demandWhole(before)).ledger_txid).toBe(before.ledger_txid)
      expect(await auditOf(before.id)).toEqual(trail)
    }
    expect(alarms()).toEqual([])
  })

  it('makes the anchor of an agent wait again, with an event, until the same transaction is final', async () => {
    const { key: agentKey } = await service.api.project('Agents')
    const wallet_address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
    const call = (method: string, path: string, body?: object) =>
      service.api.call(method, path, { key: agentKey, ...(body && { body }) })
    const { id } = (await call('POST', '/v1/agents', { name: 'Buyer', wallet_address })).json
    const bundle_hash = `0x${'9c'.repeat(32)}`
    const snapshot = await rpc('evm_snapshot')
    await call('POST', `/v1/agents/${id}/anchor`, { bundle_hash })
    const anchor = async () => (await call('GET', `/v1/agents/${id}/anchors`)).json[0]
    const told = async () =>
      (
        await sql(
          'select e.type from events e join anchors a on a.id = e.anchor_id where a.bundle_hash = $1 order by e.id',
          [bundle_hash],
        )
      ).map(({ type }) => type)
    await expect.poll(told).toEqual(['agent.anchor_requested', 'agent.anchored'])
    const before = await anchor()
    await forget(snapshot)
    await sql(
      `update anchor_transactions set proved_at = now() - interval '2 days'
       where id = (select transaction_id from anchors where bundle_hash = $1)`,
      [bundle_hash],
    )
    await reproveNext(service.app)
    await expect.poll(told).toEqual(['agent.anchor_requested', 'agent.anchored', 'agent.anchor_lost', 'agent.anchored'])
    const after = await anchor()
    expect(after).toEqual({ ...before, anchored_at: expect.any(String) })
    expect(after.anchored_at).not.toBe(before.anchored_at)
  })

  it('leaves a receipt in tenant mode to its project, which may confirm another transaction', async () => {
    const project = await service.api.project('Tenant')
    const anchoring = { execution_mode: 'tenant', chains: [{ name: 'local' }] }
    await service.api.call('PUT', `/v1/projects/${project.id}/config`, { key: project.key, body: { anchoring } })
    const id = await record(project.key)
    await expect.poll(async () => (await read(id)).status).toBe('awaiting_anchor')
    const { bundle_hash } = await read(id)
    const data = functions.encodeFunctionData('anchorEvidence', [bundle_hash])
    const send = async () => {
      const txid = await rpc('eth_sendTransaction', { from: wallet, to: chain.contract, data })
      await expect.poll(() => rpc('eth_getTransactionReceipt', txid), { interval: 10 }).not.toBeNull()
      const body = { receipt_id: id, ledger_txid: txid }
      const { json } = await service.api.call('POST', '/v1/iso/confirm-anchor', { key: project.key, body })
      expect(json).toMatchObject({ status: 'anchored', ledger_txid: txid })
      return read(id)
    }
    const snapshot = await rpc('evm_snapshot')
    const before = await send()
    await expect.poll(() => notification(id)).toContain(before.ledger_txid)
    await forget(snapshot)
    // A project's transaction that the chain forgot is not sent again.
    await rpc('anvil_setNonce', wallet, '0x100')
    await lookedAt(id, '2 days')
    await reproveNext(service.app)
    expect(await read(id)).toMatchObject({ status: 'awaiting_anchor', ledger_txid: null, anchored_at: null })
    await anchored()
    expect((await read(id)).status).toBe('awaiting_anchor')
    const after = await send()
    expect(after.ledger_txid).not.toBe(before.ledger_txid)
    await demandWhole(before)
    await expect.poll(() => notification(id)).toContain(after.ledger_txid)
  })
})

describe('scheduled tasks', () => {
  const run = (name: string) => sql('select from graphile_worker.add_job($1)', [name])

  it('are scheduled, and every scheduled task exists', async () => {
    const planned = parseCrontab(crontab).map(({ task }) => task)
    expect(planned).toEqual(expect.arrayContaining(['clean', 'reprove_next', 'watch_funds']))
    expect(regularTasks.map(({ name }) => name).sort()).toEqual(planned.sort())
    const known = await sql('select identifier from graphile_worker._private_known_crontabs order by identifier')
    expect(known.map(({ identifier }) => identifier)).toEqual(planned)
  })

  it('prove evidence again', async () => {
    const { id } = await anchored()
    await lookedAt(id, '2 days')
    await run('reprove_next')
    await expect.poll(() => proofOf(id)).toEqual({ isFresh: true, failure: null })
  })

  it('raise an alarm while a signer can still pay, but not for much longer', async () => {
    const [signer] = await sql('select signer from anchor_transactions where signer is not null limit 1')
    const balance = await rpc('eth_getBalance', signer?.signer, 'latest')
    await run('watch_funds')
    await run('clean')
    await expect.poll(() => sql('select from graphile_worker._private_jobs')).toEqual([])
    const cost = (await sample('quittance_signer_batch_cost_wei')).local ?? 0
    expect(alarms()).toEqual([])
    await rpc('anvil_setBalance', signer?.signer, `0x${BigInt(Math.round(cost * 10)).toString(16)}`)
    await run('watch_funds')
    await expect.poll(alarms).toEqual([expect.stringContaining(signer?.signer)])
    await rpc('anvil_setBalance', signer?.signer, balance)
  })
})
