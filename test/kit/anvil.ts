// Starts an anvil with any chain id and our contract, beside the embedded one, and sends a project's own transactions
// to it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HDNodeWallet, Interface } from 'ethers'
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import { killWithUs } from '../../src/embedded/on-death.ts'
import { serialQueue } from '../../src/kit/serial-queue.ts'

const functions = new Interface(evidenceAnchor.abi)

/** Derives an account from the mnemonic that every development chain knows. */
export const account = (index: number) =>
  HDNodeWallet.fromPhrase('test test test test test test test test test test test junk', '', `m/44'/60'/0'/0/${index}`)
/** The wallet from which the project sends its own transactions; the service signs with account 1. */
export const wallet = account(5).address

export type Anvil = Awaited<ReturnType<typeof startAnvil>>

/** Starts a chain with this id and deploys our contract on it. `more`: further anvil arguments. */
export async function startAnvil(chainId: number, more: string[] = []) {
  const packages = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  const name = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const binary = join(packages.resolve(`${name}/package.json`), '..', 'bin', 'anvil')
  const args = ['--host', '127.0.0.1', '--port', '0', '--chain-id', `${chainId}`, ...more]
  const child: ChildProcess = spawn(binary, args, { cwd: tmpdir(), env: {}, stdio: ['ignore', 'pipe', 'inherit'] })
  child.once('exit', killWithUs(child.pid))
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', chunk => {
      output += chunk
      const address = /Listening on (\S+)/.exec(output)?.[1]
      if (address !== undefined) resolve(`http://${address}`)
    })
    child.once('exit', () => reject(new Error(`anvil did not start: ${output}`)))
  })
  async function rpc(method: string, ...params: unknown[]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    const { result, error } = await answer.json()
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  const inTurn = serialQueue(100)
  /** Sends a transaction and returns its receipt once it is mined. */
  async function outcome(transaction: object): Promise<{ transactionHash: string; contractAddress: string }> {
    // anvil can give the same nonce to two transactions that are sent at once.
    const txid = await inTurn(() => rpc('eth_sendTransaction', transaction))
    for (const until = Date.now() + 60_000; Date.now() < until; await sleep(5)) {
      const mined = await rpc('eth_getTransactionReceipt', txid)
      if (mined !== null) return mined
    }
    throw new Error('a transaction was not mined')
  }
  /** Returns the transaction hash. */
  const call = async (to: string, data: string, more: object = {}): Promise<string> =>
    (await outcome({ from: wallet, to, data, ...more })).transactionHash
  const deploy = async (bytecode: string): Promise<string> =>
    (await outcome({ from: account(0).address, data: bytecode })).contractAddress
  const contract = await deploy(evidenceAnchor.bytecode)
  const stop = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  /** Anchors these hashes from the project's own wallet. */
  const anchor = (hashes: string[], more: object = {}, to = contract) =>
    hashes.length === 1
      ? call(to, functions.encodeFunctionData('anchorEvidence', hashes), more)
      : call(to, functions.encodeFunctionData('anchorEvidenceBatch', [hashes]), more)
  const mine = (blocks: number) => rpc('anvil_mine', `0x${blocks.toString(16)}`)
  const timeOf = async (txid: string) => {
    const { blockHash } = await rpc('eth_getTransactionReceipt', txid)
    const { timestamp } = await rpc('eth_getBlockByHash', blockHash, false)
    return new Date(Number(timestamp) * 1000).toISOString()
  }
  return { outcome, url, caip2: `eip155:${chainId}`, contract, rpc, call, deploy, anchor, mine, timeOf, stop }
}
