// Two PostgreSQL servers, a primary and its synchronous standby, with what a manager of failovers does: it notices that
// the primary is gone, promotes the standby, and makes a new standby where the primary was.
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startServers } from '../standby.ts'
import type { History } from './history.ts'

const probeEveryMs = 500
const mostFailures = 3
const patienceMs = 60_000

type Server = Awaited<ReturnType<typeof startServers>>['primary']

type Shown = Pick<Server, 'name' | 'port' | 'url' | 'sql'>

export type Cluster = {
  servers: readonly Shown[]
  primary(): Shown
  /** Kills the primary with all its processes, and returns when its successor has a synchronous standby. */
  failOver(history: Pick<History, 'note'>): Promise<void>
  stop(): Promise<void>
}

export async function startCluster(): Promise<Cluster> {
  const servers = await startServers({ shared_buffers: '64MB' })
  let primary = servers.primary
  let standby = await servers.addStandby('standby')
  await waitFor(primary, standby)
  return {
    servers: [primary, standby],
    primary: () => primary,
    async failOver({ note }) {
      const [old, next] = [primary, standby]
      await killAll(await old.pid())
      note({ kind: 'killed', server: old.name })
      for (let failures = 0; failures < mostFailures; await sleep(probeEveryMs)) {
        const isThere = await probe(old)
        failures = isThere ? 0 : failures + 1
      }
      await next.promote()
      primary = next
      note({ kind: 'promoted', server: next.name })
      await servers.rebuild(old, next)
      standby = old
      await waitFor(next, old)
      note({ kind: 'rebuilt', server: old.name })
    },
    stop: servers.stop,
  }
}

/** Lets the commits of the primary wait for this standby, once it streams. */
async function waitFor(primary: Server, standby: Server): Promise<void> {
  await primary.sql(`alter system set synchronous_standby_names = '${standby.name}'`)
  await primary.sql('select pg_reload_conf()')
  const isWaitedFor = `select count(*)::int as count from pg_stat_replication
    where application_name = $1 and state = 'streaming' and sync_state = 'sync'`
  for (const deadline = Date.now() + patienceMs; ; await sleep(50)) {
    const [row] = await primary.sql<{ count: number }>(isWaitedFor, [standby.name])
    if (row?.count === 1) return
    if (Date.now() > deadline) throw new Error(`${standby.name} does not become synchronous`)
  }
}

/** Kills a server at once with all its processes, which would otherwise answer for a moment. */
export async function killAll(postmaster: number): Promise<void> {
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').catch(() => '')
  for (const pid of [postmaster, ...children.split(' ').filter(Boolean).map(Number)]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
}

async function probe({ url }: Server): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 1_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    void client.end().catch(() => {})
  }
}
