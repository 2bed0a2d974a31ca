// A primary PostgreSQL and its hot standbys, made with the programs of the npm package, which has no pg_basebackup.
import { randomBytes } from 'node:crypto'
import { appendFile, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { endWithUs } from '../../src/embedded/on-death.ts'
import { type PostgresTools, postgresTools } from '../../src/embedded/postgres-tools.ts'
import { freePort, lastLines, runsIn } from '../../src/embedded/process.ts'
import { StartError } from '../../src/embedded/start-error.ts'

type Server = {
  /** Also its `application_name` at its primary, and the name of its replication slot there. */
  name: string
  port: number
  /** URL of the database `quittance`; it stays the same over restarts and promotions. */
  url: string
  /** Runs SQL on a connection of its own, as a superuser. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** Process id of the postmaster. */
  pid(): Promise<number>
  start(): Promise<void>
  /** `immediate`: as after a crash, and without a checkpoint. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** Kills the postmaster by SIGKILL; its processes end by themselves. */
  kill(): Promise<void>
  /** Makes a standby a primary. */
  promote(): Promise<void>
  /** Lets a standby stream from another server from now on, without a restart. */
  follow(primary: Server): Promise<void>
  /** The log of the server since it was started the last time. */
  said(): Promise<string>
  /** Waits until this standby has replayed all that the server has written by now. */
  caughtUp(primary: Server): Promise<void>
}

type Servers = {
  primary: Server
  /** Copies a running server, and starts the copy as a hot standby of it. A name is used again after `remove`. */
  addStandby(name: string, of?: Server, settings?: Record<string, string>): Promise<Server>
  /** Copies a running server over one that is down, and starts it as its hot standby, at the port that it had. */
  rebuild(server: Server, of: Server): Promise<void>
  /** Ends a server and deletes its files. */
  remove(server: Server): Promise<void>
  /** Ends all servers and deletes their files. */
  stop(): Promise<void>
}

const user = 'quittance'
const patienceMs = 60_000
// The content of these belongs to one run of one server; the backup needs the folders alone.
const emptied = ['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp']
const left = ['postmaster.pid', 'postmaster.opts', 'postgresql.auto.conf', 'server.log']

const lines = (settings: Record<string, string>) =>
  Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)

/** Runs SQL on a connection of its own. */
export async function queryAlone<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** Starts a primary. `settings`: of its `postgresql.conf`, which its standbys inherit. */
export async function startServers(settings: Record<string, string> = {}): Promise<Servers> {
  const root = await mkdtemp(join(tmpdir(), 'quittance-servers-'))
  const password = randomBytes(24).toString('hex')
  const started = new Map<Server, () => Promise<void>>()

  async function serverIn(name: string): Promise<Server> {
    const cluster = join(root, name, 'cluster')
    const tools = await postgresTools(cluster)
    const port = await freePort()
    const url = `postgres://${user}:${password}@127.0.0.1:${port}/quittance`
    const callOff = endWithUs('postgres', join(root, name))
    const pid = async () => Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0])
    const control = (command: string, ...more: string[]) =>
      tools.run('pg_ctl', [command, '-s', '-w', '-t', '60', '-D', tools.clusterPath(cluster), ...more], cluster)

    const sql = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      queryAlone<Row>(url, text, values)

    const server: Server = {
      name,
      port,
      url,
      sql,
      pid,
      async start() {
        // The processes of a killed server need a moment to end.
        for (const deadline = Date.now() + patienceMs; ; await sleep(100)) {
          await rm(join(cluster, 'server.log'), { force: true })
          const fault = await control('start', '-l', 'server.log', '-o', `-c port=${port}`).catch(error => error)
          if (fault === undefined) return
          if (Date.now() > deadline)
            throw new StartError(`${fault.message}\n${await lastLines(join(cluster, 'server.log'))}`)
        }
      },
      stop: (mode = 'fast') => control('stop', '-m', mode),
      async kill() {
        const id = await pid()
        process.kill(id, 'SIGKILL')
        while (await runsIn(id, cluster)) await sleep(10)
      },
      promote: () => control('promote'),
      async follow(primary) {
        await reserve(primary, name)
        await appendFile(join(cluster, 'postgresql.conf'), lines(upstream(primary, name)).join(''))
        await sql('select pg_reload_conf()')
      },
      said: () => readFile(join(cluster, 'server.log'), 'utf8'),
      async caughtUp(primary) {
        const [{ lsn } = { lsn: '' }] = await primary.sql<{ lsn: string }>('select pg_current_wal_flush_lsn() as lsn')
        const isThere = 'select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as there'
        for (const deadline = Date.now() + patienceMs; ; await sleep(20)) {
          const [row] = await sql<{ there: boolean }>(isThere, [lsn])
          if (row?.there) return
          if (Date.now() > deadline) throw new Error(`${name} did not replay ${lsn}`)
        }
      },
    }
    started.set(server, async () => {
      if (await runsIn(await pid().catch(() => 0), cluster)) await server.stop('immediate')
      callOff()
      await rm(join(root, name), { recursive: true, force: true })
    })
    return server
  }

  const upstream = ({ port }: Server, name: string) => ({
    primary_conninfo: `host=127.0.0.1 port=${port} user=${user} password=${password} application_name=${name}`,
    primary_slot_name: name,
  })

  /** Keeps the WAL that the standby of this name needs. */
  const reserve = (primary: Server, name: string) =>
    primary.sql(
      `select pg_create_physical_replication_slot($1, true)
       where not exists (select from pg_replication_slots where slot_name = $1)`,
      [name],
    )

  async function makePrimary(): Promise<Server> {
    const cluster = join(root, 'primary', 'cluster')
    await mkdir(cluster, { recursive: true })
    const tools = await postgresTools(cluster)
    await tools.hand(cluster)
    const aside = await mkdtemp(join(tmpdir(), 'quittance-'))
    const passwordFile = join(aside, 'password')
    await writeFile(passwordFile, password, { mode: 0o600 })
    for (const path of [passwordFile, aside]) await tools.hand(path)
    const login = ['--username', user, '--pwfile', passwordFile, '--auth', 'scram-sha-256']
    const text = ['--encoding', 'UTF8', '--locale', 'C', '--no-instructions', '--no-sync']
    await tools.run('initdb', ['--pgdata', tools.clusterPath(cluster), ...login, ...text], cluster)
    await rm(aside, { recursive: true })
    // Read by what ends the server when this process dies.
    await writeFile(join(cluster, 'password'), password, { mode: 0o600 })
    await tools.hand(join(cluster, 'password'))
    const own = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      // Nothing has to survive a power cut, and what a killed server wrote is kept by the system.
      fsync: 'off',
      timezone: 'UTC',
      ...settings,
    }
    await appendFile(join(cluster, 'postgresql.conf'), lines(own).join(''))
    const server = await serverIn('primary')
    await server.start()
    const client = new pg.Client({ connectionString: server.url.replace(/quittance$/, 'postgres') })
    await client.connect()
    await client.query('create database quittance')
    await client.end()
    return server
  }

  async function copyAsStandby(name: string, of: Server, more: Record<string, string>): Promise<void> {
    const cluster = join(root, name, 'cluster')
    await reserve(of, name)
    await copyRunning(of, join(root, of.name, 'cluster'), cluster)
    const tools = await postgresTools(cluster)
    await appendFile(join(cluster, 'postgresql.conf'), lines({ ...upstream(of, name), ...more }).join(''))
    await writeFile(join(cluster, 'standby.signal'), '')
    await tools.hand(join(cluster, 'standby.signal'))
  }

  const stop = async () => {
    // Standbys first, because a primary that stops waits for them.
    await Promise.all([...started.values()].map(end => end()))
    await rm(root, { recursive: true, force: true })
  }

  try {
    const primary = await makePrimary()
    return {
      primary,
      async addStandby(name, of = primary, more = {}) {
        await mkdir(join(root, name), { recursive: true })
        await copyAsStandby(name, of, more)
        const server = await serverIn(name)
        await server.start()
        return server
      },
      async rebuild(server, of) {
        await rm(join(root, server.name, 'cluster'), { recursive: true })
        await copyAsStandby(server.name, of, {})
        await server.start()
      },
      async remove(server) {
        await started.get(server)?.()
        started.delete(server)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Copies the files of a running server, as `pg_basebackup` does. */
async function copyRunning(server: Server, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', fast => true)`)
    const tools = await postgresTools(from)
    await copyFolder(tools, from, to, true)
    await writeFile(join(to, 'postgresql.auto.conf'), '')
    await tools.hand(join(to, 'postgresql.auto.conf'))
    const { rows } = await client.query<{ labelfile: string }>(
      'select * from pg_backup_stop(wait_for_archive => false)',
    )
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '')
    await tools.hand(join(to, 'backup_label'))
  } finally {
    await client.end()
  }
}

async function copyFolder(tools: PostgresTools, from: string, to: string, isWhole = false): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  await tools.hand(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (isWhole && left.includes(entry.name)) continue
    if (!entry.isDirectory()) {
      // A file that goes away meanwhile is made or removed again by what the standby replays.
      const fault = await copyFile(source, target).catch((error: NodeJS.ErrnoException) => error)
      if (fault === undefined) await tools.hand(target)
      else if (fault.code !== 'ENOENT') throw fault
    } else if (isWhole && emptied.includes(entry.name)) {
      await mkdir(target, { mode: 0o700 })
      await tools.hand(target)
    } else await copyFolder(tools, source, target)
  }
}
