// Traces over OTLP, as the environment variables of OpenTelemetry configure them. Nothing of its SDK is loaded without
// a collector.
import { hostname } from 'node:os'
import type { SpanOptions, Tracer, Span as TracerSpan } from '@opentelemetry/api'
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Span, SpanKind } from '../core/scope.ts'
import type { Tracing } from '../ports/tracing.ts'
import type { Log } from './log.ts'
import { Unavailable } from './outages.ts'

export type TraceOptions = {
  /** The variables `OTEL_…`. */
  variables: Readonly<Record<string, string>>
  roles: readonly string[]
  version: string
}

export async function openTraces(
  { variables, roles, version }: TraceOptions,
  log: Pick<Log, 'warn' | 'works'>,
): Promise<Tracing & { close(deadline: number): Promise<void> }> {
  // The exporter reads the environment, and .env is no part of it.
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value
  const [api, sdk, { OTLPTraceExporter }, { defaultResource, resourceFromAttributes, detectResources, envDetector }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const own = resourceFromAttributes({
    'service.name': 'quittance',
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
    'host.name': hostname(),
    'process.pid': process.pid,
    'quittance.roles': [...roles],
  })
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }))
  const exporter = reporting(new OTLPTraceExporter(), log)
  const provider = new sdk.TracerProvider({
    resource,
    sampler: samplerOf(sdk, api.SpanKind, variables),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('quittance', version)
  const { trace, ROOT_CONTEXT, SpanKind: kinds, SpanStatusCode } = api
  const kindOf = (kind: SpanKind) => kinds[kind.toUpperCase() as Uppercase<SpanKind>]

  const begin = (name: string, options: SpanOptions, parent: Parameters<Tracer['startSpan']>[2]): Span =>
    wrap(tracer.startSpan(name, options, parent))

  function wrap(span: TracerSpan): Span {
    const { traceId, spanId, traceFlags } = span.spanContext()
    return {
      traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
      child: (name, kind, attributes) =>
        begin(name, { kind: kindOf(kind), attributes }, trace.setSpan(ROOT_CONTEXT, span)),
      name: name => void span.updateName(name),
      set: attributes => void span.setAttributes(attributes),
      fail: what => void span.setStatus({ code: SpanStatusCode.ERROR, message: what }),
      end: () => span.end(),
    }
  }

  const contextOf = (traceparent: string) => {
    const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
    return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  }

  return {
    begin(name, kind, { causes, attributes }) {
      const [first, ...others] = causes.map(contextOf)
      const isOne = first !== undefined && others.length === 0
      const parent = isOne ? trace.setSpanContext(ROOT_CONTEXT, first) : ROOT_CONTEXT
      const links = first === undefined || isOne ? [] : [first, ...others].map(context => ({ context }))
      return begin(name, { kind: kindOf(kind), attributes, links }, parent)
    },
    async close(deadline) {
      const patience = Math.max(0, deadline - Date.now())
      const isLate = new Promise(resolve => setTimeout(resolve, patience).unref())
      // A collector that is down costs no more than this.
      await Promise.race([provider.shutdown().catch(() => undefined), isLate])
    },
  }
}

const collector = 'trace collector'

/** Tells of a collector that cannot be reached as of any other outage. */
function reporting(exporter: SpanExporter, log: Pick<Log, 'warn' | 'works'>): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, result => {
        if (result.code === 0) log.works(collector)
        else log.warn({ err: new Unavailable(collector, result.error?.message ?? '') }, 'spans are lost')
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

type Sdk = typeof import('@opentelemetry/sdk-trace')
type Kinds = typeof import('@opentelemetry/api').SpanKind

function samplerOf(
  sdk: Sdk,
  kinds: Kinds,
  { OTEL_TRACES_SAMPLER: name = 'parentbased_always_on', ...others }: Record<string, string>,
) {
  const ratio = Number(others.OTEL_TRACES_SAMPLER_ARG ?? 1)
  const [, parentBased, rule] = /^(parentbased_)?(\w+)$/.exec(name) ?? []
  const root: Sampler =
    rule === 'always_off'
      ? new sdk.AlwaysOffSampler()
      : rule === 'traceidratio'
        ? byChance(sdk, ratio)
        : new sdk.AlwaysOnSampler()
  if (!parentBased && rule !== 'traceidratio') return root
  const inherited = new sdk.ParentBasedSampler({ root })
  if (parentBased) return inherited
  // Each request is decided anew, and what follows from it as the request was.
  const shouldSample: Sampler['shouldSample'] = (context, traceId, name, kind, ...more) =>
    (kind === kinds.SERVER ? root : inherited).shouldSample(context, traceId, name, kind, ...more)
  return { shouldSample }
}

/** Not by the trace id, as in the SDK, because a caller chooses it. */
const byChance = ({ SamplingDecision: { RECORD_AND_SAMPLED, NOT_RECORD } }: Sdk, ratio: number): Sampler => ({
  shouldSample: () => ({ decision: Math.random() < ratio ? RECORD_AND_SAMPLED : NOT_RECORD }),
})
