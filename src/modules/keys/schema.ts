// What GraphQL shows of API keys: to the project's own keys and administrators; never a raw key but once.
import { z } from 'zod'
import { ownProject, roles } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { ApiKey, Project } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf, inputType } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { perform } from '../../kit/verb.ts'
import { ProjectType } from '../projects/type.ts'
import { createProject, createProjectInput } from './create-project.ts'
import { createApiKey, createApiKeyInput, revokeApiKey, revokeApiKeyInput } from './manage.ts'

const RoleEnum = builder.enumType('ApiKeyRole', {
  description: 'project_admin: also keys and configuration · project: reads and writes · viewer: reads only.',
  values: roles,
})

const ApiKeyType = builder.prismaObject('ApiKey', {
  description: 'An API key, without the key itself.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    label: t.exposeString('label', { description: 'What the key is for.' }),
    role: t.expose('role', { type: RoleEnum, description: 'What it may do.' }),
    projectId: t.exposeID('projectId', { description: 'The project it belongs to.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'When it stops working.' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'When it was revoked.' }),
  }),
})

const CreatedApiKeyType = builder.objectRef<{ apiKey: ApiKey; key: string }>('CreatedApiKey').implement({
  description: 'A new key. The raw key cannot be read again.',
  fields: t => ({
    apiKey: t.expose('apiKey', { type: ApiKeyType, description: 'The record.' }),
    key: t.exposeString('key', { description: 'The raw key, for the X-API-Key header. Shown only here.' }),
  }),
})

builder.prismaObjectField('Project', 'apiKeys', t =>
  t.relation('keys', {
    authScopes: { access: 'manage' },
    query: { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] },
    description: 'Its API keys, newest first. Needs a project_admin key.',
  }),
)

const keyArguments = z.strictObject({
  projectId: uuid.nullish().describe('Of which project; every project’s for an administrator unless given.'),
})

builder.queryField('apiKeys', t =>
  t.prismaField({
    type: [ApiKeyType],
    description: 'API keys of the own project, newest first. Errors: unauthenticated, forbidden.',
    authScopes: { access: 'manage' },
    args: argumentsOf(keyArguments),
    extensions: { access: 'manage', input: keyArguments },
    resolve: (query, _, args, { db, principal }) => {
      const { projectId } = parse(keyArguments, args)
      const own = principal.kind === 'admin' ? [] : [{ projectId: ownProject(principal) }]
      const where = { AND: [...own, ...(projectId ? [{ projectId }] : [])] }
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
      'Creates a key of the own project, or of any with an administrator’s key. Errors: forbidden, not_found, validation_failed.',
    args: { input: t.arg({ type: CreateInput, required: true }) },
    extensions: { access: 'manage', input: z.object({ input: createApiKeyInput }) },
    resolve: (_, { input }, context) => perform(context, createApiKey, input),
  }),
)

builder.mutationField('revokeApiKey', t =>
  t.field({
    type: ApiKeyType,
    description: 'Revokes a key; it stops working within a second. Errors: forbidden, not_found, last_admin_key.',
    args: { input: t.arg({ type: RevokeInput, required: true }) },
    extensions: { access: 'manage', input: z.object({ input: revokeApiKeyInput }) },
    resolve: (_, { input }, context) => perform(context, revokeApiKey, input),
  }),
)

const CreateProjectInput = inputType('CreateProjectInput', 'A project to create.', createProjectInput)

const CreatedProjectType = builder
  .objectRef<{ project: Project; apiKey: ApiKey; key: string }>('CreatedProject')
  .implement({
    description: 'A new project and its first key.',
    fields: t => ({
      project: t.expose('project', { type: ProjectType, description: 'The project.' }),
      apiKey: t.expose('apiKey', { type: ApiKeyType, description: 'The record of its first key, a project_admin.' }),
      key: t.exposeString('key', { description: 'That key, for the X-API-Key header. Shown only here.' }),
    }),
  })

builder.mutationField('createProject', t =>
  t.field({
    type: CreatedProjectType,
    description:
      'Creates a project with its first project_admin key. Service administrators only. Errors: forbidden, validation_failed.',
    args: { input: t.arg({ type: CreateProjectInput, required: true }) },
    extensions: { access: 'admin', input: z.object({ input: createProjectInput }) },
    resolve: (_, { input }, context) => perform(context, createProject, input),
  }),
)
