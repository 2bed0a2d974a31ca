// Starting, as people really do it: the first time, again, twice at once, on a port in use, with settings that are wrong.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

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

function begin(env: Record<string, string> = {}) {
  const { DATABASE_URL: _, ...inherited } = process.env
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: { ...inherited, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error', ...env },
  })
  let output = ''
  const exited = once(child, 'exit').then(([code]) => code)
  const said = new Promise<void>(resolve => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        output += chunk
        // The key comes after the addresses, in the same breath.
        if (output.includes('Chain ')) setTimeout(resolve, 200)
      })
    }
    void exited.then(() => resolve())
  })
  const running = {
    said: said.then(() => output),
    exited,
    end: async (signal: NodeJS.Signals) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return exited
    },
  }
  children.add(running)
  return running
}

const adminKeyIn = (output: string) => /admin_[A-Za-z0-9_-]{43}/.exec(output)?.[0]
const urlIn = (output: string) => /REST +(http:\/\/[^/]+)/.exec(output)?.[1]
const isAdmin = async (url: string | undefined, key: string | undefined) => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key ?? '' },
    body: '{"query":"{ me { isAdmin } }"}',
  })
  return (await response.json()).data?.me.isAdmin
}

describe('starting with nothing configured', () => {
  it('shows an administrator key the first time only; it works, also after kill -9', async () => {
    const first = begin()
    const output = await first.said
    const key = adminKeyIn(output)
    expect(await isAdmin(urlIn(output), key)).toBe(true)
    await first.end('SIGKILL')
    const second = await begin().said
    expect(adminKeyIn(second)).toBeUndefined()
    expect(await isAdmin(urlIn(second), key)).toBe(true)
  })

  it('a second process on the same folder is told so in one sentence, and the first goes on', async () => {
    const output = await begin().said
    const second = begin()
    expect(await second.exited).toBe(1)
    expect((await second.said).trim().split('\n')).toHaveLength(1)
    expect((await fetch(`${urlIn(output)}/livez`)).status).toBe(200)
  })

  it('stops by itself on SIGTERM, with exit code 0', async () => {
    const running = begin()
    await running.said
    expect(await running.end('SIGTERM')).toBe(0)
  })
})

it('a port in use is told in one sentence', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const running = begin({ PORT: String(port) })
  expect(await running.exited).toBe(1)
  expect((await running.said).trim()).toBe(
    `Port ${port} on 127.0.0.1 is in use: stop what uses it, or set PORT to another.`,
  )
  taken.close()
})

it('settings that cannot be used are all named', async () => {
  const running = begin({ PORT: 'eighty', LOG_LEVEL: 'loud' })
  expect(await running.exited).toBe(1)
  expect(await running.said).toMatch(/PORT[\s\S]*LOG_LEVEL/)
})
