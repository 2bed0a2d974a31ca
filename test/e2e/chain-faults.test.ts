// A chain that fails in every way that nodes do: nothing is lost, anchored twice, or wrongly reported as anchored or
// verified, and everything resumes by itself once the chain works again. The auditor checks it after each fault.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Transaction, Wallet } from 'ethers'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { type FaultyChain, startFaultyChain } from '../kit/faulty-chain.ts'
import { faults, feeSpike, invented, lagging, limited, otherBlocks, otherChain, status } from '../kit/rpc-faults.ts'
import type { Fault } from '../kit/rpc-proxy.ts'
import { adminKey } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

let world: FaultyChain
const faultMs = 1_700

const statuses = async (ids: string[]): Promise<string[]> => {
  const { rows } = await world.service.app.pool.query<{ status: string }>(
    `select distinct status from receipts where id = any($1::uuid[])`,
    [ids],
  )
  return rows.map(row => row.status)
}
const verify = async (body: object) => (await world.service.api.call('POST', '/v1/iso/verify', { body })).json
const view = async (id: string | undefined) => (await world.service.api.call('GET', `/v1/iso/receipts/${id}`)).json

describe('with one node', () => {
  let bundle_hash: string
  beforeAll(async () => {
    world = await startFaultyChain({ nodes: 1, confirmations: 1 })
    const ids = await world.record(1)
    await world.anchored(ids)
    bundle_hash = (await view(ids[0])).bundle_hash
  })
  afterAll(() => world.stop())

  /** Faults during which no anchor can be confirmed. */
  const silent: [string, Fault][] = [
    ['a time-out before forwarding', faults.hangBefore],
    ['a time-out after forwarding', faults.hangAfter],
    ['a reset before forwarding', faults.resetBefore],
    ['a reset after forwarding', faults.resetAfter],
    ['429', status(429)],
    ['500', status(500)],
    ['503', status(503)],
    ['truncated JSON', faults.truncated],
    ['a web page', faults.html],
    ['the answer to another question', faults.otherId],
    ['answers of the wrong types', faults.wrongTypes],
  ]
  it.each(silent)(
    '%s: receipts wait, verification reports unavailable, and everything resumes afterwards',
    async (_, fault) => {
      const [node] = world.nodes
      if (node) node.fault = fault
      const ids = await world.record(3)
      const answer = verify({ bundle_hash })
      await sleep(faultMs)
      expect(await statuses(ids)).not.toContain('anchored')
      // A hanging query is only answered when the timeout for nodes ends.
      if (node?.hanging === 0) {
        expect(await answer).toMatchObject({ matches_onchain: false, errors: ['chain_unavailable'] })
      }
      world.heal()
      await answer
      await world.anchored(ids)
      expect(await world.violations()).toEqual([])
      expect(await verify({ bundle_hash })).toMatchObject({ matches_onchain: true, errors: [] })
    },
  )

  const passing: [string, Fault][] = [
    [
      'a node that hangs after it took the transaction',
      limited(faults.hangAfter, { methods: ['eth_sendRawTransaction'], times: 1 }),
    ],
    [
      'a node that resets after it took the transaction',
      limited(faults.resetAfter, { methods: ['eth_sendRawTransaction'], times: 2 }),
    ],
    ['a node that forgets what it took', limited(faults.dropped, { methods: ['eth_sendRawTransaction'], times: 2 })],
    ['null receipts', limited(faults.noResult, { methods: ['eth_getTransactionReceipt'], times: 8 })],
    ['a chain without tips', faults.noMaxPriorityFee],
    ['a chain with legacy fees', faults.noBaseFee],
  ]
  it.each(passing)('%s: each receipt is anchored once, without intervention', async (_, fault) => {
    const [node] = world.nodes
    if (node) node.fault = fault
    const ids = await world.record(3)
    await world.anchored(ids)
    world.heal()
    expect(await world.violations()).toEqual([])
  })

  it('a lagging node: nothing is final before the node has the block', async () => {
    const [node] = world.nodes
    if (node) node.fault = lagging(5)
    const ids = await world.record(2)
    await sleep(faultMs)
    expect(await statuses(ids)).toEqual(['awaiting_anchor'])
    world.heal()
    await world.anchored(ids)
    expect(await world.violations()).toEqual([])
  })

  it('a stuck transaction is replaced at its nonce with a higher fee, and only one of both is mined', async () => {
    await world.rpc('evm_setAutomine', [false])
    const ids = await world.record(2)
    const attempts = async () => {
      const { rows } = await world.service.app.pool.query<{ raw: string }>(
        `select p.raw_transaction as raw from anchor_attempts p join anchors a on a.transaction_id = p.transaction_id
         where a.receipt_id = $1 order by p.max_fee_per_gas`,
        [ids[0]],
      )
      return rows.map(({ raw }) => Transaction.from(raw))
    }
    await expect.poll(async () => (await attempts()).length).toBeGreaterThanOrEqual(2)
    const [first, second] = await attempts()
    expect(second?.nonce).toBe(first?.nonce)
    expect(second?.data).toBe(first?.data)
    expect((second?.maxFeePerGas ?? 0n) * 10n).toBeGreaterThanOrEqual((first?.maxFeePerGas ?? 0n) * 11n)
    await world.rpc('evm_setAutomine', [true])
    await world.rpc('evm_mine')
    await world.anchored(ids)
    expect(await world.violations()).toEqual([])
  })

  it('a nonce gap, as after a restored backup, is detected and filled', async () => {
    const { chain, service } = world
    const wallet = new Wallet(chain.anchorPrivateKey)
    const nonce = Number(await world.rpc('eth_getTransactionCount', [wallet.address, 'latest']))
    const ahead = await wallet.signTransaction({
      type: 2,
      to: wallet.address,
      chainId: chain.chainId,
      nonce: nonce + 2,
      gasLimit: 21_000,
      maxFeePerGas: 20n * 10n ** 9n,
      maxPriorityFeePerGas: 10n ** 9n,
    })
    const { hash } = Transaction.from(ahead)
    await service.app.pool.query(
      `with t as (insert into anchor_transactions (id, chain, contract, signer, nonce, txid)
         values (gen_random_uuid(), 'faulty', $1, $1, $2, $3) returning id),
       p as (insert into anchor_attempts (txid, transaction_id, raw_transaction, max_fee_per_gas) select $3, id, $4, 20000000000 from t)
       select graphile_worker.add_job('confirm', json_build_object('transaction', id)) from t`,
      [wallet.address.toLowerCase(), nonce + 2, hash, ahead],
    )
    const ids = await world.record(2)
    await world.anchored(ids)
    await expect
      .poll(async () => Number(await world.rpc('eth_getTransactionCount', [wallet.address, 'latest'])))
      .toBe(nonce + 4)
    await expect.poll(() => world.violations()).toEqual([])
  })

  it('when a reorg removes the block of a given-up transaction, its hash is on the chain once, not twice', async () => {
    const { api, app } = world.service
    const hash = `0x${randomBytes(32).toString('hex')}`
    const debug = (bundle_hash: string) =>
      api.call('POST', '/v1/debug/anchor', { key: adminKey, body: { bundle_hash } })
    const { ledger_txid } = (await debug(hash)).json
    // As after a transaction that reverted so long ago that no other waits for it; a reorg could still let it succeed.
    await app.pool.query(
      `with t as (
         update anchor_transactions set state = 'reverted', created_at = created_at - interval '2 days' where txid = $1 returning id
       )
       update anchors set state = 'waiting', transaction_id = null from t where transaction_id = t.id`,
      [ledger_txid],
    )
    await world.rpc('anvil_reorg', [1, []])
    expect((await debug(`0x${randomBytes(32).toString('hex')}`)).status).toBe(200)
    const carried = async () =>
      (await world.rpc('eth_getLogs', [{ fromBlock: '0x0', topics: [null, hash] }])) as { transactionHash: string }[]
    await expect.poll(async () => (await carried()).length).toBe(1)
    expect((await carried())[0]?.transactionHash).not.toBe(ledger_txid)
    await expect.poll(() => world.violations()).toEqual([])
  })

  // Runs late, because this EVM suggests a tip by the fees that were paid before.
  it('during a fee spike no fee exceeds the cap', async () => {
    const [node] = world.nodes
    if (node) node.fault = feeSpike(100_000n)
    const ids = await world.record(2)
    await world.anchored(ids)
    world.heal()
    const { rows } = await world.service.app.pool.query(
      'select max(max_fee_per_gas)::text as most from anchor_attempts',
    )
    expect(rows[0].most).toBe(String(300n * 10n ** 9n))
    expect(await world.violations()).toEqual([])
  })

  it('when something else uses the nonce, the hashes are anchored by another transaction', async () => {
    const { chain } = world
    const wallet = new Wallet(chain.anchorPrivateKey)
    await world.rpc('evm_setAutomine', [false])
    const ids = await world.record(2)
    const sent = async () =>
      (
        await world.service.app.pool.query<{ nonce: number }>(
          `select t.nonce::int from anchors a join anchor_transactions t on t.id = a.transaction_id where a.receipt_id = $1`,
          [ids[0]],
        )
      ).rows[0]?.nonce
    await expect.poll(sent).toBeTypeOf('number')
    const nonce = await sent()
    const foreign = await wallet.signTransaction({
      type: 2,
      to: wallet.address,
      chainId: chain.chainId,
      nonce: nonce ?? 0,
      gasLimit: 21_000,
      maxFeePerGas: 900n * 10n ** 9n,
      maxPriorityFeePerGas: 800n * 10n ** 9n,
    })
    await world.rpc('eth_sendRawTransaction', [foreign])
    await world.rpc('evm_setAutomine', [true])
    await world.rpc('evm_mine')
    await world.anchored(ids)
    const { rows } = await world.service.app.pool.query(
      `select state from anchor_transactions where chain = 'faulty' and nonce = $1`,
      [nonce],
    )
    expect(rows).toEqual([{ state: 'overtaken' }])
    // The auditor must report that a foreign transaction used our signer, and nothing else.
    const used = Transaction.from(foreign).hash ?? ''
    expect((await world.violations()).filter(violation => !violation.includes(used))).toEqual([])
  })
})

describe('reorganisations', () => {
  const confirmations = 4
  beforeAll(async () => {
    world = await startFaultyChain({ nodes: 1, confirmations })
  })
  afterAll(() => world.stop())

  const minedIn = async (id: string | undefined) =>
    (
      await world.service.app.pool.query<{ block: number; hash: string }>(
        `select t.block_number::int as block, t.block_hash as hash from anchors a join anchor_transactions t on t.id = a.transaction_id
         where a.receipt_id = $1 and t.block_number is not null`,
        [id],
      )
    ).rows[0]

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'of depth %i: what was in the lost blocks is anchored in others',
    async depth => {
      const ids = await world.record(2)
      await expect.poll(() => minedIn(ids[0])).toBeDefined()
      const lost = await minedIn(ids[0])
      for (let block = 1; block < depth; block++) await world.rpc('evm_mine')
      const wasFinal = depth >= confirmations
      await expect.poll(() => statuses(ids)).toEqual([wasFinal ? 'anchored' : 'awaiting_anchor'])
      await world.rpc('anvil_reorg', [depth, []])
      // The next receipt makes the service notice the reorg, as the regular check would.
      const next = await world.record(1)
      if (wasFinal) await expect.poll(() => statuses(ids)).toEqual(['awaiting_anchor'])
      await world.anchored([...ids, ...next])
      const now = await minedIn(ids[0])
      expect(now?.hash).not.toBe(lost?.hash)
      const receipt = await view(ids[0])
      const block = await world.rpc('eth_getBlockByNumber', [`0x${now?.block.toString(16)}`, false])
      expect(block).toMatchObject({ timestamp: `0x${(Date.parse(receipt.anchored_at) / 1_000).toString(16)}` })
      expect(await verify({ bundle_hash: receipt.bundle_hash })).toMatchObject({ matches_onchain: true, errors: [] })
      expect(await world.violations()).toEqual([])
    },
  )
})

describe('with three nodes of which two must agree', () => {
  let anchored: Record<string, string>
  beforeAll(async () => {
    world = await startFaultyChain({ nodes: 3, confirmations: 1 })
    const ids = await world.record(1)
    await world.anchored(ids)
    anchored = await view(ids[0])
  })
  afterAll(() => world.stop())
  afterEach(() => world.heal())

  const set = (...list: (Fault | null)[]) => {
    list.forEach((fault, index) => {
      const node = world.nodes[index]
      if (node) node.fault = fault
    })
  }
  const unknown = `0x${'5a'.repeat(32)}`
  const lies: [string, () => Fault][] = [
    ['invents an anchor', () => invented(unknown, world.chain.contract, [unknown])],
    ['hides anchors', () => faults.hidesAnchors],
    ['tells of other blocks', () => otherBlocks()],
    ['knows no receipts', () => limited(faults.noResult, { methods: ['eth_getTransactionReceipt'] })],
    ['is of another chain', () => otherChain(1)],
    ['is down', () => faults.resetBefore],
  ]
  const liars = lies.map(([name, lie]) => ({ name, lie, at: [0, 1, 2] }))
  it.each(liars)('a node that $name changes nothing, whichever node it is', async ({ lie, at }) => {
    for (const liar of at) {
      set(...[0, 1, 2].map(index => (index === liar ? lie() : null)))
      for (const body of [{ bundle_hash: anchored.bundle_hash }, { txid: anchored.ledger_txid }]) {
        expect(await verify(body)).toMatchObject({ matches_onchain: true, errors: [] })
      }
      for (const body of [{ bundle_hash: unknown }, { txid: unknown }]) {
        expect(await verify(body)).toMatchObject({ matches_onchain: false, errors: ['anchor_not_found'] })
      }
      const ids = await world.record(1)
      await world.anchored(ids)
    }
    world.heal()
    expect(await world.violations()).toEqual([])
  })

  it('when two lie differently, the nodes disagree, and nothing is verified or anchored', async () => {
    set(otherBlocks('01'), otherBlocks('02'))
    const answer = await verify({ txid: anchored.ledger_txid })
    expect(answer).toMatchObject({ matches_onchain: false, errors: ['chain_disagreement'] })
    const ids = await world.record(2)
    await sleep(faultMs)
    expect(await statuses(ids)).toEqual(['awaiting_anchor'])
    world.heal()
    await world.anchored(ids)
    expect(await world.violations()).toEqual([])
  })

  it('an anchor that two invent in different blocks is not trusted', async () => {
    const inventing = (salt: string) => invented(unknown, world.chain.contract, [unknown], salt)
    set(inventing('01'), inventing('02'))
    expect(await verify({ txid: unknown })).toMatchObject({ matches_onchain: false, errors: ['chain_disagreement'] })
  })

  it('when two are down, verification reports unavailable, never a match, and receipts wait', async () => {
    set(faults.resetBefore, status(503))
    expect(await verify({ txid: anchored.ledger_txid })).toMatchObject({
      matches_onchain: false,
      errors: ['chain_unavailable'],
    })
    const ids = await world.record(2)
    await sleep(faultMs)
    expect(await statuses(ids)).toEqual(['awaiting_anchor'])
    world.heal()
    await world.anchored(ids)
    expect(await world.violations()).toEqual([])
  })
})
