// The real nginx and HAProxy with the files of `ops`, in front of two API processes, where the machine has them.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { killWithUs } from '../../src/embedded/on-death.ts'
import { freePort } from '../../src/embedded/process.ts'
import { selfSigned } from './self-signed.ts'

const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
const ops = (path: string) => readFile(fileURLToPath(new URL(`../../ops/${path}`, import.meta.url)), 'utf8')

export type Front = {
  /** With TLS, by the certificate of `selfSigned`. */
  url: string
  said(): string
  stop(): Promise<void>
}

type Kind = {
  program: 'nginx' | 'haproxy'
  /** Writes the files into the folder, for this port and these ports of processes. Returns the arguments. */
  configure(folder: string, port: number, processes: readonly number[]): Promise<string[]>
}

/** Replaces each text by the other. Throws unless the file has it, so that the test follows the file. */
function replaced(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the file no longer has “${from}”`)
    return result.replaceAll(from, to)
  }, text)
}

/** The path below which the second location of nginx and a rule of HAProxy serve the same processes. */
export const belowPath = '/money/quittance'

const nginx: Kind = {
  program: 'nginx',
  async configure(folder, port, [one, two]) {
    await writeFile(join(folder, 'fullchain.pem'), selfSigned.cert)
    await writeFile(join(folder, 'key.pem'), selfSigned.key)
    await writeFile(join(folder, 'quittance-proxy.conf'), await ops('nginx/quittance-proxy.conf'))
    const below = `location ${belowPath}/ {\n proxy_pass http://quittance/;\n include quittance-proxy.conf;\n }\n`
    const server = replaced(await ops('nginx/quittance.conf'), [
      ['127.0.0.1:8000', `127.0.0.1:${one}`],
      ['127.0.0.1:8001', `127.0.0.1:${two}`],
      ['listen 443 ', `listen 127.0.0.1:${port} `],
      ['    listen [::]:443 ssl http2;\n', ''],
      ['/etc/ssl/quittance', folder],
      ['    location / {', `${below}    location / {`],
    ])
    await writeFile(join(folder, 'quittance.conf'), server)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const main = [
      ...['daemon off;', 'worker_processes 2;', `pid ${folder}/pid;`, 'events { worker_connections 1024; }', 'http {'],
      ...temporary.map(name => `${name}_temp_path ${folder}/${name};`),
      ...['access_log off;', `include ${folder}/quittance.conf;`, '}'],
    ]
    await writeFile(join(folder, 'nginx.conf'), main.join('\n'))
    return ['-e', 'stderr', '-c', join(folder, 'nginx.conf')]
  },
}

const haproxy: Kind = {
  program: 'haproxy',
  async configure(folder, port, [one, two]) {
    await writeFile(join(folder, 'quittance.pem'), selfSigned.cert + selfSigned.key)
    const front = replaced(await ops('haproxy/quittance.cfg'), [
      ['bind :443 ', `bind 127.0.0.1:${port} `],
      ['/etc/haproxy/certs', folder],
      // As docs/deploy.md says for a service below a path.
      ['    option forwardfor', `    option forwardfor\n    http-request replace-path ^${belowPath}(/.*) \\1`],
    ])
    const back = replaced(await ops('haproxy/backend.cfg'), [
      ['127.0.0.1:8000', `127.0.0.1:${one}`],
      ['127.0.0.1:8001', `127.0.0.1:${two}`],
    ])
    await writeFile(join(folder, 'quittance.cfg'), front)
    await writeFile(join(folder, 'backend.cfg'), back)
    return ['-db', '-f', join(folder, 'quittance.cfg'), '-f', join(folder, 'backend.cfg')]
  },
}

/** Each proxy, and whether the machine has it. */
export const fronts = [nginx, haproxy].map(kind => ({
  ...kind,
  isInstalled: spawnSync(kind.program, ['-v'], { env: environment }).status === 0,
}))

export async function startFront({ program, configure }: Kind, processes: readonly number[]): Promise<Front> {
  const folder = await mkdtemp(join(tmpdir(), `quittance-${program}-`))
  // The workers of nginx have another user than root.
  await chmod(folder, 0o755)
  const port = await freePort()
  const args = await configure(folder, port, processes)
  const child = spawn(program, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  child.once('exit', killWithUs(child.pid))
  let words = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (words += chunk))
  const exit = once(child, 'exit').then(() => Promise.reject(new Error(`${program} did not start: ${words}`)))
  exit.catch(() => {})
  while (!(await accepts(port))) await Promise.race([sleep(20), exit])
  return {
    url: `https://localhost:${port}`,
    said: () => words,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
