// The GraphQL types of agents.

import type { Agent, Anchor, Prisma } from '../../generated/prisma/client.ts'
import { hash32 } from '../../kit/answers.ts'
import { builder } from '../../kit/builder.ts'
import { PaymentType } from '../payment-records/type.ts'
import {
  type Activity,
  type AgentAnchor,
  activitiesOf,
  anchorStatuses,
  mostEntries,
  paymentsOf,
  type Summary,
  summaryOf,
} from './activity.ts'
import { aiModes } from './ai-config.ts'
import { agentStatuses } from './manage.ts'
import type { AiTest, ParsedCommand } from './test-ai.ts'

export const AgentStatusEnum = builder.enumType('AgentStatus', {
  description: 'active · paused and disabled: payments of its wallet are refused.',
  values: agentStatuses,
})

export const AgentAiModeEnum = builder.enumType('AgentAiMode', {
  description: 'simple: the command language · shared: the service’s model · custom: a model of the agent’s own.',
  values: aiModes,
})

const RulesType = builder.objectRef<Pick<Agent, 'maxPerCall' | 'maxPerDay'>>('AgentPricingRules').implement({
  description: 'What the agent’s wallet may spend here, in units of the payment token.',
  fields: t => ({
    maxPerCall: t.expose('maxPerCall', { type: 'Decimal', nullable: true, description: 'A call; null: no limit.' }),
    maxPerDay: t.expose('maxPerDay', {
      type: 'Decimal',
      nullable: true,
      description: 'All calls of one day in UTC together; null: no limit.',
    }),
  }),
})

export const AgentType = builder.prismaObject('Agent', {
  description:
    'A program of a project that pays with a wallet of its own. The service never holds a key of that wallet.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    name: t.exposeString('name', { description: 'What it is called.' }),
    walletAddress: t.exposeString('walletAddress', { description: 'The wallet it pays with.' }),
    xmtpAddress: t.exposeString('xmtpAddress', {
      nullable: true,
      description: 'Where it can be written to over XMTP.',
    }),
    pricingRules: t.field({
      type: RulesType,
      nullable: true,
      description: 'Its spending limits; null: none.',
      resolve: agent => (agent.maxPerCall === null && agent.maxPerDay === null ? null : agent),
    }),
    status: t.expose('status', { type: AgentStatusEnum, description: 'Whether its wallet may pay here.' }),
    projectId: t.exposeID('projectId', { description: 'The project it belongs to.' }),
    aiMode: t.expose('aiMode', { type: AgentAiModeEnum, description: 'How it understands a sentence.' }),
    aiSystemPrompt: t.exposeString('aiSystemPrompt', {
      nullable: true,
      description: 'Added to the instructions of the model.',
    }),
    aiProvider: t.exposeString('aiProvider', { nullable: true, description: 'Provider of its own model.' }),
    aiModel: t.exposeString('aiModel', { nullable: true, description: 'Name of its own model.' }),
    aiEndpoint: t.exposeString('aiEndpoint', {
      nullable: true,
      description: 'Where its own model is asked; null: at the provider’s own address.',
    }),
    hasAiApiKey: t.boolean({
      description: 'Whether an API key for its own model is stored. The key itself is never shown.',
      select: { aiKey: { select: { agentId: true } } },
      resolve: ({ aiKey }) => aiKey !== null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    autoAnchorEnabled: t.exposeBoolean('autoAnchorEnabled', {
      description: 'Whether every payment of its wallet is recorded as a receipt and anchored.',
    }),
    anchorOnPayment: t.boolean({
      description: 'Whether payments of its wallet are recorded since this was switched on.',
      resolve: ({ anchorPaymentsSince }) => anchorPaymentsSince !== null,
    }),
    anchorWallet: t.exposeString('anchorWallet', {
      nullable: true,
      description: 'The wallet with which it anchors by itself, in tenant mode.',
    }),
  }),
})

export const DeletedAgentType = builder.objectRef<{ id: string }>('DeletedAgent').implement({
  description: 'An agent that is gone.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    status: t.string({ description: '`deleted`.', resolve: () => 'deleted' }),
  }),
})

export const AnchorStatusEnum = builder.enumType('AgentAnchorStatus', {
  description: 'pending: not final yet · confirmed: final · failed: its receipt failed.',
  values: anchorStatuses,
})

export const AgentAnchorType = builder.objectRef<AgentAnchor>('AgentAnchor').implement({
  description: 'A hash that was or will be anchored for an agent.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID of the anchor.' }),
    bundleHash: t.exposeString('bundleHash', { description: 'The hash, 0x-prefixed.', extensions: { answer: hash32 } }),
    anchorTxid: t.exposeString('anchorTxid', {
      nullable: true,
      description: 'The transaction, 0x-prefixed; null until it is sent.',
      extensions: { answer: hash32 },
    }),
    chain: t.exposeString('chain', { description: 'Name of the anchoring chain.' }),
    status: t.expose('status', { type: AnchorStatusEnum, description: 'How far it is.' }),
    anchoredAt: t.expose('anchoredAt', { type: 'DateTime', nullable: true, description: 'Time of its block.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked for.' }),
  }),
})

export const RequestedAnchorType = builder.objectRef<Anchor>('RequestedAnchor').implement({
  description: 'The anchor of a hash that an agent asked for.',
  fields: t => ({
    anchorId: t.id({ description: 'UUID of the anchor.', resolve: ({ id }) => id }),
    bundleHash: t.exposeString('bundleHash', { description: 'The hash, 0x-prefixed.', extensions: { answer: hash32 } }),
    status: t.field({
      type: AnchorStatusEnum,
      description: 'How far it is.',
      resolve: ({ state }) => (state === 'confirmed' ? 'confirmed' : 'pending'),
    }),
    message: t.string({
      description: 'The same in words.',
      resolve: ({ state, chain }) => messages[state].replace('%', chain),
    }),
  }),
})

const messages: Record<Anchor['state'], string> = {
  waiting: 'It goes out with the next transaction on %.',
  external: 'The project sends it on % itself.',
  sent: 'It is in a transaction on % that is not final yet.',
  confirmed: 'It is anchored on %.',
}

type Span = { agent: Agent; days: number }

export const AgentStatsType = builder
  .objectRef<Span & { paymentCount: number; totalSpent: string | Prisma.Decimal }>('AgentStats')
  .implement({
    description: 'What an agent’s wallet paid here with the money of its project, in the present token.',
    fields: t => ({
      agentId: t.id({ description: 'The agent’s UUID.', resolve: ({ agent }) => agent.id }),
      agentName: t.string({ description: 'What it is called.', resolve: ({ agent }) => agent.name }),
      days: t.exposeInt('days', { description: 'How many days in UTC, today included.' }),
      paymentCount: t.exposeInt('paymentCount', { description: 'Settled payments.' }),
      totalSpent: t.expose('totalSpent', { type: 'Decimal', description: 'What they come to, in units of the token.' }),
      payments: t.prismaField({
        type: [PaymentType],
        description: `The newest ${mostEntries} of them.`,
        extensions: { listSize: { assumedSize: mostEntries, maxSize: mostEntries } },
        resolve: (query, span, _, context) =>
          context.db.payment.findMany({
            ...query,
            where: paymentsOf(span, context),
            orderBy: [{ verifiedAt: 'desc' }, { id: 'desc' }],
            take: mostEntries,
          }),
      }),
    }),
  })

const ActivityType = builder.objectRef<Activity>('AgentActivity').implement({
  description: 'Something an agent did.',
  fields: t => ({
    type: t.exposeString('type', { description: '`payment` or `anchor`.' }),
    id: t.exposeID('id', { description: 'UUID of the payment or anchor.' }),
    content: t.exposeString('content', { description: 'What it was, as a sentence.' }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When.' }),
    details: t.expose('details', { type: 'JSONObject', description: 'Its amounts, hashes and ids.' }),
  }),
})

const SummaryType = builder.objectRef<Summary>('AgentActivitySummary').implement({
  description: 'How much an agent did.',
  fields: t => ({
    totalPayments: t.exposeInt('totalPayments', { description: 'Settled payments.' }),
    totalAnchors: t.exposeInt('totalAnchors', { description: 'Anchors.' }),
    anchoredPayments: t.exposeInt('anchoredPayments', { description: 'Payments whose receipt is anchored.' }),
  }),
})

export const UnifiedActivityType = builder.objectRef<Span>('AgentUnifiedActivity').implement({
  description: 'Payments and anchors of an agent together.',
  fields: t => ({
    agentId: t.id({ description: 'The agent’s UUID.', resolve: ({ agent }) => agent.id }),
    agentName: t.string({ description: 'What it is called.', resolve: ({ agent }) => agent.name }),
    days: t.exposeInt('days', { description: 'How many days in UTC, today included.' }),
    activities: t.field({
      type: [ActivityType],
      description: `Newest first, at most ${mostEntries}.`,
      extensions: { listSize: { assumedSize: mostEntries, maxSize: mostEntries }, cost: 10 },
      resolve: (span, _, context) => activitiesOf(context, span),
    }),
    summary: t.field({
      type: SummaryType,
      description: 'All of it in numbers.',
      extensions: { cost: 10 },
      resolve: (span, _, context) => summaryOf(context, span),
    }),
  }),
})

export const CommandAnswerType = builder
  .objectRef<{ agent: Agent; line: string; response: string; timestamp: Date }>('AgentCommandAnswer')
  .implement({
    description: 'What came of a command.',
    fields: t => ({
      agentId: t.id({ description: 'The agent’s UUID.', resolve: ({ agent }) => agent.id }),
      agentName: t.string({ description: 'What it is called.', resolve: ({ agent }) => agent.name }),
      commandReceived: t.exposeString('line', { description: 'The command.' }),
      response: t.exposeString('response', { description: 'The answer, in lines.' }),
      timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When it was answered.' }),
    }),
  })

const ParsedCommandType = builder.objectRef<ParsedCommand>('AgentParsedCommand').implement({
  description: 'A command of the command language of agents.',
  fields: t => ({
    command: t.exposeString('command', { description: 'Its name.' }),
    arguments: t.exposeStringList('arguments', {
      description: 'Its arguments, in order.',
      extensions: { listSize: { assumedSize: 4, maxSize: 4 } },
    }),
  }),
})

export const AiTestType = builder.objectRef<AiTest>('AgentAiTest').implement({
  description: 'What an agent made of a sentence. Nothing was run.',
  fields: t => ({
    mode: t.field({
      type: AgentAiModeEnum,
      description: 'How it was understood.',
      resolve: ({ agent }) => agent.aiMode,
    }),
    testMessage: t.exposeString('message', { description: 'The sentence.' }),
    parsedResult: t.expose('parsed', {
      type: ParsedCommandType,
      nullable: true,
      description: 'The command that it asks for; null when it is none.',
    }),
    aiProvider: t.string({
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
