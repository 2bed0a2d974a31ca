// GraphQL for API keys, visible to the project's own keys and to administrators. A raw key is returned only once.
import { z } from 'zod'
import { ownedBy } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf, inputType } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { declarationOf, runVerb } from '../../kit/verb.ts'
import { createProject, createProjectInput } from './create-project.ts'
import { createApiKey, createApiKeyInput, revokeApiKey, revokeApiKeyInput } from './manage.ts'
import { ApiKeyType, CreatedApiKeyType, CreatedProjectType, RevokedApiKeyType, RoleEnum } from './type.ts'

builder.prismaObjectField('Project', 'apiKeys', t =>
  t.relation('keys', {
    authScopes: { access: 'manage' },
    query: { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] },
    description: 'The project’s API keys, newest first. Needs a project_admin key.',
  }),
)

const keyArguments = z.strictObject({
  projectId: uuid.nullish().describe('The project; every project for an administrator unless given.'),
})

builder.queryField('apiKeys', t =>
  t.prismaField({
    type: [ApiKeyType],
    description: 'API keys of the caller’s project, newest first.',
    args: argumentsOf(keyArguments),
    access: 'manage',
    input: keyArguments,
    errors: [],
    resolve: (query, _, args, { db, principal }) => {
      const { projectId } = parse(keyArguments, args)
      const where = { AND: [ownedBy(principal), ...(projectId ? [{ projectId }] : [])] }
      return db.apiKey.findMany({ ...query, where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: 1000 })
    },
  }),
)

const CreateInput = inputType('CreateApiKeyInput', 'A key to create.', createApiKeyInput, { role: RoleEnum })
const RevokeInput = inputType('RevokeApiKeyInput', 'A key to revoke.', revokeApiKeyInput)

builder.mutationField('createApiKey', t =>
  t.field({
    type: CreatedApiKeyType,
    description:
      'Creates a key of the caller’s project, or of any project with an administrator’s key. A project has at most 100 live keys. `forbidden` for a session.',
    args: { input: t.arg({ type: CreateInput, required: true }) },
    ...declarationOf(createApiKey),
    errors: ['not_found', 'too_many_keys', 'validation_failed'],
    resolve: (_, { input }, context) => runVerb(context, createApiKey, input),
  }),
)

builder.mutationField('revokeApiKey', t =>
  t.field({
    type: RevokedApiKeyType,
    description: 'Revokes a key; it stops working within a second.',
    args: { input: t.arg({ type: RevokeInput, required: true }) },
    ...declarationOf(revokeApiKey),
    errors: ['not_found', 'last_admin_key'],
    resolve: (_, { input }, context) => runVerb(context, revokeApiKey, input),
  }),
)

const CreateProjectInput = inputType('CreateProjectInput', 'A project to create.', createProjectInput)

builder.mutationField('createProject', t =>
  t.field({
    type: CreatedProjectType,
    description: 'Creates a project with its first project_admin key. Service administrators only.',
    args: { input: t.arg({ type: CreateProjectInput, required: true }) },
    ...declarationOf(createProject),
    errors: ['validation_failed'],
    resolve: (_, { input }, context) => runVerb(context, createProject, input),
  }),
)
