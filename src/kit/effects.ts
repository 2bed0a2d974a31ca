// Builds the SQL that commits a change's effects with the change: audit rows, events and jobs.

// A failed job is retried indefinitely; only the type of the column limits its attempts.
const maxAttempts = 32_767

/** Each source is a query. Columns in this order: */
type Sources = {
  /** action, object_type, object_id, project_id, actor, details */
  audit: string
  /** The columns of `eventColumns`; the database numbers the events, and creates deliveries and a notification. */
  events: string
  /** task, payload, queue, key, after_ms */
  jobs: string
  /** An expression: the request that causes events and jobs, as `originNow` returns it. By default none. */
  origin?: string
}

/** The jobs of a change that enqueues none. */
export const noJobs = 'select null::text, null::json, null::text, null::text, 0 where false'

const eventColumns =
  'type, project_id, receipt_id, payment_id, anchor_id, endpoint_id, status, bundle_hash, ledger_txid, anchored_at, refund_id, refund_settled, settlement_status'

/**
 * The columns of an event about a receipt, from a table or query of receipts as they are after the change. `refund`:
 * the receipt of a refund, and whether it is settled. `settlement`: the result of the check of its payment.
 */
export const receiptEvent = (
  receipts: string,
  {
    type = `'receipt.' || ${receipts}.status`,
    refund = 'null::uuid, null::boolean',
    settlement = 'null::settlement_status',
  } = {},
) => `${type}, ${receipts}.project_id, ${receipts}.id, null::uuid, null::uuid, null::uuid, ${receipts}.status,
  ${receipts}.bundle_hash, ${receipts}.ledger_txid, ${receipts}.anchored_at, ${refund}, ${settlement}`

/**
 * Returns a statement that writes all effects. `change`, if given, is the change itself: common table expressions,
 * which the sources may read, and the query over them whose rows the statement returns.
 */
export const effects = ({ origin = 'null', ...sources }: Sources, change?: { ctes: string; answer: string }) => `
  with ${change ? `${change.ctes},` : ''} audit as (
    insert into audit_events (action, object_type, object_id, project_id, actor, details)
    select * from (${sources.audit}) as audit(action, object_type, object_id, project_id, actor, details)
    ${inOrderOfChains}
    returning 1
  ), events as (
    insert into events (${eventColumns}, origin)
    select event.*, ${origin}::text from (${sources.events}) as event(${eventColumns}), ${afterAudit}
    ${inOrderOfLocks}
  ), effects as (
    select count(${addJob(origin)}) as jobs from (${sources.jobs}) as job(task, payload, queue, key, after_ms)
  )
  ${change ? `select answer.* from (${change.answer}) as answer, effects` : 'select * from effects'}`

// An audit row takes the lock under which it is numbered, and locks the end of its project's chain, until the
// transaction ends. One locking order keeps transactions with several projects from deadlocking. The sort also
// completes the whole change, with its own waits, before the first of these locks.
const inOrderOfChains = 'order by event_lock(project_id), project_id'

// Numbering a project's events acquires a second lock: always after those of the audit rows, and in one order.
const afterAudit = '(select count(*) from audit) as audited'
const inOrderOfLocks = 'order by event_lock(event.project_id)'

// A job without a key gets a unique key, because graphile-worker's other modes run an update joined to the whole queue:
// with a few thousand waiting jobs that update costs ten times as much as the rest of the statement.
const addJob = (origin: string) => `graphile_worker.add_job(
  task, payload, queue, now() + after_ms * interval '1 millisecond', ${maxAttempts},
  coalesce(key, gen_random_uuid()::text), job_key_mode => case when key is null then 'unsafe_dedupe' else 'preserve_run_at' end,
  flags => case when ${origin}::text is not null then array[${origin}::text] end)`
