// Runs the receivers that docs/webhooks.md shows, each in its own process; the shell receiver behind a small gateway.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blocksOf } from './page-blocks.ts'
import { pythonOf } from './python.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

type Language = 'TypeScript' | 'Python' | 'Shell'

/** Returns why the program cannot run on this machine, as a sentence; null when it can. */
export function lacks(language: Language): string | null {
  if (language === 'Python') return pythonOf('').lacks
  const needed = language === 'Shell' ? ['bash', 'openssl'] : []
  const missing = needed.filter(name => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
  return missing.length === 0 ? null : `there is no ${missing.join(' and no ')} here`
}

export async function programOf(language: Language): Promise<string> {
  const blocks = await blocksOf('webhooks.md', { TypeScript: 'ts', Python: 'python', Shell: 'bash' }[language])
  const [program, ...others] = blocks.filter(({ heading }) => heading === language)
  if (program === undefined || others.length > 0) throw new Error(`docs/webhooks.md has not one program in ${language}`)
  return program.code
}

export type Program = AsyncDisposable & {
  url: string
  /** The stored bodies, by event id. */
  kept(): Promise<Record<string, string>>
  /** The ids that the program printed as kept, in order. */
  said(): string[]
}

/** Resolves when the program listens. Throws when it ends before. */
export async function startProgram(language: Language, secret: string): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-receiver-'))
  const inbox = join(folder, 'inbox')
  const env = { ...process.env, SECRET: secret, PORT: '0', INBOX: inbox }
  const remove = () => rm(folder, { recursive: true, force: true })
  const started = starts[language](folder, await programOf(language), env)
  started.catch(remove)
  const { url, stop, words } = await started
  return {
    url,
    kept: async () => {
      const files = (await readdir(inbox).catch(() => [])).filter(name => name.endsWith('.json'))
      const texts = files.map(async name => [name.slice(0, -'.json'.length), await readFile(join(inbox, name), 'utf8')])
      return Object.fromEntries(await Promise.all(texts))
    },
    said: () => [...words().matchAll(/^kept (\S+)$/gm)].map(([, id = '']) => id),
    async [Symbol.asyncDispose]() {
      await stop()
      await remove()
    },
  }
}

type Started = { url: string; words: () => string; stop: () => Promise<unknown> }
type Start = (folder: string, program: string, env: NodeJS.ProcessEnv) => Promise<Started>

const starts: Record<Language, Start> = {
  async TypeScript(folder, program, env) {
    await symlink(modules, join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'receiver.ts'), program)
    return listening(spawn(process.execPath, ['receiver.ts'], { cwd: folder, env }))
  },
  async Python(folder, program, env) {
    await writeFile(join(folder, 'receiver.py'), program)
    const { command, args } = pythonOf(folder)
    return listening(spawn(command, [...args, 'receiver.py'], { cwd: folder, env }))
  },
  /** Runs the script as a web server runs CGI programs. */
  async Shell(folder, program, env) {
    await writeFile(join(folder, 'receive-webhook.sh'), program)
    let words = ''
    const server = createServer((request, response) => {
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-length']
      const given = names.flatMap(name => {
        const value = request.headers[name]
        const variable = name
          .toUpperCase()
          .replaceAll('-', '_')
          .replace(/^WEBHOOK/, 'HTTP_WEBHOOK')
        return value === undefined ? [] : [[variable, String(value)]]
      })
      const options = { cwd: folder, env: { ...env, ...Object.fromEntries(given) } }
      const child = spawn('bash', ['receive-webhook.sh'], options)
      let said = ''
      child.stdout.on('data', chunk => (said += chunk))
      child.stderr.on('data', chunk => (words += chunk))
      // The script may end before it has read the whole body.
      child.stdin.on('error', () => undefined)
      request.pipe(child.stdin)
      child.on('close', code => {
        // A web server answers 500 for a script that ends without a status.
        const status = Number(/^Status: (\d{3}) .*\r\n\r\n$/.exec(said)?.[1] ?? 500)
        response.writeHead((code === 0) === (status === 204) ? status : 599).end()
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const stop = async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
    return { url: `http://127.0.0.1:${port}`, words: () => words, stop }
  },
}

async function listening(child: ChildProcess): Promise<Started> {
  let words = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (words += chunk))
  const gone = once(child, 'close').then(() => Promise.reject(new Error(`it did not start: ${words}`)))
  gone.catch(() => undefined)
  const port = () => /^listening on .*?(\d+)[\s}]*$/m.exec(words)?.[1]
  while (port() === undefined) await Promise.race([new Promise(resolve => setTimeout(resolve, 20)), gone])
  const stop = async () => {
    if (child.exitCode !== null) return
    const closed = once(child, 'close')
    child.kill()
    await closed
  }
  return { url: `http://127.0.0.1:${port()}`, words: () => words, stop }
}
