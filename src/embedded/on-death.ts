// Runs a command when this process dies without having called it off, also by kill -9: a shell waits for the end of a pipe
// that only this process holds.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The function returned calls it off. */
export function onDeath(command: readonly string[]): () => void {
  // `read` gets the line that calls it off, or fails because the pipe has ended. A session of its own: Ctrl-C is not for it.
  const script = 'read line || exec "$@"'
  const shell = spawn('/bin/sh', ['-c', script, 'sh', ...command], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  // Without a shell, or with one that was killed, nothing is run.
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  return () => void shell.stdin.end('\n')
}

/** Kills the process with this id when ours dies. */
export const killWithUs = (pid: number | undefined): (() => void) =>
  onDeath(['/bin/sh', '-c', 'kill -KILL "$0"', `${pid}`])

const script = fileURLToPath(new URL('./end-orphan.ts', import.meta.url))

/** Ends the embedded server of this folder when this process dies, unless another has taken it over by then. */
export const endWithUs = (kind: 'postgres' | 'chain', folder: string, ...more: string[]): (() => void) =>
  onDeath([process.execPath, script, kind, folder, ...more])
