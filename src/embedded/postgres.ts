// Runs the default database: a real PostgreSQL under DATA_DIR. After a crash of this process, the next start takes the
// server over, or end-orphan.ts ends it.
import { randomBytes } from 'node:crypto'
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { endWithUs } from './on-death.ts'
import { type PostgresTools, postgresTools } from './postgres-tools.ts'
import { endWithout, freePort, lastLines, runsIn } from './process.ts'
import { StartError } from './start-error.ts'

export type EmbeddedPostgres = { url: string; stop(): Promise<void> }

const user = 'quittance'
const database = 'quittance'
// Any number works, because advisory locks belong to a database, and this one is in `postgres`, which nothing else
// uses.
const ownerLock = 7_137_001
// The server needs a moment to notice that a former owner was killed.
const ownerPatienceMs = 3_000
// Recovery after a power cut may take long; a server that hangs must not block the start indefinitely.
const startPatienceMs = 60_000
const revivePauseMs = 200
const serverLog = 'server.log'

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_connections: 200,
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

export async function startPostgres(dataDir: string, log: Pick<Logger, 'info' | 'error'>): Promise<EmbeddedPostgres> {
  const folder = resolve(dataDir)
  const cluster = join(folder, 'cluster')
  const passwordFile = join(cluster, 'password')
  const tools = await postgresTools(cluster)
  await createCluster(folder, cluster, tools)
  const password = await readFile(passwordFile, 'utf8').catch(error => {
    throw new StartError(`The embedded PostgreSQL cannot be used without its password file: ${error.message}`)
  })
  const callOff = endWithUs('postgres', folder)
  let stopping = false
  let reviving = Promise.resolve()
  const { port, ...owned } = await own(folder, password, tools).catch(error => {
    callOff()
    throw error
  })
  let { client } = owned
  const watch = () =>
    client.once('end', () => {
      if (stopping) return
      log.error('the embedded PostgreSQL went away')
      reviving = again().catch(error => endWithout('PostgreSQL', error, log))
    })
  // A server that was killed is started again where it was, because the pools know its port. One that was stopped has
  // taken its note along: whoever stopped it starts it.
  async function again(): Promise<void> {
    let deadline = Number.POSITIVE_INFINITY
    for (; !stopping; await sleep(revivePauseMs, undefined, { ref: false })) {
      const pid = await notedPid(cluster)
      if (pid === null) continue
      if (await runsIn(pid, cluster)) {
        const next = await connectTo(port, password)
        if (next instanceof Error) continue
        if (await isOurs(next).catch(() => false)) {
          client = next
          log.info({ port }, 'embedded PostgreSQL is ready again')
          return void watch()
        }
        await next.end().catch(() => {})
        continue
      }
      // A server that is being stopped removes its note just before it ends.
      if ((await notedPid(cluster)) !== pid) continue
      deadline = Math.min(deadline, Date.now() + startPatienceMs)
      // The processes of a killed server need a moment to end.
      await startServer(cluster, tools, port).catch(error => {
        if (Date.now() > deadline) throw error
      })
    }
  }
  watch()
  try {
    await removeHalfMade(folder)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${database}`)
  } catch (error) {
    stopping = true
    await client.end().catch(() => {})
    throw error
  }
  log.info({ port, folder }, 'embedded PostgreSQL is ready')
  const stop = async () => {
    // The lock is kept until the server is down, so that no process takes over a server that is about to stop.
    stopping = true
    await reviving
    await stopServer(cluster, tools)
    await client.end().catch(() => {})
    callOff()
  }
  return { url: `postgres://${user}:${password}@127.0.0.1:${port}/${database}`, stop }
}

// Made under another name and then renamed, so that a first start that was killed half-way leaves nothing that looks
// like a cluster.
async function createCluster(folder: string, cluster: string, tools: PostgresTools): Promise<void> {
  if (
    await access(cluster).then(
      () => true,
      () => false,
    )
  )
    return
  const password = randomBytes(24).toString('hex')
  const text = ['--encoding', 'UTF8', '--locale', 'C', '--no-instructions']
  try {
    await mkdir(folder, { recursive: true })
    // Outside our folder, because the server's user may have no access to it.
    const aside = await mkdtemp(join(tmpdir(), 'quittance-'))
    const half = await mkdtemp(join(folder, 'new-'))
    try {
      const pwFile = join(aside, 'password')
      await writeFile(pwFile, password, { mode: 0o600 })
      for (const path of [pwFile, aside, half]) await tools.hand(path)
      const login = ['--username', user, '--pwfile', pwFile, '--auth', 'scram-sha-256']
      await tools.run('initdb', ['--pgdata', tools.clusterPath(half), ...login, ...text], half)
    } finally {
      await rm(aside, { recursive: true })
    }
    await writeFile(join(half, 'password'), password, { mode: 0o600 })
    await tools.hand(join(half, 'password'))
    await rename(half, cluster).catch(error => {
      // Another process was quicker: its cluster is used, and the process that becomes the owner removes ours.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).split('\n').slice(-5).join('\n')
    throw new StartError(`The embedded PostgreSQL could not make its files in ${folder}, under DATA_DIR: ${why}`)
  }
}

async function removeHalfMade(folder: string): Promise<void> {
  const halves = (await readdir(folder)).filter(name => name.startsWith('new-'))
  for (const name of halves) await rm(join(folder, name), { recursive: true, force: true })
}

const noteIn = (cluster: string): Promise<string> => readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')

/** Returns the process id in the note that a server keeps while it runs, and that a killed one leaves; else null. */
async function notedPid(cluster: string): Promise<number | null> {
  const pid = Number((await noteIn(cluster)).split('\n')[0])
  return pid > 0 ? pid : null
}

/**
 * Returns the live server of this cluster, or null. Removes the note of a dead server, because PostgreSQL itself may
 * believe it.
 */
async function liveServer(cluster: string): Promise<{ pid: number; port: number } | null> {
  const lines = (await noteIn(cluster)).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  if (!(pid > 0)) return null
  if (await runsIn(pid, cluster)) return { pid, port }
  await rm(join(cluster, 'postmaster.pid'), { force: true })
  return null
}

/**
 * Adopts the server of an earlier run or starts one, and connects. Either server may still be recovering or stopping.
 */
async function connect(cluster: string, password: string, tools: PostgresTools) {
  let why = 'it does not answer.'
  for (const deadline = Date.now() + startPatienceMs; Date.now() < deadline; await sleep(50)) {
    const live = await liveServer(cluster)
    if (live === null) {
      const fault = await startServer(cluster, tools, await freePort()).catch((error: Error) => error)
      // Another process may have been quicker; then its server is used.
      if (fault === undefined || (await liveServer(cluster)) !== null) continue
      why = fault.message
      break
    }
    const { port } = live
    const client = await connectTo(port, password)
    if (client instanceof pg.Client) return { client, port }
    why = client.message
    if (client instanceof pg.DatabaseError && client.code === '28P01') break
  }
  const end = await lastLines(join(cluster, serverLog))
  throw new StartError(`The embedded PostgreSQL in ${cluster} cannot be used: ${why}${end === '' ? '' : `\n${end}`}`)
}

async function connectTo(port: number, password: string): Promise<pg.Client | Error> {
  const login = { host: '127.0.0.1', port, user, password, database: 'postgres' }
  // Without the settings of a session: it holds a lock, and reads and writes nothing on which they have an effect.
  const client = new pg.Client({ ...login, keepAlive: true, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  return client.connect().then(
    () => client,
    (error: Error) => error,
  )
}

// pg_ctl puts the server into its own session, so that neither Ctrl-C nor a crash of ours reaches it.
async function startServer(cluster: string, tools: PostgresTools, port: number): Promise<void> {
  await rm(join(cluster, serverLog), { force: true })
  const options = Object.entries({ port, ...settings }).map(([name, value]) => `-c ${name}=${value}`)
  const place = ['-D', tools.clusterPath(cluster), '-l', serverLog]
  await tools.run('pg_ctl', ['start', '-s', '-w', '-t', '60', ...place, '-o', options.join(' ')], cluster)
}

const stopServer = (cluster: string, tools: PostgresTools) =>
  tools.run('pg_ctl', ['stop', '-s', '-w', '-m', 'fast', '-D', tools.clusterPath(cluster)], cluster)

/** Stops the server that a dead process left behind, unless another process owns it by now. */
export async function endOrphanedPostgres(folder: string): Promise<void> {
  const cluster = join(folder, 'cluster')
  const password = await readFile(join(cluster, 'password'), 'utf8')
  // The server may still be starting or recovering.
  for (const deadline = Date.now() + startPatienceMs; Date.now() < deadline; await sleep(200)) {
    const live = await liveServer(cluster)
    if (live === null) return
    const client = await connectTo(live.port, password)
    if (client instanceof Error) continue
    if (await isOurs(client)) await stopServer(cluster, await postgresTools(cluster))
    await client.end().catch(() => {})
    return
  }
}

const isOurs = async (client: pg.Client): Promise<boolean> =>
  (await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [ownerLock])).rows[0]?.taken ??
  false

async function own(folder: string, password: string, tools: PostgresTools) {
  for (const deadline = Date.now() + startPatienceMs; Date.now() < deadline; ) {
    const server = await connect(join(folder, 'cluster'), password, tools)
    try {
      for (const patience = Date.now() + ownerPatienceMs; Date.now() < patience; await sleep(100)) {
        if (await isOurs(server.client)) return server
      }
    } catch {
      // The server stopped meanwhile, because its former owner or end-orphan.ts was already stopping it.
      continue
    }
    await server.client.end().catch(() => {})
    break
  }
  throw new StartError(`Another Quittance uses the data folder ${folder}: stop it, or set DATA_DIR to another.`)
}
