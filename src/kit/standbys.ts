// Chooses hot standbys for reads, in turn. A standby answers a read only when it has replayed all that the primary had
// committed when the read came: whatever any caller was told before, by any process, is in the answer.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter, Gauge } from 'prom-client'
import { place } from '../core/database-session.ts'
import { processMetrics } from '../core/process-metrics.ts'
import type { Standby } from '../ports/standby.ts'
import { shareWhileBusy } from './share-while-busy.ts'

// A read waits this long for a standby that replays, because it costs the primary more than it costs the caller.
const patienceMs = 50
const probeEveryMs = 1_000

const reads = new Counter({
  name: 'quittance_standby_reads_total',
  help: 'Reads that were meant for the standby: answered by it, or by the primary because it was behind or failed.',
  labelNames: ['standby', 'outcome'],
  registers: [processMetrics],
})
const lag = new Gauge({
  name: 'quittance_standby_lag_bytes',
  help: 'How much of the log of the primary the standby had not replayed when this process last probed it. Missing while it does not answer.',
  labelNames: ['standby'],
  registers: [processMetrics],
})

export type Standbys = {
  /** Returns a connection of a standby that has replayed all that is committed now; null where none has. */
  take(): Promise<Taken | null>
  /** Why each is not used, by its name; null for one that is. */
  faults(): ReadonlyMap<string, string | null>
  close(): Promise<void>
}

/** The caller releases `client`. `failed`: the primary answers in the place of this standby. */
type Taken = { client: pg.PoolClient; answered(): void; failed(): void }

/** `timeline` changes when another server becomes the primary. */
type Position = { place: string; timeline: number; lsn: string }
type Place = Pick<Position, 'place'>

/** Holds as long as a connection to the standby. `closed`: tables that its role may not read. */
type Standing = Omit<Position, 'lsn'> & { isStandby: boolean; closed: string | null }

type Replay = { isStandby: boolean; isReached: boolean; lag: number }

/** The standby has not replayed what the primary has committed. */
class Behind extends Error {}

const noStandby = 'it is no standby: it was promoted, or the URL leads to a primary'

// A commit is on the disk before any other session sees it, unless `synchronous_commit` is off.
const positionNow = `
  select lsn::text, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline
  from (
    select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end as lsn offset 0
  ) as now`

// After the primary has changed, the control file tells the new timeline at the next restartpoint, minutes later. The
// receiver tells it at once, to roles with `pg_read_all_stats`; it follows no timeline that leaves the replayed one.
const standing = `
  select ${place} as place, pg_is_in_recovery() as "isStandby",
    greatest((select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint()),
      (select min_recovery_end_timeline from pg_control_recovery())) as timeline,
    (select count(*)::int || ' tables, such as ' || min(relname) from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p') and not has_table_privilege(oid, 'select') having count(*) > 0) as closed`

// A statement of its own, because the snapshot of a statement is older than what the statement says about the replay.
const replayed = {
  name: 'replayed',
  text: `select pg_is_in_recovery() as "isStandby", coalesce(pg_last_wal_replay_lsn() >= $1, false) as "isReached",
    greatest(0, pg_wal_lsn_diff($1, pg_last_wal_replay_lsn()))::float8 as lag`,
  query_timeout: 1_000,
}

// A connection belongs to one database as long as it lasts.
const places = new WeakMap<pg.ClientBase, Place>()

/** Returns up to which place everything is committed. The client is one of a primary. */
export async function positionOf(client: pg.ClientBase): Promise<Position> {
  const [own] = places.has(client) ? [places.get(client)] : (await client.query<Place>(`select ${place} as place`)).rows
  const { rows } = await client.query<Omit<Position, 'place'>>({ name: 'position', text: positionNow })
  if (own === undefined || rows[0] === undefined) throw new Error('the primary has no position')
  places.set(client, own)
  return { ...own, ...rows[0] }
}

/** Throws for a server that is no standby, or that this role may not read. */
export async function standingOf(client: pg.ClientBase): Promise<Standing> {
  const { rows } = await client.query<Standing>(standing)
  const [row] = rows
  if (!row?.isStandby) throw new Error(noStandby)
  if (row.closed !== null) throw new Error(`its role may not read ${row.closed}`)
  return row
}

/** `primary`: the pool for the same reads on the primary. */
export function createStandbys(
  primary: pg.Pool,
  standbys: readonly Standby[],
  log: Pick<Logger, 'warn' | 'info'>,
): Standbys {
  const known = new WeakMap<pg.ClientBase, Standing>()

  const asked = shareWhileBusy<Position>()
  const position = () =>
    asked({
      key: '',
      read: async () => {
        const client = await primary.connect()
        try {
          return await positionOf(client)
        } finally {
          client.release()
        }
      },
    })

  /**
   * Throws unless what is read on this connection from now on shows all that the primary had at that position. `lags`
   * learns how many bytes the standby is behind at first.
   */
  async function demand(
    client: pg.ClientBase,
    { place, timeline, lsn }: Position,
    lags?: (bytes: number) => void,
  ): Promise<void> {
    const own = known.get(client) ?? (await standingOf(client))
    known.set(client, own)
    if (own.place !== place) throw new Error('it is no copy of the database of DATABASE_URL')
    if (own.timeline !== timeline) throw new Error(`it is on timeline ${own.timeline}, and the primary on ${timeline}`)
    let pauseMs = 1
    for (const deadline = performance.now() + patienceMs; ; await sleep(pauseMs)) {
      const { rows } = await client.query<Replay>({ ...replayed, values: [lsn] })
      if (!rows[0]?.isStandby) throw new Error(noStandby)
      if (pauseMs === 1) lags?.(rows[0].lag)
      if (rows[0].isReached) return
      pauseMs *= 2
      if (performance.now() + pauseMs > deadline) throw new Behind(`it has not replayed ${lsn} within ${patienceMs} ms`)
    }
  }

  /** Probes a standby each second, and at once when it failed a read. */
  function watched(standby: Standby) {
    const count = (outcome: 'answered' | 'behind' | 'failed') => reads.inc({ standby: standby.name, outcome })
    let fault: string | null = 'it is not probed yet'
    let failures = 0
    let watcher: pg.Client | null = null
    let probing: Promise<void> | null = null

    async function probe(): Promise<void> {
      // A primary that does not answer is no fault of the standby.
      const now = await position().catch(() => null)
      if (now === null) return
      try {
        watcher ??= await standby.watch()
        await demand(watcher, now, bytes => lag.set({ standby: standby.name }, bytes))
        if (failures > 1) log.info({ standby: standby.name }, 'a standby answers reads again')
        failures = 0
        fault = null
      } catch (error) {
        fault = error instanceof Error ? error.message : String(error)
        failures += 1
        // Not at the first, because a short lag is no outage. As text, because its error would name the database.
        if (failures === 2)
          log.warn({ standby: standby.name, reason: fault }, 'a standby does not answer reads: the primary does')
        if (error instanceof Behind) return
        lag.remove({ standby: standby.name })
        watcher = null
        standby.cut()
      }
    }
    const look = () => {
      probing ??= probe().finally(() => {
        probing = null
      })
      return probing
    }
    const timer = setInterval(look, probeEveryMs).unref()
    void look()
    return {
      standby,
      fault: () => fault,
      answered: () => count('answered'),
      /** A probe says whether it lags for longer. */
      behind() {
        count('behind')
        void look()
      },
      failed() {
        count('failed')
        fault = 'it failed a read'
        void look()
      },
      async close() {
        clearInterval(timer)
        await probing
        lag.remove({ standby: standby.name })
        await watcher?.end()
        await standby.pool.end()
      },
    }
  }

  const members = standbys.map(watched)
  let turn = 0
  return {
    async take() {
      const used = members.filter(({ fault }) => fault() === null)
      const member = used[turn++ % used.length]
      if (member === undefined) return null
      const now = await position().catch(() => null)
      if (now === null) return null
      let client: pg.PoolClient | null = null
      try {
        client = await member.standby.pool.connect()
        await demand(client, now)
        return { client, answered: member.answered, failed: member.failed }
      } catch (error) {
        const isBehind = error instanceof Behind
        client?.release(!isBehind)
        if (isBehind) member.behind()
        else member.failed()
        return null
      }
    },
    faults: () => new Map(members.map(({ standby, fault }) => [standby.name, fault()])),
    async close() {
      await Promise.all(members.map(member => member.close()))
    },
  }
}
