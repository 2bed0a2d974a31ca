// Several chains: who chooses the chains of a receipt, when it counts as anchored, and what works while one chain is
// down.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anchorTopic } from '../../src/adapters/anchor-log.ts'
import { StartError } from '../../src/embedded/start-error.ts'
import { account, startAnvil } from '../kit/anvil.ts'
import { holdScreening } from '../kit/held-screening.ts'
import { faults } from '../kit/rpc-faults.ts'
import { startRpcProxy } from '../kit/rpc-proxy.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

type ProxiedAnvil = Awaited<ReturnType<typeof startProxied>>

/** Starts a chain that the service queries through a proxy, which can be down. */
async function startProxied(chainId: number) {
  const anvil = await startAnvil(chainId)
  const node = await startRpcProxy(anvil.url)
  return {
    ...anvil,
    node,
    newest: async () => Number((await anvil.rpc('eth_getBlockByNumber', 'latest', false)).timestamp),
    events: (hash: string) => anvil.rpc('eth_getLogs', { fromBlock: '0x0', topics: [anchorTopic, hash] }),
    async stop() {
      await node.stop()
      await anvil.stop()
    },
  }
}

let folder: string
/** A chain with immediate finality. */
let first: ProxiedAnvil
/**
 * A chain with finality after three confirmations. Its clock is far behind the other's, so that its blocks are the
 * earlier ones.
 */
let second: ProxiedAnvil
let service: Service
let project: { id: string; key: string }

const entry = (name: string, { node, contract, caip2 }: ProxiedAnvil, confirmations: number) => ({
  name,
  caip2,
  rpc_urls: [node.url],
  contract,
  finality: { confirmations },
})

async function fileOf(name: string, chains: object[]): Promise<string> {
  const file = join(folder, `${name}.json`)
  await writeFile(file, JSON.stringify(chains))
  return file
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-chains-'))
  ;[first, second] = await Promise.all([startProxied(31_411), startProxied(31_412)])
  await first.rpc('evm_increaseTime', 1_000)
  service = await startService({
    CHAINS_FILE: await fileOf('chains', [
      { ...entry('first', first, 1), explorer_base_url: 'https://first.example/' },
      { ...entry('second', second, 3), deployed_at_block: 1 },
    ]),
    ANCHOR_PRIVATE_KEY: account(1).privateKey,
    // Chains that are down are part of this test.
    LOG_LEVEL: 'silent',
  })
  project = await service.api.project()
})
afterAll(async () => {
  await service?.stop()
  await Promise.all([first, second].map(anvil => anvil?.stop()))
  await rm(folder, { recursive: true, force: true })
})

const organisation = (chains: string[]) =>
  service.api.call('PUT', '/v1/config', { key: adminKey, body: { anchoring: { chains } } })
const configure = ({ id, key }: typeof project, execution_mode: 'platform' | 'tenant', chains: string[]) =>
  service.api.call('PUT', `/v1/projects/${id}/config`, {
    key,
    body: { anchoring: { execution_mode, chains: chains.map(name => ({ name })) } },
  })

type Anchor = { chain: string; txid: string; anchored_at: string; finality: string }

const read = async (id: string) => (await service.api.call('GET', `/v1/iso/receipts/${id}`)).json
const anchorsOf = async (id: string): Promise<Anchor[]> => (await service.api.call('GET', `/v1/anchors/${id}`)).json
const finalities = async (id: string) =>
  Object.fromEntries((await anchorsOf(id)).map(({ chain, finality }) => [chain, finality]))
const verify = async (body: object) => (await service.api.call('POST', '/v1/iso/verify', { body })).json
const record = async ({ key } = project): Promise<string> => (await service.api.record(key)).json.receipt_id

/** Mines until the receipt is final on every chain. */
async function anchored(id: string) {
  const waiting = service.api.anchored(id)
  const timer = setInterval(() => void second.mine(1), 300)
  return waiting.finally(() => clearInterval(timer))
}

/** Retries every delayed job now. */
const retry = () =>
  service.app.pool.query(
    'update graphile_worker._private_jobs set run_at = now() where locked_at is null and attempts > 0',
  )

it('by default a receipt is anchored on the first chain alone', async () => {
  const { id, bundle_hash, ledger_txid } = await service.api.anchored(await record())
  expect(await anchorsOf(id)).toMatchObject([{ chain: 'first', txid: ledger_txid, finality: 'final' }])
  expect(await second.events(bundle_hash)).toEqual([])
})

it('the chains and their finality policies can be read without a key', async () => {
  const { json } = await service.api.call('GET', '/.well-known/evidence-keys.json')
  expect(json.chains).toEqual([
    {
      name: 'first',
      caip2: 'eip155:31411',
      contract: first.contract,
      finality: '1 confirmations',
      deployed_at_block: 0,
      explorer_base_url: 'https://first.example',
    },
    {
      name: 'second',
      caip2: 'eip155:31412',
      contract: second.contract,
      finality: '3 confirmations',
      deployed_at_block: 1,
      explorer_base_url: null,
    },
  ])
})

it('an unknown chain is refused with its position, for organisation and project alike', async () => {
  const ours = await organisation(['first', 'moon'])
  expect([ours.status, ours.json.detail[0].loc]).toEqual([422, ['body', 'anchoring', 'chains', 1]])
  const theirs = await configure(project, 'platform', ['second', 'moon'])
  expect([theirs.status, theirs.json.detail[0].loc]).toEqual([422, ['body', 'anchoring', 'chains', 1, 'name']])
  expect((await service.api.call('GET', '/v1/config', { key: project.key })).json.anchoring).toEqual({ chains: [] })
})

describe('an organisation that anchors on both', () => {
  let early: string
  beforeAll(async () => {
    // Recorded before the configuration changes, sealed after.
    const release = await holdScreening(service.databaseUrl)
    early = await record()
    expect((await organisation(['first', 'second'])).status).toBe(200)
    await release()
  })

  it('leaves receipts recorded before the change on their original chain', async () => {
    const { bundle_hash } = await service.api.anchored(early)
    expect((await anchorsOf(early)).map(({ chain }) => chain)).toEqual(['first'])
    expect(await second.events(bundle_hash)).toEqual([])
  })

  it('has a receipt anchored when it is final on both, with the time of the earlier block', async () => {
    const id = await record()
    await expect.poll(() => finalities(id)).toEqual({ first: 'final', second: 'included' })
    await sleep(500)
    expect(await read(id)).toMatchObject({ status: 'awaiting_anchor', ledger_txid: null, anchored_at: null })
    await second.mine(2)
    const receipt = await service.api.anchored(id)
    const anchors = await anchorsOf(id)
    expect(anchors.map(({ chain, finality }) => [chain, finality]).sort()).toEqual([
      ['first', 'final'],
      ['second', 'final'],
    ])
    const [late, early] = anchors.toSorted((a, b) => (a.chain < b.chain ? -1 : 1))
    expect([late?.anchored_at, early?.anchored_at]).toEqual([
      await first.timeOf(late?.txid ?? ''),
      await second.timeOf(early?.txid ?? ''),
    ])
    expect(receipt).toMatchObject({ ledger_txid: early?.txid, anchored_at: early?.anchored_at })
    const notification = async () => (await service.api.call('GET', `/files/${id}/camt054.xml`)).text
    await expect.poll(notification).toContain(`in transaction ${early?.txid} on second`)
  })

  it('is overridden by a project with its own chains', async () => {
    const chosen = async (name: string) => {
      const other = await service.api.project('Other')
      expect((await configure(other, 'platform', [name])).status).toBe(200)
      const receipt = await anchored(await record(other))
      const events = [await first.events(receipt.bundle_hash), await second.events(receipt.bundle_hash)]
      return [await finalities(receipt.id), events.map(({ length }) => length)]
    }
    expect(await Promise.all([chosen('first'), chosen('second')])).toEqual([
      [{ first: 'final' }, [1, 0]],
      [{ second: 'final' }, [0, 1]],
    ])
  })

  it('many receipts that become final on both chains at the same moment are all anchored', async () => {
    const database = new pg.Client({ connectionString: service.databaseUrl })
    await database.connect()
    await first.rpc('evm_setAutomine', false)
    const ids = await Promise.all(Array.from({ length: 40 }, () => record()))
    const open = async () =>
      (
        await service.app.pool.query(
          `select a.chain, count(*)::int as sent from anchors a join receipts r on r.id = a.receipt_id
           where r.id = any($1::uuid[]) and a.state = 'sent' group by a.chain order by a.chain`,
          [ids],
        )
      ).rows
    await expect.poll(open).toEqual([
      { chain: 'first', sent: 40 },
      { chain: 'second', sent: 40 },
    ])
    // Holds both transactions until they are about to write and releases them together, so that neither sees the
    // other's write.
    await database.query('begin')
    await database.query('select from anchors where receipt_id = any($1::uuid[]) for update', [ids])
    await first.rpc('evm_setAutomine', true)
    await Promise.all([first.mine(1), second.mine(2)])
    const waiting = async () => {
      const { rows } = await service.app.pool.query(
        `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows[0].waiting
    }
    for (const until = Date.now() + 4_000; Date.now() < until && (await waiting()) < 2; ) await sleep(20)
    await database.query('rollback')
    await database.end()
    const stuck = async () => (await Promise.all(ids.map(read))).filter(({ status }) => status !== 'anchored').length
    await expect.poll(stuck).toBe(0)
  })
})

describe('while one of the chains is down', () => {
  let whole: { id: string; bundle_hash: string; bundle_url: string; txids: Record<string, string> }
  beforeAll(async () => {
    const { id, bundle_hash, bundle_url } = await anchored(await record())
    const txids = Object.fromEntries((await anchorsOf(id)).map(({ chain, txid }) => [chain, txid]))
    whole = { id, bundle_hash, bundle_url, txids }
  })
  const away = (anvil: ProxiedAnvil) => {
    anvil.node.fault = faults.resetBefore
  }
  afterEach(() => {
    for (const { node } of [first, second]) node.fault = null
  })

  it('evidence verifies by each transaction and by hash when both are up', async () => {
    const { bundle_hash, bundle_url, txids } = whole
    for (const [chain, txid] of Object.entries(txids)) {
      const anchored_at = await (chain === 'first' ? first : second).timeOf(txid)
      const proof = { matches_onchain: true, bundle_hash, ledger_txid: txid, flare_txid: txid, anchored_at, errors: [] }
      expect(await verify({ txid })).toEqual(proof)
      expect(await verify({ txid, bundle_url, bundle_hash })).toEqual(proof)
    }
    // The earlier transaction, as in the receipt.
    const { ledger_txid } = await read(whole.id)
    expect(ledger_txid).toBe(txids.second)
    expect(await verify({ bundle_hash })).toMatchObject({ matches_onchain: true, ledger_txid, errors: [] })
  })

  it.each(['first', 'second'])('evidence verifies on the other chain when %s is down', async name => {
    const [gone, other] = name === 'first' ? ['first', 'second'] : ['second', 'first']
    away(name === 'first' ? first : second)
    const { bundle_hash, bundle_url, txids } = whole
    for (const body of [{ bundle_hash }, { bundle_url }, { txid: txids[other ?? ''] }]) {
      expect(await verify(body)).toMatchObject({ matches_onchain: true, ledger_txid: txids[other ?? ''], errors: [] })
    }
    const { data } = await service.api.graphql(
      'query ($hash: Hash32!) { verifyEvidence(bundleHash: $hash) { checks { code status detail } } }',
      { variables: { hash: bundle_hash } },
    )
    expect(data.verifyEvidence.checks).toContainEqual({
      code: 'chain_unavailable',
      status: 'PASSED',
      detail: `No answer that can be believed from ${gone}. Another chain proves it.`,
    })
    // A transaction on the chain that is down is reported as unavailable.
    expect(await verify({ txid: txids[gone ?? ''] })).toMatchObject({
      matches_onchain: false,
      errors: ['chain_unavailable'],
    })
  })

  it('an anchor that only the unavailable chain could have is not reported as absent', async () => {
    away(second)
    expect((await verify({ bundle_hash: `0x${'12'.repeat(32)}` })).errors).toEqual(['chain_unavailable'])
  })

  it('a receipt that needs both chains waits for the one that is down, and is anchored when it is back', async () => {
    away(second)
    const id = await record()
    await expect.poll(() => finalities(id)).toEqual({ first: 'final' })
    await sleep(1_500)
    expect(await read(id)).toMatchObject({ status: 'awaiting_anchor', ledger_txid: null })
    second.node.fault = null
    await retry()
    await anchored(id)
    expect(await finalities(id)).toEqual({ first: 'final', second: 'final' })
    const { bundle_hash } = await read(id)
    for (const anvil of [first, second]) expect(await anvil.events(bundle_hash)).toHaveLength(1)
  })

  it('a receipt that needs only the other chain is anchored without delay', async () => {
    away(second)
    const other = await service.api.project('Other')
    await configure(other, 'platform', ['first'])
    await service.api.anchored(await record(other), 5_000)
    second.node.fault = null
    await retry()
  })
})

describe('at the start', () => {
  const begin = async (...chains: object[]) =>
    startService({ CHAINS_FILE: await fileOf('start', chains), LOG_LEVEL: 'silent' })
  const refusal = async (...chains: object[]) => {
    const started = begin(...chains)
    const error: unknown = await started.catch((thrown: unknown) => thrown)
    if (!(error instanceof Error)) await (await started).stop()
    expect(error).toBeInstanceOf(StartError)
    return error instanceof StartError ? error.message : ''
  }
  const wrongId = () => ({ ...entry('second', second, 3), caip2: 'eip155:14' })
  const nowhere = `0x${'12'.repeat(20)}`
  const noContract = () => ({ ...entry('second', second, 3), contract: nowhere })

  it('a node that serves another chain is reported in one sentence', async () => {
    const sentence = 'A node configured for chain second serves eip155:31412, not eip155:14.'
    expect(await refusal(wrongId())).toBe(sentence)
    expect(await refusal(entry('first', first, 1), wrongId())).toBe(sentence)
  })

  it('a chain without the contract is reported in one sentence', async () => {
    const sentence = `There is no contract at ${nowhere} on chain second.`
    expect(await refusal(noContract())).toBe(sentence)
    expect(await refusal(entry('first', first, 1), noContract())).toBe(sentence)
  })

  it('an unreachable node does not prevent the start, and its chain works once it is up', async () => {
    second.node.fault = faults.resetBefore
    const other = await begin(entry('second', second, 3))
    try {
      const txid = await second.anchor([`0x${'34'.repeat(32)}`])
      await second.mine(2)
      const ask = async () => (await other.api.call('POST', '/v1/iso/verify', { body: { txid } })).json
      expect(await ask()).toMatchObject({ matches_onchain: false, errors: ['chain_unavailable'] })
      second.node.fault = null
      // An unknown account sent it: a transaction alone proves only that it exists.
      expect(await ask()).toMatchObject({ matches_onchain: true, errors: ['issuer_unchecked'] })
    } finally {
      second.node.fault = null
      await other.stop()
    }
  })
})

describe('two blocks with the same timestamp', () => {
  let tenant: typeof project
  beforeEach(async () => {
    tenant = await service.api.project('Tenant')
    await configure(tenant, 'tenant', ['first', 'second'])
  })

  it('are ordered alike by receipt and verification, whichever was confirmed first', async () => {
    const id = await record(tenant)
    await expect.poll(async () => (await read(id)).status).toBe('awaiting_anchor')
    const { bundle_hash } = await read(id)
    const at = Math.max(await first.newest(), await second.newest()) + 10
    await Promise.all([first, second].map(({ rpc }) => rpc('evm_setNextBlockTimestamp', at)))
    const sent = [
      { chain: 'first', ledger_txid: await first.anchor([bundle_hash]) },
      { chain: 'second', ledger_txid: await second.anchor([bundle_hash]) },
    ]
    await second.mine(2)
    const [lower, higher] = sent.toSorted((a, b) => (a.ledger_txid < b.ledger_txid ? -1 : 1))
    for (const told of [higher, lower]) {
      const body = { receipt_id: id, ...told }
      expect((await service.api.call('POST', '/v1/iso/confirm-anchor', { key: tenant.key, body })).status).toBe(200)
    }
    const same = { ledger_txid: lower?.ledger_txid, anchored_at: new Date(at * 1000).toISOString() }
    expect(await read(id)).toMatchObject({ status: 'anchored', ...same })
    expect(await verify({ bundle_hash })).toMatchObject({ matches_onchain: true, ...same })
  })
})
