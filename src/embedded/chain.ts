// The default chain: anvil on the loopback interface, with our contract. It survives a crash of ours and is then adopted.
import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, mkdir, open, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCreateAddress, HDNodeWallet } from 'ethers'
import type { Logger } from 'pino'
import { z } from 'zod'
import evidenceAnchor from '../../contracts/EvidenceAnchor.json' with { type: 'json' }
import { keepState, type Rpc } from './chain-state.ts'
import { freePort, lastLines, runsIn } from './process.ts'
import { StartError } from './start-error.ts'

export type EmbeddedChain = {
  rpcUrl: string
  chainId: 31337
  /** Lower-case. */
  contract: string
  anchorPrivateKey: string
  stop(): Promise<void>
}

type Server = { pid: number; port: number }

const chainId = 31_337
// The mnemonic every development chain knows: worth nothing, and no secret.
const account = (index: number) =>
  HDNodeWallet.fromPhrase('test test test test test test test test test test test junk', '', `m/44'/60'/0'/0/${index}`)

const answerPatienceMs = 2_000
// Loading a long chain takes a while.
const startPatienceMs = 60_000
const stopPatienceMs = 5_000

const answer = z.object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() })

const rpcAt =
  (port: number, timeoutMs: number): Rpc =>
  async (method, params = []) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'Content-Type': 'application/json' }
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body, signal })
    const { result, error } = answer.parse(await response.json())
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }

const isOurs = async (port: number) => {
  const rpc = rpcAt(port, answerPatienceMs)
  const [id, version] = await Promise.all([rpc('eth_chainId'), rpc('web3_clientVersion')]).catch(() => [])
  return Number(id) === chainId && String(version).startsWith('anvil/')
}

export async function startChain(dataDir: string, log: Pick<Logger, 'info' | 'error'>): Promise<EmbeddedChain> {
  await mkdir(dataDir, { recursive: true }).catch(error => {
    throw new StartError(`The local chain could not make its folder, under DATA_DIR: ${error.message}`)
  })
  // anvil works in it, and that is how it is told from a stranger that has its process id by now.
  const folder = await realpath(dataDir)
  const noteFile = join(folder, 'process.json')
  const stateFile = join(folder, 'state.json')
  const note = await readNote(noteFile)
  const survivor = note !== null && (await runsIn(note.pid, folder)) ? note : null
  const adopted = survivor !== null && (await isOurs(survivor.port)) ? survivor : null
  // One that does not answer any more is of no use to anybody.
  if (survivor !== null && adopted === null) await end(survivor.pid, folder)
  const { pid, port } = adopted ?? (await startAnvil(folder, noteFile, stateFile, note?.port))
  const contract = await deployOnce(rpcAt(port, 10_000), folder)
  const keeper = keepState(stateFile, rpcAt(port, 60_000), log)
  const stop = async () => {
    keeper.end()
    await keeper.save().catch(error => log.error({ err: error }, 'the local chain could not be written to disk'))
    await end(pid, folder)
  }
  await keeper.save().catch(async error => {
    await stop()
    throw new StartError(`The local chain could not be written to ${stateFile}: ${error.message}`)
  })
  log.info({ pid, port, adopted: adopted !== null }, 'local chain is ready')
  const anchorPrivateKey = account(1).privateKey
  return { rpcUrl: `http://127.0.0.1:${port}`, chainId, contract, anchorPrivateKey, stop }
}

const noteShape = z.object({
  pid: z.int().positive(),
  port: z.int().positive().max(65_535),
  startedAt: z.iso.datetime(),
})

// A note that cannot be read is no note: then a new server is started, beside a survivor at worst.
async function readNote(file: string): Promise<Server | null> {
  try {
    return noteShape.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}

async function startAnvil(folder: string, noteFile: string, stateFile: string, lastPort?: number): Promise<Server> {
  const port = await freePort(lastPort)
  const logFile = join(folder, 'anvil.log')
  const state = await access(stateFile, constants.R_OK).then(
    () => ['--load-state', stateFile],
    () => [],
  )
  // Without pruning, anvil keeps the state after every block in memory and, past some, under the home folder.
  const args = ['--silent', '--host', '127.0.0.1', '--port', `${port}`, '--prune-history', '100', ...state]
  const output = await open(logFile, 'w')
  // A process group of its own: Ctrl-C is for us, who stop it when all work is done. No environment, and its own
  // folder to work in, because anvil takes settings from both (it reads a file .env).
  const stdio = ['ignore', output.fd, output.fd] as const
  const child = spawn(anvilBinary(), args, { cwd: folder, detached: true, stdio: [...stdio], env: {} })
  let failure: string | null = null
  child.once('error', error => (failure = error.message)).once('exit', code => (failure ??= `exit code ${code}`))
  child.unref()
  await output.close()
  const { pid } = child
  for (const deadline = Date.now() + startPatienceMs; pid !== undefined && failure === null; await sleep(20)) {
    if (await isOurs(port)) {
      const half = `${noteFile}.${process.pid}`
      await writeFile(half, JSON.stringify({ pid, port, startedAt: new Date().toISOString() }))
      await rename(half, noteFile)
      return { pid, port }
    }
    if (Date.now() > deadline) {
      await end(pid, folder)
      failure ??= 'it does not answer'
    }
  }
  const words = `${failure}. ${await lastLines(logFile)}`.trim()
  const hint = state.length > 0 ? `If ${stateFile} is damaged, remove ${folder} to begin a new chain.` : ''
  throw new StartError(`The local chain did not start: ${words}\n${hint}`.trim())
}

function anvilBinary(): string {
  const cpu = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${cpu}`
  const require = createRequire(import.meta.url)
  try {
    // The platform package is a dependency of the other, so it is looked up from there.
    const wrapper = createRequire(require.resolve('@foundry-rs/anvil/package.json'))
    return join(wrapper.resolve(`${name}/package.json`), '..', 'bin', 'anvil')
  } catch {
    throw new StartError(
      `There is no local chain here (${name} is not installed). Set ANCHOR_CHAIN and its companions.`,
    )
  }
}

// The first transaction of account 0, so the address is the same on every machine.
async function deployOnce(rpc: Rpc, folder: string): Promise<string> {
  const from = account(0).address
  const contract = getCreateAddress({ from, nonce: 0 }).toLowerCase()
  const present = async () => (await rpc('eth_getCode', [contract, 'latest'])) !== '0x'
  if (await present()) return contract
  const nonce = await rpc('eth_getTransactionCount', [from, 'latest'])
  const strange = `The local chain in ${folder} is not one of Quittance's: remove that folder to begin a new chain.`
  if (nonce !== '0x0') throw new StartError(strange)
  await rpc('eth_sendTransaction', [{ from, data: evidenceAnchor.bytecode }])
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(10)) {
    if (await present()) return contract
  }
  throw new StartError(strange)
}

async function end(pid: number, folder: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const deadline = Date.now() + stopPatienceMs; Date.now() < deadline; await sleep(10)) {
      if (!(await runsIn(pid, folder))) return
      process.kill(pid, signal)
    }
  }
}
