// Metrics for the operator, in Prometheus' format. All values are read at each scrape: from the database, so that any
// process reports for all processes, and the funds of the sending accounts from the chains.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { App } from '../../kit/context.ts'
import { seenFunds, watchFunds } from '../transactions/watch-funds.ts'

type Row = { label: string; value: number }

/** Each entry is a gauge whose values one query returns, with the label that distinguishes them. */
const gauges = [
  {
    name: 'quittance_receipts_open',
    help: 'Receipts that are not anchored.',
    label: 'status',
    text: `select status.value::text as label, count(r.id)::float8 as value
      from unnest(enum_range(null::receipt_status)) as status(value)
      left join receipts r on r.status = status.value and r.status <> 'anchored'
      where status.value <> 'anchored' group by status.value`,
  },
  {
    name: 'quittance_oldest_waiting_seconds',
    help: 'Age of the oldest waiting item by stage: a pending receipt, a pending receipt without an answer of its compliance provider, an anchor not sent, a transaction not final, a day of a project not closed, a numbered statement not written. 0: none.',
    label: 'stage',
    text: `select stage as label, coalesce(extract(epoch from now() - since), 0)::float8 as value from (
        select 'pending' as stage, (select min(created_at) from receipts where status = 'pending') as since
        union all select 'compliance', (select min(r.created_at) from compliance_checks c join receipts r on r.id = c.receipt_id
          where c.retry_at is not null and r.status = 'pending')
        union all select 'anchor', (select min(created_at) from anchors where state = 'waiting')
        union all select 'transaction', (select min(created_at) from anchor_transactions where state = 'signed' and project_id is null)
        union all select 'day', (select min(closes_at) from projects where closes_at < now())
        union all select 'statement', (select min(created_at) from statements where status = 'pending')
      ) as stages`,
  },
  {
    name: 'quittance_fiat_equivalents',
    help: 'Pending receipts that wait for a rate, because no provider could be used.',
    label: 'state',
    text: `select 'waiting' as label, count(*)::float8 as value from fiat_equivalents where state = 'waiting'`,
  },
  {
    name: 'quittance_compliance_waiting',
    help: 'Compliance checks that wait for the answer of a provider.',
    label: 'provider',
    text: `select provider as label, count(*)::float8 as value from compliance_checks where retry_at is not null group by provider`,
  },
  {
    name: 'quittance_anchor_transactions_open',
    help: 'Anchor transactions of the service that are not final.',
    label: 'chain',
    text: `select chain as label, count(*)::float8 as value from anchor_transactions
      where state = 'signed' and project_id is null group by chain`,
  },
  {
    name: 'quittance_reproof_failures',
    help: 'Anchor transactions whose evidence failed when it was last proved again. Any value above 0 is an alarm.',
    label: 'chain',
    text: `select chain as label, count(*)::float8 as value from anchor_transactions where proof_failure is not null group by chain`,
  },
  {
    name: 'quittance_reproof_oldest_seconds',
    help: 'Seconds since the anchor transaction that is next in turn was last proved. 0: there is none.',
    label: 'state',
    text: `select 'confirmed' as label, coalesce(extract(epoch from now() - min(proved_at)), 0)::float8 as value
      from anchor_transactions where state = 'confirmed'`,
  },
  {
    name: 'quittance_payments_open',
    help: 'Payments that are neither answered, failed nor reversed.',
    label: 'status',
    text: `select value::text as label, coalesce(count, 0)::float8 as value
      from unnest(array['verified', 'settling', 'settled']::payment_status[]) as status(value) left join (
        select status as value, count(*) from payments where status in ('verified', 'settling', 'settled') and answered_at is null group by status
      ) as open using (value)`,
  },
  {
    name: 'quittance_payments_reversed',
    help: 'Payments whose settlement the chain took back. Any rise is an alarm.',
    label: 'reason',
    text: `select failure_reason as label, count(*)::float8 as value from payments where status = 'reversed' group by failure_reason`,
  },
  {
    name: 'quittance_jobs',
    help: 'Background jobs: due and not yet claimed, running, and those whose last attempt failed.',
    label: 'state',
    text: `select state as label, value::float8 from (
        select count(*) filter (where locked_at is null and run_at <= now()) as due,
          count(*) filter (where locked_at is not null) as running,
          count(*) filter (where attempts > 0 and locked_at is null) as failing
        from graphile_worker.jobs
      ) as jobs cross join lateral (values ('due', due), ('running', running), ('failing', failing)) as each(state, value)`,
  },
  {
    name: 'quittance_webhook_deliveries',
    help: 'Webhook deliveries that wait (at most 100,000 are counted), and projects with a delivery that has been due for a minute.',
    label: 'state',
    // Each recursion step reads the earliest delivery of one project from an index.
    text: `with recursive earliest as (
        (select project_id as id, next_attempt_at as next from webhook_deliveries where state = 'waiting' order by 1, 2 limit 1)
        union all
        select d.id, d.next from earliest cross join lateral (
          select project_id as id, next_attempt_at as next from webhook_deliveries
          where state = 'waiting' and project_id > earliest.id order by 1, 2 limit 1
        ) as d
      )
      select 'waiting' as label, (
        select count(*) from (select from webhook_deliveries where state = 'waiting' limit 100000) as waiting
      )::float8 as value
      union all select 'late_projects', (select count(*) from earliest where next < now() - interval '1 minute')::float8`,
  },
] as const

const fundsGauges = [
  { name: 'quittance_signer_balance_wei', help: 'Balance of the signer.', purpose: 'batches', value: 'balance' },
  {
    name: 'quittance_signer_batch_cost_wei',
    help: 'Current cost of one transaction with 500 anchors.',
    purpose: 'batches',
    value: 'cost',
  },
  {
    name: 'quittance_settling_balance_wei',
    help: 'Balance of the settling account.',
    purpose: 'settlements',
    value: 'balance',
  },
  {
    name: 'quittance_settlement_cost_wei',
    help: 'Current cost of one settlement.',
    purpose: 'settlements',
    value: 'cost',
  },
] as const

/** Counts the time of the processor from this call on: the app opens the registry when it starts. */
export function openMetrics(app: App): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const { name, help, label, text } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        const { rows } = await app.pool.query<Row>(text)
        this.reset()
        // A chain or provider without rows is reported as 0 and is not missing.
        if (label === 'chain') for (const { name } of app.chains) this.set({ chain: name }, 0)
        if (label === 'provider') for (const name of app.compliance.keys()) this.set({ provider: name }, 0)
        for (const row of rows) this.set({ [label]: row.label }, row.value)
      },
    })
  }
  new Gauge({
    name: 'quittance_compliance_faults',
    help: '1: in this process the provider did not answer the last request, or its new list cannot be used.',
    labelNames: ['provider'],
    registers: [registry],
    collect() {
      for (const { name, fault } of app.compliance.values()) this.set({ provider: name }, fault() === null ? 0 : 1)
    },
  })
  // The gauges of the funds share one read of them, which the first starts.
  let look: Promise<void> | null = null
  for (const { name, help, purpose, value } of fundsGauges) {
    new Gauge({
      name,
      help,
      labelNames: ['chain'],
      registers: [registry],
      async collect() {
        look ??= watchFunds(app).finally(() => {
          look = null
        })
        await look
        for (const [chain, funds] of seenFunds(app)[purpose]) this.set({ chain }, Number(funds[value]))
      },
    })
  }
  return registry
}
