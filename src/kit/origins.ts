// The requests that caused what the worker does, and the lines that name them.
import { isSampled } from '../core/sampling.ts'
import {
  type Attributes,
  currentScope,
  inScope,
  type Origin,
  originOf,
  type Span,
  type SpanKind,
  within,
} from '../core/scope.ts'
import type { App } from './context.ts'

type Texts = readonly { origin: string }[]

/** Returns each origin once. */
const distinct = (texts: Texts): Origin[] => [...new Set(texts.map(({ origin }) => origin))].map(originOf)

/** Returns the requests that recorded these receipts. */
export async function originsOfReceipts({ pool }: Pick<App, 'pool'>, ids: readonly string[]): Promise<Origin[]> {
  const { rows } = await pool.query<{ origin: string }>({
    name: 'origins-of-receipts',
    text: 'select distinct origin from receipts where id = any($1::uuid[]) and origin is not null',
    values: [ids],
  })
  return distinct(rows)
}

/** Returns the requests that recorded the receipts of these anchors. */
export async function originsOfAnchors({ pool }: Pick<App, 'pool'>, ids: readonly string[]): Promise<Origin[]> {
  const { rows } = await pool.query<{ origin: string }>({
    name: 'origins-of-anchors',
    text: `select distinct r.origin from anchors a join receipts r on r.id = a.receipt_id
      where a.id = any($1::uuid[]) and r.origin is not null`,
    values: [ids],
  })
  return distinct(rows)
}

/** Returns the requests that recorded the receipts of this anchor transaction. */
export async function originsOfTransaction({ pool }: Pick<App, 'pool'>, id: string): Promise<Origin[]> {
  const { rows } = await pool.query<{ origin: string }>({
    name: 'origins-of-transaction',
    text: `select distinct r.origin from anchors a join receipts r on r.id = a.receipt_id
      where a.transaction_id = $1::uuid and r.origin is not null`,
    values: [id],
  })
  return distinct(rows)
}

type Caused = {
  /** Name of the span. */
  name: string
  kind: SpanKind
  origins: readonly Origin[]
  attributes?: Attributes
}

/** Runs work that these requests caused, beside those that caused the work in progress, in a span of its own. */
export function causedBy<T>(
  { tracing }: Pick<App, 'tracing'>,
  { name, kind, origins, attributes = {} }: Caused,
  work: () => Promise<T>,
): Promise<T> {
  const scope = currentScope()
  const own = scope?.origins ?? []
  // A job may name a request that its receipts name too.
  const all = [...new Map([...own, ...origins].map(one => [one.requestId, one])).values()]
  const run = (span: Span | null) => inScope({ origins: all, request: null, span }, work)
  if (tracing === null) return run(null)
  if (scope?.span && all.length === own.length) return within(scope.span.child(name, kind, attributes), run)
  const causes = all.flatMap(({ traceparent }) => traceparent ?? []).slice(0, mostLinks)
  return within(tracing.begin(name, kind, { causes, attributes }), run)
}

// As many as OpenTelemetry keeps of one span.
const mostLinks = 128

// As many as a line names.
const perLine = 100

/** Writes a line for the sampled ones of the requests that caused the work in progress; for many, several lines. */
export function tell({ log, requestShare }: Pick<App, 'log' | 'requestShare'>, details: object, message: string): void {
  const { origins: all = [], span = null } = currentScope() ?? {}
  const origins = all.filter(({ requestId }) => isSampled(requestId, requestShare))
  for (let from = 0; from < origins.length; from += perLine)
    inScope({ origins: origins.slice(from, from + perLine), request: null, span }, () => log.info(details, message))
}
