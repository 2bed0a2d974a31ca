// The GraphQL type of API keys, and the payloads that show a raw key, once, to its creator.
import type { ApiKey, Project } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { described, restOnly } from '../../kit/enum-names.ts'
import type { Payload } from '../../kit/mutation.ts'
import { Node } from '../../kit/node.ts'
import { roleTexts } from '../projects/roles.ts'
import { ProjectType } from '../projects/type.ts'

export const RoleEnum = builder.enumType('ApiKeyRole', {
  description: 'The role of an API key.',
  values: described(roleTexts),
})

export const ApiKeyType = builder.prismaObject('ApiKey', {
  interfaces: [Node],
  description: 'An API key, without the key itself.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    label: t.exposeString('label', { description: 'Purpose of the key.' }),
    role: t.expose('role', { type: RoleEnum, description: 'Role of the key.' }),
    projectId: t.exposeID('projectId', { description: 'The project it belongs to.', extensions: restOnly }),
    project: t.relation('project', { description: 'The project it belongs to.' }),
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

export const createdApiKey: Payload<ApiKey & { key: string }> = t => ({
  apiKey: t.field({ type: ApiKeyType, description: 'The record of the key.', resolve: created => created }),
  key: t.exposeString('key', { description: 'The raw key, for the X-API-Key header. Shown only here.' }),
})

export const createdProject: Payload<{ project: Project; apiKey: ApiKey; key: string }> = t => ({
  project: t.expose('project', { type: ProjectType, description: 'The project.' }),
  apiKey: t.expose('apiKey', { type: ApiKeyType, description: 'The record of its first key, a PROJECT_ADMIN.' }),
  key: t.exposeString('key', { description: 'The raw key, for the X-API-Key header. Shown only here.' }),
})
