// Manages the anvil process of the local chain: adopts that of an earlier run if it still responds, else starts one;
// and ends it.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Rpc } from './chain-state.ts'
import { endWithUs, killWithUs } from './on-death.ts'
import { freePort, lastLines, runsIn } from './process.ts'
import { StartError } from './start-error.ts'

type Anvil = { pid: number; port: number }

export const chainId = 31_337

const answerPatienceMs = 2_000
// Loading a long chain takes a while.
const startPatienceMs = 60_000
const stopPatienceMs = 5_000
const bindPatienceMs = 50
// The time to write a long chain to disk and to stop.
const endingPatienceMs = 15_000

const answer = z.object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() })

export const rpcAt =
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

const metadata = z.object({ chainId: z.literal(chainId), instanceId: z.string() })

/** Returns the id that every anvil generates at its start; null when no anvil with our chain id responds. */
const instanceAt = (port: number): Promise<string | null> =>
  rpcAt(
    port,
    answerPatienceMs,
  )('anvil_metadata').then(
    result => metadata.parse(result).instanceId,
    () => null,
  )

export type OpenAnvil = Anvil & {
  adopted: boolean
  /** To be called after anvil has ended; until then, anvil is ended when this process dies. */
  callOff(): void
}

/** Adopts or starts anvil. `folder` must be a real path, for `runsIn`. */
export async function openAnvil(folder: string, stateFile: string): Promise<OpenAnvil> {
  const owner = randomUUID()
  const endWith = (pid: number) => endWithUs('chain', folder, owner, `${pid}`)
  const known = await liveAnvil(folder)
  if (known?.isLive && (await takeOver(folder, { ...known.note, owner }))) {
    const { pid, port } = known.note
    return { pid, port, adopted: true, callOff: endWith(pid) }
  }
  // The port stays the same if possible, so that a developer's wallets and tools keep working.
  const { forget, ...server } = await start(folder, stateFile, await freePort(known?.note.port))
  await writeNote(folder, { ...server, owner })
  const callOff = endWith(server.pid)
  forget()
  return { pid: server.pid, port: server.port, adopted: false, callOff }
}

/** Returns whether anvil is still alive: end-orphan.ts may have ended it before. */
async function takeOver(folder: string, note: Note): Promise<boolean> {
  // This process and end-orphan.ts each write before they read, so that at least one of them sees the other.
  await writeNote(folder, note)
  const ending = join(folder, endingFile)
  for (const deadline = Date.now() + endingPatienceMs; existsSync(ending) && Date.now() < deadline; ) await sleep(20)
  return (await liveAnvil(folder))?.isLive ?? false
}

/** A file that exists while an orphaned anvil is being ended. */
export const endingFile = 'ending'

/** Returns the anvil that was started last in this folder, or null. */
export async function liveAnvil(folder: string): Promise<{ note: Note; isLive: boolean } | null> {
  const note = await readNote(join(folder, noteFile))
  // Identified by its instance id, because another process may now have its process id, and another anvil its port.
  return note && { note, isLive: (await runsIn(note.pid, folder)) && (await instanceAt(note.port)) === note.instance }
}

const noteShape = z.object({
  pid: z.int().positive(),
  port: z.int().positive().max(65_535),
  instance: z.string(),
  owner: z.string().default(''),
})
type Note = z.infer<typeof noteShape>
const noteFile = 'process.json'

async function writeNote(folder: string, note: Note): Promise<void> {
  const half = join(folder, `${noteFile}.new`)
  await writeFile(half, JSON.stringify({ ...note, startedAt: new Date().toISOString() }))
  await rename(half, join(folder, noteFile))
}

// An unreadable note counts as missing.
async function readNote(file: string): Promise<Note | null> {
  try {
    return noteShape.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}

/**
 * Starts anvil. Until `forget` is called, anvil is killed when this process dies, because no other process knows of it.
 */
async function start(folder: string, stateFile: string, port: number) {
  const logFile = join(folder, 'anvil.log')
  const state = await access(stateFile).then(
    () => ['--load-state', stateFile],
    () => [],
  )
  // Without pruning, anvil keeps the state after every block: in memory, and past some number in its home folder.
  const args = ['--silent', '--host', '127.0.0.1', '--port', `${port}`, '--prune-history', '100', ...state]
  // Left by a killed anvil in the home folder that it was given.
  await rm(join(folder, '.foundry'), { recursive: true, force: true })
  const output = await open(logFile, 'w')
  // In its own session, because Ctrl-C is for this process, which stops anvil when all work is done. In its own folder
  // and environment, because anvil reads settings from both (and a file .env).
  const child = spawn(anvilBinary(), args, {
    cwd: folder,
    env: { HOME: folder },
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
  })
  let failure: string | null = null
  child.once('error', error => (failure = error.message)).once('exit', code => (failure ??= `exit code ${code}`))
  child.unref()
  const forget = killWithUs(child.pid)
  await output.close()
  const { pid } = child
  for (const deadline = Date.now() + startPatienceMs; failure === null; await sleep(20)) {
    const instance = await instanceAt(port)
    if (instance !== null && pid !== undefined) {
      // If another anvil took the port in between, that anvil responded, and the one started here ends now.
      await sleep(bindPatienceMs)
      if (failure === null) return { pid, port, instance, forget }
      break
    }
    if (Date.now() < deadline) continue
    if (pid !== undefined) await endAnvil(pid, folder)
    failure ??= 'it does not answer'
  }
  forget()
  const hint = state.length > 0 ? `\nIf ${stateFile} is damaged, remove ${folder} to begin a new chain.` : ''
  throw new StartError(`The local chain did not start: ${failure}. ${await lastLines(logFile)}${hint}`)
}

function anvilBinary(): string {
  const name = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  try {
    // The platform package is a dependency of @foundry-rs/anvil, so it is resolved from there.
    const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
    return join(createRequire(wrapper).resolve(`${name}/package.json`), '..', 'bin', 'anvil')
  } catch {
    throw new StartError(
      `The local chain cannot start (${name} is not installed). Set ANCHOR_CHAIN, ANCHOR_RPC_URL and ANCHOR_CONTRACT.`,
    )
  }
}

export async function endAnvil(pid: number, folder: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!(await runsIn(pid, folder))) return
    process.kill(pid, signal)
    for (const deadline = Date.now() + stopPatienceMs; Date.now() < deadline; await sleep(10)) {
      if (!(await runsIn(pid, folder))) return
    }
  }
}
