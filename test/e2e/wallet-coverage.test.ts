// The transfers of a wallet are compared with receipts: a token on a real chain behind three nodes, which hide, invent,
// limit and fail.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Wallet } from 'ethers'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { z } from 'zod'
import { cleanCoverages } from '../../src/modules/wallet-coverage/clean.ts'
import { coverWallet } from '../../src/modules/wallet-coverage/tasks.ts'
import { startChild } from '../kit/child.ts'
import { random32 } from '../kit/payer.ts'
import { narrowLogs, refused } from '../kit/rpc-faults.ts'
import { type Fault, type RpcProxy, startRpcProxy } from '../kit/rpc-proxy.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { isFull, it, onlyInFull, proof, sized } from '../kit/size.ts'
import { type Leg, startTokenChain, type TokenChain, unlocked } from '../kit/token-chain.ts'

const hour = 3_600_000
const began = Date.now() - 48 * hour
const caip2 = 'eip155:31338'

let chain: TokenChain
let nodes: RpcProxy[]
let folder: string
let service: Service
let shop: { id: string; key: string }
let other: { id: string; key: string }

beforeAll(async () => {
  chain = await startTokenChain(31_338, new Date(began))
  nodes = await Promise.all([1, 2, 3].map(() => startRpcProxy(chain.url)))
  folder = await mkdtemp(join(tmpdir(), 'quittance-coverage-'))
  const file = join(folder, 'chains.json')
  const rpcUrls = nodes.map(({ url }) => url)
  const entry = { name: 'Shop chain', caip2, rpc_urls: rpcUrls, quorum: 2, finality: { confirmations: 2 } }
  await writeFile(file, JSON.stringify([entry]))
  service = await startService({ PAYMENT_CHAINS_FILE: file })
  shop = await service.api.project('Shop')
  other = await service.api.project('Other')
  const { errors } = await service.api.graphql(
    `mutation ($assets: [SettlementAssetInput!]!) { configureSettlement(input: { policy: OFF, assets: $assets }) { organisation { settlement { policy } } } }`,
    {
      key: adminKey,
      variables: {
        assets: [
          ...['SHOP', 'SHOP-2'].map(label => ({ label, caip19: `${caip2}/erc20:${chain.token}`, decimals: 6 })),
          { label: 'ETH', caip19: `${caip2}/slip44:60`, decimals: 18 },
        ],
      },
    },
  )
  expect(errors).toBeUndefined()
})
afterAll(async () => {
  await service?.stop()
  await Promise.all(nodes.map(node => node.stop()))
  await chain?.stop()
  await rm(folder, { recursive: true, force: true })
})
afterEach(async () => {
  for (const node of nodes) {
    node.fault = null
    node.release()
  }
  // A test that failed must not fail those behind it.
  await service.app.pool.query('update wallet_coverages set failed_at = now() where finished_at is null')
})

const someone = () => Wallet.createRandom().address.toLowerCase()
const decimal = (units: bigint) => String(Number(units) / 1_000_000)

type Stated = Pick<Leg, 'hash' | 'from' | 'to' | 'units'> & { leg?: number; label?: string; at?: Date }

/** Stores receipts as if they were recorded, one after the other, a minute after this time or at their own. */
async function record(project: { id: string }, stated: readonly Stated[], at: Date): Promise<string[]> {
  const { rows } = await service.app.pool.query<{ id: string }>(
    `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet,
       chain_key, tx_key, sender_key, receiver_key, reference, status, created_at)
     select gen_random_uuid(), $1::uuid, tx, 'Shop chain', amount, label, sender, receiver, $2, tx, sender, receiver,
       gen_random_uuid()::text, 'anchored', at
     from unnest($3::text[], $4::numeric[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
       as stated(tx, amount, label, sender, receiver, at) returning id`,
    [
      project.id,
      caip2,
      stated.map(({ hash, leg }) => (leg === undefined ? hash : `${hash}#${leg}`)),
      stated.map(({ units }) => decimal(units)),
      stated.map(({ label = 'SHOP' }) => label),
      stated.map(({ from }) => from),
      stated.map(({ to }) => to),
      stated.map((one, n) => one.at ?? new Date(at.getTime() + 60_000 + n)),
    ],
  )
  return rows.map(({ id }) => id)
}

const facts = `id status fromBlock toBlock nextBlock asOf assetId network recordedCount recordedAmount missingCount
  missingAmount unknownCount unknownAmount nodesDisagreed chainBalance recordedBalance balanceDifference failureReason`
const rows = 'status transaction transferIndex blockNumber time senderWallet receiverWallet amount receipt { id }'

async function start(key: string, input: object) {
  const range = { since: new Date(began).toISOString(), chain: 'Shop chain', currency: 'SHOP' }
  const { data, errors } = await service.api.graphql(
    `mutation ($input: StartWalletCoverageInput!) { startWalletCoverage(input: $input) { walletCoverage { ${facts} } } }`,
    { key, variables: { input: { ...range, ...input } } },
  )
  return { of: data?.startWalletCoverage?.walletCoverage, errors }
}

async function read(key: string, id: string) {
  const { data, errors } = await service.api.graphql(
    `query ($id: ID!) { walletCoverage(id: $id) { ${facts} transfers(first: 200) { totalCount nodes { ${rows} } } } }`,
    { key, variables: { id } },
  )
  expect(errors).toBeUndefined()
  return data.walletCoverage
}

async function ended(key: string, id: string, patienceMs = 60_000) {
  for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(50)) {
    const of = await read(key, id)
    if (['DONE', 'FAILED'].includes(of.status)) return of
  }
  throw new Error(`it was not ended: ${JSON.stringify(await read(key, id))}`)
}

async function covered(key: string, input: object) {
  const { of, errors } = await start(key, input)
  expect(errors).toBeUndefined()
  return ended(key, of.id)
}

/** Makes the blocks before final, and lets the chain go on from this time. */
async function close(at: Date) {
  await chain.next(at)
  await chain.mine(3)
}

const logs = z.array(z.looseObject({ transactionHash: z.string(), logIndex: z.string() }))
/** Changes the logs that a node returns. */
const withLogs =
  (change: (found: z.infer<typeof logs>) => unknown[]): Fault =>
  async ({ method }, forward) => {
    if (method !== 'eth_getLogs') return { kind: 'honest' }
    const { success, data } = z.object({ result: logs }).safeParse(await forward())
    return success ? { kind: 'body', body: { jsonrpc: '2.0', result: change(data.result) } } : { kind: 'honest' }
  }

const searched = (node: RpcProxy) =>
  node.requests
    .filter(({ method }) => method === 'eth_getLogs')
    .map(({ params }) => z.object({ fromBlock: z.string(), toBlock: z.string() }).parse(params[0]))

describe('a small case', () => {
  const wallet = unlocked(6)
  const customer = someone()
  const at = (minutes: number) => new Date(began + hour + minutes * 60_000)
  let first: Leg[] = []
  let three: Leg[] = []
  let wrong: Leg[] = []
  let sent: Leg
  let unsent: Leg
  let self: Leg
  let ids: Record<string, string | undefined> = {}

  beforeAll(async () => {
    if (isFull) return
    await chain.next(at(0))
    const [before] = await chain.pay([{ to: wallet, units: 1_000_000n }])
    await chain.next(at(10))
    first = await chain.pay([{ to: wallet, units: 10_000_000n }])
    three = await chain.pay([5_000_000n, 5_000_000n, 7_000_000n].map(units => ({ to: wallet, units })))
    wrong = await chain.pay([{ to: wallet, units: 4_000_000n }])
    sent = await chain.send(wallet, { to: customer, units: 3_000_000n })
    unsent = await chain.send(wallet, { to: customer, units: 2_000_000n })
    self = await chain.send(wallet, { to: wallet, units: 1_000_000n })
    await chain.pay([{ to: customer, units: 9_000_000n }])
    await chain.pay([{ to: wallet, units: 8_000_000n }], (await chain.deployToken()).toLowerCase())
    await chain.next(at(30))
    const [after] = await chain.pay([{ to: wallet, units: 500_000n }])
    await close(at(40))
    if (!first[0] || !three[0] || !wrong[0] || !before || !after) throw new Error('nothing was paid')
    const made = await record(
      shop,
      [
        before,
        { ...first[0], label: 'SHOP-2' },
        // Two transfers are alike: one receipt names its own, and the other names none.
        three[0],
        { ...three[0], leg: three[0].index },
        { ...wrong[0], units: 40_000_000n },
        sent,
        { ...first[0], hash: random32() },
        // Once more, with the transfer's name, which counts before the one without.
        { ...first[0], leg: first[0].index },
        { ...after, at: at(31) },
        { ...first[0], hash: random32(), label: 'OTHER' },
      ],
      at(11),
    )
    await service.app.pool.query(`update receipts set created_at = $2 where id = $1`, [made[0], at(1)])
    ids = { wrong: made[4], madeUp: made[6], twice: made[1] }
    // A refund that is only announced, one that failed, and one that another stands for state nothing.
    const [announced, failed, counted] = await record(
      shop,
      [1, 2, 3].map(() => ({ ...sent, hash: random32() })),
      at(11),
    )
    await service.app.pool.query('update receipts set refund_of_id = $2 where id = $1', [announced, made[1]])
    await service.app.pool.query(`update receipts set status = 'failed' where id = $1`, [failed])
    await service.app.pool.query('update receipts set counted_as_id = $2 where id = $1', [counted, made[5]])
    await record(other, [{ ...three[0], leg: three[2]?.index ?? 0, units: 7_000_000n }], at(11))
  })

  const range = () => ({ wallet, since: at(5).toISOString(), until: at(20).toISOString() })

  it('tells what is recorded, missing and unknown, with sums and balances', async () => {
    const of = await covered(shop.key, { ...range(), wallet: `eip155:31338:${wallet.toUpperCase().replace('X', 'x')}` })
    expect(of).toMatchObject({
      status: 'DONE',
      assetId: `${caip2}/erc20:${chain.token}`,
      network: caip2,
      asOf: at(20).toISOString(),
      recordedCount: 4,
      recordedAmount: '23',
      missingCount: 4,
      missingAmount: '14',
      unknownCount: 3,
      unknownAmount: '60',
      nodesDisagreed: 0,
      // 1 + 10 + 17 + 4 - 3 - 2
      chainBalance: '27',
      // 1 + 10 + 5 + 5 + 40 - 3 + 10 + 10
      recordedBalance: '78',
      balanceDifference: '-51',
      failureReason: null,
      nextBlock: String(Number(of.toBlock) + 1),
    })
    const missing = [three[2], wrong[0], unsent, self]
    expect(of.transfers.totalCount).toBe(7)
    expect(of.transfers.nodes).toMatchObject([
      ...missing.map(leg => ({
        status: 'MISSING',
        transaction: leg?.hash,
        transferIndex: leg?.index,
        blockNumber: String(leg?.block),
        senderWallet: leg?.from,
        receiverWallet: leg?.to,
        amount: decimal(leg?.units ?? 0n),
        receipt: null,
      })),
      ...[ids.twice, ids.wrong, ids.madeUp].map(id => ({ status: 'UNKNOWN', receipt: { id }, blockNumber: null })),
    ])
    const { data } = await service.api.graphql(
      `query ($id: ID!) { walletCoverage(id: $id) { transfers(first: 2, filter: { statuses: [UNKNOWN] }) {
         totalCount nodes { status } pageInfo { hasNextPage endCursor } } } }`,
      { key: shop.key, variables: { id: of.id } },
    )
    const { totalCount, nodes: shown, pageInfo } = data.walletCoverage.transfers
    expect([totalCount, shown.length, pageInfo.hasNextPage]).toEqual([3, 2, true])
    const { data: rest } = await service.api.graphql(
      `query ($id: ID!, $after: String) { walletCoverage(id: $id) { transfers(first: 2, after: $after, filter: { statuses: [UNKNOWN] }) {
         nodes { receipt { id } } } } }`,
      { key: shop.key, variables: { id: of.id, after: pageInfo.endCursor } },
    )
    expect(rest.walletCoverage.transfers.nodes).toEqual([{ receipt: { id: ids.madeUp } }])
  })

  it('notices logs that one of three nodes withholds, and misses none', async () => {
    const [hidden] = three
    if (nodes[1]) nodes[1].fault = withLogs(found => found.filter(log => log.transactionHash !== hidden?.hash))
    const of = await covered(shop.key, range())
    expect(of).toMatchObject({ status: 'DONE', recordedCount: 4, missingCount: 4, unknownCount: 3, nodesDisagreed: 3 })
  })

  it('believes no log that one node invents', async () => {
    const invented = random32()
    if (nodes[2])
      nodes[2].fault = withLogs(found => [
        ...found,
        ...found.slice(0, 1).map(log => ({ ...log, transactionHash: invented })),
        ...found.slice(0, 1).map(log => ({ ...log, logIndex: '0x7fffffff' })),
      ])
    const of = await covered(shop.key, range())
    expect(of).toMatchObject({ status: 'DONE', recordedCount: 4, missingCount: 4, unknownCount: 3 })
    expect(of.nodesDisagreed).toBeGreaterThan(0)
    expect(JSON.stringify(of.transfers.nodes)).not.toContain(invented)
  })

  it('believes neither of two nodes that contradict each other while the third is silent', async () => {
    const [left, right, third] = nodes
    if (!left || !right || !third) throw new Error('there are three nodes')
    left.fault = withLogs(found => found.slice(1))
    third.fault = refused('not now')
    const payments = service.app.paymentChains.get(caip2)
    const all = { token: chain.token, wallet, fromBlock: 0, toBlock: first[0]?.block ?? 0 }
    await expect(payments?.transfersOf(all)).rejects.toMatchObject({ code: 'chain_disagreement' })
    left.fault = null
    expect((await payments?.transfersOf(all))?.transfers.length).toBe(2)
  })

  it('searches what nodes allow at once, each as it does', async () => {
    const [left, right, third] = nodes
    if (!left || !right || !third) throw new Error('there are three nodes')
    left.fault = narrowLogs(1)
    right.fault = narrowLogs(3)
    // Providers limit the number of results too.
    third.fault = async (request, forward) => {
      const { data } = z.object({ result: logs }).safeParse(await forward())
      const isTooMany = request.method === 'eth_getLogs' && (data?.result.length ?? 0) > 2
      return isTooMany ? refused('query returned more than 2 results', -32005)(request, forward) : { kind: 'honest' }
    }
    const of = await covered(shop.key, range())
    // One block has three transfers, more than the third node returns at once.
    expect(of).toMatchObject({ status: 'DONE', recordedCount: 4, missingCount: 4, unknownCount: 3, nodesDisagreed: 0 })
  })

  it('goes on where it was after nodes failed, and asks for no block twice', async () => {
    const { of, errors } = await start(shop.key, range())
    expect(errors).toBeUndefined()
    // So that it has several parts.
    await service.app.pool.query('update wallet_coverages set span = 2 where id = $1', [of.id])
    const stopped = (three[0]?.block ?? 0) + 1
    const fault: Fault = async ({ method, params }, forward) => {
      const { data } = z.object({ toBlock: z.string().transform(Number) }).safeParse(params[0])
      return method === 'eth_getLogs' && (data?.toBlock ?? 0) >= stopped
        ? refused('no', -32000)({ method, params }, forward)
        : { kind: 'honest' }
    }
    for (const node of nodes) {
      node.requests.length = 0
      node.fault = fault
    }
    await expect
      .poll(async () => (await service.app.db.walletCoverage.findUnique({ where: { id: of.id } }))?.failures)
      .toBeGreaterThan(0)
    const place = await read(shop.key, of.id)
    for (const node of nodes) {
      node.requests.length = 0
      node.fault = null
    }
    await service.app.pool.query(`update graphile_worker._private_jobs set run_at = now() where key = $1`, [
      `cover_wallet:${of.id}`,
    ])
    expect(await ended(shop.key, of.id)).toMatchObject({
      ...{ status: 'DONE', recordedCount: 4, missingCount: 4, unknownCount: 3, recordedBalance: '78' },
      ...{ recordedAmount: '23', missingAmount: '14', unknownAmount: '60' },
    })
    const again = nodes.flatMap(searched).map(({ fromBlock }) => Number(fromBlock))
    expect(again.length).toBeGreaterThan(0)
    expect(Math.min(...again)).toBeGreaterThanOrEqual(Number(place.nextBlock))
  })

  it('counts each part once, where several workers compare it', async () => {
    // Until all have begun, no node answers.
    for (const node of nodes) node.fault = async () => ({ kind: 'hang' })
    const { of } = await start(shop.key, range())
    await service.app.pool.query('update wallet_coverages set span = 1 where id = $1', [of.id])
    const workers = [1, 2, 3].map(() => coverWallet.run(service.app, { coverage: of.id }).catch(() => undefined))
    for (const node of nodes) {
      await expect.poll(() => node.hanging).toBeGreaterThanOrEqual(3)
      node.fault = null
    }
    for (const node of nodes) node.release()
    await Promise.all(workers)
    await Promise.all([1, 2, 3].map(() => coverWallet.run(service.app, { coverage: of.id })))
    expect(await ended(shop.key, of.id)).toMatchObject({
      ...{ status: 'DONE', recordedCount: 4, missingCount: 4, unknownCount: 3, recordedBalance: '78' },
      transfers: { totalCount: 7 },
    })
  })

  it('is of the caller’s project alone', async () => {
    const own = await covered(other.key, range())
    expect(own).toMatchObject({ recordedCount: 1, recordedAmount: '7', missingCount: 7, unknownCount: 0 })
    expect(await read(shop.key, own.id)).toBeNull()
    const { data } = await service.api.graphql(
      `{ node(id: "${own.id}") { id } walletCoverages(filter: { projectId: "${other.id}" }) { totalCount nodes { id } } }`,
      { key: shop.key },
    )
    expect(data).toEqual({ node: null, walletCoverages: { totalCount: 0, nodes: [] } })
    const listed = await service.api.graphql(
      '{ walletCoverages(first: 50) { totalCount nodes { id project { id } } } }',
      {
        key: shop.key,
      },
    )
    expect(listed.data.walletCoverages.nodes.map((of: { project: { id: string } }) => of.project.id)).toEqual(
      Array(listed.data.walletCoverages.totalCount).fill(shop.id),
    )
  })

  it('knows the time of a payment by its block, or as stated, or else by its recording', async () => {
    const paid = someone()
    const made = () => ({ hash: random32(), from: someone(), to: paid, units: 1_000_000n, at: at(90) })
    const [byBlock, byOtherBlock, stated, statedElse, recorded] = await record(
      shop,
      [made(), made(), made(), { ...made(), at: at(10) }, { ...made(), at: at(10) }, made()],
      at(0),
    )
    const { pool } = service.app
    await pool.query(
      `insert into settlements (receipt_id, status, checked_at, block_number, block_time, document)
       values ($1, 'mismatch', now(), $3, $4, '{}'), ($2, 'mismatch', now(), 0, $5, '{}')`,
      [byBlock, byOtherBlock, first[0]?.block, at(10), new Date(began)],
    )
    await pool.query('update receipts set settled_at = $2 where id = $1', [stated, at(11)])
    await pool.query('update receipts set settled_at = $2 where id = $1', [statedElse, at(70)])
    const of = await covered(shop.key, { ...range(), wallet: paid })
    const shown = of.transfers.nodes.map((row: { time: string; receipt: { id: string } }) => [row.receipt.id, row.time])
    expect(new Map(shown)).toEqual(
      new Map([
        [byBlock, at(10).toISOString()],
        [stated, at(11).toISOString()],
        [recorded, at(10).toISOString()],
      ]),
    )
    // That of the block before the range is in the balance too.
    expect(of).toMatchObject({ unknownCount: 3, recordedBalance: '4' })
  })

  it('says up to when it is, where the end of the range is not final', async () => {
    const late = someone()
    await chain.pay([{ to: late, units: 1_000_000n }])
    await chain.mine(2)
    const [waiting] = await chain.pay([{ to: late, units: 2_000_000n }])
    const of = await covered(shop.key, { wallet: late })
    expect(of).toMatchObject({ missingCount: 1, missingAmount: '1', chainBalance: '1' })
    expect(Number(of.toBlock)).toBe((waiting?.block ?? 0) - 1)
    expect(of.asOf < new Date().toISOString()).toBe(true)
  })

  it('has no balance on chain where the nodes have none, and is done', async () => {
    for (const node of nodes)
      node.fault = async (request, forward) =>
        request.method === 'eth_call' ? refused('missing trie node')(request, forward) : { kind: 'honest' }
    expect(await covered(shop.key, range())).toMatchObject({
      ...{ status: 'DONE', chainBalance: null, recordedBalance: '78', balanceDifference: null },
    })
  })

  it('keeps the newest, and deletes what expired', async () => {
    const of = await covered(shop.key, range())
    await service.app.pool.query(
      `insert into wallet_coverages (id, project_id, wallet, chain, currency, since, until, chain_key, asset_id, decimals,
         labels, failed_at, expires_at, created_at)
       select gen_random_uuid(), $1, '0x', 'x', 'x', now(), now(), 'x', 'x', 0, '{}', now(), now() + interval '1 day',
         now() - interval '1 day' from generate_series(1, 20)`,
      [shop.id],
    )
    const newer = await covered(shop.key, range())
    const count = async () => {
      const { data } = await service.api.graphql('{ walletCoverages { totalCount } }', { key: shop.key })
      return data.walletCoverages.totalCount
    }
    expect([await count(), (await read(shop.key, of.id)).id]).toEqual([10, of.id])
    await service.app.pool.query(`update wallet_coverages set expires_at = now() where id = $1`, [of.id])
    await cleanCoverages(service.app)
    expect([await read(shop.key, of.id), (await read(shop.key, newer.id)).id]).toEqual([null, newer.id])
    const { rows: left } = await service.app.pool.query(
      `select (select count(*)::int from coverage_transfers where coverage_id = $1) as transfers,
         (select count(*)::int from coverage_receipts) as receipts`,
      [of.id],
    )
    expect(left).toEqual([{ transfers: 0, receipts: 0 }])
  })
})

describe('what cannot be compared', () => {
  const wallet = someone()
  it.each([
    ['currency', { currency: 'ETH' }, /Only tokens/],
    ['currency', { currency: 'NONE' }, /No configuration/],
    ['chain', { chain: 'base' }, /no nodes/],
    ['wallet', { wallet: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb' }, /account of the chain/],
    ['wallet', { wallet: `eip155:1:${wallet}` }, /account of the chain/],
    ['until', { until: new Date(Date.now() + hour).toISOString() }, /future/],
    ['since', { since: new Date().toISOString(), until: new Date(began).toISOString() }, /before `until`/],
    ['since', { since: '2020-01-01T00:00:00Z' }, /366 days/],
    ['since', { since: '2020-01-01' }, /RFC 3339/],
    ['since', { since: '0001-01-01T00:00:00Z' }, /366 days/],
  ])('%s is refused: %o', async (member, input, message) => {
    const { errors } = await start(shop.key, { wallet, ...input })
    expect(errors?.[0].extensions).toMatchObject({ code: 'validation_failed' })
    expect(JSON.stringify(errors)).toMatch(message)
    expect(JSON.stringify(errors)).toContain(`"${member}"`)
  })

  it('is refused for a service administrator, and while another runs', async () => {
    expect((await start(adminKey, { wallet })).errors[0].extensions.code).toBe('project_key_required')
    for (const node of nodes) node.fault = async () => ({ kind: 'hang' })
    const both = await Promise.all([start(shop.key, { wallet }), start(shop.key, { wallet })])
    expect(both.flatMap(({ errors }) => errors?.[0].extensions.code ?? 'started').toSorted()).toEqual([
      'conflict',
      'started',
    ])
    for (const node of nodes) {
      node.fault = null
      node.release()
    }
    const started = both.find(({ of }) => of)?.of
    await service.app.pool.query(`update graphile_worker._private_jobs set run_at = now()`)
    await ended(shop.key, started.id)
  })

  it('fails with the reason where the range has no final block', async () => {
    const since = new Date(Date.now() - 1_000).toISOString()
    expect(await covered(shop.key, { wallet, since })).toMatchObject({
      status: 'FAILED',
      failureReason: 'No block of the range is final yet, or the range has no block.',
    })
  })
})

describe('many transfers', () => {
  const count = sized(3_000, 100_000)
  const wallet = someone()
  let hidden: Set<string>
  let sum = 0n

  /** A hundredth of the transfers has no receipt, and so many receipts have no transfer. */
  beforeAll(async () => {
    const legs: Leg[] = []
    const each = sized(250, 1_000)
    for (let made = 0; made < count; made += each) {
      const units = Array.from({ length: each }, (_, n) => BigInt(made + n + 1))
      legs.push(...(await chain.pay(units.map(of => ({ to: wallet, units: of })))))
    }
    await close(new Date(Date.now() - hour))
    const name = ({ hash, index }: Leg) => `${hash}#${index}`
    hidden = new Set(legs.filter((_, n) => n % 100 === 57).map(name))
    const recorded = legs.filter(leg => !hidden.has(name(leg)))
    sum = recorded.reduce((all, { units }) => all + units, 0n)
    // The first of a transaction is recorded without its number.
    const stated = recorded.map((leg, n) => (leg.hash === recorded[n - 1]?.hash ? { ...leg, leg: leg.index } : leg))
    const madeUp = recorded.slice(0, count / 100).map(leg => ({ ...leg, hash: random32() }))
    const at = new Date(began + hour)
    const all = [...stated, ...madeUp].map(one => ({ ...one, at }))
    for (let start = 0; start < all.length; start += 10_000) await record(shop, all.slice(start, start + 10_000), at)
  })

  async function listed(id: string): Promise<{ status: string; transaction: string; transferIndex: number | null }[]> {
    const found = []
    for (let after: string | null = null; ; ) {
      const { data } = await service.api.graphql(
        `query ($id: ID!, $after: String) { walletCoverage(id: $id) { transfers(first: 200, after: $after) {
           nodes { status transaction transferIndex } pageInfo { hasNextPage endCursor } } } }`,
        { key: shop.key, variables: { id, after } },
      )
      const { nodes: page, pageInfo } = data.walletCoverage.transfers
      found.push(...page)
      if (!pageInfo.hasNextPage) return found
      after = pageInfo.endCursor
    }
  }

  async function expectAll(id: string) {
    const of = await ended(shop.key, id, 600_000)
    expect(of).toMatchObject({
      status: 'DONE',
      recordedCount: count - count / 100,
      recordedAmount: decimal(sum),
      missingCount: count / 100,
      unknownCount: count / 100,
    })
    const found = await listed(id)
    const missing = found.filter(({ status }) => status === 'MISSING')
    expect(new Set(missing.map(({ transaction, transferIndex }) => `${transaction}#${transferIndex}`))).toEqual(hidden)
    expect(found).toHaveLength((2 * count) / 100)
    return of
  }

  proof(
    'of which a hundredth is hidden: all are found and none is invented, beside a node that withholds',
    async () => {
      let withheld = 0
      if (nodes[0])
        nodes[0].fault = withLogs(found =>
          found.filter(log => {
            const isWithheld = Number(log.logIndex) % 500 === 3
            withheld += Number(isWithheld)
            return !isWithheld
          }),
        )
      const started = performance.now()
      const { of } = await start(shop.key, { wallet })
      const done = await expectAll(of.id)
      const seconds = (performance.now() - started) / 1_000
      expect(done.nodesDisagreed).toBeGreaterThan(0)
      expect(done.nodesDisagreed).toBeLessThanOrEqual(withheld)
      if (isFull) console.log(`${count} transfers were compared in ${seconds.toFixed(1)} s`)
    },
  )

  onlyInFull('go on in another process where one was killed, and no block is searched twice', async () => {
    const settings = {
      DATABASE_URL: service.databaseUrl,
      ANCHOR_CHAIN: caip2,
      ANCHOR_RPC_URL: chain.url,
      ANCHOR_CONTRACT: chain.contract,
      PAYMENT_CHAINS_FILE: join(folder, 'chains.json'),
    }
    await service.stop()
    service = await startService({ ...settings, ROLES: 'api' })
    const worker = () => startChild({ ...settings, ROLES: 'worker', DATA_DIR: folder, FX_ECB_URL: 'off' })
    const first = await worker()
    const { of } = await start(shop.key, { wallet })
    await service.app.pool.query('update wallet_coverages set span = 10 where id = $1', [of.id])
    const [node] = nodes
    const fault: Fault = async ({ method, params }) => {
      const { data } = z.object({ toBlock: z.string().transform(Number) }).safeParse(params[0])
      return { kind: method === 'eth_getLogs' && (data?.toBlock ?? 0) > 60 ? 'hang' : 'honest' }
    }
    for (const one of nodes) one.fault = fault
    await expect.poll(() => node?.hanging, { timeout: 60_000 }).toBeGreaterThan(0)
    await first.end('SIGKILL')
    const { nextBlock, recordedCount } = await read(shop.key, of.id)
    expect(recordedCount).toBeGreaterThan(0)
    for (const one of nodes) {
      one.requests.length = 0
      one.fault = null
      one.release()
    }
    const second = await worker()
    await expectAll(of.id)
    await second.end('SIGTERM')
    const again = nodes.flatMap(searched).map(({ fromBlock }) => Number(fromBlock))
    expect(Math.min(...again)).toBe(Number(nextBlock))
  })
})
