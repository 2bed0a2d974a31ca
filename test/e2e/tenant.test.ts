// Tenant mode: the project sends its anchors itself and confirms them with a transaction hash. Which transactions are
// accepted or refused, what the service never sends itself, and how little a project's own node can influence.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Interface } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import aggregator3 from '../../contracts/Aggregator3.json' with { type: 'json' }
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import { anchorTopic } from '../../src/adapters/anchor-log.ts'
import { reproveNext } from '../../src/modules/verification/reprove.ts'
import { type Anvil, account, startAnvil, wallet } from '../kit/anvil.ts'
import { holdScreening } from '../kit/held-screening.ts'
import { faults } from '../kit/rpc-faults.ts'
import { type Fault, type RpcProxy, startRpcProxy } from '../kit/rpc-proxy.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

let folder: string
/** The service's own chains: with immediate finality; and with finality after three confirmations. */
let fast: Anvil
let slow: Anvil
/** A project's own chain, which the service does not configure; queried through a proxy that can fail and lie. */
let own: Anvil
let node: RpcProxy
let service: Service

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-tenant-'))
  ;[fast, slow, own] = await Promise.all([startAnvil(31_401), startAnvil(31_402), startAnvil(31_403)])
  node = await startRpcProxy(own.url)
  const entry = (name: string, id: number, { url, contract }: Anvil, confirmations: number) => ({
    name,
    caip2: `eip155:${id}`,
    rpc_urls: [url],
    contract,
    finality: { confirmations },
  })
  const file = join(folder, 'chains.json')
  await writeFile(file, JSON.stringify([entry('fast', 31_401, fast, 1), entry('slow', 31_402, slow, 3)]))
  service = await startService({
    CHAINS_FILE: file,
    ANCHOR_PRIVATE_KEY: account(1).privateKey,
    ALLOW_PRIVATE_TARGETS: 'true',
    // Failing nodes are part of this test.
    LOG_LEVEL: 'silent',
  })
})
afterAll(async () => {
  await service?.stop()
  await node?.stop()
  await Promise.all([fast, slow, own].map(anvil => anvil?.stop()))
  await rm(folder, { recursive: true, force: true })
})

type Project = { id: string; key: string }
type ChainInput = { name: string; contract?: string; rpc_url?: string; explorer_base_url?: string }

async function configure({ id, key }: Project, execution_mode: 'tenant' | 'platform', chains: ChainInput[]) {
  const body = { anchoring: { execution_mode, chains } }
  const { status, text } = await service.api.call('PUT', `/v1/projects/${id}/config`, { key, body })
  expect([status, text]).toEqual([200, expect.anything()])
}

async function tenant(...chains: ChainInput[]): Promise<Project> {
  const project = await service.api.project('Tenant')
  await configure(project, 'tenant', chains)
  return project
}

const ownChain = () => ({ name: 'mine', rpc_url: node.url, contract: own.contract })

const read = async (id: string) => (await service.api.call('GET', `/v1/iso/receipts/${id}`)).json
const anchorsOf = async (id: string) => (await service.api.call('GET', `/v1/anchors/${id}`)).json
const verify = async (body: object) => (await service.api.call('POST', '/v1/iso/verify', { body })).json
const audit = async ({ key }: Project, id: string): Promise<string[]> => {
  const { json } = await service.api.call('GET', `/v1/audit/events?object_id=${id}`, { key })
  return json.map((row: { action: string }) => row.action).reverse()
}

type Receipt = { id: string; bundle_hash: string }

/** Creates a receipt that is recorded, sealed, and waits for its project's anchor. */
async function sealed({ key }: Project): Promise<Receipt> {
  const { json } = await service.api.record(key)
  for (const until = Date.now() + 120_000; Date.now() < until; await sleep(20)) {
    const receipt = await read(json.receipt_id)
    if (receipt.status === 'awaiting_anchor') return receipt
  }
  throw new Error('the receipt was not sealed')
}

const confirm = ({ key }: { key: string }, receipt_id: string, ledger_txid: string, chain?: string) =>
  service.api.call('POST', '/v1/iso/confirm-anchor', {
    key,
    body: { receipt_id, ledger_txid, ...(chain && { chain }) },
  })

const viaGraphql = async ({ key }: { key: string }, receiptId: string, ledgerTxid: string, chain?: string) =>
  service.api.graphql(
    `mutation ($input: ConfirmAnchorInput!) { confirmAnchor(input: $input) { receipt { id status anchorTx anchors { chain status } } } }`,
    { key, variables: { input: { receiptId, anchorTx: ledgerTxid, ...(chain && { chain }) } } },
  )

/** Returns everything in the stream until it ends, after `anchored`. */
async function stream(id: string) {
  const { text } = await service.api.call('GET', `/v1/iso/events/${id}`)
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))
}

const eventsOf = async (id: string): Promise<string[]> => {
  const { rows } = await service.app.pool.query('select status from events where receipt_id = $1 order by id', [id])
  return rows.map(row => row.status)
}

const eventsOnChain = (anvil: Anvil, hash: string) =>
  anvil.rpc('eth_getLogs', { fromBlock: '0x0', topics: [anchorTopic, hash] })

const noHash = `0x${'12'.repeat(32)}`

describe('a project that anchors by itself', () => {
  let project: Project
  let receipt: Receipt
  let txid: string

  beforeAll(async () => {
    project = await tenant({ name: 'fast' })
    receipt = await sealed(project)
  })

  it('finds its receipt waiting and nothing sent in its place, for longer than the batching window', async () => {
    const platform = await service.api.project('Platform')
    await service.api.anchored((await service.api.record(platform.key)).json.receipt_id)
    await sleep(2_000)
    expect(await read(receipt.id)).toMatchObject({ status: 'awaiting_anchor', ledger_txid: null, anchored_at: null })
    expect(await anchorsOf(receipt.id)).toEqual([])
    expect(await eventsOnChain(fast, receipt.bundle_hash)).toEqual([])
    // The only transaction is that of the other project's receipt: the service could also have sent this one.
    expect(await fast.rpc('eth_getTransactionCount', account(1).address, 'latest')).toBe('0x1')
  })

  it('gets the answer anchored at once, with the transaction and the time of its block', async () => {
    const seen = stream(receipt.id)
    txid = await fast.anchor([receipt.bundle_hash])
    const { status, json } = await confirm(project, receipt.id, txid.toUpperCase().replace('0X', '0x'))
    const anchored = { status: 'anchored', ledger_txid: txid, anchored_at: await fast.timeOf(txid) }
    expect([status, json]).toEqual([200, { receipt_id: receipt.id, ...anchored, flare_txid: txid }])
    expect(await read(receipt.id)).toMatchObject(anchored)
    expect((await seen).map(event => [event.status, event.ledger_txid])).toEqual([
      ['awaiting_anchor', null],
      ['anchored', txid],
    ])
  })

  it('has its anchor listed like any other', async () => {
    const { blockNumber, blockHash } = await fast.rpc('eth_getTransactionReceipt', txid)
    expect(await anchorsOf(receipt.id)).toEqual([
      {
        chain: 'fast',
        txid,
        anchored_at: await fast.timeOf(txid),
        block_number: Number(blockNumber),
        block_hash: blockHash,
        contract: fast.contract,
        finality: 'final',
      },
    ])
  })

  it('has it listed for the agent whose wallet sent it, and for no other', async () => {
    const agentOf = async (anchor_wallet_address: string) => {
      const body = { name: 'Anchorer', wallet_address: '0x1' }
      const { json } = await service.api.call('POST', '/v1/agents', { key: project.key, body })
      const at = `/v1/agents/${json.id}`
      await service.api.call('PUT', `${at}/anchoring-config`, { key: project.key, body: { anchor_wallet_address } })
      return { at, anchors: (await service.api.call('GET', `${at}/anchors`, { key: project.key })).json }
    }
    const own = await agentOf(wallet)
    const { bundle_hash } = receipt
    expect(own.anchors).toMatchObject([{ bundle_hash, anchor_txid: txid, chain: 'fast', status: 'confirmed' }])
    expect((await agentOf(account(6).address)).anchors).toEqual([])
    // In tenant mode the service sends nothing for a project.
    const asked = await service.api.call('POST', `${own.at}/anchor`, { key: project.key, body: { bundle_hash } })
    expect(asked).toMatchObject({ status: 409, json: { detail: 'conflict' } })
  })

  it('gets the messages with the anchor', async () => {
    const types = async () =>
      (await service.api.call('GET', `/v1/iso/messages/${receipt.id}`)).json.map((m: { type: string }) => m.type).sort()
    await expect.poll(types).toEqual(['camt.054', 'pain.001', 'pain.002'])
    expect((await service.api.call('GET', `/files/${receipt.id}/camt054.xml`)).text).toContain(txid)
  })

  it('finds the confirmation in its audit trail', async () => {
    expect(await audit(project, receipt.id)).toEqual(['receipt.record', 'receipt.confirm_anchor', 'receipt.anchor'])
    const { json } = await service.api.call('GET', '/v1/audit/events?action=receipt.confirm_anchor', {
      key: project.key,
    })
    expect(json).toEqual([
      expect.objectContaining({
        actor: expect.stringMatching(/^key:/),
        object_id: receipt.id,
        details: { chain: 'fast', txid },
      }),
    ])
  })

  it('confirms the issuer of its own hash only, when its transaction carries others', async () => {
    const { id, bundle_hash } = await sealed(project)
    const both = await fast.anchor([bundle_hash, noHash])
    expect((await confirm(project, id, both)).json.status).toBe('anchored')
    expect(await verify({ bundle_hash, txid: both })).toMatchObject({ matches_onchain: true, errors: [] })
    const stranger = { bundle_hash: noHash, txid: both }
    expect(await verify(stranger)).toMatchObject({ matches_onchain: true, errors: ['issuer_unchecked'] })
  })

  it('gets its own bundle for a transaction that anchors those of several projects; nobody else does', async () => {
    const other = await tenant({ name: 'fast' })
    const [mine, ...theirs] = await Promise.all([sealed(project), sealed(other), sealed(other)])
    const batch = await fast.anchor([mine, ...theirs].map(one => one?.bundle_hash ?? ''))
    expect((await confirm(project, mine?.id ?? '', batch)).json.status).toBe('anchored')
    const by = async (key?: string) =>
      (await service.api.call('POST', '/v1/iso/verify', { body: { txid: batch }, ...(key && { key }) })).json
    const seen = { matches_onchain: true, ledger_txid: batch }
    expect(await by(project.key)).toMatchObject({ ...seen, bundle_hash: mine?.bundle_hash, errors: [] })
    const unclear = { ...seen, bundle_hash: null, errors: ['bundle_hash_ambiguous'] }
    for (const key of [undefined, other.key, adminKey]) expect(await by(key)).toMatchObject(unclear)
    const { data } = await service.api.graphql(
      `{ verifyEvidence(anchorTx: "${batch}") { matchesOnchain bundleHash errors } }`,
      { key: project.key },
    )
    expect(data.verifyEvidence).toEqual({ matchesOnchain: true, bundleHash: mine?.bundle_hash, errors: [] })
  })

  it('can verify its anchor by each locator', async () => {
    const { bundle_url, bundle_hash } = await read(receipt.id)
    for (const body of [{ bundle_url }, { bundle_hash }, { txid }, { bundle_url, bundle_hash, txid }]) {
      expect(await verify(body)).toEqual({
        matches_onchain: true,
        bundle_hash,
        ledger_txid: txid,
        flare_txid: txid,
        anchored_at: await fast.timeOf(txid),
        errors: [],
      })
    }
  })

  it('may confirm again, also over GraphQL, without any further row', async () => {
    const before = [await eventsOf(receipt.id), await audit(project, receipt.id)]
    expect((await confirm(project, receipt.id, txid)).json).toMatchObject({ status: 'anchored', ledger_txid: txid })
    expect((await viaGraphql(project, receipt.id, txid)).data.confirmAnchor.receipt).toEqual({
      id: receipt.id,
      status: 'ANCHORED',
      anchorTx: txid,
      anchors: [{ chain: 'fast', status: 'FINAL' }],
    })
    expect([await eventsOf(receipt.id), await audit(project, receipt.id)]).toEqual(before)
  })

  it('may confirm the same twenty times at once: one event, one audit row', async () => {
    const another = await sealed(project)
    const sent = await fast.anchor([another.bundle_hash])
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(project, another.id, sent)))
    expect(answers.map(({ status, json }) => [status, json.status])).toEqual(answers.map(() => [200, 'anchored']))
    expect(await eventsOf(another.id)).toEqual(['pending', 'awaiting_anchor', 'anchored'])
    expect(await audit(project, another.id)).toEqual(['receipt.record', 'receipt.confirm_anchor', 'receipt.anchor'])
  })

  it('may anchor several receipts in one transaction, and confirms each of them', async () => {
    const batch = await Promise.all([sealed(project), sealed(project), sealed(project)])
    const sent = await fast.anchor(batch.map(({ bundle_hash }) => bundle_hash))
    const [first, ...others] = batch
    expect((await confirm(project, first?.id ?? '', sent)).json.status).toBe('anchored')
    // The confirmation of one receipt does not apply to the others.
    for (const { id } of others) expect((await read(id)).status).toBe('awaiting_anchor')
    const answers = await Promise.all(others.map(({ id }) => confirm(project, id, sent)))
    expect(answers.map(({ json }) => json.status)).toEqual(['anchored', 'anchored'])
    for (const { id, bundle_hash } of batch) {
      expect(await read(id)).toMatchObject({ status: 'anchored', ledger_txid: sent })
      expect(await verify({ bundle_hash, txid: sent })).toMatchObject({ matches_onchain: true, errors: [] })
      expect(await eventsOf(id)).toEqual(['pending', 'awaiting_anchor', 'anchored'])
    }
  })
})

describe('a transaction that is not mined yet', () => {
  const viaRest = (project: Project, body: object, name: string) =>
    service.api.call('POST', '/v1/iso/confirm-anchor', { key: project.key, body, headers: { 'Idempotency-Key': name } })

  it.each(['ledger_txid', 'flare_txid'])(
    'is refused until it is mined, and then accepted with the same Idempotency-Key, as %s',
    async name => {
      const project = await tenant({ name: 'fast' })
      const { id, bundle_hash } = await sealed(project)
      const graphql = () =>
        service.api.call('POST', '/graphql', {
          key: project.key,
          headers: { 'Idempotency-Key': `graphql-${name}` },
          body: {
            query: `mutation { confirmAnchor(input: { receiptId: "${id}", anchorTx: "${txid}" }) { receipt { status } } }`,
          },
        })
      await fast.rpc('evm_setAutomine', false)
      const data = new Interface(evidenceAnchor.abi).encodeFunctionData('anchorEvidence', [bundle_hash])
      const txid = await fast.rpc('eth_sendTransaction', { from: wallet, to: fast.contract, data })
      const body = { receipt_id: id, [name]: txid }
      const early = await viaRest(project, body, name)
      expect([early.status, early.json.detail, early.headers.get('retry-after')]).toEqual([409, 'tx_not_mined', '5'])
      expect((await graphql()).json.errors[0].extensions.code).toBe('tx_not_mined')
      await fast.rpc('evm_setAutomine', true)
      await fast.mine(1)
      const { status, json } = await viaRest(project, body, name)
      expect([status, json]).toEqual([
        200,
        {
          receipt_id: id,
          status: 'anchored',
          ledger_txid: txid,
          flare_txid: txid,
          anchored_at: await fast.timeOf(txid),
        },
      ])
      expect((await graphql()).json.data).toEqual({ confirmAnchor: { receipt: { status: 'ANCHORED' } } })
    },
  )

  it('is accepted with both names at once, and with the old name beside null in the new one', async () => {
    const project = await tenant({ name: 'fast' })
    for (const txids of [
      (txid: string) => [txid, txid],
      (txid: string) => [null, txid],
      (txid: string) => [txid, null],
    ]) {
      const { id, bundle_hash } = await sealed(project)
      const [ledger_txid, flare_txid] = txids(await fast.anchor([bundle_hash]))
      const { json } = await viaRest(project, { receipt_id: id, ledger_txid, flare_txid }, id)
      expect(json.status).toBe('anchored')
    }
  })
})

describe('a transaction that is no anchor', () => {
  let project: Project
  let receipt: Receipt
  let right: string

  beforeAll(async () => {
    project = await tenant({ name: 'fast' })
    receipt = await sealed(project)
  })

  /** Expects the same refusal over REST and GraphQL. */
  async function refusal(by: { key: string }, id: string, txid: string, chain?: string) {
    const { status, json } = await confirm(by, id, txid, chain)
    const { errors } = await viaGraphql(by, id, txid, chain)
    expect(errors[0].extensions.code).toBe(json.detail)
    return [status, json.detail, json.message]
  }

  it.each<[string, () => Promise<string>, RegExp]>([
    // Out of gas, with the right hash in its call data.
    ['a transaction that failed', () => fast.anchor([receipt.bundle_hash], { gas: '0x5800' }), /failed/],
    [
      'an event of another contract',
      async () => fast.anchor([receipt.bundle_hash], {}, await fast.deploy(evidenceAnchor.bytecode)),
      /no EvidenceAnchored event/,
    ],
    ['a transaction without an event', () => fast.call(wallet, receipt.bundle_hash), /no EvidenceAnchored event/],
    ['another hash', () => fast.anchor([noHash]), /other hashes/],
  ])('is refused: %s', async (_, txid, message) => {
    expect(await refusal(project, receipt.id, await txid())).toEqual([
      400,
      'tx_does_not_match_bundle_hash',
      expect.stringMatching(message),
    ])
  })

  it.each<[string, () => Promise<string>]>([
    ['nobody sent', async () => noHash],
    ['is on another chain of the service', () => slow.anchor([receipt.bundle_hash])],
  ])('reports a transaction that %s as not mined, with Retry-After', async (_, txid) => {
    const sent = await txid()
    expect(await refusal(project, receipt.id, sent)).toEqual([409, 'tx_not_mined', expect.any(String)])
    expect((await confirm(project, receipt.id, sent)).headers.get('retry-after')).toBe('5')
  })

  it('is refused for callers who may not manage the project, and like a missing receipt for other projects', async () => {
    right = await fast.anchor([receipt.bundle_hash])
    const viewer = { key: await service.api.key(project.key, 'viewer') }
    const writer = { key: await service.api.key(project.key, 'project') }
    const stranger = await tenant({ name: 'fast' })
    expect(await refusal(viewer, receipt.id, right)).toEqual([403, 'forbidden', expect.any(String)])
    expect(await refusal(writer, receipt.id, right)).toEqual([403, 'forbidden', expect.any(String)])
    const unknown = await refusal(project, '00000000-0000-4000-8000-000000000000', right)
    expect(unknown).toEqual([404, 'not_found', expect.any(String)])
    expect(await refusal(stranger, receipt.id, right)).toEqual(unknown)
    const body = { receipt_id: receipt.id, flare_txid: right }
    expect((await service.api.call('POST', '/v1/iso/confirm-anchor', { body })).status).toBe(401)
  })

  it('is refused when it is malformed', async () => {
    for (const [id, txid, place] of [
      ['nonsense', noHash, 'receipt_id'],
      [receipt.id, '0x12', 'ledger_txid'],
    ] as const) {
      const { status, json } = await confirm(project, id, txid)
      expect([status, json.detail[0].loc]).toEqual([422, ['body', place]])
    }
  })

  it('is refused with two different values, and without any', async () => {
    const refused = async (txids: object) => {
      const body = { receipt_id: receipt.id, ...txids }
      const { status, json } = await service.api.call('POST', '/v1/iso/confirm-anchor', { key: project.key, body })
      return [status, json.detail.map(({ loc, type }: { loc: unknown; type: string }) => [loc, type])]
    }
    const missing = [422, [[['body', 'ledger_txid'], 'missing']]]
    expect(await refused({})).toEqual(missing)
    expect(await refused({ ledger_txid: noHash, flare_txid: `0x${'34'.repeat(32)}` })).toEqual([
      422,
      [[['body', 'flare_txid'], 'value_error']],
    ])
    expect(await refused({ flare_txid: 12 })).toEqual([422, [[['body', 'flare_txid'], 'string_type']]])
  })

  it('is refused for a chain on which the receipt is not to be anchored', async () => {
    for (const chain of ['slow', 'moon']) {
      expect(await refusal(project, receipt.id, right, chain)).toEqual([400, 'unknown_chain', expect.any(String)])
    }
  })

  it('has changed nothing', async () => {
    expect((await read(receipt.id)).status).toBe('awaiting_anchor')
    expect(await anchorsOf(receipt.id)).toEqual([])
    expect(await audit(project, receipt.id)).toEqual(['receipt.record'])
  })

  it('cannot replace the transaction that anchored the receipt, which an administrator may also confirm', async () => {
    expect((await confirm({ key: adminKey }, receipt.id, right, 'fast')).json.status).toBe('anchored')
    const later = await fast.anchor([receipt.bundle_hash])
    expect(await refusal(project, receipt.id, later)).toEqual([409, 'invalid_status_transition', expect.any(String)])
    expect((await read(receipt.id)).ledger_txid).toBe(right)
  })

  it('of two transactions confirmed at once one counts, and the caller with the other gets a refusal', async () => {
    const other = await sealed(project)
    const sent = [await fast.anchor([other.bundle_hash]), await fast.anchor([other.bundle_hash])]
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => confirm(project, other.id, sent[n % 2] ?? '')),
    )
    const { ledger_txid } = await read(other.id)
    expect(answers.map(({ status }) => status)).toEqual(
      answers.map((_, n) => (sent[n % 2] === ledger_txid ? 200 : 409)),
    )
    expect(await audit(project, other.id)).toEqual(['receipt.record', 'receipt.confirm_anchor', 'receipt.anchor'])
  })

  it('is refused for a receipt that the service anchors, and for one that is not sealed yet', async () => {
    const platform = await service.api.project('Platform')
    const { id, bundle_hash } = await service.api.anchored((await service.api.record(platform.key)).json.receipt_id)
    expect(await refusal(platform, id, await fast.anchor([bundle_hash]))).toEqual([
      409,
      'not_tenant_mode',
      expect.any(String),
    ])
    const release = await holdScreening(service.databaseUrl)
    const pending = (await service.api.record(project.key)).json.receipt_id
    expect(await refusal(project, pending, right)).toEqual([409, 'invalid_status_transition', expect.any(String)])
    await release()
  })
})

describe('a project that anchors on several chains', () => {
  it('names the chain of each transaction; the receipt waits until all are confirmed', async () => {
    const project = await tenant({ name: 'fast' }, { name: 'slow' })
    const { id, bundle_hash } = await sealed(project)
    const first = await fast.anchor([bundle_hash])
    const second = await slow.anchor([bundle_hash])
    await slow.mine(2)
    const { status, json } = await confirm(project, id, first)
    expect([status, json.detail]).toEqual([400, 'chain_required'])
    // A valid transaction, but not on that chain.
    expect((await confirm(project, id, first, 'slow')).json.detail).toBe('tx_not_mined')
    const half = await confirm(project, id, first, 'fast')
    expect(half.json).toMatchObject({ receipt_id: id, status: 'awaiting_anchor', ledger_txid: null, anchored_at: null })
    expect((await confirm(project, id, second, 'slow')).json.status).toBe('anchored')
    expect((await anchorsOf(id)).map((anchor: { chain: string }) => anchor.chain).sort()).toEqual(['fast', 'slow'])
  })
})

type Layout = 'hash' | 'sender' | 'ts'

/** Compiles the event with other fields indexed, as other contracts in use declare it. */
function compile(indexed: readonly Layout[]): string {
  const solc: { compile(input: string): string } = createRequire(import.meta.url)('solc')
  const mark = (field: Layout) => (indexed.includes(field) ? 'indexed' : '')
  const content = `// SPDX-License-Identifier: MIT
    pragma solidity ^0.8.0;
    contract Anchor {
      event EvidenceAnchored(bytes32 ${mark('hash')} bundleHash, address ${mark('sender')} sender, uint256 ${mark('ts')} ts);
      function anchorEvidence(bytes32 hash) external { emit EvidenceAnchored(hash, msg.sender, block.timestamp); }
    }`
  const settings = { evmVersion: 'paris', outputSelection: { '*': { '*': ['evm.bytecode.object'] } } }
  const input = { language: 'Solidity', sources: { anchor: { content } }, settings }
  return `0x${JSON.parse(solc.compile(JSON.stringify(input))).contracts.anchor.Anchor.evm.bytecode.object}`
}

describe('a project’s own contract on a chain of the service', () => {
  it.each<[Layout[]]>([
    [[]],
    [['hash']],
    [['sender']],
    [['ts']],
    [['hash', 'sender']],
    [['sender', 'ts']],
    [['hash', 'sender', 'ts']],
  ])('is accepted with %j indexed, and verifies by every locator', async indexed => {
    const contract = (await fast.deploy(compile(indexed))).toLowerCase()
    const project = await tenant({ name: 'fast', contract })
    const { id, bundle_hash } = await sealed(project)
    // The project configured another contract than the service's.
    const elsewhere = await fast.anchor([bundle_hash])
    expect((await confirm(project, id, elsewhere)).json.detail).toBe('tx_does_not_match_bundle_hash')
    const txid = await fast.anchor([bundle_hash], {}, contract)
    expect((await confirm(project, id, txid)).json).toMatchObject({ status: 'anchored', ledger_txid: txid })
    expect(await anchorsOf(id)).toMatchObject([{ contract, finality: 'final' }])
    const { bundle_url } = await read(id)
    for (const body of [{ txid }, { bundle_hash, txid }, { bundle_url, txid }]) {
      expect(await verify(body)).toMatchObject({ matches_onchain: true, bundle_hash, ledger_txid: txid, errors: [] })
    }
    for (const body of [{ bundle_hash }, { bundle_url }]) {
      expect(await verify(body)).toMatchObject({ matches_onchain: true, bundle_hash, errors: [] })
    }
  })

  it('is found by its transaction, even if other projects confirm the same one on chains of their own', async () => {
    const contract = (await fast.deploy(compile(['sender']))).toLowerCase()
    const project = await tenant({ name: 'fast', contract })
    const stranger = await service.api.project('Stranger')
    const { id, bundle_hash } = await sealed(project)
    const txid = await fast.anchor([bundle_hash], {}, contract)
    await service.app.pool.query(
      `insert into anchor_transactions (id, project_id, chain, contract, txid, created_at)
       select gen_random_uuid(), $1, 'chain ' || n, $2, $3, now() - interval '1 hour' from generate_series(1, 40) n`,
      [stranger.id, fast.contract, txid],
    )
    await confirm(project, id, txid)
    expect(await verify({ txid })).toMatchObject({ matches_onchain: true, bundle_hash, errors: [] })
  })

  it('shares a transaction with another project’s contract, and each counts for its own project', async () => {
    const many = await fast.deploy(aggregator3.bytecode)
    const parts = await Promise.all(
      [1, 2].map(async () => {
        const contract = (await fast.deploy(compile(['sender']))).toLowerCase()
        const project = await tenant({ name: 'fast', contract })
        return { contract, project, receipt: await sealed(project) }
      }),
    )
    const anchor = new Interface(evidenceAnchor.abi)
    const calls = parts.map(({ contract, receipt }) => [
      contract,
      anchor.encodeFunctionData('anchorEvidence', [receipt.bundle_hash]),
    ])
    const data = new Interface(aggregator3.abi).encodeFunctionData('tryAggregate', [true, calls])
    const txid = await fast.call(many, data)
    for (const { contract, project, receipt } of parts) {
      expect((await confirm(project, receipt.id, txid)).json).toMatchObject({ status: 'anchored', ledger_txid: txid })
      expect(await anchorsOf(receipt.id)).toMatchObject([{ contract, finality: 'final' }])
      const { bundle_hash, bundle_url } = await read(receipt.id)
      expect(await verify({ bundle_url, txid })).toMatchObject({ matches_onchain: true, bundle_hash, errors: [] })
    }
  })
})

describe('a chain with finality after three confirmations', () => {
  let project: Project
  beforeAll(async () => {
    project = await tenant({ name: 'slow' })
  })

  const openConfirmations = async () => {
    const { rows } = await service.app.pool.query(
      `select count(*)::int as open from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'confirm'`,
    )
    return rows[0].open
  }

  it('accepts a fresh transaction, reports it as included, and anchors by itself when it is final', async () => {
    const { id, bundle_hash } = await sealed(project)
    const txid = await slow.anchor([bundle_hash])
    const noTxid = { ledger_txid: null, flare_txid: null }
    const waiting = { receipt_id: id, status: 'awaiting_anchor', ...noTxid, anchored_at: null }
    expect((await confirm(project, id, txid)).json).toEqual(waiting)
    const listed = { chain: 'slow', txid, anchored_at: await slow.timeOf(txid) }
    expect(await anchorsOf(id)).toMatchObject([{ ...listed, finality: 'included' }])
    expect(await verify({ bundle_hash })).toMatchObject({ matches_onchain: false, errors: ['not_final'] })
    await slow.mine(1)
    expect((await confirm(project, id, txid)).json).toEqual(waiting)
    await slow.mine(1)
    expect(await service.api.anchored(id)).toMatchObject({ ledger_txid: txid, anchored_at: listed.anchored_at })
    expect(await anchorsOf(id)).toMatchObject([{ ...listed, finality: 'final' }])
    expect(await audit(project, id)).toEqual(['receipt.record', 'receipt.confirm_anchor', 'receipt.anchor'])
    expect(await eventsOf(id)).toEqual(['pending', 'awaiting_anchor', 'anchored'])
  })

  it('accepts a batch from many callers at once while the worker confirms it too, without a failed call', async () => {
    const batch = await Promise.all(Array.from({ length: 6 }, () => sealed(project)))
    const txid = await slow.anchor(batch.map(({ bundle_hash }) => bundle_hash))
    const everyone = () =>
      Promise.all([...batch, ...batch, ...batch.toReversed()].map(({ id }) => confirm(project, id, txid)))
    const statuses = (await everyone()).map(({ status }) => status)
    await slow.mine(2)
    statuses.push(...(await everyone()).map(({ status }) => status))
    expect(new Set(statuses)).toEqual(new Set([200]))
    for (const { id } of batch) {
      await service.api.anchored(id)
      expect(await audit(project, id)).toEqual(['receipt.record', 'receipt.confirm_anchor', 'receipt.anchor'])
    }
  })

  it('keeps a receipt waiting whose transaction a reorg dropped, and accepts another with the same nonce', async () => {
    const { id, bundle_hash } = await sealed(project)
    const nonce = await slow.rpc('eth_getTransactionCount', wallet, 'latest')
    const dropped = await slow.anchor([bundle_hash], { nonce })
    await confirm(project, id, dropped)
    expect(await anchorsOf(id)).toHaveLength(1)
    await slow.rpc('anvil_reorg', 1, [])
    await slow.mine(5)
    await expect.poll(() => anchorsOf(id)).toEqual([])
    expect((await read(id)).status).toBe('awaiting_anchor')
    expect((await confirm(project, id, dropped)).json.detail).toBe('tx_not_mined')
    const faster = await slow.anchor([bundle_hash], {
      nonce,
      maxFeePerGas: '0x12a05f2000',
      maxPriorityFeePerGas: '0x77359400',
    })
    expect(faster).not.toBe(dropped)
    expect((await confirm(project, id, faster)).json.status).toBe('awaiting_anchor')
    await slow.mine(2)
    expect(await service.api.anchored(id)).toMatchObject({ ledger_txid: faster })
    expect(await anchorsOf(id)).toMatchObject([{ txid: faster, finality: 'final' }])
    expect(await verify({ bundle_hash })).toMatchObject({ matches_onchain: true, ledger_txid: faster })
    expect(await eventsOf(id)).toEqual(['pending', 'awaiting_anchor', 'anchored'])
    // The dropped transaction is not queried any more.
    await expect.poll(openConfirmations).toBe(0)
  })
})

/** A node whose answers have the second text of each pair in place of the first; queries are translated back. */
const retold =
  (lies: [string, string][]): Fault =>
  async ({ method, params }, forward) => {
    const put = (text: string, from: 0 | 1) =>
      lies.reduce((told, lie) => told.replaceAll(`"${lie[from]}"`, `"${lie[1 - from]}"`), text)
    const answer = await forward({ method, params: JSON.parse(put(JSON.stringify(params), 1)) })
    return { kind: 'body', body: JSON.parse(put(JSON.stringify(answer), 0)) }
  }

describe('a project’s own chain', () => {
  let project: Project
  beforeAll(async () => {
    project = await tenant({ ...ownChain(), explorer_base_url: 'https://explorer.example/' })
  })

  it('anchors the project’s receipt after twelve confirmations, and links to its explorer', async () => {
    const { id, bundle_hash } = await sealed(project)
    const txid = await own.anchor([bundle_hash])
    await own.mine(10)
    expect((await confirm(project, id, txid)).json.status).toBe('awaiting_anchor')
    expect(await anchorsOf(id)).toMatchObject([{ chain: 'mine', txid, finality: 'included' }])
    await own.mine(1)
    expect(await service.api.anchored(id)).toMatchObject({ ledger_txid: txid, anchored_at: await own.timeOf(txid) })
    const { data } = await service.api.graphql('query ($id: ID!) { receipt(id: $id) { anchors { explorerUrl } } }', {
      variables: { id },
    })
    expect(data.receipt.anchors).toEqual([{ explorerUrl: `https://explorer.example/tx/${txid}` }])
  })

  it('is not trusted: verification reports that only the project’s node can confirm the anchor', async () => {
    const { id, bundle_hash } = await sealed(project)
    const txid = await own.anchor([bundle_hash])
    await own.mine(11)
    expect((await confirm(project, id, txid)).json).toMatchObject({ status: 'anchored', ledger_txid: txid })
    const { bundle_url } = await read(id)
    for (const body of [{ bundle_url }, { bundle_hash }, { txid }, { bundle_url, bundle_hash, txid }]) {
      expect(await verify(body)).toMatchObject({
        matches_onchain: false,
        ledger_txid: null,
        anchored_at: null,
        errors: ['chain_not_served'],
      })
    }
    const { data } = await service.api.graphql(
      'query ($hash: Hash32!) { verifyEvidence(bundleHash: $hash) { matchesOnchain checks { code status detail } } }',
      { variables: { hash: bundle_hash } },
    )
    expect(data.verifyEvidence.matchesOnchain).toBe(false)
    expect(data.verifyEvidence.checks).toContainEqual({
      code: 'chain_not_served',
      status: 'FAILED',
      detail: 'Only the node of a project serves mine: query a node you trust.',
    })
    // A second anchor on a chain of the service proves the receipt.
    const ours = await fast.anchor([bundle_hash])
    const proven = { matches_onchain: true, ledger_txid: ours }
    expect(await verify({ bundle_url })).toMatchObject({ ...proven, errors: [] })
    // No project confirmed that anchor to the service, and any account can create an anchor.
    expect(await verify({ bundle_hash })).toMatchObject({ ...proven, errors: ['issuer_unchecked'] })
    expect(await verify({ txid: ours })).toMatchObject({ ...proven, errors: ['issuer_unchecked'] })
  })

  it('a node that is down is reported as unavailable, and nothing has changed', async () => {
    const { id, bundle_hash } = await sealed(project)
    const txid = await own.anchor([bundle_hash])
    await own.mine(11)
    node.fault = faults.resetBefore
    const { status, json, headers } = await confirm(project, id, txid)
    expect([status, json.detail]).toEqual([503, 'anchor_lookup_unavailable'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await viaGraphql(project, id, txid)).errors[0].extensions.code).toBe('anchor_lookup_unavailable')
    // The node's URL may contain a secret.
    expect(JSON.stringify(json)).not.toContain(new URL(node.url).port)
    expect(await audit(project, id)).toEqual(['receipt.record'])
    node.fault = null
    expect((await confirm(project, id, txid)).json.status).toBe('anchored')
  })

  it('whose block with the anchor is lost: the receipt waits again, but not while the node is silent', async () => {
    const { pool } = service.app
    const { id, bundle_hash } = await sealed(project)
    const snapshot = await own.rpc('evm_snapshot')
    const txid = await own.anchor([bundle_hash])
    await own.mine(11)
    expect((await confirm(project, id, txid)).json.status).toBe('anchored')
    await own.rpc('evm_revert', snapshot)
    await own.mine(20)
    const provedAgain = async () => {
      await pool.query(`update anchor_transactions set proved_at = now() - interval '2 days' where txid = $1`, [txid])
      await reproveNext(service.app)
      const jobs = `select from graphile_worker.jobs where task_identifier = 'reprove'`
      await expect.poll(async () => (await pool.query(jobs)).rowCount).toBe(0)
    }
    node.fault = faults.resetBefore
    await provedAgain()
    expect(await read(id)).toMatchObject({ status: 'anchored', ledger_txid: txid })
    node.fault = null
    await provedAgain()
    expect(await read(id)).toMatchObject({ status: 'awaiting_anchor', ledger_txid: null, anchored_at: null })
    expect(await audit(project, id)).toContain('receipt.anchor_lost')
    const again = await own.anchor([bundle_hash], { gasPrice: '0x174876e800' })
    await own.mine(11)
    expect((await confirm(project, id, again)).json).toMatchObject({ status: 'anchored', ledger_txid: again })
    expect(again).not.toBe(txid)
  })

  it('a node that lies can anchor only receipts of its own project', async () => {
    const liar = await tenant(ownChain())
    const platform = await service.api.project('Platform')
    const [mine, spared] = [await sealed(liar), await sealed(liar)]
    const victims = [await sealed(project), await sealed(await tenant({ name: 'fast' }))]
    const anchored = await service.api.anchored((await service.api.record(platform.key)).json.receipt_id)
    const everything = await own.anchor([mine, spared, ...victims].map(({ bundle_hash }) => bundle_hash))
    await own.mine(11)
    // Returns the transaction that really anchored another project's receipt, as if it had carried all of these hashes.
    node.fault = retold([[everything, anchored.ledger_txid]])
    expect((await confirm(liar, mine.id, anchored.ledger_txid)).json.status).toBe('anchored')
    for (const { id } of victims) expect((await confirm(liar, id, anchored.ledger_txid)).status).toBe(404)
    node.fault = null
    for (const { id } of [spared, ...victims]) {
      expect((await read(id)).status).toBe('awaiting_anchor')
      expect(await anchorsOf(id)).toEqual([])
    }
    for (const { bundle_hash } of victims) {
      expect(await verify({ bundle_hash })).toMatchObject({ matches_onchain: false, errors: ['anchor_not_found'] })
    }
    expect(await verify({ bundle_hash: mine.bundle_hash })).toMatchObject({
      matches_onchain: false,
      errors: ['chain_not_served'],
    })
    expect(await verify({ txid: anchored.ledger_txid })).toMatchObject({
      matches_onchain: true,
      bundle_hash: anchored.bundle_hash,
      errors: [],
    })
  })

  it('a transaction without its event at finality anchors nothing, and the receipt waits for another', async () => {
    const { id, bundle_hash } = await sealed(project)
    const txid = await own.anchor([bundle_hash])
    expect((await confirm(project, id, txid)).json.status).toBe('awaiting_anchor')
    node.fault = retold([[bundle_hash, noHash]])
    await own.mine(11)
    await expect.poll(() => anchorsOf(id)).toEqual([])
    expect(await read(id)).toMatchObject({ status: 'awaiting_anchor', ledger_txid: null })
    node.fault = null
    expect((await confirm(project, id, txid)).json.status).toBe('anchored')
  })

  it('an impossible block number is refused, and the evidence of others is still proved again', async () => {
    const { id, bundle_hash } = await sealed(project)
    const txid = await own.anchor([bundle_hash])
    const { blockNumber } = await own.rpc('eth_getTransactionReceipt', txid)
    await own.mine(11)
    node.fault = retold([
      [blockNumber, '0xffffffff00'],
      [await own.rpc('eth_blockNumber'), '0xffffffffff'],
    ])
    const { status, json } = await confirm(project, id, txid)
    expect([status, json.detail]).toEqual([503, 'anchor_lookup_unavailable'])
    node.fault = null
    await reproveNext(service.app)
    expect((await service.api.call('GET', `/v1/anchors/${id}`)).status).toBe(200)
  })

  it('nodes that hang delay no other project', async () => {
    const waiting = await Promise.all(Array.from({ length: 12 }, () => sealed(project)))
    for (const { id, bundle_hash } of waiting) await confirm(project, id, await own.anchor([bundle_hash]))
    node.fault = faults.hangBefore
    await expect.poll(() => node.hanging).toBeGreaterThan(0)
    // Long enough for the worker to have claimed every one of them.
    await sleep(2_000)
    const platform = await service.api.project('Platform')
    const { json } = await service.api.record(platform.key)
    await service.api.anchored(json.receipt_id, 5_000)
    node.fault = null
    node.release()
    await own.mine(12)
    for (const { id } of waiting) await service.api.anchored(id)
  })
})

describe('a project that switches anchoring to the service', () => {
  it('still anchors its waiting receipts itself; the service anchors new receipts', async () => {
    const project = await tenant({ name: 'fast' })
    const { id, bundle_hash } = await sealed(project)
    await configure(project, 'platform', [])
    const next = await service.api.anchored((await service.api.record(project.key)).json.receipt_id)
    const { from } = await fast.rpc('eth_getTransactionReceipt', next.ledger_txid)
    expect(from).toBe(account(1).address.toLowerCase())
    expect(await eventsOnChain(fast, bundle_hash)).toEqual([])
    expect((await read(id)).status).toBe('awaiting_anchor')
    const txid = await fast.anchor([bundle_hash])
    expect((await confirm(project, id, txid)).json).toMatchObject({ status: 'anchored', ledger_txid: txid })
  })
})
