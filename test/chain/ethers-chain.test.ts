// The chain adapter on a real EVM with one node: signing, broadcasting, mining, replacing and reading back.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Contract, Interface, JsonRpcProvider, parseUnits, Transaction } from 'ethers'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import { type ChainConfig, createEthersChain } from '../../src/adapters/ethers-chain.ts'
import type { AppError } from '../../src/core/errors.ts'
import { type EmbeddedChain, startChain } from '../../src/embedded/chain.ts'
import type { AnchorAccount, Chain, SignedTransaction } from '../../src/ports/chain.ts'
import { failure } from '../kit/failure.ts'
import { faults, feeSpike, limited, otherChain, refused } from '../kit/rpc-faults.ts'
import { type RpcProxy, startRpcProxy } from '../kit/rpc-proxy.ts'

const hash = () => `0x${randomBytes(32).toString('hex')}`
const hashes = (count: number) => Array.from({ length: count }, hash)

const cap = parseUnits('100', 'gwei')

let folder: string
let local: EmbeddedChain
let proxy: RpcProxy
let node: JsonRpcProvider
let chain: Chain
let account: AnchorAccount

const chainWith = (change: Partial<ChainConfig>) =>
  createEthersChain({
    name: 'local',
    caip2: 'eip155:31337',
    rpcUrls: [proxy.url],
    contract: local.contract,
    finality: { confirmations: 3 },
    account: { privateKey: local.anchorPrivateKey, maxFeePerGas: cap, replaceAfterMs: 60_000 },
    ...change,
  })

function accountWith(change: { privateKey?: string; maxFeePerGas?: bigint }, rpcUrls = [proxy.url]): AnchorAccount {
  const plain = { privateKey: local.anchorPrivateKey, maxFeePerGas: cap, replaceAfterMs: 60_000 }
  const { account } = chainWith({ rpcUrls, account: { ...plain, ...change } })
  if (account === null) throw new Error('no account')
  return account
}

const automine = (on: boolean) => node.send('evm_setAutomine', [on])
const mine = (blocks = 1) => node.send('anvil_mine', [`0x${blocks.toString(16)}`])

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-chain-'))
  local = await startChain(folder, pino({ level: 'silent' }))
  proxy = await startRpcProxy(local.rpcUrl)
  node = new JsonRpcProvider(local.rpcUrl, local.chainId, { staticNetwork: true, cacheTimeout: -1 })
  chain = chainWith({})
  account = accountWith({})
})

// Restores the node, so that a failed test does not affect the next.
afterEach(async () => {
  proxy.fault = null
  await automine(true)
  await mine()
})

afterAll(async () => {
  node?.destroy()
  await proxy?.stop()
  await local?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function mined({ txid }: Pick<SignedTransaction, 'txid'>) {
  for (;;) {
    const transaction = await chain.transaction(txid)
    if (transaction !== null) return transaction
    await sleep(10)
  }
}

async function anchor(batch: readonly string[]) {
  const signed = await account.signAnchor(batch, await account.pendingNonce())
  expect(await account.broadcast(signed.raw)).toBe('accepted')
  return { signed, ...(await mined(signed)) }
}

const causeOf = (error: AppError) => (error.cause instanceof Error ? error.cause.message : '')

test('the configured chain and contract are recognised', async () => {
  await expect(chain.check()).resolves.toBeUndefined()
  expect(account.address).toBe('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
})

test('an anchored batch is mined with exactly its hashes, and found again by hash', async () => {
  const batch = hashes(3)
  const before = Math.floor(Date.now() / 1000)
  const transaction = await anchor(batch)
  expect(transaction).toMatchObject({ succeeded: true, txid: transaction.signed.txid })
  expect(transaction.events).toEqual(
    batch.map((bundleHash, logIndex) => ({ bundleHash, logIndex, sender: account.address, contract: local.contract })),
  )
  expect(Math.abs(transaction.blockTime.getTime() / 1000 - before)).toBeLessThan(60)
  expect(await chain.findAnchor(batch[1] ?? '')).toEqual([transaction.txid])
  expect(await chain.findAnchor(hash())).toEqual([])
})

test('one hash is sent with anchorEvidence; a hash anchored twice is found twice, oldest first', async () => {
  const once = hash()
  const first = await anchor([once])
  const second = await anchor([once])
  expect(Transaction.from(first.signed.raw).data.slice(0, 10)).toBe('0x09561a57')
  expect(first.events).toHaveLength(1)
  expect(await chain.findAnchor(once)).toEqual([first.txid, second.txid])
})

test('a failed transaction is reported as failed, and carries no hash', async () => {
  const [from] = await node.send('eth_accounts', [])
  const data = new Interface(evidenceAnchor.abi).encodeFunctionData('anchorEvidence', [hash()])
  // Enough gas to be accepted, too little to be executed.
  const txid = await node.send('eth_sendTransaction', [{ from, to: local.contract, data, gas: '0x5a00' }])
  expect(await mined({ txid })).toMatchObject({ txid, succeeded: false, events: [] })
})

test('signing sends nothing, and an unknown transaction is null, not an error', async () => {
  const signed = await account.signAnchor([hash()], await account.pendingNonce())
  expect(await chain.transaction(signed.txid)).toBeNull()
  expect(await chain.transaction(hash())).toBeNull()
  expect(Transaction.from(signed.raw)).toMatchObject({
    hash: signed.txid,
    nonce: signed.nonce,
    chainId: 31337n,
    type: 2,
    maxFeePerGas: signed.maxFeePerGas,
  })
})

test('bytes that are broadcast again are accepted, pending or mined, so that a crash after sending does no harm', async () => {
  await automine(false)
  const nonce = await account.pendingNonce()
  const signed = await account.signAnchor([hash()], nonce)
  expect(await account.broadcast(signed.raw)).toBe('accepted')
  expect(await account.broadcast(signed.raw)).toBe('accepted')
  expect([await account.pendingNonce(), await account.minedNonce()]).toEqual([nonce + 1, nonce])
  expect(await chain.transaction(signed.txid)).toBeNull()
  await automine(true)
  await mine()
  await mined(signed)
  expect(await account.minedNonce()).toBe(nonce + 1)
  expect(await account.broadcast(signed.raw)).toBe('accepted')
})

test('a transaction whose answer was lost is accepted, because it would otherwise count as not sent', async () => {
  await automine(false)
  const signed = await account.signAnchor([hash()], await account.pendingNonce())
  proxy.fault = limited(faults.resetAfter, { methods: ['eth_sendRawTransaction'] })
  expect(await account.broadcast(signed.raw)).toBe('accepted')
})

test('a node that refuses a transaction as already known is trusted, even when it cannot return the transaction', async () => {
  await automine(false)
  const signed = await account.signAnchor([hash()], await account.pendingNonce())
  expect(await account.broadcast(signed.raw)).toBe('accepted')
  const lookUps = ['eth_getTransactionByHash']
  for (const fault of [refused('transaction indexing is in progress'), faults.noResult]) {
    proxy.fault = limited(fault, { methods: lookUps })
    expect(await account.broadcast(signed.raw)).toBe('accepted')
  }
})

test('a node that returns no transaction hash, or a wrong one, has not accepted the transaction', async () => {
  await automine(false)
  const signed = await account.signAnchor([hash()], await account.pendingNonce())
  for (const fault of [faults.noResult, faults.wrongTypes]) {
    proxy.fault = limited(fault, { methods: ['eth_sendRawTransaction'] })
    expect((await failure(account.broadcast(signed.raw))).code).toBe('chain_unavailable')
  }
})

test('a transaction that the node accepted and dropped can be broadcast again', async () => {
  const signed = await account.signAnchor([hash()], await account.pendingNonce())
  proxy.fault = faults.dropped
  expect(await account.broadcast(signed.raw)).toBe('accepted')
  expect(await chain.transaction(signed.txid)).toBeNull()
  proxy.fault = null
  expect(await account.broadcast(signed.raw)).toBe('accepted')
  expect((await mined(signed)).succeeded).toBe(true)
})

test('a nonce that another transaction used is reported, because the anchor would otherwise be waited for indefinitely', async () => {
  const nonce = await account.pendingNonce()
  const loser = await account.signAnchor([hash()], nonce)
  await anchor([hash()])
  expect(await account.broadcast(loser.raw)).toBe('overtaken')
})

test('a filler only uses up its nonce, so that the anchors above a gap are mined', async () => {
  await automine(false)
  const nonce = await account.pendingNonce()
  const behind = await account.signAnchor([hash()], nonce + 1)
  await account.broadcast(behind.raw)
  const filler = await account.signFiller(nonce)
  expect(Transaction.from(filler.raw)).toMatchObject({ data: '0x', value: 0n, nonce })
  expect(Transaction.from(filler.raw).to?.toLowerCase()).toBe(account.address)
  expect(await account.broadcast(filler.raw)).toBe('accepted')
  await automine(true)
  await mine()
  expect(await mined(filler)).toMatchObject({ succeeded: true, events: [] })
  expect((await mined(behind)).events).toHaveLength(1)
})

const feesOf = (raw: string) => {
  const { maxFeePerGas, maxPriorityFeePerGas, gasPrice, type } = Transaction.from(raw)
  return { type, perGas: maxFeePerGas ?? gasPrice ?? 0n, tip: maxPriorityFeePerGas ?? gasPrice ?? 0n }
}

/** Broadcasts both; the second must replace the first. */
async function replace(first: SignedTransaction, second: SignedTransaction | null) {
  if (second === null) throw new Error('no replacement')
  expect(await account.broadcast(first.raw)).toBe('accepted')
  expect(await account.broadcast(second.raw)).toBe('accepted')
  await automine(true)
  await mine()
  const transaction = await mined(second)
  expect(await chain.transaction(first.txid)).toBeNull()
  const [before, after] = [feesOf(first.raw), feesOf(second.raw)]
  expect(after.perGas * 10n).toBeGreaterThanOrEqual(before.perGas * 11n)
  expect(after.tip * 10n).toBeGreaterThanOrEqual(before.tip * 11n)
  expect(second).toMatchObject({ nonce: first.nonce, maxFeePerGas: after.perGas })
  return transaction
}

test('a stuck transaction is replaced by the same call with higher fees that a node accepts', async () => {
  await automine(false)
  const batch = hashes(2)
  const first = await account.signAnchor(batch, await account.pendingNonce())
  const transaction = await replace(first, await account.signReplacement(first.raw))
  expect(transaction.events.map(event => event.bundleHash)).toEqual(batch)
})

test('a replacement follows the chain’s fees when they have risen by more than the required increase', async () => {
  await automine(false)
  const first = await account.signAnchor([hash()], await account.pendingNonce())
  proxy.fault = feeSpike(5n)
  const second = await account.signReplacement(first.raw)
  expect(feesOf(second?.raw ?? '').perGas).toBeGreaterThan(feesOf(first.raw).perGas * 2n)
  await replace(first, second)
})

test('legacy fees are used and raised where blocks have no base fee', async () => {
  await automine(false)
  proxy.fault = faults.noBaseFee
  const first = await account.signAnchor([hash()], await account.pendingNonce())
  const second = await account.signReplacement(first.raw)
  expect([feesOf(first.raw).type, feesOf(second?.raw ?? '').type]).toEqual([0, 0])
  expect((await replace(first, second)).succeeded).toBe(true)
})

test('a transaction with legacy fees is replaced on a chain that now has a base fee, and the reverse', async () => {
  for (const [before, after] of [
    [faults.noBaseFee, null],
    [null, faults.noBaseFee],
  ]) {
    await automine(false)
    proxy.fault = before ?? null
    const first = await account.signAnchor([hash()], await account.pendingNonce())
    proxy.fault = after ?? null
    await replace(first, await account.signReplacement(first.raw))
  }
})

test('a chain without eth_maxPriorityFeePerGas can be used', async () => {
  proxy.fault = faults.noMaxPriorityFee
  const { signed } = await anchor([hash()])
  expect(feesOf(signed.raw)).toMatchObject({ type: 2 })
})

test('no fee exceeds the cap, whatever a node suggests; at the cap there is no replacement', async () => {
  const nonce = await account.pendingNonce()
  proxy.fault = feeSpike(10n ** 9n)
  const signed = await account.signAnchor([hash()], nonce)
  expect(feesOf(signed.raw)).toMatchObject({ perGas: cap, tip: cap })
  expect(await account.signReplacement(signed.raw)).toBeNull()
  proxy.fault = null
  const low = await accountWith({ maxFeePerGas: parseUnits('10', 'gwei') }).signAnchor([hash()], nonce)
  proxy.fault = feeSpike(10n ** 9n)
  expect(feesOf((await account.signReplacement(low.raw))?.raw ?? '').perGas).toBe(cap)
})

test('a fee that no node accepts is reported as too low, for the block or for a replacement', async () => {
  await node.send('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca00'])
  await mine()
  const nonce = await account.pendingNonce()
  const cheap = await accountWith({ maxFeePerGas: 5n }).signAnchor([hash()], nonce)
  expect(await account.broadcast(cheap.raw)).toBe('underpriced')
  await automine(false)
  const first = await account.signAnchor([hash()], nonce)
  expect(await account.broadcast(first.raw)).toBe('accepted')
  const twin = await account.signAnchor([hash()], nonce)
  expect(await account.broadcast(twin.raw)).toBe('underpriced')
})

test('a signer without funds is reported as such', async () => {
  const poor = accountWith({ privateKey: hash() })
  const signed = await poor.signAnchor([hash()], 0)
  expect(await poor.broadcast(signed.raw)).toBe('unfunded')
  expect((await poor.funds()).balance).toBe(0n)
})

test('funds are the balance and the minimum cost of a full batch', async () => {
  const { balance, cost } = await account.funds()
  expect(balance).toBe(await node.getBalance(account.address))
  const { signed, txid } = await anchor(hashes(500))
  const receipt = await node.getTransactionReceipt(txid)
  expect(cost).toBeGreaterThan(receipt?.fee ?? 0n)
  expect(cost).toBeLessThan(2n * feesOf(signed.raw).perGas * (receipt?.gasUsed ?? 0n))
})

test('a node that serves another chain since the start is detected before anything more is signed', async () => {
  const first = await account.signAnchor([hash()], await account.pendingNonce())
  for (const sign of [
    () => account.signAnchor([hash()], 0),
    () => account.signFiller(0),
    () => account.signReplacement(first.raw),
  ]) {
    proxy.fault = otherChain(1)
    expect((await failure(sign())).code).toBe('chain_misconfigured')
    proxy.fault = null
    await anchor([hash()])
  }
})

test('a transaction of another chain or another key is never signed again', async () => {
  const other = await accountWith({ privateKey: hash() }).signAnchor([hash()], 0)
  await expect(account.signReplacement(other.raw)).rejects.toThrow()
  proxy.fault = otherChain(1)
  const elsewhere = await chainWith({ caip2: 'eip155:1' }).account?.signAnchor([hash()], 0)
  proxy.fault = null
  await expect(account.signReplacement(elsewhere?.raw ?? '')).rejects.toThrow()
})

test('a transaction is included, then final after its confirmations', async () => {
  const { blockNumber, blockHash } = await anchor([hash()])
  expect(await chain.blockStatus(blockNumber, blockHash)).toBe('included')
  await mine()
  expect(await chain.blockStatus(blockNumber, blockHash)).toBe('included')
  await mine()
  expect(await chain.blockStatus(blockNumber, blockHash)).toBe('final')
})

test('a block that a reorg removed is unknown until the chain has its height again, then it has vanished', async () => {
  const snapshot: unknown = await node.send('evm_snapshot', [])
  const gone = await anchor([hash()])
  await node.send('evm_revert', [snapshot])
  expect(await chain.blockStatus(gone.blockNumber, gone.blockHash)).toBe('unknown')
  expect(await chain.transaction(gone.txid)).toBeNull()
  await mine(5)
  expect(await chain.blockStatus(gone.blockNumber, gone.blockHash)).toBe('vanished')
})

test('a block that was replaced by another has vanished', async () => {
  const replaced = await anchor([hash()])
  await node.send('anvil_reorg', [1, []])
  expect(await chain.blockStatus(replaced.blockNumber, replaced.blockHash)).toBe('vanished')
  const again = await chain.transaction(replaced.txid)
  expect(again === null || again.blockHash !== replaced.blockHash).toBe(true)
})

test('a node of another chain is refused before anything is signed, because the signature could be used there', async () => {
  const wrong = chainWith({ caip2: 'eip155:1' })
  for (const question of [
    () => wrong.check(),
    () => wrong.transaction(hash()),
    async () => wrong.account?.signAnchor([hash()], 0),
  ]) {
    const error = await failure(question())
    expect(error).toMatchObject({
      code: 'chain_misconfigured',
      message: expect.stringMatching(/eip155:31337, not eip155:1/),
    })
  }
})

test('a missing contract is reported by check', async () => {
  const error = await failure(chainWith({ contract: `0x${'42'.repeat(20)}` }).check())
  expect(error).toMatchObject({ code: 'chain_misconfigured', message: expect.stringMatching(/no contract/) })
})

test('a dead node is chain_unavailable without its URL, which may contain a secret; the next node is queried instead', async () => {
  const dead = 'http://127.0.0.1:9/v3/secret-key'
  const signed = await account.signAnchor([hash()], await account.pendingNonce())
  const alone = accountWith({}, [dead])
  const down = chainWith({ rpcUrls: [dead] })
  for (const question of [
    () => down.check(),
    () => down.head(),
    () => down.transaction(hash()),
    () => down.findAnchor(hash()),
    () => down.blockStatus(1, hash()),
    () => down.hasCode(local.contract),
    () => down.commonHead(),
    () => down.isSignedBy(local.contract, hash(), '0x', { blockNumber: 0, blockHash: hash() }),
    () => alone.pendingNonce(),
    () => alone.minedNonce(),
    () => alone.signAnchor([hash()], 0),
    () => alone.signReplacement(signed.raw),
    () => alone.funds(),
    () => alone.broadcast(signed.raw),
  ]) {
    const error = await failure(question())
    expect(error.code).toBe('chain_unavailable')
    expect(causeOf(error)).toMatch(/node 1: .*ECONNREFUSED/)
    expect(`${error.message} ${causeOf(error)}`).not.toMatch(/secret|http/)
  }
  const spare = chainWith({ rpcUrls: [dead, proxy.url], quorum: 1 })
  await expect(spare.check()).resolves.toBeUndefined()
  expect((await spare.account?.signAnchor([hash()], 7))?.nonce).toBe(7)
})

test('user name and password in a node’s URL are sent to the node, as node providers require', async () => {
  const named = chainWith({ rpcUrls: [proxy.url.replace('://', '://us%40er:pass@')] })
  await expect(named.check()).resolves.toBeUndefined()
  expect(proxy.authorizations).toContain(`Basic ${Buffer.from('us@er:pass').toString('base64')}`)
})

test('a process whose nodes never answer, or never finish an answer, gets its errors and can exit', async () => {
  const slow = await startRpcProxy(local.rpcUrl)
  slow.fault = faults.trickles
  proxy.fault = faults.hangBefore
  const program = `
    import { createEthersChain } from './src/adapters/ethers-chain.ts'
    const rest = { name: 'x', caip2: 'eip155:31337', contract: '0x', finality: 'safe', account: null }
    await Promise.all(${JSON.stringify([proxy.url, slow.url])}.map(url =>
      createEthersChain({ ...rest, rpcUrls: [url] }).check().catch(error => console.log(error.code))))`
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 25_000 })
  expect(stdout.trim().split('\n')).toEqual(['chain_unavailable', 'chain_unavailable'])
  await slow.stop()
})

test('an empty batch is refused by the adapter and by the contract', async () => {
  await expect(account.signAnchor([], 0)).rejects.toThrow(RangeError)
  const contract = new Contract(local.contract, evidenceAnchor.abi, node)
  await expect(contract.getFunction('anchorEvidenceBatch').staticCall([])).rejects.toThrow(/EmptyBatch/)
})

test('a receipt costs at most 2,450 gas in a full batch, as docs/figures.md states', async () => {
  const { txid, events } = await anchor(hashes(500))
  expect(events).toHaveLength(500)
  const perReceipt = Number((await node.getTransactionReceipt(txid))?.gasUsed) / 500
  console.log(`gas per receipt at a batch of 500: ${perReceipt.toFixed(1)}`)
  expect(perReceipt).toBeLessThanOrEqual(2_450)
})
