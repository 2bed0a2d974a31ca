// The anvil process behind the local chain: adopted when one of a former run still answers, else started; and ended.
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

export type Anvil = { pid: number; port: number }

export const chainId = 31_337

const answerPatienceMs = 2_000
// Loading a long chain takes a while.
const startPatienceMs = 60_000
const stopPatienceMs = 5_000
const bindPatienceMs = 50
// To write a long chain to disk, and to stop.
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

/** The number every anvil draws when it starts; null where no anvil with our chain id answers. */
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
  /** Once it was ended: before, it ends with this process. */
  callOff(): void
}

/** `folder` must be a real path, for `runsIn`. */
export async function openAnvil(folder: string, stateFile: string): Promise<OpenAnvil> {
  const owner = randomUUID()
  const endWith = (pid: number) => endWithUs('chain', folder, owner, `${pid}`)
  const known = await liveAnvil(folder)
  if (known?.isLive && (await takeOver(folder, { ...known.note, owner }))) {
    const { pid, port } = known.note
    return { pid, port, adopted: true, callOff: endWith(pid) }
  }
  // Wallets and tools of a developer keep working when the port stays the same.
  const { forget, ...server } = await start(folder, stateFile, await freePort(known?.note.port))
  await writeNote(folder, { ...server, owner })
  const callOff = endWith(server.pid)
  forget()
  return { pid: server.pid, port: server.port, adopted: false, callOff }
}

/** Whether it lives still: what ends orphans may have come first. */
async function takeOver(folder: string, note: Note): Promise<boolean> {
  // Each side writes before it reads, so that at least one of them sees the other.
  await writeNote(folder, note)
  const ending = join(folder, endingFile)
  for (const deadline = Date.now() + endingPatienceMs; existsSync(ending) && Date.now() < deadline; ) await sleep(20)
  return (await liveAnvil(folder))?.isLive ?? false
}

/** There while an orphan is being ended. */
export const endingFile = 'ending'

/** The anvil that was started last here, or null. */
export async function liveAnvil(folder: string): Promise<{ note: Note; isLive: boolean } | null> {
  const note = await readNote(join(folder, noteFile))
  // By its instance, because by now another process may have its id, and another anvil its port.
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

// A note that cannot be read is no note.
async function readNote(file: string): Promise<Note | null> {
  try {
    return noteShape.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}

/** Until `forget` is called it is killed when this process dies, because nobody else knows of it. */
async function start(folder: string, stateFile: string, port: number) {
  const logFile = join(folder, 'anvil.log')
  const state = await access(stateFile).then(
    () => ['--load-state', stateFile],
    () => [],
  )
  // Without pruning, anvil keeps the state after every block: in memory, and past some number in its home.
  const args = ['--silent', '--host', '127.0.0.1', '--port', `${port}`, '--prune-history', '100', ...state]
  // What a killed one left in the home we gave it.
  await rm(join(folder, '.foundry'), { recursive: true, force: true })
  const output = await open(logFile, 'w')
  // A session of its own: Ctrl-C is for us, who stop it when all work is done. A folder and an environment of its own,
  // because anvil takes settings from both (and reads a file .env).
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
      // Should another anvil have taken the port in between, then it was that one which answered, and ours ends now.
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
    // The platform package is a dependency of the other, so it is looked up from there.
    const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
    return join(createRequire(wrapper).resolve(`${name}/package.json`), '..', 'bin', 'anvil')
  } catch {
    throw new StartError(
      `There is no local chain here (${name} is not installed). Set ANCHOR_CHAIN and its companions.`,
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
