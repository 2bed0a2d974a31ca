// Two PostgreSQL servers under Patroni, which is set up as docs/failover.md says, and etcd: all of the machine's own
// packages.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { killWithUs } from '../../../src/embedded/on-death.ts'
import { freePort } from '../../../src/embedded/process.ts'
import { queryAlone } from '../standby.ts'
import { type Cluster, killAll } from './cluster.ts'

const patienceMs = 180_000
// PostgreSQL refuses to run as root.
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** The version that the program prints; null where it is not installed. */
export const patroni: string | null =
  spawnSync('patroni', ['--version'], { encoding: 'utf8' }).stdout?.split('\n')[0] ?? null

type Member = Cluster['servers'][number] & {
  folder: string
  start(): void
  /** Whether Patroni answers that the member has this role. */
  is(role: 'primary' | 'sync'): Promise<boolean>
  process(): ChildProcess
}

/** Each third kill takes Patroni with its server, as the death of a machine does; the others take the server alone. */
export async function startPatroni(): Promise<Cluster> {
  const root = await mkdtemp(join(tmpdir(), 'quittance-patroni-'))
  const path = await Promise.all(
    (await readdir('/usr/lib/postgresql').catch(() => [])).map(version => `/usr/lib/postgresql/${version}/bin`),
  )
  const options = {
    ...nobody,
    cwd: root,
    env: { ...process.env, HOME: root, PATH: [...path, process.env.PATH].join(':') },
  }
  if (nobody.uid) await chown(root, nobody.uid, nobody.gid)
  const run = (program: string, args: string[]): ChildProcess => {
    const child = spawn(program, args, { ...options, stdio: 'ignore' })
    child.once('exit', killWithUs(child.pid))
    return child
  }
  const [store, peers] = [await freePort(), await freePort()]
  const at = (port: number) => `http://127.0.0.1:${port}`
  const etcd = run('etcd', [
    ...['--data-dir', join(root, 'etcd'), '--listen-client-urls', at(store), '--advertise-client-urls', at(store)],
    ...['--listen-peer-urls', at(peers), '--initial-advertise-peer-urls', at(peers)],
    ...['--initial-cluster', `default=${at(peers)}`],
  ])
  const documented = parse((await readFile('docs/failover.md', 'utf8')).split('```yaml\n')[1]?.split('\n```')[0] ?? '')

  async function member(name: string): Promise<Member> {
    const folder = join(root, name)
    await mkdir(folder)
    if (nobody.uid) await chown(folder, nobody.uid, nobody.gid)
    const [port, control] = [await freePort(), await freePort()]
    const { watchdog: _, bootstrap, postgresql, ...config } = documented
    const { superuser, replication } = postgresql.authentication
    // The document has none.
    const password = 'secret'
    const file = join(folder, 'patroni.yml')
    const own = {
      ...config,
      name,
      restapi: { listen: `127.0.0.1:${control}`, connect_address: `127.0.0.1:${control}` },
      etcd3: { hosts: `127.0.0.1:${store}` },
      bootstrap,
      postgresql: {
        ...postgresql,
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: join(folder, 'data'),
        authentication: { superuser: { ...superuser, password }, replication: { ...replication, password } },
        pgpass: join(folder, 'pgpass'),
        pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
        parameters: { unix_socket_directories: folder },
      },
    }
    // JSON is YAML.
    await writeFile(file, JSON.stringify(own))
    const url = `postgres://${superuser.username}:${password}@127.0.0.1:${port}/quittance`
    let running = run('patroni', [file])
    return {
      name,
      port,
      folder,
      url,
      start: () => {
        running = run('patroni', [file])
      },
      is: role =>
        fetch(`${at(control)}/${role}`).then(
          ({ status }) => status === 200,
          () => false,
        ),
      process: () => running,
      sql: (text, values) => queryAlone(url, text, values),
    }
  }

  async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + patienceMs; !(await isSo()); await sleep(100))
      if (Date.now() > deadline) throw new Error(`Patroni: ${what}, in vain`)
  }

  async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  let primary = await member('a')
  await until('a primary', () => primary.is('primary'))
  await queryAlone(primary.url.replace(/quittance$/, 'postgres'), 'create database quittance')
  let standby = await member('b')
  await until('a synchronous standby', () => standby.is('sync'))
  let kills = 0
  return {
    servers: [primary, standby],
    primary: () => primary,
    async failOver({ note }) {
      const [old, next] = [primary, standby]
      const postmaster = Number((await readFile(join(old.folder, 'data/postmaster.pid'), 'utf8')).split('\n')[0])
      kills++
      if (kills % 3 === 0) await end(old.process(), 'SIGKILL')
      await killAll(postmaster)
      note({ kind: 'killed', server: old.name })
      await until('a successor', () => next.is('primary'))
      note({ kind: 'promoted', server: next.name })
      if (kills % 3 === 0) old.start()
      ;[primary, standby] = [next, old]
      await until('a new synchronous standby', () => old.is('sync'))
      note({ kind: 'rebuilt', server: old.name })
    },
    async stop() {
      for (const one of [standby, primary]) await end(one.process(), 'SIGTERM')
      await end(etcd, 'SIGTERM')
      await rm(root, { recursive: true, force: true })
    },
  }
}
