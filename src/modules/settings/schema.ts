// GraphQL: reads and replaces the organisation's configuration.
import { builder } from '../../kit/builder.ts'
import { inputType, objectType } from '../../kit/input.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { declarationOf, runVerb } from '../../kit/verb.ts'
import { configureOrganisation } from './configure.ts'
import { organisationInput } from './organisation.ts'
import { presentOrganisation } from './read.ts'

const OrganisationType = objectType(
  'Organisation',
  'The organisation’s identity in messages, and which messages are generated.',
  organisationInput,
)
const OrganisationInput = inputType(
  'OrganisationInput',
  'The whole configuration; a member that is not given gets its default.',
  organisationInput,
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

builder.mutationField('configureOrganisation', t =>
  t.field({
    type: OrganisationType,
    description: 'Replaces the configuration, for receipts recorded from now on. Service administrators only.',
    args: { input: t.arg({ type: OrganisationInput, required: true }) },
    ...declarationOf(configureOrganisation),
    errors: ['validation_failed'],
    resolve: (_, { input }, context) => runVerb(context, configureOrganisation, input),
  }),
)
