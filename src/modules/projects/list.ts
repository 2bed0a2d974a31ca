// The projects that the caller may read, as a connection and by their ids.
import { ownedBy, type Principal } from '../../core/principal.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { nodeType } from '../../kit/node.ts'
import { ProjectType } from './type.ts'

const visibleProjects = (principal: Principal): Prisma.ProjectWhereInput => {
  const { projectId } = ownedBy(principal)
  return projectId === undefined ? {} : { id: projectId }
}

nodeType('Project', {
  table: 'projects',
  access: 'read',
  read: ({ db, principal }, query) =>
    db.project.findMany({ ...query, where: { AND: [query.where, visibleProjects(principal)] } }),
})

builder.queryField('projects', t =>
  t.prismaConnection(
    {
      type: ProjectType,
      cursor: 'id',
      maxSize: 1000,
      defaultSize: 20,
      totalCount: (_, __, { db, principal }) => db.project.count({ where: visibleProjects(principal) }),
      description: 'The caller’s project; every project for a service administrator, newest first.',
      access: 'read',
      errors: [],
      // Nobody but a service administrator has more than one.
      extensions: { listSize: { ...connectionSize(20, 1000), usualMost: 20 } },
      resolve: (query, _, __, { db, principal }) =>
        db.project.findMany({
          ...query,
          where: visibleProjects(principal),
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        }),
    },
    connectionType(ProjectType, 'Project', 'A project'),
  ),
)
