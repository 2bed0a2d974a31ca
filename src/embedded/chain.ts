// The default chain: anvil on the loopback interface with our contracts, kept under DATA_DIR.
import { existsSync } from 'node:fs'
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AbiCoder, concat, getCreate2Address, getCreateAddress, HDNodeWallet, keccak256, ZeroHash } from 'ethers'
import type { Logger } from 'pino'
import aggregator3 from '../../contracts/Aggregator3.json' with { type: 'json' }
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import priceFeed from '../../contracts/PriceFeed.json' with { type: 'json' }
import testDollar from '../../contracts/TestDollar.json' with { type: 'json' }
import { chainId, endAnvil, endingFile, liveAnvil, openAnvil, rpcAt } from './anvil.ts'
import { keepState, type Rpc } from './chain-state.ts'
import { StartError } from './start-error.ts'

export type EmbeddedChain = {
  rpcUrl: string
  chainId: number
  /** Lower-case. */
  contract: string
  anchorPrivateKey: string
  /** The token paid requests are paid in, lower-case; anyone makes some for himself with `mint`. */
  testDollar: string
  /** Sends what others have signed to pay us. */
  facilitatorPrivateKey: string
  /** Who is paid, lower-case: apart from whoever pays for gas. */
  payTo: string
  /** Price feeds with made-up rates, as old as the chain: to refresh them would add a block at every start. */
  feeds: readonly { base: string; quote: string; address: string }[]
  stop(): Promise<void>
}

const stateName = 'state.json'

// The mnemonic every development chain knows: worth nothing, and no secret.
const account = (index: number) =>
  HDNodeWallet.fromPhrase('test test test test test test test test test test test junk', '', `m/44'/60'/0'/0/${index}`)

// Where the first deployment of account 9 would put it.
const testDollarAddress = getCreateAddress({ from: account(9).address, nonce: 0 }).toLowerCase()
// Where it is on public chains.
const multicall3Address = '0xca11bde05977b3631167028862be2a173976ca11'

/** Two owners at once are excluded by the lock of the embedded PostgreSQL, which is taken before. */
export async function startChain(dataDir: string, log: Pick<Logger, 'info' | 'error'>): Promise<EmbeddedChain> {
  await mkdir(dataDir, { recursive: true }).catch(error => {
    throw new StartError(`The local chain could not make its folder, under DATA_DIR: ${error.message}`)
  })
  const folder = await realpath(dataDir)
  const stateFile = join(folder, stateName)
  const { pid, port, adopted, callOff } = await openAnvil(folder, stateFile)
  // Long, because a long chain takes long to dump.
  const keeper = keepState(stateFile, rpcAt(port, 60_000), log)
  const stop = async () => {
    keeper.end()
    await keeper.save().catch(error => log.error({ err: error }, 'the local chain could not be written to disk'))
    await endAnvil(pid, folder)
    callOff()
  }
  try {
    const rpc = rpcAt(port, 10_000)
    const contract = await deployOnce(rpc, folder)
    await place(rpc, testDollarAddress, testDollar.deployedBytecode)
    await place(rpc, multicall3Address, aggregator3.deployedBytecode)
    const feeds = [{ base: 'FLR', quote: 'USD', address: await deployFeed(rpc) }]
    await keeper.save()
    log.info({ pid, port, adopted }, 'local chain is ready')
    return {
      rpcUrl: `http://127.0.0.1:${port}`,
      chainId,
      contract,
      anchorPrivateKey: account(1).privateKey,
      testDollar: testDollarAddress,
      facilitatorPrivateKey: account(2).privateKey,
      payTo: account(3).address.toLowerCase(),
      feeds,
      stop,
    }
  } catch (error) {
    keeper.end()
    // An adopted one may hold blocks that are not on disk yet.
    if (!adopted) await endAnvil(pid, folder)
    if (error instanceof StartError) throw error
    throw new StartError(
      `The local chain in ${folder} did not start: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/** Writes to disk what the anvil of a dead process holds, and ends it, unless another has taken it over by now. */
export async function endOrphanedChain(folder: string, owner: string, pid: number): Promise<void> {
  // Somebody removed the folder: there is nothing to write to, and nobody who could take it over.
  if (!existsSync(folder)) return endAnvil(pid, `${folder} (deleted)`)
  const ending = join(folder, endingFile)
  await writeFile(ending, '')
  try {
    const orphan = await liveAnvil(folder)
    if (!orphan?.isLive || orphan.note.owner !== owner) return
    const keeper = keepState(join(folder, stateName), rpcAt(orphan.note.port, 60_000), console)
    keeper.end()
    await keeper.save()
    await endAnvil(orphan.note.pid, folder)
  } finally {
    await rm(ending, { force: true })
  }
}

/** The first transaction of account 0, so that the address is the same on every machine. */
async function deployOnce(rpc: Rpc, folder: string): Promise<string> {
  const from = account(0).address
  const contract = getCreateAddress({ from, nonce: 0 }).toLowerCase()
  if (await isThere(rpc, contract)) return contract
  if ((await rpc('eth_getTransactionCount', [from, 'latest'])) === '0x0') {
    await rpc('eth_sendTransaction', [{ from, data: evidenceAnchor.bytecode }])
    if (await comesThere(rpc, contract)) return contract
  }
  throw new StartError(`The local chain in ${folder} is without our contract: remove that folder to begin a new chain.`)
}

// Every anvil has it. Through it an address follows from the code alone: the feed is found again on a chain whose account 0
// has sent anything, and one whose code has changed is another.
const create2Factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

async function deployFeed(rpc: Rpc): Promise<string> {
  const from = account(0).address
  // 0.02 dollars.
  const settings = AbiCoder.defaultAbiCoder().encode(
    ['string', 'uint8', 'address', 'int256'],
    ['FLR / USD', 8, from, 2_000_000n],
  )
  const code = concat([priceFeed.bytecode, settings])
  const feed = getCreate2Address(create2Factory, ZeroHash, keccak256(code)).toLowerCase()
  if (await isThere(rpc, feed)) return feed
  await rpc('eth_sendTransaction', [{ from, to: create2Factory, data: concat([ZeroHash, code]) }])
  // A chain whose developer lets it mine seldom brings it later: nothing else depends on it.
  await comesThere(rpc, feed)
  return feed
}

const isThere = async (rpc: Rpc, address: string) => (await rpc('eth_getCode', [address, 'latest'])) !== '0x'

async function comesThere(rpc: Rpc, address: string): Promise<boolean> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(10)) {
    if (await isThere(rpc, address)) return true
  }
  return false
}

/**
 * Without a transaction, so that the address is the same whatever that account did on a chain from before, which keeps its
 * blocks, and newer code takes the place of older.
 */
async function place(rpc: Rpc, address: string, code: string): Promise<void> {
  if ((await rpc('eth_getCode', [address, 'latest'])) !== code) await rpc('anvil_setCode', [address, code])
}
