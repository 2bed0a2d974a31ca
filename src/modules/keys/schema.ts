// GraphQL for API keys, visible to the project's own keys and to administrators. A raw key is returned only once.
import { mutation, performs } from '../../kit/mutation.ts'
import { createProject } from './create-project.ts'
import { createApiKey, revokeApiKey } from './manage.ts'
import { ApiKeyType, createdApiKey, createdProject, RoleEnum } from './type.ts'

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
  description: 'Creates a project with its first PROJECT_ADMIN key.',
  takes: 'A project to create.',
  errors: ['validation_failed'],
  payload: createdProject,
})
