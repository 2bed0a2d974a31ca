// The pool as graphile-worker is given it. It writes down what became of a job and does not wait for that: a database that
// is away just then would be an error that nobody handles, and end the process.
import type pg from 'pg'

// graphile-worker's own names for these statements.
const outcome = /^(complete|fail)_job/

/** `lost` is told of each outcome that could not be written; the job stays with the worker that had it. */
export function poolOfOutcomes(pool: pg.Pool, lost: (error: unknown) => void): pg.Pool {
  const connect = (callback?: Parameters<pg.Pool['connect']>[0]) =>
    callback === undefined ? Promise.resolve(clientOf(pool, lost)) : pool.connect(callback)
  return Object.create(pool, { connect: { value: connect } })
}

/** Connects when it is first asked something, because a failure to connect is one of the question. */
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
  // No more than this is used of it.
  return Object.assign(Object.create(null), { query, release })
}
