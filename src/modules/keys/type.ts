// The GraphQL types of API keys, shared by the modules that return keys. A raw key is shown once, to its creator.
import { roles } from '../../core/principal.ts'
import type { ApiKey, Project } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { ProjectType } from '../projects/type.ts'

export const RoleEnum = builder.enumType('ApiKeyRole', {
  description: 'project_admin: also keys and configuration · project: reads and writes · viewer: reads only.',
  values: roles,
})

const RecordInterface = builder.interfaceRef<ApiKey>('ApiKeyRecord').implement({
  description: 'The record of an API key, without the key itself.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    label: t.exposeString('label', { description: 'Purpose of the key.' }),
    role: t.expose('role', { type: RoleEnum, description: 'Role of the key.' }),
    projectId: t.exposeID('projectId', { description: 'The project it belongs to.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'When it expires.' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'When it was revoked.' }),
  }),
})

export const ApiKeyType = builder.prismaObject('ApiKey', {
  description: 'An API key, without the key itself.',
  interfaces: [RecordInterface],
})

export const CreatedApiKeyType = builder.objectRef<ApiKey & { key: string }>('CreatedApiKey').implement({
  description: 'A new key. The raw key cannot be read again.',
  interfaces: [RecordInterface],
  fields: t => ({
    apiKey: t.field({ type: ApiKeyType, description: 'The record.', resolve: created => created }),
    key: t.exposeString('key', { description: 'The raw key, for the X-API-Key header. Shown only here.' }),
  }),
})

export const RevokedApiKeyType = builder.objectRef<ApiKey>('RevokedApiKey').implement({
  description: 'A revoked key.',
  interfaces: [RecordInterface],
  fields: t => ({ status: t.string({ description: '`ok`.', resolve: () => 'ok' }) }),
})

export const CreatedProjectType = builder
  .objectRef<{ project: Project; apiKey: ApiKey; key: string }>('CreatedProject')
  .implement({
    description: 'A new project and its first key.',
    fields: t => ({
      project: t.expose('project', { type: ProjectType, description: 'The project.' }),
      apiKey: t.expose('apiKey', { type: ApiKeyType, description: 'The record of its first key, a project_admin.' }),
      key: t.exposeString('key', { description: 'The raw key, for the X-API-Key header. Shown only here.' }),
    }),
  })
