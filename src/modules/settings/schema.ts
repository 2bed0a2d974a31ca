// GraphQL: reads and replaces the organisation's configuration.
import { builder } from '../../kit/builder.ts'
import { objectType } from '../../kit/input.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { withoutWallets } from '../projects/party.ts'
import { configureOrganisation } from './configure.ts'
import { configureSettlement } from './configure-settlement.ts'
import { organisationConfig } from './organisation.ts'
import { presentOrganisation } from './read.ts'

const OrganisationType = objectType(
  'Organisation',
  'The organisation’s identity in messages, and which messages are generated.',
  organisationConfig,
)

builder.queryField('organisation', t =>
  t.field({
    type: OrganisationType,
    description: 'The configuration in force, with its defaults.',
    access: 'read',
    errors: [],
    resolve: (_parent, _args, context) => presentOrganisation(context, sqlOf(context.pool)),
  }),
)

mutation('configureOrganisation', {
  ...performs(configureOrganisation),
  description: 'Replaces the configuration, for receipts recorded from now on.',
  takes: 'The whole configuration; a member that is not given gets its default.',
  errors: ['validation_failed'],
  payload: t => ({
    organisation: t.field({
      type: OrganisationType,
      description: 'The configuration from now on, with its defaults.',
      resolve: organisation => organisation,
    }),
    notice: t.string({
      nullable: true,
      description: 'Names the parties of the configuration that no message names, because they have no wallet.',
      resolve: ({ mapping: { debtorDefaults, creditorDefaults } }) =>
        withoutWallets({ debtorDefaults, creditorDefaults }),
    }),
  }),
})

mutation('configureSettlement', {
  ...performs(configureSettlement),
  description: 'Replaces how payments are checked on their own chains, for receipts recorded from now on.',
  takes: 'How payments are checked; a member that is not given gets its default.',
  errors: ['validation_failed'],
  payload: t => ({
    organisation: t.field({
      type: OrganisationType,
      description: 'The configuration from now on, with its defaults.',
      resolve: organisation => organisation,
    }),
  }),
})
