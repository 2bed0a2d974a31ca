// An outage is one line a minute, however many errors it causes: of what is unavailable, the first error is logged, and
// the others are counted.
import type { LogFn, Logger } from 'pino'
import { z } from 'zod'
import { AppError, type ErrorCode } from '../core/errors.ts'
import { outOfScope } from '../core/scope.ts'

const lineEveryMs = 60_000

/** The errors that say what cannot be reached, and its name. */
const unavailable: Partial<Record<ErrorCode, string>> = {
  database_unavailable: 'database',
  chain_unavailable: 'chain',
  file_store_unavailable: 'object store',
  cid_store_unavailable: 'content store',
  compliance_unavailable: 'compliance provider',
  fx_unavailable: 'rates',
  ai_unavailable: 'model',
}

// Connections that are lost or refused, a server that starts or stops, one that has no more connections, and one that
// is a standby (PostgreSQL); a node, a name or a network that does not answer (Node.js); no connection to the database,
// none in time, and a connection that was closed (Prisma).
const unreachable =
  /^(08...|57P0\d|53300|25006|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|P1001|P1002|P1008|P1017|P2024|P2028)$/
// The errors of `pg` and of its pool have no code.
const ofPool =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|DatabaseNotReachable|ConnectionClosed|SocketTimeout)/

const shape = z.object({
  code: z.string().optional().catch(undefined),
  message: z.string().catch(''),
  cause: z.unknown().optional(),
  originalError: z.unknown().optional(),
})

/** Returns the name of what is unavailable, if the error says so. */
export function outageIn(error: unknown, depth = 4): string | null {
  if (error instanceof Unavailable) return error.what
  if (error instanceof AppError) {
    const { cause } = error
    if (cause instanceof Unavailable) return cause.what
    // The cause in an error of an adapter may be that of any service.
    return unavailable[error.code] ?? (cause instanceof AppError && depth > 0 ? outageIn(cause, depth - 1) : null)
  }
  const { success, data } = shape.safeParse(error)
  if (!success) return null
  const { code, message, cause, originalError } = data
  // Adapters of other services wrap their errors, so what comes without a name is of the database.
  if (unreachable.test(code ?? '') || ofPool.test(message)) return 'database'
  return depth === 0 ? null : (outageIn(cause, depth - 1) ?? outageIn(originalError, depth - 1))
}

/** An error of what is unavailable, which it names. */
export class Unavailable extends Error {
  readonly what: string

  constructor(what: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.what = what
  }
}

type Outage = { since: number; failures: number; sinceLine: number; isTold: boolean; timer: NodeJS.Timeout }

export type Outages = {
  /** Counts an error; true if it gets a line of its own. */
  isFirst(what: string): boolean
  /** Says that this works again. */
  works(what: string): void
}

export function watchOutages(log: () => Pick<Logger, 'warn' | 'error'>): Outages {
  const open = new Map<string, Outage>()
  const toldAt = new Map<string, number>()

  function close(outage: string, { since, failures, isTold, timer }: Outage): void {
    clearInterval(timer)
    open.delete(outage)
    if (!isTold) return
    toldAt.set(outage, performance.now())
    log().warn({ outage, failures, lastedMs: Math.round(performance.now() - since) }, 'an outage is over')
  }

  function tell(outage: string, it: Outage): void {
    // Nothing says of some things that they work again.
    if (it.sinceLine === 0) return void close(outage, it)
    const { since, failures, sinceLine } = it
    const lastsMs = Math.round(performance.now() - since)
    Object.assign(it, { sinceLine: 0, isTold: true })
    log().error({ outage, failures, sinceLine, lastsMs }, 'an outage goes on')
  }

  return {
    isFirst(what) {
      const known = open.get(what)
      if (known !== undefined) {
        known.failures++
        known.sinceLine++
        return false
      }
      const now = performance.now()
      const isTold = now - (toldAt.get(what) ?? Number.NEGATIVE_INFINITY) >= lineEveryMs
      if (isTold) toldAt.set(what, now)
      const it: Outage = {
        since: now,
        failures: 1,
        sinceLine: isTold ? 0 : 1,
        isTold,
        timer: outOfScope(() => setInterval(() => tell(what, it), lineEveryMs).unref()),
      }
      open.set(what, it)
      return isTold
    },
    works(what) {
      const known = open.get(what)
      if (known) close(what, known)
    },
  }
}

/** Passes a line on to `method`, unless it is that of an error which only counts. */
export function logged(this: Logger, args: Parameters<LogFn>, method: LogFn, outages: Outages): void {
  const [details] = args as [unknown]
  const outage = typeof details === 'object' && details !== null && 'err' in details ? outageIn(details.err) : null
  if (outage === null) method.apply(this, args)
  else if (outages.isFirst(outage)) method.apply(this, [{ ...(details as object), outage }, ...args.slice(1)] as never)
}
