// What GraphQL shows of projects, and of the caller.
import { demand, type Principal } from '../../core/principal.ts'
import { builder } from '../../kit/builder.ts'
import { ProjectType } from './type.ts'

builder.queryField('projects', t =>
  t.prismaField({
    type: [ProjectType],
    description: 'The own project; every project for a service administrator. Errors: unauthenticated.',
    authScopes: { access: 'read' },
    extensions: { access: 'read' },
    resolve: (query, _, __, { db, principal }) => {
      const own = principal.kind === 'key' ? { id: principal.projectId } : {}
      return db.project.findMany({ ...query, where: own, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: 1000 })
    },
  }),
)

const ViewerType = builder.objectRef<Exclude<Principal, { kind: 'public' }>>('Viewer').implement({
  description: 'Who calls.',
  fields: t => ({
    role: t.string({
      description: 'admin, project_admin, project or viewer.',
      resolve: principal => (principal.kind === 'admin' ? 'admin' : principal.role),
    }),
    projectId: t.id({
      nullable: true,
      description: 'The caller’s project; null for a service administrator.',
      resolve: principal => (principal.kind === 'admin' ? null : principal.projectId),
    }),
    isAdmin: t.boolean({
      description: 'Whether this is a service administrator.',
      resolve: ({ kind }) => kind === 'admin',
    }),
  }),
})

builder.queryField('me', t =>
  t.field({
    type: ViewerType,
    description: 'Who calls. Errors: unauthenticated.',
    extensions: { access: 'read' },
    resolve: (_, __, { principal }) => {
      demand(principal, 'read')
      if (principal.kind === 'public') throw new Error('a public caller has read access')
      return principal
    },
  }),
)
