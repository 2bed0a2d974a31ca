// The caller: its role and its project.
import { demand, type Principal } from '../../core/principal.ts'
import { builder } from '../../kit/builder.ts'
import { described, restOnly, textInRest } from '../../kit/enum-names.ts'
import { roleTexts } from './roles.ts'
import { ProjectType } from './type.ts'

const ViewerRoleEnum = builder.enumType('ViewerRole', {
  description: 'The role of a caller.',
  extensions: textInRest,
  values: described({ ...roleTexts, admin: 'An administrator of the service.' }),
})

const ViewerType = builder.objectRef<Exclude<Principal, { kind: 'public' | 'payer' }>>('Viewer').implement({
  description: 'The caller.',
  fields: t => ({
    role: t.field({
      type: ViewerRoleEnum,
      description: 'Role of the caller.',
      resolve: principal => (principal.kind === 'admin' ? 'admin' : principal.role),
    }),
    project: t.prismaField({
      type: ProjectType,
      nullable: true,
      description: 'The caller’s project itself; null for a service administrator.',
      resolve: (query, principal, _, { db }) =>
        principal.kind === 'admin' ? null : db.project.findUnique({ ...query, where: { id: principal.projectId } }),
    }),
    projectId: t.id({
      nullable: true,
      description: 'The caller’s project; null for a service administrator.',
      extensions: restOnly,
      resolve: principal => (principal.kind === 'admin' ? null : principal.projectId),
    }),
    isAdmin: t.boolean({
      description: 'Whether the caller is a service administrator.',
      resolve: ({ kind }) => kind === 'admin',
    }),
  }),
})

builder.queryField('me', t =>
  t.field({
    type: ViewerType,
    description: 'The caller.',
    access: 'read',
    errors: [],
    extensions: { inMemory: true },
    resolve: (_, __, { principal }) => {
      demand(principal, 'read')
      if (principal.kind === 'public' || principal.kind === 'payer') throw new Error('it has read access without a key')
      return principal
    },
  }),
)
