// The hash chain of audit rows stays intact under concurrent writes, and any change behind the service's back is
// visible.
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { jobs } from '../../src/kit/jobs.ts'
import { inTransaction, sqlOf } from '../../src/kit/transaction.ts'
import { chainsIn, type Reached, verifyChain } from '../../src/modules/audit/chain.ts'
import { freshDatabase } from '../kit/service.ts'

let pool: pg.Pool
let project: string
beforeEach(async () => {
  pool = openPool(await freshDatabase(), 10, console)
  project = randomUUID()
})
afterEach(() => pool.end())

const write = (projectId: string | null, details: Record<string, unknown> = {}) =>
  inTransaction({ pool }, async tx =>
    tx.audit({ action: 'thing.do', objectType: 'thing', objectId: 'Ding: 1,2', projectId, actor: 'key:1', details }),
  )
const verify = (projectId: string | null = project) => verifyChain(sqlOf(pool), projectId)

/** Runs SQL with the database owner's rights, without the triggers. */
async function tamper(sql: string): Promise<void> {
  const client = await pool.connect()
  await client.query(`set session_replication_role = replica; ${sql}; set session_replication_role = default`)
  client.release()
}

describe('the hash chain is intact', () => {
  it('after many writes at once, of several projects, from several connections', async () => {
    const other = randomUUID()
    const hostile = { text: 'é😀 "\\ \n \u2028', nested: { b: 1, a: [null, 1.5e10] } }
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        write([project, other, null][index % 3] ?? null, { index, ...hostile }),
      ),
    )
    const chains = await chainsIn(sqlOf(pool))
    expect(chains.map(({ rows }) => rows).toSorted()).toEqual([66, 67, 67])
    const reports = await Promise.all(chains.map(({ chain }) => verify(chain === 'service' ? null : chain)))
    expect(reports.map(({ rows, fault }) => [rows, fault]).toSorted()).toEqual([
      [66, null],
      [67, null],
      [67, null],
    ])
  })

  it('without any rows', async () => {
    expect(await verify()).toEqual({ chain: project, rows: 0, fault: null })
  })

  it('after a rolled-back transaction, which leaves no gap', async () => {
    await write(project)
    const failing = inTransaction({ pool }, async tx => {
      tx.audit({ action: 'a', objectType: 'b', objectId: 'c', projectId: project, actor: 'd' })
      // graphile-worker refuses names of more than 128 characters.
      tx.job({ ...jobs.seal({ receipts: [] }), task: 'x'.repeat(200) })
    })
    await expect(failing).rejects.toThrow()
    await write(project)
    expect(await verify()).toMatchObject({ rows: 2, fault: null })
  })
})

describe('the verification reports', () => {
  beforeEach(async () => {
    for (let index = 0; index < 5; index += 1) await write(project, { index })
  })

  it.each([
    [
      'an altered detail',
      `update audit_events set details = '{"index": 9}' where seq = 3`,
      2,
      'Row 3 is not as it was',
    ],
    ['an altered actor', `update audit_events set actor = 'key:2' where seq = 1`, 0, 'Row 1 is not as it was written.'],
    [
      'an altered time',
      `update audit_events set created_at = created_at + interval '1 hour' where seq = 5`,
      4,
      'Row 5',
    ],
    ['a row that was taken out', `delete from audit_events where seq = 2`, 1, 'Row 2 is missing.'],
    ['a first row that was taken out', `delete from audit_events where seq = 1`, 0, 'Row 1 is missing.'],
    ['a last row that was taken out', `delete from audit_events where seq = 5`, 4, 'Rows after 4 are missing.'],
    ['all rows taken out', `delete from audit_events`, 0, 'Rows after 0 are missing.'],
    ['a head that was taken out', `delete from audit_heads`, 5, 'The end of the chain is missing.'],
    ['a head that was altered', `update audit_heads set hash = 'x'`, 5, 'The end is not as it was written.'],
    [
      'rows that changed places',
      `update audit_events set seq = 9 where seq = 2; update audit_events set seq = 2 where seq = 3;
       update audit_events set seq = 3 where seq = 9`,
      1,
      'Row 2 is not as it was written.',
    ],
    [
      'a row moved to another project',
      `update audit_events set project_id = gen_random_uuid() where seq = 5`,
      4,
      'Rows after 4 are missing.',
    ],
  ])('%s', async (_, sql, rows, fault) => {
    await tamper(sql)
    expect(await verify()).toEqual({ chain: project, rows, fault: expect.stringContaining(fault) })
  })
})

describe('a verification that continues behind a row', () => {
  let reached: Reached
  beforeEach(async () => {
    const row = { action: 'a', objectType: 'b', objectId: 'c', projectId: project, actor: 'd' }
    await inTransaction({ pool }, async tx => {
      for (let index = 0; index < 501; index += 1) tx.audit({ ...row, details: { index } })
    })
    await verifyChain(sqlOf(pool), project, (_, verified) => {
      reached = verified
    })
  })
  const further = () => verifyChain(sqlOf(pool), project, undefined, reached)

  it('reads the rows behind it, and finds the chain intact', async () => {
    expect(reached.seq).toBe(500n)
    const read: number[] = []
    const report = await verifyChain(sqlOf(pool), project, rows => read.push(rows), reached)
    expect(report).toEqual({ chain: project, rows: 501, fault: null })
    expect(read).toEqual([1])
  })

  it.each([
    ['a chain of its own behind it', `update audit_events set hash = 'x' where seq = 501`, 'Row 501 is not as it was'],
    ['the end was taken out', `delete from audit_events where seq = 501`, 'Rows after 500 are missing.'],
    [
      'more was taken out',
      `delete from audit_events where seq > 400; update audit_heads set seq = 400, hash = (select hash from audit_events where seq = 400)`,
      'Row 500 is missing.',
    ],
  ])('reports when there is %s', async (_, sql, fault) => {
    await tamper(sql)
    expect((await further()).fault).toContain(fault)
  })

  it('reports another row in its place', async () => {
    reached = { ...reached, hash: '0'.repeat(64) }
    expect((await further()).fault).toContain('Row 501 is not as it was written.')
  })
})

it('the service itself cannot change or delete audit rows', async () => {
  await write(project)
  for (const sql of ['update audit_events set actor = $$x$$', 'delete from audit_events', 'truncate audit_events']) {
    await expect(pool.query(sql)).rejects.toThrow('append-only')
  }
})
