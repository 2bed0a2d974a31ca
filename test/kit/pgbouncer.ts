// The real PgBouncer in front of a PostgreSQL, where the machine has its program.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killWithUs } from '../../src/embedded/on-death.ts'
import { freePort } from '../../src/embedded/process.ts'

const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }

/** The version that the program prints; null where it is not installed. */
export const pgBouncer: string | null =
  spawnSync('pgbouncer', ['--version'], { env: environment, encoding: 'utf8' }).stdout?.split('\n')[0] ?? null

/** Whether the program carries prepared statements from one session to the next. */
export const carriesStatements = /^PgBouncer (1\.(2[1-9]|[3-9]\d)|[2-9])/.test(pgBouncer ?? '')

type Lines = {
  /** Lines of `[databases]`; by default one for all databases of the server. */
  databases?: string[]
  settings?: Record<string, string | number>
  port?: number
}

export async function startPgBouncer(
  database: string,
  mode: 'session' | 'transaction',
  { databases, settings: more = {}, port: listenPort = 0 }: Lines = {},
) {
  const { hostname, port, username, password } = new URL(database)
  const folder = await mkdtemp(join(tmpdir(), 'quittance-pgbouncer-'))
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: listenPort || (await freePort()),
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'users.txt'),
    stats_users: username,
    pool_mode: mode,
    default_pool_size: 50,
    ...more,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const ini = ['[databases]', ...(databases ?? [`* = host=${hostname} port=${port}`]), '[pgbouncer]', ...lines, '']
  await writeFile(settings.auth_file, `"${username}" "${password}"\n`)
  await writeFile(join(folder, 'pgbouncer.ini'), ini.join('\n'))
  await chmod(folder, 0o755)
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...user, join(folder, 'pgbouncer.ini')], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.once('exit', killWithUs(child.pid))
  let words = ''
  child.stderr.on('data', chunk => (words += chunk))
  const exit = once(child, 'exit').then(() => Promise.reject(new Error(`PgBouncer did not start: ${words}`)))
  exit.catch(() => {})
  while (!words.includes('process up')) await Promise.race([once(child.stderr, 'data'), exit])
  return {
    url: Object.assign(new URL(database), { hostname: '127.0.0.1', port: `${settings.listen_port}` }).toString(),
    port: settings.listen_port,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
