// Starting the service: the first time, again, twice at once, on a port in use, and with wrong settings.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { killWithUs } from '../../src/embedded/on-death.ts'
import { onlyInFull as it } from '../kit/size.ts'

let folder: string
const children = new Set<ReturnType<typeof begin>>()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-start-'))
  await chmod(folder, 0o755)
})
afterEach(async () => {
  for (const running of children) await running.end('SIGTERM')
  children.clear()
  await rm(folder, { recursive: true, force: true })
})

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

const checkout = fileURLToPath(new URL('../../', import.meta.url))

function begin(env: Record<string, string> = {}, command = [process.execPath, main], cwd = folder) {
  const { DATABASE_URL: _, ...inherited } = process.env
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    // The folder in which a .env would be read.
    cwd,
    env: { ...inherited, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error', ...env },
  })
  child.once('exit', killWithUs(child.pid))
  let output = ''
  const exited = once(child, 'exit').then(([code]) => code)
  const begun = Promise.race([once(child.stderr, 'data'), exited])
  const said = new Promise<void>(resolve => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        output += chunk
        if (output.includes('"Quittance is ready"')) resolve()
      })
    }
    void exited.then(() => resolve())
  })
  const running = {
    said: said.then(() => output),
    /** Resolves with the first line of the log. */
    begun,
    output: () => output,
    exited,
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    end: async (signal: NodeJS.Signals) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return exited
    },
  }
  children.add(running)
  return running
}

const keyFileIn = (output: string) => /"newAdminKeyFile":"([^"]+)"/.exec(output)?.[1]
const urlIn = (output: string) => /"url":"(http[^"]+)"/.exec(output)?.[1]
const isAdmin = async (url: string | undefined, key: string | undefined) => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key ?? '' },
    body: '{"query":"{ me { isAdmin } }"}',
  })
  return (await response.json()).data?.me.isAdmin
}

describe('starting without settings', () => {
  it('gives an administrator key only the first time; it works, also after kill -9; SIGTERM ends with exit code 0', async () => {
    const first = begin()
    const output = await first.said
    // Without a terminal the key is no part of what is collected as a log.
    expect(output).not.toMatch(/admin_[A-Za-z0-9_-]{43}/)
    const file = keyFileIn(output) ?? ''
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const key = (await readFile(file, 'utf8')).trim()
    expect(await isAdmin(urlIn(output), key)).toBe(true)
    await first.end('SIGKILL')
    const second = begin()
    const printed = await second.said
    expect(keyFileIn(printed)).toBeUndefined()
    expect(await isAdmin(urlIn(printed), key)).toBe(true)
    expect(await second.end('SIGTERM')).toBe(0)
  })

  it('a second process on the same folder fails with one sentence, and the first keeps running', async () => {
    const output = await begin().said
    const second = begin()
    expect(await second.exited).toBe(1)
    expect((await second.said).trim().split('\n')).toHaveLength(1)
    expect((await fetch(`${urlIn(output)}/livez`)).status).toBe(200)
  })
})

it('SIGTERM to npm start, as from a container runtime, stops the service', async () => {
  const running = begin({}, ['npm', 'start'], checkout)
  const url = urlIn(await running.said)
  expect((await fetch(`${url}/livez`)).status).toBe(200)
  await running.end('SIGTERM')
  await expect(fetch(`${url}/livez`)).rejects.toThrow()
})

it('SIGHUP during the start is carried out after it, and ends nothing', async () => {
  const running = begin({ LOG_LEVEL: 'info' })
  // The first line of a start: the embedded PostgreSQL is there, and the rest is not.
  await running.begun
  running.signal('SIGHUP')
  const url = urlIn(await running.said)
  await expect.poll(running.output).toContain('"reloaded"')
  expect((await fetch(`${url}/livez`)).status).toBe(200)
})

it('a port in use is reported in one sentence', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const running = begin({ PORT: String(port) })
  expect(await running.exited).toBe(1)
  expect(JSON.parse(await running.said).msg).toBe(
    `Port ${port} on 127.0.0.1 is in use: stop what uses it, or set PORT to another.`,
  )
  taken.close()
})

it('all unusable settings are named', async () => {
  const running = begin({ PORT: 'eighty', LOG_LEVEL: 'loud' })
  expect(await running.exited).toBe(1)
  expect(await running.said).toMatch(/PORT[\s\S]*LOG_LEVEL/)
})

it('settings are read from .env, but not by tests, which a developer’s own file would disturb', async () => {
  // An editor on Windows puts a byte order mark before the first name.
  await writeFile(join(folder, '.env'), '\uFEFFDATABSE_URL=postgres://a/b\nLOG_LEVEL=loud\nADMIN_API_KEYS=short\n')
  const running = begin({ NODE_ENV: '' })
  expect(await running.exited).toBe(1)
  // LOG_LEVEL is also set in the environment, which takes precedence.
  expect(JSON.parse(await running.said)).toMatchObject({
    msg: 'These settings cannot be used',
    faults: [
      'DATABSE_URL in .env is no setting: the nearest is DATABASE_URL',
      expect.stringMatching(/^ADMIN_API_KEYS.* at least 24 characters$/),
    ],
  })
  expect(await begin({ NODE_ENV: 'test' }).said).toContain('Quittance is ready')
})
