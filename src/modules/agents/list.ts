// Agents as a connection: of the caller, and of a project.
import { z } from 'zod'
import { onlyOf, type Principal } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { mostAgents, visibleAgents } from './manage.ts'
import { AgentType } from './type.ts'

const AgentConnection = connectionType(AgentType, 'Agent', 'An agent')

const page = { cursor: 'id', maxSize: mostAgents, defaultSize: 20 } as const
const newestFirst = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]

const agentFilter = z
  .strictObject({ projectId: uuid.nullish().describe('Agents of this project.') })
  .meta({ graphql: 'AgentFilter', description: 'Selects agents that meet all the given conditions.' })
const listArguments = z.object({ filter: agentFilter.nullish().describe('Which agents; all unless given.') })

const listed = (principal: Principal, args: object): Prisma.AgentWhereInput => ({
  AND: [visibleAgents(principal), onlyOf(parse(listArguments, args).filter)],
})

builder.queryField('agents', t =>
  t.prismaConnection(
    {
      ...page,
      type: AgentType,
      totalCount: (_, args, { db, principal }) => db.agent.count({ where: listed(principal, args) }),
      description: `Agents of the caller’s project, newest first, at most ${mostAgents} a page; those of all projects for a service administrator.`,
      args: argumentsOf(listArguments),
      access: 'read',
      input: listArguments,
      errors: [],
      extensions: { listSize: connectionSize(20, mostAgents) },
      resolve: (query, _, args, { db, principal }) =>
        db.agent.findMany({ ...query, where: listed(principal, args), orderBy: newestFirst }),
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
