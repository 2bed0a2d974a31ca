// The GraphQL queries and mutations of agents.
import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import { demand } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { Agent } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { argumentsOf, inputType } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { declarationOf, runVerb } from '../../kit/verb.ts'
import { FileType } from '../artifacts/file-type.ts'
import { anchorStatuses, anchorsOf, mostEntries, paymentsOf } from './activity.ts'
import { configureAgentAi, configureAgentAiInput } from './ai-config.ts'
import {
  anchorForAgent,
  anchorForAgentInput,
  configureAgentAnchoring,
  configureAgentAnchoringInput,
} from './anchoring.ts'
import { commandInput, runCommand } from './commands.ts'
import {
  agentById,
  createAgent,
  createAgentInput,
  deleteAgent,
  mostAgents,
  updateAgent,
  updateAgentInput,
  visibleAgents,
} from './manage.ts'
import { templateOf } from './template.ts'
import { testAi, testAiInput } from './test-ai.ts'
import {
  AgentAiModeEnum,
  AgentAnchorType,
  AgentStatsType,
  AgentStatusEnum,
  AgentType,
  AiTestType,
  AnchorStatusEnum,
  CommandAnswerType,
  DeletedAgentType,
  RequestedAnchorType,
  UnifiedActivityType,
} from './type.ts'

builder.queryField('agents', t =>
  t.prismaField({
    type: [AgentType],
    description:
      'Agents of the caller’s project, newest first; the newest 200 of all projects for a service administrator.',
    access: 'read',
    errors: [],
    extensions: { listSize: { assumedSize: mostAgents, maxSize: mostAgents } },
    resolve: (query, _, __, { db, principal }) =>
      db.agent.findMany({
        ...query,
        where: visibleAgents(principal),
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: mostAgents,
      }),
  }),
)

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

const days = z
  .int()
  .min(1)
  .max(365)
  .nullish()
  .meta({ graphql: 'Int', default: 7 })
  .describe('Number of past days in UTC, today included: 1 to 365.')
const agentId = uuid.describe('The agent’s UUID.')
const spanArguments = z.strictObject({ agentId, days })

/** Throws `not_found`. */
async function agentOf({ db, principal }: Context, id: string): Promise<Agent> {
  const agent = await db.agent.findFirst({ where: { id, ...visibleAgents(principal) } })
  if (agent === null) throw notFound('agent')
  return agent
}

const spanOf = async (context: Context, asked: z.output<typeof spanArguments>) => ({
  agent: await agentOf(context, asked.agentId),
  days: asked.days ?? 7,
})

builder.queryField('agentStats', t =>
  t.field({
    type: AgentStatsType,
    description: 'Payments to this service by an agent of the caller’s project.',
    args: argumentsOf(spanArguments),
    access: 'read',
    input: spanArguments,
    errors: ['not_found'],
    extensions: { cost: 10 },
    resolve: async (_, args, context) => {
      const span = await spanOf(context, parse(spanArguments, args))
      const { _count: paymentCount, _sum } = await context.db.payment.aggregate({
        where: paymentsOf(span, context),
        _count: true,
        _sum: { amount: true },
      })
      return { ...span, paymentCount, totalSpent: _sum.amount ?? '0' }
    },
  }),
)

const anchorArguments = z.strictObject({
  agentId,
  days,
  status: z.enum(anchorStatuses).nullish().describe('Only anchors in this status.'),
})

builder.queryField('agentAnchors', t =>
  t.field({
    type: [AgentAnchorType],
    description: `Lists the anchors of an agent of the caller’s project: of hashes that it requested, of receipts that record payments of its wallet, and those that its anchor wallet sent. Newest first, at most ${mostEntries}.`,
    args: argumentsOf(anchorArguments, { status: AnchorStatusEnum }),
    access: 'read',
    input: anchorArguments,
    errors: ['not_found'],
    extensions: { cost: 10, listSize: { assumedSize: mostEntries, maxSize: mostEntries } },
    resolve: async (_, args, context) => {
      const { status, ...asked } = parse(anchorArguments, args)
      return anchorsOf(context, await spanOf(context, asked), status ?? null)
    },
  }),
)

builder.queryField('agentActivity', t =>
  t.field({
    type: UnifiedActivityType,
    description: 'Payments and anchors of an agent of the caller’s project.',
    args: argumentsOf(spanArguments),
    access: 'read',
    input: spanArguments,
    errors: ['not_found'],
    resolve: (_, args, context) => spanOf(context, parse(spanArguments, args)),
  }),
)

builder.queryField('agentTemplate', t =>
  t.field({
    type: FileType,
    description:
      'A small agent as a starting point, in a ZIP that runs as downloaded. The ZIP contains no keys: the agent’s owner adds them.',
    args: argumentsOf(agentById),
    access: 'write',
    input: agentById,
    errors: ['not_found'],
    extensions: { cost: 20 },
    resolve: async (_, args, context) => templateOf(await agentOf(context, parse(agentById, args).id), context),
  }),
)

const CreateInput = inputType('CreateAgentInput', 'An agent to create.', createAgentInput)

builder.mutationField('createAgent', t =>
  t.prismaField({
    type: AgentType,
    description:
      'Creates an agent of the caller’s project, which may have at most 200. No other operation needs an agent.',
    args: { input: t.arg({ type: CreateInput, required: true }) },
    ...declarationOf(createAgent),
    errors: ['project_key_required', 'too_many_agents', 'validation_failed'],
    resolve: (_query, _, { input }, context) => runVerb(context, createAgent, input),
  }),
)

const UpdateInput = inputType(
  'UpdateAgentInput',
  'Changes to an agent. Members that are not given stay as they are.',
  updateAgentInput,
  {
    status: AgentStatusEnum,
  },
)

builder.mutationField('updateAgent', t =>
  t.prismaField({
    type: AgentType,
    description: 'Changes an agent of the caller’s project.',
    args: { input: t.arg({ type: UpdateInput, required: true }) },
    ...declarationOf(updateAgent),
    errors: ['not_found', 'validation_failed'],
    resolve: (_query, _, { input }, context) => runVerb(context, updateAgent, input),
  }),
)

const DeleteInput = inputType('DeleteAgentInput', 'An agent to delete.', agentById)

builder.mutationField('deleteAgent', t =>
  t.field({
    type: DeletedAgentType,
    description: 'Deletes an agent of the caller’s project; its payments and anchors stay.',
    args: { input: t.arg({ type: DeleteInput, required: true }) },
    ...declarationOf(deleteAgent),
    errors: ['not_found'],
    resolve: async (_, { input }, context) => ({ id: await runVerb(context, deleteAgent, input) }),
  }),
)

const AnchoringInput = inputType(
  'ConfigureAgentAnchoringInput',
  'Settings of automatic anchoring for an agent.',
  configureAgentAnchoringInput,
)

builder.mutationField('configureAgentAnchoring', t =>
  t.prismaField({
    type: AgentType,
    description: 'Configures automatic anchoring for an agent. The service never stores the private key of its wallet.',
    args: { input: t.arg({ type: AnchoringInput, required: true }) },
    ...declarationOf(configureAgentAnchoring),
    errors: ['not_found', 'validation_failed'],
    resolve: (_query, _, { input }, context) => runVerb(context, configureAgentAnchoring, input),
  }),
)

const AnchorInput = inputType('AnchorForAgentInput', 'A hash to anchor.', anchorForAgentInput)

builder.mutationField('anchorForAgent', t =>
  t.field({
    type: RequestedAnchorType,
    description:
      'Anchors a hash for an agent of the caller’s project, in the next transaction of the service. The same hash is anchored once. With `receiptId` the hash is that of the receipt’s bundle, and the receipt’s own anchor is returned.',
    args: { input: t.arg({ type: AnchorInput, required: true }) },
    ...declarationOf(anchorForAgent),
    errors: ['not_found', 'conflict', 'validation_failed'],
    extensions: { cost: 10 },
    resolve: (_, { input }, context) => runVerb(context, anchorForAgent, input),
  }),
)

const CommandInput = inputType('RunAgentCommandInput', 'A command for an agent.', commandInput)

builder.mutationField('runAgentCommand', t =>
  t.field({
    type: CommandAnswerType,
    description:
      'Runs one line of the command language of agents (help, list, get, verify, statement, refund) within the project of the agent. The response describes what is wrong with an invalid command.',
    args: { input: t.arg({ type: CommandInput, required: true }) },
    // The cost of the most expensive command.
    access: 'write',
    input: z.object({ input: commandInput }),
    errors: ['not_found', 'validation_failed', 'too_many_requests'],
    extensions: { cost: 50 },
    resolve: async (_, args, context) => {
      demand(context.principal, 'write')
      const { agentId, command } = parse(commandInput, args.input, ['input'])
      const agent = await agentOf(context, agentId)
      const line = command ?? 'help'
      return { agent, line, response: await runCommand(context, agent, line), timestamp: new Date() }
    },
  }),
)

const AiInput = inputType('ConfigureAgentAiInput', 'How an agent understands a sentence.', configureAgentAiInput, {
  aiMode: AgentAiModeEnum,
})

builder.mutationField('configureAgentAi', t =>
  t.prismaField({
    type: AgentType,
    description: 'Configures how an agent understands a sentence. An API key is encrypted and never shown.',
    args: { input: t.arg({ type: AiInput, required: true }) },
    ...declarationOf(configureAgentAi),
    errors: ['not_found', 'validation_failed', 'secrets_disabled'],
    resolve: async (query, _, { input }, context) => {
      const { id } = await runVerb(context, configureAgentAi, input)
      return context.db.agent.findUniqueOrThrow({ ...query, where: { id } })
    },
  }),
)

const TestAiInput = inputType('TestAgentAiInput', 'A sentence for an agent.', testAiInput)

builder.mutationField('testAgentAi', t =>
  t.field({
    type: AiTestType,
    description: 'Shows into which command an agent translates a sentence, without running the command.',
    args: { input: t.arg({ type: TestAiInput, required: true }) },
    access: 'write',
    input: z.object({ input: testAiInput }),
    errors: [
      'not_found',
      'validation_failed',
      'ai_disabled',
      'ai_unavailable',
      'ai_budget_spent',
      'secrets_disabled',
      'too_many_requests',
    ],
    extensions: { cost: 100 },
    resolve: async (_, args, context) => {
      demand(context.principal, 'write')
      const { agentId, testMessage } = parse(testAiInput, args.input, ['input'])
      return testAi(context, await agentOf(context, agentId), testMessage ?? 'list')
    },
  }),
)
