// The files of a service: read from its database to audit them, and fetched from its API to compare them.
import { createHash } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import type pg from 'pg'
import { adminKey, type Service } from '../service.ts'

export type File = { owner: string; isStatement: boolean; version: string; name: string; xml: string }

const atOnce = 200

/** All messages, a few at a time. */
export async function* messagesIn(db: pg.Client): AsyncGenerator<File> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await db.query<File & { id: string; bytes: Buffer; isDeflated: boolean }>(
      `select a.id, coalesce(a.receipt_id, a.statement_id) as owner, a.statement_id is not null as "isStatement",
         a.version, a.name, b.bytes, b.is_deflated as "isDeflated"
       from artifacts a join blobs b using (sha256)
       where a.media_type = 'application/xml' and a.id > $1 order by a.id limit ${atOnce}`,
      [after],
    )
    for (const { bytes, isDeflated, ...file } of rows) {
      yield { ...file, xml: (isDeflated ? inflateRawSync(bytes) : bytes).toString() }
    }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

export type Past = Map<string, string>

/** Returns the hashes of the files of all numbered statements, by their URL. */
export async function pastOf({ base }: Service, db: pg.Client): Promise<Past> {
  const { rows } = await db.query<{ id: string; name: string }>(
    `select s.id, a.name from statements s join artifacts a on a.statement_id = s.id
     where s.kind = 'series' order by s.id, a.name`,
  )
  const past: Past = new Map()
  for (const { id, name } of rows) {
    const url = `${base}/files/${id}/${name}`
    const answer = await fetch(url, { headers: { 'X-API-Key': adminKey } })
    past.set(
      url,
      answer.ok
        ? createHash('sha256')
            .update(await answer.bytes())
            .digest('hex')
        : String(answer.status),
    )
  }
  return past
}
