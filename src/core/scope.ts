// Keeps the requests that caused the work in progress, and what the line of the present one will state. Every line of
// the log names them.
import { AsyncLocalStorage } from 'node:async_hooks'

/** `traceparent`: as in W3C Trace Context. */
export type Origin = { requestId: string; traceparent: string | null }

/** The line of a request, as far as it is known yet. */
export type RequestNotes = {
  /** A project's id, `admin` or `anonymous`. */
  project: string
  /** Name of the GraphQL operation, of the MCP tool or method. */
  operation: string | null
  /** Id of a trusted document. */
  document: string | null
  cost: number
  /** The codes of the errors in the answer. */
  codes: string[]
}

export type Attributes = Record<string, string | number | boolean | undefined>

/** As OpenTelemetry names them. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

export type Span = {
  readonly traceparent: string
  child(name: string, kind: SpanKind, attributes: Attributes): Span
  name(name: string): void
  set(attributes: Attributes): void
  /** Marks the span as failed. `what`: a code or class, no text of a caller. */
  fail(what: string): void
  end(): void
}

export type Scope = {
  /** None in periodic tasks. */
  readonly origins: readonly Origin[]
  /** Null in a job. */
  readonly request: RequestNotes | null
  /** Null where nothing is traced. */
  readonly span: Span | null
}

const scopes = new AsyncLocalStorage<Scope>()

export const currentScope = (): Scope | undefined => scopes.getStore()

export const inScope = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work)

/** Runs work in a span of its own, below that of the work in progress; without one, nothing is traced. */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const scope = scopes.getStore()
  if (!scope?.span) return work()
  return within(scope.span.child(name, kind, attributes), span => scopes.run({ ...scope, span }, work))
}

/** Ends the span with the work. */
export async function within<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await work(span)
  } catch (error) {
    span.fail(error instanceof Error && 'code' in error ? String(error.code) : 'error')
    throw error
  } finally {
    span.end()
  }
}

/** For work that outlives what began it, such as a timer that serves many requests. */
export const outOfScope = <T>(work: () => T): T => scopes.exit(work)

/** Notes the code of an error that the answer of the current request tells. */
export function noteCode(code: string): void {
  const codes = scopes.getStore()?.request?.codes
  if (codes && !codes.includes(code)) codes.push(code)
}

const traceIn = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/

/** Returns the trace id of a valid `traceparent` of version 00; otherwise null. */
export function traceIdOf(traceparent: string | null | undefined): string | null {
  const [, traceId = ''] = traceIn.exec(traceparent ?? '') ?? []
  return /[1-9a-f]/.test(traceId) && !traceparent?.includes('-0000000000000000-') ? traceId : null
}

/** The text in which an origin is stored: the request id, and after a space the `traceparent`, if there is one. */
const textOfOrigin = ({ requestId, traceparent }: Origin): string =>
  traceparent === null ? requestId : `${requestId} ${traceparent}`

/** The other way round. The text of another version is read as far as it can be. */
export function originOf(text: string): Origin {
  const [requestId = '', traceparent = null] = text.split(' ')
  return { requestId, traceparent: traceIdOf(traceparent) === null ? null : traceparent }
}

/** Returns the text of the one request that the work in progress belongs to; null for none, and for several. */
export function originNow(): string | null {
  const [first, ...others] = scopes.getStore()?.origins ?? []
  return first === undefined || others.length > 0 ? null : textOfOrigin(first)
}
