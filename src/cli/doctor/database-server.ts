// Checks how the server of DATABASE_URL is set: room for the connections of all processes, commits that survive a power
// cut and a failover, and replication slots.
import type pg from 'pg'
import { processLockClass } from '../../adapters/pg-event-feed.ts'
import { mostConnections } from '../../adapters/pg-pool.ts'
import { about, type Finding } from './finding.ts'

const { ok, warn, fail } = about('database')
const mostKept = 2 ** 30

export async function inspectServer(client: pg.Client): Promise<Finding[]> {
  return [await connections(client), ...(await durability(client)), ...(await replication(client))]
}

type Room = { most: number; others: number; ofRole: number; ofDatabase: number; processes: number }

/** Compares the connections that each process opens with those that PostgreSQL leaves to this role. */
async function connections(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<Room>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - coalesce(current_setting('reserved_connections', true)::int, 0) as most,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend'
         and not (datname = current_database() and usename = current_user)) as others,
       (select rolconnlimit from pg_roles where rolname = current_user) as "ofRole",
       (select datconnlimit from pg_database where datname = current_database()) as "ofDatabase",
       (select count(distinct objid)::int from pg_locks where locktype = 'advisory' and classid = $1
         and database = (select oid from pg_database where datname = current_database())) as processes`,
    [processLockClass],
  )
  const { most = 0, others = 0, ofRole = -1, ofDatabase = -1, processes = 0 } = rows[0] ?? {}
  const limits = [ofRole, ofDatabase].filter(limit => limit >= 0)
  const room = Math.min(most - others, ...limits)
  const limited = limits.length > 0 && room === Math.min(...limits) ? ', by the limit of the role or the database' : ''
  const fits = Math.floor(room / mostConnections)
  const text = `There is room for ${room} connections${limited}. Each process opens up to ${mostConnections}: ${fits} fit, ${processes} run now.`
  if (fits < Math.max(1, processes)) return fail(`${text} Raise max_connections, or the limit.`)
  // One more starts before an old one ends.
  if (fits <= processes)
    return warn(`${text} None can be replaced by another that starts before: raise max_connections.`)
  return ok(text)
}

type Durability = { name: string; setting: string }
const unsafe: Record<string, { values: string[]; effect: string }> = {
  fsync: { values: ['off'], effect: 'a power cut can destroy the whole database' },
  full_page_writes: { values: ['off'], effect: 'a power cut can destroy pages of the database' },
  synchronous_commit: { values: ['off'], effect: 'a crash loses receipts and payments that were acknowledged' },
}

async function durability(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<Durability>(
    'select name, current_setting(name) as setting from unnest($1::text[]) as name',
    [Object.keys(unsafe)],
  )
  return rows.flatMap(({ name, setting }) => {
    const { values, effect } = unsafe[name] ?? { values: [], effect: '' }
    return values.includes(setting) ? [warn(`${name} = ${setting}: ${effect}. Set it to on.`)] : []
  })
}

type Standbys = { standbys: number; named: string; commit: string; synchronous: number; isShown: boolean }
type Slot = { name: string; state: string | null; isActive: boolean; kept: string | null; bytes: string | null }

async function replication(client: pg.Client): Promise<Finding[]> {
  // PostgreSQL hides the state of each standby from a role without pg_read_all_stats.
  const { rows } = await client.query<Standbys>(
    `select count(*)::int as standbys, current_setting('synchronous_standby_names') as named,
       current_setting('synchronous_commit') as commit, count(*) filter (where sync_state in ('sync', 'quorum'))::int as synchronous,
       bool_and(sync_state is not null) as "isShown" from pg_stat_replication`,
  )
  const { rows: slots } = await client.query<Slot>(
    `select slot_name as name, wal_status as state, active as "isActive",
       pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) as kept,
       pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::text as bytes from pg_replication_slots`,
  )
  return [...slots.flatMap(slotFindings), ...(rows[0] === undefined ? [] : standbyFindings(rows[0]))]
}

function slotFindings({ name, state, isActive, kept, bytes }: Slot): Finding[] {
  if (state === 'lost')
    return [warn(`The replication slot ${name} is lost: its standby needs a new copy of the primary. Drop the slot.`)]
  if (state === 'unreserved')
    return [warn(`The replication slot ${name} will soon lose WAL that its standby needs: let the standby catch up.`)]
  if (Number(bytes) < mostKept) return []
  const end = isActive ? 'see why its standby lags' : 'nothing reads it: start its standby, or drop it'
  return [warn(`The replication slot ${name} keeps ${kept} of WAL, which fills the disk: ${end}.`)]
}

function standbyFindings({ standbys, named, commit, synchronous, isShown }: Standbys): Finding[] {
  if (named !== '') {
    if (isShown && synchronous > 0)
      return commit === 'local'
        ? [warn(`synchronous_commit = local: commits do not wait for the standby, and a failover loses some.`)]
        : [ok(`Commits wait for a standby (synchronous_standby_names = ${named}).`)]
    if (standbys > 0 && !isShown)
      return [
        warn(
          `Whether commits wait for a standby (synchronous_standby_names = ${named}) is hidden from this role: grant pg_read_all_stats to it.`,
        ),
      ]
    return [fail(`No commit ends: synchronous_standby_names = ${named}, and none of these standbys is connected.`)]
  }
  if (standbys === 0) return []
  return [
    warn(
      `Standbys: ${standbys}, none synchronous: a failover loses what was acknowledged last. Set synchronous_standby_names.`,
    ),
  ]
}
