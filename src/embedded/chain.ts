// The default chain: anvil on the loopback interface with our contract, kept under DATA_DIR.
import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCreateAddress, HDNodeWallet } from 'ethers'
import type { Logger } from 'pino'
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import { chainId, endAnvil, openAnvil, rpcAt } from './anvil.ts'
import { keepState, type Rpc } from './chain-state.ts'
import { StartError } from './start-error.ts'

export type EmbeddedChain = {
  rpcUrl: string
  chainId: number
  /** Lower-case. */
  contract: string
  anchorPrivateKey: string
  stop(): Promise<void>
}

// The mnemonic every development chain knows: worth nothing, and no secret.
const account = (index: number) =>
  HDNodeWallet.fromPhrase('test test test test test test test test test test test junk', '', `m/44'/60'/0'/0/${index}`)

/** Two owners at once are excluded by the lock of the embedded PostgreSQL, which is taken before. */
export async function startChain(dataDir: string, log: Pick<Logger, 'info' | 'error'>): Promise<EmbeddedChain> {
  await mkdir(dataDir, { recursive: true }).catch(error => {
    throw new StartError(`The local chain could not make its folder, under DATA_DIR: ${error.message}`)
  })
  const folder = await realpath(dataDir)
  const stateFile = join(folder, 'state.json')
  const { pid, port, adopted } = await openAnvil(folder, stateFile)
  // Long, because a long chain takes long to dump.
  const keeper = keepState(stateFile, rpcAt(port, 60_000), log)
  const stop = async () => {
    keeper.end()
    await keeper.save().catch(error => log.error({ err: error }, 'the local chain could not be written to disk'))
    await endAnvil(pid, folder)
  }
  try {
    const contract = await deployOnce(rpcAt(port, 10_000), folder)
    await keeper.save()
    log.info({ pid, port, adopted }, 'local chain is ready')
    return { rpcUrl: `http://127.0.0.1:${port}`, chainId, contract, anchorPrivateKey: account(1).privateKey, stop }
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

/** The first transaction of account 0, so that the address is the same on every machine. */
async function deployOnce(rpc: Rpc, folder: string): Promise<string> {
  const from = account(0).address
  const contract = getCreateAddress({ from, nonce: 0 }).toLowerCase()
  const isThere = async () => (await rpc('eth_getCode', [contract, 'latest'])) !== '0x'
  if (await isThere()) return contract
  if ((await rpc('eth_getTransactionCount', [from, 'latest'])) === '0x0') {
    await rpc('eth_sendTransaction', [{ from, data: evidenceAnchor.bytecode }])
    for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(10)) {
      if (await isThere()) return contract
    }
  }
  throw new StartError(`The local chain in ${folder} is without our contract: remove that folder to begin a new chain.`)
}
