// GraphQL: the health of the service and its dependencies.
import { oneOf } from '../../kit/answers.ts'
import { builder } from '../../kit/builder.ts'
import { described, textInRest } from '../../kit/enum-names.ts'
import { type Health, type Part, readHealth } from './read.ts'

const PartType = builder.objectRef<Part>('DependencyHealth').implement({
  description: 'A dependency of the service.',
  fields: t => ({
    ok: t.exposeBoolean('ok', { description: 'Whether the dependency answers.' }),
    detail: t.exposeString('detail', { description: 'One word or short sentence, no internals.' }),
  }),
})

const PartsType = builder.objectRef<Health['deps']>('Dependencies').implement({
  description: 'The dependencies of the service.',
  fields: t => ({
    db: t.expose('db', { type: PartType, description: 'The database.' }),
    chain: t.expose('chain', { type: PartType, description: 'The anchoring chain.' }),
    worker: t.expose('worker', { type: PartType, description: 'The background worker, in any process.' }),
  }),
})

const StatusEnum = builder.enumType('HealthStatus', {
  description: 'Whether the service works.',
  extensions: textInRest,
  values: described<string>({ ok: 'Every dependency works.', degraded: 'A dependency does not work.' }),
})

const HealthType = builder.objectRef<Health>('Health').implement({
  description: 'The state of the service.',
  fields: t => ({
    status: t.expose('status', {
      type: StatusEnum,
      description: '`OK`, or `DEGRADED` when a dependency does not work.',
      extensions: { answer: oneOf('ok', 'degraded') },
    }),
    version: t.exposeString('version', { description: 'Version of the service.' }),
    ts: t.expose('ts', { type: 'DateTime', description: 'The service’s clock.' }),
    deps: t.expose('deps', { type: PartsType, description: 'The dependencies of the service.' }),
  }),
})

builder.queryField('health', t =>
  t.field({
    type: HealthType,
    description: 'The state of the service and its dependencies.',
    access: 'public',
    errors: [],
    resolve: (_, __, context) => readHealth(context),
  }),
)
