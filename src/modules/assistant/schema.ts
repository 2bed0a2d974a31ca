// The GraphQL types, queries, mutation and subscription of the assistant.

import { z } from 'zod'
import { demand } from '../../core/principal.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { inputType } from '../../kit/input.ts'
import { mutation } from '../../kit/mutation.ts'
import { openStream } from '../../kit/open-stream.ts'
import { parse } from '../../kit/parse.ts'
import { assist, demandModel } from './assist.ts'
import { assistInput } from './input.ts'
import { ModelProviderEnum } from './provider.ts'
import { type AssistEvent, streamed } from './stream.ts'
import { toolNames } from './tools.ts'
import type { Answer } from './transcript.ts'
import { UsedToolType, usedTools } from './used-tool.ts'

const AnswerType = builder.objectRef<Answer>('AssistAnswer').implement({
  description: 'An answer of the assistant.',
  fields: t => ({
    reply: t.exposeString('reply', {
      description:
        'Plain text that a language model wrote. The text may be wrong. Show it as plain text, never as HTML or Markdown, because a manipulated model could write harmful links and images.',
    }),
    usedTools: t.expose('usedTools', {
      type: [UsedToolType],
      description: 'The tool calls on which the answer is based, in order.',
      extensions: usedTools,
    }),
  }),
})

const EventType = builder.objectRef<AssistEvent>('AssistEvent').implement({
  description: 'A part of an answer that is being written.',
  fields: t => ({
    text: t.string({
      nullable: true,
      description: 'The next part of the text, also text between tool calls; null in the last event.',
      resolve: event => ('text' in event ? event.text : null),
    }),
    answer: t.field({
      type: AnswerType,
      nullable: true,
      description: 'The whole answer in the last event, null before; only this answer is valid.',
      resolve: event => ('answer' in event ? event.answer : null),
    }),
  }),
})

// A conversation occupies a third party's machine for seconds. The reads of its tools are charged separately.
const declaration = {
  access: 'read',
  errors: [
    'validation_failed',
    'ai_disabled',
    'ai_unavailable',
    'ai_no_answer',
    'ai_budget_spent',
    'too_many_requests',
  ],
  extensions: { cost: 100 },
} as const

const prepared = (context: Context, raw: unknown) => {
  demand(context.principal, 'read')
  const input = parse(assistInput, raw, ['input'])
  demandModel(context)
  return input
}

mutation('assist', {
  ...declaration,
  description: `Answers a question about receipts of the caller’s project by a language model, which reads with the caller’s rights and cannot write. A service administrator, who has no project, must name the receipts.`,
  input: assistInput,
  takes: 'A question to the assistant.',
  run: (context, input) => assist(context, prepared(context, input)),
  payload: t => ({
    answer: t.field({ type: AnswerType, description: 'The answer.', resolve: answer => answer }),
  }),
})

const EventsInput = inputType('AssistEventsInput', 'A question to the assistant.', assistInput)

builder.subscriptionField('assistEvents', t =>
  t.field({
    type: EventType,
    description: `Streams the answer of \`assist\` while the model writes it.`,
    args: { input: t.arg({ type: EventsInput, required: true }) },
    input: z.object({ input: assistInput }),
    ...declaration,
    subscribe: (_, { input }, context) => {
      const request = prepared(context, input)
      return openStream(context, async () => streamed(how => assist(context, request, how)))
    },
    resolve: event => {
      if ('failure' in event) throw event.failure
      return event
    },
  }),
)

const FeaturesType = builder.objectRef<Context>('AssistantFeatures').implement({
  description: 'Features of the assistant.',
  fields: t => ({
    tools: t.stringList({
      description: 'Names of the tools that the model may use. No tool writes.',
      extensions: { listSize: { assumedSize: toolNames.length } },
      resolve: ({ ai }) => (ai.model === null ? [] : toolNames),
    }),
    streaming: t.boolean({
      description: 'Whether the subscription `assistEvents` can stream answers.',
      resolve: ({ ai }) => ai.model !== null,
    }),
    transcriptDays: t.int({
      description: 'Number of days for which questions and answers with a `sessionId` are stored; 0: none.',
      resolve: ({ ai }) => ai.transcriptDays,
    }),
    agentKeys: t.boolean({
      description: 'Whether API keys of agents for their own models can be stored.',
      resolve: ({ vault }) => vault !== null,
    }),
  }),
})

const StatusType = builder.objectRef<Context>('AssistantStatus').implement({
  description: 'Status of the assistant.',
  fields: t => ({
    enabled: t.boolean({ description: 'Whether questions are answered.', resolve: ({ ai }) => ai.model !== null }),
    provider: t.field({
      type: ModelProviderEnum,
      nullable: true,
      description: 'Provider of the model; null when no model is set up.',
      resolve: ({ ai }) => ai.model?.provider ?? null,
    }),
    model: t.string({
      nullable: true,
      description: 'Name of the model; null when no model is set up.',
      resolve: ({ ai }) => ai.model?.name ?? null,
    }),
    features: t.field({
      type: FeaturesType,
      description: 'Features of the assistant.',
      resolve: (_, __, context) => context,
    }),
  }),
})

builder.queryField('assistantStatus', t =>
  t.field({
    type: StatusType,
    description: 'Whether the assistant is set up, and with which model.',
    access: 'read',
    errors: [],
    resolve: (_, __, context) => context,
  }),
)
