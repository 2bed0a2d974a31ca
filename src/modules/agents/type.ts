// The GraphQL types of agents.
import { plainAmount } from '../../core/amount.ts'
import type { Agent } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { described, restOnly } from '../../kit/enum-names.ts'
import { longText } from '../../kit/field-cost.ts'
import { Node } from '../../kit/node.ts'
import { inSql } from '../../kit/sql/index.ts'
import { ModelProviderEnum } from '../assistant/provider.ts'
import type { AiMode } from './ai-config.ts'
import type { AgentStatus } from './manage.ts'
import type { ParsedCommand } from './test-ai.ts'

export const AgentStatusEnum = builder.enumType('AgentStatus', {
  description: 'Whether an agent’s wallet may pay here.',
  values: described<AgentStatus>({
    active: 'Payments of the agent’s wallet are accepted.',
    paused: 'Payments of the agent’s wallet are refused for the time being.',
    disabled: 'Payments of the agent’s wallet are refused.',
  }),
})

export const AgentAiModeEnum = builder.enumType('AgentAiMode', {
  description: 'How an agent understands a sentence.',
  values: described<AiMode>({
    simple: 'By the command language.',
    shared: 'By the service’s model.',
    custom: 'By a model of the agent’s own.',
  }),
})

const RulesType = builder.objectRef<Pick<Agent, 'maxPerCall' | 'maxPerDay'>>('AgentPricingRules').implement({
  description: 'Spending limits of the agent’s wallet at this service, in units of the payment token.',
  fields: t => ({
    maxPerCall: t.expose('maxPerCall', { type: 'Decimal', nullable: true, description: 'Per call; null: no limit.' }),
    maxPerDay: t.expose('maxPerDay', {
      type: 'Decimal',
      nullable: true,
      description: 'For all calls of one day in UTC together; null: no limit.',
    }),
  }),
})

const limit = { type: ['string', 'null'] }

function rulesOf({ maxPerCall, maxPerDay, otherRules }: Agent): object | null {
  if (maxPerCall === null && maxPerDay === null && otherRules === null) return null
  const limits = {
    max_per_call: maxPerCall && plainAmount(maxPerCall.toFixed()),
    max_per_day: maxPerDay && plainAmount(maxPerDay.toFixed()),
  }
  return { ...limits, ...(otherRules as object | null) }
}

export const AgentType = builder.prismaObject('Agent', {
  interfaces: [Node],
  description:
    'A program of a project that pays with a wallet of its own. The service never stores the private key of that wallet.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    name: t.exposeString('name', { description: 'Name of the agent.' }),
    walletAddress: t.exposeString('walletAddress', { description: 'The wallet that the agent pays with.' }),
    xmtpAddress: t.exposeString('xmtpAddress', {
      nullable: true,
      description: 'Address for messages to the agent over XMTP.',
    }),
    pricingRules: t.field({
      type: RulesType,
      nullable: true,
      description: 'Spending limits of the agent; null: none.',
      resolve: agent => (agent.maxPerCall === null && agent.maxPerDay === null ? null : agent),
    }),
    rules: t.field({
      type: 'JSONObject',
      nullable: true,
      description:
        'The limits as `max_per_call` and `max_per_day`, as the REST API has them, and the rules of other names, which limit nothing; null: none.',
      extensions: {
        answer: { properties: { max_per_call: limit, max_per_day: limit }, additionalProperties: true },
      },
      resolve: rulesOf,
    }),
    status: t.expose('status', { type: AgentStatusEnum, description: 'Whether the agent’s wallet may pay here.' }),
    projectId: t.exposeID('projectId', { description: 'The project of the agent.', extensions: restOnly }),
    project: t.relation('project', { description: 'The project of the agent.' }),
    aiMode: t.expose('aiMode', { type: AgentAiModeEnum, description: 'How the agent understands a sentence.' }),
    aiSystemPrompt: t.exposeString('aiSystemPrompt', {
      nullable: true,
      extensions: longText(4_000),
      description: 'Added to the instructions of the model.',
    }),
    aiProvider: t.expose('aiProvider', {
      type: ModelProviderEnum,
      nullable: true,
      description: 'Provider of the agent’s own model.',
    }),
    aiModel: t.exposeString('aiModel', { nullable: true, description: 'Name of the agent’s own model.' }),
    aiEndpoint: t.expose('aiEndpoint', {
      type: 'URL',
      nullable: true,
      description: 'API URL of the agent’s own model; null: the provider’s default URL.',
    }),
    hasAiApiKey: t.boolean({
      description: 'Whether an API key for the agent’s own model is stored. The key itself is never shown.',
      select: { aiKey: { select: { agentId: true } } },
      extensions: inSql(({ through }) => `(${through('aiKey', 'agentId')} is not null)`),
      resolve: ({ aiKey }) => aiKey !== null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    autoAnchorEnabled: t.exposeBoolean('autoAnchorEnabled', {
      description: 'Whether every payment of the agent’s wallet is recorded as a receipt and anchored.',
    }),
    anchorOnPayment: t.boolean({
      description: 'Whether payments of the agent’s wallet settled since this was switched on are recorded.',
      extensions: inSql(({ column }) => `(${column('anchorPaymentsSince')} is not null)`),
      resolve: ({ anchorPaymentsSince }) => anchorPaymentsSince !== null,
    }),
    anchorWallet: t.exposeString('anchorWallet', {
      nullable: true,
      description: 'The wallet with which the agent sends anchor transactions itself, in tenant mode.',
    }),
  }),
})

export const ParsedCommandType = builder.objectRef<ParsedCommand>('AgentParsedCommand').implement({
  description: 'A command of the command language of agents.',
  fields: t => ({
    command: t.exposeString('command', { description: 'Name of the command.' }),
    arguments: t.exposeStringList('arguments', {
      description: 'Arguments of the command, in order.',
      extensions: { listSize: { assumedSize: 4, maxSize: 4 } },
    }),
  }),
})
