// Runs the default chain: anvil on the loopback interface with our contracts, stored under DATA_DIR.
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
import { endWithout, runsIn } from './process.ts'
import { StartError } from './start-error.ts'

export type EmbeddedChain = {
  rpcUrl: string
  chainId: number
  /** Lower-case. */
  contract: string
  anchorPrivateKey: string
  /** The token in which paid requests are paid, lower-case; any account can create units for itself with `mint`. */
  testDollar: string
  /** Key of the account that sends the authorizations that payers have signed. */
  facilitatorPrivateKey: string
  /** The address that is paid, lower-case; not the one that pays for gas. */
  payTo: string
  /**
   * Price feeds with made-up rates that are as old as the chain, because an update would add a block at every start.
   */
  feeds: readonly { base: string; quote: string; address: string }[]
  stop(): Promise<void>
}

const stateName = 'state.json'
const watchEveryMs = 1_000

// The mnemonic of every development chain: worth nothing, and no secret. Derived at the first use, because that takes
// long, and most services have another chain.
let accounts: HDNodeWallet | undefined
const account = (index: number) => {
  accounts ??= HDNodeWallet.fromPhrase(
    'test test test test test test test test test test test junk',
    '',
    `m/44'/60'/0'/0`,
  )
  return accounts.deriveChild(index)
}

// The address of Multicall3 on public chains.
const multicall3Address = '0xca11bde05977b3631167028862be2a173976ca11'

/** Starts the local chain. The lock of the embedded PostgreSQL, which is taken before, excludes two owners at once. */
export async function startChain(dataDir: string, log: Pick<Logger, 'info' | 'error'>): Promise<EmbeddedChain> {
  await mkdir(dataDir, { recursive: true }).catch(error => {
    throw new StartError(`The local chain could not make its folder, under DATA_DIR: ${error.message}`)
  })
  const folder = await realpath(dataDir)
  const stateFile = join(folder, stateName)
  const opened = await openAnvil(folder, stateFile)
  const { port, adopted } = opened
  let { pid, callOff } = opened
  // A long timeout, because a long chain takes long to dump.
  const keeper = keepState(stateFile, rpcAt(port, 60_000), log)
  let reviving: Promise<void> | null = null
  // A killed anvil is started again with the blocks that are on disk, where it was, because its port is known.
  async function revive(): Promise<void> {
    if (await runsIn(pid, folder)) return
    log.error('the local chain went away, and is started again')
    const next = await openAnvil(folder, stateFile)
    callOff()
    pid = next.pid
    callOff = next.callOff
    if (next.port !== port) throw new StartError(`port ${port} is in use`)
    log.info({ node: pid, port }, 'local chain is ready again')
  }
  const watching = setInterval(() => {
    reviving ??= revive()
      .catch(error => endWithout('chain', error, log))
      .finally(() => {
        reviving = null
      })
  }, watchEveryMs).unref()
  const stop = async () => {
    clearInterval(watching)
    await reviving
    keeper.end()
    await keeper.save().catch(error => log.error({ err: error }, 'the local chain could not be written to disk'))
    await endAnvil(pid, folder)
    callOff()
  }
  try {
    const rpc = rpcAt(port, 10_000)
    const contract = await deployOnce(rpc, folder)
    // The address of the first deployment by account 9.
    const testDollarAddress = getCreateAddress({ from: account(9).address, nonce: 0 }).toLowerCase()
    await place(rpc, testDollarAddress, testDollar.deployedBytecode)
    await place(rpc, multicall3Address, aggregator3.deployedBytecode)
    const feeds = [{ base: 'FLR', quote: 'USD', address: await deployFeed(rpc) }]
    await keeper.save()
    log.info({ node: pid, port, adopted }, 'local chain is ready')
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
    clearInterval(watching)
    await reviving
    keeper.end()
    // An adopted anvil may have blocks that are not on disk yet.
    if (!adopted) await endAnvil(pid, folder)
    if (error instanceof StartError) throw error
    throw new StartError(
      `The local chain in ${folder} did not start: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/** Saves the chain of a dead process's anvil to disk and ends that anvil, unless another process has taken it over. */
export async function endOrphanedChain(folder: string, owner: string, pid: number): Promise<void> {
  // The folder was removed: there is nothing to write to, and no process can take the chain over.
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

/** Deploys with the first transaction of account 0, so that the address is the same on every machine. */
async function deployOnce(rpc: Rpc, folder: string): Promise<string> {
  const from = account(0).address
  const contract = getCreateAddress({ from, nonce: 0 }).toLowerCase()
  if (await isThere(rpc, contract)) return contract
  if ((await rpc('eth_getTransactionCount', [from, 'latest'])) === '0x0') {
    await rpc('eth_sendTransaction', [{ from, data: evidenceAnchor.bytecode }])
    if (await comesThere(rpc, contract)) return contract
  }
  throw new StartError(`The local chain in ${folder} has no anchor contract: remove that folder to begin a new chain.`)
}

// The deterministic deployer of every anvil. Through it, an address follows from the code alone: the feed is found
// again on a chain whose account 0 has sent other transactions, and a feed with changed code has another address.
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
  // On a chain that is set to mine rarely the feed appears later; nothing else depends on it.
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
 * Sets the code without a transaction, so that the address does not depend on what the account did on an older chain.
 * Such a chain keeps its blocks, and newer code replaces older code.
 */
async function place(rpc: Rpc, address: string, code: string): Promise<void> {
  if ((await rpc('eth_getCode', [address, 'latest'])) !== code) await rpc('anvil_setCode', [address, code])
}
