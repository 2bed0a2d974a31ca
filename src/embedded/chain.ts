// The default chain: a local EVM (anvil) of our own under the data folder, with the evidence anchor contract on it.
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ContractFactory, getCreateAddress, HDNodeWallet, JsonRpcProvider } from 'ethers'
import type { Logger } from 'pino'
import { z } from 'zod'
import contract from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import { freePort, lastLines, runsIn } from './process.ts'
import { StartError } from './start-error.ts'

// The development mnemonic that every EVM tool ships: worth nothing, and only ever used on this local chain.
const mnemonic = 'test test test test test test test test test test test junk'
const account = (index: number) => HDNodeWallet.fromPhrase(mnemonic, '', `m/44'/60'/0'/0/${index}`)
const chainId = 31_337
const patienceMs = 15_000

export type LocalChain = {
  rpcUrl: string
  chainId: number
  contract: string
  anchorPrivateKey: string
  stop(): Promise<void>
}

const note = z.object({ pid: z.int(), port: z.int() })

/** Whoever calls this must own the data folder: two owners would write one state. */
export async function startChain(folder: string, log: Logger): Promise<LocalChain> {
  await mkdir(folder, { recursive: true })
  const { pid, port } = (await survivor(folder)) ?? (await launch(folder, log))
  const rpcUrl = `http://127.0.0.1:${port}`
  const stop = () => end(pid, folder)
  try {
    await answering(rpcUrl, pid, folder)
    const address = await deployed(rpcUrl)
    return { rpcUrl, chainId, contract: address, anchorPrivateKey: account(1).privateKey, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The chain of a process of ours that was killed: it lives on, and with it what was not written to the file yet. */
async function survivor(folder: string): Promise<{ pid: number; port: number } | null> {
  const text = await readFile(join(folder, 'anvil.json'), 'utf8').catch(() => '{}')
  const known = note.safeParse(parseJson(text))
  return known.success && (await runsIn(known.data.pid, folder)) ? known.data : null
}

async function launch(folder: string, log: Logger): Promise<{ pid: number; port: number }> {
  await mendState(folder, log)
  const port = await freePort()
  const output = openSync(join(folder, 'anvil.log'), 'a')
  // In a process group of its own, so that Ctrl-C in a terminal reaches us alone and we end it in order.
  const args = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId), '--silent']
  const state = ['--state', 'state.json', '--state-interval', '5']
  const child = spawn(anvil(), [...args, ...state], { cwd: folder, detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  const spawned = new Promise<void>(resolve => child.once('spawn', resolve))
  await Promise.race([spawned, failed])
  child.unref()
  const started = { pid: child.pid ?? 0, port }
  await writeFile(join(folder, 'anvil.json'), JSON.stringify(started))
  return started
}

/** anvil overwrites its state in place: a copy that can be read is kept for when a power cut tears it. */
async function mendState(folder: string, log: Logger): Promise<void> {
  const [state, copy] = [join(folder, 'state.json'), join(folder, 'state.good.json')]
  const text = await readFile(state, 'utf8').catch(() => null)
  if (text === null) return
  if (parseJson(text) !== null) {
    await copyFile(state, `${copy}.part`)
    return rename(`${copy}.part`, copy)
  }
  log.warn({ state }, 'the local chain’s state was torn; going back to the last one that can be read')
  await rm(state)
  await copyFile(copy, state).catch(() => undefined)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function anvil(): string {
  const os = process.platform === 'win32' ? 'win32' : process.platform
  const name = `@foundry-rs/anvil-${os}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    return join(manifest, '..', 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
  } catch {
    throw new StartError(
      `There is no local chain for this machine (${name} is not installed): set ANCHOR_RPC_URL to a chain of your own.`,
    )
  }
}

async function answering(rpcUrl: string, pid: number, folder: string): Promise<void> {
  for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(25)) {
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body }).then(
      r => r.json(),
      () => null,
    )
    if (answer?.result === `0x${chainId.toString(16)}`) return
    if (!(await runsIn(pid, folder))) break
  }
  throw new StartError(`The local chain did not start: ${await lastLines(join(folder, 'anvil.log'))}`)
}

/** Deploys on a new chain; the address follows from the deployer's first transaction. */
async function deployed(rpcUrl: string): Promise<string> {
  const provider = new JsonRpcProvider(rpcUrl, chainId, { staticNetwork: true, cacheTimeout: -1 })
  try {
    const deployer = account(0).connect(provider)
    const address = getCreateAddress({ from: deployer.address, nonce: 0 })
    if ((await provider.getCode(address)) === '0x') {
      const factory = new ContractFactory(contract.abi, contract.bytecode, deployer)
      await (await factory.deploy({ nonce: 0 })).waitForDeployment()
    }
    return address.toLowerCase()
  } finally {
    provider.destroy()
  }
}

/** Asks it to stop, upon which it writes its state, and waits. */
async function end(pid: number, folder: string): Promise<void> {
  if (!(await runsIn(pid, folder))) return
  process.kill(pid, 'SIGTERM')
  for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(20)) {
    if (!(await runsIn(pid, folder))) return rm(join(folder, 'anvil.json'), { force: true })
  }
  process.kill(pid, 'SIGKILL')
}
