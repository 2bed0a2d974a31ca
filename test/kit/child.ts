// Starts Quittance in a process of its own, which a test can kill.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { killWithUs } from '../../src/embedded/on-death.ts'
import type { Anvil } from './anvil.ts'
import { adminKey, roomForAll } from './service.ts'

export type Child = {
  process: ChildProcess
  /** Everything that the process wrote to stdout and stderr. */
  said(): string
  /** The base URL at which the process listens. */
  url(): string
  /** Sends the signal and resolves when the process has exited; at once if it has exited already. */
  end(signal: NodeJS.Signals): Promise<void>
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Settings of a process with the role `api` alone, on a chain that is not embedded. */
export const apiSettings = (databaseUrl: string, folder: string, { caip2, url, contract }: Anvil) => ({
  ROLES: 'api',
  DATABASE_URL: databaseUrl,
  DATA_DIR: folder,
  PORT: '0',
  ADMIN_API_KEYS: adminKey,
  ANCHOR_CHAIN: caip2,
  ANCHOR_RPC_URL: url,
  ANCHOR_CONTRACT: contract,
  RATE_LIMITS: roomForAll,
  LOG_LEVEL: 'warn',
})

/** Settings of a process with both roles, on a chain of its own. */
export const ownSettings = (databaseUrl: string, folder: string) => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: folder,
  PORT: '0',
  ADMIN_API_KEYS: adminKey,
  FX_ECB_URL: 'off',
  ALLOW_PRIVATE_TARGETS: 'true',
  RATE_LIMITS: roomForAll,
})

/** Resolves when the process is ready; rejects when it exits before. `program`: the main file of another version. */
export async function startChild(settings: Record<string, string>, program = main): Promise<Child> {
  const env = { ...process.env, ...settings }
  const child = spawn(process.execPath, [program], { cwd: tmpdir(), env, stdio: ['ignore', 'pipe', 'pipe'] })
  child.once('exit', killWithUs(child.pid))
  let words = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (words += chunk))
  const said = () => words
  const exit = once(child, 'exit').then(() => Promise.reject(new Error(`it did not start: ${words}`)))
  exit.catch(() => {})
  while (!/"Quittance(’s worker)? is ready"/.test(words)) await Promise.race([sleep(20), exit])
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  const url = () => /"url":"(http[^"]+)"/.exec(words)?.[1] ?? ''
  return { process: child, said, url, end }
}

export async function until(what: string, isSo: () => Promise<boolean>, said: () => string, patienceMs = 120_000) {
  for (const deadline = Date.now() + patienceMs; !(await isSo()); await sleep(50)) {
    if (Date.now() > deadline) throw new Error(`${what}, in vain. The process said: ${said().slice(-20_000)}`)
  }
}
