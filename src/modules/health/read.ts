// Health check: queries each dependency with a short time limit, and exposes no internals.
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { workerLockClass } from '../../kit/worker-lock.ts'

export type Part = { ok: boolean; detail: string }
export type Health = {
  status: 'ok' | 'degraded'
  version: string
  ts: Date
  deps: { db: Part; chain: Part; worker: Part }
  /** Whether this process can accept requests. Only the database and the first chain count, not further chains. */
  isReady: boolean
}

const patienceMs = 2_000

// Any caller may request the health at any rate, and each check queries the database and the nodes.
const sharedMs = 500

const latest = perApp((): { health: Promise<Health> | null; since: number } => ({ health: null, since: 0 }))

/** Returns the health. Callers within half a second share one check. */
export function readHealth(app: App): Promise<Health> {
  const known = latest(app)
  if (known.health !== null && performance.now() - known.since < sharedMs) return known.health
  known.since = performance.now()
  known.health = look(app)
  return known.health
}

async function look(app: App): Promise<Health> {
  const [db, first, others, worker] = await Promise.all([
    ask(async () => void (await app.pool.query('select 1'))),
    ask(() => app.chains[0].check()),
    ask(async () => void (await Promise.all(app.chains.slice(1).map(one => one.check())))),
    ask(async () => {
      const { rowCount } = await app.pool.query(
        `select 1 from pg_locks where locktype = 'advisory' and classid = $1 and granted
         and database = (select oid from pg_database where datname = current_database()) limit 1`,
        [workerLockClass],
      )
      if (rowCount === 0) throw new Error('none')
    }),
  ])
  const chain = first.ok ? others : first
  const ok = db.ok && chain.ok && worker.ok
  return {
    status: ok ? 'ok' : 'degraded',
    version: app.version,
    ts: new Date(),
    deps: { db, chain, worker },
    isReady: db.ok && first.ok,
  }
}

async function ask(question: () => Promise<void>): Promise<Part> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, patienceMs, new Error('slow'))
  })
  try {
    await Promise.race([question(), patience])
    return { ok: true, detail: 'ok' }
  } catch {
    return { ok: false, detail: 'unavailable' }
  } finally {
    clearTimeout(timer)
  }
}
