// GraphQL for API keys, visible to the project's own keys and to administrators. A raw key is returned only once.
import { z } from 'zod'
import { ownedBy } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { createProject } from './create-project.ts'
import { createApiKey, revokeApiKey } from './manage.ts'
import { ApiKeyType, createdApiKey, createdProject, RoleEnum } from './type.ts'

nodeType('ApiKey', {
  table: 'api_keys',
  access: 'manage',
  read: ({ db, principal }, asked) =>
    db.apiKey.findMany({ ...asked, where: { ...asked.where, ...ownedBy(principal) } }),
})

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

mutation('createApiKey', {
  ...performs(createApiKey),
  description:
    'Creates a key of the caller’s project, or of any project with an administrator’s key. A project has at most 100 live keys.',
  takes: 'A key to create.',
  enums: { role: RoleEnum },
  errors: ['not_found', 'too_many_keys', 'validation_failed'],
  payload: createdApiKey,
})

mutation('revokeApiKey', {
  ...performs(revokeApiKey),
  description: 'Revokes a key; it stops working within a second.',
  takes: 'A key to revoke.',
  errors: ['not_found', 'last_admin_key'],
  payload: t => ({
    apiKey: t.field({ type: ApiKeyType, description: 'The revoked key.', resolve: apiKey => apiKey }),
  }),
})

mutation('createProject', {
  ...performs(createProject),
  description: 'Creates a project with its first project_admin key. Service administrators only.',
  takes: 'A project to create.',
  errors: ['validation_failed'],
  payload: createdProject,
})
