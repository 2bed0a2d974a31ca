// Debian's HAProxy in front of the servers, with a check by role. Patroni answers that check at `/primary` of its REST
// API; here a small server does.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { killWithUs } from '../../../src/embedded/on-death.ts'
import { freePort } from '../../../src/embedded/process.ts'
import type { Cluster } from './cluster.ts'

const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }

/** The version that the program prints; null where it is not installed. */
export const haproxy: string | null =
  spawnSync('haproxy', ['-v'], { env: environment, encoding: 'utf8' }).stdout?.split('\n')[0] ?? null

/** Returns the URL that leads to the primary through HAProxy. */
export async function startHaproxy({ servers }: Cluster): Promise<{ url: string; stop(): Promise<void> }> {
  const roles = await Promise.all(servers.map(async server => ({ server, role: await answerRole(server) })))
  const folder = await mkdtemp(join(tmpdir(), 'quittance-haproxy-'))
  const port = await freePort()
  const lines = [
    'defaults',
    '  mode tcp',
    '  timeout connect 3s',
    '  timeout check 3s',
    '  timeout client 1h',
    '  timeout server 1h',
    'listen primary',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk GET /primary',
    '  http-check expect status 200',
    '  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...roles.map(({ server, role }) => `  server ${server.name} 127.0.0.1:${server.port} port ${role.port}`),
  ]
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, `${lines.join('\n')}\n`)
  const child = spawn('haproxy', ['-f', file], { env: environment, stdio: 'ignore' })
  child.once('exit', killWithUs(child.pid))
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error('HAProxy did not start')
    await sleep(50)
  }
  const { username, password, pathname } = new URL(servers[0]?.url ?? '')
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}?target_session_attrs=read-write`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await Promise.all(roles.map(({ role }) => role.stop()))
      await rm(folder, { recursive: true })
    },
  }
}

async function answerRole(server: Cluster['servers'][number]) {
  const http = createServer(async (_, response) => {
    const isPrimary = await server
      .sql<{ standby: boolean }>('select pg_is_in_recovery() as standby')
      .then(([row]) => row?.standby === false)
      .catch(() => false)
    response.writeHead(isPrimary ? 200 : 503).end()
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    port: (http.address() as AddressInfo).port,
    async stop() {
      http.closeAllConnections()
      http.close()
    },
  }
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.unref().once('connect', () => socket.destroy())
  })
