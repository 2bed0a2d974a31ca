// Runs a command of an image as its user, who may write nowhere but in /tmp: with bubblewrap as process 1 of a
// namespace of its own, as in a container; on a machine without it as another user of this machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { killWithUs } from '../../src/embedded/on-death.ts'
import type { Image } from './image.ts'

/** Why commands do not run as process 1 here; null where they do. */
export const lacksBubblewrap =
  spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-user', '--unshare-pid', 'true']).status === 0
    ? null
    : 'bubblewrap is not installed, or may not make namespaces'

export type Contained = {
  said(): string
  /** Resolves with the exit code. */
  ended: Promise<number | null>
  /** Sends the signal to the command itself and resolves with its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** `secrets`: a folder that the command finds at /run/secrets, or at its own path without bubblewrap. */
export function startContained(
  image: Image,
  command: readonly string[],
  settings: Record<string, string>,
  secrets: string,
): Contained {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', ...image.env, ...settings }
  const [uid = 0, gid = 0] = image.user?.split(':').map(Number) ?? []
  const child = lacksBubblewrap === null ? inBubblewrap() : asUser()
  child.once('exit', killWithUs(child.pid))
  let words = ''
  let inside = child.pid
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (words += chunk))
  child.stdio[3]?.once('data', chunk => (inside = JSON.parse(`${chunk}`)['child-pid']))
  const ended = once(child, 'exit').then(([code]): number | null => code)
  return {
    said: () => words,
    ended,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null && inside !== undefined) process.kill(inside, signal)
      return ended
    },
  }

  function inBubblewrap(): ChildProcess {
    const at = (path: string) => join(image.root, path)
    const args = [
      ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
      ...['--ro-bind', at('usr/local/bin'), '/usr/local/bin', '--ro-bind', at('app'), '/app'],
      ...[
        '--ro-bind',
        secrets,
        '/run/secrets',
        '--proc',
        '/proc',
        '--dev',
        '/dev',
        '--tmpfs',
        '/tmp',
        '--remount-ro',
        '/',
      ],
      ...['--unshare-user', '--unshare-pid', '--as-pid-1', '--die-with-parent', '--info-fd', '3'],
      ...['--uid', `${uid}`, '--gid', `${gid}`, '--chdir', image.workdir],
    ]
    return spawn('bwrap', [...args, ...command], { env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  }

  function asUser(): ChildProcess {
    const own = JSON.parse(JSON.stringify(env).replaceAll('/run/secrets', secrets))
    const [program = '', ...args] = command.map(word => word.replace(/^\/app\//, `${image.root}/app/`))
    return spawn(program === 'node' ? process.execPath : program, args, {
      cwd: join(image.root, image.workdir),
      env: own,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(process.getuid?.() === 0 && { uid, gid }),
    })
  }
}

export async function saidBy(running: Contained, words: string): Promise<void> {
  const exit = running.ended.then(code => Promise.reject(new Error(`it ended with ${code}: ${running.said()}`)))
  exit.catch(() => {})
  while (!running.said().includes(words)) await Promise.race([sleep(20), exit])
}
