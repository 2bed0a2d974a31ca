// The gauges that the database knows: every process reports the same of the whole installation, so a sum over processes
// is wrong.
import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import { recently } from '../../core/recently.ts'
import type { App } from '../../kit/context.ts'
import { workerLockClass } from '../../kit/worker-lock.ts'

type Row = Record<string, string> & { value: number }

type Gauged = {
  name: string
  help: string
  labels: readonly string[]
  /** Returns one row for each series: a column for each label, and `value`. */
  text: string
}

/** Counts no more rows than this, so that a backlog does not make a scrape slow. */
const most = 100_000

/**
 * Begins a statement with `earliest`: the earliest time of each group of these rows, with the group as `id`. Jumps from
 * group to group in an index, so that the cost does not grow with the rows.
 */
const withEarliest = (id: string, next: string, rows: string) => `with recursive earliest as (
    (select ${id} as id, ${next} as next from ${rows} order by 1, 2 limit 1)
    union all
    select d.id, d.next from earliest cross join lateral (
      select ${id} as id, ${next} as next from ${rows} and ${id} > earliest.id order by 1, 2 limit 1
    ) as d
  )`

const earliestDeliveries = withEarliest('project_id', 'next_attempt_at', `webhook_deliveries where state = 'waiting'`)
const earliestAnchors = withEarliest('chain', 'created_at', `anchors where state = 'waiting'`)

export const gauges: readonly Gauged[] = [
  {
    name: 'quittance_receipts_open',
    help: 'Receipts that are not anchored (at most 100,000 of each status are counted).',
    labels: ['status'],
    text: `select status.value::text as status, (
        select count(*) from (
          select from receipts r where r.status = status.value and r.status <> 'anchored' limit ${most}
        ) as open
      )::float8 as value
      from unnest(enum_range(null::receipt_status)) as status(value) where status.value <> 'anchored'`,
  },
  {
    name: 'quittance_oldest_waiting_seconds',
    help: 'Age of the oldest waiting item by stage: a pending receipt, a pending receipt without an answer of its compliance provider, an anchor not sent, a transaction not final, a day of a project not closed, a numbered statement not written. 0: none.',
    labels: ['stage'],
    // A receipt that waits for its provider is among the oldest, unless something else holds up thousands.
    text: `${earliestAnchors}
      select stage, coalesce(extract(epoch from now() - since), 0)::float8 as value from (
        select 'pending' as stage, (select min(created_at) from receipts where status = 'pending') as since
        union all select 'compliance', (select r.created_at from (
            select id, created_at from receipts where status = 'pending' order by created_at limit 10000
          ) as r join compliance_checks c on c.receipt_id = r.id and c.retry_at is not null order by 1 limit 1)
        union all select 'anchor', (select min(next) from earliest)
        union all select 'transaction', (select min(created_at) from anchor_transactions where state = 'signed' and project_id is null)
        union all select 'day', (select min(closes_at) from projects where closes_at < now())
        union all select 'statement', (select min(created_at) from statements where status = 'pending')
      ) as stages`,
  },
  {
    name: 'quittance_fiat_equivalents',
    help: 'Pending receipts that wait for a rate, because no provider could be used (at most 100,000 are counted).',
    labels: ['state'],
    text: `select 'waiting' as state, count(*)::float8 as value
      from (select from fiat_equivalents where state = 'waiting' limit ${most}) as waiting`,
  },
  {
    name: 'quittance_compliance_waiting',
    help: 'Compliance checks that wait for the answer of a provider (at most 100,000 are counted).',
    labels: ['provider'],
    text: `select provider, count(*)::float8 as value
      from (select provider from compliance_checks where retry_at is not null limit ${most}) as waiting group by provider`,
  },
  {
    name: 'quittance_anchor_transactions_open',
    help: 'Anchor transactions of the service that are not final.',
    labels: ['chain'],
    text: `select chain, count(*)::float8 as value from anchor_transactions
      where state = 'signed' and project_id is null group by chain`,
  },
  {
    name: 'quittance_reproof_failures',
    help: 'Anchor transactions whose evidence failed when it was last proved again. Any value above 0 is an alarm.',
    labels: ['chain'],
    text: `select chain, count(*)::float8 as value from anchor_transactions where proof_failure is not null group by chain`,
  },
  {
    name: 'quittance_reproof_oldest_seconds',
    help: 'Seconds since the anchor transaction that is next in turn was last proved. 0: there is none.',
    labels: ['state'],
    text: `select 'confirmed' as state, coalesce(extract(epoch from now() - min(proved_at)), 0)::float8 as value
      from anchor_transactions where state = 'confirmed'`,
  },
  {
    name: 'quittance_payments_open',
    help: 'Payments that are neither answered, failed nor reversed.',
    labels: ['status'],
    text: `select value::text as status, coalesce(count, 0)::float8 as value
      from unnest(array['verified', 'settling', 'settled']::payment_status[]) as status(value) left join (
        select status as value, count(*) from payments where status in ('verified', 'settling', 'settled') and answered_at is null group by status
      ) as open using (value)`,
  },
  {
    name: 'quittance_payments_reversed',
    help: 'Payments whose settlement the chain took back. Any rise is an alarm.',
    labels: ['reason'],
    text: `select failure_reason as reason, count(*)::float8 as value from payments where status = 'reversed' group by failure_reason`,
  },
  {
    name: 'quittance_jobs',
    help: 'Background jobs by task: due and not yet claimed, running, and those whose last attempt failed.',
    labels: ['task', 'state'],
    text: `select task.identifier as task, state, value::float8 from graphile_worker._private_tasks as task
      left join (
        select task_identifier as identifier, count(*) filter (where locked_at is null and run_at <= now()) as due,
          count(*) filter (where locked_at is not null) as running,
          count(*) filter (where attempts > 0 and locked_at is null) as failing
        from (select * from graphile_worker.jobs limit ${most}) as jobs group by task_identifier
      ) as jobs using (identifier)
      cross join lateral (
        values ('due', coalesce(due, 0)), ('running', coalesce(running, 0)), ('failing', coalesce(failing, 0))
      ) as each(state, value)`,
  },
  {
    name: 'quittance_job_oldest_due_seconds',
    help: 'For how long the job of a task is due that nobody has claimed for longest. 0: none.',
    labels: ['task'],
    text: `select task.identifier as task, coalesce(extract(epoch from now() - since), 0)::float8 as value
      from graphile_worker._private_tasks as task left join (
        select task_identifier as identifier, min(run_at) as since
        from (select * from graphile_worker.jobs where locked_at is null and run_at <= now() limit ${most}) as due group by 1
      ) as due using (identifier)`,
  },
  {
    name: 'quittance_workers',
    help: 'Processes with the role worker that are alive, by the lock that each keeps.',
    labels: [],
    text: `select count(*)::float8 as value from pg_locks where locktype = 'advisory' and classid = ${workerLockClass} and granted
      and database = (select oid from pg_database where datname = current_database())`,
  },
  {
    name: 'quittance_webhook_deliveries',
    help: 'Webhook deliveries that wait (at most 100,000 are counted), and projects with a delivery that has been due for a minute.',
    labels: ['state'],
    text: `${earliestDeliveries}
      select 'waiting' as state, (
        select count(*) from (select from webhook_deliveries where state = 'waiting' limit ${most}) as waiting
      )::float8 as value
      union all select 'late_projects', (select count(*) from earliest where next < now() - interval '1 minute')::float8`,
  },
  {
    name: 'quittance_webhook_oldest_due_seconds',
    help: 'For how long the webhook delivery is due that nobody has sent for longest. 0: none.',
    labels: [],
    text: `${earliestDeliveries}
      select greatest(0, coalesce(extract(epoch from now() - min(next)), 0))::float8 as value from earliest`,
  },
]

// A statement that takes longer is ended, and its gauge is missing: what is slow must not be asked ever more often.
const statementMs = 2_000
/** For so long all who scrape share what was read. */
const keptMs = 5_000
/** Values that could not be read again for so long are missing: an alarm must not rest on what was. */
const staleMs = 60_000
/** For so long a scrape waits for the database. */
const patienceMs = 3_000

type Read = { at: number; rows: Row[] }

/** Registers these gauges. The returned function reads them, and resolves after three seconds in any case. */
export function registerInstallation(app: App, registry: Registry): () => Promise<void> {
  const last = new Map<string, Read>()
  let failed = 0
  let isUp = false
  new Gauge({
    name: 'quittance_database_up',
    help: '1: this process could read the gauges of the installation within three seconds, or as many of them as are not slow.',
    registers: [registry],
    collect() {
      this.set(isUp ? 1 : 0)
    },
  })
  new Gauge({
    name: 'quittance_installation_gauges_failed',
    help: 'Gauges of the installation that this process could not read at its last try, because their statements failed or took over two seconds.',
    registers: [registry],
    collect() {
      this.set(failed)
    },
  })
  for (const { name, help, labels } of gauges) {
    new Gauge({
      name,
      help: `${help} The same from every process: take the max, not the sum.`,
      labelNames: labels,
      registers: [registry],
      collect() {
        this.reset()
        const { at, rows } = last.get(name) ?? { at: 0, rows: [] }
        if (at === 0 || performance.now() - at > staleMs) {
          // Without labels, a gauge that is reset would say 0.
          if (labels.length === 0) this.remove()
          return
        }
        // A chain or provider without rows is reported as 0 and is not missing.
        if (labels.includes('chain')) for (const chain of app.chains) this.set({ chain: chain.name }, 0)
        if (labels.includes('provider')) for (const provider of app.compliance.keys()) this.set({ provider }, 0)
        for (const { value, ...of } of rows) this.set(of, value)
      },
    })
  }

  async function readAll(): Promise<void> {
    const client = await app.pool.connect()
    let failures = 0
    try {
      for (const { name, text } of gauges) {
        try {
          // One round trip, and no setting that outlives it in a session that is shared.
          const answers: unknown = await client.query(
            `begin read only; set local statement_timeout = ${statementMs}; ${text}; commit`,
          )
          const rows = Array.isArray(answers) ? answers[2]?.rows : undefined
          if (rows !== undefined) last.set(name, { at: performance.now(), rows })
        } catch {
          failures += 1
          await client.query('rollback')
        }
      }
      failed = failures
      isUp = true
      client.release()
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  const read = recently(readAll, keptMs)
  return async () => {
    const late = sleep(patienceMs, 'late', { ref: false })
    const answer = await Promise.race([read(), late]).catch(() => 'failed')
    if (answer !== undefined) isUp = false
  }
}
