// Agents as a connection: of the caller, and of a project.
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { mostAgents, visibleAgents } from './manage.ts'
import { AgentType } from './type.ts'

const AgentConnection = connectionType(AgentType, 'Agent', 'An agent')

const page = { cursor: 'id', maxSize: mostAgents, defaultSize: 20 } as const
const newestFirst = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]

builder.queryField('agents', t =>
  t.prismaConnection(
    {
      ...page,
      type: AgentType,
      totalCount: (_, __, { db, principal }) => db.agent.count({ where: visibleAgents(principal) }),
      description: `Agents of the caller’s project, newest first, at most ${mostAgents} a page; those of all projects for a service administrator.`,
      access: 'read',
      errors: [],
      extensions: { listSize: connectionSize(20, mostAgents) },
      resolve: (query, _, __, { db, principal }) =>
        db.agent.findMany({ ...query, where: visibleAgents(principal), orderBy: newestFirst }),
    },
    AgentConnection,
  ),
)

builder.prismaObjectField('Project', 'agents', t =>
  t.relatedConnection(
    'agents',
    {
      ...page,
      totalCount: true,
      authScopes: project => ({ project: project.id }),
      query: { where: { deletedAt: null }, orderBy: newestFirst },
      extensions: { listSize: connectionSize(20, mostAgents), cost: 1 },
      description: 'The agents of the project, newest first.',
    },
    AgentConnection,
  ),
)
