// The log of a process: lines of JSON on standard error, because standard output is for the operator who started it.
// Each names host, process, roles and version, and the requests that caused it.
import { hostname } from 'node:os'
import { type Logger, pino } from 'pino'
import { currentScope, traceIdOf } from '../core/scope.ts'
import { logged, watchOutages } from './outages.ts'

export type LogOptions = { level: string; roles: readonly string[]; version: string }

// Log shippers cut lines at 16 KiB.
const mostIds = 100

/** `works`: says that what an outage named works again. */
export type Log = Logger & { works(what: string): void }

export function openLog({ level, roles, version }: LogOptions): Log {
  const outages = watchOutages(() => log)
  const log = pino(
    {
      level,
      base: { hostname: hostname(), pid: process.pid, roles, version },
      mixin: causes,
      serializers: { err: errorOf },
      hooks: {
        logMethod(args, method) {
          logged.call(this, args, method, outages)
        },
      },
    },
    pino.destination(2),
  )
  return Object.assign(log, { works: outages.works })
}

function causes() {
  const scope = currentScope()
  if (scope === undefined) return {}
  const { origins, span } = scope
  const [first, ...others] = origins
  const traceId = traceIdOf(span?.traceparent ?? (others.length === 0 ? first?.traceparent : null))
  return {
    ...(first && others.length === 0 && { requestId: first.requestId }),
    ...(others.length > 0 && { requestIds: origins.slice(0, mostIds).map(({ requestId }) => requestId) }),
    ...(traceId !== null && { traceId }),
  }
}

const mostOfMessage = 2_000
const mostOfStack = 8_000

/**
 * An error as the log states it: without its other fields, in which libraries keep statements, values and requests. The
 * message comes again with the stack.
 */
function errorOf(error: unknown, depth = 3): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error.slice(0, mostOfMessage) : typeof error
  const { name, message, stack = '', cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    type: name,
    message: message.slice(0, mostOfMessage),
    ...(code !== undefined && { code }),
    stack: stack.slice(0, mostOfStack),
    ...(cause !== undefined && depth > 0 && { cause: errorOf(cause, depth - 1) }),
  }
}
