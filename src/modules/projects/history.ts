// The history of a project's configuration.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { builder } from '../../kit/builder.ts'
import { historyCost, historyOf, VersionConnection, VersionType } from '../../kit/history.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { configOf } from './config.ts'

const stored = z.object({ config: z.unknown(), isHouse: z.boolean() })

/**
 * Keeps the origin of a node URL, and a hash that shows changes: such URLs often contain a secret, which cannot be
 * removed from a history later.
 */
const withoutPath = (url: string): string =>
  `${new URL(url).origin}/… (SHA-256 ${createHash('sha256').update(url).digest('hex').slice(0, 8)})`

function shown(row: unknown): object {
  const { isHouse, ...version } = row === null ? { config: null, isHouse: false } : stored.parse(row)
  const { anchoring, ...config } = configOf(row === null ? null : { config: version.config })
  const chains = anchoring.chains.map(chain => ({
    ...chain,
    rpcUrl: chain.rpcUrl === null ? null : withoutPath(chain.rpcUrl),
  }))
  return { ...config, anchoring: { ...anchoring, chains }, isHouse }
}

builder.prismaObjectField('Project', 'configHistory', t =>
  t.connection(
    {
      type: VersionType,
      description:
        'The versions of the project’s configuration, newest first, as a Relay connection of at most 50 a page.',
      authScopes: project => ({ $all: { access: 'manage', project: project.id } }),
      extensions: historyCost,
      resolve: ({ id }, args, { pool }) =>
        historyOf(
          sqlOf(pool),
          {
            table: 'project_configs',
            config: `jsonb_build_object('config', c.config, 'isHouse', c.is_house)`,
            where: 'c.project_id = $1::uuid',
            shown,
          },
          id,
          args,
        ),
    },
    VersionConnection,
  ),
)
