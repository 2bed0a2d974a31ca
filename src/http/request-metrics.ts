// Counts each request once it has ended. Labels are what the program declares, never what a caller writes, except the
// names of operations, of which it keeps a limited number.
import { Counter, Histogram } from 'prom-client'
import { errorCodes } from '../core/errors.ts'
import { processMetrics, shortTimes } from '../core/process-metrics.ts'
import type { Finished } from './finished.ts'
import { operationNames } from './operation-names.ts'

const requests = new Counter({
  name: 'quittance_http_requests_total',
  help: 'Requests by route, method and class of the status; none: the client left before an answer began.',
  labelNames: ['route', 'method', 'status'],
  registers: [processMetrics],
})
const durations = new Histogram({
  name: 'quittance_http_request_duration_seconds',
  help: 'Time from the request until its answer was written. Streams and clients that left are not in it.',
  labelNames: ['route', 'method'],
  buckets: shortTimes,
  registers: [processMetrics],
})
const costs = new Counter({
  name: 'quittance_http_cost_total',
  help: 'Cost charged to the limits of callers.',
  labelNames: ['route'],
  registers: [processMetrics],
})
const errors = new Counter({
  name: 'quittance_errors_total',
  help: 'Requests whose answer has an error with this code, in GraphQL also beside data.',
  labelNames: ['code'],
  registers: [processMetrics],
})
const operations = new Counter({
  name: 'quittance_graphql_operations_total',
  help: 'Requests to GraphQL by name of the operation; error: the answer has errors.',
  labelNames: ['operation', 'outcome'],
  registers: [processMetrics],
})
const operationDurations = new Histogram({
  name: 'quittance_graphql_operation_duration_seconds',
  help: 'Time of a request to GraphQL, by name of the operation. Streams and clients that left are not in it.',
  labelNames: ['operation'],
  buckets: shortTimes,
  registers: [processMetrics],
})

// The alarm for these begins before the first.
for (const code of ['internal_error', 'database_unavailable', 'too_many_requests'] as const) errors.inc({ code }, 0)

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const names = operationNames()

export function countRequest(finished: Finished): void {
  const { status, codes, cost, durationMs, isAborted, isStream, operation } = finished
  const route = finished.route ?? 'none'
  const method = methods.has(finished.method) ? finished.method : 'other'
  const isTimed = !isAborted && !isStream
  requests.inc({ route, method, status: status === null ? 'none' : `${Math.floor(status / 100)}xx` })
  if (isTimed) durations.observe({ route, method }, durationMs / 1_000)
  if (cost > 0) costs.inc({ route }, cost)
  for (const code of codes) errors.inc({ code: code in errorCodes ? code : 'other' })
  if (!route.startsWith('/graphql')) return
  const isFailed = codes.length > 0
  const name = operation === null ? 'unnamed' : names.labelOf(operation, finished, isFailed)
  operations.inc({ operation: name, outcome: isFailed ? 'error' : 'ok' })
  if (isTimed) operationDurations.observe({ operation: name }, durationMs / 1_000)
}
