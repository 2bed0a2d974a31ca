// The history of the organisation's configuration.
import { builder } from '../../kit/builder.ts'
import { historyCost, historyOf, VersionConnection, VersionType } from '../../kit/history.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { organisationConfig, plainOrganisation } from './organisation.ts'

builder.queryField('organisationHistory', t =>
  t.connection(
    {
      type: VersionType,
      description:
        'The versions of the organisation’s configuration, newest first, as a Relay connection of at most 50 a page.',
      access: 'admin',
      errors: ['validation_failed'],
      extensions: historyCost,
      resolve: (_, args, { pool }) =>
        historyOf(
          sqlOf(pool),
          {
            table: 'organisation_configs',
            config: 'c.config',
            // All rows: there is one organisation, and $1 is null.
            where: '$1::text is null',
            shown: stored => (stored === null ? plainOrganisation : organisationConfig.parse(stored)),
          },
          null,
          args,
        ),
    },
    VersionConnection,
  ),
)
