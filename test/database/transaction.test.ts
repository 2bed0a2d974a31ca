// A transaction that did not commit is reported as failed, even where PostgreSQL reports its end as success.
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { inTransaction } from '../../src/kit/transaction.ts'
import { freshDatabase } from '../kit/service.ts'

let pool: pg.Pool
beforeAll(async () => {
  pool = openPool(await freshDatabase(), 2, console)
})
afterAll(() => pool.end())

const names = async () => (await pool.query('select name from projects order by name')).rows.map(row => row.name)

it('a transaction with a swallowed statement error fails, because its caller would rely on data that was never written', async () => {
  const work = inTransaction({ pool }, async tx => {
    await tx.sql(`insert into projects (id, name) values (gen_random_uuid(), 'lost')`)
    await tx.sql('select 1 / 0').catch(() => null)
    return 'done'
  })
  await expect(work).rejects.toThrow('the transaction was rolled back')
  expect(await names()).toEqual([])
})

it('a failed transaction leaves no data, and its connection can be used again', async () => {
  for (let time = 0; time < 4; time++) {
    const work = inTransaction({ pool }, async tx => {
      await tx.sql(`insert into projects (id, name) values (gen_random_uuid(), 'half')`)
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
  }
  await inTransaction({ pool }, async tx => {
    await tx.sql(`insert into projects (id, name) values (gen_random_uuid(), 'whole')`)
  })
  expect(await names()).toEqual(['whole'])
})
