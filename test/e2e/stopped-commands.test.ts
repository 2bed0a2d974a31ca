// Long commands that are stopped keep what they did, and continue when they are started again.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { inTransaction } from '../../src/kit/transaction.ts'
import { type Command, runCommand, startCommand } from '../kit/command.ts'
import { type ObjectStore, startObjectStore } from '../kit/object-store.ts'
import { freshDatabase } from '../kit/service.ts'
import { onlyInFull } from '../kit/size.ts'

let store: ObjectStore
let databaseUrl: string
let database: pg.Client
beforeAll(async () => {
  store = await startObjectStore()
  databaseUrl = await freshDatabase()
  database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await store.stop()
})

const one = async (text: string) => Number((await database.query(text)).rows[0].count)

/** Interrupts the command when it has said how far it is. */
async function interrupted(command: Command) {
  while (!command.said.err.includes('left\n')) await new Promise(resolve => setTimeout(resolve, 10))
  return command.end('SIGINT')
}

onlyInFull('move-files continues with the files that are left', { timeout: 180_000 }, async () => {
  const files = Array.from({ length: 4_000 }, (_, index) => Buffer.from(`file ${index}`))
  const hashes = files.map(bytes => `0x${createHash('sha256').update(bytes).digest('hex')}`)
  await database.query(
    `insert into blobs (sha256, bytes, is_deflated) select sha256, bytes, false from unnest($1::text[], $2::bytea[]) as f(sha256, bytes)`,
    [hashes, files],
  )
  const settings = { DATABASE_URL: databaseUrl, ...store.settings }
  const stopped = await interrupted(startCommand(['move-files'], settings))
  expect(stopped).toMatchObject({ code: 130, out: '', err: expect.stringMatching(/^files: .*\nfiles: .*\nStopped\./) })
  const left = await one('select count(*) from blobs where bytes is not null')
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(4_000)
  expect((await runCommand(['move-files'], settings)).out).toBe(`${left} files moved into the object store.\n`)
  expect((await store.names()).toSorted()).toEqual(hashes.toSorted())
})

onlyInFull('audit continues behind the last row that it verified', { timeout: 180_000 }, async () => {
  const pool = openPool(databaseUrl, 2, console)
  const row = { action: 'a', objectType: 'b', objectId: 'c', projectId: null, actor: 'd' }
  await inTransaction({ pool }, async tx => tx.audit({ ...row, details: {} }))
  // In one transaction, the versions of the chain's head would take longer the more there are.
  for (let made = 0; made < 60; made++)
    await pool.query(
      `insert into audit_events (action, object_type, object_id, actor, details)
       select action, object_type, object_id, actor, details from audit_events, generate_series(1, 1000) where seq = 1`,
    )
  await pool.end()
  const stopped = await interrupted(startCommand(['audit'], { DATABASE_URL: databaseUrl }))
  expect([stopped.code, stopped.out]).toEqual([130, ''])
  const [, chain, row_ = ''] =
    /To continue: quittance audit --after (service):(\d+):[0-9a-f]{64}\n$/.exec(stopped.err) ?? []
  expect([chain, Number(row_) > 0]).toEqual(['service', true])
  const place = stopped.err.split('--after ')[1]?.trim() ?? ''
  expect(await runCommand(['audit', '--after', place], { DATABASE_URL: databaseUrl })).toMatchObject({
    code: 0,
    out: 'ok     service: 60001 rows.\n',
  })
  // A row before the place was verified already, and one behind it is verified now.
  await database.query(
    `set session_replication_role = replica; update audit_events set actor = 'x' where seq = ${Number(row_) + 1}`,
  )
  expect((await runCommand(['audit', '--after', place], { DATABASE_URL: databaseUrl })).code).toBe(1)
  const wrong = await runCommand(['audit', '--after', 'service:x'], { DATABASE_URL: databaseUrl })
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--after must be what an audit printed')])
})
