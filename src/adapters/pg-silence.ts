// Whether PostgreSQL says nothing more: a stopped process, a stuck disk and a silent network leave connections open
// that carry nothing. The event feed asks on its own connection, which no request can keep busy.
import type pg from 'pg'
import type { Logger } from 'pino'
import { AppError } from '../core/errors.ts'

// A request that finds no answer waits until a deadline; every request after that would wait for nothing.
const silentAfterMs = 9_000

export type Silence = {
  isSilent(): boolean
  /** Throws `database_unavailable` during a silence. */
  demandAnswers(): void
  /** Refuses connections of this pool during a silence, also to transactions that would need a second one. */
  guard(pool: pg.Pool): void
  /** Returns what `answer` returns. A silence begins when it takes longer, and ends when an answer arrives. */
  within<T>(answer: Promise<T>, cut: () => void): Promise<T>
}

/** `answered` is called at each answer to what `within` waits for. */
export function createSilence(log: Pick<Logger, 'warn'>, answered: () => void): Silence {
  let isSilent = false
  const beginnings: (() => void)[] = []

  const refusal = () => new AppError('database_unavailable')

  function begin(): void {
    if (isSilent) return
    isSilent = true
    log.warn(`the database has said nothing for ${silentAfterMs / 1000} seconds: requests are refused until it answers`)
    for (const each of beginnings) each()
  }

  function end(): void {
    if (isSilent) log.warn('the database answers again')
    isSilent = false
  }

  return {
    isSilent: () => isSilent,

    demandAnswers() {
      if (isSilent) throw refusal()
    },

    guard(pool) {
      const connect = pool.connect.bind(pool)
      const guarded = (callback?: Parameters<typeof connect>[0]) => {
        if (!isSilent) return callback === undefined ? connect() : connect(callback)
        if (callback === undefined) return Promise.reject(refusal())
        process.nextTick(callback, refusal(), undefined, () => undefined)
      }
      Object.assign(pool, { connect: guarded })
      const idle = new Set<pg.PoolClient>()
      pool
        .on('acquire', client => void idle.delete(client))
        .on('release', (_, client) => void idle.add(client))
        .on('remove', client => void idle.delete(client))
      // After a silence of the network these may be dead, and each would let one more request wait for its deadline.
      beginnings.push(() => {
        for (const client of idle) cut(client)
      })
    },

    async within(answer, cut) {
      let isPending = true
      // Read once more before it counts: after a pause of this process, the answer may be in the socket already.
      const timer = setTimeout(
        () =>
          setImmediate(() => {
            if (!isPending) return
            begin()
            cut()
          }),
        silentAfterMs,
      ).unref()
      try {
        const result = await answer
        end()
        answered()
        return result
      } finally {
        isPending = false
        clearTimeout(timer)
      }
    },
  }
}

/** Ends a connection without a goodbye, for which a silent server would be waited for. */
export function cut(client: pg.ClientBase): void {
  if ('connection' in client) (client as pg.Client).connection.stream.destroy()
}
