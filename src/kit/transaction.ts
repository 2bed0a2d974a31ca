// One database transaction with everything that must commit with it: audit rows, events and the next jobs.
import type { PoolClient, QueryResultRow } from 'pg'
import type { EventType } from '../core/event-types.ts'
import { originNow } from '../core/scope.ts'
import type { SettlementStatus } from '../core/settlement.ts'
import type { App } from './context.ts'
import { effects, receiptEvent } from './effects.ts'
import type { Job } from './jobs.ts'

/**
 * `name` prepares the statement once per connection, and its plan is kept: only for a statement whose plan stays right
 * however much its tables grow. A statement that reads a table by a list of ids must therefore look up each id alone.
 */
export type Sql = <Row extends QueryResultRow = QueryResultRow>(
  text: string,
  values?: unknown[],
  name?: string,
) => Promise<Row[]>

export type AuditEntry = {
  /** `noun.verb`, for instance `receipt.record`. */
  action: string
  objectType: string
  objectId: string
  projectId: string | null
  actor: string
  details?: Record<string, unknown>
}

type Subject =
  | { type: 'receipt.refunded'; receiptId: string; refundId: string; isSettled: boolean }
  | { type: 'receipt.settlement_checked'; receiptId: string; settlement: SettlementStatus }
  | { type: EventType & `payment.${string}`; projectId: string | null; paymentId: string }
  | { type: EventType & `agent.${string}`; projectId: string; anchorId: string; anchor: AnchorAsIs }
  | { type: EventType & `webhook${string}`; projectId: string; endpointId: string }

/** `txid` and `anchoredAt` are null until the anchor is in a final block. */
type AnchorAsIs = { bundleHash: string; txid: string | null; anchoredAt: Date | null }

export type Transaction = {
  sql: Sql
  audit(...entries: AuditEntry[]): void
  /** Writes an event for each of these receipts, whose status changed. */
  changed(...receiptIds: string[]): void
  /** Writes other events. Every event wakes its readers; webhook endpoints receive the types they subscribe to. */
  event(...events: Subject[]): void
  job(...jobs: Job[]): void
  /** Takes the last statement, so that the commit is sent without waiting for its result. */
  last(statement: Promise<unknown>): void
}

export async function inTransaction<T>(app: Pick<App, 'pool'>, run: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await app.pool.connect()
  let broken: Error | boolean = false
  try {
    // Pipelined with the first statement, as the commit is with the last: the pool's connections support pipelining.
    const begun = client.query('begin')
    begun.catch(() => undefined)
    return await withEffects(sqlOf(client), run, async () => {
      const [, { command }] = await Promise.all([begun, client.query('commit')])
      // PostgreSQL rolls back on `commit` when a statement failed and its error was ignored.
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
    })
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** Returns `Sql` on a client, or on the pool, where each statement is a transaction of its own. */
export const sqlOf =
  (client: Pick<PoolClient, 'query'>): Sql =>
  async <Row extends QueryResultRow>(text: string, values: unknown[] = [], name?: string) =>
    (await client.query<Row>({ text, values, ...(name !== undefined && { name }) })).rows

/** Calls `run`, then writes its effects through `sql`, which is in a transaction that `commit` ends, if given. */
export async function withEffects<T>(
  sql: Sql,
  run: (tx: Transaction) => Promise<T>,
  commit: () => Promise<void> = async () => undefined,
): Promise<T> {
  const entries: AuditEntry[] = []
  const receipts = new Set<string>()
  const events: Subject[] = []
  const jobs: Job[] = []
  const last: Promise<unknown>[] = []
  const result = await run({
    sql,
    audit: (...more) => void entries.push(...more),
    changed: (...ids) => {
      for (const id of ids) receipts.add(id)
    },
    event: (...more) => void events.push(...more),
    job: (...more) => void jobs.push(...more),
    last: statement => void last.push(statement),
  })
  const any = entries.length + jobs.length + receipts.size + events.length > 0
  // When one of these statements fails, the commit pipelined behind it becomes a rollback.
  await Promise.all([...last, any && writeEffects(sql, entries, jobs, [...receipts], events), commit()])
  return result
}

// One statement, because each round trip keeps the rows locked a little longer.
const changedType = "coalesce(changed.type, 'receipt.' || receipt.status)"
const effectsStatement = effects({
  audit: 'select * from unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::jsonb[])',
  events: `
    select ${receiptEvent('receipt', { type: changedType, refund: 'changed.refund_id, changed.refund_settled', settlement: 'changed.settlement::settlement_status' })}
    from unnest($7::uuid[], $9::text[], $12::uuid[], $11::boolean[], $14::text[]) as changed(id, type, refund_id, refund_settled, settlement)
    cross join lateral (
      select id, project_id, status, bundle_hash, ledger_txid, anchored_at from receipts where id = changed.id offset 0
    ) as receipt
    union all
    select type, project_id, null, payment_id, anchor_id, endpoint_id, null, bundle_hash, txid, anchored_at, null, null, null
    from json_to_recordset($10::json) as other(type text, project_id uuid, payment_id uuid, anchor_id uuid,
      endpoint_id uuid, bundle_hash text, txid text, anchored_at timestamptz)`,
  origin: '$13',
  jobs: `
    select * from json_to_recordset($8::json) as job(task text, payload json, queue text, key text, after_ms int)`,
})

const noChange = { type: null, refundId: null, isSettled: null, settlement: null }

function writeEffects(sql: Sql, entries: AuditEntry[], jobs: Job[], changed: string[], events: Subject[]) {
  const specs = jobs.map(job => ({
    task: job.task,
    payload: job.payload,
    queue: job.queue,
    key: job.key,
    after_ms: job.afterMs,
  }))
  const ofReceipts = [
    ...changed.map(receiptId => ({ ...noChange, receiptId })),
    ...events.flatMap(event => ('receiptId' in event ? { ...noChange, ...event } : [])),
  ]
  return sql(
    effectsStatement,
    [
      entries.map(entry => entry.action),
      entries.map(entry => entry.objectType),
      entries.map(entry => entry.objectId),
      entries.map(entry => entry.projectId),
      entries.map(entry => entry.actor),
      entries.map(entry => JSON.stringify(entry.details ?? {})),
      ofReceipts.map(event => event.receiptId),
      JSON.stringify(specs),
      ofReceipts.map(event => event.type),
      JSON.stringify(events.flatMap(event => ('receiptId' in event ? [] : rowOf(event)))),
      ofReceipts.map(event => event.isSettled),
      ofReceipts.map(event => event.refundId),
      originNow(),
      ofReceipts.map(event => event.settlement),
    ],
    'effects',
  )
}

const rowOf = (event: Exclude<Subject, { receiptId: string }>) => ({
  type: event.type,
  project_id: event.projectId,
  ...('paymentId' in event && { payment_id: event.paymentId }),
  ...('endpointId' in event && { endpoint_id: event.endpointId }),
  ...('anchor' in event && {
    anchor_id: event.anchorId,
    bundle_hash: event.anchor.bundleHash,
    txid: event.anchor.txid,
    anchored_at: event.anchor.anchoredAt,
  }),
})
