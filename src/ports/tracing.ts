// The port of traces.
import type { Attributes, Span, SpanKind } from '../core/scope.ts'

/** `causes`: the `traceparent` of each span that led to this one. One is its parent, several are linked. */
type Beginning = { causes: readonly string[]; attributes: Attributes }

export type Tracing = {
  begin(name: string, kind: SpanKind, beginning: Beginning): Span
}
