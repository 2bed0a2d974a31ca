// Erases stored answers that name a receipt, and what may speak of it without its name: transcripts and exports.
import type { Sql } from '../../kit/transaction.ts'

type Named = {
  projectId: string
  ids: readonly string[]
  references: readonly string[]
  /** The receipts were recorded then. */
  from: Date
  /** They were erased before, some time earlier than this: later answers do not have the texts. Null: they were not. */
  until: Date | null
  /** Also what belongs to no project. */
  isEverywhere: boolean
}

// A repeated request must not write again, so that its answer stays as one without content.
const erased = JSON.stringify({ detail: 'content_erased', message: 'The content was erased on request.' })

export async function eraseAnswers(sql: Sql, { ids, references, ...named }: Named): Promise<void> {
  const { projectId, from, until, isEverywhere } = named
  const since = (time: string) => `${time} >= $2 and ${time} < coalesce($3::timestamptz, 'infinity')`
  const of = [projectId, from, until]
  // A message is the only paid answer with texts. One that did not reach its client is still owed, for a day at most.
  await sql(
    `update payments set answer = null, answer_until = null
     where (project_id = $1::uuid or $5::boolean) and answer_until is not null and status <> 'settled' and ${since('answered_at')}
       and answer->>'xml' is not null and exists (select from unnest($4::text[]) as id where position(id in answer->>'url') > 0)`,
    [...of, ids, isEverywhere],
  )
  await sql(
    `update idempotent_requests set status = 410, headers = '{"Content-Type": "application/json"}', body = convert_to($6, 'UTF8')
     where ${since('finished_at')} and (principal in (
         select 'key:' || id from api_keys where project_id = $1::uuid
         union all select 'session:' || id from sessions where project_id = $1::uuid
       ) or $5::boolean and principal like 'admin:%')
       and exists (select from unnest($4::text[]) as word where position(decode(word, 'hex') in body) > 0)`,
    [...of, wordsOf(ids, references), isEverywhere, erased],
  )
  // A question may name a person without naming the receipt.
  await sql(`delete from assistant_exchanges where project_id = $1::uuid and ${since('created_at')}`, of)
  await sql(
    `delete from exports where (project_id = $1::uuid or $4::boolean and project_id is null) and ${since('created_at')}`,
    [...of, isEverywhere],
  )
}

/**
 * Returns, in hex, how answers in JSON name the receipts: by an id, or by a whole reference under its name, because a
 * short one is a part of many texts, and a common one the value of other fields. Only GraphQL answers with references.
 */
function wordsOf(ids: readonly string[], references: readonly string[]): string[] {
  const named = references.map(reference => `"reference":${JSON.stringify(reference)}`)
  const hex = ids.map(id => id.replaceAll('-', ''))
  return [...ids, ...hex, ...named].map(word => Buffer.from(word).toString('hex'))
}
