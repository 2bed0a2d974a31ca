// The versions of a configuration as a Relay connection: the actor, time and changes of each.
import { resolveCursorConnection } from '@pothos/plugin-relay'
import { z } from 'zod'
import { type Differences, differences } from '../core/differences.ts'
import { ActorType } from './actor.ts'
import { builder } from './builder.ts'
import { connectionType } from './connection-type.ts'
import { connectionSize } from './field-cost.ts'
import { parse } from './parse.ts'
import type { Sql } from './transaction.ts'

type ConfigVersion = { version: number; createdAt: Date; actor: string | null; differences(): Differences }

// Limits the changes of one version, so that a page stays below a megabyte.
const mostCharacters = 16_384
const [usualSize, maxSize] = [10, 50]
// Reads two configurations, of at most 2,500 values each, and parses both again to compare them.
const comparingCost = { cost: 8 }

const ChangeType = builder.objectRef<Differences['changes'][number]>('ConfigChange').implement({
  description: 'One member of a configuration that changed.',
  fields: t => ({
    path: t.exposeString('path', {
      description: 'JSON pointer to the member, for instance `/mapping/assets/0/label`.',
    }),
    before: t.exposeString('before', {
      nullable: true,
      description: 'The old value, as JSON. Absent when the member did not exist.',
    }),
    after: t.exposeString('after', { nullable: true, description: 'The new value, as JSON. Absent when removed.' }),
  }),
})

export const VersionType = builder.objectRef<ConfigVersion>('ConfigVersion').implement({
  description: 'One version of a configuration.',
  fields: t => ({
    version: t.exposeInt('version', { description: 'Version number; later versions have higher numbers, with gaps.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the version took effect.' }),
    actor: t.field({
      type: ActorType,
      nullable: true,
      description: 'The actor that set it; null where that is not known.',
      resolve: ({ actor }) => (actor === null ? null : { name: actor }),
    }),
    changes: t.field({
      type: [ChangeType],
      extensions: { ...comparingCost, listSize: { assumedSize: 5 } },
      description:
        'Differences from the previous version; for the first version, from the defaults. At most 16,384 characters.',
      resolve: version => version.differences().changes,
    }),
    omittedChanges: t.int({
      extensions: comparingCost,
      description: 'Number of changes that `changes` omits.',
      resolve: version => version.differences().omitted,
    }),
  }),
})

export const VersionConnection = connectionType(VersionType, 'ConfigVersion', 'A version')

export const historyCost = { cost: 40, listSize: connectionSize(usualSize, maxSize) }

const cursor = z
  .string()
  .regex(/^\d{1,9}$/, 'Not a cursor of this list.')
  .transform(Number)
  .nullish()
const cursors = z.object({ before: cursor, after: cursor })

type Source = {
  /** The table, whose rows have `version`, `created_at` and `actor`. */
  table: 'organisation_configs' | 'project_configs'
  /** SQL expression of the configuration to compare, in a row `c`. */
  config: string
  /** SQL condition that selects the rows `c`, with the parameter $1. */
  where: string
  /** Returns the shown form of a value of `config`, which is null before the first version. */
  shown(stored: unknown): object
}

type Arguments = Parameters<typeof resolveCursorConnection>[0]['args']
type Row = Omit<ConfigVersion, 'differences'> & { config: unknown; earlier: unknown }

/** Returns the versions, newest first. `of` is the value of $1. */
export async function historyOf(sql: Sql, source: Source, of: string | null, args: Arguments) {
  const { table, config, where, shown } = source
  const page = await resolveCursorConnection<Promise<ConfigVersion[]>>(
    { args, defaultSize: usualSize, maxSize, toCursor: ({ version }) => String(version) },
    async ({ limit, inverted }) => {
      const { before, after } = parse(cursors, args)
      const rows = await sql<Row>(
        `select c.version, c.created_at as "createdAt", c.actor, ${config} as config, (
           select ${config} from ${table} c where ${where} and c.version < page.version order by c.version desc limit 1
         ) as earlier
         from (
           select c.version from ${table} c where ${where} and c.version < coalesce($2::int, 2147483647)
             and c.version > coalesce($3::int, 0) order by c.version ${inverted ? 'asc' : 'desc'} limit $4
         ) as page join ${table} c using (version) order by c.version ${inverted ? 'asc' : 'desc'}`,
        [of, after ?? null, before ?? null, limit],
      )
      return rows.map(({ config: now, earlier, ...version }) => ({
        ...version,
        differences: () => differences(shown(earlier), shown(now), mostCharacters),
      }))
    },
  )
  const totalCount = async () => {
    const [row] = await sql<{ count: number }>(`select count(*)::int as count from ${table} c where ${where}`, [of])
    return row?.count ?? 0
  }
  return { ...page, totalCount }
}
