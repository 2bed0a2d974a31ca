// A database of the version before there were series keeps its statements, with their files.
import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { migrations } from '../../src/adapters/migrate.ts'
import { onDatabase } from '../kit/global-setup.ts'

const migration = '20261208000000_series_of_statements'

it('statements from before keep their rows and files, and the series of their project begins with the present day', async () => {
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  await admin.query(`create database ${name} template template0`)
  await admin.end()
  const url = onDatabase(inject('postgresUrl'), name)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const { name, sql } of await migrations()) if (name < migration) await client.query(sql)
  const [project, statement, sha256] = [randomUUID(), randomUUID(), `0x${'ab'.repeat(32)}`]
  await client.query(`insert into projects (id, name) values ($1, 'p')`, [project])
  await client.query(
    `insert into statements (id, project_id, type, "from", "to", count) values
       ($1, $2, 'camt.052', '2026-03-01T09:00:00Z', '2026-03-01T17:30:00Z', 3)`,
    [statement, project],
  )
  await client.query('insert into blobs (sha256, bytes) values ($1, $2)', [sha256, Buffer.from('<x/>')])
  await client.query(
    `insert into artifacts (id, statement_id, type, version, name, media_type, sha256) values
       (gen_random_uuid(), $1, 'camt.052', 'camt.052.001.08', 'camt052.xml', 'application/xml', $2)`,
    [statement, sha256],
  )
  const applied = (await migrations()).find(one => one.name === migration)
  await client.query(applied?.sql ?? '')
  const { rows } = await client.query(
    `select s.id, s.kind, s.day, s."window", s.time_zone, s.number, s.count, a.name, b.bytes from statements s
     join artifacts a on a.statement_id = s.id join blobs b using (sha256)`,
  )
  expect(rows).toEqual([
    {
      ...{ id: statement, kind: 'earlier', day: '2026-03-01', window: '09:00-17:29', time_zone: 'UTC', number: null },
      ...{ count: 3, name: 'camt052.xml', bytes: Buffer.from('<x/>') },
    },
  ])
  const { rows: begun } = await client.query(
    `select series_from = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' as today, closed_to from projects`,
  )
  expect(begun).toEqual([{ today: true, closed_to: null }])
  await client.end()
})
