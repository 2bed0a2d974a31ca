// Erases stored answers that name a receipt, and what may speak of it without its name: transcripts and exports.
import type { Sql } from '../../kit/transaction.ts'

/**
 * `project`: what belongs to the receipt's project. `installation`: also what administrators and payers own, which a
 * project must not take from them, because it may record a payment of any wallet.
 */
export type Reach = 'project' | 'installation'

/** A stored answer to a request with an Idempotency-Key. */
export type Answer = { principal: string; key: string }

const pageSize = 200

/**
 * Returns the stored answers that name the receipt or a refund of it. There may be gigabytes, so they are read before
 * the transaction, page by page.
 */
export async function answersNaming(sql: Sql, receiptId: string, reach: Reach): Promise<Answer[]> {
  const receipts = await sql<{ id: string; reference: string }>(
    'select id, reference from receipts where id = $1::uuid or refund_of_id = $1::uuid',
    [receiptId],
  )
  const principals = await sql<{ principal: string }>(
    `select 'key:' || k.id as principal from api_keys k join receipts r using (project_id) where r.id = $1::uuid
     union all select 'session:' || s.id from sessions s join receipts r using (project_id) where r.id = $1::uuid
     union all select distinct principal from idempotent_requests where $2::boolean and principal like 'admin:%'`,
    [receiptId, reach === 'installation'],
  )
  const words = receipts.flatMap(wordsOf)
  const found: Answer[] = []
  for (const { principal } of principals) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: { key: string; isNamed: boolean }[] = await sql(
        `select key, exists (select from unnest($3::text[]) as word where position(decode(word, 'hex') in body) > 0) as "isNamed"
         from idempotent_requests where principal = $1 and key > $2 order by key limit ${pageSize}`,
        [principal, after, words],
      )
      found.push(...page.flatMap(({ key, isNamed }) => (isNamed ? [{ principal, key }] : [])))
      after = page.length < pageSize ? undefined : page.at(-1)?.key
    }
  }
  return found
}

/**
 * Returns, in hex, how answers in JSON name a receipt: by its id, or by its whole reference under its name, because a
 * short one is a part of many texts, and a common one the value of other fields. Only GraphQL answers with references.
 */
function wordsOf({ id, reference }: { id: string; reference: string }): string[] {
  const words = [id, id.replaceAll('-', ''), `"reference":${JSON.stringify(reference)}`]
  return words.map(word => Buffer.from(word).toString('hex'))
}

type Named = {
  projectId: string
  ids: readonly string[]
  answers: readonly Answer[]
  /** The receipts were recorded then. */
  from: Date
  /** They were erased before, some time earlier than this: later answers do not have the texts. Null: they were not. */
  until: Date | null
  reach: Reach
}

// A repeated request must not write again, so that its answer stays as one without content.
const erased = JSON.stringify({ detail: 'content_erased', message: 'The content was erased on request.' })

export async function eraseAnswers(sql: Sql, { projectId, ids, answers, from, until, reach }: Named): Promise<void> {
  const since = (time: string) => `${time} >= $2 and ${time} < coalesce($3::timestamptz, 'infinity')`
  const of = [projectId, from, until]
  const isEverywhere = reach === 'installation'
  // A message is the only paid answer with texts. One that did not reach its client is still owed, for a day at most.
  await sql(
    `update payments set answer = null, answer_until = null
     where (project_id = $1::uuid or $5::boolean) and answer_until is not null and status <> 'settled' and ${since('answered_at')}
       and answer->>'xml' is not null and exists (select from unnest($4::text[]) as id where position(id in answer->>'url') > 0)`,
    [...of, ids, isEverywhere],
  )
  await sql(
    `update idempotent_requests kept set status = 410, headers = '{"Content-Type": "application/json"}', body = convert_to($3, 'UTF8')
     from unnest($1::text[], $2::text[]) as named(principal, key)
     where kept.principal = named.principal and kept.key = named.key and kept.finished_at is not null
       and kept.finished_at < coalesce($4::timestamptz, 'infinity')`,
    [answers.map(({ principal }) => principal), answers.map(({ key }) => key), erased, until],
  )
  // A question may name a person without naming the receipt.
  await sql(`delete from assistant_exchanges where project_id = $1::uuid and ${since('created_at')}`, of)
  await sql(
    `delete from exports where (project_id = $1::uuid or $4::boolean and project_id is null) and ${since('created_at')}`,
    [...of, isEverywhere],
  )
}
