// graphile-worker releases its listening client twice if the connection is lost while it stops, and awaits neither.
import pg from 'pg'
import { expect, it } from 'vitest'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { poolOfOutcomes } from '../../src/worker/outcomes.ts'
import { freshDatabase } from '../kit/service.ts'

it('the second release of a listening client does nothing', async () => {
  const pool = openPool(await freshDatabase(), 2, console)
  const listening = Promise.withResolvers<(error?: Error) => void>()
  poolOfOutcomes(pool, () => undefined).connect((_, client, release) => {
    expect(client).toBeInstanceOf(pg.Client)
    listening.resolve(release)
  })
  const release = await listening.promise
  release()
  const next = await pool.connect()
  // It must not return the client to the pool that another caller has by now.
  expect(() => release()).not.toThrow()
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 0])
  next.release()
  await pool.end()
})
