// The GraphQL mutations of agents.
import { demand } from '../../core/principal.ts'
import type { Agent } from '../../generated/prisma/client.ts'
import { restOnly } from '../../kit/enum-names.ts'
import { mutation, type Payload, performs } from '../../kit/mutation.ts'
import { parse } from '../../kit/parse.ts'
import { ModelProviderEnum } from '../assistant/provider.ts'
import { configureAgentAi } from './ai-config.ts'
import { anchorForAgent, configureAgentAnchoring } from './anchoring.ts'
import { commandInput, runCommand } from './commands.ts'
import { agentOf, createAgent, deleteAgent, updateAgent } from './manage.ts'
import { AgentAnchorStatusEnum, anchorMessages } from './rest-types.ts'
import { testAi, testAiInput } from './test-ai.ts'
import { AgentAiModeEnum, AgentStatusEnum, AgentType, ParsedCommandType } from './type.ts'

const changed: Payload<Agent> = t => ({
  agent: t.field({ type: AgentType, description: 'The agent.', resolve: agent => agent }),
})

const withNotice: Payload<Agent> = t => ({
  ...changed(t),
  notice: t.string({
    nullable: true,
    description: 'Names the pricing rules that limit nothing; null: none.',
    resolve: ({ otherRules }) =>
      otherRules === null ? null : `pricing_rules: these are kept and limit nothing: ${namesOf(Object(otherRules))}`,
  }),
})

// In a header, where only printable ASCII is safe.
const namesOf = (rules: object) =>
  Object.keys(rules)
    .map(name => name.slice(0, 40).replace(/[^\x21-\x7e]/g, '?'))
    .slice(0, 10)
    .join(', ')

mutation('createAgent', {
  ...performs(createAgent),
  description:
    'Creates an agent of the caller’s project, which may have at most 200. No other operation needs an agent.',
  takes: 'An agent to create.',
  errors: ['project_key_required', 'too_many_agents', 'validation_failed'],
  payload: withNotice,
})

mutation('updateAgent', {
  ...performs(updateAgent),
  description: 'Changes an agent of the caller’s project.',
  takes: 'Changes to an agent. Members that are not given stay as they are.',
  enums: { status: AgentStatusEnum },
  errors: ['not_found', 'validation_failed'],
  payload: withNotice,
})

mutation('deleteAgent', {
  ...performs(deleteAgent),
  description: 'Deletes an agent of the caller’s project; its payments and anchors stay.',
  takes: 'An agent to delete.',
  errors: ['not_found'],
  payload: t => ({ deletedAgentId: t.exposeID('id', { description: 'UUID of the agent.' }) }),
})

mutation('configureAgentAnchoring', {
  ...performs(configureAgentAnchoring),
  description: 'Configures automatic anchoring for an agent. The service never stores the private key of its wallet.',
  takes: 'Settings of automatic anchoring for an agent.',
  errors: ['not_found', 'validation_failed'],
  payload: changed,
})

mutation('anchorForAgent', {
  ...performs(anchorForAgent),
  description:
    'Anchors a hash for an agent of the caller’s project, in the next transaction of the service. The same hash is anchored once. With `receiptId` the hash is that of the receipt’s bundle, and the receipt’s own anchor is returned.',
  takes: 'A hash to anchor.',
  errors: ['not_found', 'conflict', 'validation_failed'],
  extensions: { cost: 10 },
  payload: t => ({
    anchor: t.prismaField({
      type: 'Anchor',
      description: 'The anchor of the hash.',
      resolve: (query, { id }, _, { db }) => db.anchor.findUniqueOrThrow({ ...query, where: { id } }),
    }),
    status: t.field({
      type: AgentAnchorStatusEnum,
      description: 'Status of the anchor.',
      extensions: restOnly,
      resolve: ({ state }) => (state === 'confirmed' ? 'confirmed' : 'pending'),
    }),
    message: t.string({
      description: 'The status as a sentence.',
      extensions: restOnly,
      resolve: ({ state, chain }) => anchorMessages[state].replace('%', chain),
    }),
  }),
})

mutation('runAgentCommand', {
  description:
    'Runs one line of the command language of agents (help, list, get, verify, statement, refund) within the project of the agent. The response describes what is wrong with an invalid command.',
  access: 'write',
  input: commandInput,
  takes: 'A command for an agent.',
  errors: ['not_found', 'validation_failed', 'too_many_requests'],
  // The cost of the most expensive command.
  extensions: { cost: 50 },
  async run(context, input) {
    demand(context.principal, 'write')
    const { agentId, command } = parse(commandInput, input, ['input'])
    const agent = await agentOf(context, agentId)
    const line = command ?? 'help'
    return { agent, line, response: await runCommand(context, agent, line), answeredAt: new Date() }
  },
  payload: t => ({
    agent: t.expose('agent', { type: AgentType, description: 'The agent.' }),
    command: t.exposeString('line', { description: 'The command.' }),
    response: t.exposeString('response', { description: 'The response, which may have several lines.' }),
    answeredAt: t.expose('answeredAt', { type: 'DateTime', description: 'When the command was answered.' }),
  }),
})

mutation('configureAgentAi', {
  ...performs(configureAgentAi),
  description: 'Configures how an agent understands a sentence. An API key is encrypted and never shown.',
  takes: 'How an agent understands a sentence.',
  enums: { aiMode: AgentAiModeEnum, aiProvider: ModelProviderEnum },
  errors: ['not_found', 'validation_failed', 'secrets_disabled'],
  payload: changed,
})

mutation('testAgentAi', {
  description: 'Shows into which command an agent translates a sentence, without running the command.',
  access: 'write',
  input: testAiInput,
  takes: 'A sentence for an agent.',
  errors: [
    'not_found',
    'validation_failed',
    'ai_disabled',
    'ai_unavailable',
    'ai_no_answer',
    'ai_budget_spent',
    'secrets_disabled',
    'too_many_requests',
  ],
  extensions: { cost: 100 },
  async run(context, input) {
    demand(context.principal, 'write')
    const { agentId, testMessage } = parse(testAiInput, input, ['input'])
    return testAi(context, await agentOf(context, agentId), testMessage ?? 'list')
  },
  payload: t => ({
    agent: t.expose('agent', { type: AgentType, description: 'The agent, whose mode says how it understands.' }),
    testMessage: t.exposeString('message', { description: 'The sentence.' }),
    command: t.expose('parsed', {
      type: ParsedCommandType,
      nullable: true,
      description: 'The command that the sentence requests; null when no command matches.',
    }),
    aiProvider: t.field({
      type: ModelProviderEnum,
      nullable: true,
      description: 'Provider of the model; null in mode simple.',
      resolve: ({ model }) => model?.provider ?? null,
    }),
    aiModel: t.string({
      nullable: true,
      description: 'Name of the model; null in mode simple.',
      resolve: ({ model }) => model?.name ?? null,
    }),
  }),
})
