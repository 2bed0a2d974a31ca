// Tests which answers are trusted when nodes fail, lag and lie: three nodes in front of one real EVM.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ContractFactory, JsonRpcProvider, Transaction, toQuantity } from 'ethers'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ChainConfig, createEthersChain } from '../../src/adapters/ethers-chain.ts'
import { AppError } from '../../src/core/errors.ts'
import { type EmbeddedChain, startChain } from '../../src/embedded/chain.ts'
import type { AnchorAccount, Chain, MinedTransaction } from '../../src/ports/chain.ts'
import {
  faults,
  invented,
  lagging,
  limited,
  narrowLogs,
  otherBlocks,
  otherChain,
  otherReceipt,
  refused,
  spoiled,
  status,
  terse,
  together,
} from '../kit/rpc-faults.ts'
import { type Fault, type RpcProxy, startRpcProxy } from '../kit/rpc-proxy.ts'

const hash = () => `0x${randomBytes(32).toString('hex')}`

let folder: string
let local: EmbeddedChain
let node: JsonRpcProvider
let proxies: RpcProxy[]

const chainWith = (change: Partial<ChainConfig> = {}) =>
  createEthersChain({
    name: 'three',
    caip2: 'eip155:31337',
    rpcUrls: proxies.map(({ url }) => url),
    contract: local.contract,
    finality: { confirmations: 3 },
    account: { privateKey: local.anchorPrivateKey, maxFeePerGas: 10n ** 12n, replaceAfterMs: 60_000 },
    ...change,
  })

const withFirst = (count: number, change: Partial<ChainConfig> = {}) =>
  chainWith({ rpcUrls: proxies.slice(0, count).map(({ url }) => url), ...change })

function anchorAccountOf({ account }: Chain): AnchorAccount {
  if (account === null) throw new Error('no account')
  return account
}

/** Sets one fault per node, in order; null means honest. */
function behave(...given: (Fault | null)[]): RpcProxy[] {
  for (const [at, proxy] of proxies.entries()) proxy.fault = given[at] ?? null
  return proxies
}

const mine = (blocks: number) => node.send('anvil_mine', [`0x${blocks.toString(16)}`])

async function anchor(hashes: string[] = [hash()], change: Partial<ChainConfig> = {}): Promise<MinedTransaction> {
  const account = anchorAccountOf(chainWith(change))
  const signed = await account.signAnchor(hashes, await account.pendingNonce())
  expect(await account.broadcast(signed.raw)).toBe('accepted')
  // Reads the node directly: two proxies are not queried at the same moment, which looks like a disagreement.
  const direct = chainWith({ ...change, rpcUrls: [local.rpcUrl] })
  for (;;) {
    const mined = await direct.transaction(signed.txid)
    if (mined !== null) return mined
    await sleep(10)
  }
}

/** As a sign-in asks: at the newest block that enough nodes have. */
const isSignedBy = async (chain: Chain, wallet: string, signature: string): Promise<boolean> =>
  chain.isSignedBy(wallet, hash(), signature, await chain.commonHead())

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    value => value,
    (thrown: unknown) => thrown,
  )
  return error instanceof AppError ? error.code : `no AppError but ${JSON.stringify(error)}`
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-nodes-'))
  local = await startChain(folder, pino({ level: 'silent' }))
  node = new JsonRpcProvider(local.rpcUrl, local.chainId, { staticNetwork: true, cacheTimeout: -1 })
  proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(local.rpcUrl)))
})

afterEach(async () => {
  for (const proxy of behave()) {
    proxy.release()
    proxy.requests.length = 0
  }
  await node.send('evm_setAutomine', [true])
  await mine(1)
})

afterAll(async () => {
  node?.destroy()
  await Promise.all((proxies ?? []).map(proxy => proxy.stop()))
  await local?.stop()
  await rm(folder, { recursive: true, force: true })
})

const bad: Record<string, Fault> = {
  'is dead': faults.resetBefore,
  'dies half-way': faults.resetAfter,
  hangs: faults.hangBefore,
  'hangs after it was asked': faults.hangAfter,
  'answers 429': status(429),
  'answers 500': status(500),
  'answers 502': status(502),
  'answers 503': status(503),
  'cuts its answers off': faults.truncated,
  'answers another question': faults.otherId,
  'answers in wrong types': faults.wrongTypes,
  'answers HTML': faults.html,
  'answers every question with an error': refused('internal error', -32603),
  'knows nothing': limited(faults.noResult, { methods: ['eth_getTransactionReceipt', 'eth_getBlockByNumber'] }),
  'has another chain of blocks': otherBlocks(),
  'hides anchors': faults.hidesAnchors,
  lags: lagging(2),
  'serves another chain': otherChain(1),
}

describe('one of three nodes', () => {
  for (const [what, fault] of Object.entries(bad)) {
    test(`${what}: the others are trusted, without delay`, async () => {
      const anchored = await anchor()
      await mine(2)
      const chain = chainWith()
      // By now every node has reported which chain it serves.
      if (what !== 'serves another chain') await chain.findAnchor(hash())
      const [first] = behave(fault)
      for (const proxy of proxies) proxy.requests.length = 0
      expect(await chain.transaction(anchored.txid)).toEqual(anchored)
      expect(await chain.blockStatus(anchored.blockNumber, anchored.blockHash)).toBe('final')
      const { blockNumber, blockHash } = await anchor([hash()], { rpcUrls: proxies.slice(1).map(({ url }) => url) })
      expect(await chain.blockStatus(blockNumber, blockHash)).toBe('included')
      expect(await chain.hasCode(local.contract)).toBe(true)
      const account = anchorAccountOf(chain)
      const nonce = await node.getTransactionCount(account.address)
      // A nonce that is too low is harmless, because sent transactions are stored.
      expect([nonce, what === 'lags' ? nonce - 1 : nonce]).toContain(await account.minedNonce())
      expect(first?.requests.length).toBeGreaterThan(0)
      // The query to the hanging node is still open.
      if (what.startsWith('hangs')) await expect.poll(() => first?.hanging).toBe(first?.requests.length)
    })
  }

  test('returns impossible times and blocks: they are not used', async () => {
    const { txid } = await anchor()
    const late: Fault = async (_, forward) => {
      const text = JSON.stringify(await forward())
      return { kind: 'body', body: JSON.parse(text.replace(/"timestamp":"0x\w+"/, '"timestamp":"0xffffffffffff"')) }
    }
    for (const fault of [late, otherBlocks()]) {
      behave(limited(fault, { methods: ['eth_getBlockByHash'] }))
      expect(await codeOf(withFirst(1).transaction(txid))).toBe('chain_unavailable')
    }
  })

  test('is configured twice: its answer counts once', async () => {
    const { txid } = await anchor()
    behave(otherBlocks())
    const [first = '', second = ''] = proxies.map(({ url }) => url)
    expect(await codeOf(chainWith({ rpcUrls: [first, first, second] }).transaction(txid))).toBe('chain_disagreement')
  })

  test('returns another transaction’s receipt: it is not taken for the requested one', async () => {
    const [asked, other] = [await anchor(), await anchor()]
    behave(otherReceipt(other.txid))
    expect(await chainWith().transaction(asked.txid)).toEqual(asked)
    expect(await codeOf(withFirst(1).transaction(asked.txid))).toBe('chain_unavailable')
  })

  test('invents an anchor: it is not trusted, unless it is the only node', async () => {
    const [bundleHash, txid] = [hash(), hash()]
    const anchored = await anchor([bundleHash])
    behave(invented(txid, local.contract, [bundleHash]))
    expect(await chainWith().transaction(txid)).toBeNull()
    expect(await withFirst(1).transaction(txid)).toMatchObject({ txid, succeeded: true, events: [{ bundleHash }] })
    expect(await chainWith().findAnchor(bundleHash)).toEqual([anchored.txid])
  })
})

test('two dead nodes of three make every query that needs a quorum chain_unavailable', async () => {
  behave(faults.resetBefore, status(503))
  const chain = chainWith()
  for (const question of [
    () => chain.transaction(hash()),
    () => chain.blockStatus(1, hash()),
    () => chain.findAnchor(hash()),
    () => chain.hasCode(local.contract),
    () => chain.commonHead(),
    () => chain.isSignedBy(local.contract, hash(), '0x', { blockNumber: 0, blockHash: hash() }),
    () => anchorAccountOf(chain).pendingNonce(),
    () => anchorAccountOf(chain).minedNonce(),
  ]) {
    expect(await codeOf(question())).toBe('chain_unavailable')
  }
  await expect(chain.check()).resolves.toBeUndefined()
})

test('a node that hung is not queried first while another answers', async () => {
  const chain = withFirst(2, { quorum: 1 })
  const [first] = behave(faults.resetBefore)
  await chain.head()
  const asked = first?.requests.length
  await chain.head()
  await chain.check()
  expect(first?.requests.length).toBe(asked)
  behave()
  await chain.hasCode(local.contract)
  // The node that hung is queried beside the others, and is the first again once it has answered.
  await expect.poll(() => chain.head().then(() => first?.requests.at(-1)?.method)).toBe('eth_getBlockByNumber')
})

describe('contradicting nodes are not trusted', () => {
  test('when each returns a different lie', async () => {
    const { txid } = await anchor()
    const lie = limited(faults.noResult, { methods: ['eth_getTransactionReceipt'] })
    behave(otherBlocks('01'), otherBlocks('02'), lie)
    expect(await codeOf(chainWith().transaction(txid))).toBe('chain_disagreement')
  })

  test('when one of two lies', async () => {
    const { txid, blockNumber, blockHash } = await anchor()
    behave(otherBlocks())
    expect(await codeOf(withFirst(2).transaction(txid))).toBe('chain_disagreement')
    expect(await codeOf(withFirst(2).blockStatus(blockNumber, blockHash))).toBe('chain_disagreement')
    expect(await codeOf(withFirst(2).transaction(hash()))).toMatch(/no AppError but null/)
  })

  test('when one lies, one is honest and one is dead', async () => {
    const { txid } = await anchor()
    behave(otherBlocks(), null, faults.resetBefore)
    expect(await codeOf(chainWith().transaction(txid))).toBe('chain_disagreement')
  })

  test('when two return the same lie and all three must agree', async () => {
    const { txid, blockNumber, blockHash } = await anchor()
    behave(otherBlocks(), otherBlocks())
    expect(await codeOf(chainWith({ quorum: 3 }).transaction(txid))).toBe('chain_disagreement')
    expect(await codeOf(chainWith({ quorum: 3 }).blockStatus(blockNumber, blockHash))).toBe('chain_disagreement')
  })

  test('when two invent the same transaction and all three must agree', async () => {
    const txid = hash()
    behave(invented(txid, local.contract, [hash()]), invented(txid, local.contract, [hash()]))
    expect(await codeOf(chainWith({ quorum: 3 }).transaction(txid))).toBe('chain_disagreement')
  })
})

test('nodes that all serve another chain are a configuration fault', async () => {
  behave(otherChain(1), otherChain(1), otherChain(5))
  const chain = chainWith()
  expect(await codeOf(chain.check())).toBe('chain_misconfigured')
  expect(await codeOf(chain.transaction(hash()))).toBe('chain_misconfigured')
  // No node received any query but the one for its chain id.
  expect(new Set(proxies.flatMap(({ requests: asked }) => asked.map(({ method }) => method)))).toEqual(
    new Set(['eth_chainId']),
  )
  behave()
  await expect(chain.check()).resolves.toBeUndefined()
})

test('a chain without an id cannot be signed for, because such a signature would be valid on any chain', () => {
  expect(() => chainWith({ caip2: null })).toThrow(/no id/)
  expect(chainWith({ caip2: null, account: null }).account).toBeNull()
})

describe('the standing of a block', () => {
  test('is that of the quorum: a lagging node lowers it no more than a leading node raises it', async () => {
    const { blockNumber, blockHash } = await anchor()
    await mine(2)
    behave(lagging(2))
    expect(await chainWith().blockStatus(blockNumber, blockHash)).toBe('final')
    behave(lagging(2), lagging(1))
    expect(await chainWith().blockStatus(blockNumber, blockHash)).toBe('included')
    behave(lagging(2), lagging(3))
    expect(await chainWith().blockStatus(blockNumber, blockHash)).toBe('included')
    behave(lagging(4), lagging(3))
    expect(await chainWith().blockStatus(blockNumber, blockHash)).toBe('unknown')
  })

  test('is vanished only when a quorum reports it', async () => {
    const { blockNumber, blockHash } = await anchor()
    await mine(2)
    behave(otherBlocks())
    expect(await chainWith().blockStatus(blockNumber, blockHash)).toBe('final')
    behave(otherBlocks('01'), otherBlocks('02'))
    expect(await chainWith().blockStatus(blockNumber, blockHash)).toBe('vanished')
    behave(otherBlocks(), lagging(5), faults.resetBefore)
    expect(await codeOf(chainWith().blockStatus(blockNumber, blockHash))).toBe('chain_disagreement')
  })

  test('is not derived from an answer about another block', async () => {
    const { blockNumber, blockHash } = await anchor()
    const first: Fault = async ({ method, params }, forward) =>
      method === 'eth_getBlockByNumber'
        ? { kind: 'body', body: await forward({ method, params: ['0x1', ...params.slice(1)] }) }
        : { kind: 'honest' }
    behave(first)
    expect(await codeOf(withFirst(1).blockStatus(blockNumber, blockHash))).toBe('chain_unavailable')
  })

  test('follows the finality policy of the chain', async () => {
    const deep = await chainWith({ finality: { confirmations: 33 } })
    const [safe, finalized] = [chainWith({ finality: 'safe' }), chainWith({ finality: 'finalized' })]
    const { blockNumber, blockHash } = await anchor()
    const standings = () => Promise.all([deep, safe, finalized].map(chain => chain.blockStatus(blockNumber, blockHash)))
    expect(await standings()).toEqual(['included', 'included', 'included'])
    // anvil calls blocks safe 32 deep and final 64 deep.
    await mine(31)
    expect(await standings()).toEqual(['included', 'included', 'included'])
    await mine(1)
    expect(await standings()).toEqual(['final', 'final', 'safe'])
    await mine(31)
    expect(await standings()).toEqual(['final', 'final', 'safe'])
    behave(null, lagging(2))
    await mine(1)
    expect(await standings()).toEqual(['final', 'final', 'final'])
    behave(lagging(2), lagging(2))
    expect(await standings()).toEqual(['final', 'final', 'safe'])
  })
})

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Anchors {
  event EvidenceAnchored(bytes32 bundleHash, address indexed sender, uint256 ts);
  function anchorEvidence(bytes32 bundleHash) external { emit EvidenceAnchored(bundleHash, msg.sender, block.timestamp); }
}
contract Wallet {
  function isValidSignature(bytes32, bytes calldata signature) external pure returns (bytes4) {
    if (signature.length == 2) revert("no");
    while (signature.length == 3) {}
    assembly { if eq(signature.length, 4) { invalid() } }
    return signature.length == 1 ? bytes4(0x1626ba7e) : bytes4(0);
  }
}`

/** Deploys a new contract and returns its address. */
async function deploy(contract: 'Anchors' | 'Wallet'): Promise<string> {
  const solc: { compile(input: string): string } = createRequire(import.meta.url)('solc')
  const outputSelection = { '*': { '*': ['abi', 'evm.bytecode.object'] } }
  const input = {
    language: 'Solidity',
    sources: { a: { content: source } },
    settings: { evmVersion: 'paris', outputSelection },
  }
  const { abi, evm } = JSON.parse(solc.compile(JSON.stringify(input))).contracts.a[contract]
  const deployed = await new ContractFactory(abi, evm.bytecode.object, await node.getSigner(0)).deploy()
  await deployed.waitForDeployment()
  return (await deployed.getAddress()).toLowerCase()
}

describe('a node that answers with the fields that are used alone, and in its own notation,', () => {
  test('serves the whole life of an anchor', async () => {
    behave(terse, terse, terse)
    const bundleHash = hash()
    const chain = chainWith()
    const account = anchorAccountOf(chain)
    const signed = await account.signAnchor([bundleHash], await account.pendingNonce())
    expect(await account.broadcast(signed.raw)).toBe('accepted')
    await expect.poll(() => chain.transaction(signed.txid)).not.toBeNull()
    const anchored = await chain.transaction(signed.txid)
    expect(anchored).toEqual(await chainWith({ rpcUrls: [local.rpcUrl] }).transaction(signed.txid))
    expect(anchored?.events).toMatchObject([{ contract: local.contract, bundleHash }])
    await mine(2)
    const { blockNumber = 0, blockHash = '' } = anchored ?? {}
    expect(await chain.blockStatus(blockNumber, blockHash)).toBe('final')
    expect(await chainWith({ finality: 'finalized' }).blockStatus(blockNumber, blockHash)).toBe('included')
    expect(await chain.findAnchor(bundleHash)).toEqual([signed.txid])
    expect(await chain.head()).toMatchObject({ blockNumber: blockNumber + 2 })
    expect(await account.funds()).toEqual(await anchorAccountOf(chainWith({ rpcUrls: [local.rpcUrl] })).funds())
    expect(await account.minedNonce()).toBe(signed.nonce + 1)
    expect(await account.signReplacement(signed.raw)).toMatchObject({ nonce: signed.nonce })
    const wallet = await deploy('Wallet')
    expect([await isSignedBy(chain, wallet, '0x00'), await isSignedBy(chain, wallet, '0x0000')]).toEqual([true, false])
    await chain.check()
    behave(limited(terse, { methods: ['eth_chainId'] }), null, null)
    expect(await codeOf(withFirst(1, { caip2: 'eip155:14', account: null }).check())).toBe('chain_misconfigured')
  })

  test.each([
    ['eth_getTransactionReceipt', 'transactionHash', `0x${'12'.repeat(32)}`],
    ['eth_getTransactionReceipt', 'blockNumber', undefined],
    ['eth_getTransactionReceipt', 'blockHash', '0x12'],
    ['eth_getTransactionReceipt', 'status', undefined],
    ['eth_getTransactionReceipt', 'status', '-0x1'],
    ['eth_getTransactionReceipt', 'logs', undefined],
    ['eth_getTransactionReceipt', 'logs', [{ address: '0x12', topics: [], data: '0x', logIndex: '0x0' }]],
    ['eth_getBlockByHash', 'hash', null],
    ['eth_getBlockByHash', 'number', 1.5],
    ['eth_getBlockByHash', 'timestamp', '0x'],
    ['eth_getBlockByHash', 'timestamp', '2026-01-01'],
  ])('is not believed when %s has %s %j', async (method, field, value) => {
    const { txid } = await anchor()
    behave(spoiled(method, field, value))
    expect(await codeOf(withFirst(1).transaction(txid))).toBe('chain_unavailable')
  })

  test('says of a transaction that is in no block yet that it is not mined', async () => {
    const { txid } = await anchor()
    behave(spoiled('eth_getTransactionReceipt', 'blockHash', null))
    expect(await withFirst(1).transaction(txid)).toBeNull()
  })
})

describe('findAnchor', () => {
  test('finds an anchor that only one node returns, because the others cannot hide it', async () => {
    const bundleHash = hash()
    const { txid } = await anchor([bundleHash])
    behave(faults.hidesAnchors, faults.hidesAnchors)
    expect(await chainWith().findAnchor(bundleHash)).toEqual([txid])
    behave(faults.hidesAnchors, faults.resetBefore)
    expect(await chainWith().findAnchor(bundleHash)).toEqual([txid])
  })

  test('returns first what most nodes know, and drops logs of other contracts and hashes', async () => {
    const bundleHash = hash()
    const [first, second, other] = [await anchor([bundleHash]), await anchor([bundleHash]), await anchor()]
    const logs = (await node.getLogs({ address: local.contract, fromBlock: 0 })).map(log => ({
      ...log.toJSON(),
      blockNumber: '0x1',
      logIndex: '0x0',
      transactionIndex: '0x0',
    }))
    const giveAll: Fault = async () => ({ kind: 'body', body: { jsonrpc: '2.0', result: logs } })
    const fake = { ...logs.find(log => log.transactionHash === first.txid), transactionHash: hash() }
    const foreign = { ...fake, address: hash().slice(0, 42), transactionHash: hash() }
    const giveFake: Fault = async () => ({ kind: 'body', body: { jsonrpc: '2.0', result: [foreign, fake] } })
    const methods = ['eth_getLogs']
    behave(limited(giveAll, { methods }))
    expect(await withFirst(1).findAnchor(bundleHash)).toEqual([first.txid, second.txid])
    expect(await chainWith().findAnchor(bundleHash)).not.toContain(other.txid)
    behave(limited(giveFake, { methods }))
    expect(await chainWith().findAnchor(bundleHash)).toEqual([first.txid, second.txid, fake.transactionHash])
  })

  test('finds old anchors, oldest first, where a provider limits the block range of logs', async () => {
    const bundleHash = hash()
    const old = await anchor([bundleHash])
    await mine(300)
    const young = await anchor([bundleHash])
    await mine(100)
    behave(narrowLogs(50))
    expect(await withFirst(1).findAnchor(bundleHash)).toEqual([old.txid, young.txid])
  })

  test('fails where that takes too many queries, instead of reporting that there is no anchor', async () => {
    const bundleHash = hash()
    await mine(300)
    const { blockNumber, txid } = await anchor([bundleHash])
    const [first] = behave(narrowLogs(1))
    expect(await codeOf(withFirst(1).findAnchor(bundleHash))).toBe('chain_unavailable')
    expect(first?.requests.length).toBeLessThan(300)
    expect(await withFirst(1, { deployedAtBlock: blockNumber - 5 }).findAnchor(bundleHash)).toEqual([txid])
  })

  test('does not repeat a query with smaller ranges to a node that is too busy', async () => {
    const [first] = behave(limited(status(429), { methods: ['eth_getLogs'] }))
    expect(await codeOf(withFirst(1).findAnchor(hash()))).toBe('chain_unavailable')
    expect(first?.requests.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(1)
  })

  test('reads all events of a contract that does not index the hash', async () => {
    const contract = await deploy('Anchors')
    const bundleHash = hash()
    const { txid } = await anchor([bundleHash], { contract })
    await anchor([hash()], { contract })
    expect(await chainWith({ contract }).findAnchor(bundleHash)).toEqual([txid])
    expect(await chainWith({ contract }).findAnchor(hash())).toEqual([])
  })
})

describe('a contract wallet’s signature', () => {
  let wallet: string
  beforeAll(async () => {
    wallet = await deploy('Wallet')
  })
  const call = (result: string): Fault =>
    limited(async () => ({ kind: 'body', body: { jsonrpc: '2.0', result } }), { methods: ['eth_call', 'eth_getCode'] })

  test('needs a quorum: one node can neither admit an attacker nor lock the owner out', async () => {
    const yes = call(`0x1626ba7e${'0'.repeat(56)}`)
    behave(yes)
    expect(await isSignedBy(chainWith(), wallet, '0x')).toBe(false)
    expect(await chainWith().hasCode(hash().slice(0, 42))).toBe(false)
    behave(yes, yes)
    expect(await codeOf(isSignedBy(chainWith({ quorum: 3 }), wallet, '0x'))).toBe('chain_disagreement')
    behave(call('0x'))
    expect(await isSignedBy(chainWith(), wallet, '0x01')).toBe(true)
    expect(await chainWith().hasCode(wallet)).toBe(true)
    expect(await codeOf(withFirst(2).hasCode(wallet))).toBe('chain_disagreement')
  })

  test.each([
    ['reverts', '0x0102'],
    ['runs out of gas', '0x010203'],
    ['breaks', '0x01020304'],
    ['says something else', '0x'],
  ])('that %s is invalid', async (_, signature) => {
    expect(await isSignedBy(chainWith(), wallet, signature)).toBe(false)
  })

  test('costs the node no more gas than a large multisig, whatever contract a client names', async () => {
    const [first] = behave()
    await isSignedBy(withFirst(1), wallet, '0x010203')
    const asked = first?.requests.find(({ method }) => method === 'eth_call')
    expect(asked?.params[0]).toMatchObject({ to: wallet, gas: '0x7a120' })
  })

  test('from an address without code is invalid', async () => {
    expect(await isSignedBy(chainWith(), hash().slice(0, 42), '0x01')).toBe(false)
  })

  const newest = (blockNumber: number): Fault =>
    limited(async () => ({ kind: 'body', body: { jsonrpc: '2.0', result: toQuantity(blockNumber) } }), {
      methods: ['eth_blockNumber'],
    })

  test('is asked at a block that a quorum has, whatever one node says that the newest is', async () => {
    await mine(40)
    const head = await chainWith({ rpcUrls: [local.rpcUrl] }).head()
    for (const said of [head.blockNumber - 3, head.blockNumber - 30, head.blockNumber + 3, head.blockNumber + 3_000]) {
      behave(newest(said))
      const { blockNumber, blockHash } = await chainWith().commonHead()
      expect(blockNumber).toBeLessThanOrEqual(head.blockNumber)
      expect(blockNumber).toBeGreaterThanOrEqual(head.blockNumber - 3)
      expect(blockHash).toBe((await node.getBlock(blockNumber))?.hash)
    }
    behave(newest(head.blockNumber - 2), newest(head.blockNumber - 30))
    expect(await chainWith().commonHead()).toMatchObject({ blockNumber: head.blockNumber - 2 })
    const [first] = behave()
    expect(await chainWith().isSignedBy(wallet, hash(), '0x01', await chainWith().commonHead())).toBe(true)
    const call = first?.requests.findLast(({ method }) => method === 'eth_call')
    expect(call?.params[1]).toBe(toQuantity(head.blockNumber))
  })

  test('at a block that the chain does not have any more is no answer', async () => {
    const { blockNumber } = await chainWith().commonHead()
    const orphan = { blockNumber, blockHash: hash() }
    expect(await codeOf(chainWith().isSignedBy(wallet, hash(), '0x01', orphan))).toBe('chain_unavailable')
    const future = { blockNumber: blockNumber + 1_000, blockHash: hash() }
    expect(await codeOf(chainWith().isSignedBy(wallet, hash(), '0x01', future))).toBe('chain_unavailable')
  })

  test('that a node could not check is not invalid, because a busy node would otherwise lock users out', async () => {
    for (const words of [
      'daily request count exceeded, request rate limited',
      'header not found',
      'missing trie node',
    ]) {
      const busy = limited(refused(words), { methods: ['eth_call'] })
      behave(busy, busy)
      expect(await codeOf(isSignedBy(chainWith(), wallet, '0x01'))).toBe('chain_unavailable')
    }
  })
})

describe('sending', () => {
  test('a nonce that only one node reports too high is ignored, because it would leave a gap to be filled', async () => {
    const high: Fault = async () => ({ kind: 'body', body: { jsonrpc: '2.0', result: '0x3e8' } })
    const methods = ['eth_getTransactionCount']
    // The lying node answers first.
    const late: Fault = async () => sleep(50).then(() => ({ kind: 'honest' }))
    behave(limited(high, { methods }), limited(late, { methods }), limited(late, { methods }))
    const account = anchorAccountOf(chainWith())
    const nonce = await node.getTransactionCount(account.address)
    expect([await account.pendingNonce(), await account.minedNonce()]).toEqual([nonce, nonce])
  })

  test('a transaction is sent to every node, and is accepted when one accepts it', async () => {
    const account = anchorAccountOf(chainWith())
    const signed = await account.signAnchor([hash()], await account.pendingNonce())
    const send = { methods: ['eth_sendRawTransaction'] }
    behave(limited(status(500), send), limited(faults.resetBefore, send))
    expect(await account.broadcast(signed.raw)).toBe('accepted')
    for (const { requests: asked } of proxies) {
      await expect.poll(() => asked).toContainEqual({ method: 'eth_sendRawTransaction', params: [signed.raw] })
    }
  })

  test('a node that hangs does not delay what another has accepted', async () => {
    const account = anchorAccountOf(chainWith())
    const signed = await account.signAnchor([hash()], await account.pendingNonce())
    const [first] = behave(faults.hangBefore)
    expect(await account.broadcast(signed.raw)).toBe('accepted')
    expect(first?.hanging).toBe(1)
  })

  test('a transaction that one node drops is kept by another', async () => {
    const chain = chainWith()
    const account = anchorAccountOf(chain)
    const signed = await account.signAnchor([hash()], await account.pendingNonce())
    behave(faults.dropped, faults.dropped)
    expect(await account.broadcast(signed.raw)).toBe('accepted')
    await expect.poll(() => chain.transaction(signed.txid)).toMatchObject({ succeeded: true })
  })

  test('a refusal by all nodes reports the fault that an operator can remedy, not that one node is down', async () => {
    const poor = anchorAccountOf(
      chainWith({ account: { privateKey: hash(), maxFeePerGas: 10n ** 12n, replaceAfterMs: 1 } }),
    )
    const signed = await poor.signAnchor([hash()], 0)
    behave(faults.resetBefore, together(otherChain(1), status(500)))
    expect(await poor.broadcast(signed.raw)).toBe('unfunded')
    behave(...proxies.map(() => limited(refused('txpool is full'), { methods: ['eth_sendRawTransaction'] })))
    await expect(poor.broadcast(signed.raw)).rejects.toMatchObject({
      code: 'chain_unavailable',
      message: 'No node of chain three took the transaction.',
      cause: { message: expect.stringMatching(/node 3: .*txpool is full/) },
    })
  })

  test('a refusal because all nodes serve another chain is reported as such', async () => {
    const account = anchorAccountOf(chainWith())
    const signed = await account.signAnchor([hash()], await account.pendingNonce())
    behave(otherChain(1), otherChain(1), otherChain(1))
    expect(await codeOf(anchorAccountOf(chainWith()).broadcast(signed.raw))).toBe('chain_misconfigured')
  })

  test('a used nonce is reported even while other nodes are down', async () => {
    const account = anchorAccountOf(chainWith())
    const loser = await account.signAnchor([hash()], await account.pendingNonce())
    await anchor()
    behave(status(503), faults.resetBefore)
    expect(await account.broadcast(loser.raw)).toBe('overtaken')
  })

  test('a node that now serves another chain is ignored when signing', async () => {
    const account = anchorAccountOf(chainWith())
    await account.pendingNonce()
    behave(otherChain(1))
    const signed = await account.signAnchor([hash()], await account.pendingNonce())
    expect(Transaction.from(signed.raw).chainId).toBe(31337n)
    const [first] = proxies
    expect(first?.requests.at(-1)?.method).toBe('eth_chainId')
  })
})
