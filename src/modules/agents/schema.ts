import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { FileType } from '../artifacts/file-type.ts'
import { agentById, agentOf, visibleAgents } from './manage.ts'
import { templateOf } from './template.ts'
import { AgentType } from './type.ts'

nodeType('Agent', {
  table: 'agents',
  access: 'read',
  read: ({ db, principal }, query) =>
    db.agent.findMany({ ...query, where: { ...query.where, ...visibleAgents(principal) } }),
})

builder.queryField('agent', t =>
  t.prismaField({
    type: AgentType,
    nullable: true,
    description: 'One agent of the caller’s project; null when there is none.',
    args: argumentsOf(agentById),
    access: 'read',
    input: agentById,
    errors: [],
    resolve: (query, _, args, { db, principal }) =>
      db.agent.findFirst({ ...query, where: { ...parse(agentById, args), ...visibleAgents(principal) } }),
  }),
)

builder.queryField('agentTemplate', t =>
  t.field({
    type: FileType,
    description:
      'A small agent as a starting point, in a ZIP that runs as downloaded. The ZIP contains no keys: the agent’s owner adds them.',
    args: argumentsOf(agentById),
    access: 'read',
    input: agentById,
    errors: ['not_found'],
    extensions: { cost: 20 },
    resolve: async (_, args, context) => templateOf(await agentOf(context, parse(agentById, args).id), context),
  }),
)
