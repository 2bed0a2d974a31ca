// A pool of a process that is killed while it works.
import type pg from 'pg'

/** Fails at the given statement of SQL, as a process that is killed there: what was not committed is undone. */
export function dyingPool(pool: pg.Pool, statements: number): pg.Pool {
  let left = statements
  const dies = () => {
    left -= 1
    return left < 0
  }
  const killed = () => Promise.reject(new Error('killed'))
  async function connect() {
    const client = await pool.connect()
    const query = (...given: Parameters<typeof client.query>) =>
      (given[0] as unknown) !== 'rollback' && dies() ? killed() : client.query(...given)
    return Object.create(client, { query: { value: query }, release: { value: () => client.release(left < 0) } })
  }
  const query = (...given: Parameters<typeof pool.query>) => (dies() ? killed() : pool.query(...given))
  return Object.create(pool, { connect: { value: connect }, query: { value: query } })
}
