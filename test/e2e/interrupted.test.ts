// An interrupted test run: every process that it started ends, whichever process the signal reaches, even SIGKILL.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { killWithUs } from '../../src/embedded/on-death.ts'
import { isFull } from '../kit/size.ts'

const all: ['npm' | 'vitest', NodeJS.Signals][] = [
  ['npm', 'SIGKILL'],
  ['npm', 'SIGTERM'],
  ['vitest', 'SIGKILL'],
  ['npm', 'SIGINT'],
  ['vitest', 'SIGINT'],
  ['vitest', 'SIGTERM'],
]

let folder: string
let npm: ChildProcess

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-interrupted-'))
  // PostgreSQL runs as another user, which works in this folder.
  await chmod(folder, 0o755)
})
afterEach(async () => {
  npm.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const answer = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return answer
}

/** Resolves when the run has started everything. Throws the run's output when it ended before. */
async function held(): Promise<{ vitest: number; ports: number[] }> {
  const file = join(folder, 'held.json')
  while (!existsSync(file)) {
    if (npm.exitCode !== null) throw new Error(await readFile(join(folder, 'printed'), 'utf8'))
    await sleep(200)
  }
  return JSON.parse(await readFile(file, 'utf8'))
}

// Each takes twenty seconds alone, and several times as long under load.
it.runIf(isFull).each(all)(
  '%s that gets %s leaves no database, no chain and no service running',
  { timeout: 300_000 },
  async (to, signal) => {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|npm_)/.test(name))
    const printed = await open(join(folder, 'printed'), 'w')
    npm = spawn('npm', ['test', '--', '--config', 'test/kit/interrupted/vitest.config.ts'], {
      env: { ...Object.fromEntries(inherited), TMPDIR: folder },
      stdio: ['ignore', printed.fd, printed.fd],
    })
    npm.once('exit', killWithUs(npm.pid))
    await printed.close()
    const { vitest, ports } = await held()
    expect(await Promise.all(ports.map(listens))).toEqual(ports.map(() => true))
    process.kill(to === 'npm' ? Number(npm.pid) : vitest, signal)
    await expect
      .poll(() => Promise.all(ports.map(listens)), { timeout: 40_000, interval: 200 })
      .toEqual(ports.map(() => false))
  },
)
