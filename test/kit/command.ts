// Runs the command line in a process of its own, with none of this process's settings.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { killWithUs } from '../../src/embedded/on-death.ts'

const bin = fileURLToPath(new URL('../../bin/quittance.js', import.meta.url))

export type Ended = { code: number | null; signal: string | null; out: string; err: string }
export type Command = ReturnType<typeof startCommand>

/**
 * Runs asynchronously, because the service that the command queries may run in this process. `program`: the command
 * line of another version.
 */
export function startCommand(
  args: readonly string[],
  env: Record<string, string> = {},
  input?: Uint8Array,
  program = bin,
) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A command may end without reading all of its input.
  child.stdin.on('error', () => undefined).end(input)
  child.once('exit', killWithUs(child.pid))
  const said = { out: '', err: '' }
  child.stdout.on('data', chunk => (said.out += chunk))
  child.stderr.on('data', chunk => (said.err += chunk))
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal, ...said }))
  /** Resolves when the command has written `words`; throws when it ends before. */
  const says = (words: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => said.out.includes(words) && resolve()
      child.stdout.on('data', look)
      look()
      ended.then(({ out, err }) => reject(new Error(`it ended without “${words}”: ${out}${err}`)))
    })
  return {
    /** The output so far. */
    said,
    says,
    ended,
    end(signal: NodeJS.Signals): Promise<Ended> {
      child.kill(signal)
      return ended
    },
  }
}

export const runCommand = (args: readonly string[], env?: Record<string, string>, input?: Uint8Array): Promise<Ended> =>
  startCommand(args, env, input).ended
