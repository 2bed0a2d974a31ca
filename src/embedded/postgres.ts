// The default database: a real PostgreSQL under DATA_DIR that outlives a crash of ours and is taken over by the next start.
import { randomBytes } from 'node:crypto'
import { chown, link, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { ownedFolder, type PostgresTools, postgresTools } from './postgres-tools.ts'
import { freePort, lastLines, runsIn } from './process.ts'
import { StartError } from './start-error.ts'

export type EmbeddedPostgres = { url: string; stop(): Promise<void> }

const user = 'quittance'
const database = 'quittance'
// Any number; advisory locks belong to a database, and this one is held in `postgres`, which nothing else uses.
const ownerLock = 7_137_001
const ownerLockPatienceMs = 3_000
// Recovery after a power cut may take long, a server that hangs for ever should not.
const startPatienceMs = 60_000

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  max_connections: 100,
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

export async function startPostgres(dataDir: string, log: Pick<Logger, 'info' | 'error'>): Promise<EmbeddedPostgres> {
  const folder = resolve(dataDir)
  const cluster = join(folder, 'cluster')
  await mkdir(folder, { recursive: true }).catch(error => {
    throw new StartError(`The data folder ${folder} cannot be made: ${error.message}. Set DATA_DIR to another.`)
  })
  const tools = await postgresTools(cluster)
  const password = await keptPassword(join(folder, 'password'))
  await createCluster(folder, cluster, password, tools)
  const { client, port } = await connect(cluster, password, tools, log)
  let stopping = false
  client.on('error', error => stopping || log.error({ err: error }, 'the embedded PostgreSQL went away'))
  try {
    await takeOwnership(client, folder)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${database}`)
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  const stop = async () => {
    // The lock is held until the server is down, so that nobody takes over a server that is about to go.
    stopping = true
    await tools.run('pg_ctl', ['stop', '-s', '-w', '-m', 'fast', '-D', tools.clusterPath(cluster)], cluster)
    await client.end().catch(() => {})
  }
  return { url: `postgres://${user}:${password}@127.0.0.1:${port}/${database}`, stop }
}

/** Made once; complete under its name or not there at all, whenever we die. */
async function keptPassword(file: string): Promise<string> {
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, randomBytes(24).toString('hex'), { mode: 0o600 })
  await link(fresh, file).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(fresh)
  return readFile(file, 'utf8')
}

/** Made aside and renamed, so that a first start that was killed half-way leaves nothing that looks like a cluster. */
async function createCluster(folder: string, cluster: string, password: string, tools: PostgresTools): Promise<void> {
  const entries = await readdir(folder)
  if (entries.includes('cluster')) return
  for (const entry of entries) {
    const [, maker] = /^new-(\d+)$/.exec(entry) ?? []
    const inMaking =
      maker !== undefined && Number(maker) !== process.pid && (await runsIn(Number(maker), process.cwd()))
    if (maker !== undefined && !inMaking) await rm(join(folder, entry), { recursive: true })
  }
  const half = join(folder, `new-${process.pid}`)
  await ownedFolder(half, tools)
  // Outside our folder, because the server's user may not be able to pass through it.
  const aside = await mkdtemp(join(tmpdir(), 'quittance-'))
  const passwordFile = join(aside, 'password')
  try {
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (tools.user !== null) {
      for (const path of [passwordFile, aside]) await chown(path, tools.user.uid, tools.user.gid)
    }
    const login = ['--username', user, '--pwfile', passwordFile, '--auth', 'scram-sha-256']
    const text = ['--encoding', 'UTF8', '--locale', 'C', '--no-instructions']
    await tools.run('initdb', ['--pgdata', tools.clusterPath(half), ...login, ...text], half)
    await rename(half, cluster)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `The embedded PostgreSQL could not make its files in ${folder}: ${why.split('\n').slice(-5).join('\n')}`,
    )
  } finally {
    await rm(aside, { recursive: true })
  }
}

/** The live server of this cluster, or null; a leftover note about one is removed, which else would stop a start. */
async function liveServer(cluster: string): Promise<{ pid: number; port: number } | null> {
  const note = join(cluster, 'postmaster.pid')
  const lines = (await readFile(note, 'utf8').catch(() => '')).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  if (!(pid > 0)) return null
  if (await runsIn(pid, cluster)) return { pid, port }
  await rm(note, { force: true })
  return null
}

async function connect(cluster: string, password: string, tools: PostgresTools, log: Pick<Logger, 'info'>) {
  const serverLog = join(cluster, 'server.log')
  const failed = async (why: string) =>
    new StartError(`The embedded PostgreSQL in ${cluster} did not start: ${why}\n${await lastLines(serverLog)}`.trim())
  const deadline = Date.now() + startPatienceMs
  for (let last = 'it does not answer.'; Date.now() < deadline; await sleep(50)) {
    const live = await liveServer(cluster)
    if (live === null) {
      await startServer(cluster, serverLog, tools).catch(async error => {
        // Another process may have been quicker; then its server is the one to ask.
        if ((await liveServer(cluster)) === null) throw await failed(error.message)
      })
      continue
    }
    if (!(live.port > 0)) continue
    const client = new pg.Client({
      host: '127.0.0.1',
      port: live.port,
      user,
      password,
      database: 'postgres',
      keepAlive: true,
    })
    try {
      await client.connect()
      log.info({ pid: live.pid, port: live.port }, 'embedded PostgreSQL answers')
      return { client, port: live.port }
    } catch (error) {
      last = error instanceof Error ? error.message : String(error)
      const code = error instanceof pg.DatabaseError ? error.code : null
      // Everything else passes: starting up, recovering, shutting down, not yet listening.
      if (code === '28P01') throw await failed('its password is not the one in the file "password" beside it.')
    }
    if (Date.now() + 50 >= deadline) throw await failed(last)
  }
  throw await failed('it does not answer.')
}

// pg_ctl puts the server into a session of its own: Ctrl-C and a crash of ours do not reach it.
async function startServer(cluster: string, serverLog: string, tools: PostgresTools): Promise<void> {
  await rm(serverLog, { force: true })
  const options = Object.entries({ port: await freePort(), ...settings }).map(([name, value]) => `-c ${name}=${value}`)
  const place = ['-D', tools.clusterPath(cluster), '-l', 'server.log']
  await tools.run('pg_ctl', ['start', '-s', '-w', '-t', '60', ...place, '-o', options.join(' ')], cluster)
}

async function takeOwnership(client: pg.Client, folder: string): Promise<void> {
  // The server needs a moment to notice that a former owner was killed.
  for (const deadline = Date.now() + ownerLockPatienceMs; ; await sleep(100)) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [ownerLock])
    if (rows[0]?.taken) return
    if (Date.now() > deadline) break
  }
  throw new StartError(`Another Quittance uses the data folder ${folder}: stop it, or set DATA_DIR to another.`)
}
