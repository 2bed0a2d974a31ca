// GraphQL: the health of the service and its dependencies, and the URLs of receipt pages.
import { z } from 'zod'
import { uuid } from '../../core/text.ts'
import { oneOf } from '../../kit/answers.ts'
import { builder } from '../../kit/builder.ts'
import { described, textInRest } from '../../kit/enum-names.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
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

const receiptPageArguments = z.strictObject({ id: uuid.describe('The receipt’s UUID.') })

builder.queryField('receiptPageUrl', t =>
  t.field({
    type: 'URL',
    description: 'URL of the web page of a receipt.',
    args: argumentsOf(receiptPageArguments),
    access: 'public',
    input: receiptPageArguments,
    errors: [],
    resolve: (_, args, { publicBaseUrl }) =>
      `${publicBaseUrl}/ui/receipt.html?rid=${parse(receiptPageArguments, args).id}`,
  }),
)

const embedArguments = z.strictObject({
  id: uuid.nullish().describe('The receipt’s UUID.'),
  theme: z.enum(['light', 'dark']).nullish().describe('LIGHT or DARK; the reader’s own setting unless given.'),
})

const ThemeEnum = builder.enumType('Theme', {
  description: 'Theme of a page.',
  values: described({ light: 'Dark text on a light page.', dark: 'Light text on a dark page.' }),
})

builder.queryField('embedPageUrl', t =>
  t.field({
    type: 'URL',
    description: 'URL of an embeddable receipt page; of the landing page unless a receipt is given.',
    args: argumentsOf(embedArguments, { theme: ThemeEnum }),
    access: 'public',
    input: embedArguments,
    errors: [],
    resolve: (_, args, { publicBaseUrl }) => {
      const { id, theme } = parse(embedArguments, args)
      if (!id) return `${publicBaseUrl}/`
      return `${publicBaseUrl}/ui/embed.html?rid=${id}${theme ? `&theme=${theme}` : ''}`
    },
  }),
)
