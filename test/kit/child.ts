// Quittance as a process of its own, that can be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

export type Child = {
  process: ChildProcess
  /** All that it wrote. */
  said(): string
  /** Once it is gone; at once, when it is already. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Once it is ready. */
export async function startChild(settings: Record<string, string>): Promise<Child> {
  const env = { ...process.env, ...settings }
  const child = spawn(process.execPath, ['src/main.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let words = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (words += chunk))
  const said = () => words
  const exit = once(child, 'exit').then(() => Promise.reject(new Error(`it did not start: ${words}`)))
  exit.catch(() => {})
  while (!words.includes('is ready')) await Promise.race([sleep(20), exit])
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return { process: child, said, end }
}

export async function until(what: string, isSo: () => Promise<boolean>, said: () => string, patienceMs = 30_000) {
  for (const deadline = Date.now() + patienceMs; !(await isSo()); await sleep(50)) {
    if (Date.now() > deadline) throw new Error(`${what}, in vain. The process said: ${said().slice(-20_000)}`)
  }
}
