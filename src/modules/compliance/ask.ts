// A round of queries to one compliance provider: all due checks, a few at a time. Each answer is stored when it
// arrives, so that a receipt waits only for its own answers. While the provider is down, the rest of the round is
// skipped.

import { batchWhileBusy } from '../../kit/batch-while-busy.ts'
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { perApp } from '../../kit/per-app.ts'
import { inTransaction, sqlOf } from '../../kit/transaction.ts'
import type { ComplianceAnswer, ComplianceSubject, ComplianceType } from '../../ports/compliance.ts'
import { notSetUp } from './policy.ts'
import { decide, lockPending } from './store.ts'
import { paymentSubjects, pendingReceipts } from './subject.ts'

const mostAtOnce = 16
const mostInRound = 256
// After this many queries in a row without an answer, the provider counts as down.
const mostInVain = 16
// After this many tries without an answer, the receipt of a check that is not enforced continues.
const mostTries = 3
const longestPause = '15 seconds'
// After this many tries of an enforced check without an answer, the operator is alerted.
const alarmAfter = 6

type Awaited = {
  id: string
  receiptId: string | null
  paymentId: string | null
  type: ComplianceType
  enforced: boolean
  attempts: number
}
type Answered = Awaited & ComplianceAnswer

// Checks of the projects alternate, so that thousands of receipts of one project do not delay the other projects.
const dueSql = `
  select id, "receiptId", "paymentId", type, enforced, attempts from (
    select c.id, c.receipt_id as "receiptId", c.payment_id as "paymentId", c.type::text, c.enforced, c.attempts, c.retry_at,
      row_number() over (partition by coalesce(r.project_id, p.project_id) order by c.retry_at) as turn
    from compliance_checks c left join receipts r on r.id = c.receipt_id left join payments p on p.id = c.payment_id
    where c.provider = $1 and c.retry_at <= now()
  ) as due
  order by turn, retry_at limit ${mostInRound}`

/** Queries the provider for all due checks, and schedules the next round while checks wait. */
export async function askRound(app: App, name: string): Promise<void> {
  const { rows } = await app.pool.query<Awaited>(dueSql, [name])
  const subjects = await subjectsOf(app, rows)
  await forget(
    app,
    rows.filter(({ id }) => !subjects.has(id)),
  )
  const left = rows.filter(({ id }) => subjects.has(id)).values()
  let inVain = 0
  async function askOn(): Promise<void> {
    for (const row of left) {
      const subject = subjects.get(row.id)
      if (subject === undefined) continue
      const answer = inVain < mostInVain ? await answerOf(app, name, row.type, subject) : down
      inVain = answer.decision === 'unavailable' ? inVain + 1 : 0
      await keeper(app)({ ...row, ...answer })
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: mostAtOnce }, askOn))
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  if (inVain > 0) logInVain(app, name, rows)
  await plan(app, name)
}

const down: ComplianceAnswer = { decision: 'unavailable', reason: 'the provider gives no answers at present' }

const answerOf = async ({ compliance }: App, name: string, type: ComplianceType, subject: ComplianceSubject) =>
  (await compliance.get(name)?.ask(type, subject)) ?? ({ decision: 'unavailable', reason: notSetUp(name) } as const)

/** Returns the subjects by id of the check, only for checks whose receipt is still pending or whose payment exists. */
async function subjectsOf(app: App, rows: readonly Awaited[]): Promise<Map<string, ComplianceSubject>> {
  const sql = sqlOf(app.pool)
  const idsOf = (member: 'receiptId' | 'paymentId') => rows.map(row => row[member]).filter(id => id !== null)
  const [receipts, payments] = await Promise.all([
    pendingReceipts(app, sql, idsOf('receiptId')),
    paymentSubjects(sql, idsOf('paymentId')),
  ])
  const pending = new Map(receipts.map(({ subject }) => [subject.id, subject]))
  const found = rows.map(({ id, receiptId, paymentId }) => {
    const subject = receiptId === null ? payments.get(paymentId ?? '') : pending.get(receiptId)
    return subject === undefined ? null : ([id, subject] as const)
  })
  return new Map(found.filter(entry => entry !== null))
}

async function forget(app: App, rows: readonly Awaited[]): Promise<void> {
  if (rows.length === 0) return
  await app.pool.query('update compliance_checks set retry_at = null where id = any($1::uuid[])', [
    rows.map(({ id }) => id),
  ])
}

/** Stores answers; answers that arrive together are stored in one transaction. */
const keeper = perApp(app =>
  batchWhileBusy(async (answers: Answered[]) => {
    await keep(app, answers)
    return answers.map(() => undefined)
  }),
)

const keep = (app: App, answers: readonly Answered[]) =>
  inTransaction(app, async tx => {
    const receiptIds = answers.map(({ receiptId }) => receiptId).filter(id => id !== null)
    const pending = await lockPending(tx.sql, receiptIds)
    await tx.sql(
      `update compliance_checks c set decision = a.decision, reason = a.reason, checked_at = now(), attempts = attempts + 1,
         retry_at = case
           when a.decision <> 'unavailable' or not enforced and attempts + 1 >= ${mostTries} then null
           else now() + least(interval '${longestPause}', interval '1 second' * 2 ^ least(attempts, 10)) end
       from unnest($1::uuid[], $2::compliance_decision[], $3::text[]) as a(id, decision, reason)
       where c.id = a.id and retry_at is not null`,
      [answers.map(({ id }) => id), answers.map(({ decision }) => decision), answers.map(({ reason }) => reason)],
    )
    if (pending.size > 0) await decide(tx, [...pending])
  })

function logInVain({ log }: App, provider: string, rows: readonly Awaited[]): void {
  const waiting = rows.filter(({ enforced }) => enforced).length
  if (rows.some(({ enforced, attempts }) => enforced && attempts === alarmAfter))
    log.error({ provider, waiting }, 'ALARM: a compliance provider gives no answer, and receipts wait for it')
  else log.warn({ provider, waiting }, 'a compliance provider gave no answer')
}

async function plan(app: App, name: string): Promise<void> {
  const { rows } = await app.pool.query<{ afterMs: number | null }>(
    `select (extract(epoch from min(retry_at) - now()) * 1000)::float8 as "afterMs" from compliance_checks
     where provider = $1 and retry_at is not null`,
    [name],
  )
  const afterMs = rows[0]?.afterMs ?? null
  if (afterMs === null) return
  await inTransaction(app, async tx =>
    tx.job(jobs.askCompliance({ provider: name }, { afterMs: Math.max(0, Math.ceil(afterMs)) })),
  )
}
