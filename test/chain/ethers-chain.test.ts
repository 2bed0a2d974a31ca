// The chain adapter against a real EVM: what is signed, handed over, mined, replaced and read back.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Contract, JsonRpcProvider, Transaction } from 'ethers'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import { type ChainConfig, createEthersChain } from '../../src/adapters/ethers-chain.ts'
import { AppError } from '../../src/core/errors.ts'
import { type EmbeddedChain, startChain } from '../../src/embedded/chain.ts'
import type { Chain, SignedTransaction } from '../../src/ports/chain.ts'

const hash = () => `0x${randomBytes(32).toString('hex')}`
const hashes = (count: number) => Array.from({ length: count }, hash)

let folder: string
let local: EmbeddedChain
let node: JsonRpcProvider
let chain: Chain

const chainWith = (change: Partial<ChainConfig>) =>
  createEthersChain({
    name: 'local',
    caip2: 'eip155:31337',
    rpcUrls: [local.rpcUrl],
    contract: local.contract,
    confirmations: 3,
    privateKey: local.anchorPrivateKey,
    ...change,
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-chain-'))
  local = await startChain(folder, pino({ level: 'silent' }))
  node = new JsonRpcProvider(local.rpcUrl, local.chainId, { staticNetwork: true, cacheTimeout: -1 })
  chain = chainWith({})
}, 30_000)

afterAll(async () => {
  node?.destroy()
  await local?.stop()
  await rm(folder, { recursive: true, force: true })
}, 30_000)

async function mined(signed: SignedTransaction) {
  for (;;) {
    const transaction = await chain.transaction(signed.txid)
    if (transaction !== null) return transaction
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

async function anchor(batch: readonly string[]) {
  const signed = await chain.signAnchor(batch, await chain.pendingNonce())
  await chain.broadcast(signed.raw)
  return { signed, ...(await mined(signed)) }
}

async function failure(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${error}`)
  return error
}

const causeOf = (error: AppError) => (error.cause instanceof Error ? error.cause.message : '')

test('the configured chain and contract are recognised', async () => {
  await expect(chain.check()).resolves.toBeUndefined()
  expect(chain.signer).toBe('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
})

test('an anchored batch is mined with exactly its hashes, and found again by hash', async () => {
  const batch = hashes(3)
  const before = Math.floor(Date.now() / 1000)
  const transaction = await anchor(batch)
  expect(transaction).toMatchObject({ succeeded: true, txid: transaction.signed.txid })
  expect(transaction.events).toEqual(
    batch.map((bundleHash, logIndex) => ({ bundleHash, logIndex, contract: local.contract })),
  )
  expect(Math.abs(transaction.blockTime.getTime() / 1000 - before)).toBeLessThan(60)
  expect(await chain.findAnchor(batch[1] ?? '')).toEqual([transaction.txid])
  expect(await chain.findAnchor(hash())).toEqual([])
})

test('one hash goes through anchorEvidence; a hash anchored twice is found twice, oldest first', async () => {
  const once = hash()
  const first = await anchor([once])
  const second = await anchor([once])
  expect(Transaction.from(first.signed.raw).data.slice(0, 10)).toBe('0x09561a57')
  expect(first.events).toHaveLength(1)
  expect(await chain.findAnchor(once)).toEqual([first.txid, second.txid])
})

test('signing sends nothing, and a transaction nobody has seen is null, not an error', async () => {
  const signed = await chain.signAnchor([hash()], await chain.pendingNonce())
  expect(await chain.transaction(signed.txid)).toBeNull()
  expect(await chain.transaction(hash())).toBeNull()
  expect(Transaction.from(signed.raw)).toMatchObject({
    hash: signed.txid,
    nonce: signed.nonce,
    chainId: 31337n,
    type: 2,
  })
})

test('the same bytes handed over again count as handed over, waiting or mined: a crash after sending must not fail', async () => {
  await node.send('evm_setAutomine', [false])
  const nonce = await chain.pendingNonce()
  const signed = await chain.signAnchor([hash()], nonce)
  await chain.broadcast(signed.raw)
  await expect(chain.broadcast(signed.raw)).resolves.toBeUndefined()
  expect(await chain.pendingNonce()).toBe(nonce + 1)
  expect(await chain.transaction(signed.txid)).toBeNull()
  await node.send('evm_setAutomine', [true])
  await node.send('evm_mine', [])
  await mined(signed)
  await expect(chain.broadcast(signed.raw)).resolves.toBeUndefined()
})

test('a nonce another transaction took is a failure that says so, or the anchor would be waited for for ever', async () => {
  const nonce = await chain.pendingNonce()
  const loser = await chain.signAnchor([hash()], nonce)
  await anchor([hash()])
  const error = await failure(chain.broadcast(loser.raw))
  expect(error.code).toBe('chain_unavailable')
  expect(causeOf(error)).toMatch(/does not know the transaction.*nonce too low/)
})

test('a transaction is included, then final after its confirmations', async () => {
  const { blockNumber, blockHash } = await anchor([hash()])
  expect(await chain.standing(blockNumber, blockHash)).toBe('included')
  await node.send('anvil_mine', ['0x1'])
  expect(await chain.standing(blockNumber, blockHash)).toBe('included')
  await node.send('anvil_mine', ['0x1'])
  expect(await chain.standing(blockNumber, blockHash)).toBe('final')
})

test('a block replaced by another, or gone with the chain now shorter, has vanished', async () => {
  const snapshot: unknown = await node.send('evm_snapshot', [])
  const gone = await anchor([hash()])
  await node.send('evm_revert', [snapshot])
  expect(await chain.standing(gone.blockNumber, gone.blockHash)).toBe('vanished')
  expect(await chain.transaction(gone.txid)).toBeNull()

  const replaced = await anchor([hash()])
  await node.send('anvil_reorg', [1, []])
  expect(await chain.standing(replaced.blockNumber, replaced.blockHash)).toBe('vanished')
  const again = await chain.transaction(replaced.txid)
  expect(again === null || again.blockHash !== replaced.blockHash).toBe(true)
})

test('legacy fees are used where blocks have no base fee', async () => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const upstream = await fetch(local.rpcUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.concat(chunks),
    })
    response.end((await upstream.text()).replace(/"baseFeePerGas":"0x[0-9a-f]+",/, ''))
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const legacy = chainWith({ rpcUrls: [`http://127.0.0.1:${port}`] })
  const signed = await legacy.signAnchor([hash()], await legacy.pendingNonce())
  expect(Transaction.from(signed.raw).type).toBe(0)
  await legacy.broadcast(signed.raw)
  expect((await mined(signed)).succeeded).toBe(true)
  server.closeAllConnections()
  server.close()
})

test('a node of another chain is refused before anything is signed, or a signature could be used elsewhere', async () => {
  const wrong = chainWith({ caip2: 'eip155:1' })
  for (const question of [wrong.check(), wrong.signAnchor([hash()], 0), wrong.transaction(hash())]) {
    const error = await failure(question)
    expect(error).toMatchObject({
      code: 'chain_unavailable',
      message: expect.stringMatching(/eip155:31337, not eip155:1/),
    })
  }
})

test('a missing contract is told by check', async () => {
  const error = await failure(chainWith({ contract: `0x${'42'.repeat(20)}` }).check())
  expect(error.message).toMatch(/no contract/)
})

test('a dead node is chain_unavailable without its URL, which may hold a secret; the next node is asked instead', async () => {
  const dead = 'http://127.0.0.1:9/v3/secret-key'
  const signed = await chain.signAnchor([hash()], await chain.pendingNonce())
  for (const question of [
    (down: Chain) => down.check(),
    (down: Chain) => down.transaction(hash()),
    (down: Chain) => down.findAnchor(hash()),
    (down: Chain) => down.standing(1, hash()),
    (down: Chain) => down.pendingNonce(),
    (down: Chain) => down.signAnchor([hash()], 0),
    (down: Chain) => down.broadcast(signed.raw),
  ]) {
    const error = await failure(question(chainWith({ rpcUrls: [dead] })))
    expect(error.code).toBe('chain_unavailable')
    expect(`${error.message} ${causeOf(error)}`).not.toMatch(/secret|http/)
  }
  await expect(chainWith({ rpcUrls: [dead, local.rpcUrl] }).check()).resolves.toBeUndefined()
})

test('an empty batch is refused by us and by the contract', async () => {
  await expect(chain.signAnchor([], 0)).rejects.toThrow(RangeError)
  const contract = new Contract(local.contract, evidenceAnchor.abi, node)
  await expect(contract.getFunction('anchorEvidenceBatch').staticCall([])).rejects.toThrow(/EmptyBatch/)
})

test('a receipt costs at most 2,450 gas in a full batch, or the figure in the README is wrong', async () => {
  const { txid, events } = await anchor(hashes(500))
  expect(events).toHaveLength(500)
  const perReceipt = Number((await node.getTransactionReceipt(txid))?.gasUsed) / 500
  console.log(`gas per receipt at a batch of 500: ${perReceipt.toFixed(1)}`)
  expect(perReceipt).toBeLessThanOrEqual(2_450)
})
