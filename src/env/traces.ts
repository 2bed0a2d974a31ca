// The settings of traces: those of OpenTelemetry, by the names of its specification.
import { z } from 'zod'
import { secret, secretUrl } from './secret.ts'
import { orNull, url } from './values.ts'

const samplers = ['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off']
const sampler = z.enum([...samplers, 'parentbased_traceidratio'])
const ratio = z.string().refine(text => Number(text) >= 0 && Number(text) <= 1, 'must be a number from 0 to 1')
const pairs = z.string().regex(/^\s*[^=,\s]+=[^,]*(,\s*[^=,\s]+=[^,]*)*$/, 'must be name=value, separated by commas')
const milliseconds = z.string().regex(/^[1-9]\d{0,6}$/, 'must be a number of milliseconds')

export const traceVariables = {
  /** Null: nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: secretUrl(orNull(url(/^https?:\/\//))),
  OTEL_EXPORTER_OTLP_HEADERS: secret(orNull(pairs)),
  OTEL_EXPORTER_OTLP_TIMEOUT: orNull(milliseconds),
  OTEL_EXPORTER_OTLP_COMPRESSION: orNull(z.enum(['gzip', 'none'])),
  OTEL_EXPORTER_OTLP_CERTIFICATE: orNull(z.string()),
  OTEL_SERVICE_NAME: orNull(z.string()),
  OTEL_RESOURCE_ATTRIBUTES: orNull(pairs),
  OTEL_TRACES_SAMPLER: orNull(sampler),
  OTEL_TRACES_SAMPLER_ARG: orNull(ratio),
}

const variables = z.object(traceVariables)

/** Returns the variables that are set; null without an endpoint. */
export function readTraces(data: z.output<typeof variables>): Record<string, string> | null {
  if (data.OTEL_EXPORTER_OTLP_ENDPOINT === null) return null
  const names = Object.keys(traceVariables) as (keyof typeof traceVariables)[]
  return Object.fromEntries(names.flatMap(name => (data[name] === null ? [] : [[name, data[name]]])))
}
