// The connection pool for graphile-worker, which records the outcome of a job without awaiting the query: if the
// database were unreachable then, an unhandled rejection would end the process. So would its second release of the
// listening client, which it makes if the connection is lost while the worker stops.
import type pg from 'pg'

// graphile-worker's own names for these statements.
const outcome = /^(complete|fail)_job/

/** Calls `lost` for each outcome that could not be written; the job stays locked by its worker. */
export function poolOfOutcomes(pool: pg.Pool, lost: (error: unknown) => void): pg.Pool {
  const connect = (callback?: Parameters<pg.Pool['connect']>[0]) =>
    callback === undefined
      ? Promise.resolve(clientOf(pool, lost))
      : pool.connect((error, client, release) => callback(error, client, once(release)))
  return Object.create(pool, { connect: { value: connect } })
}

/** Returns a function that passes its first call on, and no other. */
function once(release: (error?: unknown) => void): (error?: unknown) => void {
  let isDone = false
  return error => {
    if (!isDone) release(error)
    isDone = true
  }
}

/** Connects at the first query, so that a failure to connect is an error of that query. */
function clientOf(pool: pg.Pool, lost: (error: unknown) => void): pg.PoolClient {
  let client: Promise<pg.PoolClient> | null = null
  async function query(question: string | pg.QueryConfig, values?: unknown[]) {
    if (typeof question !== 'string' && outcome.test(question.name ?? '')) {
      return pool.query(question).catch(error => {
        lost(error)
        return { rows: [], rowCount: 0 }
      })
    }
    client ??= pool.connect()
    return (await client).query(question, values)
  }
  const release = () => client?.then(own => own.release()).catch(() => undefined)
  // graphile-worker uses no other methods of a client.
  return Object.assign(Object.create(null), { query, release })
}
