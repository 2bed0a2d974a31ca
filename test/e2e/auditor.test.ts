// The auditor of the tests: it reports nothing about a consistent service, and finds every single fault.
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inflateRawSync } from 'node:zlib'
import { Interface, Transaction, Wallet } from 'ethers'
import JSZip from 'jszip'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { type EmbeddedChain, startChain } from '../../src/embedded/chain.ts'
import { type Audited, audit } from '../kit/auditor.ts'
import { onDatabase } from '../kit/global-setup.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { it, proof, some } from '../kit/size.ts'

const functions = new Interface(['function anchorEvidence(bytes32)', 'function anchorEvidenceBatch(bytes32[])'])
const anchorCall = (hash: string) => functions.encodeFunctionData('anchorEvidence', [hash])
const emptyBatch = functions.encodeFunctionData('anchorEvidenceBatch', [[]])

let folder: string
let chain: EmbeddedChain
let wallet: Wallet
/** Another account of the development chain, unlocked like all of its accounts. */
let stranger: string
let healthy: string
let accepted: string[]
let postgres: pg.Client

async function rpc(method: string, params: unknown[] = []) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'Content-Type': 'application/json' }
  const { result, error } = await (await fetch(chain.rpcUrl, { method: 'POST', headers, body })).json()
  if (error) throw new Error(error.message)
  return result
}

/** Sends from an unlocked account and waits until it is mined. */
async function send(from: string, data: string, to = chain.contract): Promise<string> {
  const txid = await rpc('eth_sendTransaction', [{ from, to, data, gas: '0x30d40' }])
  while ((await rpc('eth_getTransactionReceipt', [txid])) === null) await sleep(10)
  return txid
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 15_000; !(await isSo()); await sleep(100)) {
    if (Date.now() > deadline) throw new Error('it never was so')
  }
}

const auditOf = (databaseUrl: string, more: Partial<Audited> = {}) =>
  audit({ databaseUrl, rpcUrl: chain.rpcUrl, contract: chain.contract, signer: wallet.address, accepted, ...more })

async function onto<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Takes receipts through every possible lifecycle: batches, a refund, one in parts, an anchor without a receipt, and
 * tenant mode with and without an anchor.
 */
async function live({ api, app }: Service): Promise<void> {
  const { key } = await api.project('Platform')
  const record = async (reference: string, apiKey = key) => {
    const { json } = await api.record(apiKey, { reference, resource_hash: `0x${'5e'.repeat(32)}` })
    accepted.push(json.receipt_id)
    return json.receipt_id
  }
  const ids = await Promise.all(['one', 'two', 'three'].map(reference => record(reference)))
  for (const id of ids) await api.anchored(id)
  await api.anchored(await record('four'))
  const debug = { bundle_hash: `0x${'de'.repeat(32)}` }
  expect((await api.call('POST', '/v1/debug/anchor', { key: adminKey, body: debug })).status).toBe(200)
  const refund = await api.call('POST', '/v1/iso/refund', { key, body: { original_receipt_id: ids[0] } })
  for (const amount of ['4', '8.5']) {
    const part = await api.call('POST', '/v1/iso/refund', { key, body: { original_receipt_id: ids[1], amount } })
    accepted.push(part.json.refund_receipt_id)
    await api.anchored(part.json.refund_receipt_id)
  }
  accepted.push(refund.json.refund_receipt_id)
  await api.anchored(refund.json.refund_receipt_id)

  const tenant = await api.project('Tenant')
  const anchoring = { execution_mode: 'tenant', chains: [] }
  await api.call('PUT', `/v1/projects/${tenant.id}/config`, { key: tenant.key, body: { anchoring } })
  const [own] = [await record('own', tenant.key), await record('unsent', tenant.key)]
  const sealed = () =>
    app.pool.query(
      `select bundle_hash as hash from receipts where project_id = $1 and bundle_hash is not null order by created_at`,
      [tenant.id],
    )
  await until(async () => (await sealed()).rowCount === 2)
  const ledger_txid = await send(stranger, anchorCall((await sealed()).rows[0].hash))
  const confirmed = await api.call('POST', '/v1/iso/confirm-anchor', {
    key: tenant.key,
    body: { receipt_id: own, ledger_txid },
  })
  expect(confirmed.status).toBe(200)
  await api.anchored(own)
  const jobs = () => app.pool.query('select from graphile_worker._private_jobs')
  await until(async () => (await jobs()).rowCount === 0)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-auditor-'))
  chain = await startChain(join(folder, 'chain'), pino({ level: 'silent' }))
  wallet = new Wallet(chain.anchorPrivateKey)
  stranger = (await rpc('eth_accounts'))[5]
  accepted = []
  const service = await startService({
    ANCHOR_CHAIN: `eip155:${chain.chainId}`,
    ANCHOR_RPC_URL: chain.rpcUrl,
    ANCHOR_CONTRACT: chain.contract,
    ANCHOR_PRIVATE_KEY: chain.anchorPrivateKey,
    ANCHOR_CONFIRMATIONS: '1',
  })
  healthy = service.databaseUrl
  await live(service).finally(() => service.stop())
  postgres = new pg.Client({ connectionString: inject('postgresUrl') })
  await postgres.connect()
})
afterAll(async () => {
  await postgres?.end()
  await chain?.stop()
  await rm(folder, { recursive: true, force: true })
})

it('reports nothing about a service that has used all of its features', async () => {
  expect(accepted).toHaveLength(9)
  expect(await auditOf(healthy, { settled: true })).toEqual([])
})

/** Copies the database and corrupts the copy with its owner's rights, without triggers and foreign keys. */
async function spoiled(spoil: (client: pg.Client) => Promise<unknown>): Promise<string> {
  const name = `spoiled_${randomUUID().replaceAll('-', '')}`
  await postgres.query(`create database ${name} template ${new URL(healthy).pathname.slice(1)}`)
  const url = onDatabase(healthy, name)
  await onto(url, async client => {
    await client.query('set session_replication_role = replica')
    await spoil(client)
  })
  return url
}

const one = `(select id from receipts where reference = 'one')`
const two = `(select id from receipts where reference = 'two')`
const hashOne = `(select bundle_hash from receipts where reference = 'one')`
/** The transactions of the first three receipts, of the fourth receipt, and of the tenant. */
const first = `(select transaction_id from anchors where receipt_id = ${one})`
const fourth = `(select a.transaction_id from anchors a join receipts r on r.id = a.receipt_id where reference = 'four')`
const theirs = `(select id from anchor_transactions where project_id is not null)`
const lastEvent = `id = (select max(id) from events where receipt_id = ${one} and type <> 'receipt.refunded')`
const job = (task: string, payload: string, change: string) =>
  `select graphile_worker.add_job('${task}', ${payload}); update graphile_worker._private_jobs set ${change}`

const inSql: [string, string, RegExp][] = [
  ['an accepted receipt that is gone', `delete from receipts where id = ${one}`, /was accepted and is not there/],
  [
    'a receipt that is there twice',
    `alter table receipts drop constraint receipts_pkey cascade; drop index receipts_identity_key; drop index receipts_reference_key; insert into receipts select * from receipts where reference = 'one'`,
    /receipt \S+ is there more than once/,
  ],
  [
    'two receipts of a settlement',
    `drop index receipts_identity_key; update receipts set tx_key = (select tx_key from receipts where reference = 'one') where reference = 'two'`,
    /more than one receipt of the settlement/,
  ],
  [
    'two receipts of a reference',
    `drop index receipts_reference_key; update receipts set reference = 'one' where reference = 'two'`,
    /more than one receipt of the reference/,
  ],
  [
    'an anchored receipt without bundle',
    `update receipts set bundle_hash = null where id = ${one}`,
    /is anchored without a bundle/,
  ],
  [
    'a waiting receipt without bundle',
    `update receipts set bundle_hash = null, status = 'awaiting_anchor' where id = ${one}`,
    /is awaiting_anchor without a bundle/,
  ],
  [
    'a pending receipt with a bundle',
    `update receipts set status = 'pending' where id = ${one}`,
    /is pending with a bundle/,
  ],
  [
    'an anchored receipt without booking',
    `update receipts set booked_at = null where id = ${one}`,
    /anchored without transaction, time or booking/,
  ],
  [
    'a refund that is only announced and booked',
    `update receipts set booked_at = now() where refund_of_id is not null`,
    /is booked and only announced/,
  ],
  [
    'a receipt that waits and has a transaction',
    `update receipts set status = 'awaiting_anchor', anchored_at = null where id = ${one}`,
    /awaiting_anchor with a transaction or a time/,
  ],
  ['a counter that is off', `update receipt_counts set count = count + 1`, /the counters say \d+ receipts of/],
  [
    'a receipt that does not know of its refund',
    `update receipts set has_refund = false where has_refund`,
    /says has_refund false/,
  ],
  [
    'a receipt that does not know how much of it is refunded',
    `update receipts set refunded_amount = 0 where has_refund`,
    /says that 0\.0+ of it are refunded/,
  ],

  [
    'a changed byte of a bundle',
    `update blobs set bytes = set_byte(bytes, 100, get_byte(bytes, 100) # 1) where sha256 = ${hashOne}`,
    /the bundle of receipt \S+ does not have its bundle hash/,
  ],
  [
    'a changed byte of a report',
    `update blobs set bytes = set_byte(bytes, 100, get_byte(bytes, 100) # 1) where sha256 = (select sha256 from artifacts where receipt_id = ${one} and name = 'pain002.xml')`,
    /file pain002.xml of \S+ does not have the hash/,
  ],
  [
    'a file without bytes',
    `delete from blobs where sha256 = (select sha256 from artifacts where receipt_id = ${one} and name = 'camt054.xml')`,
    /file camt054.xml of \S+ has no bytes/,
  ],
  [
    'a bundle that is gone',
    `delete from artifacts where receipt_id = ${one} and name = 'evidence.zip'`,
    /has 0 readable bundle files/,
  ],
  [
    'a bundle nobody asked for',
    `update receipts set bundle_hash = null, status = 'pending' where id = ${one}`,
    /has a bundle file and no bundle hash/,
  ],
  [
    'a bundle that is no ZIP',
    `update artifacts set sha256 = (select sha256 from artifacts where receipt_id = ${one} and name = 'pain001.xml') where receipt_id = ${one} and name = 'evidence.zip'; update receipts set bundle_hash = (select sha256 from artifacts where receipt_id = ${one} and name = 'pain001.xml') where id = ${one}`,
    /it is no ZIP/,
  ],
  [
    'the bundle of another receipt',
    `update artifacts set sha256 = ${hashOne} where receipt_id = ${two} and name = 'evidence.zip'; update receipts set bundle_hash = ${hashOne} where id = ${two}`,
    /its manifest is of another receipt/,
  ],
  [
    'a message other than the sealed one',
    `update artifacts set sha256 = (select sha256 from artifacts where receipt_id = ${one} and name = 'pain002.xml') where receipt_id = ${one} and name = 'pain001.xml'`,
    /pain001.xml is not the file that is stored beside it/,
  ],
  [
    'a message that is gone',
    `delete from artifacts where receipt_id = ${one} and name = 'pain001.xml'`,
    /pain001.xml is not stored beside it/,
  ],
  ['an unknown key', `delete from signing_keys`, /its key \S+ is not known/],
  [
    'a key whose time had not come',
    `update signing_keys set valid_from = now() + interval '1 day'`,
    /was not valid yet/,
  ],
  [
    'a key whose time was over',
    `update signing_keys set valid_from = '2020-01-01', valid_to = '2020-01-01'`,
    /was no longer valid/,
  ],
  [
    'an amount changed after it was sealed',
    `update receipts set amount = 13 where id = ${one}`,
    /tip.json says other than the database/,
  ],
  [
    'a resource hash changed after it was sealed',
    `update receipts set resource_hash = null where id = ${one}`,
    /receipt.json says other than the database/,
  ],

  [
    'two anchors on one chain',
    `drop index anchors_receipt_id_chain_key; insert into anchors (id, receipt_id, chain, bundle_hash, state) select gen_random_uuid(), receipt_id, chain, bundle_hash, 'waiting' from anchors where receipt_id = ${one}`,
    /has several anchors on/,
  ],
  ['a bundle without anchor', `delete from anchors where receipt_id = ${one}`, /has a bundle and no anchor/],
  [
    'an anchor without bundle',
    `update receipts set bundle_hash = null, status = 'pending' where id = ${one}`,
    /has an anchor and no bundle/,
  ],
  [
    'an anchor of another hash',
    `update anchors set bundle_hash = (select bundle_hash from receipts where id = ${two}) where receipt_id = ${one}`,
    /an anchor of \S+ is of another hash/,
  ],
  [
    'a receipt anchored before its anchors are',
    `update anchors set state = 'sent' where receipt_id = ${one}`,
    /is anchored and not all of its anchors are confirmed/,
  ],
  [
    'a receipt that waits for what is confirmed',
    `update receipts set status = 'awaiting_anchor' where id = ${one}`,
    /waits although all of its anchors are confirmed/,
  ],
  [
    'an anchor sent without transaction',
    `update anchors set state = 'sent', transaction_id = null where receipt_id = ${one}`,
    /is sent without a transaction/,
  ],
  [
    'an anchor confirmed without transaction',
    `update anchors set transaction_id = null where receipt_id = ${one}`,
    /is confirmed without a transaction/,
  ],
  [
    'an anchor whose transaction is gone',
    `update anchors set transaction_id = gen_random_uuid() where receipt_id = ${one}`,
    /is confirmed without a transaction/,
  ],
  [
    'an anchor that waits and has a transaction',
    `update anchors set state = 'waiting' where receipt_id = ${one}`,
    /is waiting and has a transaction/,
  ],
  [
    'an anchor whose transaction is further than itself',
    `update anchors set state = 'sent' where receipt_id = ${one}`,
    /is sent in a transaction that is confirmed/,
  ],
  [
    'an anchor that is further than its transaction',
    `update anchor_transactions set state = 'signed' where id = ${first}`,
    /is confirmed in a transaction that is signed/,
  ],
  [
    'an anchor of another chain than its transaction',
    `update anchors set chain = 'elsewhere' where receipt_id = ${one}`,
    /carried by a transaction of another chain/,
  ],

  [
    'a transaction that the chain does not have',
    `update anchor_transactions set txid = '0x${'00'.repeat(32)}' where id = ${first}`,
    /the transaction is not on the chain/,
  ],
  [
    'a wrong number of the block',
    `update anchor_transactions set block_number = block_number + 1 where id = ${first}`,
    /it is in block \d+, not \d+/,
  ],
  [
    'a wrong hash of the block',
    `update anchor_transactions set block_hash = '0x${'00'.repeat(32)}' where id = ${first}`,
    /its block is \S+, not 0x0000/,
  ],
  [
    'a wrong time of the block',
    `update anchor_transactions set block_time = block_time + interval '1 second' where id = ${first}`,
    /its block has another time/,
  ],
  [
    'a confirmed transaction that is not final',
    `update anchor_transactions set finality = 'included' where id = ${first}`,
    /it counts as included/,
  ],
  [
    'a transaction to another address',
    `update anchor_transactions set contract = '0x${'11'.repeat(20)}' where id = ${first}`,
    /it is to 0x/,
  ],
  [
    'a contract that is none of ours',
    `update anchor_transactions set contract = '0x${'11'.repeat(20)}' where id = ${first}`,
    /which is none of ours/,
  ],
  [
    'an anchor in a transaction that does not carry it',
    `update anchors set transaction_id = ${fourth} where receipt_id = ${one}`,
    /it does not carry 0x/,
  ],
  [
    'another transaction than the earliest',
    `update receipts set ledger_txid = (select txid from anchor_transactions where id = ${fourth}) where id = ${one}`,
    /not its earliest transaction/,
  ],
  [
    'another time than that of the block',
    `update receipts set anchored_at = anchored_at + interval '1 second' where id = ${one}`,
    /anchored at another time than its block/,
  ],

  [
    'a hash of ours of which the database knows nothing',
    `delete from anchors where bundle_hash = '0x${'de'.repeat(32)}'`,
    /was anchored by our signer and is none of ours/,
  ],
  [
    'an attempt without transaction',
    `update anchor_attempts set transaction_id = gen_random_uuid() where transaction_id = ${first}`,
    /attempt \S+ is of no transaction/,
  ],
  [
    'a transaction without attempt',
    `delete from anchor_attempts where transaction_id = ${first}`,
    /is none of its attempts/,
  ],
  [
    'a transaction whose attempts with its nonce are gone',
    `delete from anchor_attempts where transaction_id = ${first}`,
    /is none of those we stored for nonce/,
  ],
  [
    'unreadable bytes',
    `update anchor_attempts set raw_transaction = '0x02' where transaction_id = ${first}`,
    /are no transaction/,
  ],
  [
    'the bytes of another transaction',
    `update anchor_attempts set raw_transaction = (select raw_transaction from anchor_attempts where transaction_id = ${fourth}) where transaction_id = ${first}`,
    /the bytes of \S+ are of 0x/,
  ],
  [
    'another nonce than that of the bytes',
    `update anchor_transactions set nonce = 1000 where id = ${first}`,
    /has the nonce \d/,
  ],
  [
    'another signer than that of the bytes',
    `update anchor_transactions set signer = '0x${'22'.repeat(20)}' where id = ${first}`,
    /is signed by \S+, not by 0x2222/,
  ],
  [
    'a signer that is not ours',
    `update anchor_transactions set signer = '0x${'22'.repeat(20)}' where id = ${first}`,
    /its signer \S+ is not ours/,
  ],
  [
    'another fee than that of the bytes',
    `update anchor_attempts set max_fee_per_gas = max_fee_per_gas + 1 where transaction_id = ${first}`,
    /pays another fee/,
  ],
  [
    'bytes that carry other hashes',
    `update anchors set transaction_id = ${fourth} where receipt_id = ${one}`,
    /does not carry what its anchors say/,
  ],
  [
    'events that are not those of the anchors',
    `update anchors set transaction_id = ${fourth} where receipt_id = ${one}`,
    /its events are not those of its anchors/,
  ],
  [
    'a transaction given up although it succeeded',
    `update anchor_transactions set state = 'overtaken' where id = ${first}`,
    /it is overtaken, and \S+ succeeded/,
  ],
  [
    'a confirmed transaction nobody ever saw',
    `insert into anchor_transactions (id, chain, contract, signer, nonce, txid, state) select gen_random_uuid(), chain, contract, signer, 99, '0x99', 'confirmed' from anchor_transactions where id = ${first}`,
    /0x99 is confirmed and not on the chain/,
  ],
  [
    'a project’s transaction with our nonce',
    `update anchor_transactions set nonce = 7 where id = ${theirs}`,
    /it is a project’s and ours/,
  ],

  [
    'a nonce given twice',
    `drop index anchor_transactions_chain_signer_nonce_key; update anchor_transactions set nonce = 0 where id = ${fourth}`,
    /nonce 0 of \S+ was given more than once/,
  ],
  [
    'a nonce left out',
    `update anchor_transactions set nonce = 1000 where id = ${fourth}`,
    /nonce \d+ of \S+ was left out/,
  ],
  [
    'a nonce that was used and not stored',
    `update anchor_transactions set nonce = 1000 where id = ${fourth}`,
    /nonce 1 of \S+ was used on \S+ by 0x\w+, and we never stored it/,
  ],

  [
    'a life without beginning',
    `delete from events where id = (select min(id) from events where receipt_id = ${one})`,
    /its life does not begin with pending/,
  ],
  ['no life at all', `delete from events where receipt_id = ${one}`, /its life does not begin with pending/],
  [
    'a move that is not allowed',
    `delete from events where receipt_id = ${one} and status = 'awaiting_anchor'`,
    /pending may not become anchored/,
  ],
  [
    'a failure after sealing',
    `update events set status = 'failed' where ${lastEvent}`,
    /awaiting_anchor may not become failed/,
  ],
  [
    'the same state twice',
    `insert into events (id, type, receipt_id, status, bundle_hash, ledger_txid, anchored_at) select id + 1, type, receipt_id, status, bundle_hash, ledger_txid, anchored_at from events where ${lastEvent}`,
    /anchored may not become anchored/,
  ],
  ['a last event of another state', `delete from events where ${lastEvent}`, /: it is anchored/],
  [
    'a last event with another hash',
    `update events set bundle_hash = null where ${lastEvent}`,
    /its last event has another bundle hash/,
  ],
  [
    'a last event with another transaction',
    `update events set ledger_txid = null where ${lastEvent}`,
    /its last event has another transaction/,
  ],
  [
    'a last event with another time',
    `update events set anchored_at = null where ${lastEvent}`,
    /its last event has another time/,
  ],

  ...['record', 'anchor'].map((verb): [string, string, RegExp] => [
    `a missing audit row receipt.${verb}`,
    `delete from audit_events where action = 'receipt.${verb}' and object_id = ${one}::text`,
    new RegExp(`has 0 audit rows receipt.${verb}, and 1 such`),
  ]),
  [
    'a missing audit row of a refund',
    `delete from audit_events where action = 'receipt.refund'`,
    /has 0 audit rows receipt.refund, and 1 such/,
  ],
  ...['anchor', 'anchor_lost', 'deny', 'retry'].map((verb): [string, string, RegExp] => [
    `an audit row receipt.${verb} of what did not happen`,
    `insert into audit_events (id, action, object_type, object_id, project_id, actor) select id + 1, 'receipt.${verb}', object_type, object_id, project_id, actor from audit_events where action = 'receipt.record' and object_id = ${one}::text`,
    new RegExp(`has [12] audit rows receipt.${verb}, and [01] such`),
  ]),
  [
    'an audit row that names another transaction',
    `update audit_events set details = '{"txid": "0x99"}' where action = 'receipt.anchor' and object_id = ${one}::text`,
    /in another transaction than its audit rows say/,
  ],
  [
    'an audit row of another project',
    `update audit_events set project_id = gen_random_uuid() where action = 'receipt.record' and object_id = ${one}::text`,
    /is another project’s/,
  ],
  [
    'audit rows of a receipt that is not there',
    `update audit_events set object_id = gen_random_uuid()::text where action = 'receipt.record' and object_id = ${one}::text`,
    /audit rows are about receipt \S+, which is not there/,
  ],
  [
    'a project’s anchor without audit row',
    `delete from audit_events where action = 'receipt.confirm_anchor'`,
    /is anchored by its project in \S+ without an audit row/,
  ],
  ['an audit row taken out', `delete from audit_events where seq = 3`, /row 3 of the audit chain \S+ is missing/],
  [
    'a changed audit row',
    `update audit_events set actor = 'nobody' where seq = 2`,
    /row 2 of the audit chain \S+ is not as it was written/,
  ],
  [
    'audit rows taken from the end',
    `delete from audit_events where id = (select max(id) from audit_events)`,
    /the end of the audit chain \S+ is not where its head says/,
  ],
  [
    'an audit chain without head',
    `delete from audit_heads where chain = 'service'`,
    /the end of the audit chain service is not/,
  ],

  [
    'a report that is left failing',
    job('report', `json_build_object('receipts', json_build_array(${one}))`, `last_error = 'no'`),
    /a job report of the anchored \S+ is left failing: no/,
  ],
  [
    'a confirmation that is left failing',
    job('confirm', `json_build_object('transaction', ${first})`, `last_error = 'no'`),
    /a job confirm of the anchored .* is left failing/,
  ],
  [
    'a job that is given up',
    job('seal', `'{}', job_key := 'seal'`, `attempts = max_attempts`),
    /a job seal is given up/,
  ],
]

describe('the auditor finds', () => {
  // Each case gets its own copy of the database.
  proof.each(some(inSql, 3))('%s', async (_, sql, fault) => {
    const url = await spoiled(client => client.query(sql))
    expect(await auditOf(url)).toContainEqual(expect.stringMatching(fault))
  })

  it('a public key that does not match its id', async () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const pem = publicKey.export({ format: 'pem', type: 'spki' })
    const url = await spoiled(async client => {
      const update = () => client.query('update signing_keys set public_key_pem = $1', [pem])
      await expect(update(), 'the database refuses it').rejects.toThrow('signing_keys_id_check')
      await client.query('alter table signing_keys drop constraint signing_keys_id_check')
      await update()
    })
    const found = await auditOf(url)
    for (const fault of [/the key \S+ is another/, /its public key is another/, /its signature is wrong/])
      expect(found).toContainEqual(expect.stringMatching(fault))
  })
})

type Files = Map<string, Buffer>

/** Replaces the bundle of the first receipt, with every row around it adjusted. */
async function forged(client: pg.Client, change: (files: Files) => void): Promise<void> {
  const { rows } = await client.query(`select bytes from blobs where sha256 = ${hashOne}`)
  const files: Files = new Map()
  for (const [name, file] of Object.entries((await JSZip.loadAsync(inflateRawSync(rows[0].bytes))).files))
    files.set(name, await file.async('nodebuffer'))
  change(files)
  const zip = new JSZip()
  for (const [name, bytes] of files) zip.file(name, bytes)
  const bytes = await zip.generateAsync({ type: 'nodebuffer' })
  const hash = `0x${createHash('sha256').update(bytes).digest('hex')}`
  await client.query('insert into blobs (sha256, bytes) values ($1, $2)', [hash, bytes])
  await client.query(`update artifacts set sha256 = $1 where receipt_id = ${one} and name = 'evidence.zip'`, [hash])
  for (const table of ['anchors', 'events'])
    await client.query(`update ${table} set bundle_hash = $1 where receipt_id = ${one} and bundle_hash is not null`, [
      hash,
    ])
  await client.query(`update receipts set bundle_hash = $1 where id = ${one}`, [hash])
}

const edit = (files: Files, name: string, from: string | RegExp, to: string) =>
  files.set(name, Buffer.from(files.get(name)?.toString('utf8').replace(from, to) ?? ''))
const stolen = generateKeyPairSync('ed25519')

describe('the auditor reads the bundle and finds', () => {
  it.each<[string, (files: Files) => void, RegExp]>([
    [
      'a file that was changed',
      files => edit(files, 'tip.json', '12.5', '12.6'),
      /tip.json is not as the manifest says/,
    ],
    [
      'a manifest that was changed',
      files => edit(files, 'manifest.json', '"size":', '"size": '),
      /its signature is wrong/,
    ],
    [
      'a signature by another key',
      files => files.set('manifest.sig', sign(null, files.get('manifest.json') ?? Buffer.of(), stolen.privateKey)),
      /its signature is wrong/,
    ],
    ['a file too many', files => files.set('readme.txt', Buffer.from('hello')), /the manifest lists other files/],
    ['a file too few', files => files.delete('pain001.xml'), /the manifest lists other files/],
    [
      'a manifest that leaves one out',
      files => edit(files, 'manifest.json', /\{"name":"pain001.xml".*?\},/, ''),
      /pain001.xml is not listed/,
    ],
    ['no signature', files => files.delete('manifest.sig'), /it has no signed manifest/],
    [
      'a key id nobody has',
      files => edit(files, 'manifest.json', /"key_id":"\w+"/, '"key_id":"0000000000000000"'),
      /its key 0000000000000000 is not known/,
    ],
  ])('%s', async (_, change, fault) => {
    const url = await spoiled(client => forged(client, change))
    expect(await auditOf(url)).toContainEqual(expect.stringMatching(fault))
  })
})

describe('the auditor reads the whole chain and finds', () => {
  /** Undoes afterwards what `work` does to the chain. */
  async function besides(work: () => Promise<void>): Promise<void> {
    const snapshot = await rpc('evm_snapshot')
    try {
      await work()
    } finally {
      await rpc('evm_revert', [snapshot])
    }
  }
  const hashOf = () => onto(healthy, async client => (await client.query(`select ${hashOne} as hash`)).rows[0].hash)

  it.each([
    ['our own signer', () => wallet.address],
    ['anybody else', () => stranger],
  ])('a hash that is anchored a second time by %s', (_, from) =>
    besides(async () => {
      await send(from(), anchorCall(await hashOf()))
      expect(await auditOf(healthy)).toContainEqual(expect.stringMatching(/is anchored 2 times/))
    }),
  )

  it('nothing wrong when a project anchors its own hash again', () =>
    besides(async () => {
      const { rows } = await onto(healthy, client =>
        client.query(`select bundle_hash as hash from anchors where transaction_id = ${theirs}`),
      )
      await send(stranger, anchorCall(rows[0].hash))
      expect(await auditOf(healthy, { settled: true })).toEqual([])
    }))

  it('a transaction of our signer that was never stored, and the hash in it', () =>
    besides(async () => {
      await send(wallet.address, anchorCall(`0x${'77'.repeat(32)}`))
      const found = await auditOf(healthy)
      expect(found).toContainEqual(
        expect.stringMatching(/hash 0x7777\w+ was anchored by our signer and is none of ours/),
      )
      expect(found).toContainEqual(
        expect.stringMatching(/nonce \d+ of \S+ was used on \S+ by \S+, and we never stored it/),
      )
    }))

  /** Sets the first receipt's transaction to this one. */
  const pointedAt = (txid: string) =>
    spoiled(async client => {
      const { blockNumber, blockHash } = await rpc('eth_getTransactionReceipt', [txid])
      const { timestamp } = await rpc('eth_getBlockByHash', [blockHash, false])
      await client.query(
        `update anchor_transactions set txid = $1, block_number = $2, block_hash = $3, block_time = to_timestamp($4) where id = ${first}`,
        [txid, Number(blockNumber), blockHash, Number(timestamp)],
      )
    })

  it('an anchor in a transaction that failed', () =>
    besides(async () => {
      const url = await pointedAt(await send(stranger, emptyBatch))
      expect(await auditOf(url)).toContainEqual(expect.stringMatching(/the transaction failed/))
    }))

  it('an anchor in another account’s transaction', () =>
    besides(async () => {
      const url = await pointedAt(await send(stranger, anchorCall(await hashOf())))
      expect(await auditOf(url)).toContainEqual(expect.stringMatching(/it is from 0x/))
    }))

  const signedAgain = async (change: { chainId?: bigint; maxFeePerGas?: bigint }) => {
    const stored = await onto(healthy, client =>
      client.query(
        `select raw_transaction as raw, transaction_id as id from anchor_attempts where transaction_id = ${first}`,
      ),
    )
    const { raw, id } = stored.rows[0]
    const { to, data, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, chainId } = Transaction.from(raw)
    const signed = await wallet.signTransaction({
      type: 2,
      to,
      data,
      nonce,
      gasLimit,
      maxFeePerGas,
      maxPriorityFeePerGas,
      chainId,
      ...change,
    })
    const { hash, maxFeePerGas: fee } = Transaction.from(signed)
    return spoiled(async client => {
      await client.query(
        'insert into anchor_attempts (txid, transaction_id, raw_transaction, max_fee_per_gas) values ($1, $2, $3, $4)',
        [hash, id, signed, fee?.toString()],
      )
      await client.query('update anchor_transactions set txid = $1 where id = $2', [hash, id])
    })
  }

  it('an attempt that was mined in place of the named one', async () => {
    expect(await auditOf(await signedAgain({ maxFeePerGas: 10n ** 12n }))).toContainEqual(
      expect.stringMatching(/0x\w+ was mined, not 0x\w+/),
    )
  })

  it('an attempt for another chain', async () => {
    expect(await auditOf(await signedAgain({ chainId: 1n }))).toContainEqual(expect.stringMatching(/is for chain 1$/))
  })
})

describe('with `settled`, the auditor also finds', () => {
  it.each([
    ['a pending receipt', `update receipts set status = 'pending' where id = ${one}`, /receipt \S+ is still pending/],
    [
      'a waiting receipt',
      `update receipts set status = 'awaiting_anchor' where id = ${one}; update anchors set state = 'waiting', transaction_id = null where receipt_id = ${one}`,
      /receipt \S+ is still awaiting_anchor/,
    ],
    [
      'a waiting anchor',
      `update anchors set state = 'waiting' where bundle_hash = '0x${'de'.repeat(32)}'`,
      /anchor \S+ is still waiting/,
    ],
    ['a sent anchor', `update anchors set state = 'sent' where receipt_id = ${one}`, /anchor \S+ is still sent/],
    [
      'a signed transaction',
      `update anchor_transactions set state = 'signed' where id = ${first}`,
      /transaction \S+ is still signed/,
    ],
  ])('%s', async (_, sql, fault) => {
    const url = await spoiled(client => client.query(sql))
    expect(await auditOf(url, { settled: true })).toContainEqual(expect.stringMatching(fault))
    expect((await auditOf(url)).filter(line => fault.test(line))).toEqual([])
  })

  it('a receipt that was just recorded and has no other fault', async () => {
    const url = await spoiled(async client => {
      await client.query('set session_replication_role = default')
      await client.query(`
        with made as (
          insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference)
          select gen_random_uuid(), project_id, 'new', chain, amount, currency, sender_wallet, receiver_wallet, 'new' from receipts where reference = 'one'
          returning id, project_id
        ), event as (insert into events (type, project_id, receipt_id, status) select 'receipt.pending', project_id, id, 'pending' from made)
        insert into audit_events (action, object_type, object_id, project_id, actor) select 'receipt.record', 'receipt', id::text, project_id, 'key:x' from made`)
    })
    expect(await auditOf(url)).toEqual([])
    expect(await auditOf(url, { settled: true })).toEqual([expect.stringMatching(/is still pending/)])
  })
})

// The last test, because a reorg cannot be undone.
it('finds anchors in blocks that a reorg removed from the chain', async () => {
  await rpc('anvil_reorg', [Number(await rpc('eth_blockNumber')) - 1, []])
  expect(await auditOf(healthy)).toContainEqual(expect.stringMatching(/the transaction is not on the chain/))
})
