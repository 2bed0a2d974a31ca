// Runs a command when this process dies, also by kill -9, unless the process has cancelled it: a shell waits for the
// end of a pipe that only this process has open.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs the command when this process dies. The returned function cancels it. */
function onDeath(command: readonly string[]): () => void {
  // `read` receives the line that cancels the command, or fails because the pipe has ended. In its own session, so that
  // Ctrl-C does not reach it.
  const script = 'read line || exec "$@"'
  const shell = spawn('/bin/sh', ['-c', script, 'sh', ...command], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  // Without a shell, or after the shell was killed, the command does not run.
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  return () => void shell.stdin.end('\n')
}

/** Kills the process with this id when this process dies. */
export const killWithUs = (pid: number | undefined): (() => void) =>
  onDeath(['/bin/sh', '-c', 'kill -KILL "$0"', `${pid}`])

const script = fileURLToPath(new URL('./end-orphan.ts', import.meta.url))

/** Ends the embedded server of this folder when this process dies, unless another process has taken it over by then. */
export const endWithUs = (kind: 'postgres' | 'chain', folder: string, ...more: string[]): (() => void) =>
  onDeath([process.execPath, script, kind, folder, ...more])
